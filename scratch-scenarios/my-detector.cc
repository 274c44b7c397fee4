// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A congestion detector of one's own in one file, compared with ECN (RED) on the same incast.
//
// SojournDetector marks a frame when what waits behind it takes longer than Target at line rate
// (time that the port may be paused is not foreseen). ECN marks by bytes, with a probability.
// In an ns-3 tree that has the module: copy to scratch/, then ./ns3 run scratch/my-detector

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace ns3;

/// Marks CE where the bytes that wait, over the line rate, exceed a target delay.
class SojournDetector : public CongestionDetector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SojournDetector")
                                .SetParent<CongestionDetector>()
                                .AddConstructor<SojournDetector>()
                                .AddAttribute("Target",
                                              "Delay in the queue above which frames are marked",
                                              TimeValue(MicroSeconds(8)),
                                              MakeTimeAccessor(&SojournDetector::m_target),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void OnDequeue(Frame& frame, const QueueState& queue, Time) override
    {
        const double delay = queue.bytes * 8.0 / Context().rateBps; // [s]
        if (delay > m_target.GetSeconds())
        {
            Mark(frame, CodePoint::CONGESTION);
        }
    }

  private:
    Time m_target; //!< see Target
};

NS_OBJECT_ENSURE_REGISTERED(SojournDetector); // lets a Scheme name it

/// What one run shows.
struct Result
{
    Ptr<LosslessNetDevice> port; //!< the switch's port to the receiver
    uint64_t maxQueue{0};        //!< its longest queue [B]
    uint32_t marks{0};           //!< frames that it marked
    uint32_t pauses{0};          //!< times that a sender was paused
    double slowdowns{0};         //!< sum of FCT / ideal FCT
    Time idealFct;               //!< the same for each flow
    uint32_t flows{0};           //!< completed

    void Enqueued(const Frame& frame)
    {
        maxQueue = std::max(maxQueue, port->GetQueueState(frame.priority).bytes + frame.bytes);
    }

    void Marked(const Frame&)
    {
        marks++;
    }

    void GateChanged(uint8_t, bool off)
    {
        pauses += off;
    }

    void Completed(const RdmaCompletion& done)
    {
        slowdowns += (done.end - done.start).GetSeconds() / idealFct.GetSeconds();
        flows++;
    }
};

/// Runs an incast of `senders` flows of `bytes` into one host, and prints a line.
void
RunIncast(const Scheme& scheme, uint32_t senders, uint64_t bytes)
{
    LosslessFabric fabric;
    StarHelper star; // 100 Gb/s, 1 us
    star.SetHosts(senders + 1);
    star.Build(fabric);
    fabric.SetSwitchAttribute("Xoff", UintegerValue(100000)); // of each sender's ingress [B]
    fabric.SetSwitchAttribute("Xon", UintegerValue(98000));
    fabric.SetScheme(scheme);
    fabric.Build();
    fabric.AssignStreams(1);

    Result result;
    const uint32_t receiver = senders;
    result.port = fabric.GetPortsBetween(fabric.GetIndex("switch"), receiver).front();
    result.port->TraceConnectWithoutContext("Enqueue", MakeCallback(&Result::Enqueued, &result));
    result.port->TraceConnectWithoutContext("Mark", MakeCallback(&Result::Marked, &result));
    std::vector<FlowSpec> flows(senders);
    for (uint32_t i = 0; i < senders; i++)
    {
        flows[i].id = i;
        flows[i].src = i;
        flows[i].dst = receiver;
        flows[i].bytes = bytes;
        result.idealFct = fabric.GetIdealFct(flows[i]);
        Ptr<RdmaHw> nic = fabric.GetRdma(i);
        nic->TraceConnectWithoutContext("MessageCompleted",
                                        MakeCallback(&Result::Completed, &result));
        nic->GetDevice()->TraceConnectWithoutContext("Gate",
                                                     MakeCallback(&Result::GateChanged, &result));
    }
    fabric.InstallFlows(flows);
    Simulator::Run();
    std::cout << std::left << std::setw(11) << scheme.name << std::right << std::setw(14)
              << result.maxQueue << std::setw(8) << result.pauses << std::setw(8) << result.marks
              << std::setw(15) << std::fixed << std::setprecision(2)
              << result.slowdowns / result.flows << "\n";
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
{
    uint32_t senders = 4;
    uint64_t bytes = 5000000;
    std::string target = "8us";
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "number of senders", senders);
    cmd.AddValue("bytes", "size of each flow [B]", bytes);
    cmd.AddValue("target", "queueing delay above which SojournDetector marks", target);
    cmd.Parse(argc, argv);

    // The same controller with the same values, another detector: at 100 Gb/s this ECN marks from
    // 400 KB on, 32 us of queue.
    const Scheme ecn = FindScheme("dcqcn:hpcc");
    Scheme mine = ecn;
    mine.name = "sojourn";
    mine.detector = "ns3::SojournDetector";
    mine.detectorSettings = {{"Target", target}};

    std::cout << "scheme     max queue [B]  pauses   marks  mean slowdown\n";
    RunIncast(ecn, senders, bytes);
    RunIncast(mine, senders, bytes);
}

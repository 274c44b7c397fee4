// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A data-centre workload over a chain of switches: figure 10 of Mercury (He et al., 2024).
//
// The chain of figure 2 with H1, H2, R1 and R2, every link 40 Gb/s and 4 us. H1 and H2 send flows
// of the workload to R1 and R2 at Poisson times, each pair as many. The paper's load of 80 % is
// read as elsewhere, as that of the hosts' links: P1, which both senders share, is offered 160 %,
// and its queue lasts from the beginning to the end. --load=0.4 offers it 80 %.

#include "ns3/arrival-process.h"
#include "ns3/bundled-files.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/lossless-study.h"
#include "ns3/mercury-unit-helper.h"

#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("mercury-workload",
                        "A workload of two senders and two receivers over a chain of switches: "
                        "figure 10 of Mercury (2024).");
    const BundledFiles workloads("workloads", ".cdf");
    std::string workload = "Hadoop";
    double load = 0.8;
    Time duration = MilliSeconds(20);
    StudyOptions& options = study.GetOptions();
    options.AddText("workload",
                    "Flow sizes: " + workloads.GetList() +
                        ", or a file of lines 'size_bytes probability'",
                    workload);
    options.AddFraction("load",
                        "Payload that H1 and H2 offer, of their links; P1 gets twice as much",
                        load);
    options.AddTime("duration", "Length of the arrivals", duration);
    study.AddLinkOptions(DataRate("40Gb/s"), MicroSeconds(4));
    study.SetDefaultScheme("mercury");
    study.SetDefaultThreshold(320000, 318000);
    study.SetDefaultSample(MicroSeconds(2), "S1,S2,S3");

    for (const MercuryUnitHelper::Port& port : MercuryUnitHelper::GetPorts())
    {
        study.NamePort(port.name, port.node, port.peer);
    }
    study.SetTopology([&](LosslessFabric& fabric) {
        MercuryUnitHelper unit;
        unit.SetBurstHosts(0);
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        const auto sizes = FlowSizeDistribution::FromFile(workloads.Find("--workload", workload));
        const double bytesPerNs =
            load * static_cast<double>(study.GetLinkRate().GetBitRate()) / 8e9;
        constexpr double RECEIVERS = 2;
        int64_t stream = 1; // each pair draws from streams of its own
        std::vector<std::vector<FlowSpec>> flows;
        for (const char* sender : {"H1", "H2"})
        {
            for (const char* receiver : {"R1", "R2"})
            {
                SynchronousTraffic traffic;
                traffic.senders = {MercuryUnitHelper::GetHost(fabric, sender)};
                traffic.receiver = MercuryUnitHelper::GetHost(fabric, receiver);
                traffic.intervalNs = RECEIVERS * sizes.Mean() / bytesPerNs;
                traffic.durationNs = duration.GetNanoSeconds();
                ArrivalProcess arrivals;
                stream += arrivals.AssignStreams(stream);
                flows.push_back(arrivals.Synchronous(traffic, sizes));
            }
        }
        return ArrivalProcess::Merge(flows);
    });
    return study.Main(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Detectors at the ports of a switch: whom they notify, pauses upstream, and whom marks blame.

#include "lossless-test-harness.h"

#include "ns3/mark-recorder.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// A detector's notification reaches the queue pair that sent the frame.
class NotifySourceTestCase : public LosslessTestCase
{
  public:
    NotifySourceTestCase()
        : LosslessTestCase("notification of a source by a switch")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        fabric.SetSwitchAttribute("ControlPriority", UintegerValue(7));
        fabric.Build();
        // The first is there so that the queue pairs of the others have different numbers at either
        // end.
        fabric.InstallFlows({MakeFlow(9, 0, 2, 1000, 1000000),
                             MakeFlow(10, 0, 1, 100000, 0),
                             MakeFlow(11, 0, 1, 100000, 0)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->tell = [](const Frame& frame, Notification& notification) {
            Cnp cnp;
            cnp.code = CodePoint::UNDETERMINED;
            cnp.windowBytes = 4242;
            notification = cnp;
            return frame.flow == 11 && frame.psn == 50;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        Simulator::Run();
        const auto cnps = sender.Of(PortRecorder::RECEIVED, FrameKind::NOTIFICATION);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), 1, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(Number(cnps[0].priority), 7, "ControlPriority");
        NS_TEST_EXPECT_MSG_EQ(Number(cnps[0].flow), 11, "flow");
        NS_TEST_EXPECT_MSG_EQ(Number(cnps[0].feedback), 2, "what it says");
        // The two flows alternate: frame 50 of the second is the 102nd, at the switch at 102
        // x 86.56 + 1000, and the queue is empty. The CNP of 98 B takes 7.84 + 1000, on the grid of
        // both nodes.
        NS_TEST_EXPECT_MSG_EQ_TOL(cnps[0].ns, int64_t(8829 + 1000 + 1008), int64_t(8), "when");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(11).cnpUe), 1, "its queue pair");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(10).cnpUe), 0, "not the other");
        NS_TEST_EXPECT_MSG_EQ(Number(EthernetSwitchOf(fabric, 0)->GetBuffer().GetUsedBytes()),
                              0,
                              "the switch's own frame is not charged");
    }
};

/// A detector learns which upstream ports its switch pauses because of its queue.
class UpstreamPauseTestCase : public LosslessTestCase
{
  public:
    UpstreamPauseTestCase()
        : LosslessTestCase("detectors learn of pauses upstream")
    {
    }

  private:
    void DoRun() override
    {
        // Hosts 0 and 1 congest the link to host 2 in priority 3. Each also sends to host 3, in
        // priorities 3 and 5, at a time when nothing else is under way: no queue but one is to
        // blame.
        LosslessFabric fabric;
        AddStar(fabric, 4, "100Gbps", MicroSeconds(1));
        fabric.SetLosslessPriorities(1 << 3 | 1 << 5);
        fabric.Build();
        Ptr<EthernetSwitch> sw = EthernetSwitchOf(fabric, 0);
        std::map<std::pair<uint32_t, uint8_t>, Ptr<ScriptedDetector>> detectors;
        for (uint32_t port = 0; port < 4; port++)
        {
            for (uint8_t priority : {3, 5})
            {
                Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
                sw->GetPort(port)->SetDetector(priority, detector);
                detectors[std::make_pair(port, priority)] = detector;
            }
        }
        PortRecorder first(fabric.GetRdma(0)->GetDevice());
        PortRecorder second(fabric.GetRdma(1)->GetDevice());
        fabric.InstallFlows({MakeFlow(0, 0, 2, 3000000),
                             MakeFlow(1, 1, 2, 3000000),
                             MakeFlow(2, 0, 3, 1000000, 2000000),
                             MakeFlow(3, 1, 3, 1000000, 4000000, 5)});
        Simulator::Run();

        int64_t paused = 0; // hosts that are OFF, by their own gates
        for (const PortRecorder* host : {&first, &second})
        {
            for (const PortRecorder::Entry& entry : host->Of(PortRecorder::GATE))
            {
                paused += entry.off ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_GT(paused, 10, "PFC is at work");
        const auto& told = detectors[std::make_pair(2, 3)]->upstream;
        int64_t pauses = 0;
        int64_t now = 0; // paused at present, as told
        int64_t before = 0;
        for (const auto& event : told)
        {
            pauses += event.second ? 1 : 0;
            now += event.second ? 1 : -1;
            NS_TEST_EXPECT_MSG_EQ((now >= 0 && now <= 2), true, "two ports can be paused");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(event.first, before, "in the order of time");
            before = event.first;
        }
        NS_TEST_EXPECT_MSG_EQ(pauses, paused, "each pause is told once");
        NS_TEST_EXPECT_MSG_EQ(now, 0, "and each resume");
        for (const auto& other : detectors)
        {
            if (other.first != std::make_pair(2U, uint8_t(3)))
            {
                NS_TEST_EXPECT_MSG_EQ(Number(other.second->upstream.size()), 0, "not to blame");
            }
        }
    }
};

/// Marks of a queue that is never paused are marks of congestion.
class MarksOfCongestionTestCase : public LosslessTestCase
{
  public:
    MarksOfCongestionTestCase()
        : LosslessTestCase("marks of two into one, without pauses")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        fabric.SetLosslessPriorities(1 << 3 | 1 << 5);
        fabric.SetSwitchAttribute("Threshold", StringValue("Static"));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(5000000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(4998000));
        Scheme scheme = FindScheme("none");
        scheme.detector = "ns3::EcnDetector";
        fabric.SetScheme(scheme);
        fabric.Build();
        // Priority 5 takes turns with 3, which delays the queue of 3 but is no pause; it has half
        // of both lines and no queue of its own.
        fabric.InstallFlows({MakeFlow(0, 0, 2, 1000000),
                             MakeFlow(1, 1, 2, 1000000),
                             MakeFlow(2, 1, 2, 1000000, 0, 5)});
        Ptr<LosslessNetDevice> port = fabric.GetSwitches()[0]->GetPort(2);
        MarkRecorder recorder;
        for (const auto& device : fabric.GetPorts())
        {
            recorder.Connect(device);
        }
        int64_t longest = 0;
        for (int64_t us = 1; us <= 300; us++)
        {
            CallAt(MicroSeconds(us), [&]() {
                const MarkRecorder::Queue queue = recorder.GetQueue(port, 3);
                const QueueState state = port->GetQueueState(3);
                NS_TEST_EXPECT_MSG_EQ(queue.bytes, state.bytes + 20 * state.frames, "the queue");
                NS_TEST_EXPECT_MSG_EQ(queue.unpausedBytes, double(queue.bytes), "the same");
                longest = std::max(longest, Number(queue.bytes));
            });
        }
        PortRecorder traces(port);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(longest, 200000, "above Kmax");
        const MarkRecorder::Totals totals = recorder.GetTotals();
        NS_TEST_EXPECT_MSG_GT(Number(totals.marks), 100, "marks");
        NS_TEST_EXPECT_MSG_EQ(Number(totals.marks),
                              Number(traces.Of(PortRecorder::MARK).size()),
                              "all marks");
        NS_TEST_EXPECT_MSG_EQ(Number(totals.marksByPauses), 0, "of congestion");
        NS_TEST_EXPECT_MSG_EQ(Number(totals.notifications), 0, "ECN notifies no source");
        NS_TEST_EXPECT_MSG_EQ(Number(totals.flowsMarked), 2, "flows");
        NS_TEST_EXPECT_MSG_EQ(Number(totals.victimFlowsMarked), 0, "no victims");
    }
};

/// A detector that also notifies the source of one flow at each tick.
class TickingDetector : public ScriptedDetector
{
  public:
    void OnTick(const QueueState& queue, Time now) override
    {
        ScriptedDetector::OnTick(queue, now);
        // Like a detector's sample of a flow: without a priority.
        Frame frame;
        frame.kind = FrameKind::DATA;
        frame.flow = 7;
        NotifySource(frame, Cnp());
    }
};

/// A pause makes the queue of a port long that is not overloaded, and longer of one that is.
class MarksByPausesTestCase : public LosslessTestCase
{
  public:
    MarksByPausesTestCase()
        : LosslessTestCase("marks and notifications by pauses")
    {
    }

  private:
    static constexpr uint32_t FRAMES = 100;

    /// What one run shows.
    struct Result
    {
        MarkRecorder::Totals totals;           //!< counted
        std::vector<MarkRecorder::Queue> seen; //!< at five times
    };

    /**
     * 1250 B on the wire take 100 ns. Frames of priority 3 arrive at 0, 100, 200, ... ns; the port
     * is OFF from 1050 to 3050 ns.
     *
     * @param each how many frames arrive at a time
     */
    Result Run(uint32_t each)
    {
        Result result;
        PortPair pair;
        Ptr<LosslessNetDevice> port = pair.port[0];
        Ptr<TickingDetector> detector = CreateObject<TickingDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.psn == 50 ? CodePoint::UNDETERMINED : CodePoint::CONGESTION;
        };
        detector->tell = [](const Frame& frame, Notification&) { return frame.psn % 10 == 0; };
        detector->tick = NanoSeconds(1190);
        port->SetDetector(3, detector);
        port->StartDetectorTicks();
        MarkRecorder recorder;
        recorder.Connect(port);
        for (uint32_t i = 0; i < FRAMES; i++)
        {
            CallAt(NanoSeconds(100 * i), [port, i, each]() {
                for (uint32_t j = 0; j < each; j++)
                {
                    FramePtr frame = PortPair::MakeData(3, 1230, i);
                    frame->kind = i == 60 ? FrameKind::ACK : FrameKind::DATA;
                    frame->flow = i < 8 ? 0 : i < 20 ? 1 : 2;
                    port->Enqueue(std::move(frame));
                }
            });
        }
        PortRecorder traces(port);
        // A PFC frame takes 6.72 ns and the link's delay, 1 us.
        CallAt(NanoSeconds(43), [&]() { SendPause(pair.port[1], 3, true); });
        CallAt(NanoSeconds(2043), [&]() { SendPause(pair.port[1], 3, false); });
        for (int64_t ns : {1049, 1075, 1180, 3049, 3051})
        {
            CallAt(NanoSeconds(ns), [&]() { result.seen.push_back(recorder.GetQueue(port, 3)); });
        }
        Simulator::Stop(MicroSeconds(40));
        Simulator::Run();
        const auto gate = traces.Of(PortRecorder::GATE);
        NS_TEST_EXPECT_MSG_EQ(gate.size(), 2, "one pause");
        NS_TEST_EXPECT_MSG_EQ(gate.front().ns, 1050, "OFF");
        NS_TEST_EXPECT_MSG_EQ(gate.back().ns, 3050, "ON");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.sink[1].frames.size()), each * FRAMES, "all arrive");
        result.totals = recorder.GetTotals();
        Simulator::Destroy();
        return result;
    }

    /**
     * @param queue as recorded
     * @param frames in the queue
     * @param unpaused in the other one [B]
     */
    void Check(const MarkRecorder::Queue& queue, int64_t frames, double unpaused)
    {
        NS_TEST_EXPECT_MSG_EQ(Number(queue.bytes), 1250 * frames, "the queue");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.unpausedBytes, unpaused, 1e-6, "the unpaused queue");
    }

    void DoRun() override
    {
        // At line rate each frame leaves as it arrives, until 11 to 30 meet the pause. From then on
        // 20 frames wait, until the arrivals end; the unpaused queue has what is left of the
        // newest.
        const Result even = Run(1);
        LOSSLESS_TEST_REQUIRE(Number(even.seen.size()), 5, "looks");
        Check(even.seen[0], 0, 0);
        Check(even.seen[1], 0, 0);
        Check(even.seen[2], 1, 1250 * 0.2);
        Check(even.seen[3], 20, 1250 * 0.51);
        Check(even.seen[4], 19, 0);
        // Of 0 to 99, 50 is UE and 60 is no data; 11 to 99 are by pauses.
        NS_TEST_EXPECT_MSG_EQ(Number(even.totals.marks), 98, "marks");
        NS_TEST_EXPECT_MSG_EQ(Number(even.totals.marksByPauses), 87, "by pauses");
        // Frames 0, 10, 20, ..., 90 but 60: 0 and 10 before the pause. Ticks at 1190 ns (OFF, a
        // frame waits of which a tenth would be left), 2380, 3570, ..., 10710; those after the last
        // frame has left, at 11850, find no queue and do not count.
        NS_TEST_EXPECT_MSG_EQ(Number(even.totals.notifications), 9 + 9, "notifications");
        NS_TEST_EXPECT_MSG_EQ(Number(even.totals.notificationsByPauses), 7 + 9, "by pauses");
        // Flow 0 is done before the pause, 1 begins before it, 2 comes after; 7 is that of the
        // ticks.
        NS_TEST_EXPECT_MSG_EQ(Number(even.totals.flowsMarked), 4, "flows");
        NS_TEST_EXPECT_MSG_EQ(Number(even.totals.victimFlowsMarked), 2, "victims");

        // At twice the line rate 11 frames wait at the pause, 51 after it and 31 without it: more
        // than half.
        const Result twice = Run(2);
        LOSSLESS_TEST_REQUIRE(Number(twice.seen.size()), 5, "looks");
        Check(twice.seen[0], 11, 1250 * 11);
        Check(twice.seen[1], 11, 1250 * 10.75);
        Check(twice.seen[2], 13, 1250 * (13 - 1.3));
        Check(twice.seen[3], 51, 1250 * (51 - 19.99));
        Check(twice.seen[4], 50, 1250 * (50 - 20));
        // The queue is 20 frames longer than it would be until it drains: it is by pauses when less
        // than 40 are left, the last 39.
        NS_TEST_EXPECT_MSG_EQ(Number(twice.totals.marks), 196, "marks");
        NS_TEST_EXPECT_MSG_EQ(Number(twice.totals.marksByPauses), 39, "by pauses");
        NS_TEST_EXPECT_MSG_EQ(Number(twice.totals.victimFlowsMarked), 0, "no victims");
    }
};

/// The suite `lossless-switch-detector`.
class LosslessSwitchDetectorTestSuite : public TestSuite
{
  public:
    LosslessSwitchDetectorTestSuite()
        : TestSuite("lossless-switch-detector", Type::SYSTEM)
    {
        AddTestCase(new NotifySourceTestCase);
        AddTestCase(new UpstreamPauseTestCase);
        AddTestCase(new MarksOfCongestionTestCase);
        AddTestCase(new MarksByPausesTestCase);
    }
};

LosslessSwitchDetectorTestSuite g_losslessSwitchDetectorTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// What a port tells its trace sources and its detectors, and when a detector ticks.

#include "lossless-test-harness.h"

#include "ns3/pointer.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Enqueue, Dequeue, Mark, Transmit, FrameReceived and Drop, in order and complete.
class TraceTestCase : public LosslessTestCase
{
  public:
    TraceTestCase()
        : LosslessTestCase("trace sources of a port")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair;
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.psn == 1 ? CodePoint::CONGESTION : CodePoint::NOT_CAPABLE;
        };
        pair.port[0]->SetDetector(3, detector);
        Ptr<ListedFrameErrorModel> errors = CreateObject<ListedFrameErrorModel>();
        errors->places = {2};
        pair.port[1]->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        PortRecorder near(pair.port[0]);
        PortRecorder far(pair.port[1]);
        for (uint32_t i = 0; i < 3; i++)
        {
            FramePtr frame = PortPair::MakeData(3, 1062, i);
            frame->payload = 1000;
            pair.port[0]->Enqueue(std::move(frame));
        }
        Simulator::Run();
        using P = PortRecorder;
        // The first goes straight through; 1 and 2 wait. A mark is seen before the departure.
        const std::vector<std::pair<P::Source, uint32_t>> expected = {{P::ENQUEUE, 0},
                                                                      {P::DEQUEUE, 0},
                                                                      {P::TRANSMIT, 0},
                                                                      {P::ENQUEUE, 1},
                                                                      {P::ENQUEUE, 2},
                                                                      {P::MARK, 1},
                                                                      {P::DEQUEUE, 1},
                                                                      {P::TRANSMIT, 1},
                                                                      {P::DEQUEUE, 2},
                                                                      {P::TRANSMIT, 2}};
        LOSSLESS_TEST_REQUIRE(near.entries.size(), expected.size(), "calls at the sender");
        for (std::size_t i = 0; i < expected.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(near.entries[i].source),
                                  Number(expected[i].first),
                                  "call " << i);
            NS_TEST_EXPECT_MSG_EQ(near.entries[i].psn, expected[i].second, "frame of call " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Number(near.entries[7].code), 3, "CE");
        NS_TEST_EXPECT_MSG_EQ(Number(near.entries[9].code), 1, "still capable");
        const std::vector<P::Source> there = {P::RECEIVED, P::RECEIVED, P::RECEIVED, P::DROP};
        LOSSLESS_TEST_REQUIRE(far.entries.size(), there.size(), "calls at the receiver");
        for (std::size_t i = 0; i < there.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(far.entries[i].source), Number(there[i]), "call " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(far.entries[3].reason,
                              Number(LosslessNetDevice::CORRUPTED),
                              "reason");
        NS_TEST_EXPECT_MSG_EQ(Number(far.entries[3].psn), 2, "which frame");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.sink[1].frames.size()), 2, "what is left");
        // What the detector saw: the queue with the frame at enqueue, without it at dequeue.
        LOSSLESS_TEST_REQUIRE(Number(detector->enqueued.size()), 3, "enqueued");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued[0].bytes), 1062, "alone");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued[2].bytes), 2124, "behind frame 1");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued[2].frames), 2, "behind frame 1");
        LOSSLESS_TEST_REQUIRE(Number(detector->dequeued.size()), 3, "dequeued");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued[0].bytes), 0, "nothing behind it");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued[1].bytes), 1062, "frame 2 behind it");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued[2].bytes), 0, "nothing behind it");
    }
};

/// A detector that asks for ticks gets them at its interval.
class TickTestCase : public LosslessTestCase
{
  public:
    TickTestCase()
        : LosslessTestCase("ticks of a detector")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair;
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->tick = NanoSeconds(250);
        pair.port[0]->SetDetector(2, detector);
        pair.port[0]->StartDetectorTicks();
        Simulator::Stop(NanoSeconds(1100));
        Simulator::Run();
        const std::vector<int64_t> expected = {250, 500, 750, 1000};
        NS_TEST_EXPECT_MSG_EQ((detector->ticks == expected), true, "times");
        Simulator::Destroy();

        // A switch attaches its detectors before it asks for their interval, in whatever order ns-3
        // initialises what is aggregated to the node; looking at an aggregate often changes it.
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, NanoSeconds(400));
        fabric.Build();
        Ptr<DelayTicker> ticker = CreateObject<DelayTicker>();
        fabric.GetSwitches()[0]->GetPort(0)->SetDetector(3, ticker);
        for (int i = 0; i < 100; i++)
        {
            fabric.GetSwitches()[0]->GetObject<Node>();
        }
        Simulator::Stop(NanoSeconds(1100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ticker->ticks, 2, "every 400 ns, the delay of the link");
    }

    /// Ticks at the interval of the link's delay, which it learns from Attach().
    class DelayTicker : public CongestionDetector
    {
      public:
        Time GetTickInterval() const override
        {
            return Context().delay;
        }

        void OnTick(const QueueState&, Time) override
        {
            ticks++;
        }

        int ticks{0}; //!< so far
    };
};

/// The suite `lossless-link-detector`.
class LosslessLinkDetectorTestSuite : public TestSuite
{
  public:
    LosslessLinkDetectorTestSuite()
        : TestSuite("lossless-link-detector", Type::SYSTEM)
    {
        AddTestCase(new TraceTestCase);
        AddTestCase(new TickTestCase);
    }
};

LosslessLinkDetectorTestSuite g_losslessLinkDetectorTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Which priority a port sends next, and what its scheduler is told.

#include "lossless-test-harness.h"

#include "ns3/string.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Strict priority: highest first, first come first served within one.
class StrictPriorityTestCase : public LosslessTestCase
{
  public:
    StrictPriorityTestCase()
        : LosslessTestCase("strict priority")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair;
        // The first occupies the line when the others come.
        const std::vector<std::pair<uint8_t, uint32_t>> sent =
            {{0, 0}, {0, 1}, {3, 2}, {7, 3}, {3, 4}, {5, 5}, {7, 6}, {1, 7}};
        for (const auto& frame : sent)
        {
            pair.Send(frame.first, 980, frame.second);
        }
        Simulator::Run();
        const std::vector<uint32_t> expected = {0, 3, 6, 5, 2, 4, 7, 1};
        LOSSLESS_TEST_REQUIRE(Number(pair.sink[1].frames.size()), 8, "all arrive");
        for (std::size_t i = 0; i < expected.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.sink[1].frames[i]->psn, expected[i], "place " << i);
            // 1000 B on the wire each, back to back: 80 ns, then 1 us.
            NS_TEST_EXPECT_MSG_EQ(pair.sink[1].exactPs[i],
                                  int64_t(1080000 + 80000 * i),
                                  "time " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Number(pair.sink[0].departed), 8, "the sender's sink is told");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetSentFrames()), 8, "frames");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetSentBytes()), 8 * 980, "bytes");
    }
};

/// Deficit round robin: shares by weight whatever the frame sizes, strict priorities above.
class DeficitRoundRobinTestCase : public LosslessTestCase
{
  public:
    DeficitRoundRobinTestCase()
        : LosslessTestCase("deficit round robin shares the line 1:3")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("Scheduler", StringValue("ns3::DeficitRoundRobin"));
        PortPair pair(helper);
        Ptr<DeficitRoundRobin> scheduler =
            DynamicCast<DeficitRoundRobin>(pair.port[0]->GetScheduler());
        scheduler->SetWeight(1, 1);
        scheduler->SetWeight(2, 3);
        // Priority 1 has frames of 1500 B, priority 2 of 300 B: both backlogged to the end.
        for (uint32_t i = 0; i < 10000; i++)
        {
            pair.Send(1, 1480);
            for (int j = 0; j < 5; j++)
            {
                pair.Send(2, 280);
            }
        }
        // One strict frame in the middle, when 1500 B take 120 ns.
        Simulator::Schedule(NanoSeconds(100050),
                            &PortPair::Send,
                            &pair,
                            uint8_t(6),
                            uint32_t(64),
                            uint32_t(1));
        Simulator::Stop(MicroSeconds(400));
        Simulator::Run();
        uint64_t bytes[PRIORITIES] = {};
        for (const auto& frame : pair.sink[1].frames)
        {
            bytes[frame->priority] += frame->bytes + 20;
        }
        const double share = static_cast<double>(bytes[1]) / (bytes[1] + bytes[2]);
        // 399 us are 4.99 MB, some 780 rounds of 6400 B; one frame more or less is 0.1 % of that.
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.25, 0.25 * 0.005, "share of weight 1 of 4");
        // It waits for the frame in progress only: at most 120 ns.
        for (std::size_t i = 0; i < pair.sink[1].frames.size(); i++)
        {
            if (pair.sink[1].frames[i]->priority == 6)
            {
                NS_TEST_EXPECT_MSG_LT(pair.sink[1].arrivedNs[i],
                                      101050 + 120 + 8,
                                      "strict is first");
                bytes[0]++;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Number(bytes[0]), 1, "the strict frame arrived");
    }
};

/// Strict priority that counts what it is told.
class CountingScheduler : public EgressScheduler
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::losslesstest::CountingScheduler")
                                .SetParent<EgressScheduler>()
                                .SetGroupName("Lossless")
                                .HideFromDocumentation()
                                .AddConstructor<CountingScheduler>();
        return tid;
    }

    void Sent(uint8_t, uint32_t bytes) override
    {
        sentBytes += bytes;
    }

    uint64_t sentBytes{0}; //!< on the wire
};

NS_OBJECT_ENSURE_REGISTERED(CountingScheduler);

/// A scheduler learns of each frame, of those that find the line idle too.
class SchedulerContractTestCase : public LosslessTestCase
{
  public:
    SchedulerContractTestCase()
        : LosslessTestCase("the scheduler learns of each frame")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("Scheduler", StringValue("ns3::losslesstest::CountingScheduler"));
        PortPair pair(helper);
        // The first finds the line idle, the second waits for it, the third finds it idle again.
        pair.Send(1, 1000);
        pair.Send(1, 1000);
        Simulator::Schedule(MicroSeconds(1),
                            &PortPair::Send,
                            &pair,
                            uint8_t(1),
                            uint32_t(1000),
                            uint32_t(1));
        Simulator::Run();
        const auto scheduler = DynamicCast<CountingScheduler>(pair.port[0]->GetScheduler());
        LOSSLESS_TEST_REQUIRE(bool(scheduler), true, "the port's scheduler");
        NS_TEST_EXPECT_MSG_EQ(scheduler->sentBytes,
                              pair.port[0]->GetSentBytes() + 3 * 20,
                              "bytes with preamble and gap");
        NS_TEST_EXPECT_MSG_EQ(pair.port[0]->GetSentFrames(), 3, "frames sent");
    }
};

/// The suite `lossless-link-scheduler`.
class LosslessLinkSchedulerTestSuite : public TestSuite
{
  public:
    LosslessLinkSchedulerTestSuite()
        : TestSuite("lossless-link-scheduler", Type::SYSTEM)
    {
        AddTestCase(new StrictPriorityTestCase);
        AddTestCase(new DeficitRoundRobinTestCase);
        AddTestCase(new SchedulerContractTestCase);
    }
};

LosslessLinkSchedulerTestSuite g_losslessLinkSchedulerTestSuite; //!< registers itself

} // namespace

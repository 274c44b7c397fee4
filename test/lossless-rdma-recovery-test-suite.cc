// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Recovery from loss: go-back-N, timeouts, and links that lose at random.

#include "lossless-rdma-two-hosts.h"
#include "lossless-test-harness.h"

#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// A lost frame: one NACK, and all from there is sent again.
class GoBackNTestCase : public LosslessTestCase
{
  public:
    GoBackNTestCase()
        : LosslessTestCase("go-back-N after a NACK")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        TwoHosts net({MakeFlow(0, 0, 1, 1000000)}, controller);
        net.Lose(1, {100}, true);
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(net.messages->completions.size()), 1, "complete");
        // Frame 101 is at the receiver at 102 x 86.56 + 1000, its NACK at the sender 1006.88 later:
        // at 10836.0 ns, when frame 125 (from 10820 to 10906.56) is on the line. 100 to 125 are
        // sent again: 26 frames. The line is never idle: 1026 x 86.56 + 2006.88 = 90817.44.
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->completions.at(0).retransmitted), 26, "again");
        NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), 90818, "completion time");
        const auto nacks = net.port[0]->Of(PortRecorder::RECEIVED, FrameKind::NACK);
        LOSSLESS_TEST_REQUIRE(Number(nacks.size()), 1, "one NACK for one gap");
        NS_TEST_EXPECT_MSG_EQ(Number(nacks[0].psn), 100, "what is missing");
        NS_TEST_EXPECT_MSG_EQ(nacks[0].ns, 10836, "when");
        const auto sent = net.port[0]->Of(PortRecorder::TRANSMIT, FrameKind::DATA);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 1026, "sent");
        NS_TEST_EXPECT_MSG_EQ(Number(sent[125].psn), 125, "before");
        NS_TEST_EXPECT_MSG_EQ(Number(sent[126].psn), 100, "after");
        // Frames 101 to 125 came twice; the lost one did not come.
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->receptions.at(0).packets), 1025, "received");
        int64_t told = 0;
        for (const auto& ack : *controller->acknowledgements)
        {
            told += ack.nack;
        }
        NS_TEST_EXPECT_MSG_EQ(told, 1, "the controller knows");
    }
};

/// What no NACK can report is found by the timeout.
class TimeoutTestCase : public LosslessTestCase
{
  public:
    /// What is lost.
    enum Loss
    {
        LAST_FRAME,
        LAST_ACK,
        ONLY_FRAME,
        NACK,
    };

    /**
     * @param name of the case
     * @param loss what is lost
     * @param expectedNs completion time
     * @param again frames sent again
     */
    TimeoutTestCase(const std::string& name, Loss loss, int64_t expectedNs, int64_t again)
        : LosslessTestCase("timeout: " + name + " is lost"),
          m_loss(loss),
          m_expectedNs(expectedNs),
          m_again(again)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t bytes = m_loss == ONLY_FRAME ? 1000 : 1000000;
        TwoHosts net({MakeFlow(0, 0, 1, bytes)}, nullptr, [](LosslessFabric& fabric) {
            fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
        });
        switch (m_loss)
        {
        case LAST_FRAME:
            net.Lose(1, {999}, true);
            break;
        case LAST_ACK:
            net.Lose(0, {999}, false);
            break;
        case ONLY_FRAME:
            net.Lose(1, {0}, true);
            break;
        case NACK:
            net.Lose(1, {100}, true);
            net.Lose(0, {100}, false); // 100 ACKs, then the NACK
            break;
        }
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(net.messages->completions.size()), 1, "complete");
        NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), m_expectedNs, "completion time");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->completions.at(0).retransmitted),
                              m_again,
                              "again");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->receptions.size()), 1, "received");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->repeatedReceptions), 0, "once");
        NS_TEST_EXPECT_MSG_EQ(Number(net.fabric.GetRdma(1)->GetIncomingMessages()),
                              0,
                              "state is gone");
        NS_TEST_EXPECT_MSG_EQ(Number(net.fabric.GetRdma(0)->GetActiveMessages()),
                              0,
                              "state is gone");
    }

    Loss m_loss;
    int64_t m_expectedNs;
    int64_t m_again;
};

/// Random loss both ways: everything arrives once and in order, and nothing else is acknowledged.
class RandomLossTestCase : public LosslessTestCase
{
  public:
    /**
     * @param run of the random numbers
     * @param ackInterval frames for each ACK
     */
    RandomLossTestCase(uint32_t run, uint32_t ackInterval)
        : LosslessTestCase("1 percent loss, run " + std::to_string(run) + ", ACK interval " +
                           std::to_string(ackInterval)),
          m_run(run),
          m_ackInterval(ackInterval)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        const uint32_t a = fabric.AddHost("a");
        const uint32_t s = fabric.AddSwitch("s");
        const uint32_t b = fabric.AddHost("b");
        fabric.AddLink(a, s, DataRate("100Gbps"), MicroSeconds(1), 0.01);
        fabric.AddLink(s, b, DataRate("100Gbps"), MicroSeconds(1), 0.01);
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(50)));
        fabric.SetRdmaAttribute("AckInterval", UintegerValue(m_ackInterval));
        fabric.Build();
        fabric.AssignStreams(100 * m_run);
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 8; i++)
        {
            flows.push_back(MakeFlow(i, i % 2, 1 - i % 2, 200000, 1000 * i));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        PortRecorder port[2] = {PortRecorder(fabric.GetRdma(0)->GetDevice()),
                                PortRecorder(fabric.GetRdma(1)->GetDevice())};
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 8, "complete");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.receptions.size()), 8, "received");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.repeatedReceptions), 0, "once");
        int64_t again = 0;
        for (const auto& completion : messages.completions)
        {
            again += completion.second.retransmitted;
        }
        // 1600 frames over two links lose about 32: the test would be empty otherwise.
        NS_TEST_EXPECT_MSG_GT(again, 32, "sent again");
        for (const auto& recorder : port)
        {
            CheckReceiver(recorder);
        }
    }

    /// The receiver of the text book: counts up when the expected frame comes.
    void CheckReceiver(const PortRecorder& recorder)
    {
        std::map<uint32_t, int64_t> expected;
        const auto& entries = recorder.entries;
        int64_t replies = 0;
        for (std::size_t i = 0; i < entries.size(); i++)
        {
            const auto& entry = entries[i];
            if (entry.source == PortRecorder::RECEIVED && entry.kind == FrameKind::DATA)
            {
                const bool lost =
                    i + 1 < entries.size() && entries[i + 1].source == PortRecorder::DROP;
                expected[entry.flow] += !lost && entry.psn == expected[entry.flow];
            }
            else if (entry.source == PortRecorder::ENQUEUE &&
                     (entry.kind == FrameKind::ACK || entry.kind == FrameKind::NACK))
            {
                replies++;
                const int64_t says = entry.psn + (entry.kind == FrameKind::ACK ? 1 : 0);
                LOSSLESS_TEST_REQUIRE(says, expected[entry.flow], "what is acknowledged has come");
            }
        }
        NS_TEST_EXPECT_MSG_GT(replies, 800 / m_ackInterval, "replies seen");
        for (const auto& flow : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.second, 200, "all of flow " << flow.first);
        }
    }

    uint32_t m_run;
    uint32_t m_ackInterval;
};

/// The suite `lossless-rdma-recovery`.
class LosslessRdmaRecoveryTestSuite : public TestSuite
{
  public:
    LosslessRdmaRecoveryTestSuite()
        : TestSuite("lossless-rdma-recovery", Type::SYSTEM)
    {
        AddTestCase(new GoBackNTestCase);
        // The ACK of frame 998 is back at 999 x 86.56 + 2006.88 = 88480.32, on the grid 88481. 100
        // us later frame 999 is sent again: 188481 + 2093.44.
        AddTestCase(new TimeoutTestCase("the last frame", TimeoutTestCase::LAST_FRAME, 190575, 1));
        AddTestCase(new TimeoutTestCase("the last ACK", TimeoutTestCase::LAST_ACK, 190575, 1));
        AddTestCase(new TimeoutTestCase("the only frame", TimeoutTestCase::ONLY_FRAME, 102094, 1));
        // Progress ends with the ACK of frame 99, at 100 x 86.56 + 2006.88 = 10662.88, on the grid
        // 10663. All 1000 have been sent when frames 100 to 999 are sent again from 110663 on:
        // 110663 + 900 x 86.56 + 2006.88 = 190573.88.
        AddTestCase(new TimeoutTestCase("the NACK", TimeoutTestCase::NACK, 190574, 900));
        AddTestCase(new RandomLossTestCase(1, 1));
        AddTestCase(new RandomLossTestCase(2, 4));
    }
};

LosslessRdmaRecoveryTestSuite g_losslessRdmaRecoveryTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Queue pairs: turns, start times, what is left of finished ones, and the same events with each
// seed.

#include "lossless-rdma-two-hosts.h"
#include "lossless-test-harness.h"

#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"

#include <sstream>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Queue pairs of one NIC take turns.
class RoundRobinTestCase : public LosslessTestCase
{
  public:
    RoundRobinTestCase()
        : LosslessTestCase("round robin among eight queue pairs")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 8; i++)
        {
            flows.push_back(MakeFlow(i, 0, 1, 100000));
        }
        TwoHosts net(flows);
        Simulator::Run();
        const auto sent = net.port[0]->Of(PortRecorder::TRANSMIT, FrameKind::DATA);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 800, "frames");
        for (std::size_t i = 0; i < sent.size(); i++)
        {
            LOSSLESS_TEST_REQUIRE(Number(sent[i].flow), Number(i % 8), "turn " << i);
            LOSSLESS_TEST_REQUIRE(Number(sent[i].psn), Number(i / 8), "PSN of turn " << i);
        }
        // The line is never idle: flow i ends with frame 792 + i.
        for (uint32_t i = 0; i < 8; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(i),
                                  Ceil((792 + i + 1) * FRAME_PS + 1000000 + ACK_PS),
                                  "flow " << i);
        }
    }
};

/// Messages leave at their start times, in whatever order they were given.
class StartTimeTestCase : public LosslessTestCase
{
  public:
    StartTimeTestCase()
        : LosslessTestCase("start times")
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 1000, 30000),
                      MakeFlow(1, 0, 1, 1000, 10000),
                      MakeFlow(2, 1, 0, 1000, 20000)});
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(net.messages->order.size()), 3, "complete");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->completions.at(0).start), 30000, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->completions.at(1).start), 10000, "flow 1");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->completions.at(2).start), 20000, "flow 2");
        for (uint32_t i = 0; i < 3; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(i), 2094, "86.56 + 1000 + 6.88 + 1000");
        }
    }
};

/// Messages leave nothing behind.
class StateTestCase : public LosslessTestCase
{
  public:
    StateTestCase()
        : LosslessTestCase("state of finished messages")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 50; i++)
        {
            flows.push_back(MakeFlow(i, i % 2, 1 - i % 2, 10000, i < 25 ? 0 : 100000));
        }
        TwoHosts net(flows);
        std::vector<int64_t> seen;
        const auto look = [&]() {
            for (uint32_t h = 0; h < 2; h++)
            {
                seen.push_back(net.fabric.GetRdma(h)->GetActiveMessages());
                seen.push_back(net.fabric.GetRdma(h)->GetIncomingMessages());
            }
        };
        CallAt(NanoSeconds(3000), look);
        CallAt(NanoSeconds(90000), look);
        Simulator::Run();
        look();
        // 13 messages from host 0 and 12 from host 1 are under way at 3 us; round robin has sent
        // some of each. At 90 us and at the end all have ended: 13 x 10 x 86.56 = 11.3 us.
        const std::vector<int64_t> expected = {13, 12, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0};
        for (std::size_t i = 0; i < expected.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(seen.at(i), expected[i], "count " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->completions.size()), 50, "complete");
        NS_TEST_EXPECT_MSG_EQ(Number(net.messages->repeatedCompletions), 0, "once");
    }
};

/// The same seed gives the same events, with every scheduler of ns-3.
class DeterminismTestCase : public LosslessTestCase
{
  public:
    DeterminismTestCase()
        : LosslessTestCase("determinism of an incast with DCQCN")
    {
    }

  private:
    /// Mixes each transmission of each port into one number (FNV-1a).
    struct TraceHash
    {
        uint64_t value{0xcbf29ce484222325};
        uint64_t frames{0};
        uint64_t marked{0};

        void Add(uint64_t number)
        {
            for (int i = 0; i < 8; i++)
            {
                value = (value ^ (number >> 8 * i & 0xff)) * 0x100000001b3;
            }
        }

        void Sent(uint32_t port, const Frame& frame)
        {
            frames++;
            marked += frame.codePoint == CodePoint::CONGESTION;
            Add(Simulator::Now().GetNanoSeconds());
            Add(port);
            Add(uint64_t(frame.kind) << 48 | uint64_t(frame.codePoint) << 40 | frame.bytes);
            Add(uint64_t(frame.flow) << 32 | frame.psn);
            Add(frame.readyPs);
        }
    };

    /// One port's way to the hash.
    struct Tap
    {
        TraceHash* hash;
        uint32_t port;

        void Sent(const Frame& frame)
        {
            hash->Sent(port, frame);
        }
    };

    /**
     * @param scheduler of ns-3
     * @param seed of the random numbers
     * @returns all that happened
     */
    std::string Run(const std::string& scheduler, uint32_t seed)
    {
        ObjectFactory factory;
        factory.SetTypeId(scheduler);
        Simulator::SetScheduler(factory);
        RngSeedManager::SetSeed(seed);
        TraceHash hash;
        std::ostringstream records;
        {
            LosslessFabric fabric;
            AddStar(fabric, 9, "100Gbps", MicroSeconds(1));
            fabric.SetScheme(FindScheme("dcqcn"));
            fabric.Build();
            fabric.AssignStreams(1);
            std::vector<FlowSpec> flows;
            for (uint32_t i = 0; i < 16; i++)
            {
                flows.push_back(MakeFlow(i, i % 8, 8, 200000 + 1000 * i, 100 * (i / 8)));
            }
            fabric.InstallFlows(flows);
            CompletionRecorder messages(fabric);
            std::vector<std::unique_ptr<Tap>> taps;
            for (const auto& port : fabric.GetPorts())
            {
                taps.push_back(
                    std::make_unique<Tap>(Tap{&hash, static_cast<uint32_t>(taps.size())}));
                port->TraceConnectWithoutContext("Transmit",
                                                 MakeCallback(&Tap::Sent, taps.back().get()));
            }
            Simulator::Run();
            for (uint32_t flow : messages.order)
            {
                const auto& completion = messages.completions.at(flow);
                const auto& reception = messages.receptions.at(flow);
                records << flow << " " << messages.Fct(flow) << " " << completion.cnpCe << " "
                        << reception.packetsCe << "\n";
            }
            m_completions = messages.completions.size();
        }
        Simulator::Destroy();
        m_marked = hash.marked;
        records << hash.frames << " " << hash.value;
        return records.str();
    }

    void DoRun() override
    {
        const uint32_t seed = RngSeedManager::GetSeed();
        const std::string first = Run("ns3::MapScheduler", 7);
        NS_TEST_EXPECT_MSG_EQ(m_completions, 16, "complete");
        // Some frames are marked by chance, so the random numbers matter.
        NS_TEST_EXPECT_MSG_GT(m_marked, 10, "marks");
        NS_TEST_EXPECT_MSG_EQ((Run("ns3::MapScheduler", 7) == first), true, "again");
        NS_TEST_EXPECT_MSG_EQ((Run("ns3::HeapScheduler", 7) == first), true, "HeapScheduler");
        NS_TEST_EXPECT_MSG_EQ((Run("ns3::PriorityQueueScheduler", 7) == first),
                              true,
                              "PriorityQueueScheduler");
        NS_TEST_EXPECT_MSG_EQ((Run("ns3::MapScheduler", 8) == first), false, "another seed");
        RngSeedManager::SetSeed(seed);
        ObjectFactory factory;
        factory.SetTypeId("ns3::MapScheduler");
        Simulator::SetScheduler(factory);
    }

    int64_t m_completions{0};
    int64_t m_marked{0};
};

/// The suite `lossless-rdma-queue-pairs`.
class LosslessRdmaQueuePairsTestSuite : public TestSuite
{
  public:
    LosslessRdmaQueuePairsTestSuite()
        : TestSuite("lossless-rdma-queue-pairs", Type::SYSTEM)
    {
        AddTestCase(new RoundRobinTestCase);
        AddTestCase(new StartTimeTestCase);
        AddTestCase(new StateTestCase);
        AddTestCase(new DeterminismTestCase);
    }
};

LosslessRdmaQueuePairsTestSuite g_losslessRdmaQueuePairsTestSuite; //!< registers itself

} // namespace

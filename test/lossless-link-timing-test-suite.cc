// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Links to the picosecond: the completion time of a lone flow, and the events that it costs.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// One flow alone: its completion time equals the closed form, and GetIdealFct(), to the
/// nanosecond.
class LoneFlowTestCase : public LosslessTestCase
{
  public:
    /**
     * @param rates of the links
     * @param bytes of the flow
     * @param expectedNs by hand
     */
    LoneFlowTestCase(const std::vector<std::string>& rates, uint64_t bytes, int64_t expectedNs)
        : LosslessTestCase(Name(rates, bytes)),
          m_rates(rates),
          m_bytes(bytes),
          m_expectedNs(expectedNs)
    {
    }

  private:
    static std::string Name(const std::vector<std::string>& rates, uint64_t bytes)
    {
        std::string name = "a lone flow of " + std::to_string(bytes) + " B over";
        for (const auto& rate : rates)
        {
            name += " " + rate;
        }
        return name;
    }

    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, m_rates, MicroSeconds(1));
        fabric.Build();
        const FlowSpec flow = MakeFlow(0, 0, 1, m_bytes);
        fabric.InstallFlows({flow});
        CompletionRecorder recorder(fabric);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.Fct(0), m_expectedNs, "the closed form");
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetIdealFct(flow)), m_expectedNs, "GetIdealFct()");
        NS_TEST_EXPECT_MSG_EQ(Number(recorder.receptions.size()), 1, "received once");
    }

    std::vector<std::string> m_rates;
    uint64_t m_bytes;
    int64_t m_expectedNs;
};

/// Of two paths with equally many links one is slow: data and acknowledgements of a lone flow go by
/// either, each flow its own way, and GetIdealFct() knows by which.
class UnequalPathsTestCase : public LosslessTestCase
{
  public:
    /// @param interval of ACKs
    explicit UnequalPathsTestCase(uint32_t interval)
        : LosslessTestCase("lone flows over unequal paths, an ACK for each " +
                           std::to_string(interval) + " frames"),
          m_interval(interval)
    {
    }

  private:
    static constexpr uint32_t FLOWS = 64;
    static constexpr int64_t APART_NS = 1000000;

    void DoRun() override
    {
        LosslessFabric fabric;
        const uint32_t a = fabric.AddHost("a");
        const uint32_t b = fabric.AddHost("b");
        uint32_t s[4];
        for (int i = 0; i < 4; i++)
        {
            s[i] = fabric.AddSwitch("s" + std::to_string(i));
        }
        const Time delay = MicroSeconds(1);
        fabric.AddLink(a, s[0], DataRate("100Gbps"), delay);
        fabric.AddLink(s[0], s[1], DataRate("100Gbps"), delay);
        fabric.AddLink(s[1], s[3], DataRate("100Gbps"), delay);
        // 86 B of an ACK take 688 ns, longer than a full frame at 100 Gb/s: ACKs queue here.
        fabric.AddLink(s[0], s[2], DataRate("1Gbps"), delay);
        fabric.AddLink(s[2], s[3], DataRate("1Gbps"), MicroSeconds(3));
        fabric.AddLink(s[3], b, DataRate("100Gbps"), delay);
        fabric.SetRdmaAttribute("AckInterval", UintegerValue(m_interval));
        fabric.Build();
        std::vector<FlowSpec> flows;
        for (uint32_t id = 0; id < FLOWS; id++)
        {
            flows.push_back(MakeFlow(id, 0, 1, id % 2 ? 1 + 777 * id : 3000, id * APART_NS));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder recorder(fabric);
        Simulator::Run();
        // Three full frames; by the slow path 8656 ns each, an ACK 688 ns. Data by the fast path
        // are there at 6 x 86.56 + 4000 = 4519.36 ns, by the slow one at 3 x 86.56 + 3 x 8656 +
        // 8656 - 86.56 + 6000 = 40797.12 ns. Their ACK takes 4 x 6.88 + 4000 ns or 2 x 6.88 + 2 x
        // 688 + 6000 ns. If all are acknowledged, data come fast and ACKs go slow, the third waits
        // for the two before it: 2 x (688 - 86.56) ns.
        const int64_t queuedNs = m_interval == 1 ? 13112 : 11910;
        const std::map<std::pair<bool, bool>, int64_t> expectedNs = {{{false, false}, 8547},
                                                                     {{false, true}, queuedNs},
                                                                     {{true, false}, 44825},
                                                                     {{true, true}, 48187}};
        std::set<std::pair<bool, bool>> seen;
        const auto isSlow = [&](const FlowSpec& flow) {
            return fabric.GetPath(flow).at(1)->GetDataRate() == DataRate("1Gbps");
        };
        for (const FlowSpec& flow : flows)
        {
            const int64_t fctNs = recorder.Fct(flow.id);
            NS_TEST_EXPECT_MSG_EQ(fctNs, Number(fabric.GetIdealFct(flow)), "flow " << flow.id);
            if (flow.bytes == 3000)
            {
                // An ACK goes as data of the same number would from there.
                const bool slowAck = isSlow(MakeFlow(flow.id, 1, 0, 3000));
                const auto way = std::make_pair(isSlow(flow), slowAck);
                NS_TEST_EXPECT_MSG_EQ(fctNs, expectedNs.at(way), "by hand, flow " << flow.id);
                seen.insert(way);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Number(seen.size()), 4, "each of the four combinations occurs");
    }

    uint32_t m_interval;
};

/// RDMA WRITE and 802.1Q tags make frames longer, and the ideal time knows it.
class LongerHeaderTestCase : public LosslessTestCase
{
  public:
    /**
     * @param write RDMA WRITE
     * @param tagged 802.1Q
     * @param bytes of the flow
     * @param expectedNs by hand
     */
    LongerHeaderTestCase(bool write, bool tagged, uint64_t bytes, int64_t expectedNs)
        : LosslessTestCase(std::string("a lone flow") + (write ? ", RDMA WRITE" : "") +
                           (tagged ? ", tagged" : "")),
          m_write(write),
          m_tagged(tagged),
          m_bytes(bytes),
          m_expectedNs(expectedNs)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.SetRdmaAttribute("RdmaWrite", BooleanValue(m_write));
        fabric.SetRdmaAttribute("VlanTag", BooleanValue(m_tagged));
        fabric.Build();
        const FlowSpec flow = MakeFlow(0, 0, 1, m_bytes);
        fabric.InstallFlows({flow});
        CompletionRecorder recorder(fabric);
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.Fct(0), m_expectedNs, "the closed form");
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetIdealFct(flow)), m_expectedNs, "GetIdealFct()");
        // 1000 B of data and 62 B of headers; RETH adds 16 B to the first frame, a tag 4 B to each.
        const auto data = sender.Of(PortRecorder::TRANSMIT);
        const int tag = m_tagged ? 4 : 0;
        NS_TEST_EXPECT_MSG_EQ(Number(data.at(0).bytes), 1062 + tag + (m_write ? 16 : 0), "first");
        NS_TEST_EXPECT_MSG_EQ(Number(data.at(1).bytes), 1062 + tag, "second");
        const auto acks = sender.Of(PortRecorder::RECEIVED, FrameKind::ACK);
        NS_TEST_EXPECT_MSG_EQ(Number(acks.at(0).bytes), 66 + tag, "ACK");
    }

    bool m_write;
    bool m_tagged;
    uint64_t m_bytes;
    int64_t m_expectedNs;
};

/// A port that is idle costs one event for a hop.
class EventCountTestCase : public LosslessTestCase
{
  public:
    EventCountTestCase()
        : LosslessTestCase("one event for each hop of a lone flow")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps", "100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000)});
        LinkCounter links(fabric);
        Simulator::Run();
        // 1000 data frames and 1000 ACKs over four links: 8000 arrivals. The sending NIC needs one
        // event for each frame. The start of nodes and of the application, and the timeout, are
        // few.
        NS_TEST_EXPECT_MSG_EQ(links.Sum(&LinkCounter::Count::sent), 8000, "hops");
        NS_TEST_EXPECT_MSG_LT(Number(Simulator::GetEventCount()), 9000 + 50, "events");
    }
};

/// The suite `lossless-link-timing`.
class LosslessLinkTimingTestSuite : public TestSuite
{
  public:
    LosslessLinkTimingTestSuite()
        : TestSuite("lossless-link-timing", Type::SYSTEM)
    {
        // n frames of 1082 B over links of one rate r, h hops of 1 us: (n - 1 + h) x 1082 B + h x
        // 86 B at that rate, and 2 h us. At 100 Gb/s: 1003 x 86.56 + 4 x 6.88 + 8000 = 94847.2.
        const std::string g40 = "40Gbps";
        const std::string g100 = "100Gbps";
        const std::string g400 = "400Gbps";
        AddTestCase(new LoneFlowTestCase({g100, g100, g100, g100}, 1000000, 94848));
        // 1003 x 216.4 + 4 x 17.2 + 8000 = 225118.0
        AddTestCase(new LoneFlowTestCase({g40, g40, g40, g40}, 1000000, 225118));
        // 1003 x 21.64 + 4 x 1.72 + 8000 = 29711.8
        AddTestCase(new LoneFlowTestCase({g400, g400, g400, g400}, 1000000, 29712));
        // The slowest link sends all 1000, the others one: 1000 x 216.4 + 86.56 + 21.64 + 86.56 +
        // 4000 + (6.88 + 17.2 + 1.72 + 6.88) + 4000 = 224627.44
        AddTestCase(new LoneFlowTestCase({g100, g40, g400, g100}, 1000000, 224628));
        // 1000 x 216.4 + 2 x 21.64 + 2000 x 3 + 17.2 + 2 x 1.72 = 222463.92
        AddTestCase(new LoneFlowTestCase({g40, g400, g400}, 1000000, 222464));
        // 2 x 21.64 + 1000 x 216.4 + 6000 + 2 x 1.72 + 17.2: the same backwards
        AddTestCase(new LoneFlowTestCase({g400, g400, g40}, 1000000, 222464));
        // A last frame of 1 B: pad to 4 B, 66 B, 86 B on the wire. It follows the full ones:
        // 1003 x 86.56 + 6.88 + 4 x 6.88 + 8000 = 94854.08
        AddTestCase(new LoneFlowTestCase({g100, g100, g100, g100}, 1000001, 94855));
        // Two frames, the second of 1 B (17.2 ns at 40 Gb/s). It waits for the first at each hop
        // but the last: 2 x 216.4 + 17.2 + 2000 + 2 x 17.2 + 2000 = 4484.4
        AddTestCase(new LoneFlowTestCase({g40, g40}, 1001, 4485));
        // Over a slow, then a fast link: the short frame is at the switch at 216.4 + 17.2 + 1000,
        // where the full one leaves until 216.4 + 1000 + 21.64; then 1.72 + 1000; ACK 1.72 + 17.2 +
        // 2000: 4258.68. But the ACK of the full frame is only 1.72 ns ahead and takes 17.2 ns on
        // the slow link, so the last one waits there for 15.48 ns: 4274.16.
        AddTestCase(new LoneFlowTestCase({g40, g400}, 1001, 4275));
        AddTestCase(new UnequalPathsTestCase(1));
        AddTestCase(new UnequalPathsTestCase(4));
        // One byte over one link: 6.88 + 1000 and the same for the ACK: 2013.76
        AddTestCase(new LoneFlowTestCase({g100}, 1, 2014));
        // RETH: the first frame takes 1.28 ns longer on each link, and the others follow it:
        // 1001 x 86.56 + 2 x 1.28 + 2 x 6.88 + 4000 = 90662.88
        AddTestCase(new LongerHeaderTestCase(true, false, 1000000, 90663));
        // Tagged: 1001 x 86.88 + 2 x 7.2 + 4000 = 90981.28
        AddTestCase(new LongerHeaderTestCase(false, true, 1000000, 90982));
        AddTestCase(new EventCountTestCase);
    }
};

LosslessLinkTimingTestSuite g_losslessLinkTimingTestSuite; //!< registers itself

} // namespace

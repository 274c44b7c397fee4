// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// No loss: incasts of all kinds, the least headroom, and links that lose frames themselves.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/flow-hash.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Sixteen senders, one receiver, dynamic threshold: pauses and no loss, and the line never idles.
class IncastTestCase : public LosslessTestCase
{
  public:
    IncastTestCase()
        : LosslessTestCase("16-to-1 incast of 1 MB over a buffer of 2 MB")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 17, "100Gbps", MicroSeconds(1));
        fabric.SetSwitchAttribute("BufferSize", UintegerValue(2000000));
        fabric.SetSwitchAttribute("Threshold", StringValue("Dynamic"));
        fabric.Build();
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 16; i++)
        {
            flows.push_back(MakeFlow(i, i, 16, 1000000));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        LinkCounter links(fabric);
        Simulator::Run();
        Ptr<EthernetSwitch> hub = EthernetSwitchOf(fabric, 0);
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 16, "complete");
        NS_TEST_EXPECT_MSG_EQ(Number(hub->GetDrops()), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(links.Sum(&LinkCounter::Count::drops), 0, "drops traced");
        NS_TEST_EXPECT_MSG_GT(links.Sum(&LinkCounter::Count::pauses), 16, "pauses");
        NS_TEST_EXPECT_MSG_EQ(Number(hub->GetBuffer().GetUsedBytes()), 0, "buffer is empty again");
        for (uint32_t port = 0; port < hub->GetNPorts(); port++)
        {
            NS_TEST_EXPECT_MSG_EQ(hub->GetBuffer().IsPaused(port, 3), false, "all are resumed");
            NS_TEST_EXPECT_MSG_EQ(Number(hub->GetPort(port)->GetOff()), 0, "all are ON");
        }
        for (const auto& completion : messages.completions)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(completion.second.retransmitted),
                                  0,
                                  "nothing is sent twice");
        }
        // The first frame is at the switch at 1086.56 ns; from then on the last link is busy with
        // 16000 frames of 86.56 ns; then 1000 ns and an ACK over two links, 2 x 1006.88:
        // 1389060.32.
        const uint32_t last = messages.order.back();
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(last).end),
                              1389061,
                              "no time is lost");
        // Sixteen equal flows under PFC end together, but PFC is no exact scheduler: within 5 %.
        for (uint32_t i = 0; i < 16; i++)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(double(messages.Fct(i)), 1389061., 0.05 * 1389061, "fair");
        }
    }
};

/// Random incasts with traffic the other way: headroom is enough, nothing is lost, all is
/// conserved.
class RandomIncastTestCase : public LosslessTestCase
{
  public:
    /// @param seed of the random choices
    explicit RandomIncastTestCase(uint32_t seed)
        : LosslessTestCase("random incast " + std::to_string(seed)),
          m_seed(seed)
    {
    }

  private:
    /**
     * @param choices how many
     * @returns one of them, from 0
     */
    uint32_t Choose(uint32_t choices)
    {
        return static_cast<uint32_t>(MixBits(uint64_t(m_seed) << 32 | m_drawn++) % choices);
    }

    void DoRun() override
    {
        const std::vector<std::string> rates =
            {"10Gbps", "25Gbps", "40Gbps", "100Gbps", "200Gbps", "400Gbps"};
        const std::vector<int64_t> delaysNs = {1, 20, 300, 1000, 4000};
        const std::vector<uint32_t> mtus = {256, 1000, 1024, 4096, 9000};
        const std::vector<int64_t> reactionsNs = {0, 0, 614};

        LosslessFabric fabric;
        const uint32_t hub = fabric.AddSwitch("switch");
        const uint32_t hosts = 3 + Choose(6);
        const uint32_t common = Choose(2 * rates.size());
        for (uint32_t h = 0; h < hosts; h++)
        {
            // In half of the runs all links have one rate.
            const uint32_t rate = common < rates.size() ? common : Choose(rates.size());
            fabric.AddLink(fabric.AddHost("h" + std::to_string(h)),
                           hub,
                           DataRate(rates[rate]),
                           NanoSeconds(delaysNs[Choose(delaysNs.size())]));
        }
        const uint32_t mtu = mtus[Choose(mtus.size())];
        fabric.SetRdmaAttribute("Mtu", UintegerValue(mtu));
        fabric.SetDeviceAttribute("PfcReactionDelay",
                                  TimeValue(NanoSeconds(reactionsNs[Choose(reactionsNs.size())])));
        // The largest frame is then that of the Mtu: headroom without slack.
        fabric.SetSwitchAttribute("MaxFrameSize", UintegerValue(64));
        if (Choose(2))
        {
            fabric.SetSwitchAttribute("Threshold", StringValue("Dynamic"));
            fabric.SetSwitchAttribute("BufferSize", UintegerValue(8000000));
            fabric.SetSwitchAttribute("Alpha", DoubleValue(0.001));
        }
        else
        {
            const uint64_t xoff = (1 + Choose(10)) * mtu;
            fabric.SetSwitchAttribute("Xoff", UintegerValue(xoff));
            fabric.SetSwitchAttribute("Xon", UintegerValue(Choose(2) ? xoff : xoff / 2));
        }
        fabric.SetSwitchAttribute("EndOnLosslessDrop", BooleanValue(false));
        fabric.Build();
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 6 * hosts; i++)
        {
            // Two thirds go to host 0; host 0 and others send back, so that PFC waits behind data.
            const uint32_t src = Choose(hosts);
            const uint32_t dst = src != 0 && Choose(3) ? 0 : (src + 1 + Choose(hosts - 1)) % hosts;
            flows.push_back(MakeFlow(i, src, dst, 1 + Choose(60 * mtu), Choose(5000)));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        LinkCounter links(fabric);
        Ptr<EthernetSwitch> sw = EthernetSwitchOf(fabric, 0);

        // In the middle of the run no link has received more than was sent.
        Simulator::Stop(NanoSeconds(6000));
        Simulator::Run();
        for (int64_t inFlight : links.InFlight())
        {
            NS_TEST_EXPECT_MSG_GT(inFlight, -1, "received what was not sent");
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(messages.completions.size(), flows.size(), "complete");
        NS_TEST_EXPECT_MSG_GT(links.Sum(&LinkCounter::Count::pauses), 0, "pauses");
        NS_TEST_EXPECT_MSG_EQ(Number(sw->GetDrops()), 0, "headroom is enough");
        NS_TEST_EXPECT_MSG_EQ(Number(sw->GetBuffer().GetUsedBytes()), 0, "buffer is empty again");
        for (int64_t inFlight : links.InFlight())
        {
            NS_TEST_EXPECT_MSG_EQ(inFlight, 0, "sent and not received");
        }
        for (const auto& port : fabric.GetPorts())
        {
            NS_TEST_EXPECT_MSG_EQ(Number(port->GetOff()), 0, "left OFF");
        }
    }

    uint32_t m_seed;
    uint32_t m_drawn{0};
};

/// The worst case for headroom: the frame that crosses Xoff, one that comes while a full frame of
/// the other direction holds the pause up, and one that the sender has just begun.
class HeadroomWorstCaseTestCase : public LosslessTestCase
{
  public:
    HeadroomWorstCaseTestCase()
        : LosslessTestCase("headroom holds what comes while a pause waits for the line")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        const uint32_t s = fabric.AddSwitch("s");
        const Time delay = NanoSeconds(1);
        fabric.AddLink(fabric.AddHost("a"), s, DataRate("100Gbps"), delay);
        fabric.AddLink(fabric.AddHost("b"), s, DataRate("10Gbps"), delay);
        fabric.AddLink(fabric.AddHost("c"), s, DataRate("100Gbps"), delay);
        // The largest frame is then that of the Mtu with RETH and tag, 1082 B.
        fabric.SetDeviceAttribute("Mtu", UintegerValue(1000)); // smaller than the data frames
        fabric.SetSwitchAttribute("MaxFrameSize", UintegerValue(64));
        // No ACK of c's data delays that of a.
        fabric.SetRdmaAttribute("AckInterval", UintegerValue(100));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(1100));
        fabric.SetSwitchAttribute("Xon", UintegerValue(1000));
        fabric.SetSwitchAttribute("EndOnLosslessDrop", BooleanValue(false));
        fabric.Build();
        // a to b fills the buffer; c to a keeps the line to a busy with frames that begin at
        // 86 + 86.56 (j + 1), 1.56 ns before frame j + 1 of a is at the switch.
        fabric.InstallFlows({MakeFlow(0, 0, 1, 10000), MakeFlow(1, 2, 0, 10000, 85)});
        CompletionRecorder messages(fabric);
        const IngressBuffer& buffer = EthernetSwitchOf(fabric, 0)->GetBuffer();
        uint64_t shared = 0;
        uint64_t headroom = 0;
        CallAt(NanoSeconds(800), [&]() {
            headroom = buffer.GetHeadroomUsedBytes(0, 3);
            shared = buffer.GetUsedBytes(0, 3) - headroom;
        });
        Simulator::Run();
        // Frame 0 is being sent to b until 953 ns. Frame 1 is held, frame 2, at the switch at
        // 260.68, crosses Xoff. The line to a is busy until 345.68; the pause is at a at 345.68
        // + 6.72 + 1 -> 354, when frame 4 has begun (346.24): frames 2, 3 and 4 are in headroom.
        NS_TEST_EXPECT_MSG_EQ(Number(shared), 1062, "up to Xoff");
        NS_TEST_EXPECT_MSG_EQ(Number(headroom), 3 * 1062, "beyond it");
        // 2 x 1 ns at 12.5 B/ns, three frames of 1082 + 20 B, a PFC frame of 84 B.
        NS_TEST_EXPECT_MSG_EQ(Number(buffer.GetHeadroomBytes(0, 3)),
                              25 + 3 * 1102 + 84,
                              "headroom");
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetSwitches()[0]->GetDrops()), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 2, "complete");
    }
};

/// Frames of the protocol stack may delay a pause: the ports' Mtu counts for headroom.
class JumboHeadroomTestCase : public LosslessTestCase
{
  public:
    JumboHeadroomTestCase()
        : LosslessTestCase("headroom of ports with a large Mtu")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        fabric.SetDeviceAttribute("Mtu", UintegerValue(9000));
        fabric.Build();
        // 2 x 1 us at 12.5 GB/s, three frames of 9018 B and one of 64 B with 20 B of gap each.
        NS_TEST_EXPECT_MSG_EQ(
            Number(EthernetSwitchOf(fabric, 0)->GetBuffer().GetHeadroomBytes(0, 3)),
            25000 + 3 * 9038 + 84,
            "headroom");
    }
};

/// On links that lose frames, pauses too, messages complete and what a full buffer drops is
/// counted.
class LossyLinksTestCase : public LosslessTestCase
{
  public:
    LossyLinksTestCase()
        : LosslessTestCase("an incast over links that lose frames")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        const uint32_t sw = fabric.AddSwitch("switch");
        for (uint32_t h = 0; h < 9; h++)
        {
            const uint32_t host = fabric.AddHost("host" + std::to_string(h));
            fabric.AddLink(host, sw, DataRate("100Gbps"), MicroSeconds(1), 0.01);
        }
        fabric.SetSwitchAttribute("Xoff", UintegerValue(30000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(28000));
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(500)));
        fabric.Build();
        fabric.AssignStreams(1);
        std::vector<FlowSpec> flows;
        for (uint32_t h = 0; h < 8; h++)
        {
            flows.push_back(MakeFlow(h, h, 8, 300000));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        for (uint32_t h = 0; h < 8; h++)
        {
            NS_TEST_EXPECT_MSG_GT(messages.Fct(h), 0, "flow " << h << " completes");
        }
        BooleanValue endOnLoss;
        fabric.GetSwitches()[0]->GetAttribute("EndOnLosslessDrop", endOnLoss);
        NS_TEST_EXPECT_MSG_EQ(endOnLoss.Get(), false, "a lost pause may overflow the headroom");
    }
};

/// The suite `lossless-switch-lossless`.
class LosslessSwitchLosslessTestSuite : public TestSuite
{
  public:
    LosslessSwitchLosslessTestSuite()
        : TestSuite("lossless-switch-lossless", Type::SYSTEM)
    {
        AddTestCase(new IncastTestCase);
        AddTestCase(new HeadroomWorstCaseTestCase);
        AddTestCase(new JumboHeadroomTestCase);
        AddTestCase(new LossyLinksTestCase);
        for (uint32_t seed = 1; seed <= 40; seed++)
        {
            AddTestCase(new RandomIncastTestCase(seed));
        }
    }
};

LosslessSwitchLosslessTestSuite g_losslessSwitchLosslessTestSuite; //!< registers itself

} // namespace

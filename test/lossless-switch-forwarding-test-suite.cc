// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Where a frame leaves: frames of the protocol stack, and the spread over equal paths.

#include "lossless-test-harness.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Frames that have no RDMA receiver: unknown addresses and broadcasts.
class StackFramesTestCase : public LosslessTestCase
{
  public:
    StackFramesTestCase()
        : LosslessTestCase("unknown destinations and broadcasts")
    {
    }

  private:
    void DoRun() override
    {
        // Two switches joined twice: a loop for broadcasts. Two hosts each.
        LosslessFabric fabric;
        const uint32_t s[2] = {fabric.AddSwitch("s0"), fabric.AddSwitch("s1")};
        fabric.AddLink(s[0], s[1], DataRate("100Gbps"), MicroSeconds(1));
        fabric.AddLink(s[0], s[1], DataRate("100Gbps"), MicroSeconds(1));
        for (uint32_t h = 0; h < 4; h++)
        {
            fabric.AddLink(fabric.AddHost("h" + std::to_string(h)),
                           s[h / 2],
                           DataRate("100Gbps"),
                           MicroSeconds(1));
        }
        fabric.Build();
        std::vector<std::unique_ptr<PortRecorder>> hosts;
        for (uint32_t h = 0; h < 4; h++)
        {
            hosts.push_back(std::make_unique<PortRecorder>(fabric.GetRdma(h)->GetDevice()));
        }
        LinkCounter links(fabric);
        Ptr<LosslessNetDevice> from = fabric.GetRdma(0)->GetDevice();
        from->Send(Create<Packet>(100), from->GetBroadcast(), 0x88b5);
        Simulator::Run();
        for (uint32_t h = 0; h < 4; h++)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(hosts[h]->Of(PortRecorder::RECEIVED).size()),
                                  (h == 0 ? 0 : 1),
                                  "broadcast at host " << h);
        }
        // To s0, to host 1 and s1, to hosts 2 and 3.
        NS_TEST_EXPECT_MSG_EQ(links.Sum(&LinkCounter::Count::sent), 5, "once over each link");

        from->Send(Create<Packet>(100), Mac48Address("02:00:00:00:77:77"), 0x88b5);
        PortRecorder port(fabric.GetSwitches()[0]->GetPort(2));
        Simulator::Run();
        const auto drops = port.Of(PortRecorder::DROP);
        LOSSLESS_TEST_REQUIRE(Number(drops.size()), 1, "dropped where it came in");
        NS_TEST_EXPECT_MSG_EQ(drops[0].reason, Number(LosslessNetDevice::NO_ROUTE), "reason");
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetSwitches()[0]->GetDrops()), 1, "counted");

        // A known address is found over one of the two links.
        from->Send(Create<Packet>(100), fabric.GetRdma(3)->GetDevice()->GetAddress(), 0x88b5);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(hosts[3]->Of(PortRecorder::RECEIVED).size()), 2, "unicast");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts[2]->Of(PortRecorder::RECEIVED).size()),
                              1,
                              "to one host");
        for (const auto& sw : EthernetSwitch::Among(fabric.GetSwitches()))
        {
            NS_TEST_EXPECT_MSG_EQ(Number(sw->GetBuffer().GetUsedBytes()),
                                  0,
                                  "buffer is empty again");
        }
    }
};

/// ECMP: each flow has one path, and switches choose independently of each other.
class EcmpTestCase : public LosslessTestCase
{
  public:
    EcmpTestCase()
        : LosslessTestCase("equal-cost paths")
    {
    }

  private:
    void DoRun() override
    {
        // Three switches in a row, joined by four links each.
        LosslessFabric fabric;
        const uint32_t s[3] = {fabric.AddSwitch("s0"),
                               fabric.AddSwitch("s1"),
                               fabric.AddSwitch("s2")};
        for (uint32_t i = 0; i < 8; i++)
        {
            fabric.AddLink(s[i / 4], s[i / 4 + 1], DataRate("100Gbps"), MicroSeconds(1));
        }
        fabric.AddLink(fabric.AddHost("a"), s[0], DataRate("100Gbps"), MicroSeconds(1));
        fabric.AddLink(fabric.AddHost("b"), s[2], DataRate("100Gbps"), MicroSeconds(1));
        fabric.Build();
        std::vector<FlowSpec> flows;
        std::map<std::pair<uint32_t, uint32_t>, int64_t> used;
        std::map<uint32_t, int64_t> promised;
        for (uint32_t i = 0; i < 512; i++)
        {
            flows.push_back(MakeFlow(i, 0, 1, 3000, 300 * i));
            const auto path = fabric.GetPath(flows.back());
            LOSSLESS_TEST_REQUIRE(Number(path.size()), 4, "links");
            used[{path[1]->GetIfIndex(), path[2]->GetIfIndex()}]++;
            promised[path[1]->GetIfIndex()] += 3;
        }
        // 32 flows for each of the 16 ways, standard deviation 5.5: five of them.
        NS_TEST_EXPECT_MSG_EQ(Number(used.size()), 16, "ways");
        for (const auto& way : used)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(way.second, int64_t(32), int64_t(27), "flows of a way");
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 512, "complete");
        for (const auto& port : fabric.GetPortsBetween(s[0], s[1]))
        {
            NS_TEST_EXPECT_MSG_EQ(Number(port->GetSentFrames()),
                                  promised[port->GetIfIndex()],
                                  "frames take the path that GetPath() tells");
        }
    }
};

/// The suite `lossless-switch-forwarding`.
class LosslessSwitchForwardingTestSuite : public TestSuite
{
  public:
    LosslessSwitchForwardingTestSuite()
        : TestSuite("lossless-switch-forwarding", Type::SYSTEM)
    {
        AddTestCase(new StackFramesTestCase);
        AddTestCase(new EcmpTestCase);
    }
};

LosslessSwitchForwardingTestSuite g_losslessSwitchForwardingTestSuite; //!< registers itself

} // namespace

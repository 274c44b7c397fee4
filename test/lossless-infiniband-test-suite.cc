// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/credit-flow-control.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/ib-net-device.h"
#include "ns3/infiniband-format.h"
#include "ns3/infiniband-switch.h"
#include "ns3/input-error.h"
#include "ns3/link-technology.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// The tests' common name of the technology.
const LinkTechnology&
Infiniband()
{
    return FindLinkTechnology("infiniband");
}

/// Credits of a port.
CreditFlowControl&
CreditsOf(Ptr<LosslessNetDevice> port)
{
    return dynamic_cast<CreditFlowControl&>(port->GetFlowControl());
}

/// When a frame's tail leaves each switch of a chain, to the picosecond.
class CutThroughTestCase : public LosslessTestCase
{
  public:
    CutThroughTestCase()
        : LosslessTestCase("virtual cut-through, by hand")
    {
    }

  private:
    /**
     * One frame of 1000 B, 1026 B on the wire, over links of 1 us; header 20 B, 40 ns in a switch.
     * @param rates of the links
     * @param tailPs when its last bit is at the receiver [ps]
     */
    void Send(const std::vector<std::string>& rates, int64_t tailPs)
    {
        LosslessFabric fabric;
        fabric.SetLink(Infiniband());
        AddChain(fabric, rates, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000)});
        PortRecorder receiver(fabric.GetRdma(1)->GetDevice());
        CompletionRecorder messages(fabric);
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        const auto data = receiver.Of(PortRecorder::RECEIVED, FrameKind::DATA);
        LOSSLESS_TEST_REQUIRE(Number(data.size()), 1, "frames");
        NS_TEST_EXPECT_MSG_EQ(data[0].bytes, 1026, "size");
        NS_TEST_EXPECT_MSG_EQ(data[0].readyPs, tailPs, rates.front() << " to " << rates.back());
        NS_TEST_EXPECT_MSG_EQ(messages.Fct(0),
                              Number(fabric.GetIdealFct(MakeFlow(0, 0, 1, 1000))),
                              "ideal FCT");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        // A byte takes 200 ps at 40 Gb/s: the frame 205.2 ns, its header 4 ns.
        Send({"40Gb/s", "40Gb/s"}, 2 * 1000000 + 4000 + 40000 + 205200);
        Send({"40Gb/s", "40Gb/s", "40Gb/s"}, 3 * 1000000 + 2 * (4000 + 40000) + 205200);
        // From 40 to 10 Gb/s: begins 44 ns after the first bit came, takes 820.8 ns.
        Send({"40Gb/s", "10Gb/s"}, 2 * 1000000 + 44000 + 820800);
        // From 10 to 40 Gb/s: it would overtake its tail, so both tails end together.
        Send({"10Gb/s", "40Gb/s"}, 2 * 1000000 + 820800);
    }
};

/// A lone flow takes the ideal time, over any path of a fat-tree.
class LoneFlowTestCase : public LosslessTestCase
{
  public:
    LoneFlowTestCase()
        : LosslessTestCase("lone flows take the ideal time")
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t bytes : {1u, 1000u, 2500u, 100000u})
        {
            LosslessFabric fabric;
            fabric.SetLink(Infiniband());
            // Updates would be in the way of the flow's packets, for 1.2 ns each.
            fabric.SetDeviceAttribute("UpdatePeriod", TimeValue(Seconds(1)));
            fabric.SetDeviceAttribute("BufferSize", UintegerValue(1900000));
            FatTreeHelper tree;
            tree.SetArity(4);
            tree.SetHostLink(DataRate("40Gb/s"), MicroSeconds(1));
            tree.SetEdgeLink(DataRate("100Gb/s"), NanoSeconds(300));
            tree.SetCoreLink(DataRate("100Gb/s"), NanoSeconds(300));
            tree.Build(fabric);
            fabric.Build();
            std::vector<FlowSpec> flows;
            for (uint32_t i = 0; i < 15; i++)
            {
                flows.push_back(MakeFlow(i, 0, i + 1, bytes, i * 100000));
            }
            fabric.InstallFlows(flows);
            CompletionRecorder messages(fabric);
            Simulator::Stop(MilliSeconds(2));
            Simulator::Run();
            for (const FlowSpec& flow : flows)
            {
                NS_TEST_EXPECT_MSG_EQ(messages.Fct(flow.id),
                                      Number(fabric.GetIdealFct(flow)),
                                      bytes << " B to host " << flow.dst);
            }
            Simulator::Destroy();
        }
    }
};

/// Credits hold back what has no room, and tell of it at the period.
class CreditsTestCase : public LosslessTestCase
{
  public:
    CreditsTestCase()
        : LosslessTestCase("a greedy flow gets a buffer for each update period")
    {
    }

  private:
    void DoRun() override
    {
        // A packet of 1026 B takes 17 blocks, 1088 B. Buffers of 60 packets, updates each 50 us:
        // a link of 40 Gb/s could send 243 in that time.
        LosslessFabric fabric;
        fabric.SetLink(Infiniband());
        fabric.SetDeviceAttribute("BufferSize", UintegerValue(60 * 1088));
        fabric.SetDeviceAttribute("UpdatePeriod", TimeValue(MicroSeconds(50)));
        AddChain(fabric, {"40Gb/s", "40Gb/s"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1200 * 1000)});
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        CompletionRecorder messages(fabric);
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        // 20 buffers of 60 packets: the first at once, 19 more a period apart.
        const int64_t fct = messages.Fct(0);
        NS_TEST_EXPECT_MSG_GT(fct, 19 * 50000, "held back");
        NS_TEST_EXPECT_MSG_LT(fct, 20 * 50000 + 20000, "and no more than that");
        const auto gates = sender.Of(PortRecorder::GATE);
        NS_TEST_EXPECT_MSG_GT(Number(gates.size()), 2 * 18, "OFF and ON for each period");
        NS_TEST_EXPECT_MSG_EQ(gates.front().off, true, "first OFF");
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetSwitches()[0]->GetUsedBytes()), 0, "all has left");
    }
};

/// Random traffic into small buffers: an overrun would end the program.
class RandomTrafficTestCase : public LosslessTestCase
{
  public:
    RandomTrafficTestCase()
        : LosslessTestCase("input buffers are never overrun, and empty in the end")
    {
    }

  private:
    /**
     * @param bits width of the credit counters
     * @param arbitration of the switches
     * @param speedup of the inputs
     */
    void Run(uint32_t bits, const std::string& arbitration, uint32_t speedup)
    {
        LosslessFabric fabric;
        fabric.SetLink(Infiniband());
        fabric.SetDeviceAttribute("BufferSize", UintegerValue(7 * 1088));
        fabric.SetDeviceAttribute("CreditBits", UintegerValue(bits));
        fabric.SetDeviceAttribute("OpportunisticUpdates", StringValue("true"));
        fabric.SetSwitchAttribute("Arbitration", StringValue(arbitration));
        fabric.SetSwitchAttribute("InputSpeedup", UintegerValue(speedup));
        fabric.SetLosslessPriorities(1 << 3 | 1 << 5);
        FatTreeHelper tree;
        tree.SetArity(4);
        tree.SetHostLink(DataRate("40Gb/s"), NanoSeconds(200));
        tree.SetEdgeLink(DataRate("40Gb/s"), NanoSeconds(200));
        tree.SetCoreLink(DataRate("40Gb/s"), NanoSeconds(200));
        tree.Build(fabric);
        fabric.Build();
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(17);
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 300; i++)
        {
            const uint32_t src = random->GetInteger(0, 15);
            const uint32_t dst = (src + random->GetInteger(1, 15)) % 16;
            flows.push_back(MakeFlow(i,
                                     src,
                                     random->GetInteger(0, 3) ? dst : (src ? 0 : 1),
                                     random->GetInteger(1, 60000),
                                     100 * i,
                                     random->GetInteger(0, 1) ? 3 : 5));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        Simulator::Stop(MilliSeconds(30));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 300, "all complete");
        for (const auto& sw : fabric.GetSwitches())
        {
            NS_TEST_EXPECT_MSG_EQ(Number(sw->GetUsedBytes()), 0, "empty");
            NS_TEST_EXPECT_MSG_EQ(Number(sw->GetDrops()), 0, "nothing lost");
        }
        for (const auto& completion : messages.completions)
        {
            NS_TEST_EXPECT_MSG_EQ(completion.second.retransmitted, 0, "nothing sent again");
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Run(12, "Fifo", 1);
        Run(8, "RoundRobin", 1);
        Run(16, "Fifo", 0);
        Run(16, "RoundRobin", 2);
    }
};

/// What a lost flow-control packet said, the next one says.
class LostUpdateTestCase : public LosslessTestCase
{
  public:
    LostUpdateTestCase()
        : LosslessTestCase("a lost update is made good by the next")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        fabric.SetLink(Infiniband());
        fabric.SetDeviceAttribute("BufferSize", UintegerValue(20 * 1088));
        fabric.SetDeviceAttribute("UpdatePeriod", TimeValue(MicroSeconds(20)));
        AddChain(fabric, {"40Gb/s", "40Gb/s"}, MicroSeconds(1));
        fabric.Build();
        // The sender loses the second, third and fourth update of its lane; those of the ACKs' lane
        // come between them from the second period on.
        Ptr<ListedFrameErrorModel> lost = CreateObject<ListedFrameErrorModel>();
        lost->places = {1, 3, 5};
        lost->maximumBytes = CREDIT_UPDATE_BYTES;
        fabric.GetRdma(0)->GetDevice()->SetAttribute("ReceiveErrorModel", PointerValue(lost));
        fabric.InstallFlows({MakeFlow(0, 0, 1, 400 * 1000)});
        CompletionRecorder messages(fabric);
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        // 20 buffers, so 19 updates that arrive, and three that do not.
        NS_TEST_EXPECT_MSG_GT(messages.Fct(0), 22 * 20000, "three periods more");
        NS_TEST_EXPECT_MSG_LT(messages.Fct(0), 23 * 20000, "but no more");
        NS_TEST_EXPECT_MSG_EQ(messages.completions[0].retransmitted, 0, "nothing sent again");
        NS_TEST_EXPECT_MSG_GT(lost->seen, 6, "updates came");
    }
};

/// A hotspot's victim: with congestion control it gets much more of its rate.
class HotspotTestCase : public LosslessTestCase
{
  public:
    HotspotTestCase()
        : LosslessTestCase("IB CC helps a hotspot's victim")
    {
    }

  private:
    /**
     * Three senders on switch A and three on B to one host on B; a victim from A to another on B.
     * @param scheme of switches and hosts
     * @param [out] hotspot rate at the hotspot from 12 to 20 ms [Gb/s]
     * @returns the victim's rate in that time [Gb/s]
     */
    double Run(const Scheme& scheme, double& hotspot)
    {
        LosslessFabric fabric;
        fabric.SetLink(Infiniband());
        fabric.SetScheme(scheme);
        const uint32_t a = fabric.AddSwitch("A");
        const uint32_t b = fabric.AddSwitch("B");
        const DataRate rate("40Gb/s");
        fabric.AddLink(a, b, rate, NanoSeconds(100));
        for (uint32_t h = 0; h < 9; h++)
        {
            // 0: the hotspot, 1: the victim's receiver, 2 to 4 on B, 5 to 8 on A.
            fabric.AddLink(fabric.AddHost("h" + std::to_string(h)),
                           h < 5 ? b : a,
                           rate,
                           NanoSeconds(100));
        }
        fabric.Build();
        std::vector<FlowSpec> flows;
        for (uint32_t h = 2; h < 8; h++)
        {
            flows.push_back(MakeFlow(h - 2, h, 0, 200000000));
        }
        flows.push_back(MakeFlow(6, 8, 1, 200000000));
        fabric.InstallFlows(flows);
        Ptr<LosslessNetDevice> hot = fabric.GetRdma(0)->GetDevice()->GetPeer();
        Ptr<LosslessNetDevice> cold = fabric.GetRdma(1)->GetDevice()->GetPeer();
        Simulator::Stop(MilliSeconds(12));
        Simulator::Run();
        const uint64_t hotBefore = hot->GetSentBytes();
        const uint64_t coldBefore = cold->GetSentBytes();
        Simulator::Stop(MilliSeconds(8));
        Simulator::Run();
        hotspot = (hot->GetSentBytes() - hotBefore) * 8 / 8e6;
        const double victim = (cold->GetSentBytes() - coldBefore) * 8 / 8e6;
        Simulator::Destroy();
        return victim;
    }

    void DoRun() override
    {
        // Without control the link A - B moves only as the hotspot takes the culprits' frames, and
        // Fifo gives the victim no more than each of them.
        double hotspot = 0;
        NS_TEST_EXPECT_MSG_LT(Run(FindScheme("none"), hotspot), 4, "the victim gets a tenth");
        NS_TEST_EXPECT_MSG_GT(hotspot, 39.9, "the hotspot is in use");
        // With the adapters' default of ten unmarked packets between two marked ones.
        Scheme ibcc = FindScheme("ibcc");
        ibcc.detectorSettings.push_back({"MarkingRate", "10"});
        NS_TEST_EXPECT_MSG_GT(Run(ibcc, hotspot), 8, "the victim gets more than twice that");
        NS_TEST_EXPECT_MSG_GT(hotspot, 32, "the hotspot stays near full use");
    }
};

/// What cannot be over InfiniBand is told.
class InfinibandErrorsTestCase : public LosslessTestCase
{
  public:
    InfinibandErrorsTestCase()
        : LosslessTestCase("what cannot be")
    {
    }

  private:
    void DoRun() override
    {
        {
            LosslessFabric fabric;
            fabric.SetLink(Infiniband());
            fabric.SetDeviceAttribute("BufferSize", UintegerValue(1024));
            AddChain(fabric, {"40Gb/s", "40Gb/s"}, MicroSeconds(1));
            NS_TEST_EXPECT_MSG_EQ(
                ErrorOf([&] { fabric.Build(); }),
                "ns3::IbNetDevice::BufferSize: found 1024 B, expected at least a frame of 1042 B",
                "a buffer without room");
            Simulator::Destroy();
        }
        LosslessFabric fabric;
        fabric.SetLink(Infiniband());
        AddChain(fabric, {"40Gb/s", "40Gb/s"}, MicroSeconds(1));
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallInternetStack(); }),
                              "InstallInternetStack(): found it over infiniband, expected "
                              "Ethernet: IP over InfiniBand is not modelled",
                              "IP");
        NS_TEST_EXPECT_MSG_EQ(CreditsOf(fabric.GetRdma(0)->GetDevice()).GetPeriod(),
                              NanoSeconds(52428),
                              "65 536 symbol times of 0.8 ns");
    }
};

/// The suite `lossless-infiniband`.
class LosslessInfinibandTestSuite : public TestSuite
{
  public:
    LosslessInfinibandTestSuite()
        : TestSuite("lossless-infiniband", Type::SYSTEM)
    {
        AddTestCase(new CutThroughTestCase);
        AddTestCase(new LoneFlowTestCase);
        AddTestCase(new CreditsTestCase);
        AddTestCase(new RandomTrafficTestCase);
        AddTestCase(new LostUpdateTestCase);
        AddTestCase(new HotspotTestCase);
        AddTestCase(new InfinibandErrorsTestCase);
    }
};

LosslessInfinibandTestSuite g_losslessInfinibandTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The shared buffer: thresholds static and dynamic, fairness, who suffers, and what is dropped.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Two flows into one under PFC alone share the link.
class FairnessTestCase : public LosslessTestCase
{
  public:
    /// @param dynamic threshold, else the default static one
    explicit FairnessTestCase(bool dynamic)
        : LosslessTestCase(std::string("two flows into one link under PFC alone, ") +
                           (dynamic ? "dynamic" : "static") + " threshold"),
          m_dynamic(dynamic)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        if (m_dynamic)
        {
            fabric.SetSwitchAttribute("Threshold", StringValue("Dynamic"));
            fabric.SetSwitchAttribute("BufferSize", UintegerValue(2000000));
        }
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 2, 10000000), MakeFlow(1, 1, 2, 10000000)});
        PortRecorder receiver(fabric.GetRdma(2)->GetDevice());
        Simulator::Stop(MicroSeconds(1600));
        Simulator::Run();
        const auto data = receiver.Of(PortRecorder::RECEIVED, FrameKind::DATA);
        const auto first = std::count_if(data.begin(),
                                         data.end(),
                                         [](const PortRecorder::Entry& e) { return e.flow == 0; });
        const auto second = Number(data.size()) - Number(first);
        // The link carries floor((1600000 - 2086.56) / 86.56) = 18460 frames.
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(data.size()),
                                  int64_t(18460),
                                  int64_t(1),
                                  "the link is full");
        // Both rates within 2 % of each other. PFC is no exact scheduler: the ports' cycles of
        // pause and resume may lock in step (Xoff 50000 and Xon 48000, for one, give 53 to 47).
        NS_TEST_EXPECT_MSG_EQ_TOL(double(first) / double(second), 1., 0.02, "the same rate");
        NS_TEST_EXPECT_MSG_GT(Number(fabric.GetSwitches()[0]->GetPort(0)->GetSentControlFrames()),
                              100,
                              "by PFC");
    }

    bool m_dynamic;
};

/// Static thresholds: each PFC frame at its nanosecond.
class StaticThresholdTestCase : public LosslessTestCase
{
  public:
    StaticThresholdTestCase()
        : LosslessTestCase("timeline of Xoff and Xon")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        const uint32_t a = fabric.AddHost("a");
        const uint32_t s = fabric.AddSwitch("s");
        const uint32_t b = fabric.AddHost("b");
        fabric.AddLink(a, s, DataRate("100Gbps"), MicroSeconds(1));
        fabric.AddLink(s, b, DataRate("25Gbps"), MicroSeconds(1));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(3000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(2000));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 30000)});
        CompletionRecorder messages(fabric);
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        PortRecorder ingress(fabric.GetSwitches()[0]->GetPort(0));
        uint64_t most = 0;
        const IngressBuffer& buffer = EthernetSwitchOf(fabric, 0)->GetBuffer();
        CallAt(NanoSeconds(3430), [&]() { most = buffer.GetUsedBytes(0, 3); });
        Simulator::Run();
        // Frame k (from 0) is at the switch at 1086.56 + 86.56 k and leaves from 1086.56 + 346.24 k
        // on. Frame 0 leaves at once; 1 and 2 make 2124 B; frame 3 would make 3186 B > Xoff: the
        // pause goes out on its arrival at 1346.24, on the grid 1347.
        const auto pfc = ingress.Of(PortRecorder::TRANSMIT, FrameKind::PFC);
        LOSSLESS_TEST_REQUIRE(Number(pfc.size()), 2, "XOFF and XON");
        NS_TEST_EXPECT_MSG_EQ(pfc[0].ns, 1347, "XOFF");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[0].pause.classes), 1 << 3, "class");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[0].pause.quanta[3]), 0xffff, "quanta");
        // It stops the sender at 1347 + 6.72 + 1000 -> 2354, while frame 27 (2337.12 to 2423.68) is
        // on the line: 28 frames are under way, the last at the switch at 3423.68, when frames 0 to
        // 6 have left.
        const auto gate = sender.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(Number(gate.size()), 2, "OFF and ON");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 2354, "OFF");
        NS_TEST_EXPECT_MSG_EQ(Number(most), 21 * 1062, "held");
        // One frame, 1062 B <= Xon, is held when frame 26 leaves: at 10088.8, on the grid 10089.
        NS_TEST_EXPECT_MSG_EQ(pfc[1].ns, 10089, "XON");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[1].pause.quanta[3]), 0, "resume");
        // 10089 + 1006.72 -> 11096: frames 28 and 29 leave, and are at the switch at 12182.56 and
        // 12269.12, long after the queue has run dry. 12182.56 + 2 x 346.24 + 1000, and the ACK
        // 27.52 + 1000 + 6.88 + 1000: 15909.44.
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 11096, "ON");
        NS_TEST_EXPECT_MSG_EQ(messages.Fct(0), 15910, "completion time");
    }
};

/// Head-of-line blocking: a flow whose own path is free suffers behind a paused trunk; in another
/// priority it does not.
class VictimTestCase : public LosslessTestCase
{
  public:
    VictimTestCase()
        : LosslessTestCase("a victim behind a paused trunk")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        const uint32_t s1 = fabric.AddSwitch("s1");
        const uint32_t s2 = fabric.AddSwitch("s2");
        const DataRate rate("100Gbps");
        fabric.AddLink(s1, s2, rate, MicroSeconds(1));
        // 0 culprit, 1 and 2 victims' senders at s1; 3 congested receiver, 4 and 5 victims'
        // receivers, 6 to 8 other senders at s2.
        for (uint32_t h = 0; h < 9; h++)
        {
            fabric.AddLink(fabric.AddHost("h" + std::to_string(h)),
                           h < 3 ? s1 : s2,
                           rate,
                           MicroSeconds(1));
        }
        fabric.SetLosslessPriorities(1 << 3 | 1 << 4);
        fabric.SetSwitchAttribute("Xoff", UintegerValue(50000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(48000));
        fabric.Build();
        std::vector<FlowSpec> flows;
        flows.push_back(MakeFlow(0, 0, 3, 2000000));
        for (uint32_t h = 6; h < 9; h++)
        {
            flows.push_back(MakeFlow(h, h, 3, 2000000));
        }
        const FlowSpec victim = MakeFlow(1, 1, 4, 200000, 100000, 3);
        const FlowSpec spared = MakeFlow(2, 2, 5, 200000, 100000, 4);
        flows.push_back(victim);
        flows.push_back(spared);
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        PortRecorder trunk(fabric.GetSwitches()[0]->GetPort(0));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), flows.size() + 0L, "complete");
        const auto gate = trunk.Of(PortRecorder::GATE);
        NS_TEST_EXPECT_MSG_GT(Number(gate.size()), 10, "the trunk is paused");
        for (const auto& change : gate)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(change.priority), 3, "in one priority");
        }
        // Four ports feed the congested link, so the trunk's priority 3 gets a quarter of it, and
        // the victim half of what passes the trunk beside the culprit: about 25 Gb/s instead of
        // 100.
        const double ideal = fabric.GetIdealFct(victim).GetNanoSeconds();
        NS_TEST_EXPECT_MSG_GT(messages.Fct(1) / ideal, 2.5, "victim");
        // Above priority 3, it waits on the trunk for one frame of that (86.56 ns) and its ACKs for
        // a few others of at most 6.88 ns on four links.
        NS_TEST_EXPECT_MSG_LT(messages.Fct(2),
                              Number(fabric.GetIdealFct(spared)) + 87 + 4 * 7,
                              "another priority");
    }
};

/// A priority that is not lossless loses frames when the buffer is full, and PFC keeps out of it.
class LossyPriorityTestCase : public LosslessTestCase
{
  public:
    LossyPriorityTestCase()
        : LosslessTestCase("drops in a lossy priority")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 5, "100Gbps", MicroSeconds(1));
        fabric.SetSwitchAttribute("BufferSize", UintegerValue(250000));
        fabric.SetSwitchAttribute("Threshold", StringValue("Dynamic"));
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
        fabric.SetLossyPriorities(1 << 1);
        fabric.Build();
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < 4; i++)
        {
            flows.push_back(MakeFlow(i, i, 4, 100000, 0, 1));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        LinkCounter links(fabric);
        std::vector<std::unique_ptr<PortRecorder>> ports;
        Ptr<EthernetSwitch> hub = EthernetSwitchOf(fabric, 0);
        for (uint32_t port = 0; port < hub->GetNPorts(); port++)
        {
            ports.push_back(std::make_unique<PortRecorder>(hub->GetPort(port)));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 4, "the run goes on to its end");
        NS_TEST_EXPECT_MSG_GT(Number(hub->GetDrops()), 10, "drops");
        NS_TEST_EXPECT_MSG_EQ(Number(hub->GetDrops()),
                              links.Sum(&LinkCounter::Count::drops),
                              "each is traced");
        for (const auto& port : ports)
        {
            for (const auto& drop : port->Of(PortRecorder::DROP))
            {
                NS_TEST_EXPECT_MSG_EQ(drop.reason,
                                      Number(LosslessNetDevice::BUFFER_FULL),
                                      "reason");
                NS_TEST_EXPECT_MSG_EQ(Number(drop.priority), 1, "priority");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(links.Sum(&LinkCounter::Count::pauses), 0, "no PFC");
        NS_TEST_EXPECT_MSG_EQ(Number(hub->GetBuffer().GetUsedBytes()), 0, "buffer is empty again");
    }
};

/// A lossless priority that loses frames, because the sender does not hear the pause.
class LosslessDropTestCase : public LosslessTestCase
{
  public:
    /// @param end whether the run is to end
    explicit LosslessDropTestCase(bool end)
        : LosslessTestCase(std::string("a drop in a lossless priority ") +
                           (end ? "ends the run" : "is counted")),
          m_end(end)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(50000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(48000));
        fabric.SetSwitchAttribute("EndOnLosslessDrop", BooleanValue(m_end));
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
        fabric.Build();
        // PFC frames are the only ones of 60 B without FCS.
        for (uint32_t h = 0; h < 2; h++)
        {
            Ptr<ListedFrameErrorModel> deaf = CreateObject<ListedFrameErrorModel>();
            deaf->minimumBytes = 60;
            deaf->maximumBytes = 60;
            for (uint32_t i = 0; i < 100000; i++)
            {
                deaf->places.insert(i);
            }
            fabric.GetRdma(h)->GetDevice()->SetAttribute("ReceiveErrorModel", PointerValue(deaf));
        }
        fabric.InstallFlows({MakeFlow(0, 0, 2, 500000), MakeFlow(1, 1, 2, 500000)});
        CompletionRecorder messages(fabric);
        Ptr<EthernetSwitch> hub = EthernetSwitchOf(fabric, 0);
        PortRecorder port(hub->GetPort(0));
        std::string why;
        Simulator::Stop(MilliSeconds(50));
        try
        {
            Simulator::Run();
        }
        catch (const std::runtime_error& error)
        {
            why = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(why.empty(), !m_end, "whether the run ended: " << why);
        NS_TEST_EXPECT_MSG_GT(Number(hub->GetDrops()), 0, "counted");
        if (m_end)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(hub->GetDrops()), 1, "by the first");
            for (const char* part : {"lossless priority 3", "1062 B", "headroom", "buffer"})
            {
                NS_TEST_EXPECT_MSG_EQ((why.find(part) != std::string::npos),
                                      true,
                                      "'" << why << "' names " << part);
            }
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 2, "go-back-N recovers");
        bool found = false;
        for (const auto& drop : port.Of(PortRecorder::DROP))
        {
            found = true;
            NS_TEST_EXPECT_MSG_EQ(drop.reason, Number(LosslessNetDevice::BUFFER_FULL), "reason");
            NS_TEST_EXPECT_MSG_EQ(Number(drop.priority), 3, "priority");
        }
        NS_TEST_EXPECT_MSG_EQ(found, true, "traced");
    }

    bool m_end;
};

/// What cannot be lossless is refused before the simulation, with the numbers.
class RefusalTestCase : public LosslessTestCase
{
  public:
    RefusalTestCase()
        : LosslessTestCase("buffers that cannot work are refused")
    {
    }

  private:
    /**
     * @param name of a switch attribute
     * @param value its value
     * @returns what Build() says
     */
    std::string Refusal(const std::map<std::string, uint64_t>& attributes, bool dynamic)
    {
        LosslessFabric fabric;
        AddStar(fabric, 17, "100Gbps", MicroSeconds(1));
        for (const auto& attribute : attributes)
        {
            fabric.SetSwitchAttribute(attribute.first, UintegerValue(attribute.second));
        }
        fabric.SetSwitchAttribute("Threshold", StringValue(dynamic ? "Dynamic" : "Static"));
        std::string why;
        try
        {
            fabric.Build();
            // What Build() promises to give, to check that the least that it accepts is what it
            // said.
            m_headroom = EthernetSwitchOf(fabric, 0)->GetBuffer().GetHeadroomBytes(0, 3);
        }
        catch (const InputError& error)
        {
            why = error.what();
        }
        Simulator::Destroy();
        return why;
    }

    void ExpectParts(const std::string& why, const std::vector<std::string>& parts)
    {
        for (const auto& part : parts)
        {
            NS_TEST_EXPECT_MSG_EQ((why.find(part) != std::string::npos),
                                  true,
                                  "'" << why << "' names '" << part << "'");
        }
    }

    void DoRun() override
    {
        const uint64_t buffer = 2000000;
        NS_TEST_EXPECT_MSG_EQ(Refusal({{"BufferSize", buffer}}, true), "", "works");
        const uint64_t needed = m_headroom;
        NS_TEST_EXPECT_MSG_EQ(Refusal({{"BufferSize", buffer}, {"Headroom", needed}}, true),
                              "",
                              "the computed headroom is accepted");
        ExpectParts(Refusal({{"BufferSize", buffer}, {"Headroom", needed - 1}}, true),
                    {"headroom", std::to_string(needed - 1), std::to_string(needed), "100", "1"});
        ExpectParts(Refusal({{"BufferSize", buffer}, {"Headroom", 10000}}, true),
                    {"headroom", "10000 B", std::to_string(needed) + " B"});
        // 17 ports with Xoff 320000 do not fit.
        ExpectParts(Refusal({{"BufferSize", buffer}}, false),
                    {"2000000 B", std::to_string(17 * needed), std::to_string(17 * 320000)});
        ExpectParts(Refusal({{"BufferSize", 17 * needed - 1}}, true),
                    {std::to_string(17 * needed - 1), std::to_string(17 * needed)});
        ExpectParts(Refusal({{"Xoff", 5000}, {"Xon", 6000}}, false), {"Xon 6000 B", "Xoff 5000 B"});
        ExpectParts(Refusal({}, true), {"buffer"});
    }

    uint64_t m_headroom{0};
};

/// The suite `lossless-switch-buffer`.
class LosslessSwitchBufferTestSuite : public TestSuite
{
  public:
    LosslessSwitchBufferTestSuite()
        : TestSuite("lossless-switch-buffer", Type::SYSTEM)
    {
        AddTestCase(new StaticThresholdTestCase);
        AddTestCase(new FairnessTestCase(false));
        AddTestCase(new FairnessTestCase(true));
        AddTestCase(new VictimTestCase);
        AddTestCase(new LossyPriorityTestCase);
        AddTestCase(new LosslessDropTestCase(true));
        AddTestCase(new LosslessDropTestCase(false));
        AddTestCase(new RefusalTestCase);
    }
};

LosslessSwitchBufferTestSuite g_losslessSwitchBufferTestSuite; //!< registers itself

} // namespace

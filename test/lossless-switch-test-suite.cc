// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Switches: shared buffer, PFC thresholds and headroom, losslessness, routing of odd frames, and
// whom pauses hold up.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/flow-hash.h"
#include "ns3/input-error.h"
#include "ns3/mark-recorder.h"
#include "ns3/string.h"

#include <algorithm>
#include <stdexcept>

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
        Ptr<EthernetSwitch> hub = fabric.GetSwitches()[0];
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
        NS_TEST_EXPECT_MSG_GT(Number(fabric.GetSwitches()[0]->GetPort(0)->GetSentPauseFrames()),
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
        const IngressBuffer& buffer = fabric.GetSwitches()[0]->GetBuffer();
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
        Ptr<EthernetSwitch> hub = fabric.GetSwitches()[0];
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
                NS_TEST_EXPECT_MSG_EQ(drop.reason, Number(QbbNetDevice::BUFFER_FULL), "reason");
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
        Ptr<EthernetSwitch> hub = fabric.GetSwitches()[0];
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
            NS_TEST_EXPECT_MSG_EQ(drop.reason, Number(QbbNetDevice::BUFFER_FULL), "reason");
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
    /// @param name of a switch attribute @param value its value @returns what Build() says
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
            m_headroom = fabric.GetSwitches()[0]->GetBuffer().GetHeadroomBytes(0, 3);
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
    /// @param choices how many @returns one of them, from 0
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
        Ptr<EthernetSwitch> sw = fabric.GetSwitches()[0];

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
        const IngressBuffer& buffer = fabric.GetSwitches()[0]->GetBuffer();
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
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetSwitches()[0]->GetBuffer().GetHeadroomBytes(0, 3)),
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
        Ptr<QbbNetDevice> from = fabric.GetRdma(0)->GetDevice();
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
        NS_TEST_EXPECT_MSG_EQ(drops[0].reason, Number(QbbNetDevice::NO_ROUTE), "reason");
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetSwitches()[0]->GetDrops()), 1, "counted");

        // A known address is found over one of the two links.
        from->Send(Create<Packet>(100), fabric.GetRdma(3)->GetDevice()->GetAddress(), 0x88b5);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(hosts[3]->Of(PortRecorder::RECEIVED).size()), 2, "unicast");
        NS_TEST_EXPECT_MSG_EQ(Number(hosts[2]->Of(PortRecorder::RECEIVED).size()),
                              1,
                              "to one host");
        for (const auto& sw : fabric.GetSwitches())
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
        detector->tell = [](const Frame& frame, Frame::Feedback& feedback) {
            feedback.code = CodePoint::UNDETERMINED;
            feedback.windowBytes = 4242;
            return frame.flow == 11 && frame.psn == 50;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        Simulator::Run();
        const auto cnps = sender.Of(PortRecorder::RECEIVED, FrameKind::CNP);
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
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetSwitches()[0]->GetBuffer().GetUsedBytes()),
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
        Ptr<EthernetSwitch> sw = fabric.GetSwitches()[0];
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
        Ptr<QbbNetDevice> port = fabric.GetSwitches()[0]->GetPort(2);
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
        NotifySource(frame, Frame::Feedback());
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

    /// 1250 B on the wire take 100 ns. Frames of priority 3 arrive at 0, 100, 200, ... ns; the port
    /// is OFF from 1050 to 3050 ns. @param each how many frames arrive at a time
    Result Run(uint32_t each)
    {
        Result result;
        PortPair pair;
        Ptr<QbbNetDevice> port = pair.port[0];
        Ptr<TickingDetector> detector = CreateObject<TickingDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.psn == 50 ? CodePoint::UNDETERMINED : CodePoint::CONGESTION;
        };
        detector->tell = [](const Frame& frame, Frame::Feedback&) { return frame.psn % 10 == 0; };
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
        CallAt(NanoSeconds(43), [&]() { pair.port[1]->SendPause(3, true); });
        CallAt(NanoSeconds(2043), [&]() { pair.port[1]->SendPause(3, false); });
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

    /// @param queue as recorded @param frames in the queue @param unpaused in the other one [B]
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

/// The suite `lossless-switch`.
class LosslessSwitchTestSuite : public TestSuite
{
  public:
    LosslessSwitchTestSuite()
        : TestSuite("lossless-switch", Type::SYSTEM)
    {
        AddTestCase(new StaticThresholdTestCase);
        AddTestCase(new FairnessTestCase(false));
        AddTestCase(new FairnessTestCase(true));
        AddTestCase(new VictimTestCase);
        AddTestCase(new LossyPriorityTestCase);
        AddTestCase(new LosslessDropTestCase(true));
        AddTestCase(new LosslessDropTestCase(false));
        AddTestCase(new RefusalTestCase);
        AddTestCase(new StackFramesTestCase);
        AddTestCase(new EcmpTestCase);
        AddTestCase(new NotifySourceTestCase);
        AddTestCase(new IncastTestCase);
        AddTestCase(new HeadroomWorstCaseTestCase);
        AddTestCase(new JumboHeadroomTestCase);
        AddTestCase(new LossyLinksTestCase);
        AddTestCase(new UpstreamPauseTestCase);
        AddTestCase(new MarksOfCongestionTestCase);
        AddTestCase(new MarksByPausesTestCase);
        for (uint32_t seed = 1; seed <= 40; seed++)
        {
            AddTestCase(new RandomIncastTestCase(seed));
        }
    }
};

LosslessSwitchTestSuite g_losslessSwitchTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Ports and links: timing to the picosecond, PFC, scheduling, traces, and the ns-3 NetDevice side.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/pcap-file.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// One flow alone: its completion time equals the closed form, and GetIdealFct(), to the
/// nanosecond.
class LoneFlowTestCase : public LosslessTestCase
{
  public:
    /// @param rates of the links @param bytes of the flow @param expectedNs by hand
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
    /// @param write RDMA WRITE @param tagged 802.1Q @param bytes of the flow @param expectedNs by
    /// hand
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

/// A flow posted while its priority is paused starts when the pause ends: later by exactly that.
class PausedBeforeStartTestCase : public LosslessTestCase
{
  public:
    PausedBeforeStartTestCase()
        : LosslessTestCase("a pause that a flow meets at its start delays it by what is left of it")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000, 20000)});
        CompletionRecorder recorder(fabric);
        Ptr<QbbNetDevice> far = fabric.GetRdma(1)->GetDevice();
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        Simulator::Schedule(NanoSeconds(10000), &QbbNetDevice::SendPause, far, uint8_t(3), true);
        Simulator::Schedule(NanoSeconds(60000), &QbbNetDevice::SendPause, far, uint8_t(3), false);
        Simulator::Run();
        // The frames take 6.72 ns and 1 us: OFF at 11007 ns and ON at 61007 ns, both cut up to 1
        // ns.
        const auto gate = sender.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(Number(gate.size()), 2, "OFF and ON");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 11007, "OFF");
        NS_TEST_EXPECT_MSG_EQ(gate[0].off, true, "OFF");
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 61007, "ON");
        NS_TEST_EXPECT_MSG_EQ(gate[1].off, false, "ON");
        // Alone: 1000 x 86.56 + 1000 + 6.88 + 1000 = 88566.88 ns. Posted at 20000 ns, held for
        // 41007 ns.
        NS_TEST_EXPECT_MSG_EQ(recorder.Fct(0), 41007 + 88567, "completion time");
        NS_TEST_EXPECT_MSG_EQ(Number(recorder.completions.at(0).start), 20000, "posted");
    }
};

/// A pause in the middle of a flow, ended by a resume frame or by its own timer.
class PauseLengthTestCase : public LosslessTestCase
{
  public:
    /// @param byTimer whether the timer ends it
    explicit PauseLengthTestCase(bool byTimer)
        : LosslessTestCase(std::string("a pause ended by ") + (byTimer ? "its timer" : "a resume")),
          m_byTimer(byTimer)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        // Frames of 1168 + 62 B and 20 B of preamble and gap: 1250 B, 100 ns each.
        fabric.SetRdmaAttribute("Mtu", UintegerValue(1168));
        AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
        if (m_byTimer)
        {
            // 1000 quanta of 512 bit times: 5120 ns. Not refreshed within the test.
            fabric.SetDeviceAttribute("PauseTime", UintegerValue(1000));
            fabric.SetDeviceAttribute("RefreshInterval", TimeValue(Seconds(1)));
        }
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1168 * 1000)});
        CompletionRecorder recorder(fabric);
        Ptr<QbbNetDevice> far = fabric.GetRdma(1)->GetDevice();
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        // Frame k starts at 100 k. The PFC frame leaves at once (ACKs begin at 1100 + 100 k and
        // take 6.88 ns) and takes effect at 10050 + 6.72 + 1000, on the grid 11057: while frame 110
        // is being sent, until 11100.
        Simulator::Schedule(NanoSeconds(10050), &QbbNetDevice::SendPause, far, uint8_t(3), true);
        int64_t resumedNs = 11057 + 5120;
        if (!m_byTimer)
        {
            Simulator::Schedule(NanoSeconds(14050),
                                &QbbNetDevice::SendPause,
                                far,
                                uint8_t(3),
                                false);
            resumedNs = 15057;
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const auto gate = sender.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(Number(gate.size()), 2, "OFF and ON");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 11057, "OFF");
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, resumedNs, "ON");
        // Frame 111 arrives 100 + 1000 ns after the resume, frame 110 when it would have.
        const auto data = PortRecorder::RECEIVED;
        std::vector<int64_t> starts;
        for (const auto& entry : sender.Of(PortRecorder::TRANSMIT))
        {
            starts.push_back(entry.ns);
        }
        NS_TEST_EXPECT_MSG_EQ(starts.at(110), 11000, "the frame being sent is not cut");
        NS_TEST_EXPECT_MSG_EQ(starts.at(111), resumedNs, "the next one waits for the resume");
        NS_TEST_EXPECT_MSG_EQ(sender.Of(data, FrameKind::PFC).empty(), false, "PFC is traced");
        // Alone: 1000 x 100 + 1000 + 6.88 + 1000 = 102006.88. Frame 111 was due at 11100.
        NS_TEST_EXPECT_MSG_EQ(recorder.Fct(0), 102007 + resumedNs - 11100, "completion time");
    }

    bool m_byTimer;
};

/// Refresh frames keep a pause up that is longer than its PauseTime.
class RefreshTestCase : public LosslessTestCase
{
  public:
    RefreshTestCase()
        : LosslessTestCase("refresh keeps a pause up beyond PauseTime")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper helper;
        // 100 quanta are 512 ns; repeated every 256 ns.
        helper.SetDeviceAttribute("PauseTime", UintegerValue(100));
        PortPair pair(helper);
        PortRecorder recorder(pair.port[0]);
        PortRecorder far(pair.port[1]);
        Simulator::Schedule(NanoSeconds(1000),
                            &QbbNetDevice::SendPause,
                            pair.port[1],
                            uint8_t(5),
                            true);
        Simulator::Schedule(NanoSeconds(11000),
                            &QbbNetDevice::SendPause,
                            pair.port[1],
                            uint8_t(5),
                            false);
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        const auto gate = recorder.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(Number(gate.size()), 2, "refreshed without a change of state");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 2007, "OFF at 1000 + 6.72 + 1000");
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 12007, "ON");
        NS_TEST_EXPECT_MSG_EQ(far.Of(PortRecorder::GATE).empty(), true, "the other side is ON");
        // At 1000, then at 1000 + 256 k <= 11000: 39 times, then the resume.
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[1]->GetSentPauseFrames()), 41, "PFC frames");
        const auto pfc = recorder.Of(PortRecorder::RECEIVED, FrameKind::PFC);
        LOSSLESS_TEST_REQUIRE(Number(pfc.size()), 41, "PFC frames");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[0].pause.classes), 1 << 5, "one class");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[0].pause.quanta[5]), 100, "quanta");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[39].pause.quanta[5]), 100, "quanta of the last refresh");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc[40].pause.quanta[5]), 0, "resume");
        NS_TEST_EXPECT_MSG_EQ(pfc[1].readyPs - pfc[0].readyPs, 256000, "half of PauseTime");
    }
};

/// The effect comes PfcReactionDelay after the frame.
class ReactionDelayTestCase : public LosslessTestCase
{
  public:
    ReactionDelayTestCase()
        : LosslessTestCase("PfcReactionDelay defers pause and resume")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("PfcReactionDelay", TimeValue(NanoSeconds(614)));
        PortPair pair(helper);
        PortRecorder recorder(pair.port[0]);
        Simulator::Schedule(NanoSeconds(1000),
                            &QbbNetDevice::SendPause,
                            pair.port[1],
                            uint8_t(0),
                            true);
        Simulator::Schedule(NanoSeconds(3000),
                            &QbbNetDevice::SendPause,
                            pair.port[1],
                            uint8_t(0),
                            false);
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        const auto gate = recorder.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(Number(gate.size()), 2, "OFF and ON");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 2007 + 614, "OFF");
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 4007 + 614, "ON");
    }
};

/// A paused priority waits, the others do not; the detector is told of transitions only.
class OnePriorityPausedTestCase : public LosslessTestCase
{
  public:
    OnePriorityPausedTestCase()
        : LosslessTestCase("PFC on one priority leaves the others running")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows(
            {MakeFlow(0, 0, 1, 1000000, 20000, 3), MakeFlow(1, 0, 1, 1000000, 20000, 4)});
        CompletionRecorder recorder(fabric);
        Ptr<QbbNetDevice> near = fabric.GetRdma(0)->GetDevice();
        Ptr<QbbNetDevice> far = fabric.GetRdma(1)->GetDevice();
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        near->SetDetector(4, detector);
        Simulator::Schedule(NanoSeconds(10000), &QbbNetDevice::SendPause, far, uint8_t(4), true);
        Simulator::Schedule(NanoSeconds(11000), &QbbNetDevice::SendPause, far, uint8_t(4), true);
        Simulator::Schedule(NanoSeconds(200000), &QbbNetDevice::SendPause, far, uint8_t(4), false);
        Simulator::Stop(MilliSeconds(1));
        PrioritySet off = 0;
        CallAt(NanoSeconds(50000), [&off, near]() { off = near->GetOff(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(off), 1 << 4, "OFF");
        // Priority 4 would go first (strict priority). Paused, it leaves the line to priority 3,
        // which is as fast as alone (88566.88 ns); its own turn comes at 200000 + 6.72 + 1000 ->
        // 201007.
        NS_TEST_EXPECT_MSG_EQ(recorder.Fct(0), 88567, "priority 3 as alone");
        NS_TEST_EXPECT_MSG_EQ(recorder.Fct(1),
                              201007 - 20000 + 88567,
                              "priority 4 after the pause");
        LOSSLESS_TEST_REQUIRE(Number(detector->gate.size()),
                              2,
                              "a repeated pause is no transition");
        NS_TEST_EXPECT_MSG_EQ(detector->gate[0].first, 11007, "OFF");
        NS_TEST_EXPECT_MSG_EQ(detector->gate[0].second, true, "OFF");
        NS_TEST_EXPECT_MSG_EQ(detector->gate[1].first, 201007, "ON");
        NS_TEST_EXPECT_MSG_EQ(detector->gate[1].second, false, "ON");
    }
};

/// PFC frames overtake waiting data, of the highest priority too, and no pause holds them.
class PauseFramePrecedenceTestCase : public LosslessTestCase
{
  public:
    PauseFramePrecedenceTestCase()
        : LosslessTestCase("PFC frames precede data and cannot be paused")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair;
        PortRecorder recorder(pair.port[0]);
        PortRecorder far(pair.port[1]);
        // Ten frames of 980 + 20 B, 80 ns each, from time 0; the PFC frame is wanted during the
        // first.
        for (uint32_t i = 0; i < 10; i++)
        {
            pair.Send(7, 980, i);
        }
        Simulator::Schedule(NanoSeconds(30),
                            &QbbNetDevice::SendPause,
                            pair.port[0],
                            uint8_t(2),
                            true);
        // All priorities of port 0 are OFF from 3000 + 6.72 + 1000 on.
        CallAt(NanoSeconds(3000), [&pair]() {
            for (uint8_t p = 0; p < PRIORITIES; p++)
            {
                pair.port[1]->SendPause(p, true);
            }
        });
        Simulator::Schedule(NanoSeconds(5000),
                            &PortPair::Send,
                            &pair,
                            uint8_t(7),
                            uint32_t(980),
                            uint32_t(99));
        Simulator::Schedule(NanoSeconds(6000),
                            &QbbNetDevice::SendPause,
                            pair.port[0],
                            uint8_t(2),
                            false);
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        const auto sent = recorder.Of(PortRecorder::TRANSMIT);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 12, "ten frames and two PFC frames");
        NS_TEST_EXPECT_MSG_EQ((sent[1].kind == FrameKind::PFC), true, "second on the line");
        NS_TEST_EXPECT_MSG_EQ(sent[1].ns, 80, "when the frame in progress has ended");
        NS_TEST_EXPECT_MSG_EQ((sent[11].kind == FrameKind::PFC), true, "the last");
        NS_TEST_EXPECT_MSG_EQ(sent[11].ns, 6000, "at once, all priorities OFF");
        // Frame 1 follows the PFC frame: 80 + 6.72 + 80 + 1000.
        NS_TEST_EXPECT_MSG_EQ(pair.sink[1].exactPs.at(1), 1166720, "no time is lost");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetOff()), 0xff, "all OFF");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetQueueState(7).frames), 1, "data waits");
        // Eight SendPause() at one instant: the first leaves at once, the others share the next
        // frame.
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[1]->GetSentPauseFrames()), 2, "merged");
        const auto pfc = far.Of(PortRecorder::TRANSMIT);
        NS_TEST_EXPECT_MSG_EQ(Number(pfc.at(0).pause.classes), 0x01, "priority 0");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc.at(1).pause.classes), 0xfe, "the rest");
    }
};

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
        NS_TEST_EXPECT_MSG_EQ(far.entries[3].reason, Number(QbbNetDevice::CORRUPTED), "reason");
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

/// Packets of ns-3's protocol stack: priority, limits, addresses, link state.
class NetDeviceTestCase : public LosslessTestCase
{
  public:
    NetDeviceTestCase()
        : LosslessTestCase("the NetDevice interface")
    {
    }

  private:
    bool Received(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address& from)
    {
        m_received.push_back(packet->GetSize());
        m_protocols.push_back(protocol);
        m_from = Mac48Address::ConvertFrom(from);
        return true;
    }

    bool Overheard(Ptr<NetDevice>,
                   Ptr<const Packet>,
                   uint16_t,
                   const Address&,
                   const Address&,
                   NetDevice::PacketType type)
    {
        m_types.push_back(type);
        return true;
    }

    void DoRun() override
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("StackPriority", UintegerValue(2));
        // Of each priority, room for three frames of 1000 + 18 B, not for four.
        helper.SetDeviceAttribute("StackQueueSize", UintegerValue(4000));
        helper.SetDeviceAttribute("Mtu", UintegerValue(1000));
        const NetDeviceContainer devices =
            helper.Install(CreateObject<Node>(), CreateObject<Node>());
        Ptr<QbbNetDevice> near = DynamicCast<QbbNetDevice>(devices.Get(0));
        Ptr<QbbNetDevice> far = DynamicCast<QbbNetDevice>(devices.Get(1));
        far->SetReceiveCallback(MakeCallback(&NetDeviceTestCase::Received, this));
        far->SetPromiscReceiveCallback(MakeCallback(&NetDeviceTestCase::Overheard, this));
        NS_TEST_EXPECT_MSG_EQ(near->IsLinkUp(), true, "link");
        NS_TEST_EXPECT_MSG_EQ(near->GetMtu(), uint16_t(1000), "MTU");
        NS_TEST_EXPECT_MSG_EQ((near->GetChannel() == far->GetChannel()), true, "channel");
        NS_TEST_EXPECT_MSG_EQ((near->GetChannel()->GetDevice(1) == far), true, "ends");
        NS_TEST_EXPECT_MSG_EQ(near->IsBroadcast() && near->IsMulticast() && near->NeedsArp(),
                              true,
                              "Ethernet");
        NS_TEST_EXPECT_MSG_EQ(near->IsBridge(), false, "no bridge");
        NS_TEST_EXPECT_MSG_EQ(near->SupportsSendFrom(), true, "SendFrom()");

        PortRecorder recorder(near);
        // One queue for each priority, as a queue disc above sees the port.
        Ptr<NetDeviceQueue> queue = near->GetObject<NetDeviceQueueInterface>()->GetTxQueue(2);
        Ptr<NetDeviceQueue> other = near->GetObject<NetDeviceQueueInterface>()->GetTxQueue(6);
        // Both priorities in use are paused, so that packets wait.
        far->SendPause(2, true);
        far->SendPause(6, true);
        const uint16_t protocol = 0x88b5; // local experimental EtherType
        std::vector<bool> accepted;
        std::vector<bool> stopped;
        const auto send = [&](int priority) {
            Ptr<Packet> packet = Create<Packet>(1000);
            if (priority >= 0)
            {
                SocketPriorityTag tag;
                tag.SetPriority(priority);
                packet->AddPacketTag(tag);
            }
            accepted.push_back(near->Send(packet, far->GetAddress(), protocol));
            stopped.push_back(queue->IsStopped());
        };
        CallAt(MicroSeconds(2), [&]() {
            send(-1);
            send(-1);
            send(-1);
            send(-1);
            send(6);
        });
        CallAt(MicroSeconds(3), [&]() {
            NS_TEST_EXPECT_MSG_EQ(Number(near->GetQueueState(2).frames), 3, "StackPriority");
            NS_TEST_EXPECT_MSG_EQ(Number(near->GetQueueState(6).frames), 1, "SocketPriorityTag");
            NS_TEST_EXPECT_MSG_EQ(queue->IsStopped(), true, "still stopped");
            NS_TEST_EXPECT_MSG_EQ(other->IsStopped(), false, "another priority is not");
            far->SendPause(2, false);
            far->SendPause(6, false);
        });
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        const std::vector<bool> expected = {true, true, true, false, true};
        NS_TEST_EXPECT_MSG_EQ((accepted == expected), true, "the fourth is refused");
        // After the third, 4000 - 3 x 1018 = 946 B are left: no room for another of MTU size.
        const std::vector<bool> expectedStop = {false, false, true, true, true};
        NS_TEST_EXPECT_MSG_EQ((stopped == expectedStop), true, "the queue above is stopped");
        NS_TEST_EXPECT_MSG_EQ(queue->IsStopped(), false, "and woken");
        const auto drops = recorder.Of(PortRecorder::DROP);
        LOSSLESS_TEST_REQUIRE(Number(drops.size()), 1, "drops");
        NS_TEST_EXPECT_MSG_EQ(drops[0].reason, Number(QbbNetDevice::QUEUE_FULL), "reason");
        LOSSLESS_TEST_REQUIRE(Number(m_received.size()), 4, "received");
        NS_TEST_EXPECT_MSG_EQ(Number(m_received[0]), 1000, "without Ethernet header");
        NS_TEST_EXPECT_MSG_EQ(m_protocols[0], protocol, "EtherType");
        NS_TEST_EXPECT_MSG_EQ((m_from == Mac48Address::ConvertFrom(near->GetAddress())),
                              true,
                              "sender");
        const auto sent = recorder.Of(PortRecorder::TRANSMIT, FrameKind::PACKET);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 4, "sent");
        NS_TEST_EXPECT_MSG_EQ(Number(sent[0].bytes), 1018, "with Ethernet header and FCS");
        LOSSLESS_TEST_REQUIRE(Number(m_types.size()), 4, "promiscuous");
        NS_TEST_EXPECT_MSG_EQ(Number(m_types[0]), Number(NetDevice::PACKET_HOST), "to this host");

        // A short packet is a frame of 64 B; others' frames are heard by the promiscuous callback
        // only.
        near->SendFrom(Create<Packet>(1), near->GetAddress(), far->GetBroadcast(), protocol);
        near->Send(Create<Packet>(1), Mac48Address("02:00:00:00:00:99"), protocol);
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(recorder.Of(PortRecorder::TRANSMIT).back().bytes),
                              64,
                              "minimum");
        LOSSLESS_TEST_REQUIRE(Number(m_types.size()), 6, "promiscuous");
        NS_TEST_EXPECT_MSG_EQ(Number(m_types[4]), Number(NetDevice::PACKET_BROADCAST), "broadcast");
        NS_TEST_EXPECT_MSG_EQ(Number(m_types[5]),
                              Number(NetDevice::PACKET_OTHERHOST),
                              "other host");
        NS_TEST_EXPECT_MSG_EQ(Number(m_received.size()), 5, "broadcast, but not another's");
    }

    std::vector<uint32_t> m_received;
    std::vector<uint16_t> m_protocols;
    std::vector<NetDevice::PacketType> m_types;
    Mac48Address m_from;
};

/// A device without a link refuses packets and says why.
class NoLinkTestCase : public LosslessTestCase
{
  public:
    NoLinkTestCase()
        : LosslessTestCase("a port without a link")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<QbbNetDevice> device = CreateObject<QbbNetDevice>();
        device->SetAddress(Mac48Address("02:00:00:00:00:01"));
        node->AddDevice(device);
        PortRecorder recorder(device);
        NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "link");
        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(100), device->GetBroadcast(), 0x88b5),
                              false,
                              "refused");
        LOSSLESS_TEST_REQUIRE(Number(recorder.entries.size()), 1, "one drop");
        NS_TEST_EXPECT_MSG_EQ(recorder.entries[0].reason,
                              Number(QbbNetDevice::LINK_DOWN),
                              "reason");
    }
};

/// A capture of a port holds each frame sent and received once, with Ethernet's link type.
class PcapTestCase : public LosslessTestCase
{
  public:
    PcapTestCase()
        : LosslessTestCase("pcap of a port")
    {
    }

  private:
    /// Runs a flow with two PFC frames; the file is complete when the port is gone.
    static void Capture(const std::string& name)
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 100000)});
        Ptr<QbbNetDevice> port = fabric.GetSwitches()[0]->GetPort(0);
        fabric.GetQbbHelper().EnablePcap(name, port, false, true);
        Simulator::Schedule(MicroSeconds(2), &QbbNetDevice::SendPause, port, uint8_t(3), true);
        Simulator::Schedule(MicroSeconds(3), &QbbNetDevice::SendPause, port, uint8_t(3), false);
        Simulator::Run();
    }

    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("port.pcap");
        Capture(name);
        Simulator::Destroy();

        PcapFile file;
        file.Open(name, std::ios::in);
        LOSSLESS_TEST_REQUIRE(file.Fail(), false, "the file is readable");
        NS_TEST_EXPECT_MSG_EQ(Number(file.GetDataLinkType()), 1, "DLT_EN10MB");
        uint8_t bytes[2000];
        int64_t data = 0;
        int64_t acks = 0;
        int64_t pauses = 0;
        while (true)
        {
            uint32_t seconds;
            uint32_t fraction;
            uint32_t included;
            uint32_t original;
            uint32_t read;
            file.Read(bytes, sizeof(bytes), seconds, fraction, included, original, read);
            if (file.Fail() || file.Eof())
            {
                break;
            }
            // Without FCS: data 1058, ACK 62, PFC 60 with EtherType 0x8808.
            data += read == 1058;
            acks += read == 62;
            pauses += read == 60 && bytes[12] == 0x88 && bytes[13] == 0x08;
        }
        NS_TEST_EXPECT_MSG_EQ(data, 100, "data frames");
        NS_TEST_EXPECT_MSG_EQ(acks, 100, "ACKs");
        NS_TEST_EXPECT_MSG_EQ(pauses, 2, "pause and resume");
    }
};

/// A mark on a packet of ns-3's stack arrives in its IPv4 header.
class IpMarkTestCase : public LosslessTestCase
{
  public:
    IpMarkTestCase()
        : LosslessTestCase("marks of carried IPv4 packets")
    {
    }

  private:
    void Received(Ptr<Socket> socket)
    {
        Address from;
        while (Ptr<Packet> packet = socket->RecvFrom(from))
        {
            SocketIpTosTag tag;
            m_tos.push_back(packet->RemovePacketTag(tag) ? tag.GetTos() : 0xff);
        }
    }

    void DoRun() override
    {
        // Checksums on: a rewritten header must pass the receiver's check.
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallInternetStack();
        Ptr<QbbNetDevice> out = fabric.GetSwitches()[0]->GetPort(1);
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        int packets = 0;
        detector->mark = [&packets](const Frame& frame) {
            return frame.kind == FrameKind::PACKET && packets++ == 1 ? CodePoint::CONGESTION
                                                                     : CodePoint::NOT_CAPABLE;
        };
        out->SetDetector(6, detector);
        PortRecorder recorder(out);
        Ptr<Node> from = fabric.GetNodes().Get(fabric.GetHostIndex(0));
        Ptr<Node> to = fabric.GetNodes().Get(fabric.GetHostIndex(1));
        Ptr<Socket> receiver = Socket::CreateSocket(to, UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        receiver->SetIpRecvTos(true);
        receiver->SetRecvCallback(MakeCallback(&IpMarkTestCase::Received, this));
        Ptr<Socket> sender = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        sender->Bind();
        sender->Connect(InetSocketAddress(fabric.GetRdma(1)->GetAddress(), 9));
        // ECT(1), and "low delay", which UDP sockets of ns-3 turn into SocketPriorityTag 6.
        sender->SetIpTos(0x11);
        const auto send = [sender]() {
            for (int i = 0; i < 3; i++)
            {
                sender->Send(Create<Packet>(500));
            }
        };
        CallAt(MicroSeconds(1), send, from->GetId());
        Simulator::Run();
        sender->Close();
        receiver->Close();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
        const std::vector<uint8_t> expected = {0x11, 0x13, 0x11};
        NS_TEST_EXPECT_MSG_EQ((m_tos == expected), true, "ECN bits at the receiver");
        const auto marks = recorder.Of(PortRecorder::MARK);
        LOSSLESS_TEST_REQUIRE(Number(marks.size()), 1, "marks");
        // 500 + 8 + 20 B and Ethernet's 18 B.
        NS_TEST_EXPECT_MSG_EQ(Number(marks[0].bytes), 546, "frame size");
        NS_TEST_EXPECT_MSG_EQ(Number(marks[0].priority),
                              6,
                              "the tag's priority, at the switch too");
    }

    std::vector<uint8_t> m_tos;
};

/// The suite `lossless-link`.
class LosslessLinkTestSuite : public TestSuite
{
  public:
    LosslessLinkTestSuite()
        : TestSuite("lossless-link", Type::SYSTEM)
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
        AddTestCase(new PausedBeforeStartTestCase);
        AddTestCase(new PauseLengthTestCase(false));
        AddTestCase(new PauseLengthTestCase(true));
        AddTestCase(new RefreshTestCase);
        AddTestCase(new ReactionDelayTestCase);
        AddTestCase(new OnePriorityPausedTestCase);
        AddTestCase(new PauseFramePrecedenceTestCase);
        AddTestCase(new StrictPriorityTestCase);
        AddTestCase(new DeficitRoundRobinTestCase);
        AddTestCase(new EventCountTestCase);
        AddTestCase(new TraceTestCase);
        AddTestCase(new SchedulerContractTestCase);
        AddTestCase(new TickTestCase);
        AddTestCase(new NetDeviceTestCase);
        AddTestCase(new NoLinkTestCase);
        AddTestCase(new PcapTestCase);
        AddTestCase(new IpMarkTestCase);
    }
};

LosslessLinkTestSuite g_losslessLinkTestSuite; //!< registers itself

} // namespace

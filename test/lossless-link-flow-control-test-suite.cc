// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Another flow control is one class: two throw-away kinds, a gate that opens and shuts at fixed
// intervals and a budget of bytes that the far end grants, at one port and over a whole fabric.

#include "lossless-test-harness.h"

#include "ns3/roce-encapsulation.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// OFF and ON as (time [ns], whether OFF), as ScriptedDetector::gate has them.
using Gate = std::vector<std::pair<int64_t, bool>>;

/// A port one lane of which is ON and OFF for fixed times, ON first.
class IntervalDevice : public LosslessNetDevice
{
  public:
    static TypeId GetTypeId();

    IntervalDevice()
        : LosslessNetDevice(std::make_unique<Control>(*this), RoceEncapsulation::Get())
    {
    }

  private:
    class Control : public FlowControl
    {
      public:
        explicit Control(const IntervalDevice& device)
            : m_device(device),
              m_event(this)
        {
        }

        void LinkUp(uint32_t node) override
        {
            m_event.SetContext(node);
            m_event.Arm(NowPs() + ToPs(m_device.m_onTime), NowPs());
        }

        void Dispose() override
        {
            m_event.Disarm();
        }

      private:
        void Change(int64_t nowPs)
        {
            m_off = !m_off;
            m_event.Arm(nowPs + ToPs(m_off ? m_device.m_offTime : m_device.m_onTime), nowPs);
            Turn(m_device.m_lane, m_off);
            Wake(nowPs);
        }

        const IntervalDevice& m_device;
        bool m_off{false};
        ReusableEvent<Control, &Control::Change> m_event;
    };

    Time m_onTime;
    Time m_offTime;
    uint8_t m_lane{0};
};

NS_OBJECT_ENSURE_REGISTERED(IntervalDevice);

TypeId
IntervalDevice::GetTypeId()
{
    static TypeId tid = AddPortAttributes(TypeId("ns3::losslesstest::IntervalDevice")
                                              .SetParent<LosslessNetDevice>()
                                              .SetGroupName("Lossless")
                                              .HideFromDocumentation()
                                              .AddConstructor<IntervalDevice>(),
                                          20,
                                          1500)
                            .AddAttribute("OnTime",
                                          "",
                                          TimeValue(NanoSeconds(1050)),
                                          MakeTimeAccessor(&IntervalDevice::m_onTime),
                                          MakeTimeChecker())
                            .AddAttribute("OffTime",
                                          "",
                                          TimeValue(NanoSeconds(500)),
                                          MakeTimeAccessor(&IntervalDevice::m_offTime),
                                          MakeTimeChecker())
                            .AddAttribute("Lane",
                                          "",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&IntervalDevice::m_lane),
                                          MakeUintegerChecker<uint8_t>(0, LANES - 1));
    return tid;
}

/// A port whose far end grants lanes blocks of bytes, by control frames that carry the sum.
class BudgetDevice : public LosslessNetDevice
{
  public:
    static TypeId GetTypeId();

    BudgetDevice()
        : LosslessNetDevice(std::make_unique<Control>(*this), RoceEncapsulation::Get())
    {
    }

    /**
     * Has the far end granted more.
     * @param port whose far end it is
     * @param lane 0..7
     * @param blocks since the link came up
     */
    static void Allow(Ptr<LosslessNetDevice> port, uint8_t lane, uint16_t blocks)
    {
        static_cast<Control&>(port->GetFlowControl()).Allow(lane, blocks);
    }

  private:
    class Control : public FlowControl
    {
      public:
        explicit Control(const BudgetDevice& device)
            : m_device(device),
              m_event(this)
        {
        }

        void LinkUp(uint32_t node) override
        {
            m_event.SetContext(node);
            Meter(m_device.m_lanes, m_device.m_blockBytes);
            for (uint8_t lane = 0; lane < PRIORITIES; lane++)
            {
                m_told.quanta[lane] = m_device.m_budget;
                Grant(lane, m_device.m_budget);
            }
            if (m_device.m_interval.IsStrictlyPositive())
            {
                m_event.Arm(NowPs() + ToPs(m_device.m_interval), NowPs());
            }
        }

        void Dispose() override
        {
            m_event.Disarm();
        }

        void Allow(uint8_t lane, uint16_t blocks)
        {
            m_told.quanta[lane] = blocks;
            RequestControl();
            Wake(NowPs());
        }

        FramePtr MakeControl(int64_t) override
        {
            FramePtr frame = MakeFrame();
            frame->kind = FrameKind::PFC;
            frame->bytes = 64;
            frame->pause = m_told;
            return frame;
        }

        void ControlArrived(const Frame& frame) override
        {
            bool wake = false;
            for (uint8_t lane = 0; lane < PRIORITIES; lane++)
            {
                wake |= Grant(lane, frame.pause.quanta[lane]);
            }
            if (wake)
            {
                Wake(NowPs());
            }
        }

      private:
        void Refill(int64_t nowPs)
        {
            for (uint16_t& blocks : m_told.quanta)
            {
                blocks += m_device.m_budget;
            }
            RequestControl();
            Wake(nowPs);
            m_event.Arm(nowPs + ToPs(m_device.m_interval), nowPs);
        }

        const BudgetDevice& m_device;
        Frame::Pause m_told; // what the far end may send: quanta[lane] blocks
        ReusableEvent<Control, &Control::Refill> m_event;
    };

    uint16_t m_lanes{0};
    uint32_t m_blockBytes{0};
    uint16_t m_budget{0};
    Time m_interval;
};

NS_OBJECT_ENSURE_REGISTERED(BudgetDevice);

TypeId
BudgetDevice::GetTypeId()
{
    static TypeId tid = AddPortAttributes(TypeId("ns3::losslesstest::BudgetDevice")
                                              .SetParent<LosslessNetDevice>()
                                              .SetGroupName("Lossless")
                                              .HideFromDocumentation()
                                              .AddConstructor<BudgetDevice>(),
                                          20,
                                          1500)
                            .AddAttribute("Lanes",
                                          "metered",
                                          UintegerValue(1 << 3),
                                          MakeUintegerAccessor(&BudgetDevice::m_lanes),
                                          MakeUintegerChecker<uint16_t>())
                            .AddAttribute("BlockBytes",
                                          "",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&BudgetDevice::m_blockBytes),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("Budget",
                                          "blocks at first, and each Interval",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&BudgetDevice::m_budget),
                                          MakeUintegerChecker<uint16_t>())
                            .AddAttribute("Interval",
                                          "0 for never",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&BudgetDevice::m_interval),
                                          MakeTimeChecker());
    return tid;
}

/// Two hosts or more under one of the two kinds: what all cases here have in common.
class FlowControlTestCase : public LosslessTestCase
{
  public:
    using LosslessTestCase::LosslessTestCase;

  protected:
    /// Frames of 1230 B and 20 B of preamble and gap: 100 ns each.
    static constexpr uint32_t FRAME = 1230;
    /// The same of an RDMA flow.
    static constexpr uint32_t MTU = FRAME - 62;

    /**
     * @param lanes metered
     * @param blockBytes size of a block
     * @param budget blocks at first
     * @returns a helper for budgets without an interval
     */
    static QbbHelper Budgets(uint16_t lanes, uint32_t blockBytes, uint16_t budget)
    {
        QbbHelper helper;
        helper.SetDeviceType("ns3::losslesstest::BudgetDevice");
        helper.SetDeviceAttribute("Lanes", UintegerValue(lanes));
        helper.SetDeviceAttribute("BlockBytes", UintegerValue(blockBytes));
        helper.SetDeviceAttribute("Budget", UintegerValue(budget));
        return helper;
    }

    /// @returns the detector that now watches a lane of a port
    static Ptr<ScriptedDetector> Watch(Ptr<LosslessNetDevice> port, uint8_t lane)
    {
        auto detector = CreateObject<ScriptedDetector>();
        port->SetDetector(lane, detector);
        return detector;
    }

    /// Sends at a time. @param ns when [ns]
    static void SendAt(PortPair& pair, int64_t ns, uint8_t lane, uint32_t bytes, uint32_t count = 1)
    {
        CallAt(NanoSeconds(ns), [&pair, lane, bytes, count] {
            for (uint32_t i = 0; i < count; i++)
            {
                pair.Send(lane, bytes);
            }
        });
    }

    /// Has the far end of a pair grant port 0 blocks. @param ns when [ns]
    static void AllowAt(PortPair& pair, int64_t ns, uint8_t lane, uint16_t blocks)
    {
        CallAt(NanoSeconds(ns),
               [&pair, lane, blocks] { BudgetDevice::Allow(pair.port[1], lane, blocks); });
    }

    /// @returns OFF and ON of a lane by the trace
    static Gate GateOf(const PortRecorder& recorder, uint8_t lane)
    {
        Gate gate;
        for (const auto& entry : recorder.Of(PortRecorder::GATE))
        {
            if (entry.priority == lane)
            {
                gate.emplace_back(entry.ns, entry.off);
            }
        }
        return gate;
    }

    /// @returns when frames of a lane began to be sent [ns]
    static std::vector<int64_t> StartsOf(const PortRecorder& recorder, uint8_t lane)
    {
        std::vector<int64_t> starts;
        for (const auto& entry : recorder.Of(PortRecorder::TRANSMIT))
        {
            if (entry.priority == lane && entry.kind != FrameKind::PFC)
            {
                starts.push_back(entry.ns);
            }
        }
        return starts;
    }

    /// Compares two lists of times.
    void Expect(const std::vector<int64_t>& found,
                const std::vector<int64_t>& expected,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(Number(found.size()), Number(expected.size()), what << ": number");
        for (std::size_t i = 0; i < std::min(found.size(), expected.size()); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(found[i], expected[i], what << " " << i);
        }
    }

    /// Compares OFF and ON.
    void Expect(const Gate& found, const Gate& expected, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(Number(found.size()), Number(expected.size()), what << ": number");
        for (std::size_t i = 0; i < std::min(found.size(), expected.size()); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(found[i].first, expected[i].first, what << " " << i);
            NS_TEST_EXPECT_MSG_EQ(found[i].second, expected[i].second, what << " OFF " << i);
        }
    }

    /// @returns first, first + 100 ns, ... of `count` frames
    static std::vector<int64_t> BackToBack(int64_t first, uint32_t count)
    {
        std::vector<int64_t> starts;
        for (uint32_t i = 0; i < count; i++)
        {
            starts.push_back(first + 100 * i);
        }
        return starts;
    }
};

/// ON 1050 ns, OFF 500 ns, again and again; other lanes go on.
class IntervalTestCase : public FlowControlTestCase
{
  public:
    IntervalTestCase()
        : FlowControlTestCase("a gate of fixed intervals stops its lane, and no other")
    {
    }

  private:
    void DoRun() override
    {
        QbbHelper helper;
        helper.SetDeviceType("ns3::losslesstest::IntervalDevice");
        PortPair pair(helper);
        PortRecorder recorder(pair.port[0]);
        const auto detector = Watch(pair.port[0], 3);
        const auto other = Watch(pair.port[0], 4);
        SendAt(pair, 0, 3, FRAME, 30);
        SendAt(pair, 1200, 4, FRAME);
        CallAt(NanoSeconds(1300), [this, &pair] {
            NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetOff()), 1 << 3, "lanes that are OFF");
        });
        // What is far away is held as long, and sends nothing.
        Simulator::Stop(NanoSeconds(5000));
        Simulator::Run();
        // OFF at 1050, while frame 10 is sent until 1100; ON at 1550. OFF at 2600, within frame
        // 21; ON at 3100. The last frame begins at 3800.
        std::vector<int64_t> starts = BackToBack(0, 11);
        const auto second = BackToBack(1550, 11);
        const auto third = BackToBack(3100, 8);
        starts.insert(starts.end(), second.begin(), second.end());
        starts.insert(starts.end(), third.begin(), third.end());
        Expect(StartsOf(recorder, 3), starts, "frame of the gated lane");
        Expect(StartsOf(recorder, 4), {1200}, "frame of another lane");
        const Gate gate =
            {{1050, true}, {1550, false}, {2600, true}, {3100, false}, {4150, true}, {4650, false}};
        Expect(GateOf(recorder, 3), gate, "trace");
        Expect(detector->gate, gate, "detector");
        Expect(other->gate, {}, "detector of another lane");
    }
};

/// A whole fabric of such gates, by a LinkTechnology of the test's own.
class IntervalFabricTestCase : public FlowControlTestCase
{
  public:
    IntervalFabricTestCase()
        : FlowControlTestCase("a fabric of gates of fixed intervals")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        fabric.SetLink({"intervals",
                        "gates of fixed intervals",
                        "ns3::losslesstest::IntervalDevice",
                        "ns3::EthernetSwitch",
                        "ns3::EthernetSwitch",
                        false});
        fabric.SetRdmaAttribute("Mtu", UintegerValue(MTU));
        fabric.SetDeviceAttribute("OnTime", TimeValue(NanoSeconds(450)));
        fabric.SetDeviceAttribute("OffTime", TimeValue(NanoSeconds(2000)));
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 11 * MTU)});
        CompletionRecorder completions(fabric);
        LinkCounter counter(fabric);
        PortRecorder host(fabric.GetRdma(0)->GetDevice());
        PortRecorder out(fabric.GetSwitches().at(0)->GetPort(1));
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        // All gates are ON in [2450 n, 2450 n + 450). The host begins frames 0 to 4 in the first
        // of these times, 5 to 9 in the second, 10 in the third.
        std::vector<int64_t> starts = BackToBack(0, 5);
        const auto second = BackToBack(2450, 5);
        starts.insert(starts.end(), second.begin(), second.end());
        starts.push_back(4900);
        Expect(StartsOf(host, 3), starts, "frame of the host");
        // They arrive at the switch from 1100, 3550 and 6000 on, when the gate is OFF: until 2450
        // (frames 0 to 4), 4900 (5 to 9) and 7350 (10).
        starts = BackToBack(2450, 5);
        const auto later = BackToBack(4900, 5);
        starts.insert(starts.end(), later.begin(), later.end());
        starts.push_back(7350);
        Expect(StartsOf(out, 3), starts, "frame of the switch");
        // Frame 10 arrives at 8450. ACKs have a lane of their own: 2 x (1000 + 6.88).
        NS_TEST_EXPECT_MSG_EQ(completions.Fct(0), 8450 + 2014, "completion time");
        NS_TEST_EXPECT_MSG_EQ(counter.Sum(&LinkCounter::Count::pauses), 0, "nothing is told");
        NS_TEST_EXPECT_MSG_EQ(counter.Sum(&LinkCounter::Count::drops), 0, "nothing is lost");
    }
};

/// Frames as large as what is left go, others turn the lane OFF until all of them has room.
class BudgetTestCase : public FlowControlTestCase
{
  public:
    BudgetTestCase()
        : FlowControlTestCase("a frame as large as the rest of the budget goes, a larger one waits")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair(Budgets(1 << 3, 1, 2 * FRAME));
        PortRecorder recorder(pair.port[0]);
        const auto detector = Watch(pair.port[0], 3);
        SendAt(pair, 0, 3, FRAME, 4);
        // A grant takes 6.72 + 1000 ns.
        AllowAt(pair, 1000, 3, 3 * FRAME);
        AllowAt(pair, 4000, 3, 4 * FRAME - 1);
        AllowAt(pair, 6000, 3, 4 * FRAME);
        // With an empty queue the lane is ON though there is no room, and OFF from the next frame.
        SendAt(pair, 9000, 3, 64);
        CallAt(NanoSeconds(8999), [this, &pair] {
            NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetOff()), 0, "nothing waits");
        });
        AllowAt(pair, 10000, 3, 4 * FRAME + 64);
        Simulator::Run();
        Expect(StartsOf(recorder, 3), {0, 100, 2007, 7007, 11007}, "frame");
        const Gate gate =
            {{100, true}, {2007, false}, {2007, true}, {7007, false}, {9000, true}, {11007, false}};
        Expect(GateOf(recorder, 3), gate, "trace");
        Expect(detector->gate, gate, "detector");
        // A frame that waited begins at the event, not at the grant's exact arrival.
        LOSSLESS_TEST_REQUIRE(Number(pair.sink[1].exactPs.size()), 5, "frames");
        NS_TEST_EXPECT_MSG_EQ(pair.sink[1].exactPs[2], 2007000 + 1100000, "exact arrival");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->enqueued.size()), 5, "frames offered");
        NS_TEST_EXPECT_MSG_EQ(Number(detector->dequeued.size()), 5, "frames taken");
    }
};

/// A frame takes a whole number of blocks.
class BlockTestCase : public FlowControlTestCase
{
  public:
    BlockTestCase()
        : FlowControlTestCase("room is counted in whole blocks, for each frame")
    {
    }

  private:
    void DoRun() override
    {
        // Frames of 1230 B are 19.2 blocks of 64 B, those of 128 B two, of 129 B three.
        PortPair pair(Budgets(1 << 3, 64, 20 + 2));
        PortRecorder recorder(pair.port[0]);
        SendAt(pair, 0, 3, FRAME);
        SendAt(pair, 200, 3, 129); // 11.92 ns
        AllowAt(pair, 1000, 3, 20 + 3);
        SendAt(pair, 3000, 3, 128);
        AllowAt(pair, 4000, 3, 20 + 3 + 1);
        AllowAt(pair, 5000, 3, 20 + 3 + 2);
        Simulator::Run();
        Expect(StartsOf(recorder, 3), {0, 2007, 6007}, "frame");
        Expect(GateOf(recorder, 3),
               {{200, true}, {2007, false}, {3000, true}, {6007, false}},
               "trace");
    }
};

/// Two metered lanes and one that is not.
class LanesTestCase : public FlowControlTestCase
{
  public:
    LanesTestCase()
        : FlowControlTestCase("a lane without room blocks neither another nor an unmetered one")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair(Budgets(1 << 3 | 1 << 4, 1, 3 * FRAME));
        PortRecorder recorder(pair.port[0]);
        const auto lane3 = Watch(pair.port[0], 3);
        const auto lane4 = Watch(pair.port[0], 4);
        SendAt(pair, 0, 3, FRAME, 5);
        SendAt(pair, 1000, 4, FRAME, 3);
        SendAt(pair, 1000, 5, FRAME, 4);
        AllowAt(pair, 2000, 3, 5 * FRAME);
        Simulator::Run();
        // Lane 3 goes at 0, 100 and 200. From 1000 on the line is never idle for 700 ns.
        Expect(StartsOf(recorder, 3), {0, 100, 200, 3007, 3107}, "frame of lane 3");
        std::vector<int64_t> both = StartsOf(recorder, 4);
        NS_TEST_EXPECT_MSG_EQ(Number(both.size()), 3, "frames of lane 4");
        const auto unmetered = StartsOf(recorder, 5);
        NS_TEST_EXPECT_MSG_EQ(Number(unmetered.size()), 4, "frames of lane 5");
        both.insert(both.end(), unmetered.begin(), unmetered.end());
        std::sort(both.begin(), both.end());
        Expect(both, BackToBack(1000, 7), "frame of lanes 4 and 5");
        Expect(lane3->gate, {{200, true}, {3007, false}}, "detector of lane 3");
        Expect(lane4->gate, {}, "detector of lane 4");
    }
};

/// The link's own frames overtake, and go when no lane may.
class ControlFirstTestCase : public FlowControlTestCase
{
  public:
    ControlFirstTestCase()
        : FlowControlTestCase("a control frame goes first, also where every lane is OFF")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair(Budgets(1 << 3, 1, 3 * FRAME));
        PortRecorder recorder(pair.port[0]);
        SendAt(pair, 0, 3, FRAME, 4);
        SendAt(pair, 0, 7, FRAME, 1);
        CallAt(NanoSeconds(50), [&pair] { BudgetDevice::Allow(pair.port[0], 3, 10000); });
        CallAt(NanoSeconds(1000), [&pair] { BudgetDevice::Allow(pair.port[0], 3, 20000); });
        Simulator::Run();
        // Frame 0 until 100, the control frame until 106.72, then the rest; lane 7 has a turn.
        std::vector<int64_t> all;
        std::vector<int64_t> control;
        for (const auto& entry : recorder.Of(PortRecorder::TRANSMIT))
        {
            (entry.kind == FrameKind::PFC ? control : all).push_back(entry.ns);
        }
        Expect(all, {0, 107, 207, 307}, "frame");
        Expect(control, {100, 1000}, "control frame");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetOff()), 1 << 3, "one frame has no room");
        LOSSLESS_TEST_REQUIRE(Number(pair.sink[1].exactPs.size()), 4, "frames");
        NS_TEST_EXPECT_MSG_EQ(pair.sink[1].exactPs[1], 100000 + 6720 + 1100000, "exact arrival");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetSentControlFrames()), 2, "counted apart");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[0]->GetSentFrames()), 4, "counted apart");
    }
};

/// Queue and source of one lane share its budget and take turns.
class SourceTestCase : public FlowControlTestCase
{
  public:
    SourceTestCase()
        : FlowControlTestCase("an RDMA engine and the egress queue share the room of a lane")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        fabric.SetLink({"budgets",
                        "budgets",
                        "ns3::losslesstest::BudgetDevice",
                        "ns3::EthernetSwitch",
                        "ns3::EthernetSwitch",
                        false});
        fabric.SetDeviceAttribute("Budget", UintegerValue(3 * FRAME));
        fabric.SetRdmaAttribute("Mtu", UintegerValue(MTU));
        AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 4 * MTU)});
        CompletionRecorder completions(fabric);
        Ptr<LosslessNetDevice> near = fabric.GetRdma(0)->GetDevice();
        Ptr<LosslessNetDevice> far = fabric.GetRdma(1)->GetDevice();
        const auto detector = Watch(near, 3);
        PortRecorder recorder(near);
        CallAt(NanoSeconds(50), [&near] {
            for (uint32_t psn = 100; psn < 102; psn++)
            {
                FramePtr frame = PortPair::MakeData(3, FRAME, psn);
                frame->queuePair = 1000; // of nobody
                near->Enqueue(std::move(frame));
            }
        });
        CallAt(NanoSeconds(1000), [&far] { BudgetDevice::Allow(far, 3, 5 * FRAME); });
        CallAt(NanoSeconds(3000), [&far] { BudgetDevice::Allow(far, 3, 6 * FRAME - 1); });
        CallAt(NanoSeconds(5000), [&far] { BudgetDevice::Allow(far, 3, 6 * FRAME); });
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        std::vector<int64_t> psns;
        for (const auto& entry : recorder.Of(PortRecorder::TRANSMIT))
        {
            psns.push_back(entry.psn);
        }
        Expect(psns, {0, 100, 1, 101, 2, 3}, "whose turn");
        Expect(StartsOf(recorder, 3), {0, 100, 200, 2007, 2107, 6007}, "frame");
        // OFF at 200 for the queue's second frame; at 2207, as the line is free, for the engine's
        // last.
        const Gate gate = {{200, true}, {2007, false}, {2207, true}, {6007, false}};
        Expect(detector->gate, gate, "detector");
        Expect(GateOf(recorder, 3), gate, "trace");
        // The last frame arrives at 7107, its ACK 1006.88 later.
        NS_TEST_EXPECT_MSG_EQ(completions.Fct(0), 8114, "completion time");
    }
};

/// A source of frames whose sizes are given.
class ListedSource : public FrameSource
{
  public:
    LaneSet GetReady(int64_t) override
    {
        return sizes.empty() ? 0 : 1 << 3;
    }

    int64_t GetNextReadyPs(LaneSet on) const override
    {
        return sizes.empty() || !(on >> 3 & 1) ? NEVER_PS : 0;
    }

    FrameHead GetHead(uint8_t) const override
    {
        return {sizes.front(), 0};
    }

    FramePtr Pull(uint8_t lane, int64_t, int64_t) override
    {
        FramePtr frame = PortPair::MakeData(lane, sizes.front());
        sizes.pop_front();
        return frame;
    }

    std::deque<uint32_t> sizes; //!< of the frames to come [B]
};

/// The lane is OFF for a source's small frame when a large one comes to the queue.
class LargerBehindTestCase : public FlowControlTestCase
{
  public:
    LargerBehindTestCase()
        : FlowControlTestCase("a lane is not turned ON for a source's frame while the queue's is "
                              "too large")
    {
    }

  private:
    void DoRun() override
    {
        PortPair pair(Budgets(1 << 3, 1, 100));
        ListedSource source;
        source.sizes = {230, 230};
        pair.port[0]->SetSource(&source);
        PortRecorder recorder(pair.port[0]);
        CallAt(NanoSeconds(0), [&pair] { pair.port[0]->NotifyReady(0, 0); });
        SendAt(pair, 500, 3, FRAME);
        AllowAt(pair, 1000, 3, 230);             // the source's frame, not the queue's
        AllowAt(pair, 3000, 3, FRAME);           // the queue's
        AllowAt(pair, 5000, 3, FRAME + 230);     // the source's first
        AllowAt(pair, 7000, 3, FRAME + 2 * 230); // its second
        Simulator::Run();
        Expect(StartsOf(recorder, 3), {4007, 6007, 8007}, "frame");
        Expect(GateOf(recorder, 3),
               {{0, true}, {4007, false}, {4107, true}, {6007, false}, {6027, true}, {8007, false}},
               "trace");
        LOSSLESS_TEST_REQUIRE(Number(pair.sink[1].frames.size()), 3, "frames");
        NS_TEST_EXPECT_MSG_EQ(Number(pair.sink[1].frames[0]->bytes), FRAME, "the queue's first");
    }
};

/// A whole fabric of budgets that the far ends renew.
class BudgetFabricTestCase : public FlowControlTestCase
{
  public:
    BudgetFabricTestCase()
        : FlowControlTestCase("a fabric of budgets that are renewed")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        fabric.SetLink({"budgets",
                        "a frame in each microsecond",
                        "ns3::losslesstest::BudgetDevice",
                        "ns3::EthernetSwitch",
                        "ns3::EthernetSwitch",
                        false});
        fabric.SetDeviceAttribute("Budget", UintegerValue(FRAME));
        fabric.SetDeviceAttribute("Interval", TimeValue(MicroSeconds(1)));
        fabric.SetRdmaAttribute("Mtu", UintegerValue(MTU));
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 10 * MTU)});
        CompletionRecorder completions(fabric);
        LinkCounter counter(fabric);
        PortRecorder host(fabric.GetRdma(0)->GetDevice());
        Simulator::Stop(NanoSeconds(20500));
        Simulator::Run();
        // Grants leave at 1000 n and come at 1000 n + 1006.72: frame 0 goes at 0, frame k at
        // 1007 + 1000 k. The lane is OFF from the end of each frame.
        std::vector<int64_t> starts = {0};
        Gate gate = {{100, true}};
        for (int64_t k = 1; k < 10; k++)
        {
            starts.push_back(1007 + 1000 * k);
            gate.emplace_back(1007 + 1000 * k, false);
            gate.emplace_back(1107 + 1000 * k, true);
        }
        gate.pop_back(); // nothing waits behind the last
        Expect(StartsOf(host, 3), starts, "frame");
        Expect(GateOf(host, 3), gate, "trace");
        // The switch has room by then: 10007 + 2 x 1100, and the ACK 2 x 1006.88.
        NS_TEST_EXPECT_MSG_EQ(completions.Fct(0), 10007 + 2200 + 2014, "completion time");
        // Four ports, at 1000, 2000, ..., 20000.
        NS_TEST_EXPECT_MSG_EQ(counter.Sum(&LinkCounter::Count::pauses), 4 * 20, "grants");
        NS_TEST_EXPECT_MSG_EQ(counter.Sum(&LinkCounter::Count::drops), 0, "nothing is lost");
    }
};

/// The suite `lossless-link-flow-control`.
class LosslessLinkFlowControlTestSuite : public TestSuite
{
  public:
    LosslessLinkFlowControlTestSuite()
        : TestSuite("lossless-link-flow-control", Type::SYSTEM)
    {
        AddTestCase(new IntervalTestCase);
        AddTestCase(new IntervalFabricTestCase);
        AddTestCase(new BudgetTestCase);
        AddTestCase(new BlockTestCase);
        AddTestCase(new LanesTestCase);
        AddTestCase(new ControlFirstTestCase);
        AddTestCase(new SourceTestCase);
        AddTestCase(new LargerBehindTestCase);
        AddTestCase(new BudgetFabricTestCase);
    }
};

LosslessLinkFlowControlTestSuite g_losslessLinkFlowControlTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Queue pairs: pacing, windows, timers, acknowledgement, recovery, notification, determinism.

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/object-factory.h"
#include "ns3/pcn.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <sstream>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

// A frame over one link of 100 Gb/s and 1 us takes 86.56 + 1000 ns, its ACK 6.88 + 1000 ns.
constexpr int64_t FRAME_PS = 86560;
constexpr int64_t ONE_WAY_PS = FRAME_PS + 1000000;
constexpr int64_t ACK_PS = 6880 + 1000000;

/// @returns the first nanosecond not before a time [ps]
int64_t
Ceil(int64_t ps)
{
    return (ps + 999) / 1000;
}

/// Two hosts and one link, and everything recorded.
class TwoHosts
{
  public:
    /// @param flows from host 0 to host 1 or back
    /// @param controller of all queue pairs, nullptr for line rate
    /// @param prepare called before Build()
    explicit TwoHosts(const std::vector<FlowSpec>& flows,
                      Ptr<RateController> controller = nullptr,
                      const std::function<void(LosslessFabric&)>& prepare = nullptr)
    {
        AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
        if (controller)
        {
            fabric.SetScheme(SchemeOf(fabric, controller));
        }
        if (prepare)
        {
            prepare(fabric);
        }
        fabric.Build();
        fabric.InstallFlows(flows);
        messages = std::make_unique<CompletionRecorder>(fabric);
        for (uint32_t h = 0; h < 2; h++)
        {
            port[h] = std::make_unique<PortRecorder>(fabric.GetRdma(h)->GetDevice());
        }
    }

    /// @param host where frames are lost @param places of them @param data DATA frames, else ACKs
    void Lose(uint32_t host, const std::set<uint32_t>& places, bool data)
    {
        Ptr<ListedFrameErrorModel> errors = CreateObject<ListedFrameErrorModel>();
        errors->places = places;
        // Without FCS an ACK has 62 B, a full data frame 1058 B.
        (data ? errors->minimumBytes : errors->maximumBytes) = 100;
        fabric.GetRdma(host)->GetDevice()->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    }

    /// @returns when the transmission of each data frame of host 0 began, by its arrival [ps]
    std::vector<int64_t> Starts() const
    {
        std::vector<int64_t> starts;
        for (const auto& entry : port[1]->Of(PortRecorder::RECEIVED, FrameKind::DATA))
        {
            starts.push_back(entry.readyPs - ONE_WAY_PS);
        }
        return starts;
    }

    LosslessFabric fabric;
    std::unique_ptr<CompletionRecorder> messages;
    std::unique_ptr<PortRecorder> port[2];
};

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

/// A rate below line rate spaces frames exactly.
class PacingTestCase : public LosslessTestCase
{
  public:
    PacingTestCase()
        : LosslessTestCase("pacing at 10 Gb per second")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->rateBps = 10e9;
        TwoHosts net({MakeFlow(0, 0, 1, 100000)}, controller);
        Simulator::Run();
        const auto starts = net.Starts();
        LOSSLESS_TEST_REQUIRE(Number(starts.size()), 100, "frames");
        for (std::size_t i = 0; i < starts.size(); i++)
        {
            // 1082 B with preamble and gap at 10 Gb/s: 865.6 ns, and nothing adds up.
            NS_TEST_EXPECT_MSG_EQ(starts[i], int64_t(865600 * i), "frame " << i);
        }
    }
};

/// A window allows so many bytes for each round trip.
class WindowTestCase : public LosslessTestCase
{
  public:
    /// @param window [B] @param bytes of the flow @param expectedNs completion time
    WindowTestCase(uint64_t window, uint64_t bytes, int64_t expectedNs)
        : LosslessTestCase("a window of " + std::to_string(window) + " B"),
          m_window(window),
          m_bytes(bytes),
          m_expectedNs(expectedNs)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->window = m_window;
        TwoHosts net({MakeFlow(0, 0, 1, m_bytes)}, controller);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), m_expectedNs, "completion time");
        for (const auto& ack : *controller->acknowledgements)
        {
            NS_TEST_EXPECT_MSG_LT(ack.sentTotal - ack.ackedTotal,
                                  std::max<uint64_t>(m_window, 1000) + 1,
                                  "unacknowledged bytes");
        }
    }

    uint64_t m_window;
    uint64_t m_bytes;
    int64_t m_expectedNs;
};

/// A window that holds fewer frames than AckInterval does not wait for the timeout.
class WindowBelowAckIntervalTestCase : public LosslessTestCase
{
  public:
    WindowBelowAckIntervalTestCase()
        : LosslessTestCase("a window smaller than the interval of ACKs")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->window = 5000;
        TwoHosts net({MakeFlow(0, 0, 1, 100000)}, controller, [](LosslessFabric& fabric) {
            fabric.SetRdmaAttribute("AckInterval", UintegerValue(10));
        });
        Simulator::Run();
        // 20 windows, each a round trip of 2.1 us after its fifth frame of 86.56 ns.
        NS_TEST_EXPECT_MSG_LT(net.messages->Fct(0), 20 * (2100 + 5 * 87), "completion time");
    }
};

/// A window that shrinks while frames are under way that did not ask for an acknowledgement: one
/// more is sent, which asks, instead of waiting for the timeout.
class WindowShrinksTestCase : public LosslessTestCase
{
  public:
    WindowShrinksTestCase()
        : LosslessTestCase("a window that shrinks below the interval of ACKs")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->changes = {{NanoSeconds(500), 100e9}};
        controller->windowAfterChange = 1000;
        TwoHosts net({MakeFlow(0, 0, 1, 9000)}, controller, [](LosslessFabric& fabric) {
            fabric.SetRdmaAttribute("AckInterval", UintegerValue(4));
        });
        Simulator::Run();
        // Six frames leave before the window shrinks; the fourth asked. Its ACK is back at 4
        // x 86.56
        // + 2006.88 = 2353.12 ns, on the grid 2354, and two frames are left that did not ask. The
        // next three ask, and each goes when the ACK of the one before is back, 2093.44 ns later.
        const std::vector<int64_t> starts =
            {0, 86560, 173120, 259680, 346240, 432800, 2354000, 4448000, 6542000};
        NS_TEST_EXPECT_MSG_EQ((net.Starts() == starts), true, "starts");
        NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), 8636, "6542 + 2093.44");
        NS_TEST_EXPECT_MSG_EQ(net.messages->completions.at(0).retransmitted, 0, "nothing again");
    }
};

/// Intervals that are switched off by a value beyond what 64 bits of picoseconds hold: as if the
/// event never came, and not at once.
class FarTimerTestCase : public LosslessTestCase
{
  public:
    FarTimerTestCase()
        : LosslessTestCase("timers of years")
    {
    }

  private:
    void DoRun() override
    {
        for (const Time& never : {Seconds(1e7), Time::Max()})
        {
            Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
            controller->changes = {{never, 1e9}};
            TwoHosts net({MakeFlow(0, 0, 1, 1000000)}, controller, [&](LosslessFabric& fabric) {
                fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(never));
                fabric.SetRdmaAttribute("CnpInterval", TimeValue(never));
                fabric.SetDeviceAttribute("RefreshInterval", TimeValue(never));
            });
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            // 1000 x 86.56 + 2006.88
            NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), 88567, "as without timers");
            NS_TEST_EXPECT_MSG_EQ(net.messages->completions.at(0).retransmitted, 0, "no timeout");
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Seconds(1), "and no event before");
            Simulator::Destroy();
        }
    }
};

/// A queue pair that waits for its window goes on when the controller's timer opens it.
class WindowTimerTestCase : public LosslessTestCase
{
  public:
    WindowTimerTestCase()
        : LosslessTestCase("a timer opens the window")
    {
    }

  private:
    /// @param timerNs when the window opens for good [ns] @returns when the two frames were sent
    /// [ns]
    std::vector<int64_t> Run(int64_t timerNs)
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->window = 1000;
        controller->changes = {{NanoSeconds(timerNs), 100e9}};
        TwoHosts net({MakeFlow(0, 0, 1, 2000)}, controller);
        Simulator::Run();
        std::vector<int64_t> sent;
        for (const auto& call : *controller->calls)
        {
            if (call.what == "sent")
            {
                sent.push_back(call.ns);
            }
        }
        Simulator::Destroy();
        return sent;
    }

    void DoRun() override
    {
        // The first ACK comes after more than 2 us: the second frame leaves with the timer, or with
        // the ACK if the timer is later than that.
        NS_TEST_EXPECT_MSG_EQ((Run(1500) == std::vector<int64_t>{0, 1500}), true, "timer first");
        const auto sent = Run(500000);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 2, "frames sent");
        NS_TEST_EXPECT_MSG_GT(sent[1], 2000, "not before the ACK");
        NS_TEST_EXPECT_MSG_LT(sent[1], 10000, "with the ACK");
    }
};

/// A change of rate counts from the last frame on.
class RateChangeTestCase : public LosslessTestCase
{
  public:
    RateChangeTestCase()
        : LosslessTestCase("a change of rate within a gap")
    {
    }

  private:
    /// @param from rate @param to rate from 1000 ns on @param frames to send @returns their starts
    std::vector<int64_t> Run(double from, double to, uint64_t frames)
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->rateBps = from;
        controller->changes = {{NanoSeconds(1000), to}};
        TwoHosts net({MakeFlow(0, 0, 1, 1000 * frames)}, controller);
        Simulator::Run();
        Simulator::Destroy();
        return net.Starts();
    }

    void DoRun() override
    {
        // Up: the third frame was due at 2 x 865.6. At the new rate it had been due at 865.6
        // + 86.56, which is past, so it leaves at 1000 ns.
        const std::vector<int64_t> up = {0, 865600, 1000000, 1086560, 1173120};
        NS_TEST_EXPECT_MSG_EQ((Run(10e9, 100e9, 5) == up), true, "a rise is used at once");
        // Half as much: 865.6 + 432.8 is still to come.
        const std::vector<int64_t> some = {0, 865600, 1298400, 1731200};
        NS_TEST_EXPECT_MSG_EQ((Run(10e9, 20e9, 4) == some), true, "the gap is counted again");
        // Down: frame 12 was due at 12 x 86.56 = 1038.72, now 865.6 after frame 11.
        const auto down = Run(100e9, 10e9, 14);
        LOSSLESS_TEST_REQUIRE(Number(down.size()), 14, "frames");
        NS_TEST_EXPECT_MSG_EQ(down[11], 952160, "before the cut");
        NS_TEST_EXPECT_MSG_EQ(down[12], 952160 + 865600, "after the cut");
        NS_TEST_EXPECT_MSG_EQ(down[13], 952160 + 2 * 865600, "and on");
    }
};

/// The controller is called in the order of its deadlines, with their times, before other inputs.
class ControllerTimerTestCase : public LosslessTestCase
{
  public:
    ControllerTimerTestCase()
        : LosslessTestCase("a controller's timer")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        controller->rateBps = 10e9;
        // The first two pass while the line is busy with the first frame (until 86.56 ns).
        for (int ns : {5, 10, 500, 866, 1700, 2000})
        {
            controller->changes.emplace_back(NanoSeconds(ns), 10e9);
        }
        TwoHosts net({MakeFlow(0, 0, 1, 3000)}, controller);
        Simulator::Run();
        std::ostringstream calls;
        for (const auto& call : *controller->calls)
        {
            calls << call.what << " " << call.ns << " " << call.value << "; ";
        }
        // Frames start at 0, 865.6 and 1731.2 ns, on the grid 866 and 1732; the ACK of the first is
        // back at 2093.44 ns, that of the second at 2959.04; the third completes the message.
        NS_TEST_EXPECT_MSG_EQ(calls.str(),
                              "sent 0 1082; timer 5 0; timer 10 0; timer 500 0; timer 866 0; "
                              "sent 866 1082; timer 1700 0; sent 1732 1082; timer 2000 0; "
                              "ack 2094 1000; ack 2960 1000; ",
                              "calls");
    }
};

/// One ACK for each AckInterval frames and for the last; it costs no time.
class AckIntervalTestCase : public LosslessTestCase
{
  public:
    /// @param interval of ACKs @param acks expected for 1000 frames
    AckIntervalTestCase(uint32_t interval, int64_t acks)
        : LosslessTestCase("an ACK for each " + std::to_string(interval) + " frames"),
          m_interval(interval),
          m_acks(acks)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        TwoHosts net({MakeFlow(0, 0, 1, 999500)}, controller, [this](LosslessFabric& fabric) {
            fabric.SetRdmaAttribute("AckInterval", UintegerValue(m_interval));
        });
        Simulator::Run();
        const auto acks = net.port[0]->Of(PortRecorder::RECEIVED, FrameKind::ACK);
        NS_TEST_EXPECT_MSG_EQ(Number(acks.size()), m_acks, "ACKs");
        NS_TEST_EXPECT_MSG_EQ(Number(acks.at(0).psn),
                              m_interval - 1,
                              "the first covers an interval");
        NS_TEST_EXPECT_MSG_EQ(Number(acks.back().psn), 999, "the last is for the last frame");
        // The last frame has 500 B, 582 on the wire: 999 x 86.56 + 46.56 + 2006.88 = 88526.88
        NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), 88527, "completion time");
        // The controller hears of all but the last one, which ends the message.
        LOSSLESS_TEST_REQUIRE(Number(controller->acknowledgements->size()), m_acks - 1, "OnAck()");
        const auto& first = controller->acknowledgements->front();
        NS_TEST_EXPECT_MSG_EQ(first.ackedBytes, uint64_t(1000) * m_interval, "newly acknowledged");
        NS_TEST_EXPECT_MSG_EQ(first.nack, false, "no NACK");
        // From the start of the newest frame it covers: 2093.44 ns, seen on the grid.
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(first.rtt), int64_t(2093), int64_t(1), "RTT");
        uint64_t total = 0;
        for (const auto& ack : *controller->acknowledgements)
        {
            total += ack.ackedBytes;
            NS_TEST_EXPECT_MSG_EQ(ack.ackedTotal, total, "the sum of all");
        }
    }

    uint32_t m_interval;
    int64_t m_acks;
};

/// The priority of acknowledgements.
class AckPriorityTestCase : public LosslessTestCase
{
  public:
    /// @param configured AckPriority @param expected priority for data of priority 4
    AckPriorityTestCase(int configured, int64_t expected)
        : LosslessTestCase("AckPriority " + std::to_string(configured)),
          m_configured(configured),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 10000, 0, 4)}, nullptr, [this](LosslessFabric& fabric) {
            fabric.SetLosslessPriorities(1 << 4);
            fabric.SetRdmaAttribute("AckPriority", IntegerValue(m_configured));
        });
        net.Lose(1, {5}, true);
        Simulator::Run();
        for (FrameKind kind : {FrameKind::ACK, FrameKind::NACK})
        {
            const auto replies = net.port[0]->Of(PortRecorder::RECEIVED, kind);
            LOSSLESS_TEST_REQUIRE(replies.empty(), false, "replies");
            NS_TEST_EXPECT_MSG_EQ(Number(replies.at(0).priority), m_expected, "priority");
        }
    }

    int m_configured;
    int64_t m_expected;
};

/// An ACK echoes the highest mark of the data it covers, and only of that.
class EchoTestCase : public LosslessTestCase
{
  public:
    EchoTestCase()
        : LosslessTestCase("marks echoed in ACKs")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        fabric.SetScheme(SchemeOf(fabric, controller));
        fabric.SetRdmaAttribute("AckInterval", UintegerValue(4));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 40000)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.psn == 9                       ? CodePoint::CONGESTION
                   : frame.psn == 10 || frame.psn == 21 ? CodePoint::UNDETERMINED
                                                        : CodePoint::NOT_CAPABLE;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        Simulator::Run();
        std::vector<int64_t> echoes;
        for (const auto& ack : *controller->acknowledgements)
        {
            echoes.push_back(Number(ack.echo));
        }
        // Nine ACKs of four frames; the tenth ends the message. Frames 8 to 11 had UE and CE, 20 to
        // 23 UE.
        const std::vector<int64_t> expected = {1, 1, 3, 1, 1, 2, 1, 1, 1};
        NS_TEST_EXPECT_MSG_EQ((echoes == expected), true, "echoes");
    }
};

/// ACKs in the priority of the data take turns with it: neither starves.
class AckTurnTestCase : public LosslessTestCase
{
  public:
    AckTurnTestCase()
        : LosslessTestCase("data and ACKs of one priority take turns")
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 1000000), MakeFlow(1, 1, 0, 1000000)},
                     nullptr,
                     [](LosslessFabric& fabric) {
                         fabric.SetRdmaAttribute("AckPriority", IntegerValue(-1));
                     });
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        for (const auto& port : net.port)
        {
            // From 1086.56 ns on both wait at each end of a frame: 93.44 ns for one of each, 523 by
            // 50 us, after 12 or 13 frames of data alone. What arrives is 1 us behind: some 11.
            const auto data = port->Of(PortRecorder::RECEIVED, FrameKind::DATA);
            const auto acks = port->Of(PortRecorder::RECEIVED, FrameKind::ACK);
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(data.size()),
                                      int64_t(523 + 12 - 11),
                                      int64_t(2),
                                      "data");
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(acks.size()), int64_t(523 - 11), int64_t(2), "ACKs");
        }
    }
};

/// Packets of the protocol stack in the priority of the data take turns with it.
class StackTurnTestCase : public LosslessTestCase
{
  public:
    StackTurnTestCase()
        : LosslessTestCase("data and packets of one priority take turns")
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 100000)}, nullptr, [](LosslessFabric& fabric) {
            fabric.SetDeviceAttribute("StackPriority", UintegerValue(3));
        });
        Ptr<QbbNetDevice> device = net.fabric.GetRdma(0)->GetDevice();
        CallAt(NanoSeconds(1000), [device]() {
            for (int i = 0; i < 20; i++)
            {
                device->Send(Create<Packet>(1000), device->GetBroadcast(), 0x88b5);
            }
        });
        Simulator::Run();
        // Frames 0 to 11 begin before 1000 ns; the rest alternate until the packets have left.
        const auto sent = net.port[0]->Of(PortRecorder::TRANSMIT);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 120, "frames");
        for (std::size_t i = 12; i < 12 + 40; i += 2)
        {
            NS_TEST_EXPECT_MSG_EQ((sent[i].kind != sent[i + 1].kind), true, "places " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((sent[52].kind == FrameKind::DATA), true, "data alone again");
    }
};

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

    /// @param name of the case @param loss what is lost @param expectedNs completion time @param
    /// again frames sent again
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
    /// @param run of the random numbers @param ackInterval frames for each ACK
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

/// The notification point: at most one CNP for each CnpInterval and kind of mark.
class CnpTestCase : public LosslessTestCase
{
  public:
    /// What is marked.
    enum Marks
    {
        ALL_CE,
        CE_AND_UE,
        NOT_CAPABLE,
        NO_CNP,
    };

    /// @param name of the case @param marks what is marked
    CnpTestCase(const std::string& name, Marks marks)
        : LosslessTestCase("CNPs: " + name),
          m_marks(marks)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.SetScheme(SchemeOf(fabric, CreateObject<RateController>()));
        fabric.SetRdmaAttribute("CnpInterval", TimeValue(MicroSeconds(20)));
        fabric.SetRdmaAttribute("CnpPriority", UintegerValue(5));
        fabric.SetRdmaAttribute("VlanTag", BooleanValue(m_marks == CE_AND_UE));
        fabric.SetRdmaAttribute("EcnCapable", BooleanValue(m_marks != NOT_CAPABLE));
        fabric.SetRdmaAttribute("SendCnp", BooleanValue(m_marks != NO_CNP));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        const bool both = m_marks == CE_AND_UE;
        detector->mark = [both](const Frame& frame) {
            return both && frame.psn % 2 == 0 ? CodePoint::UNDETERMINED : CodePoint::CONGESTION;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        PortRecorder receiver(fabric.GetRdma(1)->GetDevice());
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(messages.completions.size()), 1, "complete");

        // Marked frames arrive every 86.56 ns from 2173.12 to 88646.56 ns, so CNPs leave at 2174
        // and then at the first frame 20 us or more after the last one: five times.
        const int64_t ce = m_marks == ALL_CE || both ? 5 : 0;
        const int64_t ue = both ? 5 : 0;
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpCe), ce, "CNPs that said CE");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpUe), ue, "CNPs that said UE");
        const auto& reception = messages.receptions.at(0);
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsCe),
                              (both                     ? 500
                               : m_marks == NOT_CAPABLE ? 0
                                                        : 1000),
                              "marked CE");
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsUe), (both ? 500 : 0), "marked UE");
        const auto cnps = receiver.Of(PortRecorder::TRANSMIT, FrameKind::CNP);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), ce + ue, "CNPs");
        std::map<CodePoint, int64_t> last;
        for (const auto& cnp : cnps)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(cnp.priority), 5, "CnpPriority");
            // 14 + 20 + 8 + 12 + 16 + 4 + 4, and a tag of 4
            NS_TEST_EXPECT_MSG_EQ(Number(cnp.bytes), (both ? 82 : 78), "size");
            if (last.count(cnp.feedback))
            {
                const int64_t gap = cnp.ns - last[cnp.feedback];
                NS_TEST_EXPECT_MSG_GT(gap, 20000 - 1, "CnpInterval");
                // At most two frames later (every other one has the same mark), and the wait for an
                // ACK on the line.
                NS_TEST_EXPECT_MSG_LT(gap, 20000 + 2 * 88 + 8, "and no longer than needed");
            }
            last[cnp.feedback] = cnp.ns;
        }
    }

    Marks m_marks;
};

/// A fixed rate that keeps the notifications it gets.
class NotedController : public RateController
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::losslesstest::NotedController")
                                .SetParent<RateController>()
                                .SetGroupName("Lossless")
                                .HideFromDocumentation()
                                .AddConstructor<NotedController>();
        return tid;
    }

    Ptr<RateController> Fork() const override
    {
        return CopyObject<NotedController>(Ptr<const NotedController>(this));
    }

    void OnCnp(const Frame::Feedback& feedback, Time) override
    {
        notes->push_back(feedback);
    }

    double rateBps{0}; //!< 0 for line rate
    std::shared_ptr<std::vector<Frame::Feedback>> notes{
        std::make_shared<std::vector<Frame::Feedback>>()}; //!< of all forks, in order

  protected:
    void DoStart(Time) override
    {
        m_rateBps = rateBps > 0 ? rateBps : m_rateBps;
    }
};

/// @param fabric whose receivers tell the rate of arrival
void
TellReceiveRate(LosslessFabric& fabric)
{
    fabric.SetRdmaAttribute("CnpRule", EnumValue(RdmaHw::RECEIVE_RATE));
}

/// The notification point of PCN: periods of known frames.
class ReceiveRateTestCase : public LosslessTestCase
{
  public:
    /// @param share MarkedShare @param least marks of 232 frames that it takes
    ReceiveRateTestCase(double share, uint32_t least)
        : LosslessTestCase("CNPs: the receive rate and " + std::to_string(least) + " marks of 232"),
          m_share(share),
          m_least(least)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        Ptr<NotedController> controller = CreateObject<NotedController>();
        fabric.SetScheme(SchemeOf(fabric, controller));
        TellReceiveRate(fabric);
        fabric.SetRdmaAttribute("CnpInterval", TimeValue(MicroSeconds(20)));
        fabric.SetRdmaAttribute("MarkedShare", DoubleValue(m_share));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000)});
        // Frames arrive every 86.56 ns from 2173.12 ns on. 20 us after that one it is frame 232,
        // 20081.92 ns later; the next periods have 232 frames, too.
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        const uint32_t least = m_least;
        detector->mark = [least](const Frame& frame) {
            const uint32_t psn = frame.psn;
            const bool ce = (psn > 232 - least && psn <= 232) || // just enough of 1..232
                            (psn > 465 - least && psn <= 464) || // one less of 233..464
                            psn > 696;                           // all, the message ends with 999
            return ce           ? CodePoint::CONGESTION
                   : psn >= 465 ? CodePoint::UNDETERMINED // all of 465..696
                                : CodePoint::NOT_CAPABLE;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder receiver(fabric.GetRdma(1)->GetDevice());
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(messages.completions.size()), 1, "complete");

        const auto cnps = receiver.Of(PortRecorder::TRANSMIT, FrameKind::CNP);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), 4, "999 / 232 periods");
        LOSSLESS_TEST_REQUIRE(Number(controller->notes->size()), 4, "all reach the sender");
        const CodePoint codes[] = {CodePoint::CONGESTION,
                                   CodePoint::CAPABLE,
                                   CodePoint::CAPABLE, // UE is not CE
                                   CodePoint::CONGESTION};
        for (std::size_t i = 0; i < 4; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(cnps[i].ns,
                                  Ceil(2173120 + (i + 1) * 20081920),
                                  "when period " << i << " ends");
            const auto& note = controller->notes->at(i);
            // 232 x 1082 B, preamble and gap included, in 20081.92 ns: the line's rate.
            NS_TEST_EXPECT_MSG_EQ(Number(note.fairRate), 10000, "10 Mb/s, period " << i);
            NS_TEST_EXPECT_MSG_EQ(Number(note.code), Number(codes[i]), "mark, period " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpCe), 2, "01 is not CE");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpUe), 0, "nor UE");
        const auto& reception = messages.receptions.at(0);
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsCe), 2 * m_least - 1 + 303, "marked CE");
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsUe), 232, "marked UE");
    }

    double m_share;
    uint32_t m_least;
};

/// A flow whose frames are further apart than CnpInterval: each gap is a period.
class SlowReceiveRateTestCase : public LosslessTestCase
{
  public:
    /// @param rateMbps of the sender @param expected rate in each CNP, 0 with SendCnp off [10 Mb/s]
    SlowReceiveRateTestCase(uint32_t rateMbps, int64_t expected)
        : LosslessTestCase("CNPs: a receive rate of " + std::to_string(rateMbps) +
                           " Mb per second"),
          m_rateMbps(rateMbps),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<NotedController> controller = CreateObject<NotedController>();
        controller->rateBps = m_rateMbps * 1e6;
        TwoHosts net({MakeFlow(0, 0, 1, 5000)}, controller, [this](LosslessFabric& fabric) {
            TellReceiveRate(fabric);
            fabric.SetRdmaAttribute("SendCnp", BooleanValue(m_expected > 0));
        });
        Simulator::Run();
        // 1082 B at 100 Mb/s are 86.56 us, more than the 50 us of CnpInterval.
        LOSSLESS_TEST_REQUIRE(Number(controller->notes->size()),
                              (m_expected > 0 ? 4 : 0),
                              "one for each gap");
        for (const auto& note : *controller->notes)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(note.fairRate), m_expected, "10 Mb/s");
            NS_TEST_EXPECT_MSG_EQ(Number(note.code), Number(CodePoint::CAPABLE), "no mark");
        }
    }

    uint32_t m_rateMbps;
    int64_t m_expected;
};

/// Two flows meet at a port of half their sum: each is told its own rate and marks.
class SharedReceiveRateTestCase : public LosslessTestCase
{
  public:
    SharedReceiveRateTestCase()
        : LosslessTestCase("CNPs: the receive rates of two flows")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        Ptr<NotedController> controller = CreateObject<NotedController>();
        controller->rateBps = 60e9;
        fabric.SetScheme(SchemeOf(fabric, controller));
        TellReceiveRate(fabric);
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 2, 1500000), MakeFlow(1, 1, 2, 1500000)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.flow == 0 || frame.psn % 10 > 0 ? CodePoint::CONGESTION
                                                         : CodePoint::NOT_CAPABLE;
        };
        fabric.GetSwitches()[0]->GetPort(2)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder receiver(fabric.GetRdma(2)->GetDevice());
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(messages.completions.size()), 2, "complete");

        // 3000 frames in 259.68 us, which are five periods for each flow.
        const auto cnps = receiver.Of(PortRecorder::TRANSMIT, FrameKind::CNP);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), 10, "CNPs");
        LOSSLESS_TEST_REQUIRE(Number(controller->notes->size()), 10, "notifications");
        std::map<uint32_t, int64_t> last;
        for (std::size_t i = 0; i < cnps.size(); i++)
        {
            const uint32_t flow = cnps[i].flow;
            // The flows take turns on the line, so 289 x 2 x 86.56 = 50031.68 ns, on the grid, and
            // the wait for an ACK of 6.88 ns.
            if (last.count(flow))
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(cnps[i].ns - last[flow],
                                          int64_t(50032),
                                          int64_t(8),
                                          "flow " << flow);
            }
            last[flow] = cnps[i].ns;
            // 289 x 1082 B in that time. All of flow 0 and 90 % of flow 1 are marked.
            const CodePoint code = flow == 0 ? CodePoint::CONGESTION : CodePoint::CAPABLE;
            NS_TEST_EXPECT_MSG_EQ(Number(cnps[i].feedback), Number(code), "flow " << flow);
            NS_TEST_EXPECT_MSG_EQ(Number(controller->notes->at(i).fairRate), 5000, "half");
        }
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpCe), 5, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(1).cnpCe), 0, "flow 1");
    }
};

/// Pcn's two ends together: one CNP brings the senders just below what they get.
class PcnTestCase : public LosslessTestCase
{
  public:
    PcnTestCase()
        : LosslessTestCase("PCN: two flows share a port")
    {
    }

  private:
    void Rate(uint32_t flow, double rateBps)
    {
        m_rates[flow].emplace_back(Simulator::Now().GetNanoSeconds(), rateBps);
    }

    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        fabric.SetScheme(SchemeOf(fabric, CreateObject<Pcn>()));
        TellReceiveRate(fabric);
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 2, 3000000), MakeFlow(1, 1, 2, 3000000)});
        // All are marked, as while the queue of the first 50 us lasts.
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame&) { return CodePoint::CONGESTION; };
        fabric.GetSwitches()[0]->GetPort(2)->SetDetector(3, detector);
        for (uint32_t h = 0; h < 2; h++)
        {
            fabric.GetRdma(h)->TraceConnectWithoutContext("Rate",
                                                          MakeCallback(&PcnTestCase::Rate, this));
        }
        Simulator::Stop(MicroSeconds(400));
        Simulator::Run();
        for (uint32_t flow = 0; flow < 2; flow++)
        {
            const auto& rates = m_rates[flow];
            // The receive rate stays half of the line while the queue lasts, and the rate is below
            // it: nothing more to change.
            LOSSLESS_TEST_REQUIRE(Number(rates.size()), 1, "changes, flow " << flow);
            // The first frame is at the receiver after 2.2 us, the second flow's 0.1 us later. Then
            // a period of 50.03 us, and 2.01 us for the CNP.
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0].first, int64_t(54230), int64_t(100), "when");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0].second / 1e9,
                                      50.0 * 127 / 128,
                                      1e-9,
                                      "half, less w_min, in Gb/s");
        }
    }

    std::map<uint32_t, std::vector<std::pair<int64_t, double>>> m_rates; //!< [ns], [bit/s]
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

    /// @param scheduler of ns-3 @param seed of the random numbers @returns all that happened
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

/// The suite `lossless-rdma`.
class LosslessRdmaTestSuite : public TestSuite
{
  public:
    LosslessRdmaTestSuite()
        : TestSuite("lossless-rdma", Type::SYSTEM)
    {
        AddTestCase(new RoundRobinTestCase);
        AddTestCase(new StartTimeTestCase);
        AddTestCase(new PacingTestCase);
        // Ten frames for each round trip of 2093.44 ns, on the grid 2094 ns, since it is the ACK
        // that opens the window: 99 x 2094 + 9 x 86.56 + 2093.44 = 210178.48.
        AddTestCase(new WindowTestCase(10000, 1000000, 210179));
        // One frame may always be out: 9 x 2094 + 2093.44 = 20939.44
        AddTestCase(new WindowTestCase(1, 10000, 20940));
        // Larger than the product of delay and rate: as without, 1000 x 86.56 + 2006.88
        AddTestCase(new WindowTestCase(30000, 1000000, 88567));
        AddTestCase(new WindowBelowAckIntervalTestCase);
        AddTestCase(new WindowShrinksTestCase);
        AddTestCase(new FarTimerTestCase);
        AddTestCase(new WindowTimerTestCase);
        AddTestCase(new RateChangeTestCase);
        AddTestCase(new ControllerTimerTestCase);
        AddTestCase(new AckIntervalTestCase(1, 1000));
        AddTestCase(new AckIntervalTestCase(4, 250));
        AddTestCase(new AckIntervalTestCase(16, 63)); // 62 x 16 and the last
        AddTestCase(new AckPriorityTestCase(6, 6));
        AddTestCase(new AckPriorityTestCase(-1, 4));
        AddTestCase(new EchoTestCase);
        AddTestCase(new AckTurnTestCase);
        AddTestCase(new StackTurnTestCase);
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
        AddTestCase(new CnpTestCase("all frames CE", CnpTestCase::ALL_CE));
        AddTestCase(new CnpTestCase("CE and UE apart", CnpTestCase::CE_AND_UE));
        AddTestCase(new CnpTestCase("none for 00", CnpTestCase::NOT_CAPABLE));
        AddTestCase(new CnpTestCase("switched off", CnpTestCase::NO_CNP));
        AddTestCase(new ReceiveRateTestCase(0.95, 221)); // 220.4 are too few
        AddTestCase(new ReceiveRateTestCase(0.5, 116));  // exactly half
        AddTestCase(new SlowReceiveRateTestCase(100, 10));
        AddTestCase(new SlowReceiveRateTestCase(96, 10));
        AddTestCase(new SlowReceiveRateTestCase(94, 9));
        AddTestCase(new SlowReceiveRateTestCase(4, 1)); // the least that a CNP can say
        AddTestCase(new SlowReceiveRateTestCase(100, 0));
        AddTestCase(new SharedReceiveRateTestCase);
        AddTestCase(new PcnTestCase);
        AddTestCase(new StateTestCase);
        AddTestCase(new DeterminismTestCase);
    }
};

LosslessRdmaTestSuite g_losslessRdmaTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// PFC of a port: how long and whom a pause stops, its repetition, and its turn on the line.

#include "lossless-test-harness.h"

#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

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
        Ptr<LosslessNetDevice> far = fabric.GetRdma(1)->GetDevice();
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        Simulator::Schedule(NanoSeconds(10000), &SendPause, far, uint8_t(3), true);
        Simulator::Schedule(NanoSeconds(60000), &SendPause, far, uint8_t(3), false);
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
        Ptr<LosslessNetDevice> far = fabric.GetRdma(1)->GetDevice();
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        // Frame k starts at 100 k. The PFC frame leaves at once (ACKs begin at 1100 + 100 k and
        // take 6.88 ns) and takes effect at 10050 + 6.72 + 1000, on the grid 11057: while frame 110
        // is being sent, until 11100.
        Simulator::Schedule(NanoSeconds(10050), &SendPause, far, uint8_t(3), true);
        int64_t resumedNs = 11057 + 5120;
        if (!m_byTimer)
        {
            Simulator::Schedule(NanoSeconds(14050), &SendPause, far, uint8_t(3), false);
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
        Simulator::Schedule(NanoSeconds(1000), &SendPause, pair.port[1], uint8_t(5), true);
        Simulator::Schedule(NanoSeconds(11000), &SendPause, pair.port[1], uint8_t(5), false);
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        const auto gate = recorder.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(Number(gate.size()), 2, "refreshed without a change of state");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 2007, "OFF at 1000 + 6.72 + 1000");
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 12007, "ON");
        NS_TEST_EXPECT_MSG_EQ(far.Of(PortRecorder::GATE).empty(), true, "the other side is ON");
        // At 1000, then at 1000 + 256 k <= 11000: 39 times, then the resume.
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[1]->GetSentControlFrames()), 41, "PFC frames");
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
        Simulator::Schedule(NanoSeconds(1000), &SendPause, pair.port[1], uint8_t(0), true);
        Simulator::Schedule(NanoSeconds(3000), &SendPause, pair.port[1], uint8_t(0), false);
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
        Ptr<LosslessNetDevice> near = fabric.GetRdma(0)->GetDevice();
        Ptr<LosslessNetDevice> far = fabric.GetRdma(1)->GetDevice();
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        near->SetDetector(4, detector);
        Simulator::Schedule(NanoSeconds(10000), &SendPause, far, uint8_t(4), true);
        Simulator::Schedule(NanoSeconds(11000), &SendPause, far, uint8_t(4), true);
        Simulator::Schedule(NanoSeconds(200000), &SendPause, far, uint8_t(4), false);
        Simulator::Stop(MilliSeconds(1));
        LaneSet off = 0;
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
        Simulator::Schedule(NanoSeconds(30), &SendPause, pair.port[0], uint8_t(2), true);
        // All priorities of port 0 are OFF from 3000 + 6.72 + 1000 on.
        CallAt(NanoSeconds(3000), [&pair]() {
            for (uint8_t p = 0; p < PRIORITIES; p++)
            {
                SendPause(pair.port[1], p, true);
            }
        });
        Simulator::Schedule(NanoSeconds(5000),
                            &PortPair::Send,
                            &pair,
                            uint8_t(7),
                            uint32_t(980),
                            uint32_t(99));
        Simulator::Schedule(NanoSeconds(6000), &SendPause, pair.port[0], uint8_t(2), false);
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
        NS_TEST_EXPECT_MSG_EQ(Number(pair.port[1]->GetSentControlFrames()), 2, "merged");
        const auto pfc = far.Of(PortRecorder::TRANSMIT);
        NS_TEST_EXPECT_MSG_EQ(Number(pfc.at(0).pause.classes), 0x01, "priority 0");
        NS_TEST_EXPECT_MSG_EQ(Number(pfc.at(1).pause.classes), 0xfe, "the rest");
    }
};

/// The suite `lossless-link-pause`.
class LosslessLinkPauseTestSuite : public TestSuite
{
  public:
    LosslessLinkPauseTestSuite()
        : TestSuite("lossless-link-pause", Type::SYSTEM)
    {
        AddTestCase(new PausedBeforeStartTestCase);
        AddTestCase(new PauseLengthTestCase(false));
        AddTestCase(new PauseLengthTestCase(true));
        AddTestCase(new RefreshTestCase);
        AddTestCase(new ReactionDelayTestCase);
        AddTestCase(new OnePriorityPausedTestCase);
        AddTestCase(new PauseFramePrecedenceTestCase);
    }
};

LosslessLinkPauseTestSuite g_losslessLinkPauseTestSuite; //!< registers itself

} // namespace

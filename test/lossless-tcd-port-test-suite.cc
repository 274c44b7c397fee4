// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// TCD at one port: marks of several switches on a frame, and when an ON period begins.

#include "lossless-tcd-port-watch.h"
#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcd-detector.h"
#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Marks of the ports of a path combine by their maximum.
class PrecedenceTestCase : public LosslessTestCase
{
  public:
    PrecedenceTestCase()
        : LosslessTestCase("UE and CE along a path")
    {
    }

  private:
    void DoRun() override
    {
        const CodePoint none = CodePoint::NOT_CAPABLE;
        const CodePoint ue = CodePoint::UNDETERMINED;
        const CodePoint ce = CodePoint::CONGESTION;
        Expect({none, none, none}, true, 0, 0);
        Expect({none, ue, none}, true, 0, FRAMES);
        Expect({ue, ue, ue}, true, 0, FRAMES);
        Expect({ue, ce, none}, true, FRAMES, 0);
        Expect({ce, ue, none}, true, FRAMES, 0);
        Expect({ue, ce, ue}, true, FRAMES, 0);
        Expect({ce, none, ce}, true, FRAMES, 0);
        Expect({ue, ce, ue}, false, 0, 0); // code point 00
    }

    /**
     * @param marks of three switches
     * @param capable whether the sender says so
     * @param packetsCe that arrive so marked
     * @param packetsUe likewise
     */
    void Expect(const std::vector<CodePoint>& marks,
                bool capable,
                uint32_t packetsCe,
                uint32_t packetsUe)
    {
        LosslessFabric fabric;
        AddChain(fabric, std::vector<std::string>(4, "40Gb/s"), MicroSeconds(1));
        fabric.SetRdmaAttribute("EcnCapable", BooleanValue(capable));
        fabric.Build();
        const FlowSpec flow = MakeFlow(0, 0, 1, FRAMES * 1000);
        const auto path = fabric.GetPath(flow);
        for (std::size_t i = 0; i < marks.size(); i++)
        {
            Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
            const CodePoint code = marks[i];
            detector->mark = [code](const Frame&) { return code; };
            path.at(i + 1)->SetDetector(3, detector);
        }
        CompletionRecorder recorder(fabric);
        fabric.InstallFlows({flow});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(recorder.receptions.count(0), 1, "received");
        NS_TEST_EXPECT_MSG_EQ(recorder.receptions[0].packetsCe, packetsCe, "CE");
        NS_TEST_EXPECT_MSG_EQ(recorder.receptions[0].packetsUe, packetsUe, "UE");
        Simulator::Destroy();
    }

    static constexpr uint32_t FRAMES = 10; //!< of the flow
};

/**
 * TcdDetector at a port of 40 Gb/s, where a frame of 1062 B takes 216.4 ns, with a max(Ton) of 100
 * us. The port is OFF from the beginning to 300 us; 700 frames come in between.
 */
class ResumePeriodTestCase : public LosslessTestCase
{
  public:
    /// @param name of the case
    explicit ResumePeriodTestCase(const std::string& name)
        : LosslessTestCase(name)
    {
    }

  protected:
    /// @param disturb called before the simulation
    void RunPort(const std::function<void(PortPair&)>& disturb)
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue("40Gb/s"));
        helper.SetChannelAttribute("Delay", StringValue("1us"));
        PortPair pair(helper);
        Ptr<TcdDetector> detector = CreateObject<TcdDetector>();
        detector->SetAttribute("MaxTon", StringValue("100us"));
        DetectorContext context;
        context.rateBps = 40000000000;
        context.frameBytes = 1082;
        detector->Attach(context);
        pair.port[0]->SetDetector(3, detector);
        m_watch = std::make_unique<PortWatch>(pair.port[0]);
        Ptr<LosslessNetDevice> far = pair.port[1];
        CallAt(MicroSeconds(10), [&pair]() {
            for (uint32_t i = 0; i < 700; i++)
            {
                pair.Send(3, 1062, i);
            }
        });
        CallAt(Time(0), [far]() { SendPause(far, 3, true); });
        CallAt(MicroSeconds(300), [far]() { SendPause(far, 3, false); });
        disturb(pair);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.sink[1].frames.size(), 700 + m_others, "frames that arrived");
        NS_TEST_EXPECT_MSG_EQ(m_watch->pauses, 1, "OFF once");
    }

    std::unique_ptr<PortWatch> m_watch; //!< of the port
    std::size_t m_others{0};            //!< frames of other priorities
};

/// Pause frames that change nothing do not begin a new ON period.
class RefreshTestCase : public ResumePeriodTestCase
{
  public:
    RefreshTestCase()
        : ResumePeriodTestCase("refresh frames")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t refreshed = 0;
        RunPort([&refreshed](PortPair& pair) {
            // A pause of 65535 quanta lasts 0.84 ms at 40 Gb/s, so one more is sent by hand.
            Ptr<LosslessNetDevice> far = pair.port[1];
            CallAt(MicroSeconds(200), [far]() { SendPause(far, 3, true); });
            for (int us : {320, 350, 380})
            {
                CallAt(MicroSeconds(us), [far]() { SendPause(far, 3, false); });
            }
            CallAt(MicroSeconds(390),
                   [far, &refreshed]() { refreshed = far->GetSentControlFrames(); });
        });
        NS_TEST_EXPECT_MSG_EQ(refreshed, 6, "pause frames");
        // 700 frames take 151.5 us: the queue is at most 5 KB when 696 of them have left, and a
        // port that was not released by then would remain undetermined.
        NS_TEST_EXPECT_MSG_EQ(m_watch->States(), "0/0", "states");
        NS_TEST_ASSERT_MSG_EQ(m_watch->changes.size(), 2, "changes");
        NS_TEST_EXPECT_MSG_EQ(m_watch->changes[1].ns / 1000,
                              (m_watch->lastOnNs + 695 * 2164 / 10) / 1000,
                              "released");
        // One frame each 216.4 ns from the end of OFF: 100 us / 216.4 ns = 462.1, one for the
        // first.
        NS_TEST_EXPECT_MSG_EQ(m_watch->Marks(CodePoint::UNDETERMINED), 463, "UE");
        NS_TEST_EXPECT_MSG_EQ(m_watch->Marks(CodePoint::CONGESTION), 0, "CE");
    }
};

/// Frames of a higher priority keep a lossless one from sending in its ON period (section 4.5).
class PreemptionTestCase : public ResumePeriodTestCase
{
  public:
    /**
     * @param from beginning of the higher priority's frames
     * @param ue frames that leave before
     */
    PreemptionTestCase(Time from, uint64_t ue)
        : ResumePeriodTestCase("priority preemption after " + std::to_string(ue) + " frames"),
          m_from(from),
          m_ue(ue)
    {
    }

  private:
    void DoRun() override
    {
        // 1000 frames of priority 6 take 216 us: max(Ton) passes without a frame of priority 3.
        // What is left of its queue then is from the pause, and drains: no congestion.
        m_others = 1000;
        RunPort([this](PortPair& pair) {
            CallAt(m_from, [&pair]() {
                for (uint32_t i = 0; i < 1000; i++)
                {
                    pair.Send(6, 1062, i);
                }
            });
        });
        NS_TEST_EXPECT_MSG_EQ(m_watch->States(), "0/0", "states");
        NS_TEST_EXPECT_MSG_EQ(m_watch->Marks(CodePoint::CONGESTION), 0, "CE");
        NS_TEST_EXPECT_MSG_EQ(m_watch->Marks(CodePoint::UNDETERMINED), m_ue, "UE");
        NS_TEST_ASSERT_MSG_EQ(m_watch->changes.size(), 2, "changes");
        // All 1000, and 696 of the 700.
        NS_TEST_EXPECT_MSG_GT(m_watch->changes[1].ns, m_watch->lastOnNs + 365000, "not before");
    }

    Time m_from;   //!< beginning of the higher priority's frames
    uint64_t m_ue; //!< frames that leave before
};

/// The suite `lossless-tcd-port`.
class LosslessTcdPortTestSuite : public TestSuite
{
  public:
    LosslessTcdPortTestSuite()
        : TestSuite("lossless-tcd-port", Type::UNIT)
    {
        AddTestCase(new PrecedenceTestCase);
        AddTestCase(new RefreshTestCase);
        // The port is ON 1 us and a pause frame after 300 us, so 19.98 us and 92.4 frames before
        // the first of the two; frames of priority 6 that are there before let none go.
        AddTestCase(new PreemptionTestCase(MicroSeconds(321), 93));
        AddTestCase(new PreemptionTestCase(MicroSeconds(300), 0));
    }
};

LosslessTcdPortTestSuite g_losslessTcdPortTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// When a queue pair sends: rates, windows, and the timers of its controller.

#include "lossless-rdma-two-hosts.h"
#include "lossless-test-harness.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

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
    /**
     * @param window [B]
     * @param bytes of the flow
     * @param expectedNs completion time
     */
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
    /**
     * @param timerNs when the window opens for good [ns]
     * @returns when the two frames were sent [ns]
     */
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
    /**
     * @param from rate
     * @param to rate from 1000 ns on
     * @param frames to send
     * @returns their starts
     */
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

/// The suite `lossless-rdma-pacing`.
class LosslessRdmaPacingTestSuite : public TestSuite
{
  public:
    LosslessRdmaPacingTestSuite()
        : TestSuite("lossless-rdma-pacing", Type::SYSTEM)
    {
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
    }
};

LosslessRdmaPacingTestSuite g_losslessRdmaPacingTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The pause watchdog: when it steps in, with how much patience, and what that resolves.

#include "lossless-deadlock-ring.h"
#include "lossless-test-harness.h"

#include "ns3/deadlock-watch.h"
#include "ns3/lossless-fabric.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// A switch between two hosts, of which host 1 pauses the switch by hand; the watchdog acts after
/// 100 us and until 50 us without a pause have passed.
class WatchdogTimesTestCase : public LosslessTestCase
{
  public:
    /// @param forward the action
    explicit WatchdogTimesTestCase(bool forward)
        : LosslessTestCase(std::string("When the watchdog acts, and how: ") +
                           (forward ? "Forward" : "Drop")),
          m_forward(forward)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 2, "100Gb/s", MicroSeconds(1));
        fabric.SetScheme(FindScheme("none"));
        fabric.SetSwitchAttribute("WatchdogDetection", TimeValue(MicroSeconds(100)));
        fabric.SetSwitchAttribute("WatchdogRestoration", TimeValue(MicroSeconds(50)));
        fabric.SetSwitchAttribute("WatchdogAction", StringValue(m_forward ? "Forward" : "Drop"));
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(300)));
        fabric.Build();
        Ptr<EthernetSwitch> sw = EthernetSwitchOf(fabric, 0);
        sw->TraceConnectWithoutContext("Watchdog",
                                       MakeCallback(&WatchdogTimesTestCase::Acted, this));
        const CompletionRecorder recorder(fabric);
        const PortRecorder port(sw->GetPort(1));
        Ptr<LosslessNetDevice> receiver = fabric.GetRdma(1)->GetDevice();
        CallAt(Time(0), [receiver] { SendPause(receiver, 3, true); });
        CallAt(MicroSeconds(200), [receiver] { SendPause(receiver, 3, false); });
        fabric.InstallFlows({MakeFlow(0, 0, 1, 10000), MakeFlow(1, 0, 1, 3000, 150000)});
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();

        // The pause takes 6.72 ns and 1 us: OFF at 1007 ns. The first frame takes 86.56 ns and 1
        // us: it has waited since 1087 ns, for 100 us at 101 087 ns. The resume comes at 201 007
        // ns, and 50 us later pauses have their effect again.
        LOSSLESS_TEST_REQUIRE(m_acted.size(), 2U, "acted");
        NS_TEST_EXPECT_MSG_EQ(m_acted[0], 101087, "begins");
        NS_TEST_EXPECT_MSG_EQ(m_acted[1], 251007, "ends");
        NS_TEST_EXPECT_MSG_EQ(sw->GetWatchdogDetections(), 1U, "detections");
        const auto drops = port.Of(PortRecorder::DROP);
        NS_TEST_EXPECT_MSG_EQ(sw->GetDrops(), drops.size(), "drops");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 2U, "completed");
        NS_TEST_EXPECT_MSG_EQ(sw->GetBuffer().GetUsedBytes(), 0U, "buffer");
        const auto gate = port.Of(PortRecorder::GATE);
        LOSSLESS_TEST_REQUIRE(gate.size(), 2U, "gate");
        NS_TEST_EXPECT_MSG_EQ(gate[0].ns, 1007, "OFF");
        if (m_forward)
        {
            // Ten frames of 86.56 ns leave from 101 087 ns on; the last one is there at 102 952.6
            // ns, and its ACK, 6.88 ns and 1 us on each of two links, at 104 966.36 ns.
            NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 101087, "ON");
            NS_TEST_EXPECT_MSG_EQ(drops.size(), 0U, "drops");
            NS_TEST_EXPECT_MSG_EQ(recorder.completions.at(0).retransmitted, 0U, "sent again");
            NS_TEST_EXPECT_MSG_EQ(recorder.Fct(0), 104967, "completed");
            // The second flow meets no queue: as in an idle network.
            NS_TEST_EXPECT_MSG_EQ(recorder.Fct(1),
                                  Number(fabric.GetIdealFct(MakeFlow(1, 0, 1, 3000))),
                                  "as if nothing were paused");
            return;
        }
        // Ten that had waited, then three of the second flow when they come.
        NS_TEST_EXPECT_MSG_EQ(gate[1].ns, 251007, "ON");
        LOSSLESS_TEST_REQUIRE(drops.size(), 13U, "drops");
        for (uint32_t i = 0; i < 13; i++)
        {
            // 150 us + (i - 9) x 86.56 ns + 1 us
            const int64_t arrival[] = {151087, 151174, 151260};
            NS_TEST_EXPECT_MSG_EQ(drops[i].reason, Number(LosslessNetDevice::WATCHDOG), "reason");
            NS_TEST_EXPECT_MSG_EQ(drops[i].flow, (i < 10 ? 0U : 1U), "flow");
            NS_TEST_EXPECT_MSG_EQ(drops[i].ns, (i < 10 ? 101087 : arrival[i - 10]), "dropped");
        }
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.at(0).retransmitted, 10U, "sent again");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.at(1).retransmitted, 3U, "sent again");
    }

    void Acted(uint32_t port, uint8_t priority, bool acts)
    {
        NS_TEST_EXPECT_MSG_EQ(port, 1U, "port");
        NS_TEST_EXPECT_MSG_EQ(+priority, 3, "priority");
        NS_TEST_EXPECT_MSG_EQ(acts, m_acted.empty(), "begins, then ends");
        m_acted.push_back(Number(Simulator::Now()));
    }

    bool m_forward;               //!< action
    std::vector<int64_t> m_acted; //!< when [ns]
};

/// A pause that lasts is none for the watchdog if the port is ON for a moment, or has no frame.
class WatchdogPatienceTestCase : public LosslessTestCase
{
  public:
    WatchdogPatienceTestCase()
        : LosslessTestCase("The watchdog acts on uninterrupted pauses of frames that wait only")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gb/s", MicroSeconds(1));
        fabric.SetScheme(FindScheme("none"));
        fabric.SetSwitchAttribute("WatchdogDetection", TimeValue(MicroSeconds(100)));
        fabric.Build();
        Ptr<EthernetSwitch> sw = EthernetSwitchOf(fabric, 0);
        const CompletionRecorder recorder(fabric);
        Ptr<LosslessNetDevice> receiver = fabric.GetRdma(1)->GetDevice();
        Ptr<LosslessNetDevice> other = fabric.GetRdma(2)->GetDevice();
        // Host 1 pauses for 90 us of each 95; host 2 all the time, with nothing to send to it until
        // 1 ms, and only 90 us more from then on.
        for (int64_t us = 0; us < 950; us += 95)
        {
            CallAt(MicroSeconds(us), [receiver] { SendPause(receiver, 3, true); });
            CallAt(MicroSeconds(us + 90), [receiver] { SendPause(receiver, 3, false); });
        }
        CallAt(Time(0), [other] { SendPause(other, 3, true); });
        CallAt(MicroSeconds(1090), [other] { SendPause(other, 3, false); });
        fabric.InstallFlows({MakeFlow(0, 0, 1, 500000), MakeFlow(1, 0, 2, 10000, 1000000)});
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sw->GetWatchdogDetections(), 0U, "detections");
        NS_TEST_EXPECT_MSG_EQ(sw->GetDrops(), 0U, "drops");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 2U, "completed");
    }
};

/// The deadlock of TriangleTestCase, with watchdogs: all flows complete.
class WatchdogResolvesTestCase : public LosslessTestCase
{
  public:
    explicit WatchdogResolvesTestCase(bool forward)
        : LosslessTestCase(std::string("Watchdogs resolve a deadlock: ") +
                           (forward ? "Forward" : "Drop")),
          m_forward(forward)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.SetSwitchAttribute("WatchdogDetection", TimeValue(MilliSeconds(1)));
        fabric.SetSwitchAttribute("WatchdogAction", StringValue(m_forward ? "Forward" : "Drop"));
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MilliSeconds(5)));
        fabric.Build();
        const CompletionRecorder recorder(fabric);
        std::vector<std::unique_ptr<PortRecorder>> ports;
        for (const auto& port : fabric.GetPorts())
        {
            ports.push_back(std::make_unique<PortRecorder>(port));
        }
        fabric.InstallFlows(TriangleFlows({0, 1, 2}, 200000));
        DeadlockWatch watch(fabric);
        watch.Start(Seconds(1));
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(watch.GetDeadlock(), "", "deadlock");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 3U, "completed");
        uint64_t drops = 0;
        uint64_t detections = 0;
        for (const auto& sw : EthernetSwitch::Among(fabric.GetSwitches()))
        {
            drops += sw->GetDrops();
            detections += sw->GetWatchdogDetections();
            NS_TEST_EXPECT_MSG_EQ(sw->GetBuffer().GetUsedBytes(), 0U, "left in the buffer");
        }
        NS_TEST_EXPECT_MSG_GT(detections, 0U, "detections");
        // Forwarded frames may find room.
        NS_TEST_EXPECT_MSG_EQ((drops > 0 || m_forward), true, "drops");
        uint64_t traced = 0;
        for (const auto& port : ports)
        {
            for (const auto& drop : port->Of(PortRecorder::DROP))
            {
                NS_TEST_EXPECT_MSG_EQ(drop.reason, Number(LosslessNetDevice::WATCHDOG), "reason");
                traced++;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(traced, drops, "each drop is traced");
    }

    bool m_forward; //!< action
};

/// The suite `lossless-deadlock-watchdog`.
class LosslessDeadlockWatchdogTestSuite : public TestSuite
{
  public:
    LosslessDeadlockWatchdogTestSuite()
        : TestSuite("lossless-deadlock-watchdog", Type::SYSTEM)
    {
        AddTestCase(new WatchdogTimesTestCase(false));
        AddTestCase(new WatchdogTimesTestCase(true));
        AddTestCase(new WatchdogPatienceTestCase);
        AddTestCase(new WatchdogResolvesTestCase(false));
        AddTestCase(new WatchdogResolvesTestCase(true));
    }
};

LosslessDeadlockWatchdogTestSuite g_losslessDeadlockWatchdogTestSuite; //!< registers itself

} // namespace

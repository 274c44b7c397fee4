// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/buffer-dependencies.h"
#include "ns3/bundled-files.h"
#include "ns3/deadlock-watch.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/file-topology-helper.h"
#include "ns3/flow-list-file.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-wait-graph.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

constexpr uint64_t XOFF = 50000;

/**
 * Switches s0, s1, ... in a ring with the same number of hosts each; host h is on switch h / hosts.
 * Links of 100 Gb/s and 1 us. Port i of a switch leads to its host i, and in a ring of more than
 * two there are two more ports.
 */
void
AddRing(LosslessFabric& fabric, uint32_t switches, uint32_t hosts)
{
    for (uint32_t s = 0; s < switches; s++)
    {
        fabric.AddSwitch("s" + std::to_string(s));
    }
    for (uint32_t h = 0; h < switches * hosts; h++)
    {
        const uint32_t host = fabric.AddHost("h" + std::to_string(h));
        fabric.AddLink(host, h / hosts, DataRate("100Gb/s"), MicroSeconds(1));
    }
    for (uint32_t s = 0; s < switches; s++)
    {
        fabric.AddLink(s, (s + 1) % switches, DataRate("100Gb/s"), MicroSeconds(1));
    }
    fabric.SetScheme(FindScheme("none"));
    fabric.SetSwitchAttribute("Xoff", UintegerValue(XOFF));
    fabric.SetSwitchAttribute("Xon", UintegerValue(XOFF - 2000));
}

/// A ring of three, where static routes make each host's frames for the one before it go two links
/// around: the shortest way would be one link back.
void
AddTriangle(LosslessFabric& fabric)
{
    AddRing(fabric, 3, 1);
    for (uint32_t s = 0; s < 3; s++)
    {
        fabric.AddRoute(s, fabric.GetHostIndex((s + 2) % 3), {(s + 1) % 3});
    }
}

/// @param flows numbers of hosts that send, as flows 0, 1, ..., each to the one before it
std::vector<FlowSpec>
TriangleFlows(const std::vector<uint32_t>& sources, uint64_t bytes)
{
    std::vector<FlowSpec> flows;
    for (uint32_t h : sources)
    {
        flows.push_back(MakeFlow(flows.size(), h, (h + 2) % 3, bytes));
    }
    return flows;
}

/// @returns the buffer dependencies of flows
BufferDependencies
DependenciesOf(const LosslessFabric& fabric, const std::vector<FlowSpec>& flows)
{
    BufferDependencies dependencies;
    for (const FlowSpec& flow : flows)
    {
        dependencies.AddPath(fabric.GetPath(flow), flow.priority, flow.id);
    }
    return dependencies;
}

/// @returns flows between all pairs of hosts, several for each
std::vector<FlowSpec>
AllPairs(const LosslessFabric& fabric, uint32_t each)
{
    std::vector<FlowSpec> flows;
    for (uint32_t src = 0; src < fabric.GetNHosts(); src++)
    {
        for (uint32_t dst = 0; dst < fabric.GetNHosts(); dst++)
        {
            for (uint32_t i = 0; i < each && src != dst; i++)
            {
                flows.push_back(MakeFlow(flows.size(), src, dst, 1000));
            }
        }
    }
    return flows;
}

std::string
ErrorOf(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
    return "";
}

/// @returns names of the ports of a cycle
template <class HOPS>
std::vector<std::string>
Names(const LosslessFabric& fabric, const HOPS& hops)
{
    std::vector<std::string> names;
    for (const auto& hop : hops)
    {
        names.push_back(fabric.GetPortName(*hop.port));
    }
    return names;
}

const std::vector<std::string> TRIANGLE = {"s0[port 1] -> s1",
                                           "s1[port 2] -> s2",
                                           "s2[port 2] -> s0"};

/// Looks at a fabric's wait graph each microsecond.
class Looker
{
  public:
    explicit Looker(const LosslessFabric& fabric)
        : m_fabric(fabric)
    {
        CallAt(MicroSeconds(1), [this] { Look(); });
    }

    uint32_t blocked{0};   //!< looks at which something waits for ever
    uint32_t paused{0};    //!< looks at which a queue of a switch that is not empty is OFF
    uint32_t longest{0};   //!< most switches of which such a queue is OFF at once
    int64_t firstPs{-1};   //!< first look at which something waits for ever [ps]
    PauseWaitGraph before; //!< at the last look

  private:
    void Look()
    {
        before = PauseWaitGraph(m_fabric.GetSwitches());
        blocked += !before.IsEmpty();
        firstPs = before.IsEmpty() || firstPs >= 0 ? firstPs : NowPs();
        uint32_t switches = 0;
        for (const auto& sw : m_fabric.GetSwitches())
        {
            bool off = false;
            for (uint32_t port = 0; port < sw->GetNPorts(); port++)
            {
                off |= sw->GetPort(port)->GetOff() & sw->GetPort(port)->GetWaiting();
            }
            switches += off;
        }
        paused += switches > 0;
        longest = std::max(longest, switches);
        CallAt(MicroSeconds(1), [this] { Look(); });
    }

    const LosslessFabric& m_fabric; //!< looked at
};

/**
 * Three hosts on three switches, each sends two links around at line rate: each link of the ring is
 * offered twice its rate, the buffers fill, and all wait for each other.
 *
 * At the end each switch holds frames for the next link only, all of them in that port's queue: of
 * its own host and of the link before, more than Xoff of each, as both are paused.
 */
class TriangleTestCase : public LosslessTestCase
{
  public:
    TriangleTestCase()
        : LosslessTestCase("Three flows around three switches are a deadlock")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.Build();
        const auto flows = TriangleFlows({0, 1, 2}, 1000000);
        const auto cycle = DependenciesOf(fabric, flows).FindCycle(3);
        NS_TEST_EXPECT_MSG_EQ((Names(fabric, cycle) == TRIANGLE), true, "dependencies");
        NS_TEST_EXPECT_MSG_EQ(DependenciesOf(fabric, flows).FindCycle(4).empty(), true, "lossy");
        LOSSLESS_TEST_REQUIRE(cycle.size(), 3U, "links");
        for (uint32_t hop = 0; hop < 3; hop++)
        {
            // Flow 0 goes s0 -> s1 -> s2, and so on.
            NS_TEST_EXPECT_MSG_EQ(cycle[hop].flow, hop, "flow of hop " << hop);
        }

        const CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        DeadlockWatch watch(fabric);
        watch.Start(Seconds(1));
        Looker looker(fabric);
        Simulator::Stop(Seconds(1));
        Simulator::Run();

        // Looks at 1 ms and 2 ms, the second of which says that nothing has moved.
        NS_TEST_EXPECT_MSG_EQ(Number(Simulator::Now()), 2000000, "end");
        NS_TEST_EXPECT_MSG_EQ(watch.GetEvents(), 2U, "looks");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 0U, "completed");
        const PauseWaitGraph graph(fabric.GetSwitches());
        const auto waits = graph.GetCycle();
        NS_TEST_EXPECT_MSG_EQ((Names(fabric, waits) == TRIANGLE), true, "cycle");
        NS_TEST_EXPECT_MSG_EQ(graph.GetBlocked().size(), 3U, "blocked");
        LOSSLESS_TEST_REQUIRE(waits.size(), 3U, "cycle");
        int64_t lastNs = 0;
        for (uint32_t hop = 0; hop < 3; hop++)
        {
            const auto& wait = waits[hop];
            const IngressBuffer& buffer = fabric.GetSwitches()[hop]->GetBuffer();
            NS_TEST_EXPECT_MSG_EQ(+wait.priority, 3, "priority");
            NS_TEST_EXPECT_MSG_EQ(wait.bytes, buffer.GetUsedBytes(), "all the switch holds");
            // The first frame of a message would be 1062 B, too: SEND has no RETH.
            NS_TEST_EXPECT_MSG_EQ(wait.bytes, 1062U * wait.frames, "bytes");
            NS_TEST_EXPECT_MSG_GT(wait.bytes, 2 * XOFF, "both ingress ports are paused");
            const std::vector<uint32_t> both =
                hop == 0 ? std::vector<uint32_t>{0, 2} : std::vector<uint32_t>{hop - 1, hop};
            NS_TEST_EXPECT_MSG_EQ((wait.flows == both), true, "flows of hop " << hop);
            lastNs = std::max(lastNs, OnEventGrid(wait.lastArrivalPs) / 1000);
        }
        // Nothing arrives once the graph has a set that waits for ever, but what was in flight:
        // 2 us of it, as a pause takes 1 us and what was sent before it came another 1 us.
        NS_TEST_EXPECT_MSG_LT(lastNs, looker.firstPs / 1000 + 2000, "last arrival");
        NS_TEST_EXPECT_MSG_GT(looker.blocked, 1900U, "it is there at each look from then on");

        const std::string text = watch.GetDeadlock();
        for (const std::string& part :
             {std::string("PFC deadlock at 2 ms in priority 3: 3 ports wait for each other"),
              TRIANGLE[0] + " is OFF, " + std::to_string(waits[0].frames) + " frames (" +
                  std::to_string(waits[0].bytes) + " B), and waits for " + TRIANGLE[1],
              "and waits for " + TRIANGLE[0],
              std::string("flows in the cycle: 0, 1, 2")})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in " << text);
        }
    }
};

/// The same with one flow less, or with the flows one after the other: heavy pauses, no deadlock.
class NoDeadlockTestCase : public LosslessTestCase
{
  public:
    /// @param fewer one flow less, else the same flows spread in time
    explicit NoDeadlockTestCase(bool fewer)
        : LosslessTestCase(fewer ? "Two flows around three switches are none"
                                 : "A cyclic dependency is a warning and need not be a deadlock"),
          m_fewer(fewer)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.Build();
        auto flows =
            TriangleFlows(m_fewer ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{0, 1, 2},
                          1000000);
        if (!m_fewer)
        {
            // 1 MB takes 87 us and a few of delay; the third overlaps with neither.
            flows[2].startNs = 400000;
        }
        NS_TEST_EXPECT_MSG_EQ(DependenciesOf(fabric, flows).FindCycle(3).empty(),
                              m_fewer,
                              "dependencies");
        const CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        DeadlockWatch watch(fabric);
        watch.Start(Seconds(1));
        const Looker looker(fabric);
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), flows.size(), "completed");
        NS_TEST_EXPECT_MSG_EQ(looker.blocked, 0U, "looks");
        NS_TEST_EXPECT_MSG_EQ(watch.GetDeadlock(), "", "deadlock");
        NS_TEST_EXPECT_MSG_EQ(watch.GetEvents(),
                              4U,
                              "looks of the watch: the run ends before that at 5 ms");
    }

    bool m_fewer; //!< one flow less
};

/**
 * A chain of five switches with two hosts each, which all send to one host of the last: queues are
 * OFF back to the first switch, and each waits for the next, but that of the last drains.
 */
class PauseChainTestCase : public LosslessTestCase
{
  public:
    explicit PauseChainTestCase(bool dynamic)
        : LosslessTestCase(std::string("An incast over a chain of switches is no deadlock, ") +
                           (dynamic ? "dynamic" : "static") + " threshold"),
          m_dynamic(dynamic)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        for (uint32_t s = 0; s < 5; s++)
        {
            fabric.AddSwitch("s" + std::to_string(s));
        }
        for (uint32_t h = 0; h < 10; h++)
        {
            const uint32_t host = fabric.AddHost("h" + std::to_string(h));
            fabric.AddLink(host, h / 2, DataRate("100Gb/s"), MicroSeconds(1));
        }
        for (uint32_t s = 0; s < 4; s++)
        {
            fabric.AddLink(s, s + 1, DataRate("100Gb/s"), MicroSeconds(1));
        }
        fabric.SetScheme(FindScheme("none"));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(XOFF));
        fabric.SetSwitchAttribute("Xon", UintegerValue(XOFF - 2000));
        if (m_dynamic)
        {
            fabric.SetSwitchAttribute("Threshold", StringValue("Dynamic"));
            fabric.SetSwitchAttribute("BufferSize", UintegerValue(400000));
        }
        fabric.Build();
        std::vector<FlowSpec> flows;
        for (uint32_t h = 0; h < 9; h++)
        {
            flows.push_back(MakeFlow(h, h, 9, 1000000));
        }
        const CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        DeadlockWatch watch(fabric);
        watch.Start(MilliSeconds(1)); // looks each 250 us
        const Looker looker(fabric);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 9U, "completed");
        NS_TEST_EXPECT_MSG_EQ(looker.blocked, 0U, "looks");
        NS_TEST_EXPECT_MSG_EQ(watch.GetDeadlock(), "", "deadlock");
        NS_TEST_EXPECT_MSG_GT(looker.paused, 200U, "pauses");
        NS_TEST_EXPECT_MSG_EQ(looker.longest, 4U, "all four that send on wait at once");
    }

    bool m_dynamic; //!< threshold
};

/// A deadlock of a part of the network, while a flow that does not touch it goes on.
class PartialDeadlockTestCase : public LosslessTestCase
{
  public:
    PartialDeadlockTestCase()
        : LosslessTestCase("A deadlock of a part is found while other flows go on")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        const uint32_t far = fabric.AddSwitch("far");
        for (const char* name : {"a", "b", "c"})
        {
            fabric.AddLink(fabric.AddHost(name), far, DataRate("100Gb/s"), MicroSeconds(1));
        }
        fabric.AddLink(far, 0, DataRate("100Gb/s"), MicroSeconds(1));
        fabric.Build();
        auto flows = TriangleFlows({0, 1, 2}, 1000000);
        flows.push_back(MakeFlow(3, 3, 4, 1000000000)); // 87 ms
        flows.push_back(MakeFlow(4, 5, 2, 1000000));    // from `far` into the cycle
        const CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        DeadlockWatch watch(fabric);
        watch.Start(Seconds(1));
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Number(Simulator::Now()), 2000000, "end");
        NS_TEST_EXPECT_MSG_NE(watch.GetDeadlock().find("flows in the cycle: 0, 1, 2, 4\n"
                                                       "  ports of switches that wait for the "
                                                       "cycle: 1"),
                              std::string::npos,
                              watch.GetDeadlock());
        // 2 ms at 100 Gb/s are 25 MB, of which the other flow had half at least.
        const auto arrived =
            fabric.GetPortsBetween(far, fabric.GetIndex("b")).front()->GetSentBytes();
        NS_TEST_EXPECT_MSG_GT(arrived, 12000000U, "the other flow goes on");
    }
};

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
        Ptr<EthernetSwitch> sw = fabric.GetSwitches().front();
        sw->TraceConnectWithoutContext("Watchdog",
                                       MakeCallback(&WatchdogTimesTestCase::Acted, this));
        const CompletionRecorder recorder(fabric);
        const PortRecorder port(sw->GetPort(1));
        Ptr<QbbNetDevice> receiver = fabric.GetRdma(1)->GetDevice();
        CallAt(Time(0), [receiver] { receiver->SendPause(3, true); });
        CallAt(MicroSeconds(200), [receiver] { receiver->SendPause(3, false); });
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
            NS_TEST_EXPECT_MSG_EQ(drops[i].reason, Number(QbbNetDevice::WATCHDOG), "reason");
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
        Ptr<EthernetSwitch> sw = fabric.GetSwitches().front();
        const CompletionRecorder recorder(fabric);
        Ptr<QbbNetDevice> receiver = fabric.GetRdma(1)->GetDevice();
        Ptr<QbbNetDevice> other = fabric.GetRdma(2)->GetDevice();
        // Host 1 pauses for 90 us of each 95; host 2 all the time, with nothing to send to it until
        // 1 ms, and only 90 us more from then on.
        for (int64_t us = 0; us < 950; us += 95)
        {
            CallAt(MicroSeconds(us), [receiver] { receiver->SendPause(3, true); });
            CallAt(MicroSeconds(us + 90), [receiver] { receiver->SendPause(3, false); });
        }
        CallAt(Time(0), [other] { other->SendPause(3, true); });
        CallAt(MicroSeconds(1090), [other] { other->SendPause(3, false); });
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
        for (const auto& sw : fabric.GetSwitches())
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
                NS_TEST_EXPECT_MSG_EQ(drop.reason, Number(QbbNetDevice::WATCHDOG), "reason");
                traced++;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(traced, drops, "each drop is traced");
    }

    bool m_forward; //!< action
};

/// What has no cyclic dependency: trees, and the ring with the bundled static routes.
class DependencyTestCase : public LosslessTestCase
{
  public:
    DependencyTestCase()
        : LosslessTestCase("Which networks have cyclic buffer dependencies")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric tree;
        FatTreeHelper fatTree;
        fatTree.SetArity(4);
        fatTree.Build(tree);
        Check(tree, "fat-tree", true);
        LosslessFabric leaves;
        LeafSpineHelper leafSpine;
        leafSpine.SetShape(4, 4, 2);
        leafSpine.Build(leaves);
        Check(leaves, "leaf-spine", true);
        const BundledFiles files("topologies", ".txt");
        LosslessFabric racks;
        FileTopologyHelper(files.Find("topology", "two-racks")).Build(racks);
        Check(racks, "two-racks", true);
        LosslessFabric acyclic;
        FileTopologyHelper(files.Find("topology", "ring-acyclic")).Build(acyclic);
        acyclic.Build();
        const auto flows =
            ReadFlowListFile(BundledFiles("flows", ".txt").Find("flows", "ring")).flows;
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(acyclic, flows, 1 << 3), "", "ring-acyclic");
        LosslessFabric ring;
        FileTopologyHelper(files.Find("topology", "ring")).Build(ring);
        Check(ring, "ring", false);
        // Two switches cannot make a cycle without a way back over the same link.
        LosslessFabric pair;
        AddRing(pair, 2, 2);
        Check(pair, "two switches with two links", true);
        LosslessFabric four;
        AddRing(four, 4, 1);
        Check(four, "four switches, both ways of two links", false);
        CheckReplies();
    }

    /// Data takes the short way, replies to it go around: only in a lossless priority they count.
    void CheckReplies()
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.SetRdmaAttribute("AckPriority", IntegerValue(5));
        fabric.Build();
        const std::vector<FlowSpec> flows = {MakeFlow(0, 2, 0, 1000),
                                             MakeFlow(1, 0, 1, 1000),
                                             MakeFlow(2, 1, 2, 1000)};
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(fabric, flows, 1 << 3), "", "lossy ACKs");
        const std::string text = DescribeCyclicDependency(fabric, flows, 1 << 3 | 1 << 5);
        NS_TEST_EXPECT_MSG_NE(text.find("cyclic buffer dependency in priority 5"),
                              std::string::npos,
                              text);
    }

    void Check(LosslessFabric& fabric, const std::string& name, bool acyclic)
    {
        fabric.Build();
        const auto flows = AllPairs(fabric, 4);
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(fabric, flows, 1 << 3).empty(),
                              acyclic,
                              name);
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(fabric, flows, 1 << 4), "", name);
    }
};

/// Static routes: paths, ideal FCT and base RTT follow them; what cannot be is an error.
class StaticRouteTestCase : public LosslessTestCase
{
  public:
    StaticRouteTestCase()
        : LosslessTestCase("Static routes")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.Build();
        const FlowSpec flow = MakeFlow(0, 0, 2, 1000);
        const std::vector<std::string> way = {"h0[port 0] -> s0",
                                              "s0[port 1] -> s1",
                                              "s1[port 2] -> s2",
                                              "s2[port 0] -> h2"};
        std::vector<std::string> path;
        for (const auto& port : fabric.GetPath(flow))
        {
            path.push_back(fabric.GetPortName(*port));
        }
        NS_TEST_EXPECT_MSG_EQ((path == way), true, "path");
        // The way back is the shortest: three links.
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPath(MakeFlow(1, 2, 0, 1000)).size(), 3U, "other flow");

        // Several next nodes: flows spread over them.
        LosslessFabric spread;
        AddRing(spread, 3, 1);
        spread.AddRoute(0, spread.GetHostIndex(2), {1, 2});
        spread.Build();
        std::set<std::size_t> lengths;
        for (uint32_t id = 0; id < 64; id++)
        {
            lengths.insert(spread.GetPath(MakeFlow(id, 0, 2, 1000)).size());
        }
        NS_TEST_EXPECT_MSG_EQ((lengths == std::set<std::size_t>{3, 4}), true, "both ways");

        CheckErrors();
    }

    /// @param add adds routes to a ring of three @returns the error, of AddRoute() or Build()
    static std::string ErrorOfRoutes(const std::function<void(LosslessFabric&)>& add)
    {
        LosslessFabric fabric;
        AddRing(fabric, 3, 1);
        return ErrorOf([&] {
            add(fabric);
            fabric.Build();
        });
    }

    void CheckErrors()
    {
        // Nodes 0 to 2 are switches, 3 to 5 hosts h0 to h2.
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(3, 4, {0}); }),
                              "route: found a route at 'h0', expected one at a switch",
                              "at a host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 1, {1}); }),
                              "route: found a route to 's1', expected one to a host",
                              "to a switch");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 9, {1}); }),
                              "route: found a route to node 9, expected one to a host",
                              "unknown");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 5, {4}, "ring.txt:9"); }),
            "ring.txt:9: found next node 'h1' without a link to 's0', expected nodes at the other "
            "end of its links",
            "not linked");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 5, {3}); }),
                              "route: found next node 'h0', another host, expected switches or "
                              "the destination: hosts do not forward",
                              "another host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 5, {1, 1});
                              }),
                              "route: found next node 's1' twice, expected each once",
                              "twice");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 5, {}); }),
                              "route: found a route without a next node, expected at least one",
                              "none");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 5, {1});
                                  f.AddRoute(0, 5, {2});
                              }),
                              "route: found a second route at 's0' to 'h2', expected one, with all "
                              "of its next nodes",
                              "second");
        // s1's way to h0 is the link to s0; if s0 sends frames for h0 to s1, they go around.
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 3, {1}, "ring.txt:9"); }),
            "ring.txt:9: found a routing loop to host 'h0': s0 -> s1 -> s0, expected next nodes "
            "that lead to the host",
            "loop of two");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 3, {3, 1}, "a:1");
                                  f.AddRoute(1, 3, {2}, "a:2");
                              }),
                              "a:1: found a routing loop to host 'h0': s0 -> s1 -> s2 -> s0, "
                              "expected next nodes that lead to the host",
                              "loop of three, as one of several ways");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 3, {3});
                                  f.AddRoute(1, 3, {2});
                              }),
                              "",
                              "no loop");
    }
};

class LosslessDeadlockTestSuite : public TestSuite
{
  public:
    LosslessDeadlockTestSuite()
        : TestSuite("lossless-deadlock", Type::SYSTEM)
    {
        AddTestCase(new TriangleTestCase);
        AddTestCase(new NoDeadlockTestCase(true));
        AddTestCase(new NoDeadlockTestCase(false));
        AddTestCase(new PauseChainTestCase(false));
        AddTestCase(new PauseChainTestCase(true));
        AddTestCase(new PartialDeadlockTestCase);
        AddTestCase(new WatchdogTimesTestCase(false));
        AddTestCase(new WatchdogTimesTestCase(true));
        AddTestCase(new WatchdogPatienceTestCase);
        AddTestCase(new WatchdogResolvesTestCase(false));
        AddTestCase(new WatchdogResolvesTestCase(true));
        AddTestCase(new DependencyTestCase);
        AddTestCase(new StaticRouteTestCase);
    }
};

LosslessDeadlockTestSuite g_losslessDeadlockTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// PFC deadlocks: what waits for what, and since when.

#include "lossless-deadlock-ring.h"
#include "lossless-test-harness.h"

#include "ns3/buffer-dependencies.h"
#include "ns3/deadlock-watch.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-wait-graph.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

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
            const IngressBuffer& buffer = EthernetSwitchOf(fabric, hop)->GetBuffer();
            NS_TEST_EXPECT_MSG_EQ(+wait.priority, 3, "priority");
            NS_TEST_EXPECT_MSG_EQ(wait.bytes, buffer.GetUsedBytes(), "all the switch holds");
            // The first frame of a message would be 1062 B, too: SEND has no RETH.
            NS_TEST_EXPECT_MSG_EQ(wait.bytes, 1062U * wait.frames, "bytes");
            NS_TEST_EXPECT_MSG_GT(wait.bytes, 2 * RING_XOFF, "both ingress ports are paused");
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
        fabric.SetSwitchAttribute("Xoff", UintegerValue(RING_XOFF));
        fabric.SetSwitchAttribute("Xon", UintegerValue(RING_XOFF - 2000));
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

/// The suite `lossless-deadlock`.
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
    }
};

LosslessDeadlockTestSuite g_losslessDeadlockTestSuite; //!< registers itself

} // namespace

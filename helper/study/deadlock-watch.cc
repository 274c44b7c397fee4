// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "deadlock-watch.h"

#include "ns3/buffer-dependencies.h"
#include "ns3/ethernet-switch.h"
#include "ns3/link-time.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Flows that a message names at most: more are counted.
constexpr std::size_t FLOWS_NAMED = 32;

/// A frame larger than any, for the time that a PFC frame may wait behind one [B].
constexpr uint32_t LARGE_FRAME_BYTES = 10000;

/// @returns numbers as a list, such as "0, 3, 7"
std::string
FlowList(const std::set<uint32_t>& flows)
{
    std::string list;
    std::size_t named = 0;
    for (uint32_t flow : flows)
    {
        if (named++ == FLOWS_NAMED)
        {
            return list + " and " + std::to_string(flows.size() - FLOWS_NAMED) + " more";
        }
        list += (list.empty() ? "" : ", ") + std::to_string(flow);
    }
    return list;
}

/// @returns priorities of what a receiver sends back
LaneSet
ReplyPriorities(const RdmaHw& receiver, const FlowSpec& flow)
{
    return 1 << receiver.GetAckPriority(flow.priority) | 1 << receiver.GetCnpPriority();
}

/**
 * @param ps a time [ps]
 * @returns it in ms, to the nanosecond
 */
std::string
MillisecondsText(int64_t ps)
{
    std::ostringstream text;
    text << std::setprecision(15) << static_cast<double>(OnEventGrid(ps) / 1000) / 1e6 << " ms";
    return text.str();
}

} // namespace

DeadlockWatch::DeadlockWatch(const LosslessFabric& fabric)
    : m_fabric(fabric)
{
}

Time
DeadlockWatch::GetInterval(Time stop) const
{
    Time settled;  // a resume on its way has arrived and a frame has left
    Time pause;    // longest pause
    Time watchdog; // longest time until one acts
    for (const auto& sw : EthernetSwitch::Among(m_fabric.GetSwitches()))
    {
        watchdog = std::max(watchdog, std::min(sw->GetWatchdogDetection(), stop));
        for (uint32_t port = 0; port < sw->GetNPorts(); port++)
        {
            Ptr<LosslessNetDevice> device = sw->GetPort(port);
            Ptr<QbbNetDevice> qbb = DynamicCast<QbbNetDevice>(device);
            const Time frames =
                NanoSeconds(device->GetByteTimePs(3 * LARGE_FRAME_BYTES) / 1000 + 1);
            settled =
                std::max(settled,
                         device->GetDelay() + device->GetFlowControl().GetReactionDelay() + frames);
            pause = std::max(pause, qbb ? qbb->GetPfc().GetPauseTime() : Time(0));
        }
    }
    const Time often = NanoSeconds(std::max<int64_t>(stop.GetNanoSeconds() / 4, 1));
    const Time usual = std::min(often, std::max(MilliSeconds(1), pause + pause));
    return std::max({settled, usual, watchdog + watchdog});
}

void
DeadlockWatch::Start(Time stop)
{
    m_interval = GetInterval(stop);
    Simulator::Schedule(m_interval, &DeadlockWatch::Look, this);
}

void
DeadlockWatch::Look()
{
    m_events++;
    Finish();
    if (m_deadlock.empty())
    {
        Simulator::Schedule(m_interval, &DeadlockWatch::Look, this);
    }
    else
    {
        Simulator::Stop();
    }
}

void
DeadlockWatch::Finish()
{
    PauseWaitGraph graph(m_fabric.GetSwitches());
    PauseWaitGraph still = graph;
    still.RemoveMoved(m_before);
    if (m_deadlock.empty() && !still.IsEmpty())
    {
        m_deadlock = Describe(still);
    }
    m_before = std::move(graph);
}

uint64_t
DeadlockWatch::GetEvents() const
{
    return m_events;
}

const std::string&
DeadlockWatch::GetDeadlock() const
{
    return m_deadlock;
}

std::string
DeadlockWatch::Describe(const PauseWaitGraph& graph) const
{
    const auto cycle = graph.GetCycle();
    std::set<uint32_t> flows;
    int64_t lastPs = 0;
    std::ostringstream hops;
    for (std::size_t i = 0; i < cycle.size(); i++)
    {
        const PauseWaitGraph::Wait& wait = cycle[i];
        flows.insert(wait.flows.begin(), wait.flows.end());
        lastPs = std::max(lastPs, wait.lastArrivalPs);
        hops << "\n  " << m_fabric.GetPortName(*wait.port) << " is OFF, " << wait.frames
             << " frames (" << wait.bytes << " B), and waits for "
             << m_fabric.GetPortName(*cycle[(i + 1) % cycle.size()].port);
    }
    std::ostringstream text;
    text << "PFC deadlock at " << MillisecondsText(NowPs()) << " in priority "
         << +cycle.front().priority << ": " << cycle.size()
         << " ports wait for each other, and nothing of theirs has moved since "
         << MillisecondsText(lastPs) << hops.str() << "\n  flows in the cycle: " << FlowList(flows);
    const std::size_t behind = graph.GetBlocked().size() - cycle.size();
    if (behind > 0)
    {
        text << "\n  ports of switches that wait for the cycle: " << behind;
    }
    return text.str();
}

std::string
DescribeCyclicDependency(const LosslessFabric& fabric,
                         const std::vector<FlowSpec>& flows,
                         LaneSet lossless)
{
    BufferDependencies dependencies;
    for (const FlowSpec& flow : flows)
    {
        if (lossless >> flow.priority & 1)
        {
            dependencies.AddPath(fabric.GetPath(flow), flow.priority, flow.id);
        }
        const LaneSet replies = lossless & ReplyPriorities(*fabric.GetRdma(flow.dst), flow);
        if (replies)
        {
            FlowSpec back = flow;
            std::swap(back.src, back.dst);
            const auto path = fabric.GetPath(back);
            for (uint8_t p = 0; p < PRIORITIES; p++)
            {
                if (replies >> p & 1)
                {
                    dependencies.AddPath(path, p, flow.id);
                }
            }
        }
    }
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        const auto cycle =
            lossless >> p & 1 ? dependencies.FindCycle(p) : std::vector<BufferDependencies::Hop>();
        if (cycle.empty())
        {
            continue;
        }
        std::ostringstream text;
        text << "cyclic buffer dependency in priority " << +p
             << " along the paths of the flows: " << cycle.size()
             << " links, each of which can be paused because the next one is; "
             << "enough traffic makes it a PFC deadlock";
        for (std::size_t i = 0; i < cycle.size(); i++)
        {
            text << "\n  " << fabric.GetPortName(*cycle[i].port) << ", then "
                 << fabric.GetPortName(*cycle[(i + 1) % cycle.size()].port) << " (flow "
                 << cycle[i].flow << ")";
        }
        return text.str();
    }
    return "";
}

} // namespace ns3

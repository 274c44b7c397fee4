// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "pause-wait-graph.h"

#include "ns3/node.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/// A port and a priority; what is kept by it is only looked up, so the order does not matter.
using Place = std::pair<const LosslessNetDevice*, uint8_t>;

/**
 * @param frame in a queue
 * @returns what no two frames of one queue have in common: its flow and number in it, and when it
 * came
 */
std::pair<uint64_t, int64_t>
Identity(const Frame& frame)
{
    return {uint64_t(frame.flow) << 32 | frame.psn, frame.readyPs};
}

} // namespace

PauseWaitGraph::PauseWaitGraph(const std::vector<Ptr<LosslessSwitch>>& switches)
{
    std::map<Place, std::size_t> indexOf;
    for (const auto& sw : EthernetSwitch::Among(switches))
    {
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            Ptr<LosslessNetDevice> port = sw->GetPort(p);
            const LaneSet stopped = port->GetOff() & port->GetWaiting();
            Ptr<LosslessNetDevice> peer = stopped ? port->GetPeer() : nullptr;
            Ptr<EthernetSwitch> next =
                peer ? peer->GetNode()->GetObject<EthernetSwitch>() : nullptr;
            for (uint8_t priority = 0; next && priority < PRIORITIES; priority++)
            {
                const uint32_t ingress = peer->GetIfIndex();
                if (stopped >> priority & 1 && next->GetBuffer().IsPaused(ingress, priority))
                {
                    Queue queue;
                    queue.port = port;
                    queue.priority = priority;
                    queue.next = PeekPointer(next);
                    queue.ingress = ingress;
                    queue.oldest = Identity(*port->GetFrames(priority).Head());
                    indexOf[{PeekPointer(port), priority}] = m_queues.size();
                    m_queues.push_back(queue);
                }
            }
        }
    }
    for (std::size_t q = 0; q < m_queues.size(); q++)
    {
        Ptr<EthernetSwitch> sw = m_queues[q].port->GetNode()->GetObject<EthernetSwitch>();
        const uint8_t priority = m_queues[q].priority;
        std::map<uint32_t, uint64_t> bytesOf; // by ingress port
        for (const Frame* f = m_queues[q].port->GetFrames(priority).Head(); f; f = f->next)
        {
            bytesOf[f->ingressPort] += f->bytes;
        }
        for (const auto& [ingress, bytes] : bytesOf)
        {
            // A switch's own notifications came in by no port.
            Ptr<LosslessNetDevice> before =
                ingress < sw->GetNPorts() ? sw->GetPort(ingress)->GetPeer() : nullptr;
            const auto found = indexOf.find({PeekPointer(before), priority});
            if (found != indexOf.end())
            {
                m_queues[found->second].waitsFor.emplace_back(q, bytes);
            }
        }
    }
    Reduce();
}

void
PauseWaitGraph::Reduce()
{
    for (bool changed = true; changed;)
    {
        changed = false;
        for (Queue& queue : m_queues)
        {
            uint64_t stuck = 0;
            for (const auto& [index, bytes] : queue.waitsFor)
            {
                stuck += m_queues[index].blocked ? bytes : 0;
            }
            if (queue.blocked &&
                !queue.next->GetBuffer().StaysPaused(queue.ingress, queue.priority, stuck))
            {
                queue.blocked = false;
                changed = true;
            }
        }
    }
}

void
PauseWaitGraph::RemoveMoved(const PauseWaitGraph& before)
{
    std::map<Place, const Queue*> earlier;
    for (const Queue& queue : before.m_queues)
    {
        earlier[{PeekPointer(queue.port), queue.priority}] = &queue;
    }
    for (Queue& queue : m_queues)
    {
        const auto found = earlier.find({PeekPointer(queue.port), queue.priority});
        queue.blocked = queue.blocked && found != earlier.end() && found->second->blocked &&
                        found->second->oldest == queue.oldest;
    }
    Reduce();
}

bool
PauseWaitGraph::IsEmpty() const
{
    return std::none_of(m_queues.begin(), m_queues.end(), [](const Queue& queue) {
        return queue.blocked;
    });
}

PauseWaitGraph::Wait
PauseWaitGraph::Describe(const Queue& queue)
{
    Wait wait;
    wait.port = queue.port;
    wait.priority = queue.priority;
    const FrameQueue& frames = queue.port->GetFrames(queue.priority);
    wait.bytes = frames.Bytes();
    wait.frames = frames.Frames();
    std::set<uint32_t> flows;
    for (const Frame* f = frames.Head(); f; f = f->next)
    {
        wait.lastArrivalPs = std::max(wait.lastArrivalPs, f->readyPs);
        if (f->kind != FrameKind::PACKET)
        {
            flows.insert(f->flow);
        }
    }
    wait.flows.assign(flows.begin(), flows.end());
    return wait;
}

std::vector<PauseWaitGraph::Wait>
PauseWaitGraph::GetBlocked() const
{
    std::vector<Wait> blocked;
    for (const Queue& queue : m_queues)
    {
        if (queue.blocked)
        {
            blocked.push_back(Describe(queue));
        }
    }
    return blocked;
}

std::vector<PauseWaitGraph::Wait>
PauseWaitGraph::GetCycle() const
{
    std::size_t at = 0;
    while (at < m_queues.size() && !m_queues[at].blocked)
    {
        at++;
    }
    if (at == m_queues.size())
    {
        return {};
    }
    // Each queue that is blocked waits for another that is, so the walk comes back to where it was.
    std::vector<std::size_t> walk;
    while (std::find(walk.begin(), walk.end(), at) == walk.end())
    {
        walk.push_back(at);
        uint64_t most = 0;
        for (const auto& [index, bytes] : m_queues[walk.back()].waitsFor)
        {
            if (m_queues[index].blocked && bytes > most)
            {
                most = bytes;
                at = index;
            }
        }
    }
    walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), at));
    std::rotate(walk.begin(), std::min_element(walk.begin(), walk.end()), walk.end());
    std::vector<Wait> cycle;
    for (std::size_t index : walk)
    {
        cycle.push_back(Describe(m_queues[index]));
    }
    return cycle;
}

} // namespace ns3

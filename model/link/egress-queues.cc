// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "egress-queues.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3
{

void
EgressQueues::SetDetector(uint8_t priority, Ptr<CongestionDetector> detector)
{
    NS_ABORT_MSG_IF(priority >= LANES, "priority " << +priority << ", expected 0..15");
    m_detectors[priority] = detector;
    m_queues[priority].detector = PeekPointer(detector);
}

Ptr<CongestionDetector>
EgressQueues::GetDetector(uint8_t priority) const
{
    return m_detectors.at(priority);
}

int64_t
EgressQueues::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& detector : m_detectors)
    {
        if (detector)
        {
            used += detector->AssignStreams(stream + used);
        }
    }
    return used;
}

void
EgressQueues::StartTicks(uint32_t node)
{
    for (uint8_t p = 0; p < LANES; p++)
    {
        const Time interval = m_detectors[p] ? m_detectors[p]->GetTickInterval() : Time(0);
        if (interval.IsStrictlyPositive() && ToPs(interval) < FAR_PS)
        {
            Simulator::ScheduleWithContext(node, interval, &EgressQueues::Tick, this, p);
        }
    }
}

void
EgressQueues::Clear()
{
    for (auto& queue : m_queues)
    {
        queue.frames.Clear();
        queue.detector = nullptr;
    }
    m_waiting = 0;
    m_detectors.fill(nullptr);
}

void
EgressQueues::NotifyGate(uint8_t priority, bool off, Time now)
{
    if (CongestionDetector* detector = m_queues[priority].detector)
    {
        off ? detector->OnOff(now) : detector->OnOn(now);
    }
}

void
EgressQueues::Tick(uint8_t priority)
{
    if (CongestionDetector* detector = m_queues[priority].detector)
    {
        detector->OnTick(GetState(priority), Simulator::Now());
        Simulator::Schedule(detector->GetTickInterval(), &EgressQueues::Tick, this, priority);
    }
}

} // namespace ns3

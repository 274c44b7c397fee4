// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "pause-watchdog.h"

#include "ns3/far-time.h"
#include "ns3/link-time.h"
#include "ns3/node.h"

#include <algorithm>
#include <utility>

namespace ns3
{

PauseWatchdog::PauseWatchdog(Ptr<QbbNetDevice> port, const Config& config, Notify notify)
    : m_port(port),
      m_config(config),
      m_notify(std::move(notify)),
      m_checkEvent(this),
      m_discardEvent(this)
{
    m_checkPs.fill(NEVER_PS);
    m_checkEvent.SetContext(port->GetNode()->GetId());
    m_discardEvent.SetContext(port->GetNode()->GetId());
    port->TraceConnectWithoutContext("Gate", MakeCallback(&PauseWatchdog::GateChanged, this));
}

PauseWatchdog::~PauseWatchdog()
{
    m_port->TraceDisconnectWithoutContext("Gate", MakeCallback(&PauseWatchdog::GateChanged, this));
    m_port->TraceDisconnectWithoutContext("Enqueue",
                                          MakeCallback(&PauseWatchdog::FrameEnqueued, this));
}

uint64_t
PauseWatchdog::GetDetections() const
{
    return m_detections;
}

uint64_t
PauseWatchdog::GetDrops() const
{
    return m_drops;
}

void
PauseWatchdog::GateChanged(uint8_t priority, bool off)
{
    if (!(m_config.priorities >> priority & 1) || (m_acting >> priority & 1))
    {
        return;
    }
    const int64_t nowPs = NowPs();
    m_offPs[priority] = nowPs;
    m_checkPs[priority] = off ? nowPs + ToPs(m_config.detection) : NEVER_PS;
    if (off)
    {
        m_checkEvent.Arm(m_checkPs[priority], nowPs);
    }
}

void
PauseWatchdog::Check(int64_t nowPs)
{
    int64_t nextPs = NEVER_PS;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (m_checkPs[p] <= nowPs)
        {
            m_acting >> p & 1 ? CheckRestoration(p, nowPs) : CheckOff(p, nowPs);
        }
        nextPs = std::min(nextPs, m_checkPs[p]);
    }
    if (nextPs != NEVER_PS)
    {
        m_checkEvent.Arm(nextPs, nowPs);
    }
}

void
PauseWatchdog::CheckOff(uint8_t priority, int64_t nowPs)
{
    const Frame* oldest = m_port->GetFrames(priority).Head();
    const int64_t sincePs =
        oldest ? std::max(m_offPs[priority], OnEventGrid(oldest->readyPs)) : nowPs;
    m_checkPs[priority] = sincePs + ToPs(m_config.detection);
    if (m_checkPs[priority] > nowPs)
    {
        return;
    }
    const bool drop = m_config.action == DROP;
    m_checkPs[priority] = nowPs + ToPs(m_config.restoration);
    m_acting |= 1 << priority;
    m_detections++;
    m_notify(priority, true);
    m_port->GetPfc().Override(priority, drop);
    if (drop)
    {
        // What comes from now on is discarded as soon as it has joined the queue.
        m_port->TraceDisconnectWithoutContext("Enqueue",
                                              MakeCallback(&PauseWatchdog::FrameEnqueued, this));
        m_port->TraceConnectWithoutContext("Enqueue",
                                           MakeCallback(&PauseWatchdog::FrameEnqueued, this));
        DiscardNow(nowPs);
    }
}

void
PauseWatchdog::CheckRestoration(uint8_t priority, int64_t nowPs)
{
    const int64_t restorationPs = ToPs(m_config.restoration);
    const int64_t untilPs = m_port->GetPfc().GetPausedUntilPs(priority);
    if (untilPs > nowPs - restorationPs)
    {
        // A pause that lasts may be resumed before its timer ends: looks again in time for that.
        m_checkPs[priority] = std::min(untilPs, nowPs) + restorationPs;
        return;
    }
    m_checkPs[priority] = NEVER_PS;
    m_acting &= ~(1 << priority);
    if (!m_acting)
    {
        m_port->TraceDisconnectWithoutContext("Enqueue",
                                              MakeCallback(&PauseWatchdog::FrameEnqueued, this));
    }
    m_notify(priority, false);
    m_port->GetPfc().Follow(priority);
}

void
PauseWatchdog::FrameEnqueued(const Frame& frame)
{
    if (m_acting >> frame.priority & 1)
    {
        const int64_t nowPs = NowPs();
        m_discardEvent.Arm(nowPs, nowPs);
    }
}

void
PauseWatchdog::DiscardNow(int64_t)
{
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (m_acting >> p & 1)
        {
            m_drops += m_port->Discard(p);
        }
    }
}

} // namespace ns3

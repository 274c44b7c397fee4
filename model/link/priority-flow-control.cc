// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "priority-flow-control.h"

#include "lossless-net-device.h"

#include "ns3/frame-format.h"
#include "ns3/link-time.h"

namespace ns3
{

PriorityFlowControl::PriorityFlowControl()
    : m_refreshEvent(this),
      m_expireEvent(this)
{
}

PriorityFlowControl::~PriorityFlowControl() = default;

void
PriorityFlowControl::LinkUp(uint32_t node)
{
    m_refreshEvent.SetContext(node);
    m_expireEvent.SetContext(node);
}

void
PriorityFlowControl::Dispose()
{
    m_refreshEvent.Disarm();
    m_expireEvent.Disarm();
}

void
PriorityFlowControl::Hold(uint8_t lane, bool hold)
{
    const LaneSet bit = 1 << lane;
    m_pausing = hold ? m_pausing | bit : m_pausing & ~bit;
    m_changed |= bit;
    RequestControl();
    Wake(NowPs());
}

FramePtr
PriorityFlowControl::MakeControl(int64_t nowPs)
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::PFC;
    frame->bytes = PFC_FRAME_BYTES;
    frame->pause.classes = static_cast<uint8_t>(m_changed);
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        frame->pause.quanta[p] = m_changed & m_pausing & 1 << p ? m_pauseQuanta : 0;
    }
    Port().GetMac().CopyTo(frame->addresses.sourceMac);
    m_changed = 0;
    if (m_pausing)
    {
        const int64_t intervalPs =
            m_refreshInterval.IsZero() ? QuantaPs(m_pauseQuanta) / 2 : ToPs(m_refreshInterval);
        m_refreshEvent.Arm(nowPs + intervalPs, nowPs);
    }
    return frame;
}

void
PriorityFlowControl::Refresh(int64_t nowPs)
{
    if (m_pausing)
    {
        m_changed |= m_pausing;
        RequestControl();
        Wake(nowPs);
    }
}

void
PriorityFlowControl::ControlArrived(const Frame& frame)
{
    if (m_reactionDelay.IsZero())
    {
        Apply(frame.pause);
    }
    else
    {
        Simulator::Schedule(m_reactionDelay, &PriorityFlowControl::Apply, this, frame.pause);
    }
}

void
PriorityFlowControl::Apply(Frame::Pause pause)
{
    const int64_t nowPs = NowPs();
    bool resumed = false;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (pause.classes >> p & 1 && m_gate.Set(p, nowPs + QuantaPs(pause.quanta[p]), nowPs))
        {
            Turn(p, pause.quanta[p] != 0);
            resumed |= pause.quanta[p] == 0;
        }
    }
    const int64_t expiryPs = m_gate.GetNextExpiryPs();
    if (expiryPs != NEVER_PS)
    {
        m_expireEvent.Arm(expiryPs, nowPs);
    }
    if (resumed)
    {
        Wake(nowPs);
    }
}

void
PriorityFlowControl::Expire(int64_t nowPs)
{
    const LaneSet expired = m_gate.GetExpired(nowPs);
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (expired >> p & 1)
        {
            m_gate.Set(p, nowPs, nowPs);
            Turn(p, false);
        }
    }
    const int64_t nextPs = m_gate.GetNextExpiryPs();
    if (nextPs != NEVER_PS)
    {
        m_expireEvent.Arm(nextPs, nowPs);
    }
    if (expired)
    {
        Wake(nowPs);
    }
}

void
PriorityFlowControl::Override(uint8_t priority, bool off)
{
    m_forced |= off ? 0 : 1 << priority;
    if (m_gate.Override(priority, off))
    {
        Turn(priority, off);
    }
    Wake(NowPs());
}

void
PriorityFlowControl::Follow(uint8_t priority)
{
    const int64_t nowPs = NowPs();
    if (m_gate.Follow(priority, nowPs))
    {
        Turn(priority, m_gate.GetOff() >> priority & 1);
    }
    const int64_t expiryPs = m_gate.GetNextExpiryPs();
    if (expiryPs != NEVER_PS)
    {
        m_expireEvent.Arm(expiryPs, nowPs);
    }
    Wake(nowPs);
}

int64_t
PriorityFlowControl::GetPausedUntilPs(uint8_t priority) const
{
    return m_gate.GetUntilPs(priority);
}

LaneSet
PriorityFlowControl::GetForced() const
{
    return m_forced;
}

void
PriorityFlowControl::SetPauseQuanta(uint16_t quanta)
{
    m_pauseQuanta = quanta;
}

uint16_t
PriorityFlowControl::GetPauseQuanta() const
{
    return m_pauseQuanta;
}

Time
PriorityFlowControl::GetPauseTime() const
{
    return NanoSeconds(OnEventGrid(QuantaPs(m_pauseQuanta)) / 1000);
}

void
PriorityFlowControl::SetRefreshInterval(Time interval)
{
    m_refreshInterval = interval;
}

Time
PriorityFlowControl::GetRefreshInterval() const
{
    return m_refreshInterval;
}

void
PriorityFlowControl::SetReactionDelay(Time delay)
{
    m_reactionDelay = delay;
}

Time
PriorityFlowControl::GetReactionDelay() const
{
    return m_reactionDelay;
}

int64_t
PriorityFlowControl::QuantaPs(uint16_t quanta) const
{
    return Port().GetByteTimePs(quanta * uint32_t(512 / 8));
}

} // namespace ns3

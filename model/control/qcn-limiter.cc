// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qcn-limiter.h"

#include "ns3/far-time.h"
#include "ns3/frame-size.h"

#include <algorithm>

namespace ns3
{

QcnLimiter::QcnLimiter(const QcnParameters& parameters, uint16_t flowId)
    : m_parameters(parameters),
      m_flowId(flowId)
{
    Release();
}

double
QcnLimiter::GetTargetBps() const
{
    return m_targetBps;
}

uint32_t
QcnLimiter::GetByteStage() const
{
    return m_byteStage;
}

uint32_t
QcnLimiter::GetTimeStage() const
{
    return m_timeStage;
}

int64_t
QcnLimiter::CycleBytes() const
{
    const int64_t bytes = m_parameters.byteReset;
    return m_byteStage < m_parameters.threshold ? bytes : bytes / 2;
}

void
QcnLimiter::OnMessage(const Notification& message, Time now)
{
    const auto* cnm = std::get_if<QcnMessage>(&message);
    if (!cnm || cnm->feedback == 0)
    {
        return;
    }
    if (!m_active || m_byteStage > 0)
    {
        m_targetBps = m_rateBps;
        m_bytesLeft = m_parameters.byteReset;
    }
    m_active = true;
    m_byteStage = 0;
    m_timeStage = 0;
    m_cycleEnd = Later(now, m_parameters.timeReset);
    const double factor = std::max(1 - m_parameters.gain * cnm->feedback, m_parameters.leastFactor);
    const double least = std::min(m_parameters.minRateBps, m_parameters.lineRateBps);
    m_rateBps = std::max(m_rateBps * factor, least);
}

void
QcnLimiter::SelfIncrease(uint32_t stage)
{
    const uint32_t threshold = m_parameters.threshold;
    const uint32_t lower = std::min(m_byteStage, m_timeStage);
    if (m_parameters.reduceTarget && stage == 1 && m_targetBps > 10 * m_rateBps)
    {
        m_targetBps /= 8;
    }
    else if (lower > threshold)
    {
        m_targetBps += (lower - threshold) * m_parameters.hyperBps;
    }
    else if (std::max(m_byteStage, m_timeStage) > threshold)
    {
        m_targetBps += m_parameters.increaseBps;
    }
    m_targetBps = std::min(m_targetBps, m_parameters.lineRateBps);
    m_rateBps = (m_rateBps + m_targetBps) / 2;
}

void
QcnLimiter::AddTag(Frame& frame) const
{
    if (m_parameters.addTag)
    {
        frame.tag = MakeCongestionTag();
        frame.tag->tag = CnTag{m_flowId};
        frame.bytes = FrameBytes(frame);
    }
}

void
QcnLimiter::OnSend(Frame& frame, Time)
{
    if (!m_active)
    {
        return;
    }
    m_bytesLeft -= frame.bytes;
    while (m_bytesLeft <= 0)
    {
        SelfIncrease(++m_byteStage);
        m_bytesLeft += CycleBytes();
    }
}

Time
QcnLimiter::NextTimer() const
{
    return m_active ? m_cycleEnd : Time::Max();
}

void
QcnLimiter::OnTimer(Time now)
{
    SelfIncrease(++m_timeStage);
    const int64_t ns = m_parameters.timeReset.GetNanoSeconds();
    m_cycleEnd = Later(now, NanoSeconds(m_timeStage < m_parameters.threshold ? ns : (ns + 1) / 2));
}

void
QcnLimiter::Release()
{
    m_active = false;
    m_rateBps = m_parameters.lineRateBps;
    m_targetBps = m_rateBps;
    m_byteStage = 0;
    m_timeStage = 0;
    m_bytesLeft = 0;
    m_cycleEnd = Time::Max();
}

void
QcnLimiter::OpenUp()
{
    Release();
    m_active = true;
}

bool
QcnLimiter::IsActive() const
{
    return m_active;
}

bool
QcnLimiter::IsAtLineRate() const
{
    return m_rateBps >= m_parameters.lineRateBps - m_parameters.increaseBps;
}

} // namespace ns3

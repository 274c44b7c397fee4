// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ecm-limiter.h"

#include "ns3/far-time.h"
#include "ns3/frame-size.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr double LEAST_MIN_RATE_BPS = 1e6;         // the document's range of Rmin begins here
constexpr int64_t LONGEST_TIMEOUT_NS = 1000000000; // and that of Tmax ends here
constexpr uint8_t LARGEST_UNIT = 40;               // 2^40 us are 12 days

} // namespace

EcmLimiter::EcmLimiter(const EcmParameters& parameters)
    : m_parameters(parameters)
{
    Release();
}

uint16_t
EcmLimiter::Timestamp(Time now, uint8_t unit)
{
    return static_cast<uint16_t>(now.GetNanoSeconds() / (int64_t(1000) << unit));
}

double
EcmLimiter::Feedback(const EcmMessage& message, double weight)
{
    return -(message.offset + weight * message.delta);
}

EcmLimiter::State
EcmLimiter::GetState() const
{
    return m_state;
}

const CongestionPointId&
EcmLimiter::GetPoint() const
{
    return m_point;
}

Time
EcmLimiter::GetAverageRtt() const
{
    return RoundToNs(m_averageRttNs);
}

double
EcmLimiter::GetMinRateBps() const
{
    return m_minRateBps;
}

Time
EcmLimiter::GetMaxTimeout() const
{
    return m_maxTimeout;
}

void
EcmLimiter::OnMessage(const Notification& message, Time now)
{
    const auto* ecm = std::get_if<EcmMessage>(&message);
    if (!ecm || m_state == TIMEOUT)
    {
        return;
    }
    if (ecm->offset == 0 && ecm->delta == 0)
    {
        Stop(*ecm, now);
        return;
    }
    const double feedback = Feedback(*ecm, m_parameters.weight);
    // A saturated change decides by itself which way to go.
    const double direction = ecm->saturated ? -ecm->delta : feedback;
    if (direction < 0)
    {
        Decrease(*ecm, feedback, now);
    }
    else if (m_state == ACTIVE && ecm->point == m_point)
    {
        if (direction > 0)
        {
            Increase(*ecm, feedback);
        }
        MeasureRtt(*ecm, now);
    }
}

void
EcmLimiter::Stop(const EcmMessage& message, Time now)
{
    m_state = TIMEOUT;
    m_rateBps = 0;
    Associate(message);
    m_restart = Later(now, RoundToNs(m_maxTimeout.GetNanoSeconds() * m_parameters.Random()));
}

void
EcmLimiter::Decrease(const EcmMessage& message, double feedback, Time now)
{
    if (m_state == INACTIVE)
    {
        m_state = ACTIVE;
        m_rateBps = m_parameters.initialRateBps;
        m_point = message.point;
        m_averageRttNs = 0;
    }
    else
    {
        const double alpha = m_parameters.largestCut;
        const double cut = message.saturated
                               ? std::min(2 * alpha, 1.0)
                               : std::min(-feedback * m_parameters.decreaseGain, alpha);
        m_rateBps = std::max(m_rateBps * (1 - cut), m_minRateBps);
        if (message.point == m_point)
        {
            MeasureRtt(message, now);
        }
        else
        {
            Associate(message);
        }
    }
    ArmIncrease(now);
}

void
EcmLimiter::Increase(const EcmMessage& message, double feedback)
{
    const double capacity = m_parameters.lineRateBps;
    const double most = m_parameters.largestIncrease * capacity;
    const double step =
        message.saturated
            ? 2 * most
            : std::min(m_parameters.increaseGain * feedback * m_parameters.rateUnitBps, most);
    m_rateBps = std::min(m_rateBps + step, capacity);
    m_minRateBps = m_parameters.minRateBps;
    m_maxTimeout = m_parameters.maxTimeout;
}

void
EcmLimiter::MeasureRtt(const EcmMessage& message, Time now)
{
    if (!message.timestamped || message.unit > LARGEST_UNIT)
    {
        return;
    }
    // The difference modulo 2^16 is right for any RTT below 2^16 units.
    const auto units = static_cast<uint16_t>(Timestamp(now, message.unit) - message.timestamp);
    const double rttNs = units * std::ldexp(1000, message.unit);
    const double weight = std::ldexp(1, -m_parameters.rttWeight);
    m_averageRttNs = (1 - weight) * m_averageRttNs + weight * rttNs;
}

void
EcmLimiter::Associate(const EcmMessage& message)
{
    if (!(message.point == m_point))
    {
        m_point = message.point;
        m_averageRttNs = 0;
    }
}

void
EcmLimiter::ArmIncrease(Time now)
{
    if (m_nextIncrease == Time::Max() && m_rateBps < m_parameters.lineRateBps)
    {
        const int64_t intervalNs = m_parameters.increaseInterval.GetNanoSeconds();
        m_nextIncrease = NanoSeconds((now.GetNanoSeconds() / intervalNs + 1) * intervalNs);
    }
}

void
EcmLimiter::AddTag(Frame& frame) const
{
    frame.tag = MakeCongestionTag();
    frame.tag->tag = CmTag();
    frame.bytes = FrameBytes(frame);
}

void
EcmLimiter::OnSend(Frame& frame, Time now)
{
    CmTag& tag = std::get<CmTag>(frame.tag->tag);
    tag.point = m_point;
    tag.unit = m_parameters.unit;
    tag.timestamp = Timestamp(now, tag.unit);
}

Time
EcmLimiter::NextTimer() const
{
    return m_state == TIMEOUT ? m_restart : m_state == ACTIVE ? m_nextIncrease : Time::Max();
}

void
EcmLimiter::OnTimer(Time now)
{
    if (m_state == TIMEOUT)
    {
        m_state = ACTIVE;
        m_rateBps = std::min(m_minRateBps, m_parameters.lineRateBps);
        m_minRateBps = std::max(m_minRateBps / 2, LEAST_MIN_RATE_BPS);
        m_maxTimeout = std::min(m_maxTimeout + m_maxTimeout, NanoSeconds(LONGEST_TIMEOUT_NS));
        m_nextIncrease = Time::Max(); // that of before the timeout may have passed
        ArmIncrease(now);
        return;
    }
    m_rateBps = std::min(m_rateBps + m_parameters.increaseBps, m_parameters.lineRateBps);
    m_nextIncrease = m_rateBps < m_parameters.lineRateBps
                         ? Later(now, m_parameters.increaseInterval)
                         : Time::Max();
}

void
EcmLimiter::Release()
{
    m_state = INACTIVE;
    m_rateBps = m_parameters.lineRateBps;
    m_point = CongestionPointId();
    m_averageRttNs = 0;
    m_minRateBps = m_parameters.minRateBps;
    m_maxTimeout = m_parameters.maxTimeout;
    m_restart = Time::Max();
    m_nextIncrease = Time::Max();
}

void
EcmLimiter::OpenUp()
{
    m_state = ACTIVE;
    m_rateBps = m_parameters.lineRateBps;
    m_nextIncrease = Time::Max();
}

bool
EcmLimiter::IsActive() const
{
    return m_state != INACTIVE;
}

bool
EcmLimiter::IsAtLineRate() const
{
    return m_state != TIMEOUT && m_rateBps >= m_parameters.lineRateBps;
}

} // namespace ns3

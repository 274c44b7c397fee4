// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "tcd-detector.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcdDetector");

NS_OBJECT_ENSURE_REGISTERED(TcdDetector);

namespace
{

/**
 * @param name of an attribute
 * @param epsilon its value; outside 0 < epsilon <= 1 is an InputError
 */
void
CheckEpsilon(const std::string& name, double epsilon)
{
    // The negation also catches a NaN.
    if (!(epsilon > 0 && epsilon <= 1))
    {
        throw InputError(name, InputError::Text(epsilon), "above 0 and at most 1");
    }
}

/**
 * @param name of an attribute
 * @param value its value; a negative one is an InputError
 */
void
CheckNotNegative(const std::string& name, Time value)
{
    if (value < Time(0))
    {
        throw InputError(name,
                         std::to_string(value.GetNanoSeconds()) + " ns",
                         "a time of at least 0");
    }
}

} // namespace

TypeId
TcdDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcdDetector")
            .SetParent<EcnDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<TcdDetector>()
            .AddAttribute("Epsilon",
                          "Congestion degree (Ri - Rd) / C from which ON-OFF patterns are "
                          "recognised, above 0 to 1",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&TcdDetector::m_epsilon),
                          MakeDoubleChecker<double>())
            .AddAttribute("MaxTon",
                          "Longest ON period of an ON-OFF pattern. 0: Tc under credits, else by "
                          "equation (3)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TcdDetector::m_maxTonSetting),
                          MakeTimeChecker())
            .AddAttribute("TrendPeriod",
                          "Period over which a released queue is compared. 0: max(Ton)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TcdDetector::m_trendPeriodSetting),
                          MakeTimeChecker())
            .AddAttribute("CongestionThreshold",
                          "Queue above which a port is congested [B]. 0: Kmax at its rate",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcdDetector::m_congestionSetting),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("LowThreshold",
                          "Queue up to which a released port is not congested [B]. 0: Kmin at its "
                          "rate (the paper gives no value)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcdDetector::m_lowSetting),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("TrendMargin",
                          "Largest frames by which a queue may differ over a TrendPeriod and still "
                          "be level: one that comes and one that goes",
                          UintegerValue(2),
                          MakeUintegerAccessor(&TcdDetector::m_marginFrames),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BlockedIsIncrease",
                          "A queue that did not decrease has increased if its switch paused "
                          "upstream ports because of it for Epsilon of the TrendPeriod",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcdDetector::m_blockedIsIncrease),
                          MakeBooleanChecker());
    return tid;
}

Time
TcdDetector::Ton(uint64_t rateBps,
                 uint64_t drainBps,
                 uint64_t hysteresisBytes,
                 Time tau,
                 double epsilon)
{
    NS_ABORT_MSG_IF(rateBps == 0, "the line rate is needed to compute Ton");
    CheckEpsilon("epsilon", epsilon);
    const double tauNs = static_cast<double>(tau.GetNanoSeconds());
    const double backlogBits = 8.0 * hysteresisBytes + tauNs * 1e-9 * drainBps;
    return RoundToNs(backlogBits / (epsilon * rateBps) * 1e9 + tauNs);
}

Time
TcdDetector::MaxTon(uint64_t rateBps,
                    uint32_t mtuBytes,
                    uint64_t xoffBytes,
                    uint64_t xonBytes,
                    Time delay,
                    double epsilon)
{
    NS_ABORT_MSG_IF(rateBps == 0, "the line rate is needed to compute max(Ton)");
    NS_ABORT_MSG_IF(xonBytes > xoffBytes,
                    "Xon, " << xonBytes << " B, is above Xoff, " << xoffBytes << " B");
    const Time twoFrames = NanoSeconds(std::llround(2 * 8e9 * mtuBytes / rateBps));
    const Time tau = twoFrames + delay + delay;
    return Ton(rateBps, rateBps / 2, xoffBytes - xonBytes, tau, epsilon);
}

Time
TcdDetector::GetMaxTon() const
{
    return m_maxTon;
}

Time
TcdDetector::GetTrendPeriod() const
{
    return m_trendPeriod;
}

void
TcdDetector::DoAttach()
{
    EcnDetector::DoAttach();
    CheckEpsilon("ns3::TcdDetector::Epsilon", m_epsilon);
    CheckNotNegative("ns3::TcdDetector::MaxTon", m_maxTonSetting);
    CheckNotNegative("ns3::TcdDetector::TrendPeriod", m_trendPeriodSetting);
    m_congestionAbove = m_congestionSetting > 0 ? m_congestionSetting : GetKmax();
    m_nonCongestionTo = m_lowSetting > 0 ? m_lowSetting : GetKmin();
    if (m_nonCongestionTo > m_congestionAbove)
    {
        throw InputError("ns3::TcdDetector::LowThreshold",
                         std::to_string(m_nonCongestionTo) + " B",
                         "at most CongestionThreshold, " + std::to_string(m_congestionAbove) +
                             " B");
    }
    const DetectorContext& port = Context();
    if (m_maxTonSetting > Time(0))
    {
        m_maxTon = m_maxTonSetting;
    }
    else if (port.creditPeriod > Time(0))
    {
        m_maxTon = port.creditPeriod;
    }
    else
    {
        m_maxTon = MaxTon(port.rateBps,
                          port.mtuBytes > 0 ? port.mtuBytes : port.frameBytes,
                          port.xoffBytes,
                          port.xonBytes,
                          port.delay,
                          m_epsilon);
    }
    m_trendPeriod = m_trendPeriodSetting > Time(0) ? m_trendPeriodSetting : m_maxTon;
    m_margin = static_cast<uint64_t>(m_marginFrames) * port.frameBytes;
    NS_LOG_LOGIC("node " << port.node << " port " << port.port << " max(Ton) "
                         << m_maxTon.GetNanoSeconds() << " ns, trend period "
                         << m_trendPeriod.GetNanoSeconds() << " ns");
}

void
TcdDetector::OnOn(Time now)
{
    m_release = Later(now, m_maxTon);
    m_offUnseen = true;
    m_periodEnd = Time(0);
}

void
TcdDetector::OnUpstreamPause(Time now)
{
    AddPausedTime(now);
    m_paused++;
}

void
TcdDetector::OnUpstreamResume(Time now)
{
    NS_ASSERT_MSG(m_paused > 0, "a resume without a pause");
    AddPausedTime(now);
    m_paused--;
}

void
TcdDetector::AddPausedTime(Time now)
{
    m_pausedTime += m_paused * (now - m_pausedSince);
    m_pausedSince = now;
}

void
TcdDetector::OnDequeue(Frame& frame, const QueueState& queue, Time now)
{
    const bool late =
        m_offUnseen && GetState() == NON_CONGESTION && queue.bytes > m_nonCongestionTo;
    m_offUnseen = false;
    if (now < m_release)
    {
        SetState(UNDETERMINED, now);
        Mark(frame, CodePoint::UNDETERMINED);
    }
    else if (GetState() == UNDETERMINED || late)
    {
        SetState(UNDETERMINED, now);
        CheckTrend(frame, queue, now);
    }
    else
    {
        MarkByRed(frame, queue);
        SetState(queue.bytes > m_congestionAbove ? CONGESTION : NON_CONGESTION, now);
    }
}

void
TcdDetector::CheckTrend(Frame& frame, const QueueState& queue, Time now)
{
    if (queue.bytes <= m_nonCongestionTo)
    {
        SetState(NON_CONGESTION, now);
    }
    else if (m_periodEnd == Time(0))
    {
        StartPeriod(m_release, queue, now);
    }
    else if (now >= m_periodEnd)
    {
        if (queue.bytes > m_congestionAbove && HasIncreased(queue, now))
        {
            SetState(CONGESTION, now);
            Mark(frame, CodePoint::CONGESTION);
        }
        else
        {
            StartPeriod(m_periodEnd, queue, now);
        }
    }
}

bool
TcdDetector::HasIncreased(const QueueState& queue, Time now)
{
    AddPausedTime(now);
    const bool decreased = queue.bytes + m_margin < m_periodStartBytes;
    const int64_t countedNs = (now - m_countedFrom).GetNanoSeconds();
    const Time least = NanoSeconds(std::llround(m_epsilon * countedNs));
    const bool blocked = m_blockedIsIncrease && m_pausedTime >= least;
    return queue.bytes > m_periodStartBytes + m_margin || (blocked && !decreased);
}

void
TcdDetector::StartPeriod(Time start, const QueueState& queue, Time now)
{
    const Time end = Later(start, m_trendPeriod);
    m_periodEnd = end > now ? end : Later(now, m_trendPeriod);
    m_periodStartBytes = queue.bytes;
    m_countedFrom = now;
    m_pausedSince = now;
    m_pausedTime = Time(0);
}

} // namespace ns3

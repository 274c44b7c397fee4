// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "timely.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/lossless-compat.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Timely");

NS_OBJECT_ENSURE_REGISTERED(Timely);

namespace
{

/**
 * @param attribute whose value is impossible
 * @param found the value
 * @param expected what is possible
 */
[[noreturn]] void
Refuse(const char* attribute, const std::string& found, const std::string& expected)
{
    throw InputError(std::string("ns3::Timely::") + attribute, found, expected);
}

/**
 * @param time any
 * @returns it in microseconds, for a message
 */
std::string
Text(Time time)
{
    std::ostringstream text;
    text << time.As(Time::US);
    return text.str();
}

} // namespace

TypeId
Timely::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Timely")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<Timely>()
            .AddAttribute("Variant",
                          "Between the thresholds: TIMELY's gradient, or patched TIMELY",
                          EnumValue(GRADIENT),
                          LOSSLESS_ENUM_ACCESSOR(Variant, &Timely::m_variant),
                          MakeEnumChecker(GRADIENT, "Gradient", PATCHED, "Patched"))
            .AddAttribute("EwmaGain",
                          "a, the weight of one difference in the average, above 0, at most 1",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&Timely::m_ewmaGain),
                          MakeDoubleChecker<double>())
            .AddAttribute("Beta",
                          "beta, the factor of each decrease; patched TIMELY has 0.008, TCD 1.6",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Timely::m_beta),
                          MakeDoubleChecker<double>())
            .AddAttribute("TLow",
                          "RTT below which the rate rises; patched TIMELY's reference",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Timely::m_tLow),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("THigh",
                          "RTT above which the rate is cut",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&Timely::m_tHigh),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRtt",
                          "Unit of the gradient; 0 for the RTT of the path without queueing",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Timely::m_minRttAsSet),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("AdditiveIncrease",
                          "delta, step of the rate",
                          DataRateValue(DataRate(10000000)),
                          MakeDataRateAccessor(&Timely::m_additiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("ReferenceRate",
                          "Line rate for which the step is given; a NIC of another rate takes it "
                          "in proportion. 0: the same at every rate",
                          DataRateValue(DataRate(10000000000)),
                          MakeDataRateAccessor(&Timely::m_referenceRate),
                          MakeDataRateChecker())
            .AddAttribute("HaiThreshold",
                          "The event in a row with which hyperactive increase begins",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Timely::m_haiThreshold),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HaiFactor",
                          "N, the steps of one hyperactive increase",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Timely::m_haiFactor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("InitialRate",
                          "Rate before the first update, not above line rate; 0 for line rate",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Timely::m_initialRate),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lowest rate; line rate where that is lower",
                          DataRateValue(DataRate(100000000)),
                          MakeDataRateAccessor(&Timely::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("Segment",
                          "User bytes whose acknowledgement is one completion event [B]",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&Timely::m_segment),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("HalfCap",
                          "No event takes more than half of the rate (authors' snippet)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Timely::m_halfCap),
                          MakeBooleanChecker())
            .AddAttribute("ScaleWithTime",
                          "Increases, and the decrease above THigh, are in proportion to the time "
                          "since the last event in units of MinRtt, at most 1 (authors' snippet)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Timely::m_scaleWithTime),
                          MakeBooleanChecker())
            .AddAttribute("HaiByDifference",
                          "Hyperactive increase counts the RTTs in a row that are lower than the "
                          "one before, whatever else is done (authors' snippet), instead of the "
                          "increases in a row between the thresholds",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Timely::m_haiByDifference),
                          MakeBooleanChecker())
            .AddAttribute("HoldOnUndetermined",
                          "Whether UE keeps the rate where a positive gradient would cut it",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Timely::m_holdOnUndetermined),
                          MakeBooleanChecker())
            .AddTraceSource("Rate",
                            "A completion event: (time, rate [bit/s], RTT, gradient)",
                            MakeTraceSourceAccessor(&Timely::m_rateTrace),
                            "ns3::Timely::RateTracedCallback");
    return tid;
}

Ptr<RateController>
Timely::Fork() const
{
    return CopyObject<Timely>(Ptr<const Timely>(this));
}

void
Timely::DoStart(Time now)
{
    if (!(m_ewmaGain > 0 && m_ewmaGain <= 1))
    {
        Refuse("EwmaGain", InputError::Text(m_ewmaGain), "more than 0, at most 1");
    }
    if (!(m_beta > 0))
    {
        Refuse("Beta", InputError::Text(m_beta), "more than 0");
    }
    if (m_tLow >= m_tHigh)
    {
        Refuse("TLow", Text(m_tLow), "less than THigh, " + Text(m_tHigh));
    }
    if (m_variant == PATCHED && m_tLow.IsZero())
    {
        Refuse("TLow", Text(m_tLow), "more than zero, as Variant is Patched");
    }
    if (m_segment == 0)
    {
        Refuse("Segment", "0", "more than zero");
    }
    if (m_minRate.GetBitRate() == 0)
    {
        Refuse("MinRate", "0", "more than zero");
    }
    m_minRtt = m_minRttAsSet.IsZero() ? m_baseRtt : m_minRttAsSet;
    if (!m_minRtt.IsStrictlyPositive())
    {
        Refuse("MinRtt", Text(m_minRtt), "more than zero, as the path's RTT is not known");
    }
    const double line = static_cast<double>(m_lineRateBps);
    const double reference = static_cast<double>(m_referenceRate.GetBitRate());
    const double scale = reference > 0 ? line / reference : 1;
    m_deltaBps = static_cast<double>(m_additiveIncrease.GetBitRate()) * scale;
    m_lowestBps = std::min(line, static_cast<double>(m_minRate.GetBitRate()));
    const double initial = static_cast<double>(m_initialRate.GetBitRate());
    m_rateBps = initial > 0 ? std::max(m_lowestBps, std::min(line, initial)) : line;

    m_acked = 0;
    m_mark = CodePoint::NOT_CAPABLE;
    m_sampled = false;
    m_previousRtt = Time(0);
    m_lastEvent = now;
    m_difference = 0;
    m_inRow = 0;
}

void
Timely::OnAck(const Acknowledgement& ack, Time now)
{
    m_mark = std::max(m_mark, ack.echo);
    m_acked += ack.ackedBytes;
    if (m_acked < m_segment)
    {
        return;
    }
    // One acknowledgement is one event, however many segments it completes.
    m_acked %= m_segment;
    const bool ue = m_mark == CodePoint::UNDETERMINED;
    m_mark = CodePoint::NOT_CAPABLE;
    CompleteSegment(ack.rtt, ue, now);
}

void
Timely::CompleteSegment(Time rtt, bool ue, Time now)
{
    if (m_sampled)
    {
        const Time change = rtt - m_previousRtt;
        m_difference = (1 - m_ewmaGain) * m_difference + m_ewmaGain * change.GetSeconds();
        const bool between = rtt >= m_tLow && rtt <= m_tHigh;
        const bool hold = ue && m_holdOnUndetermined && between && m_difference > 0;
        const bool counts =
            m_haiByDifference ? change.IsStrictlyNegative() : between && m_difference <= 0;
        m_inRow = counts && !hold ? m_inRow + 1 : 0;
        if (!hold)
        {
            const double sinceLast = (now - m_lastEvent).GetSeconds() / m_minRtt.GetSeconds();
            const double rateBps = NextRate(rtt, m_scaleWithTime ? std::min(1.0, sinceLast) : 1);
            const double floorBps = m_halfCap ? std::max(m_lowestBps, m_rateBps / 2) : m_lowestBps;
            m_rateBps = std::max(floorBps, std::min(static_cast<double>(m_lineRateBps), rateBps));
        }
        NS_LOG_LOGIC(now << " RTT " << rtt << " gradient " << GetGradient() << " rate "
                         << m_rateBps);
    }
    m_sampled = true;
    m_previousRtt = rtt;
    m_lastEvent = now;
    if (!m_rateTrace.IsEmpty())
    {
        m_rateTrace(now, m_rateBps, rtt, GetGradient());
    }
}

double
Timely::NextRate(Time rtt, double share) const
{
    const double step = m_deltaBps * share;
    if (rtt < m_tLow)
    {
        return m_rateBps + step;
    }
    if (rtt > m_tHigh)
    {
        const double excess = 1 - m_tHigh.GetSeconds() / rtt.GetSeconds();
        return m_rateBps * (1 - m_beta * excess * share);
    }
    if (m_variant == PATCHED)
    {
        const double w = GetWeight();
        const double error = (rtt - m_tLow).GetSeconds() / m_tLow.GetSeconds();
        return step * (1 - w) + m_rateBps * (1 - m_beta * w * error);
    }
    if (m_difference > 0)
    {
        return m_rateBps * (1 - m_beta * GetGradient());
    }
    return m_rateBps + step * (m_inRow >= m_haiThreshold ? m_haiFactor : 1);
}

double
Timely::GetWeight() const
{
    return std::max(0.0, std::min(1.0, 2 * GetGradient() + 0.5));
}

double
Timely::GetGradient() const
{
    return m_difference / m_minRtt.GetSeconds();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "source-response.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SourceResponse);
NS_OBJECT_ENSURE_REGISTERED(MultiplicativeDecrease);

TypeId
SourceResponse::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SourceResponse")
                            .SetParent<RateController>()
                            .SetGroupName("Lossless")
                            .AddAttribute("MinRateDivisor",
                                          "Line rate over the lowest rate, Rmax / Rmin",
                                          UintegerValue(256),
                                          MakeUintegerAccessor(&SourceResponse::m_minRateDivisor),
                                          MakeUintegerChecker<uint32_t>(2))
                            .AddTraceSource("Rate",
                                            "The rate changed: (time, rate [bit/s])",
                                            MakeTraceSourceAccessor(&SourceResponse::m_rateTrace),
                                            "ns3::SourceResponse::RateTracedCallback");
    return tid;
}

void
SourceResponse::DoStart(Time now)
{
    m_windowBytes = 1; // one frame may always be outstanding
    m_rateTrace(now, m_rateBps);
}

double
SourceResponse::GetMaxRateBps() const
{
    return static_cast<double>(m_lineRateBps);
}

double
SourceResponse::GetMinRateBps() const
{
    return GetMaxRateBps() / m_minRateDivisor;
}

void
SourceResponse::OnAck(const Acknowledgement& ack, Time now)
{
    if (ack.echo == CodePoint::UNDETERMINED)
    {
        return;
    }
    const double rate = ack.echo == CodePoint::CONGESTION
                            ? std::max(Decrease(m_rateBps), GetMinRateBps())
                            : std::min(Increase(m_rateBps), GetMaxRateBps());
    if (rate != m_rateBps)
    {
        m_rateBps = rate;
        m_rateTrace(now, rate);
    }
}

TypeId
MultiplicativeDecrease::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MultiplicativeDecrease")
                            .SetParent<SourceResponse>()
                            .SetGroupName("Lossless")
                            .AddAttribute("Factor",
                                          "m, by which a mark divides the rate; above 1",
                                          DoubleValue(2),
                                          MakeDoubleAccessor(&MultiplicativeDecrease::m_factor),
                                          MakeDoubleChecker<double>());
    return tid;
}

double
MultiplicativeDecrease::GetFactor() const
{
    return m_factor;
}

void
MultiplicativeDecrease::DoStart(Time now)
{
    if (m_factor <= 1)
    {
        throw InputError("ns3::MultiplicativeDecrease::Factor",
                         InputError::Text(m_factor),
                         "a number above 1");
    }
    SourceResponse::DoStart(now);
}

double
MultiplicativeDecrease::Decrease(double rateBps) const
{
    return rateBps / m_factor;
}

} // namespace ns3

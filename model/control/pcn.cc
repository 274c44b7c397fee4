// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "pcn.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Pcn");

NS_OBJECT_ENSURE_REGISTERED(Pcn);

TypeId
Pcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Pcn")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<Pcn>()
            .AddAttribute("WMin",
                          "w_min: weight of line rate in the first increase, and what a cut leaves "
                          "below the receive rate, for the queue to drain",
                          DoubleValue(1.0 / 128),
                          MakeDoubleAccessor(&Pcn::m_minWeight),
                          MakeDoubleChecker<double>())
            .AddAttribute("WMax",
                          "w_max: weight of line rate that a row of increases tends to",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Pcn::m_maxWeight),
                          MakeDoubleChecker<double>())
            .AddAttribute("MinRate",
                          "Lowest rate; line rate where that is lower",
                          DataRateValue(DataRate(10000000)),
                          MakeDataRateAccessor(&Pcn::m_minRate),
                          MakeDataRateChecker())
            .AddTraceSource("Rate",
                            "A CNP came: (time, rate [bit/s], receive rate [bit/s], w)",
                            MakeTraceSourceAccessor(&Pcn::m_rateTrace),
                            "ns3::Pcn::RateTracedCallback");
    return tid;
}

Ptr<RateController>
Pcn::Fork() const
{
    return CopyObject<Pcn>(Ptr<const Pcn>(this));
}

void
Pcn::DoStart(Time)
{
    if (!(m_minWeight > 0 && m_minWeight <= 1))
    {
        throw InputError("ns3::Pcn::WMin", InputError::Text(m_minWeight), "more than 0, at most 1");
    }
    if (!(m_maxWeight >= m_minWeight && m_maxWeight <= 1))
    {
        throw InputError("ns3::Pcn::WMax",
                         InputError::Text(m_maxWeight),
                         "WMin, " + InputError::Text(m_minWeight) + ", to 1");
    }
    if (m_minRate.GetBitRate() == 0)
    {
        throw InputError("ns3::Pcn::MinRate", "0", "more than zero");
    }
    m_lowestBps = std::min<double>(m_lineRateBps, m_minRate.GetBitRate());
    m_weight = m_minWeight;
}

void
Pcn::OnCnp(const Cnp& cnp, Time now)
{
    constexpr double UNIT_BPS = 1e7;
    const double receiveBps = cnp.fairRate * UNIT_BPS;
    if (cnp.fairRate == 0)
    {
        return;
    }
    if (cnp.code == CodePoint::CONGESTION)
    {
        if (m_rateBps > receiveBps)
        {
            m_rateBps = std::max(m_lowestBps, receiveBps * (1 - m_minWeight));
        }
        m_weight = m_minWeight;
    }
    else if (cnp.code == CodePoint::CAPABLE)
    {
        m_rateBps = m_rateBps * (1 - m_weight) + m_lineRateBps * m_weight;
        m_weight = m_weight * (1 - m_weight) + m_maxWeight * m_weight;
    }
    else
    {
        return;
    }
    NS_LOG_LOGIC(now << " receive rate " << receiveBps << " rate " << m_rateBps << " w "
                     << m_weight);
    m_rateTrace(now, m_rateBps, receiveBps, m_weight);
}

double
Pcn::GetWeight() const
{
    return m_weight;
}

} // namespace ns3

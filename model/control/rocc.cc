// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rocc.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Rocc");

NS_OBJECT_ENSURE_REGISTERED(Rocc);

TypeId
Rocc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Rocc")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<Rocc>()
            .AddAttribute("RecoveryTimer",
                          "Time without an accepted CNP after which the rate doubles",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Rocc::m_recoveryTimer),
                          MakeTimeChecker())
            .AddTraceSource("Rate",
                            "The rate was set: (time, rate [bit/s], congestion point whose rate it "
                            "is, 0 at line rate)",
                            MakeTraceSourceAccessor(&Rocc::m_rateTrace),
                            "ns3::Rocc::RateTracedCallback");
    return tid;
}

Ptr<RateController>
Rocc::Fork() const
{
    return CopyObject<Rocc>(Ptr<const Rocc>(this));
}

void
Rocc::DoStart(Time)
{
    if (!m_recoveryTimer.IsStrictlyPositive())
    {
        throw InputError("ns3::Rocc::RecoveryTimer",
                         std::to_string(m_recoveryTimer.GetNanoSeconds()) + " ns",
                         "more than zero");
    }
    m_recovery = Time::Max();
    m_point = 0;
}

void
Rocc::OnCnp(const Cnp& cnp, Time now)
{
    constexpr double UNIT_BPS = 1e7;
    if (cnp.fairRate == 0 || cnp.code != CodePoint::CONGESTION)
    {
        return;
    }
    const double fairBps = cnp.fairRate * UNIT_BPS;
    if (fairBps <= m_rateBps || cnp.point == m_point)
    {
        m_point = cnp.point;
        Take(fairBps, now);
    }
}

Time
Rocc::NextTimer() const
{
    return m_recovery;
}

void
Rocc::OnTimer(Time now)
{
    Take(2 * m_rateBps, now);
}

void
Rocc::Take(double rateBps, Time now)
{
    const double line = static_cast<double>(m_lineRateBps);
    if (rateBps >= line)
    {
        m_rateBps = line;
        m_recovery = Time::Max();
        m_point = 0;
    }
    else
    {
        m_rateBps = rateBps;
        m_recovery = Later(now, m_recoveryTimer);
    }
    NS_LOG_LOGIC(now << " rate " << m_rateBps << " of point " << m_point);
    m_rateTrace(now, m_rateBps, m_point);
}

} // namespace ns3

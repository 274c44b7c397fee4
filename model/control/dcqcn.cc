// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "dcqcn.h"

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
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Dcqcn");

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

namespace
{

/**
 * By squaring, so that the result does not depend on a C library's pow().
 * @param base 0 to 1
 * @param exponent not negative
 * @returns base to the power of exponent
 */
double
Power(double base, int64_t exponent)
{
    double result = 1;
    for (; exponent > 0; exponent >>= 1)
    {
        if (exponent & 1)
        {
            result *= base;
        }
        base *= base;
    }
    return result;
}

} // namespace

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Dcqcn")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<Dcqcn>()
            .AddAttribute("Variant",
                          "The reaction point: that of the paper, or an adapter's of the "
                          "ConnectX-4 kind",
                          EnumValue(PAPER),
                          LOSSLESS_ENUM_ACCESSOR(Variant, &Dcqcn::m_variant),
                          MakeEnumChecker(PAPER, "Paper", ADAPTER, "Adapter"))
            .AddAttribute("InitialAlpha",
                          "alpha when the first CNP comes; not above 1 but for TCD's 1.2",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Dcqcn::m_initialAlpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Gain",
                          "g, the weight of one observation in alpha, 0 to 1",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&Dcqcn::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaTimer",
                          "K, the time after which alpha decays",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Dcqcn::m_alphaTimer),
                          MakeTimeChecker())
            .AddAttribute("IncreaseTimer",
                          "Time between two increases of the rate",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Dcqcn::m_increaseTimer),
                          MakeTimeChecker())
            .AddAttribute("DecreaseInterval",
                          "Adapter only: time between two looks for a CNP, each of which may cut",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&Dcqcn::m_decreaseInterval),
                          MakeTimeChecker())
            .AddAttribute("ByteCounter",
                          "Paper only: B, bytes sent between two increases; 0 for no byte counter, "
                          "and so no hyper increase [B]",
                          UintegerValue(10000000),
                          MakeUintegerAccessor(&Dcqcn::m_byteCounter),
                          MakeUintegerChecker<uint64_t>(0, NOT_COUNTING))
            .AddAttribute("FastRecoveryStages",
                          "F, the stage at which fast recovery ends",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Dcqcn::m_fastRecoveryStages),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "R_AI, step of the target rate",
                          DataRateValue(DataRate(40000000)),
                          MakeDataRateAccessor(&Dcqcn::m_additiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "R_HAI, step of the target rate; the paper gives no value",
                          DataRateValue(DataRate(200000000)),
                          MakeDataRateAccessor(&Dcqcn::m_hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("ReferenceRate",
                          "Line rate for which the two steps are given; a NIC of another rate "
                          "takes them in proportion. 0: the same at every rate",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Dcqcn::m_referenceRate),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Lowest rate; line rate where that is lower",
                          DataRateValue(DataRate(100000000)),
                          MakeDataRateAccessor(&Dcqcn::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("ReductionCoefficient",
                          "c in R = R (1 - c alpha)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Dcqcn::m_reductionCoefficient),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ClampTargetRate",
                          "Whether every cut lowers the target to the rate before the cut; if not, "
                          "only the first one after an increase does",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Dcqcn::m_clampTargetRate),
                          MakeBooleanChecker())
            .AddAttribute("AlphaBeforeCut",
                          "Paper only: whether a CNP raises alpha before it cuts, not after",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Dcqcn::m_alphaBeforeCut),
                          MakeBooleanChecker())
            .AddAttribute("HoldOnUndetermined",
                          "Whether a CNP that says UE holds rate, target and stages for "
                          "HoldInterval; if not, it is like one that says CE",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Dcqcn::m_holdOnUndetermined),
                          MakeBooleanChecker())
            .AddAttribute("HoldInterval",
                          "How long a UE holds: the interval at which the receiver sends CNPs",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Dcqcn::m_holdInterval),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Rate",
                            "An input changed the state: (time, rate [bit/s], target rate "
                            "[bit/s], alpha)",
                            MakeTraceSourceAccessor(&Dcqcn::m_rateTrace),
                            "ns3::Dcqcn::RateTracedCallback");
    return tid;
}

Ptr<RateController>
Dcqcn::Fork() const
{
    return CopyObject<Dcqcn>(Ptr<const Dcqcn>(this));
}

void
Dcqcn::DoStart(Time now)
{
    if (m_minRate.GetBitRate() == 0)
    {
        throw InputError("ns3::Dcqcn::MinRate", "0", "more than zero");
    }
    const std::pair<const char*, Time> timers[] = {{"AlphaTimer", m_alphaTimer},
                                                   {"IncreaseTimer", m_increaseTimer},
                                                   {"DecreaseInterval", m_decreaseInterval}};
    for (const auto& [name, time] : timers)
    {
        if (!time.IsStrictlyPositive())
        {
            std::ostringstream found;
            found << time.As(Time::US);
            throw InputError(std::string("ns3::Dcqcn::") + name, found.str(), "more than zero");
        }
    }
    const double line = static_cast<double>(m_lineRateBps);
    const double reference = static_cast<double>(m_referenceRate.GetBitRate());
    const double scale = reference > 0 ? line / reference : 1;
    m_additiveBps = static_cast<double>(m_additiveIncrease.GetBitRate()) * scale;
    m_hyperBps = static_cast<double>(m_hyperIncrease.GetBitRate()) * scale;
    m_minBps = std::min(line, static_cast<double>(m_minRate.GetBitRate()));

    m_targetBps = line;
    m_alpha = m_initialAlpha;
    m_nextIncrease = Time::Max();
    m_nextCheck = Time::Max();
    m_holdUntil = now;
    m_bytesLeft = NOT_COUNTING;
    m_timerStage = 0;
    m_byteStage = 0;
    m_limited = false;
    m_cnpInPeriod = false;
    Report(now);
}

void
Dcqcn::OnCnp(const Cnp& cnp, Time now)
{
    if (cnp.code == CodePoint::CAPABLE)
    {
        return; // says that there is no congestion; a standard CNP says nothing, and means CE
    }
    if (m_holdOnUndetermined && cnp.code == CodePoint::UNDETERMINED)
    {
        Hold(now);
        return;
    }
    AdvanceAlpha(now);
    const bool first = !m_limited;
    m_limited = true;
    if (m_variant == PAPER)
    {
        m_alphaSince = now;
        if (m_alphaBeforeCut)
        {
            RaiseAlpha();
        }
        Cut(now);
        if (!m_alphaBeforeCut)
        {
            RaiseAlpha();
        }
        Report(now);
        return;
    }
    if (first)
    {
        m_alphaSince = now;
        m_firstCnp = now;
    }
    m_cnpInPeriod = !first;
    if (m_nextCheck == Time::Max())
    {
        const int64_t checks = (now - m_firstCnp).GetTimeStep() / m_decreaseInterval.GetTimeStep();
        m_nextCheck = Later(m_firstCnp + m_decreaseInterval * checks, m_decreaseInterval);
    }
}

void
Dcqcn::OnSend(Frame&, uint32_t wireBytes, Time now)
{
    if (now < m_holdUntil)
    {
        return;
    }
    m_bytesLeft -= wireBytes;
    if (m_bytesLeft <= 0)
    {
        CountBytes(now);
    }
}

Time
Dcqcn::NextTimer() const
{
    return std::min(m_nextIncrease, m_nextCheck);
}

void
Dcqcn::OnTimer(Time now)
{
    if (m_nextIncrease <= now)
    {
        m_nextIncrease = Later(m_nextIncrease, m_increaseTimer);
        m_timerStage++;
        Increase(now);
    }
    if (m_nextCheck <= now)
    {
        m_nextCheck = Time::Max();
        AdvanceAlpha(now);
        Cut(now);
        Report(now);
    }
}

double
Dcqcn::GetTargetBps() const
{
    return m_targetBps;
}

double
Dcqcn::GetAlpha(Time now) const
{
    if (!m_limited)
    {
        return m_alpha;
    }
    const int64_t periods = (now - m_alphaSince).GetTimeStep() / m_alphaTimer.GetTimeStep();
    if (m_cnpInPeriod && periods > 0)
    {
        return (m_alpha * (1 - m_gain) + m_gain) * Power(1 - m_gain, periods - 1);
    }
    return m_alpha * Power(1 - m_gain, periods);
}

void
Dcqcn::Hold(Time now)
{
    const Time until = Later(now, m_holdInterval);
    if (m_nextIncrease != Time::Max())
    {
        m_nextIncrease = Later(m_nextIncrease, until - std::max(now, m_holdUntil));
    }
    m_holdUntil = until;
}

void
Dcqcn::AdvanceAlpha(Time now)
{
    const int64_t periods = (now - m_alphaSince).GetTimeStep() / m_alphaTimer.GetTimeStep();
    if (m_limited && periods > 0)
    {
        m_alpha = GetAlpha(now);
        m_alphaSince += m_alphaTimer * periods;
        m_cnpInPeriod = false;
    }
}

void
Dcqcn::RaiseAlpha()
{
    m_alpha = m_alpha * (1 - m_gain) + m_gain;
}

void
Dcqcn::Cut(Time now)
{
    if (m_clampTargetRate || m_timerStage > 0 || m_byteStage > 0)
    {
        m_targetBps = m_rateBps;
    }
    m_rateBps = std::max(m_minBps, m_rateBps * (1 - m_reductionCoefficient * m_alpha));
    m_timerStage = 0;
    m_byteStage = 0;
    m_holdUntil = now;
    m_nextIncrease = Later(now, m_increaseTimer);
    if (m_variant == PAPER && m_byteCounter > 0)
    {
        m_bytesLeft = static_cast<int64_t>(m_byteCounter);
    }
    NS_LOG_LOGIC(now << " cut to " << m_rateBps << " target " << m_targetBps);
}

void
Dcqcn::CountBytes(Time now)
{
    // Increase() stops the counting at line rate.
    while (m_bytesLeft <= 0)
    {
        m_bytesLeft += static_cast<int64_t>(m_byteCounter);
        m_byteStage++;
        Increase(now);
    }
}

void
Dcqcn::Increase(Time now)
{
    const double line = static_cast<double>(m_lineRateBps);
    m_targetBps = std::min(line, m_targetBps + IncreaseStep());
    m_rateBps = (m_rateBps + m_targetBps) / 2;
    if (m_rateBps >= line)
    {
        // Nothing can rise any more; the next cut sets all of this anew.
        m_nextIncrease = Time::Max();
        m_bytesLeft = NOT_COUNTING;
    }
    NS_LOG_LOGIC(now << " increase to " << m_rateBps << " target " << m_targetBps);
    Report(now);
}

double
Dcqcn::IncreaseStep() const
{
    const uint32_t f = m_fastRecoveryStages;
    if (m_variant == ADAPTER)
    {
        const uint32_t before = m_timerStage - 1;
        return before < f ? 0 : before == f ? m_additiveBps : m_hyperBps;
    }
    if (std::max(m_timerStage, m_byteStage) < f)
    {
        return 0;
    }
    const uint32_t lower = std::min(m_timerStage, m_byteStage);
    return lower > f ? (lower - f) * m_hyperBps : m_additiveBps;
}

void
Dcqcn::Report(Time now)
{
    if (!m_rateTrace.IsEmpty())
    {
        m_rateTrace(now, m_rateBps, m_targetBps, GetAlpha(now));
    }
}

} // namespace ns3

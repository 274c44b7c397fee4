// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ecm-reaction-point.h"

#include "ns3/double.h"
#include "ns3/frame-size.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcmReactionPoint);

namespace
{

constexpr double UNIT_BYTES = 64; // of Qeq, Qoff and Qdelta

/**
 * Checks a rate, whose checker knows no range.
 * @param name of the attribute
 * @param rate its value
 * @param most largest value; the least is 1 Mb/s [bit/s]
 */
void
CheckRate(const std::string& name, DataRate rate, uint64_t most)
{
    constexpr uint64_t LEAST = 1000000;
    if (rate.GetBitRate() < LEAST || rate.GetBitRate() > most)
    {
        throw InputError("ns3::EcmReactionPoint::" + name,
                         RateText(rate.GetBitRate()),
                         RateText(LEAST) + " to " + RateText(most));
    }
}

} // namespace

TypeId
EcmReactionPoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcmReactionPoint")
            .SetParent<ReactionPoint>()
            .SetGroupName("Lossless")
            .AddConstructor<EcmReactionPoint>()
            .AddAttribute("W",
                          "w, weight of Qdelta; a multiple of 1/8 (ours)",
                          DoubleValue(2),
                          MakeDoubleAccessor(&EcmReactionPoint::m_weight),
                          MakeDoubleChecker<double>(0.125, 8))
            .AddAttribute("Gi",
                          "Increase gain; 0: that of which the largest feedback of Qeq gives Beta "
                          "C",
                          DoubleValue(0),
                          MakeDoubleAccessor(&EcmReactionPoint::m_increaseGain),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Gd",
                          "Decrease gain; 0: that of which the largest feedback of Qeq gives "
                          "Alpha",
                          DoubleValue(0),
                          MakeDoubleAccessor(&EcmReactionPoint::m_decreaseGain),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Qeq",
                          "Equilibrium of the congestion points, for gains of 0 [B]",
                          UintegerValue(24000),
                          MakeUintegerAccessor(&EcmReactionPoint::m_equilibriumBytes),
                          MakeUintegerChecker<uint64_t>(64))
            .AddAttribute("Ru",
                          "Rate unit of increases, 1 to 100 Mb/s",
                          DataRateValue(DataRate(1000000)),
                          MakeDataRateAccessor(&EcmReactionPoint::m_rateUnit),
                          MakeDataRateChecker())
            .AddAttribute("Alpha",
                          "Largest share by which feedback cuts the rate (ours)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&EcmReactionPoint::m_largestCut),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "Largest increase by feedback as a share of C (ours)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&EcmReactionPoint::m_largestIncrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialShare",
                          "Ri, rate of a new limiter, as a share of C",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&EcmReactionPoint::m_initialShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinRate",
                          "Rmin, rate after a timeout, 1 Mb/s to 1 Gb/s",
                          DataRateValue(DataRate(100000000)),
                          MakeDataRateAccessor(&EcmReactionPoint::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("MaxTimeout",
                          "Tmax, longest timeout after ECM(0,0)",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&EcmReactionPoint::m_maxTimeout),
                          MakeTimeChecker(MicroSeconds(1), Seconds(1)))
            .AddAttribute("IncreaseInterval",
                          "Td, time from one self-increase to the next",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&EcmReactionPoint::m_increaseInterval),
                          MakeTimeChecker(MicroSeconds(1), MilliSeconds(10)))
            .AddAttribute("IncreaseRate",
                          "Rd, a self-increase, 1 to 100 Mb/s",
                          DataRateValue(DataRate(1000000)),
                          MakeDataRateAccessor(&EcmReactionPoint::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("RttWeight",
                          "Wrtt: a new round-trip time counts 2^-Wrtt in the average (ours)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&EcmReactionPoint::m_rttWeight),
                          MakeUintegerChecker<uint8_t>(0, 31))
            .AddAttribute("TimestampUnit",
                          "Unit of the CM-Tag: its timer counts in 2^Unit us, modulo 2^16",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EcmReactionPoint::m_unit),
                          MakeUintegerChecker<uint8_t>(0, 20));
    return tid;
}

EcmReactionPoint::Parameters::Parameters()
    : random(CreateObject<UniformRandomVariable>())
{
}

double
EcmReactionPoint::Parameters::Random() const
{
    return random->GetValue(0, 1);
}

EcmReactionPoint::EcmReactionPoint() = default;

const EcmParameters&
EcmReactionPoint::GetParameters() const
{
    return m_parameters;
}

int64_t
EcmReactionPoint::AssignStreams(int64_t stream)
{
    m_parameters.random->SetStream(stream);
    return 1;
}

void
EcmReactionPoint::DoStart(double lineRateBps)
{
    CheckRate("Ru", m_rateUnit, 100000000);
    CheckRate("MinRate", m_minRate, 1000000000);
    CheckRate("IncreaseRate", m_increase, 100000000);
    if (std::floor(m_weight * 8) != m_weight * 8)
    {
        throw InputError("ns3::EcmReactionPoint::W",
                         InputError::Text(m_weight),
                         "a multiple of 1/8");
    }
    for (const auto& [name, share] : {std::make_pair("Alpha", m_largestCut),
                                      std::make_pair("Beta", m_largestIncrease),
                                      std::make_pair("InitialShare", m_initialShare)})
    {
        if (!(share > 0))
        {
            throw InputError(std::string("ns3::EcmReactionPoint::") + name,
                             InputError::Text(share),
                             "above 0 and at most 1");
        }
    }
    Parameters& p = m_parameters;
    const double largestFeedback = (1 + 2 * m_weight) * std::floor(m_equilibriumBytes / UNIT_BYTES);
    p.lineRateBps = lineRateBps;
    p.weight = m_weight;
    p.rateUnitBps = m_rateUnit.GetBitRate();
    p.largestCut = m_largestCut;
    p.largestIncrease = m_largestIncrease;
    p.decreaseGain = m_decreaseGain > 0 ? m_decreaseGain : m_largestCut / largestFeedback;
    p.increaseGain = m_increaseGain > 0
                         ? m_increaseGain
                         : m_largestIncrease * lineRateBps / (largestFeedback * p.rateUnitBps);
    p.initialRateBps = m_initialShare * lineRateBps;
    p.minRateBps = m_minRate.GetBitRate();
    p.maxTimeout = m_maxTimeout;
    p.increaseInterval = m_increaseInterval;
    p.increaseBps = m_increase.GetBitRate();
    p.rttWeight = m_rttWeight;
    p.unit = m_unit;
}

uint32_t
EcmReactionPoint::GetTagBytes() const
{
    return CM_TAG_BYTES;
}

std::unique_ptr<RateLimiter>
EcmReactionPoint::MakeLimiter(uint32_t) const
{
    return std::make_unique<EcmLimiter>(m_parameters);
}

bool
EcmReactionPoint::Understands(const Notification& message) const
{
    return std::holds_alternative<EcmMessage>(message);
}

} // namespace ns3

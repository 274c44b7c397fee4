// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qcn-reaction-point.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/frame-size.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QcnReactionPoint);

TypeId
QcnReactionPoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QcnReactionPoint")
            .SetParent<ReactionPoint>()
            .SetGroupName("Lossless")
            .AddConstructor<QcnReactionPoint>()
            .AddAttribute("TimeReset",
                          "rpgTimeReset, cycle of the timer; half of it after Threshold cycles",
                          TimeValue(MilliSeconds(15)),
                          MakeTimeAccessor(&QcnReactionPoint::m_timeReset),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("ByteReset",
                          "rpgByteReset, cycle of the byte counter; half of it after Threshold "
                          "cycles [B]",
                          UintegerValue(150000),
                          MakeUintegerAccessor(&QcnReactionPoint::m_byteReset),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("Threshold",
                          "rpgThreshold, cycles of fast recovery",
                          UintegerValue(5),
                          MakeUintegerAccessor(&QcnReactionPoint::m_threshold),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AiRate",
                          "rpgAiRate, step of active increase",
                          DataRateValue(DataRate(5000000)),
                          MakeDataRateAccessor(&QcnReactionPoint::m_increase),
                          MakeDataRateChecker())
            .AddAttribute("HaiRate",
                          "rpgHaiRate, step of hyper-active increase",
                          DataRateValue(DataRate(50000000)),
                          MakeDataRateAccessor(&QcnReactionPoint::m_hyper),
                          MakeDataRateChecker())
            .AddAttribute("Gd",
                          "rpgGd, share of the rate that a feedback of 1 cuts",
                          DoubleValue(1.0 / 128),
                          MakeDoubleAccessor(&QcnReactionPoint::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinDecFac",
                          "rpgMinDecFac, least factor of a cut",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&QcnReactionPoint::m_leastFactor),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinRate",
                          "rpgMinRate, lowest rate; line rate where that is lower",
                          DataRateValue(DataRate(5000000)),
                          MakeDataRateAccessor(&QcnReactionPoint::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("ReduceTarget",
                          "A target above ten times the rate falls to an eighth at the end of a "
                          "first cycle",
                          BooleanValue(true),
                          MakeBooleanAccessor(&QcnReactionPoint::m_reduceTarget),
                          MakeBooleanChecker())
            .AddAttribute("CnTag",
                          "Limited frames carry a CN-TAG with the limiter's number",
                          BooleanValue(true),
                          MakeBooleanAccessor(&QcnReactionPoint::m_addTag),
                          MakeBooleanChecker());
    return tid;
}

const QcnParameters&
QcnReactionPoint::GetParameters() const
{
    return m_parameters;
}

void
QcnReactionPoint::DoStart(double lineRateBps)
{
    if (m_minRate.GetBitRate() == 0)
    {
        throw InputError("ns3::QcnReactionPoint::MinRate", "0 b/s", "more than zero");
    }
    if (m_increase.GetBitRate() == 0)
    {
        throw InputError("ns3::QcnReactionPoint::AiRate",
                         "0 b/s",
                         "more than zero, or no limiter is ever reclaimed");
    }
    QcnParameters& p = m_parameters;
    p.lineRateBps = lineRateBps;
    p.minRateBps = m_minRate.GetBitRate();
    p.gain = m_gain;
    p.leastFactor = m_leastFactor;
    p.byteReset = m_byteReset;
    p.timeReset = m_timeReset;
    p.threshold = m_threshold;
    p.increaseBps = m_increase.GetBitRate();
    p.hyperBps = m_hyper.GetBitRate();
    p.reduceTarget = m_reduceTarget;
    p.addTag = m_addTag;
}

uint32_t
QcnReactionPoint::GetTagBytes() const
{
    return m_addTag ? CN_TAG_BYTES : 0;
}

std::unique_ptr<RateLimiter>
QcnReactionPoint::MakeLimiter(uint32_t number) const
{
    // 0 is the flow ID of frames that have none of their own.
    return std::make_unique<QcnLimiter>(m_parameters, static_cast<uint16_t>(number + 1));
}

bool
QcnReactionPoint::Understands(const Notification& message) const
{
    return std::holds_alternative<QcnMessage>(message);
}

} // namespace ns3

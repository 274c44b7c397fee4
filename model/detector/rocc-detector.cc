// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rocc-detector.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RoccDetector");

NS_OBJECT_ENSURE_REGISTERED(RoccDetector);

namespace
{

constexpr double UNIT_BPS = 1e7;            //!< dF, the unit of the rate in a CNP [bit/s]
constexpr double HARD_CUTS_ABOVE = 1.0 / 8; //!< part of Fmax above which F is cut at once
constexpr uint32_t LARGEST_DIVISOR = 32;    //!< of the gains

/**
 * @param setting attribute, 0 for the line through the two values below
 * @param kb40 value at 40 Gb/s [KB]
 * @param kb100 value at 100 Gb/s [KB]
 * @param rateBps line rate [bit/s]
 * @returns the threshold [B]
 */
uint64_t
Threshold(uint64_t setting, double kb40, double kb100, uint64_t rateBps)
{
    const double gbps = rateBps / 1e9;
    const double kb = kb40 + (kb100 - kb40) / 60 * (gbps - 40);
    return setting > 0 ? setting : static_cast<uint64_t>(std::llround(1000 * kb));
}

} // namespace

TypeId
RoccDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoccDetector")
            .SetParent<CongestionDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<RoccDetector>()
            .AddAttribute("Interval",
                          "T, time between two steps of the controller",
                          TimeValue(MicroSeconds(40)),
                          MakeTimeAccessor(&RoccDetector::m_interval),
                          MakeTimeChecker())
            .AddAttribute("QueueReference",
                          "Qref, the queue that the controller aims at [B]. 0: by the line rate, "
                          "150000 at 40 Gb/s and 300000 at 100 Gb/s",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoccDetector::m_referenceSetting),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MidThreshold",
                          "Qmid, growth of the queue in one Interval from which F is halved [B]. "
                          "0: by the line rate, 300000 at 40 Gb/s and 600000 at 100 Gb/s",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoccDetector::m_midSetting),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MaxThreshold",
                          "Qmax, queue from which F falls to MinRate [B]. 0: by the line rate, "
                          "360000 at 40 Gb/s and 660000 at 100 Gb/s",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoccDetector::m_maxSetting),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("QueueUnit",
                          "dQ, unit of the queue in the computation [B]",
                          UintegerValue(600),
                          MakeUintegerAccessor(&RoccDetector::m_queueUnit),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Alpha",
                          "Gain of Q - Qref for rates of at least half the line rate [10 Mb/s for "
                          "each QueueUnit]",
                          DoubleValue(0.3),
                          MakeDoubleAccessor(&RoccDetector::m_alpha),
                          MakeDoubleChecker<double>())
            .AddAttribute("Beta",
                          "Gain of Q - Qold for rates of at least half the line rate [10 Mb/s for "
                          "each QueueUnit]",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&RoccDetector::m_beta),
                          MakeDoubleChecker<double>())
            .AddAttribute("MinRate",
                          "Fmin, lowest fair rate; line rate where that is lower (ours)",
                          DataRateValue(DataRate(100000000)),
                          MakeDataRateAccessor(&RoccDetector::m_minRate),
                          MakeDataRateChecker())
            .AddTraceSource("FairRate",
                            "A step was made: (time, F [bit/s], bytes that wait)",
                            MakeTraceSourceAccessor(&RoccDetector::m_fairRateTrace),
                            "ns3::RoccDetector::FairRateTracedCallback");
    return tid;
}

double
RoccDetector::GetFairRateBps() const
{
    return m_controller.GetOutput() * UNIT_BPS;
}

uint64_t
RoccDetector::GetReference() const
{
    return m_referenceBytes;
}

uint64_t
RoccDetector::GetMidThreshold() const
{
    return m_midBytes;
}

uint64_t
RoccDetector::GetMaxThreshold() const
{
    return m_maxBytes;
}

uint32_t
RoccDetector::GetPoint() const
{
    return Context().node << 16 | (Context().port & 0x1fff) << 3 | Context().priority;
}

Time
RoccDetector::GetTickInterval() const
{
    return m_interval;
}

void
RoccDetector::DoAttach()
{
    const DetectorContext& port = Context();
    NS_ABORT_MSG_IF(port.rateBps == 0, "RoCC needs the line rate");
    if (!m_interval.IsStrictlyPositive())
    {
        throw InputError("ns3::RoccDetector::Interval",
                         std::to_string(m_interval.GetNanoSeconds()) + " ns",
                         "more than zero");
    }
    if (m_queueUnit == 0)
    {
        throw InputError("ns3::RoccDetector::QueueUnit", "0 B", "more than zero");
    }
    for (const auto& [name, value] :
         {std::make_pair("Alpha", m_alpha), std::make_pair("Beta", m_beta)})
    {
        if (value < 0)
        {
            throw InputError(std::string("ns3::RoccDetector::") + name,
                             InputError::Text(value),
                             "at least 0");
        }
    }
    if (m_minRate.GetBitRate() < UNIT_BPS)
    {
        throw InputError("ns3::RoccDetector::MinRate",
                         std::to_string(m_minRate.GetBitRate()) + " b/s",
                         "at least 10 Mb/s, the unit of the rate in a CNP");
    }
    m_referenceBytes = Threshold(m_referenceSetting, 150, 300, port.rateBps);
    m_midBytes = Threshold(m_midSetting, 300, 600, port.rateBps);
    m_maxBytes = Threshold(m_maxSetting, 360, 660, port.rateBps);
    if (m_referenceBytes >= m_maxBytes)
    {
        throw InputError("ns3::RoccDetector::QueueReference",
                         std::to_string(m_referenceBytes) + " B",
                         "less than MaxThreshold, " + std::to_string(m_maxBytes) + " B");
    }
    m_highest = port.rateBps / UNIT_BPS;
    m_lowest = std::min(m_highest, m_minRate.GetBitRate() / UNIT_BPS);
    m_controller = PiController(m_lowest, m_highest, m_highest);
    m_flows.Clear();
    m_arrived = 0;
    m_arrivedBefore = 0;
    NS_LOG_LOGIC("node " << port.node << " port " << port.port << " Qref " << m_referenceBytes
                         << " B Qmid " << m_midBytes << " B Qmax " << m_maxBytes << " B");
}

void
RoccDetector::OnEnqueue(const Frame& frame, const QueueState&, Time)
{
    m_arrived++;
    if (frame.kind == FrameKind::DATA)
    {
        m_flows.Count(frame, m_arrived);
    }
}

void
RoccDetector::OnTick(const QueueState& queue, Time now)
{
    const double fairRate = ComputeFairRate(queue.bytes);
    NS_LOG_LOGIC(now << " node " << Context().node << " port " << Context().port << " Q "
                     << queue.bytes << " F " << fairRate);
    m_fairRateTrace(now, GetFairRateBps(), queue.bytes);

    // The queue is first in, first out: what waits are the newest frames.
    m_flows.ForgetUpTo(std::min(m_arrived - queue.frames, m_arrivedBefore));
    m_arrivedBefore = m_arrived;
    if (fairRate < m_highest)
    {
        Cnp cnp;
        cnp.code = CodePoint::CONGESTION;
        cnp.fairRate = static_cast<uint32_t>(std::llround(fairRate));
        cnp.point = GetPoint();
        for (const ActiveFlowTable::Flow& flow : m_flows.GetFlows())
        {
            NotifySource(ActiveFlowTable::MakeSample(flow), cnp);
        }
    }
}

double
RoccDetector::ComputeFairRate(uint64_t bytes)
{
    const double unit = static_cast<double>(m_queueUnit);
    const double q = static_cast<double>(bytes / m_queueUnit);
    const double f = m_controller.GetOutput();
    if (f > m_highest * HARD_CUTS_ABOVE)
    {
        if (q >= m_maxBytes / unit)
        {
            return m_controller.Override(q, m_lowest);
        }
        if (q - m_controller.GetInput() >= m_midBytes / unit)
        {
            return m_controller.Override(q, f / 2);
        }
    }
    const uint32_t r = GainDivisor();
    return m_controller.Step(q, m_referenceBytes / unit, -m_alpha / r, -m_beta / r);
}

uint32_t
RoccDetector::GainDivisor() const
{
    uint32_t r = 1;
    while (r < LARGEST_DIVISOR && m_controller.GetOutput() < m_highest / (2 * r))
    {
        r *= 2;
    }
    return r;
}

} // namespace ns3

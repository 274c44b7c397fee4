// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "mercury-detector.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/lossless-compat.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MercuryDetector");

NS_OBJECT_ENSURE_REGISTERED(MercuryDetector);

TypeId
MercuryDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MercuryDetector")
            .SetParent<IntTelemetry>()
            .SetGroupName("Lossless")
            .AddConstructor<MercuryDetector>()
            .AddAttribute("Threshold",
                          "Queue above which a determined port is congested, at ReferenceRate [B]. "
                          "The paper gives no value: DCQCN's Kmax at 40 Gb/s",
                          UintegerValue(200000),
                          MakeUintegerAccessor(&MercuryDetector::m_thresholdSetting),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("ReferenceRate",
                          "Line rate for which Threshold is given; a port of another rate takes it "
                          "in proportion. 0: the same at every rate",
                          DataRateValue(DataRate(40000000000)),
                          MakeDataRateAccessor(&MercuryDetector::m_referenceRate),
                          MakeDataRateChecker())
            .AddAttribute("XoffShare",
                          "Share of the switch's static Xoff above which the line rate does not "
                          "lift the threshold; Threshold itself stays. 0: no bound",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&MercuryDetector::m_xoffShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Period",
                          "T, time after which an undetermined port is looked at again",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&MercuryDetector::m_period),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "CnpInterval",
                "Shortest time between two CNPs for one flow; the paper gives none. 50 us "
                "is that of DCQCN's notification point, which Mercury moves into the "
                "switch. 0: the base RTT",
                TimeValue(MicroSeconds(50)),
                MakeTimeAccessor(&MercuryDetector::m_cnpIntervalSetting),
                MakeTimeChecker(Time(0)))
            .AddAttribute("BaseRtt",
                          "Base round-trip time of all flows. 0: the largest of the topology",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MercuryDetector::m_baseRttSetting),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "FlowKey",
                "What one flow is: all between two endpoints, or each queue pair",
                EnumValue(SOURCE_DESTINATION),
                LOSSLESS_ENUM_ACCESSOR(FlowKey, &MercuryDetector::m_flowKey),
                MakeEnumChecker(SOURCE_DESTINATION, "SourceDestination", QUEUE_PAIR, "QueuePair"));
    return tid;
}

uint32_t
MercuryDetector::Window(uint64_t rateBps,
                        Time baseRtt,
                        uint64_t flowBytes,
                        uint64_t allBytes,
                        uint32_t mtuBytes)
{
    const double pathBytes = static_cast<double>(rateBps) * baseRtt.GetNanoSeconds() / 8e9;
    const double window = pathBytes * flowBytes / allBytes;
    constexpr uint32_t LARGEST = std::numeric_limits<uint32_t>::max();
    return window < LARGEST ? std::max(mtuBytes, static_cast<uint32_t>(window)) : LARGEST;
}

uint64_t
MercuryDetector::GetThreshold() const
{
    return m_threshold;
}

uint32_t
MercuryDetector::GetFlows() const
{
    return m_flows.GetCount();
}

void
MercuryDetector::DoAttach()
{
    const DetectorContext& port = Context();
    m_baseRtt = m_baseRttSetting.IsZero() ? port.baseRtt : m_baseRttSetting;
    if (!m_baseRtt.IsStrictlyPositive())
    {
        throw InputError("ns3::MercuryDetector::BaseRtt",
                         "0",
                         "more than zero where no topology tells it");
    }
    m_cnpNs = (m_cnpIntervalSetting.IsZero() ? m_baseRtt : m_cnpIntervalSetting).GetNanoSeconds();
    m_threshold = ScaledThreshold(m_thresholdSetting, m_referenceRate, m_xoffShare);
    NS_LOG_LOGIC("node " << port.node << " port " << port.port << " threshold " << m_threshold
                         << " B, base RTT " << m_baseRtt.GetNanoSeconds() << " ns");
}

uint64_t
MercuryDetector::GetKey(const Frame& frame) const
{
    const uint32_t other = m_flowKey == QUEUE_PAIR ? frame.sourceQueuePair : frame.destination;
    return static_cast<uint64_t>(frame.source) << 32 | other;
}

void
MercuryDetector::OnEnqueue(const Frame& frame, const QueueState& queue, Time)
{
    m_queueBytes = queue.bytes;
    m_rxBytes += frame.bytes + Context().overheadBytes; // 0 at OFF, and read at ON
    if (frame.kind == FrameKind::DATA)
    {
        m_flows.Add(GetKey(frame), frame.bytes);
    }
}

void
MercuryDetector::OnOff(Time now)
{
    m_offSince = now;
    m_rxBytes = 0;
}

void
MercuryDetector::OnOn(Time now)
{
    const double sendable =
        static_cast<double>(Context().rateBps) * (now - m_offSince).GetNanoSeconds(); // [bit / 1e9]
    if (m_queueBytes >= m_threshold && 8e9 * m_rxBytes <= sendable)
    {
        m_periodStartBytes = m_queueBytes;
        m_periodEnd = Later(now, m_period);
        SetState(UNDETERMINED, now);
    }
    else
    {
        Determine(m_queueBytes, now);
    }
}

void
MercuryDetector::OnDequeue(Frame& frame, const QueueState& queue, Time now)
{
    IntTelemetry::OnDequeue(frame, queue, now);
    m_queueBytes = queue.bytes;
    if (GetState() != UNDETERMINED)
    {
        Determine(queue.bytes, now);
    }
    else if (now >= m_periodEnd)
    {
        CheckTimer(queue.bytes, now);
    }
    if (frame.kind != FrameKind::DATA)
    {
        return;
    }
    if (QueueFlowTable::Flow* flow = m_flows.Find(GetKey(frame)))
    {
        if (GetState() == CONGESTION)
        {
            NotifyFlow(frame, *flow, now);
        }
        m_flows.Subtract(*flow, frame.bytes);
    }
}

void
MercuryDetector::Determine(uint64_t queue, Time now)
{
    SetState(queue > m_threshold ? CONGESTION : NON_CONGESTION, now);
}

void
MercuryDetector::CheckTimer(uint64_t queue, Time now)
{
    if (queue >= m_threshold && queue < m_periodStartBytes)
    {
        m_periodStartBytes = queue;
        m_periodEnd = Later(now, m_period);
    }
    else
    {
        Determine(queue, now);
    }
}

void
MercuryDetector::NotifyFlow(const Frame& frame, QueueFlowTable::Flow& flow, Time now)
{
    const int64_t nowNs = now.GetNanoSeconds();
    if (nowNs < flow.nextCnpNs)
    {
        return;
    }
    flow.nextCnpNs = nowNs + m_cnpNs;
    const DetectorContext& port = Context();
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    cnp.windowBytes = Window(port.rateBps,
                             m_baseRtt,
                             flow.bytes,
                             m_flows.GetBytes(),
                             port.mtuBytes > 0 ? port.mtuBytes : port.frameBytes);
    NotifySource(frame, cnp);
}

} // namespace ns3

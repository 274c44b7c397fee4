// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "hpcc.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Hpcc");

NS_OBJECT_ENSURE_REGISTERED(Hpcc);

TypeId
Hpcc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Hpcc")
            .SetParent<RateController>()
            .SetGroupName("Lossless")
            .AddConstructor<Hpcc>()
            .AddAttribute("Eta",
                          "eta, the share of a link that flows aim at, above 0, at most 1",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Hpcc::m_eta),
                          MakeDoubleChecker<double>())
            .AddAttribute("MaxStage",
                          "maxStage, additive increases after which a multiplicative one follows",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Hpcc::m_maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "W_AI, step of the window; 0 for (line rate T) (1 - Eta) / Flows [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Hpcc::m_additiveAsSet),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Flows",
                          "N, flows on one link up to which the default step keeps queues empty",
                          UintegerValue(100),
                          MakeUintegerAccessor(&Hpcc::m_flows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BaseRtt",
                          "T, the RTT without queueing; 0 for that of the path",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Hpcc::m_baseRttAsSet),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRate",
                          "Lowest rate; line rate where that is lower",
                          DataRateValue(DataRate(100000000)),
                          MakeDataRateAccessor(&Hpcc::m_minRate),
                          MakeDataRateChecker())
            .AddTraceSource("Rate",
                            "An acknowledgement was taken over: (time, rate [bit/s], W [B], U)",
                            MakeTraceSourceAccessor(&Hpcc::m_rateTrace),
                            "ns3::Hpcc::RateTracedCallback");
    return tid;
}

Ptr<RateController>
Hpcc::Fork() const
{
    return CopyObject<Hpcc>(Ptr<const Hpcc>(this));
}

void
Hpcc::DoStart(Time)
{
    // The negation also catches a NaN.
    if (!(m_eta > 0 && m_eta <= 1))
    {
        throw InputError("ns3::Hpcc::Eta", InputError::Text(m_eta), "more than 0, at most 1");
    }
    if (m_minRate.GetBitRate() == 0)
    {
        throw InputError("ns3::Hpcc::MinRate", "0", "more than zero");
    }
    const Time rtt = m_baseRttAsSet.IsZero() ? m_baseRtt : m_baseRttAsSet;
    if (!rtt.IsStrictlyPositive())
    {
        throw InputError("ns3::Hpcc::BaseRtt", "0, and the path's is not known", "a time above 0");
    }
    m_rttNs = static_cast<double>(rtt.GetNanoSeconds());
    m_lineWindow = m_lineRateBps * m_rttNs / 8e9;
    m_lowestWindow = std::min<double>(m_lineRateBps, m_minRate.GetBitRate()) * m_rttNs / 8e9;
    m_additive = m_additiveAsSet > 0 ? m_additiveAsSet : m_lineWindow * (1 - m_eta) / m_flows;
    m_window = m_lineWindow;
    m_reference = m_lineWindow;
    m_utilization = 1;
    m_stage = 0;
    m_updateAfter = 0;
    m_last.hops = 0;
    m_windowBytes = WindowOf(m_window);
}

void
Hpcc::OnAck(const Acknowledgement& ack, Time now)
{
    if (!ack.telemetry)
    {
        throw InputError("ns3::Hpcc",
                         "an acknowledgement without INT block",
                         "ns3::RdmaHw::Telemetry at the sender");
    }
    // A sender that went back has sent less than when Wc last changed.
    m_updateAfter = std::min(m_updateAfter, ack.sentTotal);
    const IntBlock& block = *ack.telemetry;
    const bool samePath = block.hops > 0 && block.hops == m_last.hops;
    for (uint32_t i = 0; samePath && i < block.hops; i++)
    {
        if (block.hop[i].timeNs <= m_last.hop[i].timeNs)
        {
            return;
        }
    }
    if (samePath)
    {
        MeasureInflight(block);
        const bool updateReference = ack.ackedTotal > m_updateAfter;
        ComputeWindow(updateReference);
        if (updateReference)
        {
            m_updateAfter = ack.sentTotal;
        }
        NS_LOG_LOGIC(now << " U " << m_utilization << " W " << m_window << " Wc " << m_reference
                         << " stage " << m_stage);
        m_rateTrace(now, m_rateBps, m_window, m_utilization);
    }
    else
    {
        // Nothing to compare with: W stays, and a round trip begins (lastUpdateSeq = snd_nxt).
        m_updateAfter = ack.sentTotal;
    }
    m_last.hops = block.hops;
    std::copy_n(block.hop, block.hops, m_last.hop);
}

void
Hpcc::MeasureInflight(const IntBlock& block)
{
    double highest = -1;
    double tauNs = 0;
    for (uint32_t i = 0; i < block.hops; i++)
    {
        const IntHop& hop = block.hop[i];
        const IntHop& last = m_last.hop[i];
        const double bytesPerNs = hop.rateBps / 8e9;
        const auto sinceNs = static_cast<double>(hop.timeNs - last.timeNs);
        const double txBytes = static_cast<double>(hop.txBytes - last.txBytes);
        const auto queue = static_cast<double>(std::min(hop.queueBytes, last.queueBytes));
        const double u = queue / (bytesPerNs * m_rttNs) + txBytes / sinceNs / bytesPerNs;
        if (u > highest)
        {
            highest = u;
            tauNs = sinceNs;
        }
    }
    const double weight = std::min(tauNs, m_rttNs) / m_rttNs;
    m_utilization = (1 - weight) * m_utilization + weight * highest;
}

void
Hpcc::ComputeWindow(bool updateReference)
{
    const bool multiplicative = m_utilization >= m_eta || m_stage >= m_maxStage;
    // U is 0 only if nothing moved for an RTT and more; the line's window is then the limit.
    const double aimed = !multiplicative     ? m_reference
                         : m_utilization > 0 ? m_reference / (m_utilization / m_eta)
                                             : m_lineWindow;
    m_window = std::max(m_lowestWindow, std::min(aimed + m_additive, m_lineWindow));
    if (updateReference)
    {
        m_stage = multiplicative ? 0 : m_stage + 1;
        m_reference = m_window;
    }
    m_rateBps = m_lineRateBps * (m_window / m_lineWindow);
    m_windowBytes = WindowOf(m_window);
}

double
Hpcc::GetUtilization() const
{
    return m_utilization;
}

double
Hpcc::GetReferenceWindow() const
{
    return m_reference;
}

uint32_t
Hpcc::GetStage() const
{
    return m_stage;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ecn-detector.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("EcnDetector");

NS_OBJECT_ENSURE_REGISTERED(EcnDetector);

TypeId
EcnDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcnDetector")
            .SetParent<CongestionDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<EcnDetector>()
            .AddAttribute("Kmin",
                          "Queue up to which nothing is marked [B]",
                          UintegerValue(5000),
                          MakeUintegerAccessor(&EcnDetector::m_kmin),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Kmax",
                          "Queue from which everything is marked [B]",
                          UintegerValue(200000),
                          MakeUintegerAccessor(&EcnDetector::m_kmax),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Pmax",
                          "Probability of a mark just below Kmax, 0 to 1",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&EcnDetector::m_pmax),
                          MakeDoubleChecker<double>())
            .AddAttribute("ReferenceRate",
                          "Line rate for which Kmin and Kmax are given; a port of another rate "
                          "takes them in proportion. 0: the same at every rate",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&EcnDetector::m_referenceRate),
                          MakeDataRateChecker());
    return tid;
}

EcnDetector::EcnDetector()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
EcnDetector::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
EcnDetector::DoAttach()
{
    const DetectorContext& port = Context();
    if (m_kmin > m_kmax)
    {
        throw InputError("ns3::EcnDetector::Kmin",
                         std::to_string(m_kmin) + " B",
                         "at most Kmax, " + std::to_string(m_kmax) + " B");
    }
    // The negation also catches a NaN.
    if (!(m_pmax >= 0 && m_pmax <= 1))
    {
        throw InputError("ns3::EcnDetector::Pmax", InputError::Text(m_pmax), "0 to 1");
    }
    double scale = 1;
    if (m_referenceRate.GetBitRate() > 0)
    {
        NS_ABORT_MSG_IF(port.rateBps == 0, "the line rate is needed to scale Kmin and Kmax");
        scale = static_cast<double>(port.rateBps) / m_referenceRate.GetBitRate();
    }
    m_markAbove = static_cast<uint64_t>(m_kmin * scale + 0.5);
    m_markAll = static_cast<uint64_t>(m_kmax * scale + 0.5);
    m_slope = m_markAll > m_markAbove ? m_pmax / (m_markAll - m_markAbove) : 0;
    NS_LOG_LOGIC("node " << port.node << " port " << port.port << " Kmin " << m_markAbove
                         << " B Kmax " << m_markAll << " B");
}

void
EcnDetector::OnDequeue(Frame& frame, const QueueState& queue, Time)
{
    MarkByRed(frame, queue);
}

uint64_t
EcnDetector::GetKmin() const
{
    return m_markAbove;
}

uint64_t
EcnDetector::GetKmax() const
{
    return m_markAll;
}

void
EcnDetector::MarkByRed(Frame& frame, const QueueState& queue)
{
    if (queue.bytes <= m_markAbove || frame.codePoint == CodePoint::NOT_CAPABLE ||
        frame.codePoint == CodePoint::CONGESTION)
    {
        return;
    }
    if (queue.bytes >= m_markAll ||
        m_random->GetValue() < m_slope * static_cast<double>(queue.bytes - m_markAbove))
    {
        Mark(frame, CodePoint::CONGESTION);
    }
}

} // namespace ns3

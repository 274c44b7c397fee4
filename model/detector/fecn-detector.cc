// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "fecn-detector.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/link-time.h"
#include "ns3/log.h"
#include "ns3/lossless-compat.h"
#include "ns3/uinteger.h"

#include <limits>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FecnDetector");

NS_OBJECT_ENSURE_REGISTERED(FecnDetector);

namespace
{

constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();
constexpr uint32_t PACKET_SIZE_UNIT = 64; // [B]
constexpr uint32_t MASKED_PORTS = 64;

} // namespace

TypeId
FecnDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FecnDetector")
            .SetParent<CongestionDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<FecnDetector>()
            .AddAttribute("Threshold",
                          "Queue above which a port is congested [B]",
                          UintegerValue(50000),
                          MakeUintegerAccessor(&FecnDetector::m_thresholdBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Weight",
                          "Annex A10's threshold: 0 never marks, 1 to 15 mark above Buffer (16 - "
                          "Weight) / 16. -1: Threshold, in bytes",
                          IntegerValue(IN_BYTES),
                          MakeIntegerAccessor(&FecnDetector::m_weight),
                          MakeIntegerChecker<int8_t>(IN_BYTES, WEIGHTS - 1))
            .AddAttribute(
                "Buffer",
                "What Weight is a part of [B]. 0: the buffer of one lane of an input port",
                UintegerValue(0),
                MakeUintegerAccessor(&FecnDetector::m_bufferBytes),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("MarkingRate",
                          "Eligible packets that are not marked between two marked ones",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecnDetector::m_markingRate),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("PacketSize",
                          "Smaller packets are not marked [64 B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecnDetector::m_packetSize),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("VictimMask",
                          "Bit n: the port of interface index n marks as a victim too",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FecnDetector::m_victimMask),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Delay",
                          "Which packets were delayed by a lack of credits: those that were here "
                          "when the lane was last OFF, only the first after each OFF, or none",
                          EnumValue(WAITED),
                          LOSSLESS_ENUM_ACCESSOR(Delay, &FecnDetector::m_delay),
                          MakeEnumChecker(WAITED, "Waited", HEAD, "Head", NONE, "None"));
    return tid;
}

void
FecnDetector::DoAttach()
{
    const DetectorContext& port = Context();
    m_marksAsVictim = port.port < MASKED_PORTS && (m_victimMask >> port.port & 1);
    m_threshold = m_thresholdBytes;
    if (m_weight == 0)
    {
        m_threshold = NEVER;
    }
    else if (m_weight > 0)
    {
        const uint64_t buffer = m_bufferBytes > 0 ? m_bufferBytes : port.bufferBytes;
        if (buffer == 0)
        {
            throw InputError("ns3::FecnDetector::Weight",
                             std::to_string(m_weight),
                             "a Buffer, or -1 and a Threshold in bytes, at a port whose switch has "
                             "no buffer of its own for each lane");
        }
        m_threshold = buffer * (WEIGHTS - m_weight) / WEIGHTS;
    }
    NS_LOG_LOGIC("node " << port.node << " port " << port.port << " threshold " << m_threshold
                         << " B");
}

uint64_t
FecnDetector::GetThreshold() const
{
    return m_threshold;
}

void
FecnDetector::OnOn(Time now)
{
    m_onPs = ToPs(now);
    m_isFirst = true;
}

bool
FecnDetector::WasDelayed(const Frame& frame) const
{
    return m_delay == WAITED ? OnEventGrid(frame.readyPs) < m_onPs : m_delay == HEAD && m_isFirst;
}

void
FecnDetector::OnDequeue(Frame& frame, const QueueState& queue, Time now)
{
    const bool isRoot = m_marksAsVictim || !WasDelayed(frame);
    m_isFirst = false;
    const bool isCongested = isRoot && queue.bytes > m_threshold;
    SetState(isCongested ? CONGESTION : NON_CONGESTION, now);
    if (!isCongested || frame.codePoint == CodePoint::NOT_CAPABLE ||
        frame.bytes < m_packetSize * PACKET_SIZE_UNIT)
    {
        return;
    }
    if (m_unmarked < m_markingRate)
    {
        m_unmarked++;
        return;
    }
    m_unmarked = 0;
    Mark(frame, CodePoint::CONGESTION);
}

} // namespace ns3

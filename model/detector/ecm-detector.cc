// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ecm-detector.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("EcmDetector");

NS_OBJECT_ENSURE_REGISTERED(EcmDetector);

TypeId
EcmDetector::GetTypeId()
{
    // The largest Qeq is that of which 2 Qeq fits the signed 16 bits of Qdelta.
    static TypeId tid =
        TypeId("ns3::EcmDetector")
            .SetParent<SamplingDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<EcmDetector>()
            .AddAttribute("Qeq",
                          "Equilibrium that the queue is to oscillate around, in steps of 64 [B] "
                          "(ours: 16 frames of 1500 B)",
                          UintegerValue(24000),
                          MakeUintegerAccessor(&EcmDetector::m_equilibriumBytes),
                          MakeUintegerChecker<uint64_t>(UNIT_BYTES, UNIT_BYTES * 16383))
            .AddAttribute("Qmc",
                          "Mild congestion threshold: above, sources are told the most [B]. 0: "
                          "2 Qeq, where Qoff saturates (ours)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EcmDetector::m_mildBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Qsc",
                "Severe congestion threshold: above, sources are stopped [B]. 0: "
                "QscShare of the queue's capacity, at least Qmc; never if that is not known",
                UintegerValue(0),
                MakeUintegerAccessor(&EcmDetector::m_severeBytes),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("QscShare",
                          "Share of the queue's capacity that is Qsc, if that is 0 (ours)",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&EcmDetector::m_severeShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("FixedInterval",
                          "Sf, fixed part of the sampling interval [B]",
                          UintegerValue(100500),
                          MakeUintegerAccessor(&EcmDetector::m_fixedInterval),
                          MakeUintegerChecker<uint32_t>(0, 256 * 1024))
            .AddAttribute("RandomInterval",
                          "Largest Sr, the random part of the sampling interval [B]",
                          UintegerValue(64000),
                          MakeUintegerAccessor(&EcmDetector::m_randomInterval),
                          MakeUintegerChecker<uint32_t>(0, 64 * 1024))
            .AddAttribute("SymmetricInterval",
                          "Sr from -RandomInterval to RandomInterval, as in the document's code, "
                          "instead of from 0",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EcmDetector::m_symmetricInterval),
                          MakeBooleanChecker())
            .AddAttribute("Sscale",
                          "Divides the sampling interval while the queue is empty or above Qmc "
                          "(ours)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&EcmDetector::m_overSampling),
                          MakeUintegerChecker<uint32_t>(1, 256 * 1024))
            .AddAttribute("Qscale",
                          "Multiplies Qoff and Qdelta in messages, where queues differ in Qeq",
                          UintegerValue(1),
                          MakeUintegerAccessor(&EcmDetector::m_scale),
                          MakeUintegerChecker<uint32_t>(1, 16383))
            .AddAttribute("SaturationBit",
                          "Set the Q bit where Qdelta saturates (in the document's code an "
                          "experimental feature)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EcmDetector::m_saturationBit),
                          MakeBooleanChecker())
            .AddAttribute("OnlyNegativeUntagged",
                          "Send nothing to the source of a frame without our CM-Tag where "
                          "Qoff + W Qdelta is not above 0 (ours)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&EcmDetector::m_onlyNegativeUntagged),
                          MakeBooleanChecker())
            .AddAttribute("W",
                          "w for OnlyNegativeUntagged; a multiple of 1/8. The reaction point's "
                          "is EcmReactionPoint::W",
                          DoubleValue(2),
                          MakeDoubleAccessor(&EcmDetector::m_weight),
                          MakeDoubleChecker<double>(0.125, 8))
            .AddAttribute("QuotedBytes",
                          "N, bytes of the sampled frame in a message; in an untagged one at "
                          "least 28, so that it has 64 bytes. The default reaches beyond a "
                          "CM-Tag",
                          UintegerValue(40),
                          MakeUintegerAccessor(&EcmDetector::m_quotedBytes),
                          MakeUintegerChecker<uint8_t>(24, 60))
            .AddAttribute("MessagePriority",
                          "Priority of messages; -1 for that of the sampled frame",
                          IntegerValue(7),
                          MakeIntegerAccessor(&EcmDetector::m_messagePriority),
                          MakeIntegerChecker<int8_t>(-1, 7));
    return tid;
}

uint32_t
EcmDetector::GetEquilibrium() const
{
    return static_cast<uint32_t>(m_equilibrium);
}

uint64_t
EcmDetector::GetMildThreshold() const
{
    return m_mild;
}

uint64_t
EcmDetector::GetSevereThreshold() const
{
    return m_severe;
}

void
EcmDetector::DoAttach()
{
    SamplingDetector::DoAttach();
    m_equilibrium = static_cast<int64_t>(m_equilibriumBytes / UNIT_BYTES);
    m_mild = m_mildBytes > 0 ? static_cast<int64_t>(m_mildBytes / UNIT_BYTES) : 2 * m_equilibrium;
    uint64_t severeBytes = m_severeBytes;
    if (severeBytes == 0)
    {
        const uint64_t capacity = Context().queueCapacityBytes;
        severeBytes = capacity > 0 ? std::max(static_cast<uint64_t>(m_severeShare * capacity),
                                              static_cast<uint64_t>(m_mild) * UNIT_BYTES)
                                   : std::numeric_limits<int64_t>::max();
    }
    m_severe = static_cast<int64_t>(severeBytes / UNIT_BYTES);
    if (m_mild < m_equilibrium)
    {
        throw InputError("ns3::EcmDetector::Qmc",
                         std::to_string(m_mildBytes) + " B",
                         "at least Qeq, " + std::to_string(m_equilibriumBytes) + " B");
    }
    if (m_severe < m_mild)
    {
        throw InputError("ns3::EcmDetector::Qsc",
                         std::to_string(severeBytes) + " B",
                         "at least Qmc, " + std::to_string(m_mild * UNIT_BYTES) + " B");
    }
    const int64_t largest = 2 * m_equilibrium * m_scale;
    if (largest > std::numeric_limits<int16_t>::max())
    {
        throw InputError("ns3::EcmDetector::Qscale",
                         std::to_string(m_scale),
                         "2 Qscale Qeq below 2^15 units of 64 B, the message's field; it is " +
                             std::to_string(largest));
    }
    if (std::floor(m_weight * 8) != m_weight * 8)
    {
        throw InputError("ns3::EcmDetector::W", InputError::Text(m_weight), "a multiple of 1/8");
    }
    m_queueAtSample = 0;
    DrawInterval();
}

void
EcmDetector::DrawInterval()
{
    // Steps of one byte, both ends included.
    const double u = Random();
    const double span = (m_symmetricInterval ? 2.0 * m_randomInterval : m_randomInterval) + 1;
    const double sr = std::floor(u * span) - (m_symmetricInterval ? m_randomInterval : 0);
    m_interval = m_fixedInterval + sr;
}

double
EcmDetector::GetSamplingInterval(uint64_t queueBytes) const
{
    const auto queue = static_cast<int64_t>(queueBytes / UNIT_BYTES);
    return queue == 0 || queue > m_mild ? m_interval / m_overSampling : m_interval;
}

bool
EcmDetector::MakeRegular(EcmMessage& message, bool ours, int64_t queue, int64_t before) const
{
    const int64_t offset = std::clamp(queue - m_equilibrium, -m_equilibrium, m_equilibrium);
    const int64_t change = queue - before;
    const int64_t delta = std::clamp(change, -2 * m_equilibrium, 2 * m_equilibrium);
    if (offset == 0 && delta == 0)
    {
        return false; // would read as ECM(0,0)
    }
    if (!ours && (offset <= 0 || (m_onlyNegativeUntagged && offset + m_weight * delta <= 0)))
    {
        return false;
    }
    message.offset = static_cast<int16_t>(offset * m_scale);
    message.delta = static_cast<int16_t>(delta * m_scale);
    message.saturated = m_saturationBit && delta != change;
    return true;
}

void
EcmDetector::Sample(const Frame& frame, uint64_t queueBytes, Time now)
{
    const auto queue = static_cast<int64_t>(queueBytes / UNIT_BYTES);
    const int64_t before = m_queueAtSample;
    m_queueAtSample = queue;
    DrawInterval();
    SetState(queue > m_equilibrium ? CONGESTION : NON_CONGESTION, now);

    EcmMessage message;
    const CmTag* tag = frame.tag ? std::get_if<CmTag>(&frame.tag->tag) : nullptr;
    if (queue > m_severe)
    {
        message.offset = 0;
        message.delta = 0;
    }
    else if (queue > m_mild)
    {
        message.offset = static_cast<int16_t>(m_equilibrium);
        message.delta = static_cast<int16_t>(2 * m_equilibrium);
    }
    else if (!MakeRegular(message, tag && tag->point == GetPoint(), queue, before))
    {
        return;
    }
    message.point = GetPoint();
    message.quotedBytes = m_quotedBytes;
    message.priority = m_messagePriority < 0 ? frame.priority : m_messagePriority;
    if (tag)
    {
        message.timestamped = true;
        message.timestamp = tag->timestamp;
        message.unit = tag->unit;
    }
    NS_LOG_LOGIC(now << " node " << Context().node << " port " << Context().port << " queue "
                     << queue << " ECM(" << message.offset << "," << message.delta << ")");
    NotifySource(frame, message);
}

} // namespace ns3

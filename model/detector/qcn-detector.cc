// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qcn-detector.h"

#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QcnDetector");

NS_OBJECT_ENSURE_REGISTERED(QcnDetector);

TypeId
QcnDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QcnDetector")
            .SetParent<SamplingDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<QcnDetector>()
            .AddAttribute("Qeq",
                          "Set point of the queue [B] (ieee8021CnCpQueueSizeSetPoint)",
                          UintegerValue(26000),
                          MakeUintegerAccessor(&QcnDetector::m_equilibrium),
                          MakeUintegerChecker<uint32_t>(100))
            .AddAttribute("Weight",
                          "log2 of w (ieee8021CnCpFeedbackWeight)",
                          IntegerValue(1),
                          MakeIntegerAccessor(&QcnDetector::m_weightExponent),
                          MakeIntegerChecker<int8_t>(-10, 10))
            .AddAttribute("SampleBase",
                          "Bytes from one sample to the next without congestion [B] "
                          "(ieee8021CnCpMinSampleBase)",
                          UintegerValue(150000),
                          MakeUintegerAccessor(&QcnDetector::m_sampleBase),
                          MakeUintegerChecker<uint32_t>(10000))
            .AddAttribute("Jitter",
                          "Largest random share by which a sampling interval is longer or "
                          "shorter",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&QcnDetector::m_jitter),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HeaderOctets",
                          "Bytes of the sampled frame in a CNM, from its EtherType on [B] "
                          "(ieee8021CnCpMinHeaderOctets)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&QcnDetector::m_headerOctets),
                          MakeUintegerChecker<uint8_t>(0, 64))
            .AddAttribute("MessagePriority",
                          "Priority of CNMs (ieee8021CnGlobalCnmTransmitPriority); -1 for that of "
                          "the sampled frame",
                          IntegerValue(6),
                          MakeIntegerAccessor(&QcnDetector::m_messagePriority),
                          MakeIntegerChecker<int8_t>(-1, 7));
    return tid;
}

double
QcnDetector::GetIntervalShare(uint32_t quantised)
{
    static constexpr double SHARES[8] =
        {1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 21.5 / 150, 18.5 / 150};
    return SHARES[std::min<uint32_t>(quantised / 8, 7)];
}

void
QcnDetector::DoAttach()
{
    SamplingDetector::DoAttach();
    m_weight = std::ldexp(1, m_weightExponent);
    m_queueAtSample = 0;
    DrawInterval(0);
}

void
QcnDetector::DrawInterval(uint32_t quantised)
{
    const double jitter = m_jitter * (2 * Random() - 1);
    m_interval = m_sampleBase * GetIntervalShare(quantised) * (1 + jitter);
}

double
QcnDetector::GetSamplingInterval(uint64_t) const
{
    return m_interval;
}

uint32_t
QcnDetector::Quantise(int64_t queue, int64_t before) const
{
    const double feedback =
        static_cast<double>(queue - m_equilibrium) + m_weight * static_cast<double>(queue - before);
    const double largest = m_equilibrium * (2 * m_weight + 1);
    if (feedback <= 0)
    {
        return 0;
    }
    return static_cast<uint32_t>(LARGEST_FEEDBACK * std::min(feedback / largest, 1.0));
}

void
QcnDetector::Sample(const Frame& frame, uint64_t queueBytes, Time now)
{
    const auto queue = static_cast<int64_t>(queueBytes);
    const int64_t before = m_queueAtSample;
    const uint32_t quantised = Quantise(queue, before);
    m_queueAtSample = queue;
    DrawInterval(quantised);
    SetState(queue > m_equilibrium ? CONGESTION : NON_CONGESTION, now);
    if (quantised == 0)
    {
        return;
    }
    const auto units = [](int64_t bytes) {
        constexpr int64_t LEAST = std::numeric_limits<int16_t>::min();
        constexpr int64_t MOST = std::numeric_limits<int16_t>::max();
        return static_cast<int16_t>(std::clamp(bytes / 64, LEAST, MOST));
    };
    QcnMessage message;
    message.point = GetPoint();
    message.feedback = static_cast<uint8_t>(quantised);
    message.offset = units(queue - m_equilibrium);
    message.delta = units(queue - before);
    message.quotedBytes = m_headerOctets;
    message.priority = m_messagePriority < 0 ? frame.priority : m_messagePriority;
    NS_LOG_LOGIC(now << " node " << Context().node << " port " << Context().port << " queue "
                     << queue << " feedback " << quantised);
    NotifySource(frame, message);
}

} // namespace ns3

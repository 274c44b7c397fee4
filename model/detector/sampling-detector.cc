// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "sampling-detector.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SamplingDetector);

TypeId
SamplingDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SamplingDetector").SetParent<CongestionDetector>().SetGroupName("Lossless");
    return tid;
}

SamplingDetector::SamplingDetector()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

const CongestionPointId&
SamplingDetector::GetPoint() const
{
    return m_point;
}

int64_t
SamplingDetector::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

double
SamplingDetector::Random()
{
    return m_random->GetValue(0, 1);
}

void
SamplingDetector::DoAttach()
{
    const DetectorContext& port = Context();
    std::array<uint8_t, 8>& bytes = m_point.bytes;
    const bool known = std::any_of(port.address, port.address + 6, [](uint8_t b) { return b; });
    if (known)
    {
        std::copy(port.address, port.address + 6, bytes.begin());
    }
    else
    {
        // A locally administered address that no other node has.
        bytes = {0x02, 0};
        for (int i = 0; i < 4; i++)
        {
            bytes[2 + i] = port.node >> (24 - 8 * i) & 0xFF;
        }
    }
    const uint32_t local = port.port << 3 | (port.priority & 7);
    bytes[6] = local >> 8 & 0xFF;
    bytes[7] = local & 0xFF;
    m_arrivedBytes = 0;
}

void
SamplingDetector::OnEnqueue(const Frame& frame, const QueueState& queue, Time now)
{
    if (frame.kind == FrameKind::NOTIFICATION || frame.kind == FrameKind::PFC)
    {
        return;
    }
    m_arrivedBytes += frame.bytes;
    const uint64_t waiting = queue.bytes - frame.bytes;
    if (static_cast<double>(m_arrivedBytes) < GetSamplingInterval(waiting))
    {
        return;
    }
    m_arrivedBytes = 0;
    Sample(frame, waiting, now);
}

} // namespace ns3

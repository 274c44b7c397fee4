// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "telemetry-header.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TelemetryHeader);

namespace
{

constexpr uint32_t HEAD_BYTES = 2;
constexpr uint32_t HOP_BYTES = 8;
constexpr uint64_t RATE_UNIT_BPS = 500000000;
constexpr uint64_t HIGHEST_MANTISSA = 0x3F;
constexpr int HIGHEST_EXPONENT = 3;
constexpr uint64_t TIME_MASK = (1 << 22) - 1;
constexpr uint64_t SENT_UNIT = 128;
constexpr uint64_t SENT_MASK = (1 << 18) - 1;
constexpr uint64_t QUEUE_UNIT = 80;
constexpr uint64_t QUEUE_HIGHEST = 0xFFFF;

} // namespace

void
TelemetryHeader::SetBlock(const IntBlock& block)
{
    m_block = block;
    m_block.next = nullptr;
}

const IntBlock&
TelemetryHeader::GetBlock() const
{
    return m_block;
}

uint8_t
TelemetryHeader::EncodeRate(uint64_t rateBps)
{
    uint64_t unit = RATE_UNIT_BPS;
    for (int exponent = 0; exponent <= HIGHEST_EXPONENT; exponent++, unit *= 4)
    {
        const uint64_t mantissa = (rateBps + unit / 2) / unit;
        if (mantissa <= HIGHEST_MANTISSA)
        {
            return static_cast<uint8_t>(exponent << 6 | mantissa);
        }
    }
    return 0xFF;
}

uint64_t
TelemetryHeader::DecodeRate(uint8_t code)
{
    return (code & HIGHEST_MANTISSA) * RATE_UNIT_BPS << 2 * (code >> 6);
}

TypeId
TelemetryHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TelemetryHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<TelemetryHeader>();
    return tid;
}

TypeId
TelemetryHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
TelemetryHeader::Print(std::ostream& os) const
{
    os << "hops=" << m_block.hops;
    for (uint32_t i = 0; i < m_block.hops; i++)
    {
        const IntHop& hop = m_block.hop[i];
        os << " (rate=" << hop.rateBps << " time=" << hop.timeNs << " sent=" << hop.txBytes
           << " queue=" << hop.queueBytes << ")";
    }
}

uint32_t
TelemetryHeader::GetSerializedSize() const
{
    return HEAD_BYTES + IntBlock::MAX_HOPS * HOP_BYTES;
}

void
TelemetryHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(static_cast<uint16_t>(m_block.hops << 12));
    for (uint32_t h = 0; h < IntBlock::MAX_HOPS; h++)
    {
        if (h >= m_block.hops)
        {
            i.WriteHtonU64(0);
            continue;
        }
        const IntHop& hop = m_block.hop[h];
        const uint64_t rate = EncodeRate(hop.rateBps);
        const uint64_t time = static_cast<uint64_t>(hop.timeNs) & TIME_MASK;
        const uint64_t sent = hop.txBytes / SENT_UNIT & SENT_MASK;
        const uint64_t queue = std::min(hop.queueBytes / QUEUE_UNIT, QUEUE_HIGHEST);
        i.WriteHtonU64(rate << 56 | time << 34 | sent << 16 | queue);
    }
}

uint32_t
TelemetryHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_block = IntBlock();
    m_block.hops = std::min<uint32_t>(i.ReadNtohU16() >> 12, IntBlock::MAX_HOPS);
    for (uint32_t h = 0; h < IntBlock::MAX_HOPS; h++)
    {
        const uint64_t word = i.ReadNtohU64();
        if (h < m_block.hops)
        {
            IntHop& hop = m_block.hop[h];
            hop.rateBps = DecodeRate(word >> 56);
            hop.timeNs = static_cast<int64_t>(word >> 34 & TIME_MASK);
            hop.txBytes = (word >> 16 & SENT_MASK) * SENT_UNIT;
            hop.queueBytes = (word & 0xFFFF) * QUEUE_UNIT;
        }
    }
    return GetSerializedSize();
}

} // namespace ns3

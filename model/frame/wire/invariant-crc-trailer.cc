// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "invariant-crc-trailer.h"

#include "base-transport-header.h"

#include "ns3/assert.h"
#include "ns3/crc32.h"

#include <algorithm>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(InvariantCrcTrailer);

namespace
{

constexpr uint32_t CRC_BYTES = 4;
constexpr uint32_t LOCAL_ROUTE_HEADER_BYTES = 8;

/// Offsets in the datagram of the bytes that hops may change: TOS, TTL, IPv4 checksum (2),
/// UDP checksum (2).
constexpr uint32_t VARIANT_BYTES[] = {1, 8, 10, 11, 26, 27};

constexpr uint32_t DATAGRAM_BTH_OFFSET = 28;
constexpr uint8_t LANE_BITS = 0xF0; // of the local route header's first byte

// Offsets in the BTH
constexpr uint32_t CONGESTION_OFFSET = 4;
constexpr uint32_t TELEMETRY_FLAG_OFFSET = 8;
constexpr uint8_t TELEMETRY_FLAG = 0x40;
constexpr uint32_t AFTER_BTH_OFFSET = 12;
constexpr uint32_t TELEMETRY_BLOCK_BYTES = 42;

/**
 * @param opcode of the BTH
 * @returns bytes of the extended header that follows it
 */
uint32_t
ExtendedHeaderBytes(uint8_t opcode)
{
    switch (opcode)
    {
    case BaseTransportHeader::WRITE_FIRST:
    case BaseTransportHeader::WRITE_ONLY:
        return 16;
    case BaseTransportHeader::ACKNOWLEDGE:
        return 4;
    default:
        return 0;
    }
}

/**
 * Replaces by ones what hops may change from the BTH on, and calculates.
 * @param bytes all that is covered, and four more for the ICRC
 * @param bth offset of the BTH
 * @returns the ICRC
 */
uint32_t
CalculateFromBth(std::vector<uint8_t>& bytes, uint32_t bth)
{
    const auto size = static_cast<uint32_t>(bytes.size());
    if (bytes[bth + TELEMETRY_FLAG_OFFSET] & TELEMETRY_FLAG)
    {
        const uint32_t from =
            std::min(size, bth + AFTER_BTH_OFFSET + ExtendedHeaderBytes(bytes[bth]));
        std::fill(bytes.begin() + from,
                  bytes.begin() + std::min(size, from + TELEMETRY_BLOCK_BYTES),
                  0xFF);
    }
    bytes[bth + CONGESTION_OFFSET] = 0xFF;
    return CRC32Calculate(bytes.data(), static_cast<int>(size - CRC_BYTES));
}

} // namespace

uint32_t
InvariantCrcTrailer::Calculate(Ptr<const Packet> datagram)
{
    const uint32_t size = datagram->GetSize();
    NS_ASSERT_MSG(size >= 44, "not a RoCEv2 datagram: " << size << " bytes");
    std::vector<uint8_t> bytes(LOCAL_ROUTE_HEADER_BYTES + size, 0xFF);
    datagram->CopyData(bytes.data() + LOCAL_ROUTE_HEADER_BYTES, size);
    for (uint32_t offset : VARIANT_BYTES)
    {
        bytes[LOCAL_ROUTE_HEADER_BYTES + offset] = 0xFF;
    }
    return CalculateFromBth(bytes, LOCAL_ROUTE_HEADER_BYTES + DATAGRAM_BTH_OFFSET);
}

uint32_t
InvariantCrcTrailer::CalculateLocal(Ptr<const Packet> packet)
{
    const uint32_t size = packet->GetSize();
    NS_ASSERT_MSG(size >= LOCAL_ROUTE_HEADER_BYTES + AFTER_BTH_OFFSET + CRC_BYTES,
                  "not an InfiniBand packet: " << size << " bytes");
    std::vector<uint8_t> bytes(size);
    packet->CopyData(bytes.data(), size);
    bytes[0] |= LANE_BITS;
    return CalculateFromBth(bytes, LOCAL_ROUTE_HEADER_BYTES);
}

void
InvariantCrcTrailer::SetCrc(uint32_t crc)
{
    m_crc = crc;
}

uint32_t
InvariantCrcTrailer::GetCrc() const
{
    return m_crc;
}

TypeId
InvariantCrcTrailer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::InvariantCrcTrailer")
                            .SetParent<Trailer>()
                            .SetGroupName("Lossless")
                            .AddConstructor<InvariantCrcTrailer>();
    return tid;
}

TypeId
InvariantCrcTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
InvariantCrcTrailer::Print(std::ostream& os) const
{
    os << "icrc=0x" << std::hex << m_crc << std::dec;
}

uint32_t
InvariantCrcTrailer::GetSerializedSize() const
{
    return CRC_BYTES;
}

void
InvariantCrcTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(CRC_BYTES);
    end.WriteU32(m_crc);
}

uint32_t
InvariantCrcTrailer::Deserialize(Buffer::Iterator end)
{
    end.Prev(CRC_BYTES);
    m_crc = end.ReadU32();
    return CRC_BYTES;
}

} // namespace ns3

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
/// UDP checksum (2), BTH congestion bits.
constexpr uint32_t VARIANT_BYTES[] = {1, 8, 10, 11, 26, 27, 32};

constexpr uint32_t OPCODE_OFFSET = 28;
constexpr uint32_t TELEMETRY_FLAG_OFFSET = 36;
constexpr uint8_t TELEMETRY_FLAG = 0x40;
constexpr uint32_t AFTER_BTH_OFFSET = 40;
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

} // namespace

uint32_t
InvariantCrcTrailer::Calculate(Ptr<const Packet> datagram)
{
    const uint32_t size = datagram->GetSize();
    NS_ASSERT_MSG(size >= 44, "not a RoCEv2 datagram: " << size << " bytes");
    std::vector<uint8_t> bytes(LOCAL_ROUTE_HEADER_BYTES + size, 0xFF);
    datagram->CopyData(bytes.data() + LOCAL_ROUTE_HEADER_BYTES, size);
    uint8_t* const first = bytes.data() + LOCAL_ROUTE_HEADER_BYTES;
    if (first[TELEMETRY_FLAG_OFFSET] & TELEMETRY_FLAG)
    {
        const uint32_t from =
            std::min(size, AFTER_BTH_OFFSET + ExtendedHeaderBytes(first[OPCODE_OFFSET]));
        std::fill(first + from, first + std::min(size, from + TELEMETRY_BLOCK_BYTES), 0xFF);
    }
    for (uint32_t offset : VARIANT_BYTES)
    {
        first[offset] = 0xFF;
    }
    return CRC32Calculate(bytes.data(), static_cast<int>(bytes.size() - CRC_BYTES));
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

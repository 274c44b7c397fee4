// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "variant-crc-trailer.h"

#include "infiniband-crc.h"

#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VariantCrcTrailer);

namespace
{

constexpr uint32_t CRC_BYTES = 2;

} // namespace

uint16_t
VariantCrcTrailer::Calculate(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return InfinibandCrc16(bytes.data(), bytes.size());
}

void
VariantCrcTrailer::SetCrc(uint16_t crc)
{
    m_crc = crc;
}

uint16_t
VariantCrcTrailer::GetCrc() const
{
    return m_crc;
}

TypeId
VariantCrcTrailer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::VariantCrcTrailer")
                            .SetParent<Trailer>()
                            .SetGroupName("Lossless")
                            .AddConstructor<VariantCrcTrailer>();
    return tid;
}

TypeId
VariantCrcTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
VariantCrcTrailer::Print(std::ostream& os) const
{
    os << "vcrc=0x" << std::hex << m_crc << std::dec;
}

uint32_t
VariantCrcTrailer::GetSerializedSize() const
{
    return CRC_BYTES;
}

void
VariantCrcTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(CRC_BYTES);
    end.WriteU16(m_crc);
}

uint32_t
VariantCrcTrailer::Deserialize(Buffer::Iterator end)
{
    end.Prev(CRC_BYTES);
    m_crc = end.ReadU16();
    return CRC_BYTES;
}

} // namespace ns3

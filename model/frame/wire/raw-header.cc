// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "raw-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RawHeader);

void
RawHeader::SetEtherType(uint16_t type)
{
    m_etherType = type;
}

uint16_t
RawHeader::GetEtherType() const
{
    return m_etherType;
}

TypeId
RawHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RawHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RawHeader>();
    return tid;
}

TypeId
RawHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RawHeader::Print(std::ostream& os) const
{
    os << "type=0x" << std::hex << m_etherType << std::dec;
}

uint32_t
RawHeader::GetSerializedSize() const
{
    return 4;
}

void
RawHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(0);
    i.WriteHtonU16(m_etherType);
}

uint32_t
RawHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    i.Next(2); // reserved
    m_etherType = i.ReadNtohU16();
    return GetSerializedSize();
}

} // namespace ns3

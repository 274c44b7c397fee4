// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "cm-tag-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CmTagHeader);

void
CmTagHeader::SetTag(const CmTag& tag)
{
    m_tag = tag;
}

const CmTag&
CmTagHeader::GetTag() const
{
    return m_tag;
}

void
CmTagHeader::SetEtherType(uint16_t etherType)
{
    m_etherType = etherType;
}

uint16_t
CmTagHeader::GetEtherType() const
{
    return m_etherType;
}

uint8_t
CmTagHeader::GetVersion() const
{
    return m_version;
}

TypeId
CmTagHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CmTagHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<CmTagHeader>();
    return tid;
}

TypeId
CmTagHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CmTagHeader::Print(std::ostream& os) const
{
    os << "timestamp=" << m_tag.timestamp << " unit=" << +m_tag.unit << " type=0x" << std::hex
       << m_etherType << std::dec;
}

uint32_t
CmTagHeader::GetSerializedSize() const
{
    return 16;
}

void
CmTagHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(0);
    for (uint8_t byte : m_tag.point.bytes)
    {
        i.WriteU8(byte);
    }
    i.WriteHtonU16(m_tag.timestamp);
    i.WriteU8(m_tag.unit);
    i.WriteU8(0);
    i.WriteHtonU16(m_etherType);
}

uint32_t
CmTagHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_version = i.ReadNtohU16() >> 12;
    for (uint8_t& byte : m_tag.point.bytes)
    {
        byte = i.ReadU8();
    }
    m_tag.timestamp = i.ReadNtohU16();
    m_tag.unit = i.ReadU8();
    i.Next();
    m_etherType = i.ReadNtohU16();
    return GetSerializedSize();
}

} // namespace ns3

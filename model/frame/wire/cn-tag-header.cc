// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "cn-tag-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CnTagHeader);

void
CnTagHeader::SetTag(const CnTag& tag)
{
    m_tag = tag;
}

const CnTag&
CnTagHeader::GetTag() const
{
    return m_tag;
}

void
CnTagHeader::SetEtherType(uint16_t etherType)
{
    m_etherType = etherType;
}

uint16_t
CnTagHeader::GetEtherType() const
{
    return m_etherType;
}

TypeId
CnTagHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CnTagHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<CnTagHeader>();
    return tid;
}

TypeId
CnTagHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CnTagHeader::Print(std::ostream& os) const
{
    os << "flowId=" << m_tag.flowId << " type=0x" << std::hex << m_etherType << std::dec;
}

uint32_t
CnTagHeader::GetSerializedSize() const
{
    return 4;
}

void
CnTagHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(m_tag.flowId);
    i.WriteHtonU16(m_etherType);
}

uint32_t
CnTagHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_tag.flowId = i.ReadNtohU16();
    m_etherType = i.ReadNtohU16();
    return GetSerializedSize();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "vlan-tag-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VlanTagHeader);

void
VlanTagHeader::SetPriority(uint8_t priority)
{
    m_priority = priority & 7;
}

uint8_t
VlanTagHeader::GetPriority() const
{
    return m_priority;
}

void
VlanTagHeader::SetEtherType(uint16_t etherType)
{
    m_etherType = etherType;
}

uint16_t
VlanTagHeader::GetEtherType() const
{
    return m_etherType;
}

TypeId
VlanTagHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::VlanTagHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<VlanTagHeader>();
    return tid;
}

TypeId
VlanTagHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
VlanTagHeader::Print(std::ostream& os) const
{
    os << "priority=" << +m_priority << " type=0x" << std::hex << m_etherType << std::dec;
}

uint32_t
VlanTagHeader::GetSerializedSize() const
{
    return 4;
}

void
VlanTagHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(m_priority << 13);
    i.WriteHtonU16(m_etherType);
}

uint32_t
VlanTagHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_priority = i.ReadNtohU16() >> 13;
    m_etherType = i.ReadNtohU16();
    return GetSerializedSize();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "local-route-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LocalRouteHeader);

void
LocalRouteHeader::SetLane(uint8_t lane)
{
    m_lane = lane & 0xF;
}

uint8_t
LocalRouteHeader::GetLane() const
{
    return m_lane;
}

uint8_t
LocalRouteHeader::GetVersion() const
{
    return m_version;
}

void
LocalRouteHeader::SetServiceLevel(uint8_t level)
{
    m_level = level & 0xF;
}

uint8_t
LocalRouteHeader::GetServiceLevel() const
{
    return m_level;
}

void
LocalRouteHeader::SetNextHeader(NextHeader next)
{
    m_next = next;
}

LocalRouteHeader::NextHeader
LocalRouteHeader::GetNextHeader() const
{
    return m_next;
}

void
LocalRouteHeader::SetDestination(uint16_t lid)
{
    m_destination = lid;
}

uint16_t
LocalRouteHeader::GetDestination() const
{
    return m_destination;
}

void
LocalRouteHeader::SetSource(uint16_t lid)
{
    m_source = lid;
}

uint16_t
LocalRouteHeader::GetSource() const
{
    return m_source;
}

void
LocalRouteHeader::SetWords(uint32_t words)
{
    m_words = words & MAXIMUM_WORDS;
}

uint32_t
LocalRouteHeader::GetWords() const
{
    return m_words;
}

TypeId
LocalRouteHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LocalRouteHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<LocalRouteHeader>();
    return tid;
}

TypeId
LocalRouteHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
LocalRouteHeader::Print(std::ostream& os) const
{
    os << "vl=" << +m_lane << " sl=" << +m_level << " lnh=" << +m_next << " dlid=" << m_destination
       << " slid=" << m_source << " words=" << m_words;
}

uint32_t
LocalRouteHeader::GetSerializedSize() const
{
    return 8;
}

void
LocalRouteHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteU8(m_lane << 4 | m_version);
    i.WriteU8(m_level << 4 | m_next);
    i.WriteHtonU16(m_destination);
    i.WriteHtonU16(m_words);
    i.WriteHtonU16(m_source);
}

uint32_t
LocalRouteHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    const uint8_t first = i.ReadU8();
    m_lane = first >> 4;
    m_version = first & 0xF;
    const uint8_t second = i.ReadU8();
    m_level = second >> 4;
    m_next = static_cast<NextHeader>(second & 3);
    m_destination = i.ReadNtohU16();
    m_words = i.ReadNtohU16() & MAXIMUM_WORDS;
    m_source = i.ReadNtohU16();
    return GetSerializedSize();
}

} // namespace ns3

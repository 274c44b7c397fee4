// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "cnm-header.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CnmHeader);

void
CnmHeader::SetMessage(const QcnMessage& message)
{
    m_message = message;
}

const QcnMessage&
CnmHeader::GetMessage() const
{
    return m_message;
}

void
CnmHeader::SetSampled(uint8_t priority, const uint8_t* destination)
{
    m_priority = priority & 7;
    std::copy(destination, destination + 6, m_destination);
}

uint8_t
CnmHeader::GetSampledPriority() const
{
    return m_priority;
}

const uint8_t*
CnmHeader::GetSampledDestination() const
{
    return m_destination;
}

void
CnmHeader::SetQuotedBytes(uint16_t bytes)
{
    m_quotedBytes = bytes;
}

uint16_t
CnmHeader::GetQuotedBytes() const
{
    return m_quotedBytes;
}

uint8_t
CnmHeader::GetVersion() const
{
    return m_version;
}

TypeId
CnmHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CnmHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<CnmHeader>();
    return tid;
}

TypeId
CnmHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CnmHeader::Print(std::ostream& os) const
{
    os << "feedback=" << +m_message.feedback << " Qoff=" << m_message.offset
       << " Qdelta=" << m_message.delta << " priority=" << +m_priority;
}

uint32_t
CnmHeader::GetSerializedSize() const
{
    return 24;
}

void
CnmHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(m_message.feedback & 0x3F);
    for (uint8_t byte : m_message.point.bytes)
    {
        i.WriteU8(byte);
    }
    i.WriteHtonU16(static_cast<uint16_t>(m_message.offset));
    i.WriteHtonU16(static_cast<uint16_t>(m_message.delta));
    i.WriteHtonU16(m_priority << 13);
    for (uint8_t byte : m_destination)
    {
        i.WriteU8(byte);
    }
    i.WriteHtonU16(m_quotedBytes);
}

uint32_t
CnmHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    const uint16_t first = i.ReadNtohU16();
    m_version = first >> 12;
    m_message.feedback = first & 0x3F;
    for (uint8_t& byte : m_message.point.bytes)
    {
        byte = i.ReadU8();
    }
    m_message.offset = static_cast<int16_t>(i.ReadNtohU16());
    m_message.delta = static_cast<int16_t>(i.ReadNtohU16());
    m_priority = i.ReadNtohU16() >> 13;
    for (uint8_t& byte : m_destination)
    {
        byte = i.ReadU8();
    }
    m_quotedBytes = i.ReadNtohU16();
    return GetSerializedSize();
}

} // namespace ns3

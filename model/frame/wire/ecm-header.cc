// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ecm-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcmHeader);

namespace
{

constexpr uint16_t SATURATED_BIT = 0x0800;

} // namespace

void
EcmHeader::SetMessage(const EcmMessage& message)
{
    m_message = message;
}

const EcmMessage&
EcmHeader::GetMessage() const
{
    return m_message;
}

uint8_t
EcmHeader::GetVersion() const
{
    return m_version;
}

TypeId
EcmHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EcmHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<EcmHeader>();
    return tid;
}

TypeId
EcmHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
EcmHeader::Print(std::ostream& os) const
{
    os << "Qoff=" << m_message.offset << " Qdelta=" << m_message.delta
       << " Q=" << m_message.saturated << " timestamp=" << m_message.timestamp
       << " unit=" << +m_message.unit;
}

uint32_t
EcmHeader::GetSerializedSize() const
{
    return 18;
}

void
EcmHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(m_message.saturated ? SATURATED_BIT : 0);
    for (uint8_t byte : m_message.point.bytes)
    {
        i.WriteU8(byte);
    }
    i.WriteHtonU16(static_cast<uint16_t>(m_message.offset));
    i.WriteHtonU16(static_cast<uint16_t>(m_message.delta));
    i.WriteHtonU16(m_message.timestamp);
    i.WriteU8(m_message.unit);
    i.WriteU8(0);
}

uint32_t
EcmHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    const uint16_t first = i.ReadNtohU16();
    m_version = first >> 12;
    m_message.saturated = first & SATURATED_BIT;
    for (uint8_t& byte : m_message.point.bytes)
    {
        byte = i.ReadU8();
    }
    m_message.offset = static_cast<int16_t>(i.ReadNtohU16());
    m_message.delta = static_cast<int16_t>(i.ReadNtohU16());
    m_message.timestamp = i.ReadNtohU16();
    m_message.unit = i.ReadU8();
    i.Next();
    return GetSerializedSize();
}

} // namespace ns3

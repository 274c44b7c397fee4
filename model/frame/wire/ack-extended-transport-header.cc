// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ack-extended-transport-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AckExtendedTransportHeader);

void
AckExtendedTransportHeader::SetSyndrome(uint8_t syndrome)
{
    m_syndrome = syndrome;
}

uint8_t
AckExtendedTransportHeader::GetSyndrome() const
{
    return m_syndrome;
}

bool
AckExtendedTransportHeader::IsAck() const
{
    // Bit 7 is reserved, 6 and 5 tell the kind, the rest counts credits.
    return (m_syndrome & 0xE0) == 0;
}

void
AckExtendedTransportHeader::SetMessageNumber(uint32_t number)
{
    m_messageNumber = number & 0xFFFFFF;
}

uint32_t
AckExtendedTransportHeader::GetMessageNumber() const
{
    return m_messageNumber;
}

TypeId
AckExtendedTransportHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AckExtendedTransportHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<AckExtendedTransportHeader>();
    return tid;
}

TypeId
AckExtendedTransportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
AckExtendedTransportHeader::Print(std::ostream& os) const
{
    os << "syndrome=0x" << std::hex << +m_syndrome << std::dec << " msn=" << m_messageNumber;
}

uint32_t
AckExtendedTransportHeader::GetSerializedSize() const
{
    return 4;
}

void
AckExtendedTransportHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(uint32_t(m_syndrome) << 24 | m_messageNumber);
}

uint32_t
AckExtendedTransportHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t word = start.ReadNtohU32();
    m_syndrome = word >> 24;
    m_messageNumber = word & 0xFFFFFF;
    return GetSerializedSize();
}

} // namespace ns3

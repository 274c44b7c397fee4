// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "base-transport-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BaseTransportHeader);

namespace
{

constexpr uint32_t LOW_24_BITS = 0xFFFFFF;
constexpr uint8_t MIGRATED_BIT = 0x40;
constexpr uint8_t FORWARD_BIT = 0x80;
constexpr uint8_t BACKWARD_BIT = 0x40;
constexpr uint8_t UNDETERMINED_BIT = 0x20;
constexpr uint8_t ACK_REQUEST_BIT = 0x80;
constexpr uint8_t TELEMETRY_BIT = 0x40;
constexpr uint16_t DEFAULT_PARTITION_KEY = 0xFFFF;

} // namespace

void
BaseTransportHeader::SetOpcode(uint8_t opcode)
{
    m_opcode = opcode;
}

uint8_t
BaseTransportHeader::GetOpcode() const
{
    return m_opcode;
}

void
BaseTransportHeader::SetMigrated(bool migrated)
{
    m_migrated = migrated;
}

bool
BaseTransportHeader::IsMigrated() const
{
    return m_migrated;
}

void
BaseTransportHeader::SetPadCount(uint8_t count)
{
    m_padCount = count & 3;
}

uint8_t
BaseTransportHeader::GetPadCount() const
{
    return m_padCount;
}

uint8_t
BaseTransportHeader::GetVersion() const
{
    return m_version;
}

void
BaseTransportHeader::SetForwardCongestion(bool congested)
{
    m_forward = congested;
}

bool
BaseTransportHeader::IsForwardCongestion() const
{
    return m_forward;
}

void
BaseTransportHeader::SetBackwardCongestion(bool congested)
{
    m_backward = congested;
}

bool
BaseTransportHeader::IsBackwardCongestion() const
{
    return m_backward;
}

void
BaseTransportHeader::SetUndetermined(bool undetermined)
{
    m_undetermined = undetermined;
}

bool
BaseTransportHeader::IsUndetermined() const
{
    return m_undetermined;
}

void
BaseTransportHeader::SetDestinationQueuePair(uint32_t queuePair)
{
    m_queuePair = queuePair & LOW_24_BITS;
}

uint32_t
BaseTransportHeader::GetDestinationQueuePair() const
{
    return m_queuePair;
}

void
BaseTransportHeader::SetAckRequest(bool request)
{
    m_ackRequest = request;
}

bool
BaseTransportHeader::IsAckRequest() const
{
    return m_ackRequest;
}

void
BaseTransportHeader::SetTelemetry(bool telemetry)
{
    m_telemetry = telemetry;
}

bool
BaseTransportHeader::HasTelemetry() const
{
    return m_telemetry;
}

void
BaseTransportHeader::SetSequenceNumber(uint32_t number)
{
    m_sequenceNumber = number & LOW_24_BITS;
}

uint32_t
BaseTransportHeader::GetSequenceNumber() const
{
    return m_sequenceNumber;
}

TypeId
BaseTransportHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BaseTransportHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<BaseTransportHeader>();
    return tid;
}

TypeId
BaseTransportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
BaseTransportHeader::Print(std::ostream& os) const
{
    os << "opcode=0x" << std::hex << +m_opcode << std::dec << " destqp=" << m_queuePair
       << " psn=" << m_sequenceNumber << " pad=" << +m_padCount << (m_ackRequest ? " A" : "")
       << (m_telemetry ? " T" : "") << (m_forward ? " F" : "") << (m_backward ? " B" : "")
       << (m_undetermined ? " U" : "");
}

uint32_t
BaseTransportHeader::GetSerializedSize() const
{
    return 12;
}

void
BaseTransportHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteU8(m_opcode);
    i.WriteU8((m_migrated ? MIGRATED_BIT : 0) | (m_padCount << 4) | m_version);
    i.WriteHtonU16(DEFAULT_PARTITION_KEY);
    const uint8_t congestion = (m_forward ? FORWARD_BIT : 0) | (m_backward ? BACKWARD_BIT : 0) |
                               (m_undetermined ? UNDETERMINED_BIT : 0);
    i.WriteHtonU32(uint32_t(congestion) << 24 | m_queuePair);
    const uint8_t request =
        (m_ackRequest ? ACK_REQUEST_BIT : 0) | (m_telemetry ? TELEMETRY_BIT : 0);
    i.WriteHtonU32(uint32_t(request) << 24 | m_sequenceNumber);
}

uint32_t
BaseTransportHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_opcode = i.ReadU8();
    const uint8_t flags = i.ReadU8();
    m_migrated = flags & MIGRATED_BIT;
    m_padCount = flags >> 4 & 3;
    m_version = flags & 0xF;
    i.Next(2); // partition key
    const uint32_t pair = i.ReadNtohU32();
    const uint8_t congestion = pair >> 24;
    m_forward = congestion & FORWARD_BIT;
    m_backward = congestion & BACKWARD_BIT;
    m_undetermined = congestion & UNDETERMINED_BIT;
    m_queuePair = pair & LOW_24_BITS;
    const uint32_t number = i.ReadNtohU32();
    m_ackRequest = number >> 24 & ACK_REQUEST_BIT;
    m_telemetry = number >> 24 & TELEMETRY_BIT;
    m_sequenceNumber = number & LOW_24_BITS;
    return GetSerializedSize();
}

} // namespace ns3

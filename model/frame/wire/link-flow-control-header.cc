// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "link-flow-control-header.h"

#include "infiniband-crc.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LinkFlowControlHeader);

namespace
{

constexpr uint32_t LOW_12_BITS = 0xFFF;
constexpr uint8_t NORMAL = 0;
constexpr uint8_t INITIALISE = 1;
constexpr std::size_t COVERED_BYTES = 4;

} // namespace

void
LinkFlowControlHeader::SetUpdate(const CreditUpdate& update)
{
    m_update = update;
    m_operation = update.initialise ? INITIALISE : NORMAL;
}

const CreditUpdate&
LinkFlowControlHeader::GetUpdate() const
{
    return m_update;
}

uint8_t
LinkFlowControlHeader::GetOperation() const
{
    return m_operation;
}

bool
LinkFlowControlHeader::IsCrcOk() const
{
    return m_crcOk;
}

TypeId
LinkFlowControlHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LinkFlowControlHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<LinkFlowControlHeader>();
    return tid;
}

TypeId
LinkFlowControlHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
LinkFlowControlHeader::Print(std::ostream& os) const
{
    os << "op=" << +m_operation << " fctbs=" << m_update.totalBlocksSent << " vl=" << +m_update.lane
       << " fccl=" << m_update.creditLimit;
}

uint32_t
LinkFlowControlHeader::GetSerializedSize() const
{
    return 6;
}

void
LinkFlowControlHeader::Serialize(Buffer::Iterator start) const
{
    const uint32_t sent = m_operation << 12 | (m_update.totalBlocksSent & LOW_12_BITS);
    const uint32_t limit = m_update.lane << 12 | (m_update.creditLimit & LOW_12_BITS);
    const uint8_t covered[COVERED_BYTES] = {static_cast<uint8_t>(sent >> 8),
                                            static_cast<uint8_t>(sent),
                                            static_cast<uint8_t>(limit >> 8),
                                            static_cast<uint8_t>(limit)};
    Buffer::Iterator i = start;
    i.Write(covered, COVERED_BYTES);
    i.WriteU16(InfinibandCrc16(covered, COVERED_BYTES));
}

uint32_t
LinkFlowControlHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    uint8_t covered[COVERED_BYTES];
    i.Read(covered, COVERED_BYTES);
    m_operation = covered[0] >> 4;
    m_update.initialise = m_operation == INITIALISE;
    m_update.totalBlocksSent = (covered[0] << 8 | covered[1]) & LOW_12_BITS;
    m_update.lane = covered[2] >> 4;
    m_update.creditLimit = (covered[2] << 8 | covered[3]) & LOW_12_BITS;
    m_crcOk = i.ReadU16() == InfinibandCrc16(covered, COVERED_BYTES);
    return GetSerializedSize();
}

} // namespace ns3

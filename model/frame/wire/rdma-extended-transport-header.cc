// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rdma-extended-transport-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaExtendedTransportHeader);

void
RdmaExtendedTransportHeader::SetDmaLength(uint32_t bytes)
{
    m_dmaLength = bytes;
}

uint32_t
RdmaExtendedTransportHeader::GetDmaLength() const
{
    return m_dmaLength;
}

TypeId
RdmaExtendedTransportHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaExtendedTransportHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaExtendedTransportHeader>();
    return tid;
}

TypeId
RdmaExtendedTransportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RdmaExtendedTransportHeader::Print(std::ostream& os) const
{
    os << "dmaLength=" << m_dmaLength;
}

uint32_t
RdmaExtendedTransportHeader::GetSerializedSize() const
{
    return 16;
}

void
RdmaExtendedTransportHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteU8(0, 12); // virtual address and R_Key
    i.WriteHtonU32(m_dmaLength);
}

uint32_t
RdmaExtendedTransportHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    i.Next(12); // virtual address and R_Key
    m_dmaLength = i.ReadNtohU32();
    return GetSerializedSize();
}

} // namespace ns3

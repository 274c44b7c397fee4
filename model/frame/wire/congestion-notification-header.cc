// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "congestion-notification-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionNotificationHeader);

void
CongestionNotificationHeader::SetCnp(const Cnp& cnp)
{
    m_cnp = cnp;
}

const Cnp&
CongestionNotificationHeader::GetCnp() const
{
    return m_cnp;
}

TypeId
CongestionNotificationHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CongestionNotificationHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<CongestionNotificationHeader>();
    return tid;
}

TypeId
CongestionNotificationHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CongestionNotificationHeader::Print(std::ostream& os) const
{
    os << "window=" << m_cnp.windowBytes << " code=" << unsigned(m_cnp.code)
       << " fairRate=" << m_cnp.fairRate << " point=" << m_cnp.point;
}

uint32_t
CongestionNotificationHeader::GetSerializedSize() const
{
    return 16;
}

void
CongestionNotificationHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU32(m_cnp.windowBytes);
    i.WriteU8(static_cast<uint8_t>(m_cnp.code));
    i.WriteU8(0, 3);
    i.WriteHtonU32(m_cnp.fairRate);
    i.WriteHtonU32(m_cnp.point);
}

uint32_t
CongestionNotificationHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_cnp.windowBytes = i.ReadNtohU32();
    const uint8_t code = i.ReadU8();
    m_cnp.code = code <= 3 ? static_cast<CodePoint>(code) : CodePoint::NOT_CAPABLE;
    i.Next(3);
    m_cnp.fairRate = i.ReadNtohU32();
    m_cnp.point = i.ReadNtohU32();
    return GetSerializedSize();
}

} // namespace ns3

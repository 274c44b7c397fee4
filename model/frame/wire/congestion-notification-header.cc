// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "congestion-notification-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionNotificationHeader);

void
CongestionNotificationHeader::SetFeedback(const Frame::Feedback& feedback)
{
    m_feedback = feedback;
}

const Frame::Feedback&
CongestionNotificationHeader::GetFeedback() const
{
    return m_feedback;
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
    os << "window=" << m_feedback.windowBytes << " code=" << unsigned(m_feedback.code)
       << " fairRate=" << m_feedback.fairRate << " point=" << m_feedback.point;
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
    i.WriteHtonU32(m_feedback.windowBytes);
    i.WriteU8(static_cast<uint8_t>(m_feedback.code));
    i.WriteU8(0, 3);
    i.WriteHtonU32(m_feedback.fairRate);
    i.WriteHtonU32(m_feedback.point);
}

uint32_t
CongestionNotificationHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_feedback.windowBytes = i.ReadNtohU32();
    const uint8_t code = i.ReadU8();
    m_feedback.code = code <= 3 ? static_cast<CodePoint>(code) : CodePoint::NOT_CAPABLE;
    i.Next(3);
    m_feedback.fairRate = i.ReadNtohU32();
    m_feedback.point = i.ReadNtohU32();
    return GetSerializedSize();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "priority-flow-control-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PriorityFlowControlHeader);

void
PriorityFlowControlHeader::SetPause(const Frame::Pause& pause)
{
    m_pause = pause;
}

const Frame::Pause&
PriorityFlowControlHeader::GetPause() const
{
    return m_pause;
}

uint16_t
PriorityFlowControlHeader::GetOpcode() const
{
    return m_opcode;
}

TypeId
PriorityFlowControlHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PriorityFlowControlHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lossless")
                            .AddConstructor<PriorityFlowControlHeader>();
    return tid;
}

TypeId
PriorityFlowControlHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
PriorityFlowControlHeader::Print(std::ostream& os) const
{
    os << "classes=0x" << std::hex << +m_pause.classes << std::dec << " quanta=";
    for (uint32_t n = 0; n < 8; n++)
    {
        os << (n ? "," : "") << m_pause.quanta[n];
    }
}

uint32_t
PriorityFlowControlHeader::GetSerializedSize() const
{
    return 20;
}

void
PriorityFlowControlHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator i = start;
    i.WriteHtonU16(m_opcode);
    i.WriteHtonU16(m_pause.classes);
    for (uint16_t quanta : m_pause.quanta)
    {
        i.WriteHtonU16(quanta);
    }
}

uint32_t
PriorityFlowControlHeader::Deserialize(Buffer::Iterator start)
{
    Buffer::Iterator i = start;
    m_opcode = i.ReadNtohU16();
    m_pause.classes = i.ReadNtohU16() & 0xFF;
    for (uint16_t& quanta : m_pause.quanta)
    {
        quanta = i.ReadNtohU16();
    }
    return GetSerializedSize();
}

} // namespace ns3

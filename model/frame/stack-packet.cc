// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "stack-packet.h"

#include "ns3/frame-size.h"
#include "ns3/ipv4-header.h"
#include "ns3/protocol-numbers.h"

namespace ns3
{

CodePoint
GetStackMark(Ptr<const Packet> packet, uint16_t etherType)
{
    uint8_t head[2];
    const bool ipv4 = etherType == ETHER_TYPE_IPV4 && packet->GetSize() >= IPV4_HEADER_BYTES &&
                      packet->CopyData(head, sizeof(head)) == sizeof(head) && head[0] >> 4 == 4;
    return ipv4 ? static_cast<CodePoint>(head[1] & 3) : CodePoint::NOT_CAPABLE;
}

Ptr<Packet>
CopyWithMark(const Frame& frame)
{
    Ptr<Packet> packet = frame.packet->Copy();
    uint8_t head[IPV4_HEADER_BYTES];
    if (frame.etherType != ETHER_TYPE_IPV4 ||
        GetStackMark(packet, frame.etherType) >= frame.codePoint ||
        packet->CopyData(head, sizeof(head)) < sizeof(head) || head[0] != 0x45)
    {
        return packet;
    }
    Ipv4Header ip;
    packet->RemoveHeader(ip);
    ip.SetEcn(static_cast<Ipv4Header::EcnType>(frame.codePoint));
    if (head[10] || head[11]) // ns-3 leaves checksums out by default
    {
        ip.EnableChecksum();
    }
    packet->AddHeader(ip);
    return packet;
}

} // namespace ns3

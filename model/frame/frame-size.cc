// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame-size.h"

#include "ns3/assert.h"
#include "ns3/packet.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * @param frame NOTIFICATION
 * @returns what it has inside of Ethernet header, tags and FCS [B]
 */
uint32_t
NotificationBytes(const Frame& frame)
{
    if (std::holds_alternative<Cnp>(frame.notification))
    {
        return RocePacketBytes(CNP_RESERVED_BYTES);
    }
    const bool ecm = std::holds_alternative<EcmMessage>(frame.notification);
    return (ecm ? ECM_BYTES : CNM_BYTES) + QuotedBytes(frame);
}

/**
 * @param frame any
 * @returns what it has inside of Ethernet header, tags and FCS [B]
 */
uint32_t
InsideBytes(const Frame& frame)
{
    const bool telemetry = frame.telemetry != nullptr;
    switch (frame.kind)
    {
    case FrameKind::DATA:
        return RocePacketBytes(
            DataBytesAfterBth(frame.payload, frame.write && frame.firstOfMessage, telemetry));
    case FrameKind::ACK:
    case FrameKind::NACK:
        return RocePacketBytes(AckBytesAfterBth(telemetry));
    case FrameKind::NOTIFICATION:
        return NotificationBytes(frame);
    case FrameKind::PFC:
        return MINIMUM_FRAME_BYTES - ETHERNET_HEADER_BYTES - FCS_BYTES;
    case FrameKind::CREDITS:
        return 0; // never on Ethernet
    case FrameKind::PACKET:
        break;
    }
    return frame.packet->GetSize();
}

} // namespace

uint32_t
CongestionTagBytes(const Frame& frame)
{
    if (!frame.tag)
    {
        return 0;
    }
    return std::holds_alternative<CmTag>(frame.tag->tag) ? CM_TAG_BYTES : CN_TAG_BYTES;
}

uint32_t
QuotedBytes(const Frame& frame)
{
    NS_ASSERT_MSG(frame.quoted, "a message that quotes no frame");
    const Frame& quoted = *frame.quoted;
    const uint32_t available = quoted.bytes - FCS_BYTES;
    if (const auto* ecm = std::get_if<EcmMessage>(&frame.notification))
    {
        const uint32_t outside = ETHERNET_HEADER_BYTES + (frame.tagged ? VLAN_TAG_BYTES : 0) +
                                 CongestionTagBytes(frame) + ECM_BYTES + FCS_BYTES;
        const uint32_t least = std::max(FEWEST_QUOTED_BYTES, MINIMUM_FRAME_BYTES - outside);
        return std::min(std::max<uint32_t>(ecm->quotedBytes, least), available);
    }
    const uint32_t before = ETHERNET_HEADER_BYTES - 2 + (quoted.tagged ? VLAN_TAG_BYTES : 0) +
                            CongestionTagBytes(quoted);
    const uint32_t wanted = std::get<QcnMessage>(frame.notification).quotedBytes;
    return std::min(wanted, available - before);
}

uint32_t
FrameBytes(const Frame& frame)
{
    return EthernetFrameBytes(InsideBytes(frame) + CongestionTagBytes(frame), frame.tagged);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame-reader.h"

#include "ns3/cm-tag-header.h"
#include "ns3/cn-tag-header.h"
#include "ns3/cnm-header.h"
#include "ns3/ecm-header.h"
#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/frame-refusal.h"
#include "ns3/frame-size.h"
#include "ns3/invariant-crc-trailer.h"
#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/priority-flow-control-header.h"
#include "ns3/protocol-numbers.h"
#include "ns3/stack-packet.h"
#include "ns3/transport-format.h"
#include "ns3/udp-header.h"
#include "ns3/vlan-tag-header.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FrameFormat");

namespace
{

/**
 * @param packet what follows the Ethernet header and tags
 * @param etherType of it
 * @returns whether it is an unfragmented IPv4/UDP packet to RoCEv2's port, without IP options
 */
bool
IsRoce(Ptr<const Packet> packet, uint16_t etherType)
{
    uint8_t head[IPV4_HEADER_BYTES + 4];
    if (etherType != ETHER_TYPE_IPV4 || packet->CopyData(head, sizeof(head)) < sizeof(head))
    {
        return false;
    }
    const bool fragment = head[6] & 0x3F || head[7];
    const uint16_t port = head[22] << 8 | head[23];
    return head[0] == 0x45 && head[9] == PROTOCOL_UDP && !fragment && port == ROCE_PORT;
}

/**
 * Reads IPv4 and UDP and verifies their lengths and checksums.
 * @param packet from the IPv4 header on; left with what is between UDP header and ICRC
 * @param frame filled
 */
void
ReadDatagram(Ptr<Packet> packet, Frame& frame)
{
    uint8_t head[IPV4_HEADER_BYTES + UDP_HEADER_BYTES]{};
    packet->CopyData(head, sizeof(head));
    const uint32_t size = head[2] << 8 | head[3];
    const uint32_t udpSize = head[24] << 8 | head[25];
    if (size > packet->GetSize())
    {
        RefuseFrame("truncated: ", packet->GetSize(), " bytes of an IPv4 packet of ", size);
    }
    if (size < sizeof(head) + BTH_BYTES + INVARIANT_CRC_BYTES)
    {
        RefuseFrame("IPv4 packet of ", size, " bytes is too short for RoCEv2");
    }
    if (udpSize != size - IPV4_HEADER_BYTES)
    {
        RefuseFrame("UDP length ", udpSize, " in an IPv4 packet of ", size);
    }
    packet->RemoveAtEnd(packet->GetSize() - size); // Ethernet padding

    const uint32_t expected = InvariantCrcTrailer::Calculate(packet);
    InvariantCrcTrailer crc;
    packet->RemoveTrailer(crc);
    if (crc.GetCrc() != expected)
    {
        RefuseFrame("ICRC ", HexText(crc.GetCrc()), ", expected ", HexText(expected));
    }

    Ipv4Header ip;
    ip.EnableChecksum();
    packet->RemoveHeader(ip);
    if (!ip.IsChecksumOk())
    {
        RefuseFrame("wrong IPv4 header checksum");
    }
    UdpHeader udp;
    packet->RemoveHeader(udp);

    frame.addresses.sourceIp = ip.GetSource().Get();
    frame.addresses.destinationIp = ip.GetDestination().Get();
    frame.addresses.udpSource = udp.GetSourcePort();
    frame.codePoint = static_cast<CodePoint>(ip.GetTos() & 3);
    if (!frame.tagged)
    {
        frame.priority = ip.GetTos() >> 5;
    }
}

/**
 * Reads a RoCEv2 frame.
 * @param packet from the IPv4 header on, used up
 * @param frame filled
 */
void
ReadRoce(Ptr<Packet> packet, Frame& frame)
{
    ReadDatagram(packet, frame);
    ReadTransportPacket(packet, TransportCarrier::ROCE_V2, frame);
}

/**
 * Reads a PFC frame.
 * @param packet from the opcode on
 * @param frame filled
 */
void
ReadPfc(Ptr<Packet> packet, Frame& frame)
{
    PriorityFlowControlHeader pfc;
    TakeHeader(packet, pfc, "the PFC parameters");
    if (pfc.GetOpcode() != PriorityFlowControlHeader::OPCODE)
    {
        RefuseFrame("MAC control opcode ", HexText(pfc.GetOpcode()), " is not PFC");
    }
    const uint8_t* destination = frame.addresses.destinationMac;
    if (frame.tagged || frame.tag ||
        !std::equal(destination, destination + 6, PriorityFlowControlHeader::DESTINATION))
    {
        Mac48Address found;
        found.CopyFrom(destination);
        RefuseFrame("PFC frame with a tag or to ", found);
    }
    frame.kind = FrameKind::PFC;
    frame.pause = pfc.GetPause();
}

/**
 * Takes addresses and 802.1Q tag off.
 * @param packet from its destination address on, at least 18 bytes
 * @param frame filled
 * @returns the EtherType of what follows
 */
uint16_t
TakeEthernet(Ptr<Packet> packet, Frame& frame)
{
    EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    ethernet.GetDestination().CopyTo(frame.addresses.destinationMac);
    ethernet.GetSource().CopyTo(frame.addresses.sourceMac);
    if (ethernet.GetLengthType() != VlanTagHeader::ETHER_TYPE)
    {
        return ethernet.GetLengthType();
    }
    VlanTagHeader tag;
    packet->RemoveHeader(tag);
    frame.tagged = true;
    frame.priority = tag.GetPriority();
    return tag.GetEtherType();
}

/**
 * Takes a CM-Tag or a CN-TAG off, if there is one and all of it.
 * @param packet what follows the EtherType
 * @param etherType before it
 * @param frame filled
 * @returns the EtherType of what follows
 */
uint16_t
TakeCongestionTag(Ptr<Packet> packet, uint16_t etherType, Frame& frame)
{
    CmTagHeader cm;
    CnTagHeader cn;
    if (etherType == CmTagHeader::ETHER_TYPE && packet->GetSize() >= cm.GetSerializedSize())
    {
        packet->RemoveHeader(cm);
        frame.tag = MakeCongestionTag();
        frame.tag->tag = cm.GetTag();
        return cm.GetEtherType();
    }
    if (etherType == CnTagHeader::ETHER_TYPE && packet->GetSize() >= cn.GetSerializedSize())
    {
        packet->RemoveHeader(cn);
        frame.tag = MakeCongestionTag();
        frame.tag->tag = cn.GetTag();
        return cn.GetEtherType();
    }
    return etherType;
}

/**
 * Makes the frame that a message quotes of what the message has of it.
 * @param frame with addresses and tags
 * @param rest what follows the EtherType
 * @param etherType of it
 */
void
SetQuoted(Frame& frame, Ptr<Packet> rest, uint16_t etherType)
{
    frame.kind = FrameKind::PACKET;
    frame.etherType = etherType;
    frame.packet = rest;
    frame.bytes = FrameBytes(frame);
}

/**
 * Reads an ECM message.
 * @param packet from what follows its EtherType on
 * @param frame filled
 */
void
ReadEcm(Ptr<Packet> packet, Frame& frame)
{
    EcmHeader ecm;
    TakeHeader(packet, ecm, "the ECM message");
    const uint32_t bytes = packet->GetSize();
    if (bytes < FEWEST_QUOTED_BYTES || bytes > std::numeric_limits<uint8_t>::max())
    {
        RefuseFrame("ECM message that quotes ",
                    bytes,
                    " bytes, not ",
                    FEWEST_QUOTED_BYTES,
                    " to 255");
    }
    EcmMessage message = ecm.GetMessage();
    message.quotedBytes = static_cast<uint8_t>(bytes);
    message.priority = frame.priority;
    frame.kind = FrameKind::NOTIFICATION;
    frame.quoted = QuotedFramePtr(MakeFrame().release());
    Frame& quoted = *frame.quoted;
    const uint16_t etherType = TakeCongestionTag(packet, TakeEthernet(packet, quoted), quoted);
    SetQuoted(quoted, packet, etherType);
    // Also where the tag is cut off: the fields are in the message.
    message.timestamped = etherType == CmTagHeader::ETHER_TYPE ||
                          (quoted.tag && std::holds_alternative<CmTag>(quoted.tag->tag));
    frame.notification = message;
}

/**
 * Reads a congestion notification message of QCN.
 * @param packet from what follows its EtherType on, with the padding of a short frame
 * @param frame filled
 */
void
ReadCnm(Ptr<Packet> packet, Frame& frame)
{
    CnmHeader cnm;
    TakeHeader(packet, cnm, "the CNM");
    const uint32_t bytes = cnm.GetQuotedBytes();
    if (bytes > std::min(packet->GetSize(), CnmHeader::MOST_QUOTED_BYTES))
    {
        RefuseFrame("CNM that quotes ", bytes, " bytes; there are ", packet->GetSize());
    }
    packet->RemoveAtEnd(packet->GetSize() - bytes);
    QcnMessage message = cnm.GetMessage();
    message.quotedBytes = static_cast<uint8_t>(bytes);
    message.priority = frame.priority;
    frame.kind = FrameKind::NOTIFICATION;
    frame.notification = message;
    frame.quoted = QuotedFramePtr(MakeFrame().release());
    Frame& quoted = *frame.quoted;
    quoted.priority = cnm.GetSampledPriority();
    std::copy(cnm.GetSampledDestination(),
              cnm.GetSampledDestination() + 6,
              quoted.addresses.destinationMac);
    std::copy(frame.addresses.destinationMac,
              frame.addresses.destinationMac + 6,
              quoted.addresses.sourceMac);
    uint8_t type[2]{};
    packet->RemoveAtStart(packet->CopyData(type, sizeof(type)));
    SetQuoted(quoted, packet, type[0] << 8 | type[1]);
}

/**
 * @param packet all of a frame without FCS, used up
 * @returns the frame
 */
FramePtr
ReadEthernetFrame(Ptr<Packet> packet)
{
    const uint32_t size = packet->GetSize();
    if (size + FCS_BYTES < MINIMUM_FRAME_BYTES)
    {
        RefuseFrame("truncated: ",
                    size,
                    " bytes, an Ethernet frame has at least ",
                    MINIMUM_FRAME_BYTES - FCS_BYTES,
                    " before its FCS");
    }
    FramePtr frame = MakeFrame();
    const uint16_t etherType = TakeCongestionTag(packet, TakeEthernet(packet, *frame), *frame);
    if (etherType < SMALLEST_ETHER_TYPE)
    {
        RefuseFrame("802.3 length ", etherType, " instead of an EtherType");
    }

    if (etherType == PriorityFlowControlHeader::ETHER_TYPE)
    {
        ReadPfc(packet, *frame);
    }
    else if (etherType == EcmHeader::ETHER_TYPE)
    {
        ReadEcm(packet, *frame);
    }
    else if (etherType == CnmHeader::ETHER_TYPE)
    {
        ReadCnm(packet, *frame);
    }
    else if (IsRoce(packet, etherType))
    {
        ReadRoce(packet, *frame);
    }
    else
    {
        frame->kind = FrameKind::PACKET;
        frame->etherType = etherType;
        frame->codePoint = GetStackMark(packet, etherType);
        frame->packet = packet;
    }
    frame->bytes = FrameBytes(*frame);
    if (frame->bytes != size + FCS_BYTES)
    {
        RefuseFrame(size + FCS_BYTES, " bytes with FCS, but its headers say ", frame->bytes);
    }
    return frame;
}

} // namespace

FramePtr
FromPacket(Ptr<const Packet> packet, FrameCheck check, std::string* why)
{
    try
    {
        Ptr<Packet> rest = packet->Copy();
        if (check == FrameCheck::INCLUDED)
        {
            EthernetTrailer trailer;
            trailer.EnableFcs(true);
            if (rest->GetSize() < FCS_BYTES)
            {
                RefuseFrame("truncated: ", rest->GetSize(), " bytes do not hold an FCS");
            }
            rest->RemoveTrailer(trailer);
            if (!trailer.CheckFcs(rest))
            {
                RefuseFrame("wrong FCS");
            }
        }
        return ReadEthernetFrame(rest);
    }
    catch (const FrameRefusal& refusal)
    {
        NS_LOG_LOGIC("not a frame: " << refusal.why);
        if (why)
        {
            *why = refusal.why;
        }
        return nullptr;
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame-writer.h"

#include "ns3/assert.h"
#include "ns3/cm-tag-header.h"
#include "ns3/cn-tag-header.h"
#include "ns3/cnm-header.h"
#include "ns3/ecm-header.h"
#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/frame-size.h"
#include "ns3/invariant-crc-trailer.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/mac48-address.h"
#include "ns3/priority-flow-control-header.h"
#include "ns3/protocol-numbers.h"
#include "ns3/stack-packet.h"
#include "ns3/transport-format.h"
#include "ns3/udp-header.h"
#include "ns3/vlan-tag-header.h"

namespace ns3
{

namespace
{

constexpr uint8_t TIME_TO_LIVE = 64;

/**
 * @param bytes six
 * @returns the address
 */
Mac48Address
ToMac(const uint8_t* bytes)
{
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

/**
 * @param frame DATA, ACK, NACK or CNP
 * @returns IPv4 header and all in it
 */
Ptr<Packet>
MakeDatagram(const Frame& frame)
{
    Ptr<Packet> packet = MakeTransportPacket(frame, TransportCarrier::ROCE_V2);
    InvariantCrcTrailer crc; // a place holder first, as the lengths above count it
    packet->AddTrailer(crc);

    UdpHeader udp;
    udp.SetSourcePort(frame.addresses.udpSource);
    udp.SetDestinationPort(ROCE_PORT);
    packet->AddHeader(udp);

    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetSource(Ipv4Address(frame.addresses.sourceIp));
    ip.SetDestination(Ipv4Address(frame.addresses.destinationIp));
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTtl(TIME_TO_LIVE);
    ip.SetIdentification(0);
    ip.SetDontFragment();
    ip.SetTos((frame.priority & 7) << 5 | static_cast<uint8_t>(frame.codePoint));
    ip.SetPayloadSize(packet->GetSize());
    packet->AddHeader(ip);

    crc.SetCrc(InvariantCrcTrailer::Calculate(packet));
    InvariantCrcTrailer placeHolder;
    packet->RemoveTrailer(placeHolder);
    packet->AddTrailer(crc);
    return packet;
}

/**
 * @param quoted frame that a message quotes
 * @param from first byte
 * @param bytes how many
 * @returns them
 */
Ptr<Packet>
Quote(const Frame& quoted, uint32_t from, uint32_t bytes)
{
    return ToPacket(quoted)->CreateFragment(from, bytes);
}

/**
 * @param frame ECM message
 * @returns what follows its EtherType
 */
Ptr<Packet>
MakeEcm(const Frame& frame)
{
    Ptr<Packet> packet = Quote(*frame.quoted, 0, QuotedBytes(frame));
    EcmHeader ecm;
    ecm.SetMessage(std::get<EcmMessage>(frame.notification));
    packet->AddHeader(ecm);
    return packet;
}

/**
 * @param frame QCN message
 * @returns what follows its EtherType
 */
Ptr<Packet>
MakeCnm(const Frame& frame)
{
    const Frame& quoted = *frame.quoted;
    const uint32_t bytes = QuotedBytes(frame);
    const uint32_t begin = ETHERNET_HEADER_BYTES - 2 + (quoted.tagged ? VLAN_TAG_BYTES : 0) +
                           CongestionTagBytes(quoted);
    Ptr<Packet> packet = Quote(quoted, begin, bytes);
    CnmHeader cnm;
    cnm.SetMessage(std::get<QcnMessage>(frame.notification));
    cnm.SetSampled(quoted.priority, quoted.addresses.destinationMac);
    cnm.SetQuotedBytes(bytes);
    packet->AddHeader(cnm);
    return packet;
}

/**
 * Adds a frame's congestion tag, if it has one.
 * @param packet to it
 * @param frame any
 * @param etherType of the content
 * @returns what the EtherType before it is now
 */
uint16_t
AddCongestionTag(Ptr<Packet> packet, const Frame& frame, uint16_t etherType)
{
    if (!frame.tag)
    {
        return etherType;
    }
    if (const auto* cm = std::get_if<CmTag>(&frame.tag->tag))
    {
        CmTagHeader header;
        header.SetTag(*cm);
        header.SetEtherType(etherType);
        packet->AddHeader(header);
        return CmTagHeader::ETHER_TYPE;
    }
    CnTagHeader header;
    header.SetTag(std::get<CnTag>(frame.tag->tag));
    header.SetEtherType(etherType);
    packet->AddHeader(header);
    return CnTagHeader::ETHER_TYPE;
}

} // namespace

Ptr<Packet>
ToPacket(const Frame& frame, FrameCheck check)
{
    NS_ASSERT_MSG(frame.bytes == FrameBytes(frame),
                  "Frame::bytes is " << frame.bytes << ", on the wire it has "
                                     << FrameBytes(frame));
    Ptr<Packet> packet;
    uint16_t etherType = ETHER_TYPE_IPV4;
    const uint8_t* destination = frame.addresses.destinationMac;
    bool tagged = frame.tagged;
    if (frame.kind == FrameKind::PACKET)
    {
        packet = CopyWithMark(frame);
        etherType = frame.etherType;
    }
    else if (frame.kind == FrameKind::PFC)
    {
        PriorityFlowControlHeader pfc;
        pfc.SetPause(frame.pause);
        packet = Create<Packet>();
        packet->AddHeader(pfc);
        etherType = PriorityFlowControlHeader::ETHER_TYPE;
        destination = PriorityFlowControlHeader::DESTINATION;
        tagged = false;
    }
    else if (std::holds_alternative<EcmMessage>(frame.notification))
    {
        packet = MakeEcm(frame);
        etherType = EcmHeader::ETHER_TYPE;
    }
    else if (std::holds_alternative<QcnMessage>(frame.notification))
    {
        packet = MakeCnm(frame);
        etherType = CnmHeader::ETHER_TYPE;
    }
    else
    {
        packet = MakeDatagram(frame);
    }
    etherType = AddCongestionTag(packet, frame, etherType);

    if (tagged)
    {
        VlanTagHeader tag;
        tag.SetPriority(frame.priority);
        tag.SetEtherType(etherType);
        packet->AddHeader(tag);
        etherType = VlanTagHeader::ETHER_TYPE;
    }
    EthernetHeader ethernet(false);
    ethernet.SetDestination(ToMac(destination));
    ethernet.SetSource(ToMac(frame.addresses.sourceMac));
    ethernet.SetLengthType(etherType);
    packet->AddHeader(ethernet);
    if (packet->GetSize() + FCS_BYTES < MINIMUM_FRAME_BYTES)
    {
        // Not AddPaddingAtEnd(): it leaves whatever the recycled buffer held.
        packet->AddAtEnd(Create<Packet>(MINIMUM_FRAME_BYTES - FCS_BYTES - packet->GetSize()));
    }
    if (check == FrameCheck::INCLUDED)
    {
        EthernetTrailer trailer;
        trailer.EnableFcs(true);
        trailer.CalcFcs(packet);
        packet->AddTrailer(trailer);
    }
    return packet;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "infiniband-format.h"

#include "ns3/assert.h"
#include "ns3/frame-refusal.h"
#include "ns3/invariant-crc-trailer.h"
#include "ns3/link-flow-control-header.h"
#include "ns3/local-route-header.h"
#include "ns3/raw-header.h"
#include "ns3/stack-packet.h"
#include "ns3/variant-crc-trailer.h"

namespace ns3
{

namespace
{

using Lrh = LocalRouteHeader;

/**
 * Adds the local route header and the VCRC.
 * @param packet what is between them, before a BTH with a place holder for the ICRC; changed
 * @param frame of it
 * @param next what follows the header
 */
void
AddLinkLayer(Ptr<Packet> packet, const Frame& frame, Lrh::NextHeader next)
{
    Lrh lrh;
    lrh.SetLane(frame.priority);
    lrh.SetServiceLevel(frame.priority);
    lrh.SetNextHeader(next);
    lrh.SetDestination(InfinibandLid(frame.destination));
    lrh.SetSource(InfinibandLid(frame.source));
    lrh.SetWords((packet->GetSize() + LRH_BYTES) / 4);
    packet->AddHeader(lrh);
    if (next == Lrh::LOCAL)
    {
        InvariantCrcTrailer invariant;
        invariant.SetCrc(InvariantCrcTrailer::CalculateLocal(packet));
        InvariantCrcTrailer placeHolder;
        packet->RemoveTrailer(placeHolder);
        packet->AddTrailer(invariant);
    }
    VariantCrcTrailer variant;
    variant.SetCrc(VariantCrcTrailer::Calculate(packet));
    packet->AddTrailer(variant);
}

/**
 * @param lid local identifier
 * @returns the endpoint that has it, UNKNOWN_ENDPOINT, or BROADCAST_ENDPOINT for a group
 */
uint32_t
EndpointOf(uint16_t lid)
{
    if (lid >= Lrh::FIRST_UNICAST && lid <= Lrh::LAST_UNICAST)
    {
        return lid - Lrh::FIRST_UNICAST;
    }
    return lid >= Lrh::FIRST_MULTICAST && lid != Lrh::PERMISSIVE ? BROADCAST_ENDPOINT
                                                                 : UNKNOWN_ENDPOINT;
}

/**
 * Verifies and takes off the VCRC, then the local route header.
 * @param packet all of it; left with what is between them
 * @param frame gets what the header says
 * @returns the header
 */
Lrh
TakeLinkLayer(Ptr<Packet> packet, Frame& frame)
{
    const uint32_t size = packet->GetSize();
    if (size < LRH_BYTES + RWH_BYTES + VARIANT_CRC_BYTES)
    {
        RefuseFrame("truncated: ", size, " bytes of an InfiniBand packet");
    }
    VariantCrcTrailer variant;
    packet->RemoveTrailer(variant);
    const uint16_t expected = VariantCrcTrailer::Calculate(packet);
    if (variant.GetCrc() != expected)
    {
        RefuseFrame("VCRC ", HexText(variant.GetCrc()), ", expected ", HexText(expected));
    }
    Lrh lrh;
    packet->PeekHeader(lrh);
    if (lrh.GetVersion() != 0)
    {
        RefuseFrame("LRH version ", +lrh.GetVersion());
    }
    if (packet->GetSize() != lrh.GetWords() * 4)
    {
        RefuseFrame(packet->GetSize(),
                    " bytes before the VCRC, but PktLen is ",
                    lrh.GetWords(),
                    " words");
    }
    frame.priority = lrh.GetLane();
    frame.source = EndpointOf(lrh.GetSource());
    frame.destination = EndpointOf(lrh.GetDestination());
    return lrh;
}

/**
 * @param packet all of it, used up
 * @returns the frame
 */
FramePtr
ReadFrame(Ptr<Packet> packet)
{
    const uint32_t size = packet->GetSize();
    FramePtr frame = MakeFrame();
    Lrh lrh = TakeLinkLayer(packet, *frame);
    if (lrh.GetServiceLevel() != lrh.GetLane())
    {
        RefuseFrame("service level ", +lrh.GetServiceLevel(), " on lane ", +lrh.GetLane());
    }
    if (lrh.GetNextHeader() == Lrh::LOCAL)
    {
        if (size < InfinibandPacketBytes(0))
        {
            RefuseFrame("truncated: ", size, " bytes of an InfiniBand packet");
        }
        const uint32_t expected = InvariantCrcTrailer::CalculateLocal(packet);
        InvariantCrcTrailer invariant;
        packet->RemoveTrailer(invariant);
        if (invariant.GetCrc() != expected)
        {
            RefuseFrame("ICRC ", HexText(invariant.GetCrc()), ", expected ", HexText(expected));
        }
        packet->RemoveHeader(lrh);
        ReadTransportPacket(packet, TransportCarrier::INFINIBAND, *frame);
    }
    else if (lrh.GetNextHeader() == Lrh::RAW)
    {
        packet->RemoveHeader(lrh);
        RawHeader raw;
        TakeHeader(packet, raw, "the raw header");
        frame->kind = FrameKind::PACKET;
        frame->etherType = raw.GetEtherType();
        frame->codePoint = GetStackMark(packet, frame->etherType);
        frame->packet = packet;
    }
    else
    {
        RefuseFrame("LNH ", +lrh.GetNextHeader(), ", expected 0 (raw) or 2 (local)");
    }
    frame->bytes = InfinibandFrameBytes(*frame);
    if (frame->bytes != size)
    {
        RefuseFrame(size, " bytes, but its headers say ", frame->bytes);
    }
    return frame;
}

} // namespace

uint32_t
InfinibandFrameBytes(const Frame& frame)
{
    switch (frame.kind)
    {
    case FrameKind::DATA:
        return InfinibandDataBytes(frame.payload,
                                   frame.write && frame.firstOfMessage,
                                   frame.telemetry != nullptr);
    case FrameKind::ACK:
    case FrameKind::NACK:
        return InfinibandAckBytes(frame.telemetry != nullptr);
    case FrameKind::NOTIFICATION:
        return InfinibandCnpBytes();
    case FrameKind::CREDITS:
        return CREDIT_UPDATE_BYTES;
    default:
        NS_ASSERT_MSG(frame.kind == FrameKind::PACKET, "a PFC frame on an InfiniBand link");
        return InfinibandRawBytes(frame.packet->GetSize());
    }
}

uint16_t
InfinibandLid(uint32_t endpoint)
{
    if (endpoint == UNKNOWN_ENDPOINT)
    {
        return Lrh::PERMISSIVE;
    }
    if (endpoint == BROADCAST_ENDPOINT)
    {
        return Lrh::FIRST_MULTICAST;
    }
    NS_ASSERT_MSG(endpoint <= Lrh::LAST_UNICAST - Lrh::FIRST_UNICAST,
                  "endpoint " << endpoint << " has no local identifier");
    return Lrh::FIRST_UNICAST + endpoint;
}

Ptr<Packet>
ToInfinibandPacket(const Frame& frame)
{
    NS_ASSERT_MSG(frame.bytes == InfinibandFrameBytes(frame),
                  "Frame::bytes is " << frame.bytes << ", on the wire it has "
                                     << InfinibandFrameBytes(frame));
    NS_ASSERT_MSG(frame.bytes <= INFINIBAND_MAXIMUM_BYTES,
                  frame.bytes << " bytes are more than PktLen can say");
    if (frame.kind == FrameKind::PACKET)
    {
        Ptr<Packet> packet = CopyWithMark(frame);
        packet->AddAtEnd(Create<Packet>(PadCount(packet->GetSize())));
        RawHeader raw;
        raw.SetEtherType(frame.etherType);
        packet->AddHeader(raw);
        AddLinkLayer(packet, frame, Lrh::RAW);
        return packet;
    }
    if (frame.kind == FrameKind::CREDITS)
    {
        return ToInfinibandPacket(frame.credits);
    }
    Ptr<Packet> packet = MakeTransportPacket(frame, TransportCarrier::INFINIBAND);
    packet->AddTrailer(InvariantCrcTrailer()); // a place holder
    AddLinkLayer(packet, frame, Lrh::LOCAL);
    return packet;
}

Ptr<Packet>
ToInfinibandPacket(const CreditUpdate& update)
{
    LinkFlowControlHeader header;
    header.SetUpdate(update);
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    return packet;
}

FramePtr
FromInfinibandPacket(Ptr<const Packet> packet, std::string* why)
{
    if (packet->GetSize() == CREDIT_UPDATE_BYTES)
    {
        FramePtr frame = MakeFrame();
        frame->kind = FrameKind::CREDITS;
        frame->bytes = CREDIT_UPDATE_BYTES;
        CreditUpdate update;
        if (!ReadCreditUpdate(packet, update, why))
        {
            return nullptr;
        }
        frame->credits = update;
        return frame;
    }
    try
    {
        return ReadFrame(packet->Copy());
    }
    catch (const FrameRefusal& refusal)
    {
        if (why)
        {
            *why = refusal.why;
        }
        return nullptr;
    }
}

bool
ReadCreditUpdate(Ptr<const Packet> packet, CreditUpdate& update, std::string* why)
{
    try
    {
        LinkFlowControlHeader header;
        if (packet->GetSize() != header.GetSerializedSize())
        {
            RefuseFrame(packet->GetSize(),
                        " bytes, a link flow-control packet has ",
                        header.GetSerializedSize());
        }
        packet->PeekHeader(header);
        if (!header.IsCrcOk())
        {
            RefuseFrame("wrong LPCRC");
        }
        if (header.GetOperation() > 1)
        {
            RefuseFrame("operation ", +header.GetOperation(), " is reserved");
        }
        update = header.GetUpdate();
        return true;
    }
    catch (const FrameRefusal& refusal)
    {
        if (why)
        {
            *why = refusal.why;
        }
        return false;
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "stack-adapter.h"

#include "lossless-net-device.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/flow-hash.h"
#include "ns3/frame-format.h"
#include "ns3/ipv4-header.h"
#include "ns3/link-time.h"
#include "ns3/node.h"
#include "ns3/queue-item.h"
#include "ns3/socket.h"
#include "ns3/vlan-tag-header.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;

/**
 * @param packet IPv4
 * @returns its ECN bits
 */
CodePoint
PeekCodePoint(Ptr<const Packet> packet)
{
    Ipv4Header header;
    packet->PeekHeader(header);
    return static_cast<CodePoint>(header.GetEcn());
}

/**
 * @param packet IPv4
 * @param header its header
 * @returns the ports of TCP or UDP, which all packets of a flow share and so keep to one path; the
 * protocol's number for other packets and for fragments, most of which have no ports
 */
uint32_t
FlowEntropy(Ptr<const Packet> packet, const Ipv4Header& header)
{
    constexpr uint8_t TCP = 6;
    constexpr uint8_t UDP = 17;
    const uint8_t protocol = header.GetProtocol();
    const uint32_t offset = header.GetSerializedSize();
    const bool fragment = header.GetFragmentOffset() != 0 || !header.IsLastFragment();
    uint8_t bytes[64]; // an IPv4 header has at most 60, and 4 for the ports
    if ((protocol != TCP && protocol != UDP) || fragment ||
        packet->CopyData(bytes, offset + 4) < offset + 4)
    {
        return protocol;
    }
    const uint8_t* ports = bytes + offset;
    return uint32_t(ports[0]) << 24 | ports[1] << 16 | ports[2] << 8 | ports[3];
}

/// Writes marks that the frame collected into the IPv4 header of the packet it carries.
void
WriteCodePoint(Ptr<Packet> packet, CodePoint code)
{
    if (PeekCodePoint(packet) == code)
    {
        return;
    }
    Ipv4Header header;
    packet->RemoveHeader(header);
    header.SetEcn(static_cast<Ipv4Header::EcnType>(code));
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    packet->AddHeader(header);
}

} // namespace

StackAdapter::StackAdapter(LosslessNetDevice& port)
    : m_port(port)
{
}

void
StackAdapter::Dispose()
{
    m_interface = nullptr;
    m_reactionPoint = nullptr;
    m_receive.Nullify();
    m_promiscuous.Nullify();
}

void
StackAdapter::SetQueueInterface(Ptr<NetDeviceQueueInterface> interface)
{
    if (m_interface || !interface)
    {
        return;
    }
    NS_ABORT_MSG_IF(interface->GetNTxQueues() != PRIORITIES,
                    "NetDeviceQueueInterface of a "
                        << m_port.GetInstanceTypeId().GetName().substr(5) << ": NTxQueues "
                        << interface->GetNTxQueues() << ", expected 8, one for each priority");
    m_interface = interface;
    m_interface->SetSelectQueueCallback(
        [this](Ptr<QueueItem> item) { return GetPriority(item->GetPacket()); });
}

void
StackAdapter::SetReactionPoint(Ptr<ReactionPoint> point)
{
    m_reactionPoint = point;
}

bool
StackAdapter::WaitsForLimiter(FramePtr& frame)
{
    const int64_t nowPs = frame->readyPs;
    switch (m_reactionPoint->Offer(frame, true, nowPs))
    {
    case ReactionPoint::WAITS:
        m_port.NotifyReady(m_reactionPoint->GetNextReadyPs(ALL_LANES), nowPs);
        return true;
    case ReactionPoint::FULL:
        m_port.Drop(std::move(frame), LosslessNetDevice::QUEUE_FULL);
        return false;
    case ReactionPoint::PASSES:
        break;
    }
    return false;
}

void
StackAdapter::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
StackAdapter::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscuous = cb;
}

void
StackAdapter::SetDefaultPriority(uint8_t priority)
{
    m_defaultPriority = priority;
}

uint8_t
StackAdapter::GetDefaultPriority() const
{
    return m_defaultPriority;
}

void
StackAdapter::SetQueueBytes(uint32_t bytes)
{
    m_queueBytes = bytes;
}

uint32_t
StackAdapter::GetQueueBytes() const
{
    return m_queueBytes;
}

uint8_t
StackAdapter::GetPriority(Ptr<const Packet> packet) const
{
    SocketPriorityTag tag;
    return packet->PeekPacketTag(tag) ? tag.GetPriority() & 7 : m_defaultPriority;
}

bool
StackAdapter::IsFull(uint32_t waiting) const
{
    return waiting + EthernetFrameBytes(m_port.GetMtu(), false) > m_queueBytes;
}

bool
StackAdapter::Send(Ptr<Packet> packet,
                   const Address& source,
                   const Address& dest,
                   uint16_t protocol)
{
    const Mac48Address destination = Mac48Address::ConvertFrom(dest);
    Ipv4Header header;
    const bool ipv4 = protocol == ETHERTYPE_IPV4 && packet->PeekHeader(header) > 0;
    FramePtr frame =
        MakeFrame(packet->GetSize(), protocol, GetPriority(packet), ipv4 ? &header : nullptr);
    if (ipv4)
    {
        frame->hash = HashFlow(header.GetSource().Get(),
                               header.GetDestination().Get(),
                               FlowEntropy(packet, header));
    }
    if (destination.IsGroup())
    {
        frame->destination = BROADCAST_ENDPOINT;
    }
    Mac48Address::ConvertFrom(source).CopyTo(frame->addresses.sourceMac);
    destination.CopyTo(frame->addresses.destinationMac);
    SocketPriorityTag tag;
    packet->RemovePacketTag(tag);
    frame->packet = packet;
    if (!m_port.IsLinkUp())
    {
        m_port.Drop(std::move(frame), LosslessNetDevice::LINK_DOWN);
        return false;
    }
    if (m_reactionPoint)
    {
        const bool waits = WaitsForLimiter(frame);
        if (!frame)
        {
            return waits;
        }
    }
    uint32_t& waiting = m_waiting[frame->priority];
    if (waiting + frame->bytes > m_queueBytes)
    {
        m_port.Drop(std::move(frame), LosslessNetDevice::QUEUE_FULL);
        return false;
    }
    waiting += frame->bytes;
    if (m_interface && IsFull(waiting))
    {
        m_interface->GetTxQueue(frame->priority)->Stop();
    }
    m_port.Enqueue(std::move(frame));
    return true;
}

void
StackAdapter::FrameDequeued(const Frame& frame)
{
    if (frame.ingressPort != NO_INGRESS)
    {
        return; // one that this node forwards
    }
    uint32_t& waiting = m_waiting[frame.priority];
    waiting -= frame.bytes;
    if (m_interface && (waiting == 0 || !IsFull(waiting)))
    {
        m_interface->GetTxQueue(frame.priority)->Wake();
    }
}

void
StackAdapter::Deliver(FramePtr frame)
{
    Ptr<Packet> packet;
    uint16_t etherType = ETHERTYPE_IPV4;
    if (frame->kind == FrameKind::PACKET)
    {
        packet = frame->packet;
        etherType = frame->etherType;
        if (etherType == ETHERTYPE_IPV4)
        {
            WriteCodePoint(packet, frame->codePoint);
        }
    }
    else
    {
        // A RoCEv2 frame at a host without an RDMA engine: IPv4 to the stack, as on a real host.
        packet = ToPacket(*frame);
        EthernetHeader ethernet(false);
        packet->RemoveHeader(ethernet);
        if (frame->tagged)
        {
            VlanTagHeader tag;
            packet->RemoveHeader(tag);
        }
    }
    Mac48Address source;
    Mac48Address destination;
    source.CopyFrom(frame->addresses.sourceMac);
    destination.CopyFrom(frame->addresses.destinationMac);
    NetDevice::PacketType type = NetDevice::PACKET_OTHERHOST;
    if (destination.IsBroadcast())
    {
        type = NetDevice::PACKET_BROADCAST;
    }
    else if (destination.IsGroup())
    {
        type = NetDevice::PACKET_MULTICAST;
    }
    else if (destination == m_port.GetMac())
    {
        type = NetDevice::PACKET_HOST;
    }
    if (m_receive.IsNull() && m_promiscuous.IsNull())
    {
        m_port.Drop(std::move(frame), LosslessNetDevice::UNKNOWN_RECEIVER);
        return;
    }
    Ptr<NetDevice> port(&m_port);
    if (!m_promiscuous.IsNull())
    {
        m_promiscuous(port, packet, etherType, source, destination, type);
    }
    if (type != NetDevice::PACKET_OTHERHOST && !m_receive.IsNull())
    {
        m_receive(port, packet, etherType, source);
    }
}

FramePtr
StackAdapter::MakeFrame(uint32_t packetBytes,
                        uint16_t etherType,
                        uint8_t priority,
                        const Ipv4Header* ipv4)
{
    FramePtr frame = ns3::MakeFrame();
    frame->kind = FrameKind::PACKET;
    frame->bytes = PacketFrameBytes(packetBytes);
    frame->readyPs = NowPs();
    frame->ingressPort = NO_INGRESS;
    frame->etherType = etherType;
    frame->priority = priority;
    if (ipv4)
    {
        frame->codePoint = static_cast<CodePoint>(ipv4->GetEcn());
    }
    return frame;
}

} // namespace ns3

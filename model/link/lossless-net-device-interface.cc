// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// What ns-3 asks of every NetDevice, and a port's attributes and trace sources.

#include "lossless-channel.h"
#include "lossless-net-device.h"

#include "ns3/attribute-text.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LosslessNetDevice);

TypeId
LosslessNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LosslessNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Lossless")
            .AddTraceSource("Enqueue",
                            "A frame joined an egress queue",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_enqueueTrace),
                            "ns3::LosslessNetDevice::FrameTracedCallback")
            .AddTraceSource("Dequeue",
                            "A frame left an egress queue",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_dequeueTrace),
                            "ns3::LosslessNetDevice::FrameTracedCallback")
            .AddTraceSource("Mark",
                            "A detector changed the code point of a frame",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_markTrace),
                            "ns3::LosslessNetDevice::FrameTracedCallback")
            .AddTraceSource("Transmit",
                            "Transmission of a frame, PFC included, began",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_txTrace),
                            "ns3::LosslessNetDevice::FrameTracedCallback")
            .AddTraceSource("FrameReceived",
                            "A frame, PFC included, arrived",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_rxTrace),
                            "ns3::LosslessNetDevice::FrameTracedCallback")
            .AddTraceSource("Drop",
                            "A frame was dropped",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_dropTrace),
                            "ns3::LosslessNetDevice::DropTracedCallback")
            .AddTraceSource("Gate",
                            "A lane was turned OFF (true) or ON by the far end",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_gateTrace),
                            "ns3::LosslessNetDevice::GateTracedCallback")
            .AddTraceSource("Sniffer",
                            "Each frame sent or received, as bytes, without FCS",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "The same: a port sees no frames of others",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

TypeId
LosslessNetDevice::AddPortAttributes(TypeId tid, uint32_t overheadBytes, uint16_t mtu)
{
    return tid
        .AddAttribute(
            "DataRate",
            "Line rate",
            DataRateValue(DataRate("100Gbps")),
            MakeDataRateAccessor(&LosslessNetDevice::SetDataRate, &LosslessNetDevice::GetDataRate),
            MakeDataRateChecker())
        .AddAttribute("InterFrameOverhead",
                      "Preamble, start delimiter and inter-frame gap [B]",
                      UintegerValue(overheadBytes),
                      MakeUintegerAccessor(&LosslessNetDevice::m_overhead),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("Mtu",
                      "Largest packet of the protocol stack [B]",
                      UintegerValue(mtu),
                      MakeUintegerAccessor(&LosslessNetDevice::SetMtu, &LosslessNetDevice::GetMtu),
                      MakeUintegerChecker<uint16_t>())
        .AddAttribute("Scheduler",
                      "Class of the EgressScheduler, of which each port has one of its own",
                      TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT,
                      ObjectFactoryValue(EgressScheduler::GetFactory()),
                      MakeObjectFactoryAccessor(&LosslessNetDevice::SetScheduler),
                      MakeClassChecker<EgressScheduler>(tid.GetName() + "::Scheduler"))
        .AddAttribute("StackPriority",
                      "Priority of the protocol stack's packets that have no SocketPriorityTag",
                      UintegerValue(0),
                      MakeUintegerAccessor(&LosslessNetDevice::SetStackPriority,
                                           &LosslessNetDevice::GetDefaultStackPriority),
                      MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
        .AddAttribute("StackQueueSize",
                      "Bytes of the local protocol stack that may wait in the port, for each "
                      "priority [B]",
                      UintegerValue(100000),
                      MakeUintegerAccessor(&LosslessNetDevice::SetStackQueueBytes,
                                           &LosslessNetDevice::GetStackQueueBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("ReceiveErrorModel",
                      "Drops frames that it calls corrupted",
                      PointerValue(),
                      MakePointerAccessor(&LosslessNetDevice::m_errorModel),
                      MakePointerChecker<ErrorModel>());
}

void
LosslessNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
LosslessNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
LosslessNetDevice::GetChannel() const
{
    return m_channelOwner;
}

void
LosslessNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
LosslessNetDevice::GetAddress() const
{
    return m_address;
}

bool
LosslessNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
LosslessNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
LosslessNetDevice::IsLinkUp() const
{
    return m_channel != nullptr;
}

void
LosslessNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
LosslessNetDevice::IsBroadcast() const
{
    return true;
}

Address
LosslessNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
LosslessNetDevice::IsMulticast() const
{
    return true;
}

Address
LosslessNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
LosslessNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
LosslessNetDevice::IsBridge() const
{
    return false;
}

bool
LosslessNetDevice::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
LosslessNetDevice::GetNode() const
{
    return m_node;
}

void
LosslessNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
LosslessNetDevice::NeedsArp() const
{
    return true;
}

bool
LosslessNetDevice::SupportsSendFrom() const
{
    return true;
}

bool
LosslessNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol)
{
    return SendFrom(packet, m_address, dest, protocol);
}

void
LosslessNetDevice::DeliverToStack(FramePtr frame)
{
    m_stack.Deliver(std::move(frame));
}

bool
LosslessNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocol)
{
    return m_stack.Send(packet, source, dest, protocol);
}

void
LosslessNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_stack.SetReceiveCallback(cb);
}

void
LosslessNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_stack.SetPromiscReceiveCallback(cb);
}

void
LosslessNetDevice::SetStackPriority(uint8_t priority)
{
    m_stack.SetDefaultPriority(priority);
}

uint8_t
LosslessNetDevice::GetDefaultStackPriority() const
{
    return m_stack.GetDefaultPriority();
}

void
LosslessNetDevice::SetStackQueueBytes(uint32_t bytes)
{
    m_stack.SetQueueBytes(bytes);
}

uint32_t
LosslessNetDevice::GetStackQueueBytes() const
{
    return m_stack.GetQueueBytes();
}

} // namespace ns3

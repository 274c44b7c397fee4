// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qbb-net-device.h"

#include "qbb-channel.h"

#include "ns3/abort.h"
#include "ns3/attribute-text.h"
#include "ns3/ethernet-header.h"
#include "ns3/far-time.h"
#include "ns3/flow-hash.h"
#include "ns3/frame-format.h"
#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/quantity.h"
#include "ns3/queue-item.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"
#include "ns3/vlan-tag-header.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDevice");
NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
/// Frame::ingressPort of a packet that this node's own protocol stack sends.
constexpr uint32_t LOCAL_STACK = std::numeric_limits<uint32_t>::max();

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

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Lossless")
            .AddConstructor<QbbNetDevice>()
            .AddAttribute(
                "DataRate",
                "Line rate",
                DataRateValue(DataRate("100Gbps")),
                MakeDataRateAccessor(&QbbNetDevice::SetDataRate, &QbbNetDevice::GetDataRate),
                MakeDataRateChecker())
            .AddAttribute("InterFrameOverhead",
                          "Preamble, start delimiter and inter-frame gap [B]",
                          UintegerValue(20),
                          MakeUintegerAccessor(&QbbNetDevice::m_overhead),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Mtu",
                          "Largest packet of the protocol stack [B]",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&QbbNetDevice::SetMtu, &QbbNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Scheduler",
                          "Class of the EgressScheduler, of which each port has one of its own",
                          TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT,
                          ObjectFactoryValue(EgressScheduler::GetFactory()),
                          MakeObjectFactoryAccessor(&QbbNetDevice::SetScheduler),
                          MakeClassChecker<EgressScheduler>("ns3::QbbNetDevice::Scheduler"))
            .AddAttribute("PauseTime",
                          "Pause time that this port asks for [quanta of 512 bit times]",
                          UintegerValue(0xffff),
                          MakeUintegerAccessor(&QbbNetDevice::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute(
                "RefreshInterval",
                "Interval at which a lasting pause is repeated; zero for half of PauseTime; "
                "longer than PauseTime lets pauses lapse",
                TimeValue(Time(0)),
                MakeTimeAccessor(&QbbNetDevice::m_refreshInterval),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "PfcReactionDelay",
                "From the arrival of a PFC frame to its effect (802.3 Annex 31B sets limits)",
                TimeValue(Time(0)),
                MakeTimeAccessor(&QbbNetDevice::m_reactionDelay),
                MakeTimeChecker(Time(0), NanoSeconds(HORIZON_NS)))
            .AddAttribute("StackPriority",
                          "Priority of the protocol stack's packets that have no SocketPriorityTag",
                          UintegerValue(0),
                          MakeUintegerAccessor(&QbbNetDevice::m_stackPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("StackQueueSize",
                          "Bytes of the local protocol stack that may wait in the port, for each "
                          "priority [B]",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&QbbNetDevice::m_stackQueueBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveErrorModel",
                          "Drops frames that it calls corrupted",
                          PointerValue(),
                          MakePointerAccessor(&QbbNetDevice::m_errorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("Enqueue",
                            "A frame joined an egress queue",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_enqueueTrace),
                            "ns3::QbbNetDevice::FrameTracedCallback")
            .AddTraceSource("Dequeue",
                            "A frame left an egress queue",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_dequeueTrace),
                            "ns3::QbbNetDevice::FrameTracedCallback")
            .AddTraceSource("Mark",
                            "A detector changed the code point of a frame",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_markTrace),
                            "ns3::QbbNetDevice::FrameTracedCallback")
            .AddTraceSource("Transmit",
                            "Transmission of a frame, PFC included, began",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_txTrace),
                            "ns3::QbbNetDevice::FrameTracedCallback")
            .AddTraceSource("FrameReceived",
                            "A frame, PFC included, arrived",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_rxTrace),
                            "ns3::QbbNetDevice::FrameTracedCallback")
            .AddTraceSource("Drop",
                            "A frame was dropped",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_dropTrace),
                            "ns3::QbbNetDevice::DropTracedCallback")
            .AddTraceSource("Gate",
                            "A priority was turned OFF (true) or ON by the far end",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_gateTrace),
                            "ns3::QbbNetDevice::GateTracedCallback")
            .AddTraceSource("Sniffer",
                            "Each frame sent or received, as bytes, without FCS",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "The same: a port sees no frames of others",
                            MakeTraceSourceAccessor(&QbbNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

QbbNetDevice::QbbNetDevice()
    : m_transmitEvent(this),
      m_refreshEvent(this),
      m_expireEvent(this)
{
}

QbbNetDevice::~QbbNetDevice() = default;

void
QbbNetDevice::DoDispose()
{
    m_transmitEvent.Disarm();
    m_refreshEvent.Disarm();
    m_expireEvent.Disarm();
    m_queues.Clear();
    m_sink = nullptr;
    m_source = nullptr;
    m_channel = nullptr;
    m_channelOwner = nullptr;
    m_node = nullptr;
    m_errorModel = nullptr;
    m_queueInterface = nullptr;
    m_receiveCallback.Nullify();
    m_promiscReceiveCallback.Nullify();
    NetDevice::DoDispose();
}

void
QbbNetDevice::NotifyNewAggregate()
{
    if (!m_queueInterface)
    {
        m_queueInterface = GetObject<NetDeviceQueueInterface>();
        if (m_queueInterface)
        {
            NS_ABORT_MSG_IF(m_queueInterface->GetNTxQueues() != PRIORITIES,
                            "NetDeviceQueueInterface of a QbbNetDevice: NTxQueues "
                                << m_queueInterface->GetNTxQueues()
                                << ", expected 8, one for each priority");
            m_queueInterface->SetSelectQueueCallback(
                [this](Ptr<QueueItem> item) { return GetStackPriority(item->GetPacket()); });
        }
    }
    NetDevice::NotifyNewAggregate();
}

void
QbbNetDevice::Attach(Ptr<QbbChannel> channel)
{
    NS_ABORT_MSG_IF(!m_node, "a device must belong to a node before it is attached to a channel");
    m_channelOwner = channel;
    m_channel = PeekPointer(channel);
    m_end = channel->Attach(this);
    m_transmitEvent.SetContext(m_node->GetId());
    m_refreshEvent.SetContext(m_node->GetId());
    m_expireEvent.SetContext(m_node->GetId());
    m_linkChange();
}

Ptr<QbbNetDevice>
QbbNetDevice::GetPeer() const
{
    return m_channel && m_channel->GetNDevices() == 2
               ? DynamicCast<QbbNetDevice>(m_channel->GetDevice(1 - m_end))
               : nullptr;
}

void
QbbNetDevice::SetSink(FrameSink* sink, uint32_t port)
{
    m_sink = sink;
    m_sinkPort = port;
}

void
QbbNetDevice::SetSource(FrameSource* source)
{
    m_source = source;
}

void
QbbNetDevice::SetDetector(uint8_t priority, Ptr<CongestionDetector> detector)
{
    m_queues.SetDetector(priority, detector);
}

void
QbbNetDevice::SetScheduler(ObjectFactory factory)
{
    m_schedulerOwner = EgressScheduler::Make(factory);
    m_scheduler = PeekPointer(m_schedulerOwner);
}

void
QbbNetDevice::StartDetectorTicks()
{
    m_queues.StartTicks(m_node->GetId());
}

Ptr<EgressScheduler>
QbbNetDevice::GetScheduler() const
{
    return m_schedulerOwner;
}

Ptr<CongestionDetector>
QbbNetDevice::GetDetector(uint8_t priority) const
{
    return m_queues.GetDetector(priority);
}

void
QbbNetDevice::Enqueue(FramePtr frame)
{
    const int64_t nowPs = OnEventGrid(frame->readyPs);
    NS_ASSERT_MSG(nowPs == NowPs(), "a frame is enqueued at another time than it is there");
    if (!m_enqueueTrace.IsEmpty())
    {
        m_enqueueTrace(*frame);
    }
    const PrioritySet on = ~m_gate.GetOff();
    if (m_freePs <= nowPs && (on >> frame->priority & 1) && !(m_queues.GetWaiting() & on) &&
        !m_pauseChanged)
    {
        // The line is free and nothing else can use it: no event for the end of this transmission.
        NotifyDequeued(*frame, m_queues.Pass(*frame, nowPs));
        m_scheduler->Sent(frame->priority, frame->bytes + m_overhead);
        Transmit(std::move(frame), nowPs);
        return;
    }
    m_queues.Offer(std::move(frame), nowPs);
    if (m_freePs > nowPs)
    {
        m_transmitEvent.Arm(m_freePs, nowPs);
    }
    else
    {
        TryTransmit(nowPs);
    }
}

void
QbbNetDevice::NotifyReady(int64_t ps, int64_t nowPs)
{
    m_transmitEvent.Arm(std::max(ps, m_freePs), nowPs);
}

void
QbbNetDevice::TryTransmit(int64_t nowPs)
{
    while (m_freePs <= nowPs)
    {
        if (m_pauseChanged)
        {
            TransmitPause(nowPs);
            continue;
        }
        FramePtr frame = Next(nowPs);
        if (!frame)
        {
            break;
        }
        Transmit(std::move(frame), nowPs);
    }
    const PrioritySet on = ~m_gate.GetOff();
    if (m_pauseChanged || (m_queues.GetWaiting() & on))
    {
        m_transmitEvent.Arm(m_freePs, nowPs);
    }
    else if (m_source)
    {
        const int64_t nextPs = m_source->GetNextReadyPs(on);
        if (nextPs != NEVER_PS)
        {
            m_transmitEvent.Arm(std::max(nextPs, m_freePs), nowPs);
        }
    }
}

FramePtr
QbbNetDevice::Next(int64_t nowPs)
{
    const PrioritySet on = ~m_gate.GetOff();
    const PrioritySet waiting = m_queues.GetWaiting() & on;
    const PrioritySet offered = m_source ? m_source->GetReady(nowPs) & on : 0;
    if (!(waiting | offered))
    {
        return nullptr;
    }
    const uint8_t priority = m_scheduler->Select(waiting | offered);
    const PrioritySet bit = 1 << priority;
    FramePtr frame;
    if ((offered & bit) && (m_sourceTurn || !(waiting & bit)))
    {
        m_sourceTurn = false;
        frame = m_source->Pull(priority, m_freePs, nowPs);
    }
    else
    {
        m_sourceTurn = true;
        frame = Take(priority, nowPs);
    }
    m_scheduler->Sent(priority, frame->bytes + m_overhead);
    return frame;
}

FramePtr
QbbNetDevice::Take(uint8_t priority, int64_t nowPs)
{
    bool marked = false;
    FramePtr frame = m_queues.Take(priority, nowPs, marked);
    NotifyDequeued(*frame, marked);
    return frame;
}

void
QbbNetDevice::NotifyDequeued(const Frame& frame, bool marked)
{
    if (marked && !m_markTrace.IsEmpty())
    {
        m_markTrace(frame);
    }
    if (!m_dequeueTrace.IsEmpty())
    {
        m_dequeueTrace(frame);
    }
    if (frame.kind == FrameKind::PACKET && frame.ingressPort == LOCAL_STACK)
    {
        StackDequeued(frame);
    }
}

void
QbbNetDevice::Transmit(FramePtr frame, int64_t nowPs)
{
    const int64_t startPs = TransmissionStartPs(m_freePs, frame->readyPs, nowPs);
    m_freePs = startPs + m_byteTime(frame->bytes + m_overhead);
    m_sentBytes += frame->bytes;
    m_sentFrames++;
    if (!m_txTrace.IsEmpty())
    {
        m_txTrace(*frame);
    }
    Sniff(*frame);
    if (m_sink)
    {
        m_sink->FrameDeparted(*frame);
    }
    m_channel->Send(m_end, std::move(frame), m_freePs, nowPs);
}

void
QbbNetDevice::SendPause(uint8_t priority, bool pause)
{
    const PrioritySet bit = 1 << priority;
    m_pausing = pause ? m_pausing | bit : m_pausing & ~bit;
    m_pauseChanged |= bit;
    TryTransmit(NowPs());
}

void
QbbNetDevice::TransmitPause(int64_t nowPs)
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::PFC;
    frame->bytes = PFC_FRAME_BYTES;
    frame->pause.classes = m_pauseChanged;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        frame->pause.quanta[p] = m_pauseChanged & m_pausing & 1 << p ? m_pauseQuanta : 0;
    }
    m_address.CopyTo(frame->addresses.sourceMac);
    m_pauseChanged = 0;
    if (m_pausing)
    {
        const int64_t intervalPs =
            m_refreshInterval.IsZero() ? QuantaPs(m_pauseQuanta) / 2 : ToPs(m_refreshInterval);
        m_refreshEvent.Arm(nowPs + intervalPs, nowPs);
    }
    m_freePs = TransmissionStartPs(m_freePs, nowPs, nowPs) + m_byteTime(frame->bytes + m_overhead);
    m_sentPauseFrames++;
    if (!m_txTrace.IsEmpty())
    {
        m_txTrace(*frame);
    }
    Sniff(*frame);
    m_channel->Send(m_end, std::move(frame), m_freePs, nowPs);
}

void
QbbNetDevice::Refresh(int64_t nowPs)
{
    if (m_pausing)
    {
        m_pauseChanged |= m_pausing;
        TryTransmit(nowPs);
    }
}

void
QbbNetDevice::Receive(FramePtr frame)
{
    if (!m_rxTrace.IsEmpty())
    {
        m_rxTrace(*frame);
    }
    Sniff(*frame);
    if (m_errorModel && m_errorModel->IsCorrupt(ToPacket(*frame)))
    {
        Drop(std::move(frame), CORRUPTED);
        return;
    }
    if (frame->kind == FrameKind::PFC)
    {
        if (m_reactionDelay.IsZero())
        {
            ApplyPause(frame->pause);
        }
        else
        {
            Simulator::Schedule(m_reactionDelay, &QbbNetDevice::ApplyPause, this, frame->pause);
        }
        return;
    }
    if (m_sink)
    {
        m_sink->FrameArrived(m_sinkPort, std::move(frame));
    }
    else
    {
        DeliverToStack(std::move(frame));
    }
}

void
QbbNetDevice::ApplyPause(Frame::Pause pause)
{
    const int64_t nowPs = NowPs();
    bool resumed = false;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (pause.classes >> p & 1 && m_gate.Set(p, nowPs + QuantaPs(pause.quanta[p]), nowPs))
        {
            NotifyGate(p, pause.quanta[p] != 0);
            resumed |= pause.quanta[p] == 0;
        }
    }
    const int64_t expiryPs = m_gate.GetNextExpiryPs();
    if (expiryPs != NEVER_PS)
    {
        m_expireEvent.Arm(expiryPs, nowPs);
    }
    if (resumed)
    {
        TryTransmit(nowPs);
    }
}

void
QbbNetDevice::Expire(int64_t nowPs)
{
    const PrioritySet expired = m_gate.GetExpired(nowPs);
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (expired >> p & 1)
        {
            m_gate.Set(p, nowPs, nowPs);
            NotifyGate(p, false);
        }
    }
    const int64_t nextPs = m_gate.GetNextExpiryPs();
    if (nextPs != NEVER_PS)
    {
        m_expireEvent.Arm(nextPs, nowPs);
    }
    if (expired)
    {
        TryTransmit(nowPs);
    }
}

void
QbbNetDevice::OverridePause(uint8_t priority, bool off)
{
    m_forced |= off ? 0 : 1 << priority;
    if (m_gate.Override(priority, off))
    {
        NotifyGate(priority, off);
    }
    TryTransmit(NowPs());
}

void
QbbNetDevice::FollowPause(uint8_t priority)
{
    const int64_t nowPs = NowPs();
    if (m_gate.Follow(priority, nowPs))
    {
        NotifyGate(priority, m_gate.GetOff() >> priority & 1);
    }
    const int64_t expiryPs = m_gate.GetNextExpiryPs();
    if (expiryPs != NEVER_PS)
    {
        m_expireEvent.Arm(expiryPs, nowPs);
    }
    TryTransmit(nowPs);
}

int64_t
QbbNetDevice::GetPausedUntilPs(uint8_t priority) const
{
    return m_gate.GetUntilPs(priority);
}

PrioritySet
QbbNetDevice::GetForced() const
{
    return m_forced;
}

uint64_t
QbbNetDevice::Discard(uint8_t priority)
{
    const int64_t nowPs = NowPs();
    uint64_t frames = 0;
    for (; m_queues.GetWaiting() >> priority & 1; frames++)
    {
        FramePtr frame = Take(priority, nowPs);
        if (m_sink)
        {
            m_sink->FrameDeparted(*frame);
        }
        Drop(std::move(frame), WATCHDOG);
    }
    return frames;
}

void
QbbNetDevice::NotifyGate(uint8_t priority, bool off)
{
    m_queues.NotifyGate(priority, off, Simulator::Now());
    m_gateTrace(priority, off);
}

int64_t
QbbNetDevice::QuantaPs(uint16_t quanta) const
{
    return m_byteTime(quanta * uint32_t(512 / 8));
}

void
QbbNetDevice::Sniff(const Frame& frame) const
{
    if (!m_snifferTrace.IsEmpty() || !m_promiscSnifferTrace.IsEmpty())
    {
        Ptr<const Packet> packet = ToPacket(frame);
        m_snifferTrace(packet);
        m_promiscSnifferTrace(packet);
    }
}

void
QbbNetDevice::Drop(FramePtr frame, DropReason reason)
{
    NS_LOG_INFO("node " << m_node->GetId() << " port " << m_ifIndex << " drops a frame of priority "
                        << +frame->priority << ", reason " << reason);
    m_dropTrace(*frame, reason);
}

void
QbbNetDevice::DeliverToStack(FramePtr frame)
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
    PacketType type = PACKET_OTHERHOST;
    if (destination.IsBroadcast())
    {
        type = PACKET_BROADCAST;
    }
    else if (destination.IsGroup())
    {
        type = PACKET_MULTICAST;
    }
    else if (destination == m_address)
    {
        type = PACKET_HOST;
    }
    if (m_receiveCallback.IsNull() && m_promiscReceiveCallback.IsNull())
    {
        Drop(std::move(frame), UNKNOWN_RECEIVER);
        return;
    }
    if (!m_promiscReceiveCallback.IsNull())
    {
        m_promiscReceiveCallback(this, packet, etherType, source, destination, type);
    }
    if (type != PACKET_OTHERHOST && !m_receiveCallback.IsNull())
    {
        m_receiveCallback(this, packet, etherType, source);
    }
}

bool
QbbNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol)
{
    return SendFrom(packet, m_address, dest, protocol);
}

bool
QbbNetDevice::SendFrom(Ptr<Packet> packet,
                       const Address& source,
                       const Address& dest,
                       uint16_t protocol)
{
    const Mac48Address destination = Mac48Address::ConvertFrom(dest);
    Ipv4Header header;
    const bool ipv4 = protocol == ETHERTYPE_IPV4 && packet->PeekHeader(header) > 0;
    FramePtr frame = MakeStackFrame(packet->GetSize(),
                                    protocol,
                                    GetStackPriority(packet),
                                    ipv4 ? &header : nullptr);
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
    if (!m_channel)
    {
        Drop(std::move(frame), LINK_DOWN);
        return false;
    }
    uint32_t& waiting = m_stackBytes[frame->priority];
    if (waiting + frame->bytes > m_stackQueueBytes)
    {
        Drop(std::move(frame), QUEUE_FULL);
        return false;
    }
    waiting += frame->bytes;
    if (m_queueInterface && waiting + EthernetFrameBytes(m_mtu, false) > m_stackQueueBytes)
    {
        m_queueInterface->GetTxQueue(frame->priority)->Stop();
    }
    Enqueue(std::move(frame));
    return true;
}

void
QbbNetDevice::StackDequeued(const Frame& frame)
{
    uint32_t& waiting = m_stackBytes[frame.priority];
    waiting -= frame.bytes;
    if (m_queueInterface &&
        (waiting == 0 || waiting + EthernetFrameBytes(m_mtu, false) <= m_stackQueueBytes))
    {
        m_queueInterface->GetTxQueue(frame.priority)->Wake();
    }
}

uint8_t
QbbNetDevice::GetStackPriority(Ptr<const Packet> packet) const
{
    SocketPriorityTag tag;
    return packet->PeekPacketTag(tag) ? tag.GetPriority() & 7 : m_stackPriority;
}

FramePtr
QbbNetDevice::MakeStackFrame(uint32_t packetBytes,
                             uint16_t etherType,
                             uint8_t priority,
                             const Ipv4Header* ipv4)
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::PACKET;
    frame->bytes = PacketFrameBytes(packetBytes);
    frame->readyPs = NowPs();
    frame->ingressPort = LOCAL_STACK;
    frame->etherType = etherType;
    frame->priority = priority;
    if (ipv4)
    {
        frame->codePoint = static_cast<CodePoint>(ipv4->GetEcn());
    }
    return frame;
}

DataRate
QbbNetDevice::GetDataRate() const
{
    return m_rate;
}

void
QbbNetDevice::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0, "DataRate 0 of a QbbNetDevice, expected more");
    m_rate = rate;
    m_byteTime = ByteTime(rate.GetBitRate());
}

Time
QbbNetDevice::GetPauseTime() const
{
    return NanoSeconds(OnEventGrid(QuantaPs(m_pauseQuanta)) / 1000);
}

uint32_t
QbbNetDevice::GetInterFrameOverhead() const
{
    return m_overhead;
}

Time
QbbNetDevice::GetPfcReactionDelay() const
{
    return m_reactionDelay;
}

int64_t
QbbNetDevice::GetByteTimePs(uint32_t bytes) const
{
    return m_byteTime(bytes);
}

QueueState
QbbNetDevice::GetQueueState(uint8_t priority) const
{
    return m_queues.GetState(priority);
}

const FrameQueue&
QbbNetDevice::GetFrames(uint8_t priority) const
{
    return m_queues.GetFrames(priority);
}

PrioritySet
QbbNetDevice::GetWaiting() const
{
    return m_queues.GetWaiting();
}

PrioritySet
QbbNetDevice::GetOff() const
{
    return m_gate.GetOff();
}

uint64_t
QbbNetDevice::GetSentBytes() const
{
    return m_sentBytes;
}

uint64_t
QbbNetDevice::GetSentFrames() const
{
    return m_sentFrames;
}

uint64_t
QbbNetDevice::GetSentPauseFrames() const
{
    return m_sentPauseFrames;
}

int64_t
QbbNetDevice::AssignStreams(int64_t stream)
{
    return m_queues.AssignStreams(stream);
}

void
QbbNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
QbbNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
QbbNetDevice::GetChannel() const
{
    return m_channelOwner;
}

void
QbbNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
QbbNetDevice::GetAddress() const
{
    return m_address;
}

bool
QbbNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
QbbNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
QbbNetDevice::IsLinkUp() const
{
    return m_channel != nullptr;
}

void
QbbNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
QbbNetDevice::IsBroadcast() const
{
    return true;
}

Address
QbbNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
QbbNetDevice::IsMulticast() const
{
    return true;
}

Address
QbbNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
QbbNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
QbbNetDevice::IsBridge() const
{
    return false;
}

bool
QbbNetDevice::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
QbbNetDevice::GetNode() const
{
    return m_node;
}

void
QbbNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
QbbNetDevice::NeedsArp() const
{
    return true;
}

void
QbbNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_receiveCallback = cb;
}

void
QbbNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscReceiveCallback = cb;
}

bool
QbbNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3

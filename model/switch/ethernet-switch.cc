// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ethernet-switch.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/flow-hash.h"
#include "ns3/frame-format.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/lossless-compat.h"
#include "ns3/qbb-channel.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("EthernetSwitch");
NS_OBJECT_ENSURE_REGISTERED(EthernetSwitch);

uint64_t
MacNumber(const uint8_t mac[6])
{
    uint64_t number = 0;
    for (int i = 0; i < 6; i++)
    {
        number = number << 8 | mac[i];
    }
    return number;
}

TypeId
EthernetSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EthernetSwitch")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<EthernetSwitch>()
            .AddAttribute("BufferSize",
                          "Whole packet buffer, headroom included; 0 for just enough with a static "
                          "threshold [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EthernetSwitch::m_bufferSize),
                          MakeUintegerChecker<uint64_t>(0, MAXIMUM_BUFFER_BYTES))
            .AddAttribute("LosslessPriorities",
                          "Priorities under PFC, bit n for priority n",
                          UintegerValue(1 << 3),
                          MakeUintegerAccessor(&EthernetSwitch::m_lossless),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("Threshold",
                          "How Xoff is found",
                          EnumValue(STATIC),
                          LOSSLESS_ENUM_ACCESSOR(ThresholdMode, &EthernetSwitch::m_mode),
                          MakeEnumChecker(STATIC, "Static", DYNAMIC, "Dynamic"))
            .AddAttribute(
                "Xoff",
                "Static: an ingress (port, priority) that holds more asks for a pause [B]",
                UintegerValue(320000),
                MakeUintegerAccessor(&EthernetSwitch::m_xoff),
                MakeUintegerChecker<uint64_t>(0, MAXIMUM_BUFFER_BYTES))
            .AddAttribute("Xon",
                          "Static: and resumes when it holds no more than this [B]",
                          UintegerValue(318000),
                          MakeUintegerAccessor(&EthernetSwitch::m_xon),
                          MakeUintegerChecker<uint64_t>(0, MAXIMUM_BUFFER_BYTES))
            .AddAttribute("Alpha",
                          "Dynamic: Xoff as a share of the free shared buffer",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&EthernetSwitch::m_alpha),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("XonOffset",
                          "Dynamic: Xon is Xoff less this [B]",
                          UintegerValue(2000),
                          MakeUintegerAccessor(&EthernetSwitch::m_xonOffset),
                          MakeUintegerChecker<uint64_t>(0, MAXIMUM_BUFFER_BYTES))
            .AddAttribute("Headroom",
                          "Of each lossless (port, priority); 0 computes it from the link [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EthernetSwitch::m_headroom),
                          MakeUintegerChecker<uint64_t>(0, MAXIMUM_BUFFER_BYTES))
            .AddAttribute("MaxFrameSize",
                          "Largest frame of any priority, for headroom, without preamble and gap; "
                          "the ports' Mtu may ask for more [B]",
                          UintegerValue(1518),
                          MakeUintegerAccessor(&EthernetSwitch::m_maxFrame),
                          MakeUintegerChecker<uint32_t>(MINIMUM_FRAME_BYTES))
            .AddAttribute("DataMtu",
                          "User bytes of a full RDMA frame, for detectors; 0 for unknown [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EthernetSwitch::m_dataMtu),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BaseRtt",
                          "Largest round-trip time between two hosts without queueing, for "
                          "detectors; 0 for unknown",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&EthernetSwitch::m_baseRtt),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ControlPriority",
                          "Priority of the notifications that the switch sends",
                          UintegerValue(6),
                          MakeUintegerAccessor(&EthernetSwitch::m_controlPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("EndOnLosslessDrop",
                          "End the run with the reason when a lossless priority would lose a frame",
                          BooleanValue(true),
                          MakeBooleanAccessor(&EthernetSwitch::m_endOnLoss),
                          MakeBooleanChecker())
            .AddAttribute(
                "WatchdogDetection",
                "PFC watchdog: acts on a priority of a port that has been OFF for so "
                "long without interruption, with a frame that waits; zero for no watchdog",
                TimeValue(Time(0)),
                MakeTimeAccessor(&EthernetSwitch::m_watchdogDetection),
                MakeTimeChecker(Time(0)))
            .AddAttribute("WatchdogRestoration",
                          "PFC watchdog: acts until the far end has asked for no pause for so "
                          "long; zero for as long as WatchdogDetection",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&EthernetSwitch::m_watchdogRestoration),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "WatchdogAction",
                "PFC watchdog: Drop discards what waits in the egress queue and what "
                "comes, Forward sends in spite of the pause",
                EnumValue(PauseWatchdog::DROP),
                LOSSLESS_ENUM_ACCESSOR(PauseWatchdog::Action, &EthernetSwitch::m_watchdogAction),
                MakeEnumChecker(PauseWatchdog::DROP, "Drop", PauseWatchdog::FORWARD, "Forward"))
            .AddTraceSource("Watchdog",
                            "The PFC watchdog of a port begins (true) or ends to act",
                            MakeTraceSourceAccessor(&EthernetSwitch::m_watchdogTrace),
                            "ns3::EthernetSwitch::WatchdogTracedCallback");
    return tid;
}

EthernetSwitch::EthernetSwitch()
    : m_groups(1)
{
}

EthernetSwitch::~EthernetSwitch() = default;

void
EthernetSwitch::NotifyNewAggregate()
{
    if (!m_node)
    {
        m_node = GetObject<Node>();
        m_nodeId = m_node ? m_node->GetId() : 0;
    }
    Object::NotifyNewAggregate();
}

void
EthernetSwitch::DoInitialize()
{
    ConfigureBuffer();
    for (uint32_t port = 0; port < m_ports.size(); port++)
    {
        AttachDetectors(port);
    }
    StartWatchdogs();
    Object::DoInitialize();
}

void
EthernetSwitch::DoDispose()
{
    m_watchdogs.clear();
    m_ports.clear();
    m_node = nullptr;
    m_addresses.reset();
    Object::DoDispose();
}

void
EthernetSwitch::AddPort(Ptr<QbbNetDevice> device)
{
    device->SetSink(this, m_ports.size());
    m_ports.push_back(PeekPointer(device));
    m_pausedFor.emplace_back();
}

uint32_t
EthernetSwitch::GetNPorts() const
{
    return m_ports.size();
}

Ptr<QbbNetDevice>
EthernetSwitch::GetPort(uint32_t port) const
{
    return m_ports.at(port);
}

void
EthernetSwitch::SetRoute(uint32_t destination, const std::vector<uint32_t>& ports)
{
    if (destination >= m_groupOf.size())
    {
        m_groupOf.resize(destination + 1, 0);
    }
    // Destinations behind the same ports share one group, so the tables of a large fabric stay
    // small.
    for (uint32_t g = 0; g < m_groups.size(); g++)
    {
        const Group& group = m_groups[g];
        if (group.count == ports.size() &&
            std::equal(ports.begin(), ports.end(), m_choices.begin() + group.first))
        {
            m_groupOf[destination] = g;
            return;
        }
    }
    m_groupOf[destination] = m_groups.size();
    m_groups.push_back(
        {static_cast<uint32_t>(m_choices.size()), static_cast<uint32_t>(ports.size())});
    m_choices.insert(m_choices.end(), ports.begin(), ports.end());
}

uint32_t
EthernetSwitch::Route(uint32_t destination, uint32_t hash) const
{
    if (destination >= m_groupOf.size())
    {
        return m_ports.size();
    }
    const Group group = m_groups[m_groupOf[destination]];
    if (group.count <= 1)
    {
        return group.count ? m_choices[group.first] : m_ports.size();
    }
    return m_choices[group.first + ChooseByHash(hash, m_nodeId, group.count)];
}

std::vector<uint32_t>
EthernetSwitch::GetRoutes(uint32_t destination) const
{
    const Group group = destination < m_groupOf.size() ? m_groups[m_groupOf[destination]] : Group();
    const auto first = m_choices.begin() + group.first;
    return {first, first + group.count};
}

void
EthernetSwitch::SetAddressTable(std::shared_ptr<const AddressTable> table,
                                std::vector<bool> floodPorts)
{
    m_addresses = std::move(table);
    m_floodPorts = std::move(floodPorts);
}

void
EthernetSwitch::ConfigureBuffer()
{
    if (m_configured)
    {
        return;
    }
    m_configured = true;
    if (m_watchdogDetection.IsZero() &&
        (!m_watchdogRestoration.IsZero() || m_watchdogAction != PauseWatchdog::DROP))
    {
        throw InputError("ns3::EthernetSwitch::WatchdogDetection",
                         "0 with another watchdog attribute",
                         "a time above 0, which turns the watchdog on");
    }
    IngressBuffer::Config config;
    config.bufferBytes = m_bufferSize;
    config.lossless = m_lossless;
    config.dynamic = m_mode == DYNAMIC;
    config.alpha = m_alpha;
    config.xoffBytes = m_xoff;
    config.xonBytes = m_xon;
    config.xonOffsetBytes = m_xonOffset;
    for (uint32_t port = 0; port < m_ports.size(); port++)
    {
        const QbbNetDevice* device = m_ports[port];
        const uint32_t overhead = device->GetInterFrameOverhead();
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
        Ptr<QbbNetDevice> peer = device->GetPeer();
        // A frame of any priority, the protocol stack's too, delays the pause that it precedes.
        const uint16_t stackMtu = std::max(device->GetMtu(), peer ? peer->GetMtu() : uint16_t(0));
        const uint32_t largest = std::max(m_maxFrame, EthernetFrameBytes(stackMtu, false));
        const uint64_t needed = RequiredHeadroom(device->GetDataRate().GetBitRate(),
                                                 channel ? ToPs(channel->GetDelay()) : 0,
                                                 peer ? ToPs(peer->GetPfcReactionDelay()) : 0,
                                                 largest + overhead,
                                                 PFC_FRAME_BYTES + overhead);
        if (needed > MAXIMUM_BUFFER_BYTES)
        {
            throw InputError("switch " + std::to_string(m_nodeId) + " port " + std::to_string(port),
                             "a link of " + RateText(device->GetDataRate().GetBitRate()) + " and " +
                                 TimeText(channel ? channel->GetDelay().GetNanoSeconds() : 0),
                             "one whose headroom is at most " +
                                 std::to_string(MAXIMUM_BUFFER_BYTES) + " B");
        }
        if (m_headroom != 0 && m_headroom < needed)
        {
            throw InputError("switch " + std::to_string(m_nodeId) + " port " + std::to_string(port),
                             "a headroom of " + std::to_string(m_headroom) + " B",
                             "at least " + std::to_string(needed) + " B for its link of " +
                                 RateText(device->GetDataRate().GetBitRate()) + " and " +
                                 TimeText(channel ? channel->GetDelay().GetNanoSeconds() : 0));
        }
        config.headroomBytes.push_back(m_headroom ? m_headroom : needed);
    }
    const std::string why = m_buffer.Configure(config);
    if (!why.empty())
    {
        throw InputError("switch " + std::to_string(m_nodeId),
                         "settings that do not fit (" + why + ")",
                         "thresholds and headroom within the buffer");
    }
}

const IngressBuffer&
EthernetSwitch::GetBuffer() const
{
    return m_buffer;
}

uint64_t
EthernetSwitch::GetDrops() const
{
    uint64_t drops = m_drops;
    for (const auto& watchdog : m_watchdogs)
    {
        drops += watchdog->GetDrops();
    }
    return drops;
}

Time
EthernetSwitch::GetWatchdogDetection() const
{
    return m_watchdogDetection;
}

uint64_t
EthernetSwitch::GetWatchdogDetections() const
{
    uint64_t detections = 0;
    for (const auto& watchdog : m_watchdogs)
    {
        detections += watchdog->GetDetections();
    }
    return detections;
}

void
EthernetSwitch::StartWatchdogs()
{
    if (m_watchdogDetection.IsZero())
    {
        return;
    }
    PauseWatchdog::Config config;
    config.detection = m_watchdogDetection;
    config.restoration =
        m_watchdogRestoration.IsZero() ? m_watchdogDetection : m_watchdogRestoration;
    config.action = m_watchdogAction;
    config.priorities = m_lossless;
    for (uint32_t port = 0; port < m_ports.size(); port++)
    {
        m_watchdogs.push_back(std::make_unique<PauseWatchdog>(
            Ptr<QbbNetDevice>(m_ports[port]),
            config,
            [this, port](uint8_t priority, bool acts) { m_watchdogTrace(port, priority, acts); }));
    }
}

uint64_t
EthernetSwitch::GetXoff() const
{
    return m_mode == STATIC ? m_xoff : 0;
}

uint64_t
EthernetSwitch::GetXon() const
{
    return m_mode == STATIC ? m_xon : 0;
}

void
EthernetSwitch::FrameArrived(uint32_t port, FramePtr frame)
{
    if (frame->destination == UNKNOWN_ENDPOINT && m_addresses)
    {
        const auto found = m_addresses->find(MacNumber(frame->addresses.destinationMac));
        frame->destination = found == m_addresses->end() ? UNKNOWN_ENDPOINT : found->second;
    }
    if (frame->destination == BROADCAST_ENDPOINT)
    {
        Flood(port, std::move(frame));
        return;
    }
    const uint32_t out = Route(frame->destination, frame->hash);
    if (out == m_ports.size())
    {
        m_drops++;
        m_ports[port]->Drop(std::move(frame), QbbNetDevice::NO_ROUTE);
        return;
    }
    Forward(port, out, std::move(frame));
}

void
EthernetSwitch::Forward(uint32_t port, uint32_t out, FramePtr frame)
{
    const IngressBuffer::Verdict verdict = m_buffer.Admit(port, frame->priority, frame->bytes);
    if (verdict == IngressBuffer::Verdict::REFUSED)
    {
        Refuse(port, std::move(frame));
        return;
    }
    if (verdict == IngressBuffer::Verdict::XOFF)
    {
        m_ports[port]->SendPause(frame->priority, true);
        m_pausedFor[port][frame->priority] = out;
        if (Ptr<CongestionDetector> detector = m_ports[out]->GetDetector(frame->priority))
        {
            detector->OnUpstreamPause(Simulator::Now());
        }
    }
    frame->ingressPort = port;
    m_ports[out]->Enqueue(std::move(frame));
}

void
EthernetSwitch::FrameDeparted(const Frame& frame)
{
    if (frame.ingressPort < m_ports.size() &&
        m_buffer.Release(frame.ingressPort, frame.priority, frame.bytes) ==
            IngressBuffer::Verdict::XON)
    {
        m_ports[frame.ingressPort]->SendPause(frame.priority, false);
        const uint32_t out = m_pausedFor[frame.ingressPort][frame.priority];
        if (Ptr<CongestionDetector> detector = m_ports[out]->GetDetector(frame.priority))
        {
            detector->OnUpstreamResume(Simulator::Now());
        }
    }
}

void
EthernetSwitch::Refuse(uint32_t port, FramePtr frame)
{
    m_drops++;
    const uint8_t priority = frame->priority;
    const uint32_t bytes = frame->bytes;
    QbbNetDevice* device = m_ports[port];
    Ptr<QbbNetDevice> peer = device->GetPeer();
    const bool forced = peer && (peer->GetForced() >> priority & 1);
    device->Drop(std::move(frame), forced ? QbbNetDevice::WATCHDOG : QbbNetDevice::BUFFER_FULL);
    if (m_endOnLoss && !forced && (m_lossless >> priority & 1))
    {
        std::ostringstream message;
        message << "switch " << m_nodeId << " port " << port << " would lose a frame of " << bytes
                << " B in lossless priority " << +priority << " at "
                << Simulator::Now().As(Time::US) << ": headroom of "
                << m_buffer.GetHeadroomBytes(port, priority) << " B holds "
                << m_buffer.GetHeadroomUsedBytes(port, priority) << " B, buffer of "
                << m_buffer.GetBufferBytes() << " B holds " << m_buffer.GetUsedBytes() << " B";
        throw std::runtime_error(message.str());
    }
}

void
EthernetSwitch::Flood(uint32_t port, FramePtr frame)
{
    for (uint32_t out = 0; out < m_ports.size(); out++)
    {
        if (out != port && out < m_floodPorts.size() && m_floodPorts[out])
        {
            Forward(port, out, CopyFrame(*frame));
        }
    }
}

void
EthernetSwitch::AttachDetectors(uint32_t port)
{
    QbbNetDevice* device = m_ports[port];
    Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
    DetectorContext context;
    context.node = m_nodeId;
    context.port = port;
    context.rateBps = device->GetDataRate().GetBitRate();
    context.overheadBytes = device->GetInterFrameOverhead();
    context.frameBytes = m_maxFrame + context.overheadBytes;
    context.mtuBytes = m_dataMtu;
    context.ownXoffBytes = GetXoff();
    context.baseRtt = m_baseRtt;
    if (channel)
    {
        context.delay = channel->GetDelay();
        Ptr<Node> far = device->GetPeer()->GetNode();
        if (Ptr<EthernetSwitch> downstream = far->GetObject<EthernetSwitch>())
        {
            context.xoffBytes = downstream->GetXoff();
            context.xonBytes = downstream->GetXon();
        }
    }
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (Ptr<CongestionDetector> detector = device->GetDetector(p))
        {
            context.priority = p;
            detector->Attach(context);
            detector->SetNotify(MakeCallback(&EthernetSwitch::NotifySource, this));
        }
    }
    device->StartDetectorTicks();
}

void
EthernetSwitch::NotifySource(const Frame& frame, const Notification& notification)
{
    const uint32_t out = Route(frame.source, frame.hash);
    if (frame.kind != FrameKind::DATA || out == m_ports.size())
    {
        return;
    }
    FramePtr cnp = MakeFrame();
    cnp->kind = FrameKind::NOTIFICATION;
    cnp->bytes = CnpFrameBytes(frame.tagged);
    cnp->tagged = frame.tagged;
    cnp->priority = m_controlPriority;
    cnp->readyPs = NowPs();
    cnp->source = frame.destination;
    cnp->destination = frame.source;
    cnp->hash = frame.hash;
    cnp->queuePair = frame.sourceQueuePair;
    cnp->flow = frame.flow;
    cnp->notification = notification;
    cnp->ingressPort = m_ports.size();
    cnp->addresses = frame.addresses;
    std::swap(cnp->addresses.sourceIp, cnp->addresses.destinationIp);
    std::swap(cnp->addresses.sourceMac, cnp->addresses.destinationMac);
    m_ports[out]->Enqueue(std::move(cnp));
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ethernet-switch.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/frame-format.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/lossless-compat.h"
#include "ns3/qbb-net-device.h"
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

TypeId
EthernetSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EthernetSwitch")
            .SetParent<LosslessSwitch>()
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

EthernetSwitch::EthernetSwitch() = default;
EthernetSwitch::~EthernetSwitch() = default;

void
EthernetSwitch::DoInitialize()
{
    LosslessSwitch::DoInitialize();
    StartWatchdogs();
}

void
EthernetSwitch::DoDispose()
{
    m_watchdogs.clear();
    LosslessSwitch::DoDispose();
}

void
EthernetSwitch::DoConfigure()
{
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
        config.headroomBytes.push_back(GetHeadroom(port));
    }
    const std::string why = m_buffer.Configure(config);
    if (!why.empty())
    {
        throw InputError("switch " + std::to_string(GetNodeId()),
                         "settings that do not fit (" + why + ")",
                         "thresholds and headroom within the buffer");
    }
}

uint64_t
EthernetSwitch::GetHeadroom(uint32_t port) const
{
    const LosslessNetDevice* device = m_ports[port];
    const uint32_t overhead = device->GetInterFrameOverhead();
    const uint64_t rateBps = device->GetDataRate().GetBitRate();
    Ptr<LosslessNetDevice> peer = device->GetPeer();
    // A frame of any priority, the protocol stack's too, delays the pause that it precedes.
    const uint16_t stackMtu = std::max(device->GetMtu(), peer ? peer->GetMtu() : uint16_t(0));
    const uint32_t largest =
        std::max(GetLargestFrame(), EthernetFrameBytes(stackMtu, false) + GetTraffic().tagBytes);
    const uint64_t needed =
        RequiredHeadroom(rateBps,
                         ToPs(device->GetDelay()),
                         peer ? ToPs(peer->GetFlowControl().GetReactionDelay()) : 0,
                         largest + overhead,
                         PFC_FRAME_BYTES + overhead);
    const std::string place =
        "switch " + std::to_string(GetNodeId()) + " port " + std::to_string(port);
    const std::string link =
        "link of " + RateText(rateBps) + " and " + TimeText(device->GetDelay().GetNanoSeconds());
    if (needed > MAXIMUM_BUFFER_BYTES)
    {
        throw InputError(place,
                         "a " + link,
                         "one whose headroom is at most " + std::to_string(MAXIMUM_BUFFER_BYTES) +
                             " B");
    }
    if (m_headroom != 0 && m_headroom < needed)
    {
        throw InputError(place,
                         "a headroom of " + std::to_string(m_headroom) + " B",
                         "at least " + std::to_string(needed) + " B for its " + link);
    }
    return m_headroom ? m_headroom : needed;
}

uint32_t
EthernetSwitch::GetLargestFrame() const
{
    return std::max(m_maxFrame, GetTraffic().dataFrameBytes) + GetTraffic().tagBytes;
}

std::vector<Ptr<EthernetSwitch>>
EthernetSwitch::Among(const std::vector<Ptr<LosslessSwitch>>& switches)
{
    std::vector<Ptr<EthernetSwitch>> found;
    for (const auto& sw : switches)
    {
        if (Ptr<EthernetSwitch> ethernet = DynamicCast<EthernetSwitch>(sw))
        {
            found.push_back(ethernet);
        }
    }
    return found;
}

uint64_t
EthernetSwitch::GetUsedBytes() const
{
    return m_buffer.GetUsedBytes();
}

std::vector<std::pair<std::string, std::string>>
EthernetSwitch::GetSettings() const
{
    return {{"threshold", m_mode == STATIC ? "Static" : "Dynamic"},
            {"buffer", std::to_string(m_buffer.GetBufferBytes())},
            {"xoff", std::to_string(GetXoff())},
            {"xon", std::to_string(GetXon())}};
}

const IngressBuffer&
EthernetSwitch::GetBuffer() const
{
    return m_buffer;
}

uint64_t
EthernetSwitch::GetDrops() const
{
    uint64_t drops = LosslessSwitch::GetDrops();
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
        if (!DynamicCast<QbbNetDevice>(GetPort(port)))
        {
            continue; // it has no pauses
        }
        m_watchdogs.push_back(std::make_unique<PauseWatchdog>(
            DynamicCast<QbbNetDevice>(GetPort(port)),
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
        m_ports[port]->GetFlowControl().Hold(frame->priority, true);
        m_buffer.SetCause(port, frame->priority, out);
        if (Ptr<CongestionDetector> detector = m_ports[out]->GetDetector(frame->priority))
        {
            detector->OnUpstreamPause(Simulator::Now());
        }
    }
    frame->ingressPort = port;
    m_ports[out]->Enqueue(std::move(frame));
}

void
EthernetSwitch::FrameDeparted(uint32_t, const Frame& frame, int64_t)
{
    if (frame.ingressPort < m_ports.size() &&
        m_buffer.Release(frame.ingressPort, frame.priority, frame.bytes) ==
            IngressBuffer::Verdict::XON)
    {
        m_ports[frame.ingressPort]->GetFlowControl().Hold(frame.priority, false);
        const uint32_t out = m_buffer.GetCause(frame.ingressPort, frame.priority);
        if (Ptr<CongestionDetector> detector = m_ports[out]->GetDetector(frame.priority))
        {
            detector->OnUpstreamResume(Simulator::Now());
        }
    }
}

void
EthernetSwitch::Refuse(uint32_t port, FramePtr frame)
{
    const uint8_t priority = frame->priority;
    const uint32_t bytes = frame->bytes;
    // A far end under a watchdog may have sent in spite of the pause.
    Ptr<QbbNetDevice> peer = DynamicCast<QbbNetDevice>(m_ports[port]->GetPeer());
    const bool forced = peer && (peer->GetPfc().GetForced() >> priority & 1);
    Drop(port,
         std::move(frame),
         forced ? LosslessNetDevice::WATCHDOG : LosslessNetDevice::BUFFER_FULL);
    if (m_endOnLoss && !forced && (m_lossless >> priority & 1))
    {
        std::ostringstream message;
        message << "switch " << GetNodeId() << " port " << port << " would lose a frame of "
                << bytes << " B in lossless priority " << +priority << " at "
                << Simulator::Now().As(Time::US) << ": headroom of "
                << m_buffer.GetHeadroomBytes(port, priority) << " B holds "
                << m_buffer.GetHeadroomUsedBytes(port, priority) << " B, buffer of "
                << m_buffer.GetBufferBytes() << " B holds " << m_buffer.GetUsedBytes() << " B";
        throw std::runtime_error(message.str());
    }
}

void
EthernetSwitch::DescribePort(uint32_t port, DetectorContext& context) const
{
    context.frameBytes = GetLargestFrame() + context.overheadBytes;
    context.ownXoffBytes = GetXoff();
    // What one ingress can put into the queue before it is paused, and with it the queue in the
    // worst case; a dynamic threshold falls as the buffer fills, to alpha / (1 + alpha) of it.
    const uint64_t xoff = m_buffer.GetXoffBytes();
    context.queueCapacityBytes =
        m_mode == STATIC ? xoff : static_cast<uint64_t>(xoff / (1 + m_alpha));
    Ptr<LosslessNetDevice> peer = m_ports[port]->GetPeer();
    if (Ptr<EthernetSwitch> far = peer ? peer->GetNode()->GetObject<EthernetSwitch>() : nullptr)
    {
        context.xoffBytes = far->GetXoff();
        context.xonBytes = far->GetXon();
    }
}

uint8_t
EthernetSwitch::GetNotificationLane() const
{
    return m_controlPriority;
}

} // namespace ns3

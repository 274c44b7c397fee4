// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-switch.h"

#include "ns3/link-time.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LosslessSwitch);

TypeId
LosslessSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LosslessSwitch").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

LosslessSwitch::LosslessSwitch() = default;
LosslessSwitch::~LosslessSwitch() = default;

void
LosslessSwitch::NotifyNewAggregate()
{
    if (!m_node)
    {
        m_node = GetObject<Node>();
        m_nodeId = m_node ? m_node->GetId() : 0;
        m_table.SetSalt(m_nodeId);
    }
    Object::NotifyNewAggregate();
}

void
LosslessSwitch::DoInitialize()
{
    Configure();
    for (uint32_t port = 0; port < m_ports.size(); port++)
    {
        AttachDetectors(port);
    }
    Object::DoInitialize();
}

void
LosslessSwitch::DoDispose()
{
    m_ports.clear();
    m_node = nullptr;
    Object::DoDispose();
}

void
LosslessSwitch::AddPort(Ptr<LosslessNetDevice> device)
{
    device->SetSink(this, m_ports.size());
    m_ports.push_back(PeekPointer(device));
}

uint32_t
LosslessSwitch::GetNPorts() const
{
    return m_ports.size();
}

Ptr<LosslessNetDevice>
LosslessSwitch::GetPort(uint32_t port) const
{
    return m_ports.at(port);
}

ForwardingTable&
LosslessSwitch::GetForwardingTable()
{
    return m_table;
}

const ForwardingTable&
LosslessSwitch::GetForwardingTable() const
{
    return m_table;
}

void
LosslessSwitch::SetTraffic(const Traffic& traffic)
{
    m_traffic = traffic;
}

const LosslessSwitch::Traffic&
LosslessSwitch::GetTraffic() const
{
    return m_traffic;
}

void
LosslessSwitch::Configure()
{
    if (!m_configured)
    {
        m_configured = true;
        DoConfigure();
    }
}

uint64_t
LosslessSwitch::GetDrops() const
{
    return m_drops;
}

uint32_t
LosslessSwitch::GetCutThroughBytes() const
{
    return 0;
}

Time
LosslessSwitch::GetForwardingDelay() const
{
    return Time(0);
}

void
LosslessSwitch::Drop(uint32_t port, FramePtr frame, LosslessNetDevice::DropReason reason)
{
    m_drops++;
    m_ports[port]->Drop(std::move(frame), reason);
}

void
LosslessSwitch::FrameArrived(uint32_t port, FramePtr frame)
{
    if (frame->destination == UNKNOWN_ENDPOINT)
    {
        frame->destination = m_table.FindEndpoint(frame->addresses.destinationMac);
    }
    if (frame->destination == BROADCAST_ENDPOINT)
    {
        Flood(port, std::move(frame));
        return;
    }
    const uint32_t out = m_table.Choose(frame->destination, frame->hash);
    if (out == ForwardingTable::NO_PORT)
    {
        Drop(port, std::move(frame), LosslessNetDevice::NO_ROUTE);
        return;
    }
    Forward(port, out, std::move(frame));
}

void
LosslessSwitch::Flood(uint32_t port, FramePtr frame)
{
    for (uint32_t out = 0; out < m_ports.size(); out++)
    {
        if (out != port && m_table.IsFloodPort(out))
        {
            Forward(port, out, CopyFrame(*frame));
        }
    }
}

DetectorContext
LosslessSwitch::MakeDetectorContext(uint32_t port, uint8_t lane) const
{
    DetectorContext context = m_ports.at(port)->MakeDetectorContext(lane);
    context.mtuBytes = m_traffic.mtuBytes;
    context.baseRtt = m_traffic.baseRtt;
    DescribePort(port, context);
    return context;
}

void
LosslessSwitch::AttachDetectors(uint32_t port)
{
    LosslessNetDevice* device = m_ports[port];
    for (uint8_t lane = 0; lane < LANES; lane++)
    {
        if (Ptr<CongestionDetector> detector = device->GetDetector(lane))
        {
            detector->Attach(MakeDetectorContext(port, lane));
            detector->SetNotify(MakeCallback(&LosslessSwitch::NotifySource, this));
        }
    }
    device->StartDetectorTicks();
}

void
LosslessSwitch::NotifySource(const Frame& frame, const Notification& notification)
{
    const bool ofStack = frame.kind == FrameKind::PACKET;
    const uint32_t source =
        ofStack ? m_table.FindEndpoint(frame.addresses.sourceMac) : frame.source;
    const uint32_t out = m_table.Choose(source, frame.hash);
    if (out == ForwardingTable::NO_PORT)
    {
        return;
    }
    if (!std::holds_alternative<Cnp>(notification))
    {
        // To the port that sent the frame, whatever the frame is.
        uint8_t address[6];
        m_ports[out]->GetMac().CopyTo(address);
        FramePtr message = MakeCongestionMessage(frame, notification, address);
        message->destination = source;
        message->readyPs = NowPs();
        message->ingressPort = NO_INGRESS;
        m_ports[out]->Enqueue(std::move(message));
        return;
    }
    if (frame.kind != FrameKind::DATA)
    {
        return; // no queue pair that a CNP could be for
    }
    FramePtr notice = MakeFrame();
    notice->kind = FrameKind::NOTIFICATION;
    notice->bytes =
        m_ports[out]->GetEncapsulation().GetNotificationBytes(notification, frame.tagged);
    notice->tagged = frame.tagged;
    notice->priority = GetNotificationLane();
    notice->notification = notification;
    notice->readyPs = NowPs();
    notice->source = frame.destination;
    notice->destination = frame.source;
    notice->hash = frame.hash;
    notice->queuePair = frame.sourceQueuePair;
    notice->flow = frame.flow;
    notice->ingressPort = NO_INGRESS;
    notice->addresses = frame.addresses;
    std::swap(notice->addresses.sourceIp, notice->addresses.destinationIp);
    std::swap(notice->addresses.sourceMac, notice->addresses.destinationMac);
    m_ports[out]->Enqueue(std::move(notice));
}

} // namespace ns3

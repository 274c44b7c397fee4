// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-net-device.h"

#include "lossless-channel.h"

#include "ns3/abort.h"
#include "ns3/far-time.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LosslessNetDevice");

LosslessNetDevice::LosslessNetDevice(std::unique_ptr<FlowControl> flowControl,
                                     const Encapsulation& encapsulation)
    : m_on(std::numeric_limits<LaneSet>::max()),
      m_transmitEvent(this),
      m_flowControl(std::move(flowControl)),
      m_encapsulation(encapsulation),
      m_stack(*this)
{
    m_flowControl->SetPort(this);
}

LosslessNetDevice::~LosslessNetDevice() = default;

void
LosslessNetDevice::DoDispose()
{
    m_transmitEvent.Disarm();
    m_flowControl->Dispose();
    m_stack.Dispose();
    m_queues.Clear();
    m_sink = nullptr;
    m_picker = nullptr;
    m_source = nullptr;
    m_channel = nullptr;
    m_channelOwner = nullptr;
    m_node = nullptr;
    m_errorModel = nullptr;
    NetDevice::DoDispose();
}

void
LosslessNetDevice::NotifyNewAggregate()
{
    m_stack.SetQueueInterface(GetObject<NetDeviceQueueInterface>());
    NetDevice::NotifyNewAggregate();
}

void
LosslessNetDevice::Attach(Ptr<LosslessChannel> channel)
{
    NS_ABORT_MSG_IF(!m_node, "a device must belong to a node before it is attached to a channel");
    m_channelOwner = channel;
    m_channel = PeekPointer(channel);
    m_end = channel->Attach(this);
    m_transmitEvent.SetContext(m_node->GetId());
    m_flowControl->LinkUp(m_node->GetId());
    m_linkChange();
}

Ptr<LosslessNetDevice>
LosslessNetDevice::GetPeer() const
{
    return m_channel && m_channel->GetNDevices() == 2
               ? DynamicCast<LosslessNetDevice>(m_channel->GetDevice(1 - m_end))
               : nullptr;
}

void
LosslessNetDevice::SetSink(FrameSink* sink, uint32_t port)
{
    m_sink = sink;
    m_sinkPort = port;
}

void
LosslessNetDevice::SetPicker(FramePicker* picker)
{
    m_picker = picker;
}

void
LosslessNetDevice::SetCutThrough(uint32_t bytes)
{
    m_channel->SetCutThrough(m_end, m_byteTime(bytes));
}

void
LosslessNetDevice::SetSource(FrameSource* source)
{
    m_source = source;
}

void
LosslessNetDevice::SetReactionPoint(Ptr<ReactionPoint> point)
{
    m_stack.SetReactionPoint(point);
}

void
LosslessNetDevice::SetDetector(uint8_t lane, Ptr<CongestionDetector> detector)
{
    m_queues.SetDetector(lane, detector);
}

void
LosslessNetDevice::SetScheduler(ObjectFactory factory)
{
    m_schedulerOwner = EgressScheduler::Make(factory);
    m_scheduler = PeekPointer(m_schedulerOwner);
}

void
LosslessNetDevice::StartDetectorTicks()
{
    m_queues.StartTicks(m_node->GetId());
}

Ptr<EgressScheduler>
LosslessNetDevice::GetScheduler() const
{
    return m_schedulerOwner;
}

Ptr<CongestionDetector>
LosslessNetDevice::GetDetector(uint8_t lane) const
{
    return m_queues.GetDetector(lane);
}

void
LosslessNetDevice::Enqueue(FramePtr frame, int64_t nowPs)
{
    NS_ASSERT_MSG(nowPs == NowPs(), "a frame is enqueued at another time than it is there");
    if (!m_enqueueTrace.IsEmpty())
    {
        m_enqueueTrace(*frame);
    }
    const uint8_t lane = frame->priority;
    if (m_freePs <= nowPs && (m_on >> lane & 1) && !(m_queues.GetWaiting() & m_on) &&
        !m_controlWanted && !m_picker && HasRoom(lane, frame->bytes))
    {
        // The line is free and nothing else can use it: no event for the end of this transmission.
        NotifyDequeued(*frame, m_queues.Pass(*frame, nowPs));
        m_scheduler->Sent(lane, frame->bytes + m_overhead);
        const int64_t startPs = TransmissionStartPs(m_freePs, frame->readyPs, nowPs);
        Transmit(std::move(frame), startPs, nowPs);
        return;
    }
    m_queues.Offer(std::move(frame), nowPs);
    CheckRoom(lane);
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
LosslessNetDevice::NotifyReady(int64_t ps, int64_t nowPs)
{
    m_transmitEvent.Arm(std::max(ps, m_freePs), nowPs);
}

void
LosslessNetDevice::TryTransmit(int64_t nowPs)
{
    while (m_freePs <= nowPs)
    {
        if (m_controlWanted)
        {
            TransmitControl(nowPs);
        }
        else if (!TransmitNext(nowPs))
        {
            break;
        }
    }
    if (m_freePs > nowPs && (m_controlWanted || (m_queues.GetWaiting() & m_on)))
    {
        m_transmitEvent.Arm(m_freePs, nowPs);
    }
    else if (m_source)
    {
        const int64_t nextPs = m_source->GetNextReadyPs(m_on);
        if (nextPs != NEVER_PS)
        {
            m_transmitEvent.Arm(std::max(nextPs, m_freePs), nowPs);
        }
    }
}

bool
LosslessNetDevice::TransmitNext(int64_t nowPs)
{
    LaneSet offered = m_source ? m_source->GetReady(nowPs) & m_on : 0;
    LaneSet excluded = 0; // for this time: a FramePicker has none, or the far end no room for it
    while (true)
    {
        LaneSet waiting = m_queues.GetWaiting() & m_on & ~excluded;
        waiting = m_picker && waiting ? GetPickable(waiting) : waiting;
        const LaneSet ready = waiting | offered;
        if (!ready)
        {
            return false;
        }
        const uint8_t lane = m_scheduler->Select(ready);
        const LaneSet bit = 1 << lane;
        FramePtr frame;
        int64_t startPs = 0;
        if ((offered & bit) && (m_sourceTurn || !(waiting & bit)))
        {
            const FrameHead head = m_source->GetHead(lane);
            if (!HasRoom(lane, head.bytes))
            {
                m_flowControl->Lack(lane, head.bytes);
                offered &= m_on;
                continue;
            }
            m_sourceTurn = false;
            startPs = TransmissionStartPs(m_freePs, head.readyPs, nowPs);
            frame = m_source->Pull(lane, startPs, nowPs);
        }
        else
        {
            FramePicker::Place place;
            if (m_picker)
            {
                place = m_picker->Pick(m_sinkPort, lane, m_queues.GetFrames(lane));
                if (!HasRoom(lane, place.frame->bytes))
                {
                    m_flowControl->Lack(lane, place.frame->bytes);
                    excluded |= bit;
                    continue;
                }
                m_picker->Picked(m_sinkPort, lane, m_queues.GetFrames(lane), place);
            }
            m_sourceTurn = true;
            frame = Take(lane, nowPs, place.previous);
            startPs = TransmissionStartPs(m_freePs, frame->readyPs, nowPs);
        }
        m_scheduler->Sent(lane, frame->bytes + m_overhead);
        Transmit(std::move(frame), startPs, nowPs);
        return true;
    }
}

LaneSet
LosslessNetDevice::GetPickable(LaneSet lanes)
{
    LaneSet pickable = 0;
    for (uint8_t lane = 0; lanes >> lane; lane++)
    {
        if ((lanes >> lane & 1) && m_picker->Pick(m_sinkPort, lane, m_queues.GetFrames(lane)).frame)
        {
            pickable |= 1 << lane;
        }
    }
    return pickable;
}

void
LosslessNetDevice::CheckRoom(uint8_t lane)
{
    if (m_metered & m_on & 1 << lane)
    {
        const Frame* head = m_queues.GetFrames(lane).Head();
        if (head && !m_flowControl->HasRoom(lane, head->bytes))
        {
            m_flowControl->Lack(lane, head->bytes);
        }
    }
}

FramePtr
LosslessNetDevice::Take(uint8_t lane, int64_t nowPs, Frame* previous)
{
    bool marked = false;
    FramePtr frame = m_queues.Take(lane, nowPs, marked, previous);
    NotifyDequeued(*frame, marked);
    return frame;
}

void
LosslessNetDevice::Transmit(FramePtr frame, int64_t startPs, int64_t nowPs)
{
    m_freePs = startPs + m_byteTime(frame->bytes + m_overhead);
    m_sentBytes += frame->bytes;
    m_sentFrames++;
    if (m_metered)
    {
        m_flowControl->Count(frame->priority, frame->bytes);
        CheckRoom(frame->priority);
    }
    if (!m_txTrace.IsEmpty())
    {
        m_txTrace(*frame);
    }
    Sniff(*frame);
    if (m_sink)
    {
        m_sink->FrameDeparted(m_sinkPort, *frame, m_freePs);
    }
    m_channel->Send(m_end, std::move(frame), startPs, m_freePs, nowPs);
}

void
LosslessNetDevice::TransmitControl(int64_t nowPs)
{
    m_controlWanted = false;
    FramePtr frame = m_flowControl->MakeControl(nowPs);
    const int64_t startPs = TransmissionStartPs(m_freePs, nowPs, nowPs);
    m_freePs = startPs + m_byteTime(frame->bytes + m_overhead);
    m_sentControlFrames++;
    if (!m_txTrace.IsEmpty())
    {
        m_txTrace(*frame);
    }
    Sniff(*frame);
    m_channel->Send(m_end, std::move(frame), startPs, m_freePs, nowPs);
}

void
LosslessNetDevice::Receive(FramePtr frame)
{
    if (!m_rxTrace.IsEmpty())
    {
        m_rxTrace(*frame);
    }
    Sniff(*frame);
    if (m_errorModel && m_errorModel->IsCorrupt(m_encapsulation.Write(*frame)))
    {
        Drop(std::move(frame), CORRUPTED);
        return;
    }
    if (frame->kind == FrameKind::PFC || frame->kind == FrameKind::CREDITS)
    {
        m_flowControl->ControlArrived(*frame);
        return;
    }
    if (m_metered >> frame->priority & 1)
    {
        m_flowControl->FrameArrived(frame->priority, frame->bytes);
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
LosslessNetDevice::TurnLane(uint8_t lane, bool off)
{
    const LaneSet bit = 1 << lane;
    m_on = off ? m_on & ~bit : m_on | bit;
    m_queues.NotifyGate(lane, off, Simulator::Now());
    m_gateTrace(lane, off);
}

uint64_t
LosslessNetDevice::Discard(uint8_t lane)
{
    const int64_t nowPs = NowPs();
    uint64_t frames = 0;
    for (; m_queues.GetWaiting() >> lane & 1; frames++)
    {
        FramePtr frame = Take(lane, nowPs);
        if (m_sink)
        {
            m_sink->FrameDeparted(m_sinkPort, *frame, nowPs);
        }
        Drop(std::move(frame), WATCHDOG);
    }
    return frames;
}

void
LosslessNetDevice::SniffPacket(const Frame& frame) const
{
    Ptr<const Packet> packet = m_encapsulation.Write(frame);
    m_snifferTrace(packet);
    m_promiscSnifferTrace(packet);
}

void
LosslessNetDevice::Drop(FramePtr frame, DropReason reason)
{
    NS_LOG_INFO("node " << m_node->GetId() << " port " << m_ifIndex << " drops a frame of priority "
                        << +frame->priority << ", reason " << reason);
    m_dropTrace(*frame, reason);
}

DataRate
LosslessNetDevice::GetDataRate() const
{
    return m_rate;
}

void
LosslessNetDevice::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0, "DataRate 0 of a port, expected more");
    m_rate = rate;
    m_byteTime = ByteTime(rate.GetBitRate());
}

uint32_t
LosslessNetDevice::GetInterFrameOverhead() const
{
    return m_overhead;
}

Time
LosslessNetDevice::GetDelay() const
{
    return m_channel ? m_channel->GetDelay() : Time(0);
}

DetectorContext
LosslessNetDevice::MakeDetectorContext(uint8_t lane) const
{
    DetectorContext context;
    context.node = m_node->GetId();
    context.port = m_ifIndex;
    context.priority = lane;
    context.rateBps = m_rate.GetBitRate();
    context.overheadBytes = m_overhead;
    context.delay = GetDelay();
    m_address.CopyTo(context.address);
    return context;
}

int64_t
LosslessNetDevice::GetByteTimePs(uint32_t bytes) const
{
    return m_byteTime(bytes);
}

QueueState
LosslessNetDevice::GetQueueState(uint8_t lane) const
{
    return m_queues.GetState(lane);
}

const FrameQueue&
LosslessNetDevice::GetFrames(uint8_t lane) const
{
    return m_queues.GetFrames(lane);
}

LaneSet
LosslessNetDevice::GetWaiting() const
{
    return m_queues.GetWaiting();
}

LaneSet
LosslessNetDevice::GetOff() const
{
    return ~m_on;
}

uint64_t
LosslessNetDevice::GetSentBytes() const
{
    return m_sentBytes;
}

uint64_t
LosslessNetDevice::GetSentControlFrames() const
{
    return m_sentControlFrames;
}

uint64_t
LosslessNetDevice::GetSentFrames() const
{
    return m_sentFrames;
}

int64_t
LosslessNetDevice::AssignStreams(int64_t stream)
{
    return m_queues.AssignStreams(stream);
}

} // namespace ns3

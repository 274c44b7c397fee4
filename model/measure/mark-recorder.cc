// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "mark-recorder.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/congestion-detector.h"
#include "ns3/link-time.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// What a flow has had, as bits.
constexpr uint8_t BY_CONGESTION = 1;
constexpr uint8_t BY_PAUSES = 2;

} // namespace

void
MarkRecorder::Connect(Ptr<LosslessNetDevice> device)
{
    LaneSet watched = 0;
    for (uint8_t lane = 0; lane < LANES; lane++)
    {
        watched |= (device->GetDetector(lane) ? 1 : 0) << lane;
    }
    if (!watched)
    {
        return;
    }
    m_ports.emplace_back();
    Port* port = &m_ports.back();
    port->recorder = this;
    port->device = PeekPointer(device);
    port->overhead = device->GetInterFrameOverhead();
    port->off = device->GetOff();
    port->bytesPerPs = static_cast<double>(device->GetDataRate().GetBitRate()) / 8e12;
    for (uint8_t lane = 0; lane < LANES; lane++)
    {
        const QueueState state = device->GetQueueState(lane);
        Queue& queue = port->queues[lane];
        queue.bytes = state.bytes + uint64_t(state.frames) * port->overhead;
        queue.unpausedBytes = static_cast<double>(queue.bytes);
        queue.drainedPs = NowPs();
        if (Ptr<CongestionDetector> detector = device->GetDetector(lane))
        {
            detector->TraceConnectWithoutContext(
                "Notification",
                MakeBoundCallback(&MarkRecorder::Notified, port, lane));
        }
    }
    device->TraceConnectWithoutContext("Enqueue", MakeBoundCallback(&MarkRecorder::Enqueued, port));
    device->TraceConnectWithoutContext("Dequeue", MakeBoundCallback(&MarkRecorder::Dequeued, port));
    device->TraceConnectWithoutContext("Mark", MakeBoundCallback(&MarkRecorder::Marked, port));
    device->TraceConnectWithoutContext("Gate", MakeBoundCallback(&MarkRecorder::GateChanged, port));
}

MarkRecorder::Queue&
MarkRecorder::Port::Update(uint8_t lane)
{
    Queue& queue = queues[lane];
    if (off >> lane & 1)
    {
        const int64_t nowPs = NowPs();
        const double drained = bytesPerPs * static_cast<double>(nowPs - queue.drainedPs);
        queue.unpausedBytes = std::max(0., queue.unpausedBytes - drained);
        queue.drainedPs = nowPs;
    }
    return queue;
}

void
MarkRecorder::Enqueued(Port* port, const Frame& frame)
{
    Queue& queue = port->Update(frame.priority);
    const uint32_t bytes = frame.bytes + port->overhead;
    queue.bytes += bytes;
    queue.unpausedBytes += bytes;
}

void
MarkRecorder::Dequeued(Port* port, const Frame& frame)
{
    Queue& queue = port->queues[frame.priority];
    const uint32_t bytes = frame.bytes + port->overhead;
    NS_ASSERT_MSG(queue.bytes >= bytes, "a frame leaves a queue that it did not join");
    queue.bytes -= bytes;
    queue.unpausedBytes = std::max(0., queue.unpausedBytes - bytes);
}

void
MarkRecorder::GateChanged(Port* port, uint8_t lane, bool off)
{
    // To OFF this does nothing, to ON it ends the drain.
    port->Update(lane);
    const LaneSet bit = 1 << lane;
    port->off = off ? port->off | bit : port->off & ~bit;
    port->queues[lane].drainedPs = NowPs();
}

void
MarkRecorder::Marked(Port* port, const Frame& frame)
{
    if (frame.kind == FrameKind::DATA && frame.codePoint == CodePoint::CONGESTION)
    {
        Totals& totals = port->recorder->m_totals;
        port->recorder->Count(port->Update(frame.priority),
                              frame.flow,
                              totals.marks,
                              totals.marksByPauses);
    }
}

void
MarkRecorder::Notified(Port* port, uint8_t lane, const Frame& frame, const Notification&)
{
    const Queue& queue = port->Update(lane);
    if (frame.kind == FrameKind::DATA && queue.bytes > 0)
    {
        Totals& totals = port->recorder->m_totals;
        port->recorder->Count(queue,
                              frame.flow,
                              totals.notifications,
                              totals.notificationsByPauses);
    }
}

void
MarkRecorder::Count(const Queue& queue, uint32_t flow, uint64_t& count, uint64_t& byPauses)
{
    NS_ASSERT_MSG(queue.unpausedBytes <= static_cast<double>(queue.bytes),
                  "pauses have made a queue shorter");
    const bool pauses = 2 * queue.unpausedBytes < static_cast<double>(queue.bytes);
    count++;
    byPauses += pauses;
    if (flow >= m_flows.size())
    {
        m_flows.resize(std::size_t(flow) + 1);
    }
    m_flows[flow] |= pauses ? BY_PAUSES : BY_CONGESTION;
}

MarkRecorder::Totals
MarkRecorder::GetTotals() const
{
    Totals totals = m_totals;
    for (uint8_t kinds : m_flows)
    {
        totals.flowsMarked += kinds != 0;
        totals.victimFlowsMarked += kinds == BY_PAUSES;
    }
    return totals;
}

MarkRecorder::Queue
MarkRecorder::GetQueue(Ptr<const LosslessNetDevice> device, uint8_t lane) const
{
    const auto found = std::find_if(m_ports.begin(), m_ports.end(), [&](const Port& port) {
        return port.device == PeekPointer(device);
    });
    NS_ABORT_MSG_IF(found == m_ports.end(), "a port that is not recorded");
    Port port = *found;
    return port.Update(lane);
}

} // namespace ns3

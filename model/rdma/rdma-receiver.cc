// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rdma-receiver.h"

#include "ns3/flow-hash.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RdmaReceiver::RdmaReceiver(const RdmaHw& hw)
    : m_hw(hw),
      m_queuePairs(RdmaQueuePair::FIRST_NUMBER)
{
}

void
RdmaReceiver::Install()
{
    m_device = PeekPointer(m_hw.GetDevice());
}

void
RdmaReceiver::Dispose()
{
    m_queuePairs.clear();
    m_device = nullptr;
}

uint32_t
RdmaReceiver::AddQueuePair()
{
    m_queuePairs.emplace_back();
    return m_queuePairs.size() - 1;
}

bool
RdmaReceiver::IsFinished(uint32_t number) const
{
    return m_queuePairs.at(number).finishedPackets != 0;
}

uint32_t
RdmaReceiver::GetIncomingMessages() const
{
    return static_cast<uint32_t>(
        std::count_if(m_queuePairs.begin(), m_queuePairs.end(), [](const QueuePair& qp) {
            return qp.incoming != nullptr;
        }));
}

std::vector<RdmaReception>
RdmaReceiver::GetReceptions() const
{
    std::vector<RdmaReception> receptions;
    for (const QueuePair& qp : m_queuePairs)
    {
        if (qp.incoming && qp.finishedPackets == 0)
        {
            receptions.push_back(qp.incoming->counts);
        }
    }
    return receptions;
}

std::unique_ptr<RdmaReceiver::Incoming>
RdmaReceiver::MakeIncoming(const Frame& frame)
{
    auto incoming = std::make_unique<Incoming>();
    incoming->counts.flow = frame.flow;
    incoming->source = frame.source;
    incoming->remoteNumber = frame.sourceQueuePair;
    incoming->addresses = frame.addresses;
    std::swap(incoming->addresses.sourceIp, incoming->addresses.destinationIp);
    std::swap(incoming->addresses.sourceMac, incoming->addresses.destinationMac);
    incoming->hash = HashFlow(incoming->addresses.sourceIp,
                              incoming->addresses.destinationIp,
                              incoming->addresses.udpSource);
    return incoming;
}

void
RdmaReceiver::ReceiveData(FramePtr frame)
{
    if (frame->queuePair >= m_queuePairs.size())
    {
        m_device->Drop(std::move(frame), LosslessNetDevice::UNKNOWN_RECEIVER);
        return;
    }
    QueuePair& qp = m_queuePairs[frame->queuePair];
    if (!qp.incoming)
    {
        qp.incoming = MakeIncoming(*frame);
        // A message that had arrived already and is sent again, as its last ACK was lost.
        qp.incoming->expected = qp.finishedPackets;
    }
    Incoming& incoming = *qp.incoming;
    incoming.counts.packets++;
    if (qp.finishedPackets == 0)
    {
        Notice(incoming, *frame);
    }
    incoming.echo = std::max(incoming.echo, frame->codePoint);
    if (frame->psn > incoming.expected)
    {
        if (!incoming.nacked)
        {
            incoming.nacked = true;
            Acknowledge(incoming, *frame, FrameKind::NACK);
        }
        return;
    }
    const bool fresh = frame->psn == incoming.expected;
    if (fresh)
    {
        incoming.expected++;
        incoming.nacked = false;
    }
    if (frame->ackRequest || !fresh)
    {
        Acknowledge(incoming, *frame, FrameKind::ACK);
    }
    if (fresh && frame->lastOfMessage)
    {
        const RdmaReception reception = incoming.counts;
        qp.finishedPackets = incoming.expected;
        qp.incoming.reset();
        m_hw.NotifyReceived(reception);
    }
    else if (qp.finishedPackets)
    {
        qp.incoming.reset();
    }
}

void
RdmaReceiver::Notice(Incoming& incoming, const Frame& frame)
{
    const bool marked = frame.codePoint >= CodePoint::UNDETERMINED;
    incoming.counts.packetsCe += frame.codePoint == CodePoint::CONGESTION;
    incoming.counts.packetsUe += frame.codePoint == CodePoint::UNDETERMINED;
    if (!m_hw.WantsNotice(marked))
    {
        return;
    }
    if (!incoming.point)
    {
        incoming.point = m_hw.MakeNotificationPoint();
    }
    Notification notification;
    if (incoming.point->OnData(frame, notification))
    {
        FramePtr notice = MakeReply(incoming, frame, FrameKind::NOTIFICATION);
        notice->bytes =
            m_device->GetEncapsulation().GetNotificationBytes(notification, frame.tagged);
        notice->priority = m_hw.GetCnpPriority();
        notice->notification = notification;
        m_device->Enqueue(std::move(notice));
    }
}

FramePtr
RdmaReceiver::MakeReply(const Incoming& incoming, const Frame& data, FrameKind kind) const
{
    FramePtr reply = MakeFrame();
    reply->kind = kind;
    reply->tagged = data.tagged;
    reply->flow = data.flow;
    reply->source = m_hw.GetEndpoint();
    reply->destination = incoming.source;
    reply->hash = incoming.hash;
    reply->queuePair = incoming.remoteNumber;
    reply->addresses = incoming.addresses;
    reply->readyPs = data.readyPs;
    return reply;
}

void
RdmaReceiver::Acknowledge(Incoming& incoming, Frame& data, FrameKind kind)
{
    FramePtr reply = MakeReply(incoming, data, kind);
    reply->telemetry = std::move(data.telemetry);
    reply->bytes =
        m_device->GetEncapsulation().GetAckBytes(data.tagged, reply->telemetry != nullptr);
    reply->priority = m_hw.GetAckPriority(data.priority);
    reply->psn = kind == FrameKind::NACK ? incoming.expected : incoming.expected - 1;
    reply->messageNumber = data.lastOfMessage ? 1 : 0;
    reply->timestampPs = data.timestampPs;
    reply->echo = incoming.echo;
    incoming.echo = CodePoint::NOT_CAPABLE;
    m_device->Enqueue(std::move(reply));
}

} // namespace ns3

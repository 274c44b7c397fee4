// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rdma-sender.h"

#include "ns3/far-time.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rdma-hw.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSender");

RdmaSender::RdmaSender(const RdmaHw& hw)
    : m_hw(hw),
      m_queuePairs(RdmaQueuePair::FIRST_NUMBER),
      m_timeoutEvent(this)
{
}

RdmaSender::~RdmaSender() = default;

void
RdmaSender::Install()
{
    m_device = PeekPointer(m_hw.GetDevice());
    m_encapsulation = &m_device->GetEncapsulation();
    m_overhead = m_device->GetInterFrameOverhead();
    m_timeoutEvent.SetContext(m_device->GetNode()->GetId());
}

void
RdmaSender::Dispose()
{
    m_timeoutEvent.Disarm();
    m_paced.clear();
    for (auto& round : m_rounds)
    {
        round.clear();
    }
    m_outstanding.clear();
    m_queuePairs.clear();
    m_device = nullptr;
}

uint32_t
RdmaSender::AddQueuePair()
{
    m_queuePairs.emplace_back();
    return m_queuePairs.size() - 1;
}

void
RdmaSender::Start(uint32_t number, std::unique_ptr<RdmaQueuePair> queuePair)
{
    m_queuePairs[number] = std::move(queuePair);
    m_active++;
    RdmaQueuePair& qp = *m_queuePairs[number];
    qp.number = number;
    qp.rateBps = qp.controller->GetRateBps();
    qp.nextSendPs = NowPs();
    m_device->NotifyReady(Park(qp), qp.nextSendPs);
}

bool
RdmaSender::IsActive(uint32_t number) const
{
    return m_queuePairs.at(number) != nullptr;
}

uint32_t
RdmaSender::GetActiveMessages() const
{
    return m_active;
}

RdmaQueuePair*
RdmaSender::Find(const Frame& frame) const
{
    return frame.queuePair < m_queuePairs.size() ? m_queuePairs[frame.queuePair].get() : nullptr;
}

void
RdmaSender::RunTimers(RdmaQueuePair& qp, int64_t nowPs)
{
    const Time now = NanoSeconds(nowPs / 1000);
    for (Time due = qp.controller->NextTimer(); due <= now; due = qp.controller->NextTimer())
    {
        qp.controller->OnTimer(due);
    }
}

bool
RdmaSender::IsWindowOpen(const RdmaQueuePair& qp) const
{
    return static_cast<uint64_t>(qp.next - qp.acked) * m_hw.GetMtu() <
           qp.controller->GetWindowBytes();
}

bool
RdmaSender::MaySend(const RdmaQueuePair& qp) const
{
    return qp.asked <= qp.acked || IsWindowOpen(qp);
}

void
RdmaSender::GoBack(RdmaQueuePair& qp)
{
    qp.next = qp.acked;
    qp.asked = qp.acked;
}

void
RdmaSender::Restart(RdmaQueuePair& qp)
{
    if (qp.state != RdmaQueuePair::State::HELD)
    {
        Unpark(qp);
        qp.state = RdmaQueuePair::State::SENT;
    }
    GoBack(qp);
}

void
RdmaSender::Unpark(RdmaQueuePair& qp)
{
    if (qp.state == RdmaQueuePair::State::PACED)
    {
        m_paced.erase(m_paced.iterator_to(qp));
    }
    else if (qp.state == RdmaQueuePair::State::READY)
    {
        Round& round = m_rounds[qp.priority];
        round.erase(round.iterator_to(qp));
        if (round.empty())
        {
            m_ready &= ~(1 << qp.priority);
        }
    }
}

int64_t
RdmaSender::Park(RdmaQueuePair& qp)
{
    if (qp.next == qp.packets)
    {
        qp.state = RdmaQueuePair::State::SENT;
        return NEVER_PS;
    }
    const Time timer = qp.controller->NextTimer();
    const int64_t timerPs = timer == Time::Max() ? NEVER_PS : ToPs(timer);
    qp.wakePs = MaySend(qp) ? std::min(qp.nextSendPs, timerPs) : timerPs;
    if (qp.wakePs == NEVER_PS)
    {
        qp.state = RdmaQueuePair::State::BLOCKED;
        return NEVER_PS;
    }
    qp.state = RdmaQueuePair::State::PACED;
    m_paced.insert(qp);
    return qp.wakePs;
}

int64_t
RdmaSender::GapPs(const RdmaQueuePair& qp)
{
    const double gapPs = qp.lastWireBytes * 8e12 / qp.rateBps;
    return gapPs < FAR_PS ? std::llround(gapPs) : FAR_PS; // a rate of 0 waits for its next change
}

bool
RdmaSender::NoteRate(RdmaQueuePair& qp) const
{
    const double rateBps = qp.controller->GetRateBps();
    if (rateBps == qp.rateBps)
    {
        return false;
    }
    qp.rateBps = rateBps;
    m_hw.NotifyRate(qp.flow, rateBps);
    return true;
}

void
RdmaSender::Update(RdmaQueuePair& qp, int64_t nowPs)
{
    const bool rateChanged = NoteRate(qp);
    if (qp.state == RdmaQueuePair::State::HELD)
    {
        return; // Release() looks at it again
    }
    // One that waited for a timer with a closed window may have a wakePs after nextSendPs.
    const bool sending = qp.state == RdmaQueuePair::State::READY ||
                         (qp.state == RdmaQueuePair::State::PACED && qp.wakePs <= qp.nextSendPs);
    if (sending && !rateChanged && qp.next < qp.packets && MaySend(qp))
    {
        return;
    }
    Unpark(qp);
    // The whole gap is counted again at the new rate, so that a large cut does not lag by a frame.
    qp.nextSendPs = qp.lastStartPs + GapPs(qp);
    const int64_t wakePs = Park(qp);
    if (wakePs != NEVER_PS)
    {
        m_device->NotifyReady(wakePs, nowPs);
    }
}

LaneSet
RdmaSender::GetReady(int64_t nowPs)
{
    while (!m_paced.empty() && m_paced.begin()->wakePs <= nowPs)
    {
        RdmaQueuePair& qp = *m_paced.begin();
        RunTimers(qp, nowPs);
        if (NoteRate(qp))
        {
            qp.nextSendPs = qp.lastStartPs + GapPs(qp);
        }
        if (qp.nextSendPs > nowPs || !MaySend(qp))
        {
            Unpark(qp);
            Park(qp);
        }
        else
        {
            Unpark(qp);
            qp.state = RdmaQueuePair::State::READY;
            m_rounds[qp.priority].push_back(qp);
            m_ready |= 1 << qp.priority;
        }
    }
    return m_ready;
}

int64_t
RdmaSender::GetNextReadyPs(LaneSet on) const
{
    if (m_ready & on)
    {
        return 0;
    }
    return m_paced.empty() ? NEVER_PS : m_paced.begin()->wakePs;
}

uint32_t
RdmaSender::GetNextPayload(const RdmaQueuePair& qp) const
{
    return static_cast<uint32_t>(
        std::min<uint64_t>(m_hw.GetMtu(), qp.bytes - GetOffset(qp, qp.next)));
}

uint32_t
RdmaSender::GetNextBytes(const RdmaQueuePair& qp) const
{
    return m_encapsulation->GetDataBytes(GetNextPayload(qp),
                                         m_hw.IsWrite() && qp.next == 0,
                                         m_hw.IsTagged(),
                                         m_hw.HasTelemetry());
}

FramePtr
RdmaSender::MakeData(const RdmaQueuePair& qp) const
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::DATA;
    frame->priority = qp.priority;
    frame->codePoint = m_hw.IsEcnCapable() ? CodePoint::CAPABLE : CodePoint::NOT_CAPABLE;
    frame->payload = GetNextPayload(qp);
    frame->firstOfMessage = qp.next == 0;
    frame->lastOfMessage = qp.next + 1 == qp.packets;
    frame->ackRequest = frame->lastOfMessage || (qp.next + 1) % m_hw.GetAckInterval() == 0;
    frame->write = m_hw.IsWrite();
    frame->messageBytes = m_hw.IsWrite() && qp.next == 0 ? static_cast<uint32_t>(qp.bytes) : 0;
    frame->tagged = m_hw.IsTagged();
    frame->bytes = GetNextBytes(qp);
    if (m_hw.HasTelemetry())
    {
        frame->telemetry = MakeIntBlock();
    }
    frame->flow = qp.flow;
    frame->queuePair = qp.remoteNumber;
    frame->sourceQueuePair = qp.number;
    frame->psn = qp.next;
    frame->source = m_hw.GetEndpoint();
    frame->destination = qp.destination;
    frame->hash = qp.hash;
    frame->addresses = qp.addresses;
    frame->readyPs = qp.nextSendPs;
    return frame;
}

uint64_t
RdmaSender::GetOffset(const RdmaQueuePair& qp, uint32_t psn) const
{
    return std::min<uint64_t>(static_cast<uint64_t>(psn) * m_hw.GetMtu(), qp.bytes);
}

FrameHead
RdmaSender::GetHead(uint8_t lane) const
{
    const RdmaQueuePair& qp = m_rounds[lane].front();
    return {GetNextBytes(qp), qp.nextSendPs};
}

FramePtr
RdmaSender::Pull(uint8_t lane, int64_t startPs, int64_t nowPs)
{
    RdmaQueuePair& qp = m_rounds[lane].front();
    Unpark(qp);
    RunTimers(qp, nowPs);
    FramePtr frame = MakeData(qp);
    qp.lastStartPs = startPs;
    frame->timestampPs = qp.lastStartPs;

    if (qp.next == qp.acked)
    {
        // Nothing was outstanding: the timeout counts from here.
        qp.progressPs = nowPs;
        if (qp.outstandingHook.is_linked())
        {
            m_outstanding.erase(m_outstanding.iterator_to(qp));
        }
        m_outstanding.push_back(qp);
        m_timeoutEvent.Arm(m_outstanding.front().progressPs + ToPs(m_hw.GetRetransmissionTimeout()),
                           nowPs);
    }
    qp.retransmitted += qp.next < qp.highest;
    qp.next++;
    qp.highest = std::max(qp.highest, qp.next);
    qp.controller->OnSend(*frame, frame->bytes + m_overhead, NanoSeconds(nowPs / 1000));
    qp.lastWireBytes = frame->bytes + m_overhead;
    NoteRate(qp);
    qp.nextSendPs = qp.lastStartPs + GapPs(qp);
    // Who waits for an acknowledgement asks for one, however long the interval is.
    frame->ackRequest |= !IsWindowOpen(qp);
    qp.asked = frame->ackRequest ? qp.next : qp.asked;
    Park(qp);
    return frame;
}

ReactionPoint::Flow
RdmaSender::GetHeadFlow(uint8_t lane) const
{
    const RdmaQueuePair& qp = m_rounds[lane].front();
    return {qp.addresses, qp.hash, qp.priority};
}

void
RdmaSender::Hold(uint32_t connection)
{
    RdmaQueuePair& qp = *m_queuePairs[connection];
    Unpark(qp);
    qp.state = RdmaQueuePair::State::HELD;
}

void
RdmaSender::Release(uint32_t connection, int64_t nowPs)
{
    RdmaQueuePair* qp = connection < m_queuePairs.size() ? m_queuePairs[connection].get() : nullptr;
    if (!qp || qp->state != RdmaQueuePair::State::HELD)
    {
        return; // the message was sent again meanwhile and is complete
    }
    RunTimers(*qp, nowPs);
    NoteRate(*qp);
    qp->nextSendPs = qp->lastStartPs + GapPs(*qp);
    Park(*qp); // the port, which has just sent, asks when to come again
}

void
RdmaSender::CheckTimeouts(int64_t nowPs)
{
    const int64_t timeoutPs = ToPs(m_hw.GetRetransmissionTimeout());
    while (!m_outstanding.empty() && m_outstanding.front().progressPs + timeoutPs <= nowPs)
    {
        RdmaQueuePair& qp = m_outstanding.front();
        m_outstanding.pop_front();
        NS_LOG_INFO("flow " << qp.flow << " times out at PSN " << qp.acked);
        Restart(qp);
        Update(qp, nowPs);
    }
    if (!m_outstanding.empty())
    {
        m_timeoutEvent.Arm(m_outstanding.front().progressPs + timeoutPs, nowPs);
    }
}

void
RdmaSender::Complete(RdmaQueuePair& qp)
{
    Unpark(qp);
    if (qp.outstandingHook.is_linked())
    {
        m_outstanding.erase(m_outstanding.iterator_to(qp));
    }
    const std::unique_ptr<RdmaQueuePair> owner = std::move(m_queuePairs[qp.number]);
    m_active--;
    RdmaCompletion completion;
    completion.flow = qp.flow;
    completion.bytes = qp.bytes;
    completion.start = qp.start;
    completion.end = Simulator::Now();
    completion.packets = qp.packets;
    completion.retransmitted = qp.retransmitted;
    completion.cnpCe = qp.cnpCe;
    completion.cnpUe = qp.cnpUe;
    m_hw.NotifyCompleted(completion);
}

uint64_t
RdmaSender::Advance(RdmaQueuePair& qp, uint32_t acked, int64_t nowPs)
{
    const uint64_t before = GetOffset(qp, qp.acked);
    qp.acked = acked;
    qp.next = std::max(qp.next, acked);
    qp.progressPs = nowPs;
    if (qp.outstandingHook.is_linked())
    {
        m_outstanding.erase(m_outstanding.iterator_to(qp));
    }
    if (qp.next > qp.acked)
    {
        m_outstanding.push_back(qp);
    }
    return GetOffset(qp, acked) - before;
}

void
RdmaSender::ReceiveAck(const Frame& frame)
{
    RdmaQueuePair* found = Find(frame);
    if (!found)
    {
        return; // a late repetition: the message is complete
    }
    RdmaQueuePair& qp = *found;
    const int64_t nowPs = OnEventGrid(frame.readyPs);
    RunTimers(qp, nowPs);
    const bool nack = frame.kind == FrameKind::NACK;
    const uint32_t acked = nack ? frame.psn : frame.psn + 1;
    RateController::Acknowledgement info;
    if (acked > qp.acked)
    {
        info.ackedBytes = Advance(qp, acked, nowPs);
        if (qp.acked == qp.packets)
        {
            Complete(qp);
            return;
        }
    }
    if (nack && acked == qp.acked)
    {
        Restart(qp);
    }
    info.ackedTotal = GetOffset(qp, qp.acked);
    info.sentTotal = GetOffset(qp, qp.next);
    info.rtt = NanoSeconds((nowPs - frame.timestampPs) / 1000);
    info.echo = frame.echo;
    info.nack = nack;
    info.telemetry = frame.telemetry.get();
    qp.controller->OnAck(info, NanoSeconds(nowPs / 1000));
    Update(qp, nowPs);
}

void
RdmaSender::ReceiveNotification(const Frame& frame)
{
    RdmaQueuePair* qp = Find(frame);
    if (!qp)
    {
        return; // the message is complete
    }
    const Cnp* cnp = std::get_if<Cnp>(&frame.notification);
    if (cnp && cnp->code != CodePoint::CAPABLE) // which says that there is no congestion
    {
        (cnp->code == CodePoint::UNDETERMINED ? qp->cnpUe : qp->cnpCe)++;
    }
    const int64_t nowPs = OnEventGrid(frame.readyPs);
    RunTimers(*qp, nowPs);
    qp->controller->OnNotification(frame.notification, NanoSeconds(nowPs / 1000));
    Update(*qp, nowPs);
}

} // namespace ns3

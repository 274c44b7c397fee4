// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rdma-hw.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/flow-hash.h"
#include "ns3/frame-format.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/lossless-compat.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHw");
NS_OBJECT_ENSURE_REGISTERED(RdmaHw);

TypeId
RdmaHw::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaHw")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaHw>()
            .AddAttribute("Mtu",
                          "User bytes of a full data frame [B]",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&RdmaHw::m_mtu),
                          MakeUintegerChecker<uint32_t>(1, MAXIMUM_PAYLOAD_BYTES))
            .AddAttribute(
                "AckInterval",
                "Data frames for each acknowledgement; the last one is always acknowledged",
                UintegerValue(1),
                MakeUintegerAccessor(&RdmaHw::m_ackInterval),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AckPriority",
                          "Priority of ACK and NACK; -1 for that of the data",
                          IntegerValue(6),
                          MakeIntegerAccessor(&RdmaHw::m_ackPriority),
                          MakeIntegerChecker<int8_t>(-1, PRIORITIES - 1))
            .AddAttribute("CnpPriority",
                          "Priority of CNPs",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RdmaHw::m_cnpPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("SendCnp",
                          "Send CNPs as CnpRule says",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaHw::m_sendCnp),
                          MakeBooleanChecker())
            .AddAttribute("CnpInterval",
                          "Shortest time between two CNPs of one queue pair that say the same; "
                          "the period of CnpRule ReceiveRate",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&RdmaHw::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CnpRule",
                          "What causes a CNP: a mark (DCQCN), or the end of a CnpInterval, with "
                          "the rate of arrival in it (PCN)",
                          EnumValue(MARKS),
                          LOSSLESS_ENUM_ACCESSOR(CnpRule, &RdmaHw::m_cnpRule),
                          MakeEnumChecker(MARKS, "Marks", RECEIVE_RATE, "ReceiveRate"))
            .AddAttribute("MarkedShare",
                          "CnpRule ReceiveRate: share of a period's frames with CE from which on "
                          "its CNP says CE",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&RdmaHw::m_markedShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("EcnCapable",
                          "Send data with code point 01, so that it can be marked, instead of 00",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaHw::m_capable),
                          MakeBooleanChecker())
            .AddAttribute("Telemetry",
                          "Send data with an INT block, 42 bytes on the wire, which switches with "
                          "IntTelemetry fill and acknowledgements bring back (HPCC)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHw::m_telemetry),
                          MakeBooleanChecker())
            .AddAttribute("RdmaWrite",
                          "Send RDMA WRITE, whose first frame carries a RETH, instead of SEND",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHw::m_write),
                          MakeBooleanChecker())
            .AddAttribute("VlanTag",
                          "Tag frames with 802.1Q",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHw::m_tagged),
                          MakeBooleanChecker())
            .AddAttribute("RetransmissionTimeout",
                          "Without progress for so long, all that is unacknowledged is sent again "
                          "(InfiniBand's 4.096 us x 2^14)",
                          TimeValue(NanoSeconds(67108864)),
                          MakeTimeAccessor(&RdmaHw::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RateController",
                          "Forked for each queue pair; a fixed rate by default",
                          PointerValue(),
                          MakePointerAccessor(&RdmaHw::m_controller),
                          MakePointerChecker<RateController>())
            .AddTraceSource("MessageCompleted",
                            "Sender: a message is acknowledged to its end",
                            MakeTraceSourceAccessor(&RdmaHw::m_completedTrace),
                            "ns3::RdmaHw::CompletionTracedCallback")
            .AddTraceSource("MessageReceived",
                            "Receiver: a message has arrived",
                            MakeTraceSourceAccessor(&RdmaHw::m_receivedTrace),
                            "ns3::RdmaHw::ReceptionTracedCallback")
            .AddTraceSource("Rate",
                            "A queue pair's rate changed: (flow, bit/s), when it is next looked at",
                            MakeTraceSourceAccessor(&RdmaHw::m_rateTrace),
                            "ns3::RdmaHw::RateTracedCallback");
    return tid;
}

RdmaHw::RdmaHw()
    : m_senders(FIRST_QUEUE_PAIR),
      m_receivers(FIRST_QUEUE_PAIR),
      m_timeoutEvent(this)
{
}

RdmaHw::~RdmaHw() = default;

void
RdmaHw::DoDispose()
{
    m_timeoutEvent.Disarm();
    m_paced.clear();
    for (auto& round : m_rounds)
    {
        round.clear();
    }
    m_outstanding.clear();
    m_senders.clear();
    m_receivers.clear();
    m_controller = nullptr;
    m_device = nullptr;
    Object::DoDispose();
}

void
RdmaHw::Install(Ptr<QbbNetDevice> device, uint32_t endpoint, Ipv4Address address)
{
    m_device = PeekPointer(device);
    m_overhead = device->GetInterFrameOverhead();
    m_endpoint = endpoint;
    m_address = address;
    if (!m_controller)
    {
        m_controller = CreateObject<RateController>();
    }
    // Learns of impossible attributes now and not when the first message starts; any path will do.
    m_controller->Fork()->Start(device->GetDataRate().GetBitRate(),
                                MicroSeconds(1),
                                GetLargestWireBytes(),
                                Time(0));
    m_timeoutEvent.SetContext(device->GetNode()->GetId());
    device->SetSink(this, 0);
    device->SetSource(this);
}

RdmaHw::Connection
RdmaHw::Connect(Ptr<RdmaHw> remote)
{
    Connection connection;
    connection.local = m_senders.size();
    m_senders.emplace_back();
    connection.remote = remote->m_receivers.size();
    remote->m_receivers.emplace_back();
    return connection;
}

void
RdmaHw::Send(Connection connection, Ptr<const RdmaHw> remote, const Message& message)
{
    NS_ABORT_MSG_IF(message.bytes == 0, "flow " << message.flow << ": a message of 0 bytes");
    NS_ABORT_MSG_IF(Simulator::Now() > NanoSeconds(HORIZON_NS),
                    "flow " << message.flow << " starts after " << HORIZON_NS / 1000000000
                            << " s, to which links count time");
    NS_ABORT_MSG_IF(m_write && message.bytes > std::numeric_limits<uint32_t>::max(),
                    "flow " << message.flow << ": an RDMA WRITE of " << message.bytes
                            << " B, expected less than 4 GiB, the limit of its header");
    NS_ABORT_MSG_IF(message.priority >= PRIORITIES,
                    "flow " << message.flow << ": priority " << +message.priority
                            << ", expected 0..7");
    NS_ABORT_MSG_IF(m_senders.at(connection.local),
                    "flow " << message.flow << ": its connection is in use");
    NS_ABORT_MSG_IF(remote->m_receivers.at(connection.remote).finishedPackets != 0,
                    "flow " << message.flow << ": its connection has carried a message");
    auto owner = std::make_unique<RdmaQueuePair>();
    RdmaQueuePair& qp = *owner;
    m_senders[connection.local] = std::move(owner);
    m_active++;
    qp.number = connection.local;
    qp.remoteNumber = connection.remote;
    qp.flow = message.flow;
    qp.destination = remote->m_endpoint;
    qp.hash = GetFlowHash(message.udpSource, remote);
    qp.priority = message.priority;
    qp.bytes = message.bytes;
    qp.packets = GetPackets(message.bytes);
    qp.addresses.sourceIp = m_address.Get();
    qp.addresses.destinationIp = remote->m_address.Get();
    Mac48Address::ConvertFrom(m_device->GetAddress()).CopyTo(qp.addresses.sourceMac);
    Mac48Address::ConvertFrom(remote->m_device->GetAddress()).CopyTo(qp.addresses.destinationMac);
    qp.addresses.udpSource = message.udpSource;
    qp.start = Simulator::Now();
    qp.controller = m_controller->Fork();
    qp.controller->Start(m_device->GetDataRate().GetBitRate(),
                         message.baseRtt,
                         GetLargestWireBytes(),
                         qp.start);
    qp.rateBps = qp.controller->GetRateBps();
    qp.nextSendPs = NowPs();
    m_device->NotifyReady(Link(qp), qp.nextSendPs);
}

Ptr<QbbNetDevice>
RdmaHw::GetDevice() const
{
    return m_device;
}

uint32_t
RdmaHw::GetEndpoint() const
{
    return m_endpoint;
}

Ipv4Address
RdmaHw::GetAddress() const
{
    return m_address;
}

int8_t
RdmaHw::GetAckPriority() const
{
    return m_ackPriority;
}

uint8_t
RdmaHw::GetCnpPriority() const
{
    return m_cnpPriority;
}

uint32_t
RdmaHw::GetMtu() const
{
    return m_mtu;
}

uint32_t
RdmaHw::GetAckInterval() const
{
    return m_ackInterval;
}

uint32_t
RdmaHw::GetPackets(uint64_t bytes) const
{
    const uint64_t packets = bytes / m_mtu + (bytes % m_mtu > 0);
    constexpr uint32_t MOST = std::numeric_limits<uint32_t>::max();
    if (packets > MOST)
    {
        throw InputError("message",
                         std::to_string(bytes) + " B",
                         "at most " + std::to_string(static_cast<uint64_t>(MOST) * m_mtu) +
                             " B, which are 2^32 - 1 frames of " + std::to_string(m_mtu) +
                             " B (ns3::RdmaHw::Mtu)");
    }
    return static_cast<uint32_t>(packets);
}

uint32_t
RdmaHw::GetDataFrameBytes(uint64_t bytes, uint32_t psn) const
{
    const uint64_t offset = static_cast<uint64_t>(psn) * m_mtu;
    const auto payload = static_cast<uint32_t>(std::min<uint64_t>(m_mtu, bytes - offset));
    return DataFrameBytes(payload, m_write && psn == 0, m_tagged);
}

uint32_t
RdmaHw::GetLargestWireBytes() const
{
    return DataFrameBytes(m_mtu, m_write, m_tagged, m_telemetry) + m_overhead;
}

uint32_t
RdmaHw::GetAckFrameBytes() const
{
    return AckFrameBytes(m_tagged);
}

uint32_t
RdmaHw::GetFlowHash(uint16_t udpSource, Ptr<const RdmaHw> remote) const
{
    return HashFlow(m_address.Get(), remote->m_address.Get(), udpSource);
}

uint32_t
RdmaHw::GetActiveMessages() const
{
    return m_active;
}

uint32_t
RdmaHw::GetIncomingMessages() const
{
    return static_cast<uint32_t>(
        std::count_if(m_receivers.begin(), m_receivers.end(), [](const ReceiverSlot& slot) {
            return slot.receiver != nullptr;
        }));
}

RdmaReception
RdmaHw::Describe(const RdmaReceiver& receiver)
{
    RdmaReception reception;
    reception.flow = receiver.flow;
    reception.packets = receiver.packets;
    reception.packetsCe = receiver.packetsCe;
    reception.packetsUe = receiver.packetsUe;
    return reception;
}

std::vector<RdmaReception>
RdmaHw::GetReceptions() const
{
    std::vector<RdmaReception> receptions;
    for (const ReceiverSlot& slot : m_receivers)
    {
        if (slot.receiver && slot.finishedPackets == 0)
        {
            receptions.push_back(Describe(*slot.receiver));
        }
    }
    return receptions;
}

// ---- sending ---------------------------------------------------------------------------------

void
RdmaHw::RunTimers(RdmaQueuePair& qp, int64_t nowPs)
{
    const Time now = NanoSeconds(nowPs / 1000);
    for (Time due = qp.controller->NextTimer(); due <= now; due = qp.controller->NextTimer())
    {
        qp.controller->OnTimer(due);
    }
}

bool
RdmaHw::IsWindowOpen(const RdmaQueuePair& qp) const
{
    return static_cast<uint64_t>(qp.next - qp.acked) * m_mtu < qp.controller->GetWindowBytes();
}

bool
RdmaHw::MaySend(const RdmaQueuePair& qp) const
{
    return qp.asked <= qp.acked || IsWindowOpen(qp);
}

void
RdmaHw::GoBack(RdmaQueuePair& qp)
{
    qp.next = qp.acked;
    qp.asked = qp.acked;
}

void
RdmaHw::Unlink(RdmaQueuePair& qp)
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
RdmaHw::Link(RdmaQueuePair& qp)
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
RdmaHw::GapPs(const RdmaQueuePair& qp)
{
    const double gapPs = qp.lastWireBytes * 8e12 / qp.rateBps;
    return gapPs < FAR_PS ? std::llround(gapPs) : FAR_PS; // a rate of 0 waits for its next change
}

bool
RdmaHw::NoteRate(RdmaQueuePair& qp) const
{
    const double rateBps = qp.controller->GetRateBps();
    if (rateBps == qp.rateBps)
    {
        return false;
    }
    qp.rateBps = rateBps;
    if (!m_rateTrace.IsEmpty())
    {
        m_rateTrace(qp.flow, rateBps);
    }
    return true;
}

void
RdmaHw::Update(RdmaQueuePair& qp, int64_t nowPs)
{
    const bool rateChanged = NoteRate(qp);
    // One that waited for a timer with a closed window may have a wakePs after nextSendPs.
    const bool sending = qp.state == RdmaQueuePair::State::READY ||
                         (qp.state == RdmaQueuePair::State::PACED && qp.wakePs <= qp.nextSendPs);
    if (sending && !rateChanged && qp.next < qp.packets && MaySend(qp))
    {
        return;
    }
    Unlink(qp);
    // The whole gap is counted again at the new rate, so that a large cut does not lag by a frame.
    qp.nextSendPs = qp.lastStartPs + GapPs(qp);
    const int64_t wakePs = Link(qp);
    if (wakePs != NEVER_PS)
    {
        m_device->NotifyReady(wakePs, nowPs);
    }
}

PrioritySet
RdmaHw::GetReady(int64_t nowPs)
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
            Unlink(qp);
            Link(qp);
        }
        else
        {
            Unlink(qp);
            qp.state = RdmaQueuePair::State::READY;
            m_rounds[qp.priority].push_back(qp);
            m_ready |= 1 << qp.priority;
        }
    }
    return m_ready;
}

int64_t
RdmaHw::GetNextReadyPs(PrioritySet on) const
{
    if (m_ready & on)
    {
        return 0;
    }
    return m_paced.empty() ? NEVER_PS : m_paced.begin()->wakePs;
}

FramePtr
RdmaHw::Pull(uint8_t priority, int64_t freePs, int64_t nowPs)
{
    RdmaQueuePair& qp = m_rounds[priority].front();
    Unlink(qp);
    RunTimers(qp, nowPs);
    const uint64_t offset = static_cast<uint64_t>(qp.next) * m_mtu;
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::DATA;
    frame->priority = priority;
    frame->codePoint = m_capable ? CodePoint::CAPABLE : CodePoint::NOT_CAPABLE;
    frame->payload = static_cast<uint32_t>(std::min<uint64_t>(m_mtu, qp.bytes - offset));
    frame->firstOfMessage = qp.next == 0;
    frame->lastOfMessage = qp.next + 1 == qp.packets;
    frame->ackRequest = frame->lastOfMessage || (qp.next + 1) % m_ackInterval == 0;
    frame->write = m_write;
    frame->messageBytes = m_write && qp.next == 0 ? static_cast<uint32_t>(qp.bytes) : 0;
    frame->tagged = m_tagged;
    frame->bytes = DataFrameBytes(frame->payload, m_write && qp.next == 0, m_tagged, m_telemetry);
    if (m_telemetry)
    {
        frame->telemetry = MakeIntBlock();
    }
    frame->flow = qp.flow;
    frame->queuePair = qp.remoteNumber;
    frame->sourceQueuePair = qp.number;
    frame->psn = qp.next;
    frame->source = m_endpoint;
    frame->destination = qp.destination;
    frame->hash = qp.hash;
    frame->addresses = qp.addresses;
    frame->readyPs = qp.nextSendPs;
    qp.lastStartPs = TransmissionStartPs(freePs, qp.nextSendPs, nowPs);
    qp.lastWireBytes = frame->bytes + m_overhead;
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
        m_timeoutEvent.Arm(m_outstanding.front().progressPs + ToPs(m_timeout), nowPs);
    }
    qp.retransmitted += qp.next < qp.highest;
    qp.next++;
    qp.highest = std::max(qp.highest, qp.next);
    qp.controller->OnSent(qp.lastWireBytes, NanoSeconds(nowPs / 1000));
    NoteRate(qp);
    qp.nextSendPs = qp.lastStartPs + GapPs(qp);
    // Who waits for an acknowledgement asks for one, however long the interval is.
    frame->ackRequest |= !IsWindowOpen(qp);
    qp.asked = frame->ackRequest ? qp.next : qp.asked;
    Link(qp);
    return frame;
}

void
RdmaHw::CheckTimeouts(int64_t nowPs)
{
    const int64_t timeoutPs = ToPs(m_timeout);
    while (!m_outstanding.empty() && m_outstanding.front().progressPs + timeoutPs <= nowPs)
    {
        RdmaQueuePair& qp = m_outstanding.front();
        m_outstanding.pop_front();
        NS_LOG_INFO("flow " << qp.flow << " times out at PSN " << qp.acked);
        Unlink(qp);
        GoBack(qp);
        qp.state = RdmaQueuePair::State::SENT;
        Update(qp, nowPs);
    }
    if (!m_outstanding.empty())
    {
        m_timeoutEvent.Arm(m_outstanding.front().progressPs + timeoutPs, nowPs);
    }
}

void
RdmaHw::Complete(RdmaQueuePair& qp)
{
    Unlink(qp);
    if (qp.outstandingHook.is_linked())
    {
        m_outstanding.erase(m_outstanding.iterator_to(qp));
    }
    const std::unique_ptr<RdmaQueuePair> owner = std::move(m_senders[qp.number]);
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
    m_completedTrace(completion);
}

// ---- receiving -------------------------------------------------------------------------------

void
RdmaHw::FrameArrived(uint32_t, FramePtr frame)
{
    switch (frame->kind)
    {
    case FrameKind::DATA:
        ReceiveData(std::move(frame));
        break;
    case FrameKind::ACK:
    case FrameKind::NACK:
        ReceiveAck(*frame);
        break;
    case FrameKind::CNP:
        ReceiveCnp(*frame);
        break;
    default:
        m_device->DeliverToStack(std::move(frame));
    }
}

void
RdmaHw::FrameDeparted(const Frame&)
{
}

void
RdmaHw::ReceiveAck(const Frame& frame)
{
    RdmaQueuePair* found =
        frame.queuePair < m_senders.size() ? m_senders[frame.queuePair].get() : nullptr;
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
        const uint64_t before =
            std::min<uint64_t>(static_cast<uint64_t>(qp.acked) * m_mtu, qp.bytes);
        const uint64_t after = std::min<uint64_t>(static_cast<uint64_t>(acked) * m_mtu, qp.bytes);
        info.ackedBytes = after - before;
        qp.acked = acked;
        qp.next = std::max(qp.next, acked);
        qp.progressPs = nowPs;
        if (qp.outstandingHook.is_linked())
        {
            m_outstanding.erase(m_outstanding.iterator_to(qp));
        }
        if (qp.acked == qp.packets)
        {
            Complete(qp);
            return;
        }
        if (qp.next > qp.acked)
        {
            m_outstanding.push_back(qp);
        }
    }
    if (nack && acked == qp.acked)
    {
        if (qp.state == RdmaQueuePair::State::PACED || qp.state == RdmaQueuePair::State::READY)
        {
            Unlink(qp);
        }
        qp.state = RdmaQueuePair::State::SENT;
        GoBack(qp);
    }
    info.ackedTotal = std::min<uint64_t>(static_cast<uint64_t>(qp.acked) * m_mtu, qp.bytes);
    info.sentTotal = std::min<uint64_t>(static_cast<uint64_t>(qp.next) * m_mtu, qp.bytes);
    info.rtt = NanoSeconds((nowPs - frame.timestampPs) / 1000);
    info.echo = frame.echo;
    info.nack = nack;
    info.telemetry = frame.telemetry.get();
    qp.controller->OnAck(info, NanoSeconds(nowPs / 1000));
    Update(qp, nowPs);
}

void
RdmaHw::ReceiveCnp(const Frame& frame)
{
    RdmaQueuePair* qp =
        frame.queuePair < m_senders.size() ? m_senders[frame.queuePair].get() : nullptr;
    if (!qp)
    {
        return; // the message is complete
    }
    if (frame.feedback.code != CodePoint::CAPABLE) // which says that there is no congestion
    {
        (frame.feedback.code == CodePoint::UNDETERMINED ? qp->cnpUe : qp->cnpCe)++;
    }
    const int64_t nowPs = OnEventGrid(frame.readyPs);
    RunTimers(*qp, nowPs);
    qp->controller->OnCnp(frame.feedback, NanoSeconds(nowPs / 1000));
    Update(*qp, nowPs);
}

void
RdmaHw::ReceiveData(FramePtr frame)
{
    if (frame->queuePair >= m_receivers.size())
    {
        m_device->Drop(std::move(frame), QbbNetDevice::UNKNOWN_RECEIVER);
        return;
    }
    ReceiverSlot& slot = m_receivers[frame->queuePair];
    if (!slot.receiver)
    {
        slot.receiver = std::make_unique<RdmaReceiver>();
        RdmaReceiver& fresh = *slot.receiver;
        fresh.flow = frame->flow;
        fresh.source = frame->source;
        fresh.remoteNumber = frame->sourceQueuePair;
        fresh.addresses = frame->addresses;
        std::swap(fresh.addresses.sourceIp, fresh.addresses.destinationIp);
        std::swap(fresh.addresses.sourceMac, fresh.addresses.destinationMac);
        fresh.hash = HashFlow(fresh.addresses.sourceIp,
                              fresh.addresses.destinationIp,
                              fresh.addresses.udpSource);
        // A message that had arrived already and is sent again, as its last ACK was lost.
        fresh.expected = slot.finishedPackets;
    }
    RdmaReceiver& receiver = *slot.receiver;
    receiver.packets++;
    if (frame->codePoint >= CodePoint::UNDETERMINED && slot.finishedPackets == 0)
    {
        AnswerMark(receiver, *frame);
    }
    if (m_cnpRule == RECEIVE_RATE && slot.finishedPackets == 0)
    {
        MeasureRate(receiver, *frame);
    }
    receiver.echo = std::max(receiver.echo, frame->codePoint);
    if (frame->psn > receiver.expected)
    {
        if (!receiver.nacked)
        {
            receiver.nacked = true;
            Acknowledge(receiver, *frame, FrameKind::NACK);
        }
        return;
    }
    const bool fresh = frame->psn == receiver.expected;
    if (fresh)
    {
        receiver.expected++;
        receiver.nacked = false;
    }
    if (frame->ackRequest || !fresh)
    {
        Acknowledge(receiver, *frame, FrameKind::ACK);
    }
    if (fresh && frame->lastOfMessage)
    {
        const RdmaReception reception = Describe(receiver);
        slot.finishedPackets = receiver.expected;
        slot.receiver.reset();
        m_receivedTrace(reception);
    }
    else if (slot.finishedPackets)
    {
        slot.receiver.reset();
    }
}

FramePtr
RdmaHw::MakeReply(const RdmaReceiver& receiver, const Frame& data, FrameKind kind) const
{
    FramePtr reply = MakeFrame();
    reply->kind = kind;
    reply->tagged = data.tagged;
    reply->flow = data.flow;
    reply->source = m_endpoint;
    reply->destination = receiver.source;
    reply->hash = receiver.hash;
    reply->queuePair = receiver.remoteNumber;
    reply->addresses = receiver.addresses;
    reply->readyPs = data.readyPs;
    return reply;
}

void
RdmaHw::Acknowledge(RdmaReceiver& receiver, Frame& data, FrameKind kind)
{
    FramePtr reply = MakeReply(receiver, data, kind);
    reply->telemetry = std::move(data.telemetry);
    reply->bytes = AckFrameBytes(data.tagged, reply->telemetry != nullptr);
    reply->priority = m_ackPriority < 0 ? data.priority : m_ackPriority;
    reply->psn = kind == FrameKind::NACK ? receiver.expected : receiver.expected - 1;
    reply->messageNumber = data.lastOfMessage ? 1 : 0;
    reply->timestampPs = data.timestampPs;
    reply->echo = receiver.echo;
    receiver.echo = CodePoint::NOT_CAPABLE;
    m_device->Enqueue(std::move(reply));
}

void
RdmaHw::AnswerMark(RdmaReceiver& receiver, const Frame& data)
{
    const bool ue = data.codePoint == CodePoint::UNDETERMINED;
    (ue ? receiver.packetsUe : receiver.packetsCe)++;
    int64_t& nextPs = ue ? receiver.nextCnpUePs : receiver.nextCnpCePs;
    const int64_t nowPs = OnEventGrid(data.readyPs);
    if (m_cnpRule != MARKS || !m_sendCnp || nowPs < nextPs)
    {
        return;
    }
    nextPs = nowPs + ToPs(m_cnpInterval);
    Frame::Feedback feedback;
    feedback.code = data.codePoint;
    NotifySender(receiver, data, feedback);
}

void
RdmaHw::MeasureRate(RdmaReceiver& receiver, const Frame& data)
{
    if (receiver.packets == 1)
    {
        receiver.periodStartPs = data.readyPs;
        return;
    }
    receiver.periodBytes += data.bytes + m_overhead;
    receiver.periodPackets++;
    receiver.periodPacketsCe += data.codePoint == CodePoint::CONGESTION;
    const int64_t elapsedPs = data.readyPs - receiver.periodStartPs;
    if (!m_sendCnp || elapsedPs <= 0 || elapsedPs < ToPs(m_cnpInterval))
    {
        return;
    }
    constexpr double UNIT_BPS = 1e7;
    const double rateBps = receiver.periodBytes * 8e12 / elapsedPs;
    Frame::Feedback feedback;
    feedback.fairRate = static_cast<uint32_t>(
        std::max(1.0, std::min(std::round(rateBps / UNIT_BPS), 4294967295.0)));
    feedback.code = receiver.periodPacketsCe >= m_markedShare * receiver.periodPackets
                        ? CodePoint::CONGESTION
                        : CodePoint::CAPABLE;
    NotifySender(receiver, data, feedback);
    receiver.periodStartPs = data.readyPs;
    receiver.periodBytes = 0;
    receiver.periodPackets = 0;
    receiver.periodPacketsCe = 0;
}

void
RdmaHw::NotifySender(const RdmaReceiver& receiver,
                     const Frame& data,
                     const Frame::Feedback& feedback)
{
    FramePtr cnp = MakeReply(receiver, data, FrameKind::CNP);
    cnp->bytes = CnpFrameBytes(data.tagged);
    cnp->priority = m_cnpPriority;
    cnp->feedback = feedback;
    m_device->Enqueue(std::move(cnp));
}

} // namespace ns3

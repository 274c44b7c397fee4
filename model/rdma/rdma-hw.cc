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
#include "ns3/lossless-compat.h"
#include "ns3/mark-notification-point.h"
#include "ns3/pointer.h"
#include "ns3/rate-notification-point.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

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
    : m_sender(*this),
      m_receiver(*this)
{
}

RdmaHw::~RdmaHw() = default;

void
RdmaHw::DoDispose()
{
    m_sender.Dispose();
    m_receiver.Dispose();
    m_controller = nullptr;
    if (m_reactionPoint)
    {
        m_reactionPoint->Dispose();
        m_reactionPoint = nullptr;
    }
    m_device = nullptr;
    Object::DoDispose();
}

void
RdmaHw::Install(Ptr<LosslessNetDevice> device, uint32_t endpoint, Ipv4Address address)
{
    m_device = PeekPointer(device);
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
    device->SetSink(this, 0);
    m_sender.Install();
    device->SetSource(&m_sender);
    m_receiver.Install();
}

void
RdmaHw::SetReactionPoint(Ptr<ReactionPoint> point)
{
    point->Start(m_device->GetDataRate().GetBitRate(), m_device->GetInterFrameOverhead());
    m_reactionPoint = point;
    m_reactionSource = std::make_unique<ReactionSource>(m_sender, *point, &m_device->GetQueues());
    m_device->SetSource(m_reactionSource.get());
    m_device->SetReactionPoint(point);
}

Ptr<ReactionPoint>
RdmaHw::GetReactionPoint() const
{
    return m_reactionPoint;
}

RdmaHw::Connection
RdmaHw::Connect(Ptr<RdmaHw> remote)
{
    Connection connection;
    connection.local = m_sender.AddQueuePair();
    connection.remote = remote->m_receiver.AddQueuePair();
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
    NS_ABORT_MSG_IF(m_sender.IsActive(connection.local),
                    "flow " << message.flow << ": its connection is in use");
    NS_ABORT_MSG_IF(remote->m_receiver.IsFinished(connection.remote),
                    "flow " << message.flow << ": its connection has carried a message");
    auto owner = std::make_unique<RdmaQueuePair>();
    RdmaQueuePair& qp = *owner;
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
    m_sender.Start(connection.local, std::move(owner));
}

Ptr<LosslessNetDevice>
RdmaHw::GetDevice() const
{
    return m_device;
}

Ipv4Address
RdmaHw::GetAddress() const
{
    return m_address;
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
    return m_device->GetEncapsulation().GetDataBytes(payload, m_write && psn == 0, m_tagged, false);
}

uint32_t
RdmaHw::GetLargestWireBytes() const
{
    return m_device->GetEncapsulation().GetDataBytes(m_mtu, m_write, m_tagged, m_telemetry) +
           m_device->GetInterFrameOverhead();
}

uint32_t
RdmaHw::GetAckFrameBytes() const
{
    return m_device->GetEncapsulation().GetAckBytes(m_tagged, false);
}

uint32_t
RdmaHw::GetFlowHash(uint16_t udpSource, Ptr<const RdmaHw> remote) const
{
    return HashFlow(m_address.Get(), remote->m_address.Get(), udpSource);
}

uint32_t
RdmaHw::GetActiveMessages() const
{
    return m_sender.GetActiveMessages();
}

uint32_t
RdmaHw::GetIncomingMessages() const
{
    return m_receiver.GetIncomingMessages();
}

std::vector<RdmaReception>
RdmaHw::GetReceptions() const
{
    return m_receiver.GetReceptions();
}

std::unique_ptr<NotificationPoint>
RdmaHw::MakeNotificationPoint() const
{
    if (m_cnpRule == RECEIVE_RATE)
    {
        return std::make_unique<RateNotificationPoint>(m_cnpInterval,
                                                       m_markedShare,
                                                       m_device->GetInterFrameOverhead());
    }
    return std::make_unique<MarkNotificationPoint>(m_cnpInterval);
}

void
RdmaHw::NotifyCompleted(const RdmaCompletion& completion) const
{
    m_completedTrace(completion);
}

void
RdmaHw::NotifyReceived(const RdmaReception& reception) const
{
    m_receivedTrace(reception);
}

void
RdmaHw::FrameArrived(uint32_t, FramePtr frame)
{
    switch (frame->kind)
    {
    case FrameKind::DATA:
        m_receiver.ReceiveData(std::move(frame));
        break;
    case FrameKind::ACK:
    case FrameKind::NACK:
        m_sender.ReceiveAck(*frame);
        break;
    case FrameKind::NOTIFICATION:
        ReceiveNotification(*frame);
        break;
    default:
        m_device->DeliverToStack(std::move(frame));
    }
}

void
RdmaHw::ReceiveNotification(const Frame& frame)
{
    if (m_reactionPoint)
    {
        const int64_t nowPs = OnEventGrid(frame.readyPs);
        if (m_reactionPoint->OnNotification(frame, nowPs))
        {
            // A limiter may have become faster.
            m_device->NotifyReady(m_reactionPoint->GetNextReadyPs(ALL_LANES), nowPs);
            return;
        }
    }
    m_sender.ReceiveNotification(frame);
}

void
RdmaHw::FrameDeparted(uint32_t, const Frame&, int64_t)
{
}

} // namespace ns3

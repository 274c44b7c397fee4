// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-queue-disc.h"

#include "lossless-channel.h"

#include "ns3/abort.h"
#include "ns3/attribute-text.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/frame-format.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/link-time.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"

#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LosslessQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(LosslessQueueDisc);

namespace
{

/**
 * @param header of a packet
 * @param code its new ECN bits
 * @returns the header with them
 */
Ipv4Header
WithCodePoint(Ipv4Header header, CodePoint code)
{
    header.SetEcn(static_cast<Ipv4Header::EcnType>(code));
    return header;
}

/// An item whose header shows a mark. ns-3's own items can show CE only.
class MarkedItem : public Ipv4QueueDiscItem
{
  public:
    /**
     * @param item before
     * @param code UE or CE
     */
    MarkedItem(const Ipv4QueueDiscItem& item, CodePoint code)
        : Ipv4QueueDiscItem(item.GetPacket(),
                            item.GetAddress(),
                            item.GetProtocol(),
                            WithCodePoint(item.GetHeader(), code))
    {
        SetTxQueueIndex(item.GetTxQueueIndex());
        SetTimeStamp(item.GetTimeStamp());
    }

    /// @returns true: it is marked; what QueueDisc::Mark() asks before it counts
    bool Mark() override
    {
        return true;
    }
};

} // namespace

TypeId
LosslessQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LosslessQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Lossless")
            .AddConstructor<LosslessQueueDisc>()
            .AddAttribute("MaxSize",
                          "Packets or bytes that the queue of each priority holds",
                          QueueSizeValue(QueueSize("10000p")),
                          MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "Scheduler",
                "Class of the EgressScheduler, of which each queue disc has one of its own",
                TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT,
                ObjectFactoryValue(EgressScheduler::GetFactory()),
                MakeObjectFactoryAccessor(&LosslessQueueDisc::SetScheduler),
                MakeClassChecker<EgressScheduler>("ns3::LosslessQueueDisc::Scheduler"))
            .AddAttribute("Detector",
                          "Class of the CongestionDetector of each priority; "
                          "ns3::CongestionDetector for none",
                          TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT,
                          ObjectFactoryValue(CongestionDetector::GetFactory()),
                          MakeObjectFactoryAccessor(&LosslessQueueDisc::SetDetectors),
                          MakeClassChecker<CongestionDetector>("ns3::LosslessQueueDisc::Detector"));
    return tid;
}

LosslessQueueDisc::LosslessQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES)
{
}

LosslessQueueDisc::~LosslessQueueDisc() = default;

void
LosslessQueueDisc::DoDispose()
{
    if (m_device)
    {
        m_device->TraceDisconnectWithoutContext(
            "Dequeue",
            MakeCallback(&LosslessQueueDisc::PortDequeued, this));
        m_device->TraceDisconnectWithoutContext(
            "Gate",
            MakeCallback(&LosslessQueueDisc::GateChanged, this));
        m_device = nullptr;
    }
    m_queues.Clear();
    m_scheduler = nullptr;
    QueueDisc::DoDispose();
}

void
LosslessQueueDisc::SetDetectors(ObjectFactory factory)
{
    const bool none = factory.GetTypeId() == CongestionDetector::GetTypeId();
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        Ptr<CongestionDetector> detector;
        if (!none)
        {
            detector = factory.Create<CongestionDetector>();
            NS_ABORT_MSG_IF(!detector,
                            "Detector " << factory.GetTypeId().GetName()
                                        << " of a LosslessQueueDisc is no ns3::CongestionDetector");
        }
        SetDetector(p, detector);
    }
}

void
LosslessQueueDisc::SetScheduler(ObjectFactory factory)
{
    m_scheduler = EgressScheduler::Make(factory);
}

Ptr<EgressScheduler>
LosslessQueueDisc::GetScheduler() const
{
    return m_scheduler;
}

void
LosslessQueueDisc::SetDetector(uint8_t priority, Ptr<CongestionDetector> detector)
{
    m_queues.SetDetector(priority, detector);
    if (m_device)
    {
        AttachDetector(priority);
    }
}

Ptr<CongestionDetector>
LosslessQueueDisc::GetDetector(uint8_t priority) const
{
    return m_queues.GetDetector(priority);
}

QueueState
LosslessQueueDisc::GetQueueState(uint8_t priority) const
{
    return m_queues.GetState(priority);
}

int64_t
LosslessQueueDisc::AssignStreams(int64_t stream)
{
    return m_queues.AssignStreams(stream);
}

bool
LosslessQueueDisc::CheckConfig()
{
    NS_ABORT_MSG_IF(GetNInternalQueues() > 0,
                    "a LosslessQueueDisc makes its own internal queues, found "
                        << GetNInternalQueues());
    NS_ABORT_MSG_IF(GetNQueueDiscClasses() > 0,
                    "a LosslessQueueDisc has no classes, found " << GetNQueueDiscClasses());
    NS_ABORT_MSG_IF(GetNPacketFilters() > 0,
                    "a LosslessQueueDisc has no packet filters, found " << GetNPacketFilters());
    Ptr<NetDeviceQueueInterface> interface = GetNetDeviceQueueInterface();
    m_device = interface ? interface->GetObject<LosslessNetDevice>() : nullptr;
    NS_ABORT_MSG_IF(!m_device,
                    "a LosslessQueueDisc must be the root queue disc of a QbbNetDevice with a "
                    "NetDeviceQueueInterface, as QbbHelper makes it");
    return true;
}

void
LosslessQueueDisc::InitializeParams()
{
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        // DoEnqueue() drops, so that the reason is told.
        Ptr<InternalQueue> queue = CreateObject<DropTailQueue<QueueDiscItem>>();
        queue->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, std::numeric_limits<uint32_t>::max()));
        AddInternalQueue(queue);
        AttachDetector(p);
    }
    m_queues.StartTicks(m_device->GetNode()->GetId());
    m_device->TraceConnectWithoutContext("Dequeue",
                                         MakeCallback(&LosslessQueueDisc::PortDequeued, this));
    m_device->TraceConnectWithoutContext("Gate",
                                         MakeCallback(&LosslessQueueDisc::GateChanged, this));
}

void
LosslessQueueDisc::AttachDetector(uint8_t priority)
{
    Ptr<CongestionDetector> detector = m_queues.GetDetector(priority);
    if (!detector)
    {
        return;
    }
    DetectorContext context = m_device->MakeDetectorContext(priority);
    context.frameBytes = PacketFrameBytes(m_device->GetMtu()) + context.overheadBytes;
    detector->Attach(context);
}

bool
LosslessQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    // The device's select-queue callback: one transmission queue for each priority.
    const auto priority = static_cast<uint8_t>(item->GetTxQueueIndex());
    Ptr<InternalQueue> queue = GetInternalQueue(priority);
    const QueueSize limit = GetMaxSize();
    const uint64_t size = limit.GetUnit() == QueueSizeUnit::BYTES
                              ? uint64_t(queue->GetNBytes()) + item->GetSize()
                              : uint64_t(queue->GetNPackets()) + 1;
    if (size > limit.GetValue())
    {
        NS_LOG_INFO("node " << m_device->GetNode()->GetId() << " port " << m_device->GetIfIndex()
                            << " priority " << +priority << " exceeds " << limit);
        DropBeforeEnqueue(item, FULL_DROP);
        return false;
    }
    Ptr<Ipv4QueueDiscItem> ipv4 = DynamicCast<Ipv4QueueDiscItem>(item);
    FramePtr frame = StackAdapter::MakeFrame(item->GetSize(),
                                             item->GetProtocol(),
                                             priority,
                                             ipv4 ? &ipv4->GetHeader() : nullptr);
    const int64_t nowPs = frame->readyPs;
    m_queues.Offer(std::move(frame), nowPs);
    return queue->Enqueue(item);
}

Ptr<QueueDiscItem>
LosslessQueueDisc::DoDequeue()
{
    const LaneSet on = ~m_device->GetOff();
    const LaneSet ready = m_queues.GetWaiting() & on;
    if (!ready)
    {
        return nullptr;
    }
    const uint8_t priority = m_scheduler->Select(ready);
    if (m_device->GetWaiting() >> priority & 1)
    {
        return nullptr; // the port has one of them already; PortDequeued() comes when it leaves
    }
    Ptr<QueueDiscItem> item = GetInternalQueue(priority)->Dequeue();
    bool marked = false;
    const FramePtr frame = m_queues.Take(priority, NowPs(), marked);
    m_scheduler->Sent(priority, frame->bytes + m_device->GetInterFrameOverhead());
    if (marked)
    {
        // Only the code point of an IPv4 packet can change: others are not capable.
        item = Create<MarkedItem>(*DynamicCast<Ipv4QueueDiscItem>(item), frame->codePoint);
        Mark(item, frame->codePoint == CodePoint::CONGESTION ? CE_MARK : UE_MARK);
    }
    return item;
}

void
LosslessQueueDisc::PortDequeued(const Frame& frame)
{
    if (frame.kind == FrameKind::PACKET)
    {
        RunSoon();
    }
}

void
LosslessQueueDisc::GateChanged(uint8_t priority, bool off)
{
    m_queues.NotifyGate(priority, off, Simulator::Now());
    // OFF as well: what the port holds of this priority no longer keeps others waiting.
    RunSoon();
}

void
LosslessQueueDisc::RunSoon()
{
    // The port is in the middle of something.
    if (!m_runPending && m_queues.GetWaiting())
    {
        m_runPending = true;
        Simulator::ScheduleNow(&LosslessQueueDisc::RunNow, Ptr<LosslessQueueDisc>(this));
    }
}

void
LosslessQueueDisc::RunNow()
{
    m_runPending = false;
    if (m_device)
    {
        Run();
    }
}

} // namespace ns3

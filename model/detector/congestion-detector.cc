// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "congestion-detector.h"

#include "ns3/abort.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionDetector);

TypeId
CongestionDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionDetector")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<CongestionDetector>()
            .AddTraceSource("State",
                            "The port's state changed: (time, old state, new state)",
                            MakeTraceSourceAccessor(&CongestionDetector::m_stateTrace),
                            "ns3::CongestionDetector::StateTracedCallback")
            .AddTraceSource("Notification",
                            "The source of a frame is notified: (frame, notification)",
                            MakeTraceSourceAccessor(&CongestionDetector::m_notificationTrace),
                            "ns3::CongestionDetector::NotificationTracedCallback");
    return tid;
}

ObjectFactory
CongestionDetector::GetFactory()
{
    ObjectFactory factory;
    factory.SetTypeId(GetTypeId());
    return factory;
}

const char*
CongestionDetector::GetStateName(PortState state)
{
    switch (state)
    {
    case CONGESTION:
        return "congestion";
    case UNDETERMINED:
        return "undetermined";
    default:
        return "non-congestion";
    }
}

void
CongestionDetector::Attach(const DetectorContext& context)
{
    m_context = context;
    DoAttach();
}

void
CongestionDetector::SetNotify(Notify notify)
{
    m_notify = notify;
}

void
CongestionDetector::OnEnqueue(const Frame&, const QueueState&, Time)
{
}

void
CongestionDetector::OnDequeue(Frame&, const QueueState&, Time)
{
}

void
CongestionDetector::OnOff(Time)
{
}

void
CongestionDetector::OnOn(Time)
{
}

void
CongestionDetector::OnUpstreamPause(Time)
{
}

void
CongestionDetector::OnUpstreamResume(Time)
{
}

bool
CongestionDetector::SeesInputs() const
{
    return false;
}

void
CongestionDetector::OnInputFull(uint32_t, const FrameQueue&, Time)
{
}

Time
CongestionDetector::GetTickInterval() const
{
    return Time(0);
}

void
CongestionDetector::OnTick(const QueueState&, Time)
{
}

int64_t
CongestionDetector::AssignStreams(int64_t)
{
    return 0;
}

CongestionDetector::PortState
CongestionDetector::GetState() const
{
    return m_state;
}

bool
CongestionDetector::Mark(Frame& frame, CodePoint code)
{
    if (frame.codePoint == CodePoint::NOT_CAPABLE || frame.codePoint >= code)
    {
        return false;
    }
    frame.codePoint = code;
    return true;
}

void
CongestionDetector::DoAttach()
{
}

const DetectorContext&
CongestionDetector::Context() const
{
    return m_context;
}

uint64_t
CongestionDetector::ScaledThreshold(uint64_t bytes, DataRate referenceRate, double xoffShare) const
{
    if (referenceRate.GetBitRate() == 0)
    {
        return bytes;
    }
    NS_ABORT_MSG_IF(m_context.rateBps == 0, "the line rate is needed to scale a threshold");
    const double scale = static_cast<double>(m_context.rateBps) / referenceRate.GetBitRate();
    const auto scaled = static_cast<uint64_t>(bytes * scale + 0.5);
    const auto bound = static_cast<uint64_t>(xoffShare * m_context.ownXoffBytes);
    return bound > 0 && scaled > bytes ? std::max(bytes, std::min(scaled, bound)) : scaled;
}

void
CongestionDetector::SetState(PortState state, Time now)
{
    if (state != m_state)
    {
        const PortState old = m_state;
        m_state = state;
        m_stateTrace(now, old, state);
    }
}

void
CongestionDetector::NotifySource(const Frame& frame, const Notification& notification)
{
    m_notificationTrace(frame, notification);
    if (!m_notify.IsNull())
    {
        m_notify(frame, notification);
    }
}

} // namespace ns3

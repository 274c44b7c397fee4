// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "input-marking-detector.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(InputMarkingDetector);
NS_OBJECT_ENSURE_REGISTERED(InputOutputMarkingDetector);

TypeId
InputMarkingDetector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::InputMarkingDetector")
                            .SetParent<CongestionDetector>()
                            .SetGroupName("Lossless")
                            .AddConstructor<InputMarkingDetector>();
    return tid;
}

bool
InputMarkingDetector::SeesInputs() const
{
    return true;
}

void
InputMarkingDetector::OnInputFull(uint32_t, const FrameQueue& queue, Time now)
{
    Trigger(queue.Frames(), now);
}

void
InputMarkingDetector::Trigger(uint32_t waiting, Time now)
{
    m_toMark = waiting;
    SetState(m_toMark > 0 ? CONGESTION : NON_CONGESTION, now);
}

void
InputMarkingDetector::OnDequeue(Frame& frame, const QueueState&, Time now)
{
    if (m_toMark == 0)
    {
        return;
    }
    m_toMark--;
    Mark(frame, CodePoint::CONGESTION);
    if (m_toMark == 0)
    {
        SetState(NON_CONGESTION, now);
    }
}

uint32_t
InputMarkingDetector::GetToMark() const
{
    return m_toMark;
}

TypeId
InputOutputMarkingDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::InputOutputMarkingDetector")
            .SetParent<InputMarkingDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<InputOutputMarkingDetector>()
            .AddAttribute("OutputThreshold",
                          "An arrival at an output for which more packets wait marks them",
                          UintegerValue(8),
                          MakeUintegerAccessor(&InputOutputMarkingDetector::m_outputThreshold),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
InputOutputMarkingDetector::OnEnqueue(const Frame&, const QueueState& queue, Time now)
{
    if (queue.frames > m_outputThreshold)
    {
        Trigger(queue.frames, now);
    }
}

} // namespace ns3

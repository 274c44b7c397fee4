// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "naive-marking-detector.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NaiveMarkingDetector);

TypeId
NaiveMarkingDetector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NaiveMarkingDetector")
                            .SetParent<CongestionDetector>()
                            .SetGroupName("Lossless")
                            .AddConstructor<NaiveMarkingDetector>();
    return tid;
}

bool
NaiveMarkingDetector::SeesInputs() const
{
    return true;
}

void
NaiveMarkingDetector::OnInputFull(uint32_t input, const FrameQueue& queue, Time now)
{
    if (input >= m_toMark.size())
    {
        m_toMark.resize(input + 1); // once for each input at most
    }
    uint32_t waiting = 0;
    for (const Frame* frame = queue.Head(); frame; frame = frame->next)
    {
        waiting += frame->ingressPort == input;
    }
    m_toMarkInAll += waiting - m_toMark[input];
    m_toMark[input] = waiting;
    SetState(m_toMarkInAll > 0 ? CONGESTION : NON_CONGESTION, now);
}

void
NaiveMarkingDetector::OnDequeue(Frame& frame, const QueueState&, Time now)
{
    if (GetToMark(frame.ingressPort) == 0)
    {
        return;
    }
    m_toMark[frame.ingressPort]--;
    m_toMarkInAll--;
    Mark(frame, CodePoint::CONGESTION);
    if (m_toMarkInAll == 0)
    {
        SetState(NON_CONGESTION, now);
    }
}

uint32_t
NaiveMarkingDetector::GetToMark(uint32_t input) const
{
    return input < m_toMark.size() ? m_toMark[input] : 0;
}

} // namespace ns3

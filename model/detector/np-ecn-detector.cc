// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "np-ecn-detector.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NpEcnDetector);

TypeId
NpEcnDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NpEcnDetector")
            .SetParent<CongestionDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<NpEcnDetector>()
            .AddAttribute("Threshold",
                          "Queue above which a frame that was not paused is marked [B]. The papers "
                          "give none: the default is DCQCN's Kmax at 40 Gb/s",
                          UintegerValue(200000),
                          MakeUintegerAccessor(&NpEcnDetector::m_threshold),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
NpEcnDetector::OnEnqueue(const Frame&, const QueueState& queue, Time)
{
    m_waitingFrames = queue.frames;
}

void
NpEcnDetector::OnOn(Time)
{
    m_pausedFrames = m_waitingFrames;
}

void
NpEcnDetector::OnDequeue(Frame& frame, const QueueState& queue, Time)
{
    m_waitingFrames = queue.frames;
    if (m_pausedFrames > 0)
    {
        m_pausedFrames--;
    }
    else if (queue.bytes > m_threshold)
    {
        Mark(frame, CodePoint::CONGESTION);
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "reaction-source.h"

#include "ns3/egress-queues.h"

#include <algorithm>

namespace ns3
{

ReactionSource::ReactionSource(ConnectionSource& source,
                               ReactionPoint& point,
                               const EgressQueues* queues)
    : m_source(source),
      m_point(point),
      m_queues(queues)
{
}

void
ReactionSource::Absorb(uint8_t lane, int64_t nowPs)
{
    while ((m_source.GetReady(nowPs) >> lane & 1) &&
           m_point.Find(m_source.GetHeadFlow(lane), nowPs))
    {
        FramePtr frame = m_source.Pull(lane, nowPs, nowPs);
        const uint32_t connection = frame->sourceQueuePair;
        m_point.Offer(frame, false, nowPs);
        m_source.Hold(connection);
    }
}

LaneSet
ReactionSource::GetReady(int64_t nowPs)
{
    m_unlimited = m_source.GetReady(nowPs);
    if (!m_point.IsInUse())
    {
        return m_unlimited;
    }
    for (uint8_t lane = 0; lane < LANES; lane++)
    {
        if (m_unlimited >> lane & 1)
        {
            Absorb(lane, nowPs);
        }
    }
    m_unlimited = m_source.GetReady(nowPs);
    const LaneSet before = m_queues ? m_queues->GetWaiting() : 0;
    return m_unlimited | (m_point.GetReady(nowPs) & ~before);
}

int64_t
ReactionSource::GetNextReadyPs(LaneSet on) const
{
    return std::min(m_source.GetNextReadyPs(on), m_point.GetNextReadyPs(on));
}

FrameHead
ReactionSource::GetHead(uint8_t lane) const
{
    if (m_unlimited >> lane & 1)
    {
        return m_source.GetHead(lane);
    }
    const ReactionPoint::Head head = m_point.GetHead(lane);
    return {head.bytes, head.readyPs};
}

FramePtr
ReactionSource::Pull(uint8_t lane, int64_t startPs, int64_t nowPs)
{
    if (m_unlimited >> lane & 1)
    {
        return m_source.Pull(lane, startPs, nowPs);
    }
    FramePtr frame = m_point.Pull(lane, startPs, nowPs);
    if (frame->kind == FrameKind::DATA)
    {
        m_source.Release(frame->sourceQueuePair, nowPs);
    }
    return frame;
}

} // namespace ns3

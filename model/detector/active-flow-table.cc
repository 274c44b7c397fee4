// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "active-flow-table.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Slots at first.
constexpr std::size_t FEWEST_SLOTS = 16;

} // namespace

ActiveFlowTable::ActiveFlowTable()
    : m_slots(FEWEST_SLOTS)
{
}

void
ActiveFlowTable::Count(const Frame& frame, uint64_t place)
{
    std::size_t slot = FindSlot(frame.source, frame.sourceQueuePair);
    if (m_slots[slot] == 0)
    {
        // At most half of the slots are in use, so that a free one is near.
        if (2 * (m_flows.size() + 1) > m_slots.size())
        {
            Rebuild(2 * m_slots.size());
            slot = FindSlot(frame.source, frame.sourceQueuePair);
        }
        Flow flow;
        flow.source = frame.source;
        flow.sourceQueuePair = frame.sourceQueuePair;
        flow.destination = frame.destination;
        flow.hash = frame.hash;
        flow.tagged = frame.tagged;
        flow.addresses = frame.addresses;
        m_flows.push_back(flow);
        m_slots[slot] = static_cast<uint32_t>(m_flows.size());
    }
    Flow& flow = m_flows[m_slots[slot] - 1];
    flow.flow = frame.flow;
    flow.frames++;
    flow.newest = place;
}

void
ActiveFlowTable::Clear()
{
    if (!m_flows.empty())
    {
        m_flows.clear();
        Rebuild(m_slots.size());
    }
}

void
ActiveFlowTable::ForgetUpTo(uint64_t place)
{
    const auto end = std::remove_if(m_flows.begin(), m_flows.end(), [place](const Flow& flow) {
        return flow.newest <= place;
    });
    if (end != m_flows.end())
    {
        m_flows.erase(end, m_flows.end());
        Rebuild(m_slots.size());
    }
}

Frame
ActiveFlowTable::MakeSample(const Flow& flow)
{
    Frame frame;
    frame.kind = FrameKind::DATA;
    frame.source = flow.source;
    frame.sourceQueuePair = flow.sourceQueuePair;
    frame.destination = flow.destination;
    frame.hash = flow.hash;
    frame.flow = flow.flow;
    frame.tagged = flow.tagged;
    frame.addresses = flow.addresses;
    return frame;
}

std::size_t
ActiveFlowTable::FindSlot(uint32_t source, uint32_t queuePair) const
{
    // Multiplicative hashing; the upper half of the product depends on all bits of the key.
    const uint64_t key = static_cast<uint64_t>(source) << 32 | queuePair;
    std::size_t slot = (key * 0x9E3779B97F4A7C15u) >> 32;
    for (;; slot++)
    {
        slot &= m_slots.size() - 1;
        if (m_slots[slot] == 0)
        {
            return slot;
        }
        const Flow& flow = m_flows[m_slots[slot] - 1];
        if (flow.source == source && flow.sourceQueuePair == queuePair)
        {
            return slot;
        }
    }
}

void
ActiveFlowTable::Rebuild(std::size_t slots)
{
    m_slots.assign(slots, 0);
    for (std::size_t i = 0; i < m_flows.size(); i++)
    {
        m_slots[FindSlot(m_flows[i].source, m_flows[i].sourceQueuePair)] =
            static_cast<uint32_t>(i + 1);
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "credit-account.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

CreditCounter::CreditCounter(uint32_t bits)
    : m_mask((uint32_t(1) << bits) - 1),
      m_half(uint32_t(1) << (bits - 1))
{
    NS_ABORT_MSG_IF(bits < 8 || bits > MAXIMUM_BITS,
                    "credit counters of " << bits << " bits, expected 8 to " << MAXIMUM_BITS);
}

CreditReceiver::CreditReceiver(CreditCounter counter, uint32_t capacity)
    : m_counter(counter),
      m_capacity(capacity)
{
}

void
CreditReceiver::Receive(uint32_t blocks)
{
    NS_ABORT_MSG_IF(blocks > m_capacity - m_occupied,
                    blocks << " blocks came without credits: " << m_occupied << " of " << m_capacity
                           << " are in use");
    m_occupied += blocks;
    m_received = m_counter.Wrap(m_received + blocks);
}

void
CreditReceiver::Free(uint32_t blocks)
{
    NS_ABORT_MSG_IF(blocks > m_occupied,
                    blocks << " blocks leave a buffer that holds " << m_occupied);
    m_occupied -= blocks;
}

void
CreditReceiver::Adjust(uint32_t totalBlocksSent)
{
    m_received = m_counter.Wrap(totalBlocksSent);
}

uint32_t
CreditReceiver::GetLimit() const
{
    const uint32_t free = std::min(m_capacity - m_occupied, m_counter.GetHalf());
    return m_counter.Wrap(m_received + free);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PAUSE_GATE_H
#define PAUSE_GATE_H

#include "ns3/egress-scheduler.h"
#include "ns3/frame.h"

#include <algorithm>
#include <array>

namespace ns3
{

/**
 * ON or OFF for each priority of a sending port, driven by PFC frames and their timers
 * (IEEE 802.1Qbb): a pause time greater than zero starts or restarts the timer, zero or the timer's
 * end turns the priority ON.
 * @ingroup lossless
 */
class PauseGate
{
  public:
    /// @returns priorities that are OFF
    PrioritySet GetOff() const
    {
        return m_off;
    }

    /**
     * A pause or resume takes effect.
     * @param priority 0..7
     * @param untilPs when its timer ends [ps]; not after nowPs resumes
     * @param nowPs present time [ps]
     * @returns whether the priority changed between ON and OFF
     */
    bool Set(uint8_t priority, int64_t untilPs, int64_t nowPs)
    {
        const PrioritySet before = m_off;
        const PrioritySet bit = 1 << priority;
        m_untilPs[priority] = untilPs;
        m_off = untilPs > nowPs ? before | bit : before & ~bit;
        return m_off != before;
    }

    /// @param nowPs present time [ps] @returns priorities that are OFF and whose timer has ended
    PrioritySet GetExpired(int64_t nowPs) const
    {
        PrioritySet expired = 0;
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            expired |= (m_off >> p & 1 && m_untilPs[p] <= nowPs) << p;
        }
        return expired;
    }

    /// @returns when the first timer of a priority that is OFF ends [ps], NEVER_PS if all are ON
    int64_t GetNextExpiryPs() const
    {
        int64_t next = NEVER_PS;
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            next = m_off >> p & 1 ? std::min(next, m_untilPs[p]) : next;
        }
        return next;
    }

  private:
    PrioritySet m_off{0};                        //!< the priorities that are OFF
    std::array<int64_t, PRIORITIES> m_untilPs{}; //!< end of each timer
};

} // namespace ns3

#endif // PAUSE_GATE_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PAUSE_GATE_H
#define PAUSE_GATE_H

#include "ns3/frame.h"
#include "ns3/lane.h"

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
    LaneSet GetOff() const
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
        m_untilPs[priority] = untilPs;
        return !(m_overridden >> priority & 1) && Turn(priority, untilPs > nowPs);
    }

    /**
     * Pauses and resumes have no effect from now on, only their time is noted.
     * @param priority 0..7
     * @param off what it is meanwhile
     * @returns whether the priority changed between ON and OFF
     */
    bool Override(uint8_t priority, bool off)
    {
        m_overridden |= 1 << priority;
        return Turn(priority, off);
    }

    /**
     * Ends Override(): pauses and resumes have their effect again, the last one at once.
     * @param priority 0..7
     * @param nowPs present time [ps]
     * @returns whether the priority changed between ON and OFF
     */
    bool Follow(uint8_t priority, int64_t nowPs)
    {
        m_overridden &= ~(1 << priority);
        return Turn(priority, m_untilPs[priority] > nowPs);
    }

    /**
     * @param priority 0..7
     * @returns when the last pause ends, or when it was resumed [ps]
     */
    int64_t GetUntilPs(uint8_t priority) const
    {
        return m_untilPs[priority];
    }

    /**
     * @param nowPs present time [ps]
     * @returns priorities that are OFF and whose timer has ended
     */
    LaneSet GetExpired(int64_t nowPs) const
    {
        LaneSet expired = 0;
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            expired |= (GetTimed() >> p & 1 && m_untilPs[p] <= nowPs) << p;
        }
        return expired;
    }

    /// @returns when the first timer of a priority that is OFF ends [ps], NEVER_PS if all are ON
    int64_t GetNextExpiryPs() const
    {
        int64_t next = NEVER_PS;
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            next = GetTimed() >> p & 1 ? std::min(next, m_untilPs[p]) : next;
        }
        return next;
    }

  private:
    /**
     * @param priority 0..7
     * @param off becomes OFF or ON
     * @returns whether that is a change
     */
    bool Turn(uint8_t priority, bool off)
    {
        const LaneSet before = m_off;
        const LaneSet bit = 1 << priority;
        m_off = off ? before | bit : before & ~bit;
        return m_off != before;
    }

    /// @returns the priorities that are OFF until their timer ends
    LaneSet GetTimed() const
    {
        return m_off & ~m_overridden;
    }

    LaneSet m_off{0};                            //!< the priorities that are OFF
    LaneSet m_overridden{0};                     //!< those that pauses do not reach
    std::array<int64_t, PRIORITIES> m_untilPs{}; //!< end of each timer
};

} // namespace ns3

#endif // PAUSE_GATE_H

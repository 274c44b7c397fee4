// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef REUSABLE_EVENT_H
#define REUSABLE_EVENT_H

#include "ns3/event-impl.h"
#include "ns3/link-time.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * A wake-up call that allocates nothing: the event object is scheduled again and again.
 *
 * Arm() asks for a call of (owner->*METHOD)(present time) not later than a given time. A later wish
 * than the one pending schedules nothing; an earlier one schedules a second call, and the first
 * stays: METHOD may be called when there is nothing to do and looks at its owner's state. The times
 * of all pending calls are kept (as a stack, each earlier than the one below), so that a far one is
 * not scheduled again when a near one has come.
 * @tparam OWNER class that is called; it lives as long as events are pending or calls Disarm()
 * @tparam METHOD what is called
 * @ingroup lossless
 */
template <class OWNER, void (OWNER::*METHOD)(int64_t nowPs)>
class ReusableEvent
{
  public:
    /// @param owner who is called
    explicit ReusableEvent(OWNER* owner)
        : m_impl(new Impl(owner), false)
    {
    }

    ~ReusableEvent()
    {
        Disarm();
    }

    ReusableEvent(const ReusableEvent&) = delete;
    ReusableEvent& operator=(const ReusableEvent&) = delete;

    /// @param context node id of the owner
    void SetContext(uint32_t context)
    {
        m_context = context;
    }

    /**
     * @param ps exact time of the wish [ps]; one that has passed means now, one from FAR_PS on
     * never
     * @param nowPs present time [ps], given because asking the simulator costs
     */
    void Arm(int64_t ps, int64_t nowPs)
    {
        if (ps >= FAR_PS)
        {
            return;
        }
        const int64_t onGridPs = std::max(OnEventGrid(ps), nowPs);
        std::vector<int64_t>& pending = m_impl->m_pendingPs;
        if (pending.empty() || onGridPs < pending.back())
        {
            pending.push_back(onGridPs);
            m_impl->Ref();
            Simulator::ScheduleWithContext(m_context,
                                           NanoSeconds((onGridPs - nowPs) / 1000),
                                           PeekPointer(m_impl));
        }
    }

    /// The owner is going away: pending calls do nothing.
    void Disarm()
    {
        m_impl->m_owner = nullptr;
    }

  private:
    /// The event that ns-3's scheduler holds.
    class Impl : public EventImpl
    {
      public:
        explicit Impl(OWNER* owner)
            : m_owner(owner)
        {
        }

        OWNER* m_owner;                   //!< who is called
        std::vector<int64_t> m_pendingPs; //!< times of the pending calls, the earliest last

      private:
        void Notify() override
        {
            if (m_owner)
            {
                const int64_t nowPs = m_pendingPs.back();
                m_pendingPs.pop_back();
                try
                {
                    (m_owner->*METHOD)(nowPs);
                }
                catch (...)
                {
                    // Leaves Simulator::Run(), which gives up its reference only after a call that
                    // returns. The owner has another.
                    Unref();
                    throw;
                }
            }
        }
    };

    Ptr<Impl> m_impl;      //!< the event
    uint32_t m_context{0}; //!< node id
};

} // namespace ns3

#endif // REUSABLE_EVENT_H

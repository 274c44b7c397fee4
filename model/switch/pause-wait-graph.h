// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_PAUSE_WAIT_GRAPH_H
#define LOSSLESS_PAUSE_WAIT_GRAPH_H

#include "ns3/ethernet-switch.h"
#include "ns3/lossless-net-device.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Which egress queues of switches wait for which, as PFC has it at present, and those that wait for
 * ever: a PFC deadlock.
 *
 * A queue (egress port, priority) that holds frames and is OFF waits for the buffer of the ingress
 * port at the other end of its link, which asked for the pause. That buffer waits for the queues
 * that hold its frames. A set of queues is deadlocked if each of them is OFF and would stay so even
 * if all other queues ran empty: what the buffer holds in queues of the set is too much for Xon.
 * The largest such set is found, by taking out what can be resumed until nothing changes. Each of
 * its queues waits for another one of it, so there is a cycle; heavy pauses without one are none.
 *
 * A resume that is on its way is not seen, so one look may be too early: a queue of the set whose
 * oldest frame is the same at a second look, after the delay of any link, is deadlocked. See
 * RemoveMoved().
 *
 * An observer: reads queues, gates and buffers and changes nothing.
 * @ingroup lossless
 */
class PauseWaitGraph
{
  public:
    /// A queue that is OFF for ever.
    struct Wait
    {
        Ptr<LosslessNetDevice> port; //!< egress
        uint8_t priority{0};         //!< of the queue
        uint64_t bytes{0};           //!< in it [B]
        uint32_t frames{0};          //!< in it
        std::vector<uint32_t> flows; //!< of its frames, by number, each once
        int64_t lastArrivalPs{0};    //!< when the newest of its frames came [ps]
    };

    /// Nothing waits.
    PauseWaitGraph() = default;

    /// @param switches whose present state is read
    explicit PauseWaitGraph(const std::vector<Ptr<LosslessSwitch>>& switches);

    /// @returns whether no queue waits for ever
    bool IsEmpty() const;

    /// Takes out queues from which a frame has left, and then those that can be resumed.
    /// @param before the graph of an earlier time
    void RemoveMoved(const PauseWaitGraph& before);

    /// @returns all queues that wait for ever, those behind a cycle too, by node, port and priority
    std::vector<Wait> GetBlocked() const;

    /**
     * @returns a cycle: each queue waits for the next, the last for the first; where a buffer's
     * frames are in several queues, the one with most of its bytes. Empty if IsEmpty().
     */
    std::vector<Wait> GetCycle() const;

  private:
    /// A queue that is OFF and holds frames.
    struct Queue
    {
        Ptr<LosslessNetDevice> port;         //!< egress
        uint8_t priority{0};                 //!< of the queue
        const EthernetSwitch* next;          //!< at the other end of the link
        uint32_t ingress{0};                 //!< port there
        std::pair<uint64_t, int64_t> oldest; //!< what tells its oldest frame from others
        /// Queues that hold frames of (next, ingress): index and bytes.
        std::vector<std::pair<std::size_t, uint64_t>> waitsFor;
        bool blocked{true}; //!< is OFF for ever
    };

    /// Takes out what can be resumed.
    void Reduce();

    /**
     * @param queue one of m_queues
     * @returns what it tells of itself
     */
    static Wait Describe(const Queue& queue);

    std::vector<Queue> m_queues; //!< by node, port and priority
};

} // namespace ns3

#endif // LOSSLESS_PAUSE_WAIT_GRAPH_H

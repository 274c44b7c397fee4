// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_DEADLOCK_WATCH_H
#define LOSSLESS_DEADLOCK_WATCH_H

#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/pause-wait-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Ends a simulation that has come to a PFC deadlock, whether all flows wait or some.
 *
 * Looks at the fabric's PauseWaitGraph from events of its own, in simulated time. They change
 * nothing, and GetEvents() tells how many they were, so that results stay the same. What waits for
 * ever at two looks, with no frame that has left in between, is a deadlock. Two looks are 1 ms
 * apart; or longer, as a pause lasts (so that one which lapses, or the PFC watchdog, has helped if
 * it can); or less if the run is short.
 * @ingroup lossless
 */
class DeadlockWatch
{
  public:
    /// @param fabric built; lives as long as this
    explicit DeadlockWatch(const LosslessFabric& fabric);

    /// To be called before the simulation runs. @param stop when it ends at the latest
    void Start(Time stop);

    /// Looks again, after the simulation has ended.
    void Finish();

    /// @returns events of its own so far
    uint64_t GetEvents() const;

    /// @returns what was found, for an error: the cycle hop by hop and its flows; empty if nothing
    const std::string& GetDeadlock() const;

  private:
    /**
     * @param stop end of the run
     * @returns time from one look to the next
     */
    Time GetInterval(Time stop) const;

    /// Looks, comes again, or ends the simulation.
    void Look();

    /**
     * @returns text for GetDeadlock()
     * @param graph not empty
     */
    std::string Describe(const PauseWaitGraph& graph) const;

    const LosslessFabric& m_fabric; //!< looked at
    Time m_interval;                //!< from one look to the next
    PauseWaitGraph m_before;        //!< at the last look
    uint64_t m_events{0};           //!< of its own
    std::string m_deadlock;         //!< GetDeadlock()
};

/**
 * Looks for a cycle in the BufferDependencies of what flows send and, where they are in a lossless
 * priority, of their acknowledgements and notifications.
 * @param fabric built
 * @param flows whose paths are followed
 * @param lossless priorities under PFC
 * @returns the first cycle as a warning: hop by hop, each with a flow that goes on to the next;
 * empty if there is none
 * @ingroup lossless
 */
std::string DescribeCyclicDependency(const LosslessFabric& fabric,
                                     const std::vector<FlowSpec>& flows,
                                     LaneSet lossless);

} // namespace ns3

#endif // LOSSLESS_DEADLOCK_WATCH_H

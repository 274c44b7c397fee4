// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ACTIVE_FLOW_TABLE_H
#define ACTIVE_FLOW_TABLE_H

#include "ns3/frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * The flows of a queue, one entry for each sending queue pair, in order of their first frame.
 *
 * An entry keeps what it takes to notify the flow's source after the frame has gone. It is found by
 * hashing, without allocation once the table has had its largest number of flows; what is done for
 * each flow is done in the order of the entries.
 * @ingroup lossless
 */
class ActiveFlowTable
{
  public:
    /// One flow.
    struct Flow
    {
        uint32_t source{0};          //!< endpoint that sends it
        uint32_t sourceQueuePair{0}; //!< its queue pair there
        uint32_t destination{0};     //!< endpoint that it goes to
        uint32_t hash{0};            //!< for ECMP
        uint32_t flow{0};            //!< flow number of the newest frame
        bool tagged{false};          //!< with an 802.1Q tag
        FrameAddresses addresses;    //!< of the frames
        uint64_t frames{0};          //!< that came since the entry was made
        uint64_t newest{0};          //!< place of the newest one among all frames of the queue
    };

    ActiveFlowTable();

    /**
     * Finds the entry of a frame's flow, or makes it, and counts the frame.
     * @param frame of kind DATA
     * @param place of the frame among all frames of the queue
     */
    void Count(const Frame& frame, uint64_t place);

    /// @returns the flows, in order of their first frame
    const std::vector<Flow>& GetFlows() const
    {
        return m_flows;
    }

    /// Forgets all flows.
    void Clear();

    /// Forgets the flows whose newest frame is an old one. @param place frames up to it are old
    void ForgetUpTo(uint64_t place);

    /**
     * @param flow an entry
     * @returns a frame as that flow sends them, to notify its source
     */
    static Frame MakeSample(const Flow& flow);

  private:
    /**
     * @param source endpoint
     * @param queuePair there
     * @returns the slot that has it, or would
     */
    std::size_t FindSlot(uint32_t source, uint32_t queuePair) const;

    /// Enters all flows into slots, which are all empty again before. @param slots how many, a
    /// power of two
    void Rebuild(std::size_t slots);

    std::vector<Flow> m_flows;     //!< in order of the first frame
    std::vector<uint32_t> m_slots; //!< 1 + index of a flow, 0 for none; linear probing
};

} // namespace ns3

#endif // ACTIVE_FLOW_TABLE_H

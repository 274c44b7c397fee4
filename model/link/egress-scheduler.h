// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef EGRESS_SCHEDULER_H
#define EGRESS_SCHEDULER_H

#include "ns3/lane.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * Chooses the priority, the lane, that an egress port serves next, among those that are ON and have
 * a frame.
 *
 * The base class is strict priority: the highest number first.
 * @ingroup lossless
 */
class EgressScheduler : public Object
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns a factory of this class, strict priority
    static ObjectFactory GetFactory();

    /**
     * @param factory of an EgressScheduler
     * @returns a new one; another class ends the program with its name
     */
    static Ptr<EgressScheduler> Make(ObjectFactory factory);

    /**
     * @param ready priorities that can send, not empty
     * @returns the one to serve; the question may be asked again before anything is sent, so what
     * counts is counted by Sent()
     */
    virtual uint8_t Select(LaneSet ready);

    /**
     * A frame was taken.
     * @param priority its priority
     * @param bytes its size on the wire [B]
     */
    virtual void Sent(uint8_t priority, uint32_t bytes);

    /**
     * @param ready not empty
     * @returns the highest priority of the set
     */
    static uint8_t Highest(LaneSet ready)
    {
        uint8_t priority = 0;
        while (ready >>= 1)
        {
            priority++;
        }
        return priority;
    }
};

/**
 * Deficit round robin over the lower priorities, strict priority above them.
 *
 * A priority is served until it has used up its quantum (weight x Quantum); the frame's size is
 * debited when it is sent, and an overdraft is carried to the next round (surplus round robin), so
 * sizes need not be known beforehand: queue pairs are pulled. Long-term shares are those of
 * Shreedhar and Varghese's DRR (SIGCOMM 1995).
 * @ingroup lossless
 */
class DeficitRoundRobin : public EgressScheduler
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    DeficitRoundRobin();

    uint8_t Select(LaneSet ready) override;
    void Sent(uint8_t priority, uint32_t bytes) override;

    /**
     * @param priority 0..15
     * @param weight its share, at least 1
     */
    void SetWeight(uint8_t priority, uint32_t weight);

  private:
    uint32_t m_quantum{0};                  //!< bytes of one round for weight 1
    uint8_t m_strictFrom{0};                //!< this priority and those above it are strict
    uint8_t m_current{0};                   //!< priority being served
    std::array<uint32_t, LANES> m_weight;   //!< shares
    std::array<int64_t, LANES> m_deficit{}; //!< credit left [B]
};

} // namespace ns3

#endif // EGRESS_SCHEDULER_H

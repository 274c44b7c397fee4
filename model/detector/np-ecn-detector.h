// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef NP_ECN_DETECTOR_H
#define NP_ECN_DETECTOR_H

#include "ns3/congestion-detector.h"

#include <cstdint>

namespace ns3
{

/**
 * Non-PAUSE ECN (NP-ECN), the congestion point of PCN: frames that a pause held are not marked.
 *
 * Source: Cheng et al., "Re-architecting Congestion Management in Lossless Ethernet", NSDI 2020;
 * the same in section 7 of TCD (SIGCOMM 2021). When the port may send again, a counter takes the
 * number of frames in the queue: all that waited or arrived while it was OFF. A frame that leaves
 * while the counter is above 0 takes one from it and is not marked; any other is marked CE where
 * the queue behind it is above a threshold. Neither paper gives that threshold.
 *
 * The detector is told of frames and not of the queue, so it keeps the number that waits from one
 * call to the next.
 * @ingroup lossless
 */
class NpEcnDetector : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    void OnEnqueue(const Frame& frame, const QueueState& queue, Time now) override;
    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;
    void OnOn(Time now) override;

  private:
    uint64_t m_threshold;        //!< marks above [B]
    uint32_t m_waitingFrames{0}; //!< in the queue
    uint32_t m_pausedFrames{0};  //!< PN: in the queue since the last OFF
};

} // namespace ns3

#endif // NP_ECN_DETECTOR_H

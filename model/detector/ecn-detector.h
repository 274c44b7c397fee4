// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ECN_DETECTOR_H
#define ECN_DETECTOR_H

#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * Marks CE by RED on the instantaneous egress queue: DCQCN's congestion point.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015,
 * section 3.1. At dequeue, with q the bytes that wait behind the departing frame:
 *   - q <= Kmin: no mark;
 *   - Kmin < q < Kmax: mark with probability Pmax (q - Kmin) / (Kmax - Kmin);
 *   - q >= Kmax: mark.
 *
 * Kmin = Kmax gives DCTCP's step: mark where q > Kmin. The paper does not say when the queue is
 * looked at; simulators of DCQCN and TCD do it at dequeue. A random number is drawn only where the
 * probability is neither 0 nor 1 and the frame could be marked. No average of the queue is kept.
 * @ingroup lossless
 */
class EcnDetector : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    EcnDetector();

    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    /// Scales the thresholds. Kmin above Kmax, or Pmax outside 0..1, ends the program.
    void DoAttach() override;

    /**
     * Marks a frame that leaves by RED, as above.
     * @param frame the frame
     * @param queue without it
     */
    void MarkByRed(Frame& frame, const QueueState& queue);

    /// @returns Kmin at this port's rate [B], known from DoAttach() on
    uint64_t GetKmin() const;

    /// @returns Kmax at this port's rate [B], known from DoAttach() on
    uint64_t GetKmax() const;

  private:
    uint64_t m_kmin;          //!< as set [B]
    uint64_t m_kmax;          //!< as set [B]
    double m_pmax;            //!< probability just below Kmax
    DataRate m_referenceRate; //!< line rate for which Kmin and Kmax are meant, 0 for every rate

    uint64_t m_markAbove{0};             //!< Kmin at this port's rate [B]
    uint64_t m_markAll{0};               //!< Kmax at this port's rate [B]
    double m_slope{0};                   //!< probability for each byte above Kmin [1/B]
    Ptr<UniformRandomVariable> m_random; //!< decides between Kmin and Kmax
};

} // namespace ns3

#endif // ECN_DETECTOR_H

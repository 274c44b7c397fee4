// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef SAMPLING_DETECTOR_H
#define SAMPLING_DETECTOR_H

#include "ns3/congestion-detector.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * What the congestion points of ECM and QCN have in common: both sample the frames that arrive, one
 * for every so many bytes, and both put an identifier of the queue (CPID) into their messages.
 *
 * The queue at an arrival is what waits before the frame: neither the frame nor one that is being
 * serialised is part of it, so that a queue can be found empty. Messages of any kind and PFC frames
 * are never sampled, nor are their bytes counted.
 * @ingroup lossless
 */
class SamplingDetector : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    SamplingDetector();

    /// @returns the CPID of this queue: address of the switch, port in 13 bits, priority in 3
    const CongestionPointId& GetPoint() const;

    void OnEnqueue(const Frame& frame, const QueueState& queue, Time now) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoAttach() override;

    /// @returns a number from 0 to below 1
    double Random();

    /**
     * @param queueBytes what waits [B]
     * @returns bytes from the last sample on, the sampled frame included, that make a sample [B]
     */
    virtual double GetSamplingInterval(uint64_t queueBytes) const = 0;

    /**
     * A frame is sampled.
     * @param frame which
     * @param queueBytes what waits before it [B]
     * @param now present time
     */
    virtual void Sample(const Frame& frame, uint64_t queueBytes, Time now) = 0;

  private:
    Ptr<UniformRandomVariable> m_random; //!< 0 to 1
    CongestionPointId m_point;           //!< CPID
    uint64_t m_arrivedBytes{0};          //!< since the last sample [B]
};

} // namespace ns3

#endif // SAMPLING_DETECTOR_H

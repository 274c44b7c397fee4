// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef INPUT_MARKING_DETECTOR_H
#define INPUT_MARKING_DETECTOR_H

#include "ns3/congestion-detector.h"

#include <cstdint>

namespace ns3
{

/**
 * Input-triggered packet marking: Santos, Turner and Janakiraman, "Evaluation of Congestion
 * Detection Mechanisms for InfiniBand Switches", GLOBECOM 2002, section IV-B.
 *
 * When the buffer of an input becomes full, each output for which a packet in it waits is
 * congested, and all packets that wait for such an output are to be marked, whichever input they
 * came in by. Two counters do it without a search: cnt1, the packets that wait for the output, is
 * copied to cnt2 at each trigger; each packet that leaves while cnt2 is above 0 is marked and
 * counts it down. So the next packets to leave are marked, which need not be those that were there.
 *
 * cnt1 is the length of the virtual output queue: a packet that is being sent no longer waits, as
 * it can no longer be marked.
 *
 * The port is CONGESTION while cnt2 is above 0.
 * @ingroup lossless
 */
class InputMarkingDetector : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    bool SeesInputs() const override;
    void OnInputFull(uint32_t input, const FrameQueue& queue, Time now) override;
    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;

    /// @returns cnt2, packets that are to be marked
    uint32_t GetToMark() const;

  protected:
    /**
     * A marking event.
     * @param waiting cnt1
     * @param now present time
     */
    void Trigger(uint32_t waiting, Time now);

  private:
    uint32_t m_toMark{0}; //!< cnt2
};

/**
 * Input-output-triggered packet marking, section IV-C of the same paper: a packet that comes when
 * more than OutputThreshold of them wait for the output, itself included, is a marking event like a
 * full input buffer.
 *
 * The paper does not say whether "exceeds" counts a packet that is being sent: where it should, set
 * a threshold that is one less.
 * @ingroup lossless
 */
class InputOutputMarkingDetector : public InputMarkingDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    void OnEnqueue(const Frame& frame, const QueueState& queue, Time now) override;

  private:
    uint32_t m_outputThreshold; //!< OutputThreshold
};

} // namespace ns3

#endif // INPUT_MARKING_DETECTOR_H

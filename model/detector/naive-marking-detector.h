// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef NAIVE_MARKING_DETECTOR_H
#define NAIVE_MARKING_DETECTOR_H

#include "ns3/congestion-detector.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * Naive packet marking: Santos, Turner and Janakiraman, "Evaluation of Congestion Detection
 * Mechanisms for InfiniBand Switches", GLOBECOM 2002, section IV-A.
 *
 * When the buffer of an input becomes full, the packets in it are marked: here those of them that
 * wait for the detector's own output. The packets of one input leave in the order in which they
 * came, so that the next ones of that input to leave are those that were there.
 *
 * The port is CONGESTION while packets that are to be marked wait.
 * @ingroup lossless
 */
class NaiveMarkingDetector : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    bool SeesInputs() const override;
    void OnInputFull(uint32_t input, const FrameQueue& queue, Time now) override;
    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;

    /**
     * @param input port number
     * @returns packets of it that are to be marked
     */
    uint32_t GetToMark(uint32_t input) const;

  private:
    std::vector<uint32_t> m_toMark; //!< by input, as far as inputs have been full
    uint32_t m_toMarkInAll{0};      //!< their sum
};

} // namespace ns3

#endif // NAIVE_MARKING_DETECTOR_H

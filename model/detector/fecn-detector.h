// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FECN_DETECTOR_H
#define LOSSLESS_FECN_DETECTOR_H

#include "ns3/congestion-detector.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * InfiniBand's congestion point (IB CC): InfiniBand Architecture 1.3, volume 1, annex A10, as
 * described by Zhang et al., "Congestion Detection in Lossless Networks", SIGCOMM 2021,
 * sections 2.1 and 3.1.2. Marks are FECN, here CE.
 *
 * A queue above its threshold makes a port congested where the port is the root of congestion: it
 * has credits to send. One whose packets wait for credits is a victim, and does not mark, unless
 * its bit in VictimMask is set (as for ports to hosts, which only slow receivers can make victims).
 * Of the packets that a congested port sends, those smaller than PacketSize are never marked, and
 * of the others each is marked that comes after MarkingRate unmarked ones: the annex asks for that
 * number in the mean.
 *
 * The queue is what waits behind the departing packet. Nothing says how a packet is found to have
 * been delayed by a lack of credits; see Delay. The default is TCD's reading, by which "packets
 * arriving after the arrival of new credits" are marked, although their port is a victim.
 * @ingroup lossless
 */
class FecnDetector : public CongestionDetector
{
  public:
    /// Which packets were delayed by a lack of credits, and so are a victim's.
    enum Delay
    {
        WAITED, //!< those that were here when the lane was last OFF
        HEAD,   //!< the first one after each OFF: only that had no credits when its turn came
        NONE,   //!< none: a port that sends has credits, and any queue above the threshold is a
                //!< root's
    };

    /// Threshold in bytes, rather than a weight.
    static constexpr int8_t IN_BYTES = -1;
    static constexpr uint32_t WEIGHTS = 16; //!< weights are 0 to 15

    /// @returns the TypeId
    static TypeId GetTypeId();

    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;
    void OnOn(Time now) override;

    /// @returns queue above which this port is congested [B], known from Attach() on
    uint64_t GetThreshold() const;

  protected:
    /// Settles the threshold. A weight without known buffer throws InputError.
    void DoAttach() override;

  private:
    /**
     * @param frame leaves
     * @returns whether it had to wait for credits
     */
    bool WasDelayed(const Frame& frame) const;

    // Attributes
    uint64_t m_thresholdBytes; //!< Threshold [B]
    int8_t m_weight;           //!< Weight, IN_BYTES for none
    uint64_t m_bufferBytes;    //!< Buffer, 0 for what the context says [B]
    uint16_t m_markingRate;    //!< unmarked packets between two marked ones
    uint16_t m_packetSize;     //!< smallest that is marked [64 B]
    uint64_t m_victimMask;     //!< bit n: port n marks as a victim too
    Delay m_delay;             //!< what delays a packet

    uint64_t m_threshold{0};     //!< of this port [B]
    bool m_marksAsVictim{false}; //!< its bit in the mask is set
    uint32_t m_unmarked{0};      //!< eligible packets since the last mark
    int64_t m_onPs{0};           //!< when the last OFF ended [ps]
    bool m_isFirst{false};       //!< nothing left since
};

} // namespace ns3

#endif // LOSSLESS_FECN_DETECTOR_H

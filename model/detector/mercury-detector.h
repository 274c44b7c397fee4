// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef MERCURY_DETECTOR_H
#define MERCURY_DETECTOR_H

#include "ns3/data-rate.h"
#include "ns3/int-telemetry.h"
#include "ns3/nstime.h"
#include "ns3/queue-flow-table.h"

#include <cstdint>

namespace ns3
{

/**
 * Mercury at the switch: He et al., "Accurate and fast congestion feedback in MEC-enabled RDMA
 * datacenters", 2024, algorithms 1 and 2.
 *
 * The port's state is determined or undetermined, at first determined (algorithm 1):
 *   - OFF: rxByte = 0; while OFF, rxByte counts what joins the queue. The state stays.
 *   - ON, after Tpause: UNDETERMINED where the queue is at least Threshold and
 *     rxByte <= C Tpause, which the port could have sent meanwhile; else determined.
 *   - Dequeue at an undetermined port when timer T (Period) has expired: if the queue is at least
 *     Threshold and has decreased during T the timer starts anew, else the port is determined.
 *
 * A determined port is CONGESTION where the queue is above Threshold, else NON_CONGESTION. A data
 * frame that leaves in CONGESTION causes a CNP to its source with the window of its flow (algorithm
 * 2), at most one for each CnpInterval and flow:
 *
 *     window = C share baseRTT, at least one MTU; share = bytes of the flow in the queue / all
 *
 * No frame is marked. Frames with an INT block get the port's telemetry, for HPCC with Mercury's
 * window. What the paper leaves open is read so:
 *   - C Tpause is time on the wire, so rxByte counts frames with preamble and gap. The flow table
 *     counts them without, which hardly changes a share.
 *   - Nothing runs between dequeues. T begins with each ON that makes the port undetermined, since
 *     a queue from before the pause has grown in it and tells nothing, and then at the dequeue that
 *     found it expired.
 *   - The queue is what waits behind the departing frame. The share is taken before the flow table
 *     forgets that frame, so that a flow's last frame has one.
 *   - Threshold and pacing have no values in the paper, see the attributes. An entry of the flow
 *     table, and with it the flow's pacing, is deleted with the flow's last byte. Its next frame
 *     then waits behind the queue that caused the last CNP, so two CNPs are at least the smaller of
 *     CnpInterval and Threshold / C apart.
 *   - A flow is a pair of source and destination, as in the paper, so parallel queue pairs share a
 *     window, and the CNP goes to that of the frame; FlowKey makes it the queue pair.
 *   - baseRTT is the same for all flows: BaseRtt, or the largest of the topology.
 *
 * What it cannot tell: a released port to which frames come just at line rate, because the port
 * before it sends what it has kept back, or because the sources add up to it, has a level queue. It
 * does not decrease, so the listing calls it congested.
 * @ingroup lossless
 */
class MercuryDetector : public IntTelemetry
{
  public:
    /// What a flow is.
    enum FlowKey
    {
        SOURCE_DESTINATION, //!< all between two endpoints
        QUEUE_PAIR,         //!< each queue pair
    };

    /// @returns the TypeId
    static TypeId GetTypeId();

    /**
     * Algorithm 2, lines 10 to 13.
     * @param rateBps C, line rate [bit/s]
     * @param baseRtt base round-trip time
     * @param flowBytes of the flow in the queue [B]
     * @param allBytes of all flows in the queue, not 0 [B]
     * @param mtuBytes smallest window [B]
     * @returns the window, rounded down, at most what its 32 bits hold [B]
     */
    static uint32_t Window(uint64_t rateBps,
                           Time baseRtt,
                           uint64_t flowBytes,
                           uint64_t allBytes,
                           uint32_t mtuBytes);

    /// @returns Threshold at this port [B]
    uint64_t GetThreshold() const;

    /// @returns flows that wait in the queue
    uint32_t GetFlows() const;

    void OnEnqueue(const Frame& frame, const QueueState& queue, Time now) override;
    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;
    void OnOff(Time now) override;
    void OnOn(Time now) override;

  protected:
    /// Settles threshold, base RTT and pacing of this port. A base RTT of 0 throws InputError.
    void DoAttach() override;

  private:
    /**
     * @param frame of data
     * @returns its flow's key
     */
    uint64_t GetKey(const Frame& frame) const;

    /**
     * Sets the state of a determined port.
     * @param queue its queue [B]
     * @param now present time
     */
    void Determine(uint64_t queue, Time now);

    /**
     * Timer T has expired.
     * @param queue [B]
     * @param now present time
     */
    void CheckTimer(uint64_t queue, Time now);

    /**
     * Sends a CNP if it is time.
     * @param frame leaves
     * @param flow its entry
     * @param now present time
     */
    void NotifyFlow(const Frame& frame, QueueFlowTable::Flow& flow, Time now);

    // Attributes
    uint64_t m_thresholdSetting; //!< at the reference rate [B]
    DataRate m_referenceRate;    //!< for which it is meant, 0 for every rate
    double m_xoffShare;          //!< bound of the scaled threshold
    Time m_period;               //!< T
    Time m_cnpIntervalSetting;   //!< as set, 0 for the base RTT
    Time m_baseRttSetting;       //!< as set, 0 for the topology's
    FlowKey m_flowKey;           //!< what a flow is

    // Of this port
    uint64_t m_threshold{0}; //!< [B]
    Time m_baseRtt;          //!< baseRTT
    int64_t m_cnpNs{0};      //!< CnpInterval [ns]

    // State
    QueueFlowTable m_flows;         //!< bytes by flow
    uint64_t m_queueBytes{0};       //!< queue as last seen [B]
    uint64_t m_rxBytes{0};          //!< rxByte: came since the last OFF [B]
    uint64_t m_periodStartBytes{0}; //!< queue when timer T was set [B]
    Time m_offSince;                //!< pauseTime
    Time m_periodEnd;               //!< when timer T expires
};

} // namespace ns3

#endif // MERCURY_DETECTOR_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef TCD_DETECTOR_H
#define TCD_DETECTOR_H

#include "ns3/ecn-detector.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * Ternary congestion detection (TCD): tells congestion (CE) from the effects of flow control (UE),
 * PFC's pauses or a lack of credits.
 *
 * Source: Zhang et al., "Congestion Detection in Lossless Networks", SIGCOMM 2021, sections 3.2 and
 * 4.1 to 4.4, figures 6 and 9. The flowchart is evaluated at each dequeue; Ton is the time since
 * the last OFF ended, and infinite at a port that was never paused:
 *   - Ton < max(Ton): the state is UNDETERMINED and the frame is marked UE. A pause alone changes
 *     nothing until the first frame after it leaves. Where higher priorities keep that one for
 *     longer than max(Ton), a NON_CONGESTION port is taken for just released: what waits is from
 *     the pause.
 *   - Otherwise, where the last state is not UNDETERMINED, the port is that of a lossy network: the
 *     frame is marked CE by RED (see EcnDetector), and the state is CONGESTION where the queue is
 *     above CongestionThreshold, else NON_CONGESTION.
 *   - Otherwise the port was just released, and what waits may be left from the pauses. A queue of
 *     at most LowThreshold makes it NON_CONGESTION. At the end of each TrendPeriod a queue that has
 *     increased and is above CongestionThreshold makes it CONGESTION, and the frame is marked CE.
 *     Until either happens the state stays and nothing is marked.
 *
 * "Increased" needs two readings that the paper leaves open, because a released queue is often
 * level:
 *   - A port whose upstream port sends what it has kept back gets exactly what it sends. Its queue
 *     then moves by the frame that comes and the frame that goes, which is no increase: only what
 *     is beyond TrendMargin is.
 *   - Where the switch itself holds the upstream ports at Xoff, more comes than goes, but the queue
 *     cannot grow. With BlockedIsIncrease, a period in which the queue has not decreased, although
 *     upstream ports were paused because of it for Epsilon of the period (summed over the ports),
 *     counts as an increase: Epsilon is the degree from which the model speaks of congestion.
 *
 * The first period starts when Ton reaches max(Ton). Nothing runs between dequeues: the first frame
 * that leaves at or after the end of a period ends it, and the queue behind that frame is what the
 * next period starts from. Where no frame left for longer than a whole further period (a queue that
 * higher priorities kept from sending), the next one starts at that frame instead. A further pause
 * discards all of it.
 *
 * Under credits that are updated with period Tc (section 4.4), an ON period of the pattern lasts
 * Ton = Rd Tc / (Rd + epsilon C), equation (4), which is below Tc: max(Ton) is Tc. A lane is OFF
 * where something waits for which its credits do not suffice. Where several virtual lanes share the
 * link the paper takes the share of Tc that is a lane's; that is left to MaxTon.
 *
 * @ingroup lossless
 */
class TcdDetector : public EcnDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    /**
     * Equation (2): how long a port is ON in a steady ON-OFF pattern,
     *
     *     Ton = (B1 - B0 + tau Rd) / (epsilon C) + tau
     *
     * @param rateBps C, line rate [bit/s]
     * @param drainBps Rd, rate at which the downstream ingress is drained [bit/s]
     * @param hysteresisBytes B1 - B0, between the downstream ingress queue that turns the port OFF
     *        and the one that turns it ON [B]
     * @param tau time until either takes effect
     * @param epsilon congestion degree (Ri - Rd) / C; outside 0 < epsilon <= 1 throws InputError
     * @returns Ton to the nearest nanosecond; a rate of 0 ends the program
     */
    static Time Ton(uint64_t rateBps,
                    uint64_t drainBps,
                    uint64_t hysteresisBytes,
                    Time tau,
                    double epsilon);

    /**
     * Equation (3), the bound of Ton under PFC: equation (2) with Rd = C/2, the most that one of at
     * least two flows gets of the port they congest (section 4.2), and tau of section 4.3,
     *
     *     max(Ton) = (2 (Xoff - Xon) + tau C) / (2 epsilon C) + tau,  tau = 2 MTU / C + 2 tp
     *
     * @param rateBps C, line rate [bit/s]
     * @param mtuBytes MTU, largest frame that a pause frame or a pause has to wait for [B]
     * @param xoffBytes Xoff of the downstream ingress [B]
     * @param xonBytes its Xon, at most Xoff [B]
     * @param delay tp, propagation delay of the link, one way
     * @param epsilon as for Ton()
     * @returns max(Ton): with MTU 1000 B, Xoff - Xon 2000 B, tp 1 us and epsilon 0.05 the paper's
     *          34.4, 26.96 and 24.48 us at 40, 100 and 200 Gb/s
     */
    static Time MaxTon(uint64_t rateBps,
                       uint32_t mtuBytes,
                       uint64_t xoffBytes,
                       uint64_t xonBytes,
                       Time delay,
                       double epsilon);

    /// @returns max(Ton) of this port: the attribute MaxTon or, where that is 0, Tc under credits,
    /// else equation (3)
    Time GetMaxTon() const;

    /// @returns the period of the queue's trend at this port, as the attribute says
    Time GetTrendPeriod() const;

    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;
    void OnOn(Time now) override;
    void OnUpstreamPause(Time now) override;
    void OnUpstreamResume(Time now) override;

  protected:
    /**
     * Settles the thresholds and max(Ton) of this port. The MTU of equation (3) is the user bytes
     * of a full data frame, as in the paper's 1000 B, or where they are unknown what the largest
     * frame occupies on the wire. Where the far end has no Xoff, because it is a host or its
     * threshold is dynamic, Xoff - Xon counts as 0. Impossible attributes throw InputError.
     */
    void DoAttach() override;

  private:
    /**
     * The port was released, and whether it is congested is open.
     * @param frame leaves
     * @param queue without it
     * @param now present time
     */
    void CheckTrend(Frame& frame, const QueueState& queue, Time now);

    /**
     * @param queue at the end of a period
     * @param now present time
     * @returns whether it increased
     */
    bool HasIncreased(const QueueState& queue, Time now);

    /// Brings the upstream ports' paused time up to date. @param now present time
    void AddPausedTime(Time now);

    /**
     * @param start of a period
     * @param queue at its start
     * @param now present time
     */
    void StartPeriod(Time start, const QueueState& queue, Time now);

    double m_epsilon;               //!< congestion degree
    Time m_maxTonSetting;           //!< as set, 0 for equation (3)
    Time m_trendPeriodSetting;      //!< as set, 0 for max(Ton)
    uint64_t m_congestionSetting;   //!< as set, 0 for Kmax [B]
    uint64_t m_lowSetting;          //!< as set, 0 for Kmin [B]
    uint32_t m_marginFrames;        //!< TrendMargin, in largest frames
    bool m_blockedIsIncrease;       //!< upstream ports held at Xoff count
    Time m_maxTon;                  //!< of this port
    Time m_trendPeriod;             //!< of this port
    uint64_t m_congestionAbove{0};  //!< CongestionThreshold of this port [B]
    uint64_t m_nonCongestionTo{0};  //!< LowThreshold of this port [B]
    bool m_offUnseen{false};        //!< an OFF ended after the last frame left
    Time m_release{0};              //!< when Ton reaches max(Ton), 0 at a port never paused
    Time m_periodEnd{0};            //!< of the running period, 0 if none since the last pause
    uint64_t m_periodStartBytes{0}; //!< queue at the start of the running period [B]
    uint64_t m_margin{0};           //!< TrendMargin of this port [B]
    uint32_t m_paused{0};           //!< upstream ports that are paused because of this queue
    Time m_pausedSince;             //!< when their number last changed, or the period began
    Time m_pausedTime;              //!< sum over upstream ports, since m_countedFrom
    Time m_countedFrom;             //!< the frame that began the running period
};

} // namespace ns3

#endif // TCD_DETECTOR_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef TIMELY_H
#define TIMELY_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * TIMELY: Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015,
 * section 4, algorithm 1; and patched TIMELY: Zhu et al., "ECN or Delay: Lessons Learnt from
 * Analysis of DCQCN and TIMELY", CoNEXT 2016, section 5.
 *
 * Each time that a Segment has been acknowledged, with RTT that of its newest acknowledgement:
 *   - difference = (1-a) difference + a (RTT - previous RTT), gradient = difference / MinRtt;
 *   - RTT < TLow: R = R + delta;
 *   - RTT > THigh: R = R (1 - beta (1 - THigh/RTT));
 *   - between them, gradient <= 0: R = R + N delta, N the HaiFactor from the HaiThreshold-th such
 *     event in a row on (hyperactive increase), before that 1;
 *   - between them, gradient > 0: R = R (1 - beta gradient).
 *
 * Patched TIMELY has, between the thresholds, with w = 0 up to gradient -1/4, 1 from 1/4 on and
 * 2 gradient + 1/2 between:
 *   - R = delta (1 - w) + R (1 - beta w (RTT - TLow) / TLow), with beta 0.008.
 *
 * The first segment's RTT is only remembered. R stays between MinRate and line rate. HalfCap,
 * ScaleWithTime and HaiByDifference are what the code snippet that TIMELY's authors published has
 * beyond the paper. Of these HalfCap is on by default: with TCD's beta of 1.6 the last formula is
 * negative for a gradient above 0.625.
 *
 * The RTT is that of one frame, from the start of its transmission to its acknowledgement, by the
 * time stamp that it carries. TIMELY subtracts the time that a segment of 16 to 64 KB takes on the
 * sender's line, as its time stamps enclose the whole; here only one frame's time (0.2 us at
 * 40 Gb/s) is in the RTT, and so it is in the RTT of the empty path. Nothing is subtracted.
 * The rate paces each frame; it is not the distance of bursts. What a message has beyond its last
 * whole segment changes nothing, as queue pair and rate end with it.
 *
 * UE (TCD, Zhang et al., SIGCOMM 2021, section 4.3): if TLow <= RTT <= THigh, the gradient is
 * positive and UE is the highest mark of the segment, the rate stays. RTT and difference are taken
 * over all the same, and hyperactive increase begins anew. Above THigh the rate is cut.
 * @ingroup lossless
 */
class Timely : public RateController
{
  public:
    /// What is done between the thresholds.
    enum Variant
    {
        GRADIENT, //!< TIMELY
        PATCHED,  //!< patched TIMELY
    };

    /**
     * Signature of the trace source Rate.
     * @param now present time
     * @param rateBps rate [bit/s]
     * @param rtt the segment's RTT
     * @param gradient averaged, in units of MinRtt
     */
    typedef void (*RateTracedCallback)(Time now, double rateBps, Time rtt, double gradient);

    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;
    void OnAck(const Acknowledgement& ack, Time now) override;

    /// @returns the averaged gradient, in units of MinRtt
    double GetGradient() const;

  protected:
    /// Attributes that contradict each other, or zero where that has no meaning, end the program.
    void DoStart(Time now) override;

  private:
    /**
     * One completion event.
     * @param rtt the segment's
     * @param ue whether UE is its highest mark
     * @param now present time
     */
    void CompleteSegment(Time rtt, bool ue, Time now);

    /**
     * @param rtt the segment's
     * @param share of the steps that are in proportion to time, 0 to 1
     * @returns the new rate, without its bounds [bit/s]
     */
    double NextRate(Time rtt, double share) const;

    /// @returns w of patched TIMELY, 0 to 1
    double GetWeight() const;

    // Attributes
    Variant m_variant;           //!< which algorithm
    double m_ewmaGain;           //!< a
    double m_beta;               //!< beta
    Time m_tLow;                 //!< below: increase
    Time m_tHigh;                //!< above: decrease
    Time m_minRttAsSet;          //!< zero for that of the path
    DataRate m_additiveIncrease; //!< delta, as set
    DataRate m_referenceRate;    //!< line rate for which delta is meant, 0 for every rate
    uint32_t m_haiThreshold;     //!< events in a row
    uint32_t m_haiFactor;        //!< N
    DataRate m_initialRate;      //!< 0 for line rate
    DataRate m_minRate;          //!< lowest rate
    uint64_t m_segment;          //!< user bytes between completion events [B]
    bool m_halfCap;              //!< no event takes more than half
    bool m_scaleWithTime;        //!< steps in proportion to the time since the last event
    bool m_haiByDifference;      //!< HAI counts the samples that fall
    bool m_holdOnUndetermined;   //!< UE holds

    // Derived at start
    Time m_minRtt;         //!< unit of the gradient
    double m_deltaBps{0};  //!< delta at this NIC's rate [bit/s]
    double m_lowestBps{0}; //!< MinRate, or line rate where that is lower [bit/s]

    // State
    uint64_t m_acked{0};                      //!< user bytes since the last completion event [B]
    CodePoint m_mark{CodePoint::NOT_CAPABLE}; //!< highest echo since then
    bool m_sampled{false};                    //!< there is a previous RTT
    Time m_previousRtt;                       //!< of the last completion event
    Time m_lastEvent;                         //!< when that was
    double m_difference{0};                   //!< averaged difference of RTTs [s]
    uint32_t m_inRow{0};                      //!< events that count for HAI, in a row

    TracedCallback<Time, double, Time, double> m_rateTrace; //!< (time, rate, RTT, gradient)
};

} // namespace ns3

#endif // TIMELY_H

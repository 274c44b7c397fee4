// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ROCC_DETECTOR_H
#define ROCC_DETECTOR_H

#include "ns3/active-flow-table.h"
#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/pi-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * RoCC's congestion point: computes the fair rate of a queue's flows and tells it to their sources.
 *
 * Source: Taheri et al., "RoCC: Robust Congestion Control for RDMA", CoNEXT 2020. Every
 * Interval, with Q the queue now and Qold at the last step, both in units of QueueUnit (600 B) and
 * rounded down, and F in units of 10 Mb/s, between MinRate and Fmax, the line rate:
 *   - Q >= Qmax and F > Fmax / 8: F = MinRate;
 *   - otherwise Q - Qold >= Qmid and F > Fmax / 8: F = F / 2;
 *   - otherwise F = F - alpha (Q - Qref) - beta (Q - Qold), where alpha = Alpha / r and
 *     beta = Beta / r, and r is 1, doubled while F < Fmax / (2 r), at most to 32: the lower the
 *     rate, that is the more flows share it, the smaller the step.
 *
 * F goes, rounded to its unit, into a CNP (CE) to the source of each flow of which a frame waits,
 * or came since the last step, in the order of the flows' first frames. At F = Fmax none is sent,
 * and the sources free themselves (see Rocc).
 *
 * The thresholds are known for two rates, with a confidence of 60 % only: Qref, Qmid and Qmax of
 * 150, 300 and 360 KB at 40 Gb/s, of 300, 600 and 660 KB at 100 Gb/s. Where an attribute is 0,
 * another rate takes what is on the line through these two, for a rate of G Gb/s 50 + 2.5 G,
 * 100 + 5 G and 160 + 5 G [KB]. MinRate, the flows that are told and the silence at Fmax are our
 * reading.
 * @ingroup lossless
 */
class RoccDetector : public CongestionDetector
{
  public:
    /// Signature of "FairRate": (time, F [bit/s], bytes that wait).
    typedef void (*FairRateTracedCallback)(Time now, double rateBps, uint64_t bytes);

    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns F [bit/s]
    double GetFairRateBps() const;

    /// @returns Qref of this port [B]
    uint64_t GetReference() const;

    /// @returns Qmid of this port [B]
    uint64_t GetMidThreshold() const;

    /// @returns Qmax of this port [B]
    uint64_t GetMaxThreshold() const;

    /// @returns the number of this congestion point in its CNPs: node, port and priority, up to
    /// 2^16 nodes of 2^13 ports
    uint32_t GetPoint() const;

    void OnEnqueue(const Frame& frame, const QueueState& queue, Time now) override;
    Time GetTickInterval() const override;
    void OnTick(const QueueState& queue, Time now) override;

  protected:
    /// Settles thresholds and bounds. Impossible attributes throw InputError.
    void DoAttach() override;

  private:
    /**
     * @param bytes that wait
     * @returns F after one step [10 Mb/s]
     */
    double ComputeFairRate(uint64_t bytes);

    /// @returns r of the present F
    uint32_t GainDivisor() const;

    // Attributes
    Time m_interval;             //!< T
    uint64_t m_referenceSetting; //!< as set, 0 by the line rate [B]
    uint64_t m_midSetting;       //!< as set, 0 by the line rate [B]
    uint64_t m_maxSetting;       //!< as set, 0 by the line rate [B]
    uint64_t m_queueUnit;        //!< dQ [B]
    double m_alpha;              //!< gain of Q - Qref, without auto-tuning
    double m_beta;               //!< gain of Q - Qold, without auto-tuning
    DataRate m_minRate;          //!< lowest F

    uint64_t m_referenceBytes{0}; //!< Qref of this port [B]
    uint64_t m_midBytes{0};       //!< Qmid of this port [B]
    uint64_t m_maxBytes{0};       //!< Qmax of this port [B]
    double m_lowest{0};           //!< MinRate, or Fmax where that is lower [10 Mb/s]
    double m_highest{0};          //!< Fmax [10 Mb/s]
    PiController m_controller;    //!< input Q [QueueUnit], output F [10 Mb/s]
    ActiveFlowTable m_flows;      //!< of the queue
    uint64_t m_arrived{0};        //!< frames that came, of all kinds
    uint64_t m_arrivedBefore{0};  //!< of these, until the last step

    TracedCallback<Time, double, uint64_t> m_fairRateTrace; //!< (time, F, Q)
};

} // namespace ns3

#endif // ROCC_DETECTOR_H

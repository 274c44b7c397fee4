// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef HPCC_H
#define HPCC_H

#include "ns3/data-rate.h"
#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * HPCC: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1.
 *
 * Each acknowledgement brings the INT block of its data (RdmaHw's attribute Telemetry, filled by
 * IntTelemetry in the switches). With that of the one before, T the base RTT and B a link's rate:
 *   - for each link u = min(queue, previous queue) / (B T) + (bytes sent since) / (time since) / B;
 *     the highest u counts, with its time since, tau, at most T;
 *   - U = (1 - tau/T) U + tau/T u, U being 1 at first;
 *   - U >= Eta, or MaxStage additive stages done: W = Wc / (U / Eta) + W_AI;
 *     otherwise W = Wc + W_AI;
 *   - once for each RTT, that is when data acknowledged was sent after the last such time: Wc = W,
 *     and the stage is 0 after the first rule, one more after the second;
 *   - rate W / T.
 *
 * W begins with line rate times T, and the first block is only remembered and begins an RTT. W_AI
 * is AdditiveIncrease or, if that is 0, what the paper recommends: (line rate T) (1 - Eta) / Flows.
 * With 100 flows that is 81 B at 100 Gb/s and 13 us, where the paper has 80 B.
 *
 * Ours: W stays between MinRate T and line rate T, so that it does not grow without end where the
 * NIC itself is the bottleneck. A block of another number of hops than the one before is only
 * remembered, as the path has changed; one that is not newer at each hop is left out. After a
 * retransmission the RTT counts from what has been sent again. Acknowledgements without a block end
 * the program, as nothing would ever change the window; a block without hops (no switch on the
 * path) leaves the window as it is.
 *
 * T is that of the path without the bytes of INT blocks. HPCC takes the longest of all pairs for
 * every flow: set BaseRtt for that. Rate and line rate count preamble and gap, the window user
 * bytes, so that it stops a flow some per cent later than the rate would.
 * @ingroup lossless
 */
class Hpcc : public RateController
{
  public:
    /**
     * Signature of the trace source Rate.
     * @param now present time
     * @param rateBps rate [bit/s]
     * @param windowBytes W [B]
     * @param utilization U
     */
    typedef void (*RateTracedCallback)(Time now,
                                       double rateBps,
                                       double windowBytes,
                                       double utilization);

    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;
    void OnAck(const Acknowledgement& ack, Time now) override;

    /// @returns U, the bottleneck's bytes in flight in units of its rate times T
    double GetUtilization() const;

    /// @returns Wc, the window of the last RTT's end [B]
    double GetReferenceWindow() const;

    /// @returns additive increases of Wc since the last multiplicative change
    uint32_t GetStage() const;

  protected:
    /// Attributes where they have no meaning, and no RTT to go by, end the program.
    void DoStart(Time now) override;

  private:
    /// @param block newer than the last one at each hop, with as many hops
    void MeasureInflight(const IntBlock& block);

    /// @param updateReference whether an RTT has passed
    void ComputeWindow(bool updateReference);

    // Attributes
    double m_eta;             //!< eta
    uint32_t m_maxStage;      //!< maxStage
    uint32_t m_additiveAsSet; //!< W_AI, 0 for the formula [B]
    uint32_t m_flows;         //!< N of the formula
    Time m_baseRttAsSet;      //!< T, zero for that of the path
    DataRate m_minRate;       //!< lowest rate

    // Derived at start
    double m_rttNs{0};        //!< T [ns]
    double m_lineWindow{0};   //!< line rate T [B]
    double m_lowestWindow{0}; //!< MinRate T, not above the former [B]
    double m_additive{0};     //!< W_AI [B]

    // State
    double m_window{0};        //!< W [B]
    double m_reference{0};     //!< Wc [B]
    double m_utilization{1};   //!< U
    uint32_t m_stage{0};       //!< incStage
    uint64_t m_updateAfter{0}; //!< lastUpdateSeq: Wc changes when more is acknowledged [B]
    IntBlock m_last;           //!< L, the block of the last acknowledgement

    TracedCallback<Time, double, double, double> m_rateTrace; //!< (time, rate, W, U)
};

} // namespace ns3

#endif // HPCC_H

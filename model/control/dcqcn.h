// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef DCQCN_H
#define DCQCN_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * DCQCN's reaction point: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM 2015, section 3.1 and algorithm 1.
 *
 * State: the rate R, the target rate T and the estimate alpha. A flow starts at line rate without
 * a limiter; the first CNP brings it into being. Until then no timer runs and alpha keeps its
 * initial value.
 *
 * The variant of the paper (PAPER):
 *   - CNP: T = R; R = R (1 - c alpha), c the ReductionCoefficient 1/2; alpha = (1-g) alpha + g;
 *     the stages of timer and byte counter, and both counts, return to zero.
 *   - No CNP for AlphaTimer: alpha = (1-g) alpha; again after each further AlphaTimer.
 *   - Each IncreaseTimer the timer's stage, each ByteCounter bytes sent the byte counter's stage
 *     rises by one, and then, with F the FastRecoveryStages:
 *     both below F: fast recovery, R = (T+R) / 2;
 *     both above F: hyper increase, T = T + i HyperIncrease with i = lower stage - F;
 *     otherwise additive increase, T = T + AdditiveIncrease; R = (T+R) / 2 after either.
 *
 * The variant of an adapter of the ConnectX-4 kind (ADAPTER), as the simulator of HPCC (Li et al.,
 * SIGCOMM 2019) models it, with three independent periods that start at the first CNP:
 *   - each AlphaTimer: alpha = (1-g) alpha, + g if a CNP other than the first came in the period;
 *   - each DecreaseInterval, after alpha: if a CNP came, T = R (see ClampTargetRate),
 *     R = R (1 - c alpha), and the increases and their timer start anew;
 *   - each IncreaseTimer without a cut: fast recovery for the first F times since the cut, additive
 *     increase once, then hyper increase with i = 1.
 *   It has no byte counter.
 *
 * R stays between MinRate and line rate, T at or below line rate. Bytes are those on the wire, with
 * preamble and gap. Two timers that change nothing visible are not run: alpha is brought up to date
 * when it is needed, and the increase timer rests while R and T are both at line rate. The rates
 * are those of an adapter that runs them all.
 *
 * UE (TCD, Zhang et al., SIGCOMM 2021, section 4.3: "keeping the flow rate"): see the attribute
 * HoldOnUndetermined. The paper does not say what its timers do; here increase timer and byte
 * counter stand still for HoldInterval or until a cut, while alpha decays on.
 * @ingroup lossless
 */
class Dcqcn : public RateController
{
  public:
    /// Which reaction point is modelled.
    enum Variant
    {
        PAPER,   //!< timer and byte counter, cut at each CNP
        ADAPTER, //!< timer only, cut at most once each DecreaseInterval
    };

    /**
     * Signature of the trace source Rate.
     * @param now present time
     * @param rateBps rate [bit/s]
     * @param targetBps target rate [bit/s]
     * @param alpha estimate
     */
    typedef void (*RateTracedCallback)(Time now, double rateBps, double targetBps, double alpha);

    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;
    void OnCnp(const Cnp& cnp, Time now) override;
    void OnSend(Frame& frame, uint32_t wireBytes, Time now) override;
    Time NextTimer() const override;
    void OnTimer(Time now) override;

    /// @returns target rate [bit/s]
    double GetTargetBps() const;

    /**
     * @param now present time, not before the last input
     * @returns alpha at that time
     */
    double GetAlpha(Time now) const;

  protected:
    /// A timer of zero ends the program.
    void DoStart(Time now) override;

  private:
    /// Bytes left to count when there is nothing to count for.
    static constexpr int64_t NOT_COUNTING = std::numeric_limits<int64_t>::max();

    /// A CNP that says UE. @param now present time
    void Hold(Time now);

    /// Brings alpha up to date. @param now present time
    void AdvanceAlpha(Time now);

    /// alpha = (1-g) alpha + g
    void RaiseAlpha();

    /// Cuts the rate and begins a new recovery. @param now present time
    void Cut(Time now);

    /// The byte counter has expired. @param now present time
    void CountBytes(Time now);

    /// One increase event, its stage already counted. @param now present time
    void Increase(Time now);

    /// @returns what this increase event adds to the target [bit/s]
    double IncreaseStep() const;

    /// Fires the trace. @param now present time
    void Report(Time now);

    // Attributes
    Variant m_variant;             //!< which reaction point
    double m_initialAlpha;         //!< alpha at the first CNP
    double m_gain;                 //!< g
    Time m_alphaTimer;             //!< K
    Time m_increaseTimer;          //!< period of the increase timer
    Time m_decreaseInterval;       //!< ADAPTER: period of the check for a cut
    Time m_holdInterval;           //!< how long one UE holds
    uint64_t m_byteCounter;        //!< B, 0 for none [B]
    uint32_t m_fastRecoveryStages; //!< F
    DataRate m_additiveIncrease;   //!< as set
    DataRate m_hyperIncrease;      //!< as set
    DataRate m_referenceRate; //!< line rate for which the increases are meant, 0 for every rate
    DataRate m_minRate;       //!< lowest rate
    double m_reductionCoefficient; //!< c
    bool m_clampTargetRate;        //!< a cut always lowers the target
    bool m_alphaBeforeCut;         //!< PAPER: a CNP raises alpha before it cuts
    bool m_holdOnUndetermined;     //!< UE holds, rather than cuts

    // Derived at start
    double m_additiveBps{0}; //!< R_AI at this NIC's rate
    double m_hyperBps{0};    //!< R_HAI at this NIC's rate
    double m_minBps{0};      //!< MinRate, or line rate where that is lower

    // State
    int64_t m_bytesLeft{NOT_COUNTING}; //!< until the byte counter expires [B]
    Time m_holdUntil;                  //!< UE: nothing rises before
    Time m_nextIncrease;               //!< when the increase timer expires; Max for never
    Time m_nextCheck;                  //!< ADAPTER: when the noted CNP cuts; Max for none
    Time m_alphaSince;                 //!< start of the present period of alpha
    Time m_firstCnp;                   //!< ADAPTER: start of the checks' periods
    double m_targetBps{0};             //!< T
    double m_alpha{1};                 //!< alpha at m_alphaSince
    uint32_t m_timerStage{0};          //!< expiries of the increase timer since the cut
    uint32_t m_byteStage{0};           //!< expiries of the byte counter since the cut
    bool m_limited{false};             //!< a CNP has come
    bool m_cnpInPeriod{false};         //!< ADAPTER: a CNP came in the present period of alpha

    TracedCallback<Time, double, double, double> m_rateTrace; //!< (time, rate, target, alpha)
};

} // namespace ns3

#endif // DCQCN_H

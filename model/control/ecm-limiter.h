// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ECM_LIMITER_H
#define ECM_LIMITER_H

#include "ns3/rate-limiter.h"

#include <cstdint>

namespace ns3
{

/// What the ECM rate limiters of a port have in common. @ingroup lossless
struct EcmParameters
{
    double lineRateBps{0};      //!< C [bit/s]
    double weight{2};           //!< w
    double increaseGain{0};     //!< Gi
    double decreaseGain{0};     //!< Gd
    double rateUnitBps{1e6};    //!< Ru [bit/s]
    double largestCut{0.5};     //!< alpha: share of the rate
    double largestIncrease{.1}; //!< beta: share of C
    double initialRateBps{0};   //!< Ri [bit/s]
    double minRateBps{1e8};     //!< Rmin at first [bit/s]
    Time maxTimeout;            //!< Tmax at first
    Time increaseInterval;      //!< Td
    double increaseBps{1e6};    //!< Rd [bit/s]
    uint8_t rttWeight{3};       //!< Wrtt: a new RTT counts 2^-Wrtt
    uint8_t unit{0};            //!< the timer counts in 2^unit us

    /// @returns a number from 0 to below 1
    virtual double Random() const = 0;

    virtual ~EcmParameters() = default;
};

/**
 * A rate limiter of Ethernet Congestion Manager's reaction point.
 *
 * Source: Bergamasco, "Ethernet Congestion Manager", revision 0.1, 2007, section 3.3. With
 * Fb = -(Qoff + w Qdelta) of a message:
 *   - Fb < 0 (section 3.3.1): R <- R (1 - min(Gd |Fb|, alpha)), not below Rmin; the message's
 *     congestion point is the limiter's from now on. An inactive limiter begins with Ri;
 *   - Fb > 0, from the limiter's congestion point: R <- R + min(Gi Fb Ru, beta C), not above C;
 *     Tmax and Rmin are their first values again;
 *   - with the Q bit, by the sign of Qdelta (section 3.3.2): R <- R (1 - min(2 alpha, 1)) or
 *     R <- R + 2 beta C;
 *   - ECM(0,0): R <- 0 for a time uniform in [0, Tmax]. All messages are ignored meanwhile. Then
 *     R <- Rmin, Tmax is doubled, up to 1 s, and Rmin is halved, down to 1 Mb/s;
 *   - every Td, R <- R + Rd up to C, but not during a timeout. The limiters of a port have one
 *     timer, so these are the multiples of Td.
 *
 * Readings of ours, where text and pseudo-code differ or say nothing: during a timeout messages of
 * every kind are ignored (text); Q follows the sign of Qdelta (text; the code takes that of Fb);
 * increases are cut at C (the code: only those of Td); a rate below Rmin, and not only one of 0, is
 * lifted to Rmin; Fb = 0 changes nothing; the time in a message of which the sampled frame had no
 * CM-Tag is no time. RTTavg begins at 0, as in the code.
 * @ingroup lossless
 */
class EcmLimiter : public RateLimiter
{
  public:
    /// State of a limiter.
    enum State : uint8_t
    {
        INACTIVE, //!< not in use
        ACTIVE,   //!< limits
        TIMEOUT,  //!< stopped by ECM(0,0)
    };

    /// @param parameters of the port, which outlive the limiter
    explicit EcmLimiter(const EcmParameters& parameters);

    /**
     * @param now present time
     * @param unit exponent
     * @returns the port's timer in units of 2^unit us, modulo 2^16
     */
    static uint16_t Timestamp(Time now, uint8_t unit);

    /**
     * @param message any
     * @param weight w
     * @returns Fb [64 B]
     */
    static double Feedback(const EcmMessage& message, double weight);

    /// @returns state
    State GetState() const;

    /// @returns the congestion point that it is associated with
    const CongestionPointId& GetPoint() const;

    /// @returns RTTavg, zero if none was measured
    Time GetAverageRtt() const;

    /// @returns present Rmin [bit/s]
    double GetMinRateBps() const;

    /// @returns present Tmax
    Time GetMaxTimeout() const;

    // inherited from RateLimiter
    void OnMessage(const Notification& message, Time now) override;
    void AddTag(Frame& frame) const override;
    void OnSend(Frame& frame, Time now) override;
    Time NextTimer() const override;
    void OnTimer(Time now) override;
    void Release() override;
    void OpenUp() override;
    bool IsActive() const override;
    bool IsAtLineRate() const override;

  private:
    /**
     * ECM(0,0).
     * @param message it
     * @param now present time
     */
    void Stop(const EcmMessage& message, Time now);

    /**
     * Negative feedback.
     * @param message it
     * @param feedback Fb [64 B]
     * @param now present time
     */
    void Decrease(const EcmMessage& message, double feedback, Time now);

    /**
     * Positive feedback of our congestion point.
     * @param message it
     * @param feedback Fb [64 B]
     */
    void Increase(const EcmMessage& message, double feedback);

    /// Averages the round-trip time of a message of our congestion point.
    void MeasureRtt(const EcmMessage& message, Time now);

    /// Takes the message's congestion point for the limiter's.
    void Associate(const EcmMessage& message);

    /// The rate may have fallen below C: the next multiple of Td counts.
    void ArmIncrease(Time now);

    const EcmParameters& m_parameters; //!< of the port
    State m_state{INACTIVE};           //!< see there
    CongestionPointId m_point;         //!< CPID
    double m_averageRttNs{0};          //!< RTTavg [ns]
    double m_minRateBps{0};            //!< Rmin [bit/s]
    Time m_maxTimeout;                 //!< Tmax
    Time m_restart;                    //!< TIMEOUT: its end
    Time m_nextIncrease;               //!< ACTIVE: next multiple of Td, Time::Max() at C
};

} // namespace ns3

#endif // ECM_LIMITER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QCN_LIMITER_H
#define QCN_LIMITER_H

#include "ns3/rate-limiter.h"

#include <cstdint>

namespace ns3
{

/// What the QCN rate limiters of a port have in common. @ingroup lossless
struct QcnParameters
{
    double lineRateBps{0};      //!< C [bit/s]
    double minRateBps{5e6};     //!< rpgMinRate [bit/s]
    double gain{1.0 / 128};     //!< rpgGd
    double leastFactor{0.5};    //!< rpgMinDecFac
    uint32_t byteReset{150000}; //!< rpgByteReset [B]
    Time timeReset;             //!< rpgTimeReset
    uint32_t threshold{5};      //!< rpgThreshold
    double increaseBps{5e6};    //!< rpgAiRate [bit/s]
    double hyperBps{5e7};       //!< rpgHaiRate [bit/s]
    bool reduceTarget{true};    //!< a far target falls to an eighth
    bool addTag{true};          //!< frames get a CN-TAG
};

/**
 * A rate limiter of the reaction point of quantised congestion notification (QCN, IEEE 802.1Qau).
 *
 * At a CNM with the feedback Fb, 1 to 63, the target rate TR takes the current rate CR and the byte
 * counter begins anew, unless none of its cycles has ended since the last CNM; then
 * CR <- CR max(1 - Gd Fb, rpgMinDecFac), not below rpgMinRate; timer and both stages begin anew. A
 * cycle of the byte counter is rpgByteReset bytes, one of the timer rpgTimeReset; each end counts
 * its stage up, and beyond rpgThreshold stages the cycle is half as long. At each such end CR <-
 * (CR + TR) / 2, after
 *   - nothing while both stages are up to rpgThreshold (fast recovery);
 *   - TR <- TR + rpgAiRate where one is above (active increase);
 *   - TR <- TR + i rpgHaiRate where both are (hyper-active increase), i being the lower one's
 *     distance from rpgThreshold;
 *   - but TR <- TR / 8 where a stage has just become 1 and TR > 10 CR (ReduceTarget).
 * TR is not above C. As CR only comes near to a TR of C, a limiter within rpgAiRate of C is at line
 * rate (ours). A first CNM finds CR = TR = C. Cycles have no jitter here.
 *
 * Sources: Alizadeh et al., "Data Center Transport Mechanisms: Congestion Control Theory and IEEE
 * Standardization", Allerton 2008; names and defaults of the IEEE8021-CN-MIB. The standard's text
 * was not at hand: ReduceTarget is from its authors' pseudo-code.
 * @ingroup lossless
 */
class QcnLimiter : public RateLimiter
{
  public:
    /**
     * @param parameters of the port, which outlive the limiter
     * @param flowId in the CN-TAG of its frames
     */
    QcnLimiter(const QcnParameters& parameters, uint16_t flowId);

    /// @returns TR [bit/s]
    double GetTargetBps() const;

    /// @returns cycles of the byte counter that ended since the last CNM
    uint32_t GetByteStage() const;

    /// @returns cycles of the timer that ended since the last CNM
    uint32_t GetTimeStage() const;

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
     * A cycle has ended.
     * @param stage which became one higher
     */
    void SelfIncrease(uint32_t stage);

    /// @returns bytes of the byte counter's present cycle [B]
    int64_t CycleBytes() const;

    const QcnParameters& m_parameters; //!< of the port
    const uint16_t m_flowId;           //!< in the CN-TAG
    bool m_active{false};              //!< in use
    double m_targetBps{0};             //!< TR [bit/s]
    uint32_t m_byteStage{0};           //!< rpByteStage
    uint32_t m_timeStage{0};           //!< rpTimeStage
    int64_t m_bytesLeft{0};            //!< of the byte counter's cycle [B]
    Time m_cycleEnd;                   //!< of the timer
};

} // namespace ns3

#endif // QCN_LIMITER_H

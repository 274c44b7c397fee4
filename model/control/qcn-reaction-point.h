// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QCN_REACTION_POINT_H
#define QCN_REACTION_POINT_H

#include "ns3/data-rate.h"
#include "ns3/qcn-limiter.h"
#include "ns3/reaction-point.h"

namespace ns3
{

/**
 * The reaction point of quantised congestion notification (QCN, IEEE 802.1Qau): a ReactionPoint of
 * QcnLimiters. Defaults are those of the IEEE8021-CN-MIB, names those of the Linux kernel's
 * ieee_qcn without its prefix.
 * @ingroup lossless
 */
class QcnReactionPoint : public ReactionPoint
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns what the limiters have in common, settled by Start()
    const QcnParameters& GetParameters() const;

    uint32_t GetTagBytes() const override;

  protected:
    void DoStart(double lineRateBps) override;
    std::unique_ptr<RateLimiter> MakeLimiter(uint32_t number) const override;
    bool Understands(const Notification& message) const override;

  private:
    // Attributes
    Time m_timeReset;     //!< "TimeReset"
    uint32_t m_byteReset; //!< "ByteReset" [B]
    uint32_t m_threshold; //!< "Threshold"
    DataRate m_increase;  //!< "AiRate"
    DataRate m_hyper;     //!< "HaiRate"
    double m_gain;        //!< "Gd"
    double m_leastFactor; //!< "MinDecFac"
    DataRate m_minRate;   //!< "MinRate"
    bool m_reduceTarget;  //!< "ReduceTarget"
    bool m_addTag;        //!< "CnTag"

    QcnParameters m_parameters; //!< of the limiters
};

} // namespace ns3

#endif // QCN_REACTION_POINT_H

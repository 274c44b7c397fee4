// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ECM_REACTION_POINT_H
#define ECM_REACTION_POINT_H

#include "ns3/data-rate.h"
#include "ns3/ecm-limiter.h"
#include "ns3/random-variable-stream.h"
#include "ns3/reaction-point.h"

namespace ns3
{

/**
 * The reaction point of Ethernet Congestion Manager: a ReactionPoint of EcmLimiters.
 *
 * The document gives ranges, which the attributes have, but neither gains nor alpha, beta, w and
 * Qeq. Gains of 0 are derived: the largest feedback is (1 + 2 w) Qeq, and at it a cut is to be
 * alpha, Gd = alpha / ((1 + 2 w) Qeq), and an increase beta C,
 * Gi = beta C / ((1 + 2 w) Qeq Ru). With the defaults at 10 Gb/s these are 0.00026667 and 0.53333.
 * @ingroup lossless
 */
class EcmReactionPoint : public ReactionPoint
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    EcmReactionPoint();

    /// @returns what the limiters have in common, settled by Start()
    const EcmParameters& GetParameters() const;

    int64_t AssignStreams(int64_t stream) override;

    uint32_t GetTagBytes() const override;

  protected:
    void DoStart(double lineRateBps) override;
    std::unique_ptr<RateLimiter> MakeLimiter(uint32_t number) const override;
    bool Understands(const Notification& message) const override;

  private:
    /// Parameters with a random variable.
    struct Parameters : public EcmParameters
    {
        Parameters();
        double Random() const override;

        Ptr<UniformRandomVariable> random; //!< 0 to 1
    };

    // Attributes
    double m_weight;             //!< "W"
    double m_increaseGain;       //!< "Gi", 0: derived
    double m_decreaseGain;       //!< "Gd", 0: derived
    uint64_t m_equilibriumBytes; //!< "Qeq" [B]
    DataRate m_rateUnit;         //!< "Ru"
    double m_largestCut;         //!< "Alpha"
    double m_largestIncrease;    //!< "Beta"
    double m_initialShare;       //!< "InitialShare"
    DataRate m_minRate;          //!< "MinRate"
    Time m_maxTimeout;           //!< "MaxTimeout"
    Time m_increaseInterval;     //!< "IncreaseInterval"
    DataRate m_increase;         //!< "IncreaseRate"
    uint8_t m_rttWeight;         //!< "RttWeight"
    uint8_t m_unit;              //!< "TimestampUnit"

    Parameters m_parameters; //!< of the limiters
};

} // namespace ns3

#endif // ECM_REACTION_POINT_H

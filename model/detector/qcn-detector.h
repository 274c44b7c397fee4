// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QCN_DETECTOR_H
#define QCN_DETECTOR_H

#include "ns3/sampling-detector.h"

#include <cstdint>

namespace ns3
{

/**
 * The congestion point of quantised congestion notification (QCN, IEEE 802.1Qau, now clauses 30 to
 * 33 of 802.1Q): samples what arrives and tells the source of a sampled frame how congested the
 * queue is, in 6 bits; never that it is not.
 *
 * At a sample Fb = -(Qoff + w Qdelta), Qoff = Q - Qeq, Qdelta = Q - Q at the last sample [B], no
 * lower than -Qeq (2w + 1), is quantised: -Fb in 63 equal steps, rounded down; Fb >= 0 is 0. A
 * congestion notification message (CNM) is sent where it is not 0. The quantised feedback / 8 then
 * chooses the interval to the next sample: SampleBase of 150 KB, or of it 75, 50, 37.5, 30, 25,
 * 21.5 or 18.5 KB, each +-Jitter.
 *
 * Defaults are those of the IEEE8021-CN-MIB. The standard's text was not at hand; the table and the
 * quantisation are as its authors' publications have them.
 * @ingroup lossless
 */
class QcnDetector : public SamplingDetector
{
  public:
    static constexpr uint32_t LARGEST_FEEDBACK = 63; //!< 6 bits

    /// @returns the TypeId
    static TypeId GetTypeId();

    /**
     * @param quantised feedback, 0 to 63
     * @returns the interval to the next sample as a share of SampleBase, without jitter
     */
    static double GetIntervalShare(uint32_t quantised);

    /**
     * @param queue length [B]
     * @param before queue length at the last sample [B]
     * @returns the feedback in 6 bits, 0 if the source need not slow down
     */
    uint32_t Quantise(int64_t queue, int64_t before) const;

  protected:
    void DoAttach() override;
    double GetSamplingInterval(uint64_t queueBytes) const override;
    void Sample(const Frame& frame, uint64_t queueBytes, Time now) override;

  private:
    /**
     * Takes the interval to the next sample anew.
     * @param quantised feedback of the last
     */
    void DrawInterval(uint32_t quantised);

    // Attributes
    uint32_t m_equilibrium;   //!< "Qeq" [B]
    int8_t m_weightExponent;  //!< "Weight"
    uint32_t m_sampleBase;    //!< "SampleBase" [B]
    double m_jitter;          //!< "Jitter"
    uint8_t m_headerOctets;   //!< "HeaderOctets" [B]
    int8_t m_messagePriority; //!< "MessagePriority"

    double m_weight{0};         //!< w
    double m_interval{0};       //!< to the next sample [B]
    int64_t m_queueAtSample{0}; //!< at the last sample [B]
};

} // namespace ns3

#endif // QCN_DETECTOR_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ECM_DETECTOR_H
#define ECM_DETECTOR_H

#include "ns3/sampling-detector.h"

#include <cstdint>

namespace ns3
{

/**
 * The congestion point of Ethernet Congestion Manager (ECM): samples what arrives and tells the
 * source of a sampled frame how far the queue is from its equilibrium, and where it goes.
 *
 * Source: Bergamasco, "Ethernet Congestion Manager", revision 0.1, 2007, section 3.2. Queue lengths
 * are in units of 64 B, rounded down. The frame that makes L >= S is sampled, L being the bytes
 * that arrived since the last sample, and S = Sf + Sr with a new Sr after each sample; S is divided
 * by Sscale while the queue is empty or above Qmc. A sample sends
 *   - above Qsc ECM(0,0), which stops the source;
 *   - above Qmc ECM-Max, (Qeq, 2 Qeq);
 *   - otherwise (Qscale Qoff, Qscale Qdelta), Qoff = Q - Qeq within +-Qeq, Qdelta = Q - Q at the
 *     last sample within +-2 Qeq. If both are 0, nothing is sent. Positive feedback is for frames
 *     whose CM-Tag has the CPID of this queue.
 *
 * Where text and pseudo-code of the document differ we follow the text, unless said otherwise:
 *   - Sr is from [0, RandomInterval] (the code: +-RandomInterval; SymmetricInterval);
 *   - Qoff = 0 goes to frames with our tag only (the code sends it to all);
 *   - frames without our tag get a message only where Qoff > 0; as a falling queue can make the
 *     feedback -(Qoff + w Qdelta) positive all the same, which section 3.1 forbids, the congestion
 *     point tests that too, with a W of its own (OnlyNegativeUntagged; neither has it);
 *   - ECM-Max is not scaled by Qscale and has no Q bit, as in both.
 *
 * Where the queue's capacity is not known and Qsc is not set, ECM(0,0) is never sent.
 * @ingroup lossless
 */
class EcmDetector : public SamplingDetector
{
  public:
    static constexpr uint32_t UNIT_BYTES = 64; //!< of Qeq, Qoff and Qdelta

    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns Qeq [64 B]
    uint32_t GetEquilibrium() const;

    /// @returns Qmc [64 B]
    uint64_t GetMildThreshold() const;

    /// @returns Qsc [64 B]
    uint64_t GetSevereThreshold() const;

  protected:
    /// Settles the thresholds. Impossible attributes throw InputError.
    void DoAttach() override;
    double GetSamplingInterval(uint64_t queueBytes) const override;
    void Sample(const Frame& frame, uint64_t queueBytes, Time now) override;

  private:
    /// Takes S anew.
    void DrawInterval();

    /**
     * Fills Qoff, Qdelta and the Q bit of a message that is neither ECM(0,0) nor ECM-Max.
     * @param message filled
     * @param ours whether the sampled frame's CM-Tag has our CPID
     * @param queue length [64 B]
     * @param before queue length at the last sample [64 B]
     * @returns whether it is to be sent
     */
    bool MakeRegular(EcmMessage& message, bool ours, int64_t queue, int64_t before) const;

    // Attributes
    uint64_t m_equilibriumBytes; //!< "Qeq" [B]
    uint64_t m_mildBytes;        //!< "Qmc" [B]
    uint64_t m_severeBytes;      //!< "Qsc" [B]
    double m_severeShare;        //!< "QscShare"
    uint32_t m_fixedInterval;    //!< "FixedInterval", Sf [B]
    uint32_t m_randomInterval;   //!< "RandomInterval" [B]
    bool m_symmetricInterval;    //!< "SymmetricInterval"
    uint32_t m_overSampling;     //!< "Sscale"
    uint32_t m_scale;            //!< "Qscale"
    bool m_saturationBit;        //!< "SaturationBit"
    bool m_onlyNegativeUntagged; //!< "OnlyNegativeUntagged"
    double m_weight;             //!< "W"
    uint8_t m_quotedBytes;       //!< "QuotedBytes", N [B]
    int8_t m_messagePriority;    //!< "MessagePriority"

    int64_t m_equilibrium{0};   //!< Qeq [64 B]
    int64_t m_mild{0};          //!< Qmc [64 B]
    int64_t m_severe{0};        //!< Qsc [64 B]
    double m_interval{0};       //!< S [B]
    int64_t m_queueAtSample{0}; //!< at the last sample [64 B]
};

} // namespace ns3

#endif // ECM_DETECTOR_H

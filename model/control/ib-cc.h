// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_IB_CC_H
#define LOSSLESS_IB_CC_H

#include "ns3/link-time.h"
#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * InfiniBand's reaction point (IB CC), in the channel adapter that sends: InfiniBand
 * Architecture 1.3, volume 1, annex A10; values of Gran et al., "First Experiences with Congestion
 * Control in InfiniBand Hardware", IPDPS 2010.
 *
 *   - BECN, by an acknowledgement that echoes CE or by a CNP: CCTI = min(CCTI + CctiIncrease,
 *     CctiLimit), and the timer starts if it does not run.
 *   - Each CctiTimer: CCTI = CCTI - 1, where it is above CctiMin; at CctiMin the timer stops.
 *   - Entry CCTI of the congestion control table (CCT), a shift and a multiplier, gives the
 * injection rate delay that follows each packet:
 *
 *         IRD = (time of the packet just sent >> shift) x multiplier
 *
 *     The rate is set so that the next packet may start IRD after the end of the last one, to the
 *     picosecond: line rate / (1 + multiplier / 2^shift).
 *
 * CCTI is that of a queue pair or, with PerServiceLevel, of all queue pairs of a host and service
 * level. A queue pair then takes notice of what others' BECNs did when it sends or hears something.
 *
 * UE (TCD, Zhang et al., SIGCOMM 2021, section 5.2.2: the sender "does not update the sending
 * rate"): see HoldOnUndetermined. The paper does not say what the timer does; here it stands still
 * for one CctiTimer.
 *
 * Left out: the trigger threshold, which only logs an event.
 * @ingroup lossless
 */
class IbCc : public RateController
{
  public:
    /**
     * Signature of the trace source Ccti.
     * @param now present time
     * @param ccti index into the table
     */
    typedef void (*CctiTracedCallback)(Time now, uint32_t ccti);

    /// @returns the TypeId
    static TypeId GetTypeId();

    IbCc();

    Ptr<RateController> Fork() const override;
    void OnAck(const Acknowledgement& ack, Time now) override;
    void OnCnp(const Cnp& cnp, Time now) override;
    void OnSend(Frame& frame, uint32_t wireBytes, Time now) override;
    Time NextTimer() const override;
    void OnTimer(Time now) override;

    /// @returns CCTI, as of the last input
    uint32_t GetCcti() const;

  protected:
    /// Attributes that contradict each other throw InputError.
    void DoStart(Time now) override;

  private:
    /// An entry of the table.
    struct Entry
    {
        uint8_t shift;       //!< 2 bits
        uint16_t multiplier; //!< 14 bits
    };

    /// What a queue pair, or a service level, remembers.
    struct Throttle
    {
        uint32_t ccti{0};               //!< index into the table
        Time nextDecrease{Time::Max()}; //!< when the timer expires; Max if it does not run
        Time holdUntil;                 //!< UE: the timer stands still until then
    };

    /// Those of service levels: by the host's endpoint number and the level.
    using Levels = std::map<std::pair<uint32_t, uint8_t>, Throttle>;

    /// @param text of the attribute Table
    void SetTable(std::string text);
    /// @returns the attribute Table
    std::string GetTable() const;

    /// @returns period of the timer
    Time Period() const;

    /// Counts the timer's expiries up to now. @param now present time
    void Advance(Time now);

    /// A receiver's feedback. @param mark CE, UE, or neither @param now present time
    void React(CodePoint mark, Time now);

    /// Sets the rate by CCTI and the size of the last packet. @param now present time
    void Pace(Time now);

    // Attributes
    uint32_t m_increase;       //!< CctiIncrease
    uint32_t m_limit;          //!< CctiLimit
    uint32_t m_min;            //!< CctiMin
    uint32_t m_timer;          //!< CctiTimer, in units of 1.024 us
    uint32_t m_slope;          //!< of the linear table
    bool m_perServiceLevel;    //!< CCTI is shared
    bool m_holdOnUndetermined; //!< UE changes no CCTI

    std::string m_tableText;                           //!< as set
    std::shared_ptr<const std::vector<Entry>> m_table; //!< of m_tableText; none if linear
    std::shared_ptr<Levels> m_levels;                  //!< one for all forks of an original
    Throttle m_own;                                    //!< of this queue pair
    Throttle* m_throttle{&m_own};                      //!< the one in use
    ByteTime m_byteTime;                               //!< at line rate
    uint32_t m_lastBytes{0};                           //!< of the packet just sent, on the wire [B]
    uint32_t m_reported{0};                            //!< CCTI traced last

    TracedCallback<Time, uint32_t> m_cctiTrace; //!< (time, CCTI)
};

} // namespace ns3

#endif // LOSSLESS_IB_CC_H

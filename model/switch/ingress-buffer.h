// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef INGRESS_BUFFER_H
#define INGRESS_BUFFER_H

#include "ns3/lane.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The shared-buffer memory management unit (MMU) of a PFC switch, with ingress accounting.
 *
 * Each frame is charged to the port and priority by which it came in, until its transmission
 * begins. A lossless (port, priority) fills its part of the shared pool up to Xoff, then asks for a
 * pause and fills its own headroom; it resumes when headroom is empty and the shared part is at or
 * below Xon. Xoff is a constant, or alpha x free shared bytes (dynamic threshold). Priorities that
 * are not lossless use the shared pool only and are dropped when it is full.
 *
 * Knows neither ports nor simulator; EthernetSwitch acts on what it says.
 * @ingroup lossless
 */
class IngressBuffer
{
  public:
    /// What a frame's arrival or departure means for its (port, priority).
    enum class Verdict
    {
        NOTHING, //!< no change
        XOFF,    //!< pause the far end
        XON,     //!< resume it
        REFUSED, //!< no room: the frame was not admitted
    };

    /// How large the parts are.
    struct Config
    {
        uint64_t bufferBytes{
            0};              //!< whole buffer, headroom included; 0 for just enough for static Xoff
        LaneSet lossless{0}; //!< priorities under PFC
        bool dynamic{false}; //!< Xoff = alpha x free shared bytes instead of xoffBytes
        double alpha{0.125}; //!< of the dynamic threshold
        uint64_t xoffBytes{0};               //!< static Xoff of each lossless (port, priority)
        uint64_t xonBytes{0};                //!< static Xon
        uint64_t xonOffsetBytes{0};          //!< dynamic: Xon = Xoff less this
        std::vector<uint64_t> headroomBytes; //!< of each port, for each of its lossless priorities
    };

    /**
     * @param config the parts
     * @returns empty, or why they do not fit, with the numbers
     */
    std::string Configure(const Config& config);

    /**
     * A frame arrives.
     * @param port it came in by
     * @param priority its priority
     * @param bytes its size
     * @returns NOTHING, XOFF or REFUSED
     */
    Verdict Admit(uint32_t port, uint8_t priority, uint32_t bytes)
    {
        Account& account = m_accounts[port * PRIORITIES + priority];
        const uint64_t free = m_sharedBytes - m_sharedUsed;
        if (!account.lossless)
        {
            if (bytes > free)
            {
                return Verdict::REFUSED;
            }
            account.shared += bytes;
            m_sharedUsed += bytes;
            return Verdict::NOTHING;
        }
        if (account.headroomUsed == 0 && account.shared + bytes <= Xoff(free) && bytes <= free)
        {
            account.shared += bytes;
            m_sharedUsed += bytes;
            return Verdict::NOTHING;
        }
        if (account.headroomUsed + bytes > account.headroom)
        {
            return Verdict::REFUSED;
        }
        account.headroomUsed += bytes;
        if (account.paused)
        {
            return Verdict::NOTHING;
        }
        account.paused = true;
        return Verdict::XOFF;
    }

    /**
     * A frame's transmission begins.
     * @param port it came in by
     * @param priority its priority
     * @param bytes its size
     * @returns NOTHING or XON
     */
    Verdict Release(uint32_t port, uint8_t priority, uint32_t bytes)
    {
        Account& account = m_accounts[port * PRIORITIES + priority];
        // What is beyond Xoff leaves first, as the next frames will find room there again.
        const uint64_t fromHeadroom = bytes < account.headroomUsed ? bytes : account.headroomUsed;
        account.headroomUsed -= fromHeadroom;
        account.shared -= bytes - fromHeadroom;
        m_sharedUsed -= bytes - fromHeadroom;
        if (account.paused && account.headroomUsed == 0 &&
            account.shared <= Xon(m_sharedBytes - m_sharedUsed))
        {
            account.paused = false;
            return Verdict::XON;
        }
        return Verdict::NOTHING;
    }

    /**
     * Remembers for which frame's egress the far end of a (port, priority) is asked to pause.
     * @param port ingress
     * @param priority 0..7
     * @param egress port by which the frame leaves that Admit() answered XOFF to
     */
    void SetCause(uint32_t port, uint8_t priority, uint32_t egress)
    {
        m_accounts[port * PRIORITIES + priority].cause = egress;
    }

    /**
     * @param port ingress
     * @param priority 0..7
     * @returns what SetCause() was last told
     */
    uint32_t GetCause(uint32_t port, uint8_t priority) const
    {
        return m_accounts[port * PRIORITIES + priority].cause;
    }

    /// @returns bytes held, headroom included
    uint64_t GetUsedBytes() const;

    /**
     * @param port ingress
     * @param priority 0..7
     * @returns bytes held for it
     */
    uint64_t GetUsedBytes(uint32_t port, uint8_t priority) const;

    /**
     * @param port ingress
     * @param priority 0..7
     * @returns bytes of its headroom in use
     */
    uint64_t GetHeadroomUsedBytes(uint32_t port, uint8_t priority) const;

    /**
     * @param port ingress
     * @param priority 0..7
     * @returns its headroom
     */
    uint64_t GetHeadroomBytes(uint32_t port, uint8_t priority) const;

    /**
     * @param port ingress
     * @param priority 0..7
     * @returns whether its far end is asked to pause
     */
    bool IsPaused(uint32_t port, uint8_t priority) const;

    /**
     * @param port ingress
     * @param priority 0..7
     * @param stuckBytes of what is held for it: they never leave
     * @returns whether its far end is asked to pause and will not be resumed, even if all else
     * leaves the buffer
     */
    bool StaysPaused(uint32_t port, uint8_t priority, uint64_t stuckBytes) const;

    /// @returns the whole buffer
    uint64_t GetBufferBytes() const;

    /// @returns Xoff now
    uint64_t GetXoffBytes() const;

  private:
    /// Bytes charged to one (ingress port, priority).
    struct Account
    {
        uint64_t shared{0};       //!< in the shared pool
        uint64_t headroomUsed{0}; //!< in headroom
        uint64_t headroom{0};     //!< its size
        bool lossless{false};     //!< under PFC
        bool paused{false};       //!< the far end was asked to pause
        uint32_t cause{0};        //!< SetCause()
    };

    /**
     * @param free shared bytes not in use
     * @returns the threshold
     */
    uint64_t Xoff(uint64_t free) const
    {
        return m_dynamic ? static_cast<uint64_t>(m_alpha * static_cast<double>(free)) : m_xoff;
    }

    /**
     * @param free shared bytes not in use
     * @returns the threshold for resuming
     */
    uint64_t Xon(uint64_t free) const
    {
        if (!m_dynamic)
        {
            return m_xon;
        }
        const uint64_t xoff = Xoff(free);
        return xoff > m_xonOffset ? xoff - m_xonOffset : 0;
    }

    std::vector<Account> m_accounts; //!< by port * 8 + priority
    uint64_t m_bufferBytes{0};       //!< whole buffer
    uint64_t m_sharedBytes{0};       //!< buffer less all headroom
    uint64_t m_sharedUsed{0};        //!< of it
    uint64_t m_xoff{0};              //!< static
    uint64_t m_xon{0};               //!< static
    uint64_t m_xonOffset{0};         //!< dynamic
    double m_alpha{0};               //!< dynamic
    bool m_dynamic{false};           //!< which
};

/**
 * Headroom that a (port, priority) needs so that nothing is lost after it asks for a pause (IEEE
 * 802.1Qbb, annex on buffer requirements): 2 x delay x rate + reaction x rate + three largest
 * frames + a PFC frame. The annex counts two: one that is being sent when the pause wants the line,
 * and one that the far end has just begun when it takes effect. The third is the frame that crosses
 * Xoff, which IngressBuffer charges to headroom as a whole.
 *
 * @param rateBps line rate [bit/s]
 * @param delayPs propagation delay, one way [ps]
 * @param reactionPs of the far end [ps]
 * @param frameBytes largest frame on the wire, with preamble and gap [B]
 * @param pauseFrameBytes PFC frame on the wire [B]
 * @returns bytes
 */
uint64_t RequiredHeadroom(uint64_t rateBps,
                          int64_t delayPs,
                          int64_t reactionPs,
                          uint32_t frameBytes,
                          uint32_t pauseFrameBytes);

} // namespace ns3

#endif // INGRESS_BUFFER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RATE_CONTROLLER_H
#define RATE_CONTROLLER_H

#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * The sender's reaction to congestion: one object for each queue pair.
 *
 * Input are acknowledgements, notifications, bytes sent and the controller's own timer; output are
 * a rate and, where the scheme has one, a window. Time is given to it, it never asks the simulator.
 * Before each input, and before each frame is sent, RdmaHw calls OnTimer() for every deadline that
 * has passed, in order and with the deadline's own time, so a timer costs no event unless it
 * releases a frame.
 *
 * The base class is the fixed rate: line rate for ever (scheme `none`).
 * @ingroup lossless
 */
class RateController : public Object
{
  public:
    /// What an acknowledgement tells. @ingroup lossless
    struct Acknowledgement
    {
        uint64_t ackedBytes{0}; //!< user bytes newly acknowledged, 0 for a NACK without progress
        uint64_t ackedTotal{0}; //!< user bytes of the message acknowledged so far
        uint64_t sentTotal{0};  //!< user bytes of the message sent so far
        Time rtt;               //!< from the start of the newest covered frame's transmission
        CodePoint echo{CodePoint::NOT_CAPABLE}; //!< highest mark of the covered data
        bool nack{false};                       //!< the receiver missed a frame
        const IntBlock* telemetry{nullptr};     //!< INT of the data's path; only during the call
    };

    /// A window that never closes.
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();

    /// @returns the TypeId
    static TypeId GetTypeId();

    /**
     * @returns a new controller with the same attributes and no history; RdmaHw calls it for each
     * queue pair on the one it was configured with. What the controllers of one host have in
     * common, as the limiters of a service level, the forks share by a pointer of their original:
     * a queue pair learns of what another one changed when it next may send or hears something
     */
    virtual Ptr<RateController> Fork() const;

    /**
     * The queue pair begins to send.
     * @param lineRateBps the NIC's rate [bit/s]
     * @param baseRtt round-trip time of the path without queueing, zero if unknown
     * @param frameBytes largest frame on the wire [B]
     * @param now present time
     */
    void Start(uint64_t lineRateBps, Time baseRtt, uint32_t frameBytes, Time now);

    /**
     * An ACK or NACK came.
     * @param ack what it says
     * @param now present time
     */
    virtual void OnAck(const Acknowledgement& ack, Time now);

    /**
     * A notification of any kind came. By default a CNP goes to OnCnp() and other kinds, which are
     * another scheme's, have no effect.
     * @param notification what it says
     * @param now present time
     */
    virtual void OnNotification(const Notification& notification, Time now);

    /**
     * A congestion notification packet came.
     * @param cnp UE, CE or none, window, rate
     * @param now present time
     */
    virtual void OnCnp(const Cnp& cnp, Time now);

    /**
     * A frame is about to be sent.
     * @param frame the frame, to which the controller may add a tag
     * @param wireBytes its size with preamble and gap [B]
     * @param now present time
     */
    virtual void OnSend(Frame& frame, uint32_t wireBytes, Time now);

    /// @returns when OnTimer() is wanted next; Time::Max() for never. Only what may change rate or
    /// window.
    virtual Time NextTimer() const;

    /// The deadline of NextTimer() has come. @param now that deadline
    virtual void OnTimer(Time now);

    /// @returns sending rate, preamble and gap included [bit/s]
    double GetRateBps() const;

    /// @returns bytes that may be unacknowledged [B]; one frame may always be
    uint64_t GetWindowBytes() const;

  protected:
    /**
     * @param bytes a window as arithmetic gave it, not negative
     * @returns it to the nearest byte, NO_WINDOW if 63 bits do not hold it
     */
    static uint64_t WindowOf(double bytes);

    /// Called by Start(), when line rate and base RTT are known. @param now present time
    virtual void DoStart(Time now);

    double m_rateBps{0};               //!< present rate
    uint64_t m_windowBytes{NO_WINDOW}; //!< present window
    uint64_t m_lineRateBps{0};         //!< the NIC's rate
    Time m_baseRtt;                    //!< of the path
    uint32_t m_frameBytes{0};          //!< largest frame on the wire
};

} // namespace ns3

#endif // RATE_CONTROLLER_H

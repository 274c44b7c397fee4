// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RATE_LIMITER_H
#define RATE_LIMITER_H

#include "ns3/frame.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * The arithmetic of one rate limiter of a reaction point: what the messages of congestion points
 * make of the rate of one flow or of a few.
 *
 * It knows neither queue nor port. Time is given to it; before each input OnTimer() is called for
 * every deadline that has passed, in order and with the deadline's own time, as for a
 * RateController. An inactive limiter limits nothing; a message activates it, and Release() makes
 * it inactive again.
 * @ingroup lossless
 */
class RateLimiter
{
  public:
    virtual ~RateLimiter() = default;

    /**
     * A message to the source of a frame of this limiter's flows. Kinds of another scheme have no
     * effect.
     * @param message what it says
     * @param now present time
     */
    virtual void OnMessage(const Notification& message, Time now) = 0;

    /**
     * Adds the scheme's tag to a frame that is going to wait for this limiter, so that the frame
     * has the size that it will be sent with. What the tag says is settled by OnSend().
     * @param frame without such a tag; Frame::bytes is brought up to date
     */
    virtual void AddTag(Frame& frame) const = 0;

    /**
     * A frame is sent.
     * @param frame one that AddTag() has seen
     * @param now present time
     */
    virtual void OnSend(Frame& frame, Time now) = 0;

    /// @returns when OnTimer() is wanted next; Time::Max() for never
    virtual Time NextTimer() const = 0;

    /// The deadline of NextTimer() has come. @param now that deadline
    virtual void OnTimer(Time now) = 0;

    /// Forgets everything: the limiter is inactive.
    virtual void Release() = 0;

    /// Lifts the rate to that of the line, for the limiter to be emptied and released.
    virtual void OpenUp() = 0;

    /// @returns whether it is in use
    virtual bool IsActive() const = 0;

    /// @returns whether it limits nothing any more, so that it may be released once it is empty
    virtual bool IsAtLineRate() const = 0;

    /// @returns rate, preamble and gap included [bit/s]
    double GetRateBps() const
    {
        return m_rateBps;
    }

  protected:
    double m_rateBps{0}; //!< present rate [bit/s]
};

} // namespace ns3

#endif // RATE_LIMITER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FAR_TIME_H
#define LOSSLESS_FAR_TIME_H

#include "ns3/nstime.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @name Times far away
 *
 * Links count in picoseconds, and 64 bits of them are 106 days, while ns-3's Time holds 292 years:
 * people write such values to switch a timer off. So a far time is cut to one that never comes, and
 * sums of times do not wrap.
 * @ingroup lossless
 */
//@{

/// A time that never comes [ps].
constexpr int64_t NEVER_PS = std::numeric_limits<int64_t>::max();

/// A time from here on, 53 days, never comes either; the sum of two is still below NEVER_PS [ps].
constexpr int64_t FAR_PS = NEVER_PS / 2;

/// Simulated time that a run may reach: 10^6 s, 11 days [ns].
constexpr int64_t HORIZON_NS = 1000000000000000;

/**
 * @param time not negative
 * @returns the time, at most FAR_PS [ps]
 */
inline int64_t
ToPs(Time time)
{
    static const Time farthest = NanoSeconds(FAR_PS / 1000);
    return time < farthest ? time.GetPicoSeconds() : FAR_PS;
}

/**
 * @param now not negative
 * @param interval not negative
 * @returns the time that much later, at most Time::Max(), which is a controller's "never"
 */
inline Time
Later(Time now, Time interval)
{
    return interval < Time::Max() - now ? now + interval : Time::Max();
}

/**
 * @param ns any number but NaN, as arithmetic gave it [ns]
 * @returns the nearest time, at most Time::Max()
 */
inline Time
RoundToNs(double ns)
{
    return ns < 9.2e18 ? NanoSeconds(std::llround(ns)) : Time::Max();
}

//@}

} // namespace ns3

#endif // LOSSLESS_FAR_TIME_H

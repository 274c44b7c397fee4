// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LINK_TIME_H
#define LINK_TIME_H

#include "ns3/far-time.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

/**
 * @name Times on links
 *
 * Links count in integer picoseconds, so that a 64-byte frame at 400 Gb/s takes 1280 ps and not 1
 * ns. Events lie on ns-3's grid of nanoseconds, at the first instant not before the exact time; the
 * exact time travels with the frame and is carried on by the next port, so nothing accumulates.
 * @ingroup lossless
 */
//@{

/// @returns present simulation time [ps]
inline int64_t
NowPs()
{
    return Simulator::Now().GetNanoSeconds() * 1000;
}

/**
 * @param ps exact time [ps]
 * @returns the first time of the events' grid not before it [ps]
 */
inline int64_t
OnEventGrid(int64_t ps)
{
    return (ps + 999) / 1000 * 1000;
}

/**
 * @param ps exact time [ps]
 * @returns the first event time not before it
 */
inline Time
EventTime(int64_t ps)
{
    return NanoSeconds((ps + 999) / 1000);
}

/**
 * When a transmission begins.
 * @param freePs when the line became free [ps]
 * @param readyPs when the frame was there [ps]
 * @param nowPs present event's time [ps]
 * @returns the later of the two, or now if something else (a pause) held it back since
 */
inline int64_t
TransmissionStartPs(int64_t freePs, int64_t readyPs, int64_t nowPs)
{
    const int64_t startPs = freePs > readyPs ? freePs : readyPs;
    return startPs + 1000 <= nowPs ? nowPs : startPs;
}

/**
 * Serialisation time at one line rate, as a fixed-point number of picoseconds for each byte.
 *
 * Exact for every rate whose byte takes a whole number of picoseconds (10, 25, 40, 50, 100, 200,
 * 400, 800 Gb/s); for others off by at most 2^-21 ps for each byte.
 */
class ByteTime
{
  public:
    ByteTime() = default;

    /// @param rateBps line rate [bit/s], greater than zero
    explicit ByteTime(uint64_t rateBps)
        : m_perByte(((__extension__ static_cast<unsigned __int128>(8000000000000ULL) << FRACTION) +
                     rateBps / 2) /
                    rateBps)
    {
    }

    /**
     * @param bytes on the wire
     * @returns the time they take [ps]
     */
    int64_t operator()(uint32_t bytes) const
    {
        __extension__ typedef unsigned __int128 Wide; // a long pause at 1 Mb/s exceeds 64 bits
        return static_cast<int64_t>((static_cast<Wide>(bytes) * m_perByte + HALF) >> FRACTION);
    }

  private:
    static constexpr int FRACTION = 20;                             //!< bits after the point
    static constexpr uint64_t HALF = uint64_t(1) << (FRACTION - 1); //!< for rounding
    uint64_t m_perByte{0}; //!< ps for each byte, fixed point
};

//@}

} // namespace ns3

#endif // LINK_TIME_H

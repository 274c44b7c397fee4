// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_QUANTITY_H
#define LOSSLESS_QUANTITY_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @name Numbers with units, as users write them
 *
 * ns-3's own DataRate and Time abort on a bad string, so options are read here. Each Parse function
 * returns whether the text is such a quantity.
 * @ingroup lossless
 */
//@{

/// Slowest link: times of its longest pause and frames stay far below what 64 bits of ps hold
/// [bit/s].
constexpr uint64_t MINIMUM_RATE_BPS = 1000;

/// Fastest link: its time for a byte is still exact to a thousandth [bit/s].
constexpr uint64_t MAXIMUM_RATE_BPS = 1000000000000000;

/// Largest buffer or threshold: sums over all ports of a switch fit 64 bits [B].
constexpr uint64_t MAXIMUM_BUFFER_BYTES = 1000000000000;

/**
 * @param text as 10us or 0.5ms: a number of 0 or more in s, ms, us, ns or ps
 * @param [out] ns in whole ns
 */
bool ParseTime(const std::string& text, int64_t& ns);

/**
 * @param text as 100Gb/s or 100Gbps: bits in k, M, G or T, or bytes (B/s, Bps)
 * @param [out] bps at least 1
 */
bool ParseRate(const std::string& text, uint64_t& bps);

/**
 * @param text as 2000000, 2MB or 0.5KB: whole bytes; KB, MB, GB are powers of 1000
 * @param [out] bytes the number
 */
bool ParseBytes(const std::string& text, uint64_t& bytes);

/**
 * @param text digits, as 127
 * @param largest that is accepted
 * @param [out] number the number
 * @returns whether the whole text is one, up to the largest
 */
bool ParseWhole(const std::string& text, uint32_t largest, uint32_t& number);

/**
 * @param ns a time [ns]
 * @returns it in the largest unit that leaves a whole number, as 10us
 */
std::string TimeText(int64_t ns);

/**
 * @param bps a rate [bit/s]
 * @returns it in the largest unit that leaves a whole number, as 100Gb/s
 */
std::string RateText(uint64_t bps);

//@}

} // namespace ns3

#endif // LOSSLESS_QUANTITY_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef FLOW_HASH_H
#define FLOW_HASH_H

#include <cstdint>

namespace ns3
{

/**
 * Mixes the bits of a number: every input bit changes each output bit with probability one half
 * (measured in the unit test). Pure, so the same on every machine and rank; ns3::Hash32 keeps state
 * in one process-wide object.
 * @param x any number
 * @returns its mix
 * @ingroup lossless
 */
inline uint64_t
MixBits(uint64_t x)
{
    // Two rounds of xor-shift and multiplication by odd constants (the golden ratio's and pi's
    // bits).
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15ULL;
    x ^= x >> 29;
    x *= 0x243f6a8885a308d3ULL;
    x ^= x >> 32;
    return x;
}

/**
 * @param source IPv4 address
 * @param destination IPv4 address
 * @param entropy UDP source port or protocol number
 * @returns the flow hash that each switch salts for ECMP
 */
inline uint32_t
HashFlow(uint32_t source, uint32_t destination, uint32_t entropy)
{
    const uint64_t pair = static_cast<uint64_t>(source) << 32 | destination;
    return static_cast<uint32_t>(MixBits(MixBits(pair) + entropy));
}

/**
 * @param hash flow hash
 * @param salt of the switch
 * @param choices number of equal-cost ports
 * @returns the choice, 0..choices-1
 */
inline uint32_t
ChooseByHash(uint32_t hash, uint32_t salt, uint32_t choices)
{
    const uint64_t mixed = MixBits(static_cast<uint64_t>(salt) << 32 | hash) >> 32;
    return static_cast<uint32_t>(mixed * choices >> 32);
}

} // namespace ns3

#endif // FLOW_HASH_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_LANE_H
#define LOSSLESS_LANE_H

#include <cstdint>

namespace ns3
{

/// Lanes of a port: what flow control turns OFF and ON on its own. 802.1p priorities on Ethernet,
/// virtual lanes on InfiniBand, which has the most. @ingroup lossless
constexpr uint8_t LANES = 16;

/// Number of 802.1p priorities, which are lanes 0 to 7. @ingroup lossless
constexpr uint8_t PRIORITIES = 8;

/// A set of lanes: bit n stands for lane n. @ingroup lossless
using LaneSet = uint16_t;

/// Every lane. @ingroup lossless
constexpr LaneSet ALL_LANES = 0xffff;

} // namespace ns3

#endif // LOSSLESS_LANE_H

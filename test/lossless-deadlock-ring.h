// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_DEADLOCK_RING_H
#define LOSSLESS_DEADLOCK_RING_H

#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * Rings of switches, for the suites lossless-deadlock-...
 */

namespace ns3
{
namespace losslesstest
{

constexpr uint64_t RING_XOFF = 50000; //!< of the rings' switches [B]

/**
 * Switches s0, s1, ... in a ring with the same number of hosts each; host h is on switch h / hosts.
 * Links of 100 Gb/s and 1 us. Port i of a switch leads to its host i, and in a ring of more than
 * two there are two more ports.
 *
 * @param fabric to add to, still empty
 * @param switches how many
 * @param hosts on each of them
 */
void AddRing(LosslessFabric& fabric, uint32_t switches, uint32_t hosts);

/**
 * A ring of three, where static routes make each host's frames for the one before it go two links
 * around: the shortest way would be one link back.
 *
 * @param fabric to add to, still empty
 */
void AddTriangle(LosslessFabric& fabric);

/**
 * @param sources numbers of hosts that send
 * @param bytes of each flow
 * @returns flows 0, 1, ..., each to the host before its source
 */
std::vector<FlowSpec> TriangleFlows(const std::vector<uint32_t>& sources, uint64_t bytes);

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_DEADLOCK_RING_H

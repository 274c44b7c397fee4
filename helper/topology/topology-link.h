// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef TOPOLOGY_LINK_H
#define TOPOLOGY_LINK_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * Rate and delay of one kind of link of a topology helper, checked when they are set.
 * @ingroup lossless
 */
struct TopologyLink
{
    DataRate rate{100000000000}; //!< line rate of each direction, 100 Gb/s by default
    Time delay{MicroSeconds(1)}; //!< propagation delay, one way, 1 us by default

    /**
     * @param name what the link is, for the error, e.g. "host link"
     * @param newRate line rate, above 0
     * @param newDelay one way, 0 or more
     * @throws InputError for a rate of 0 or a negative delay
     */
    void Set(const std::string& name, DataRate newRate, Time newDelay);
};

/**
 * Checks a number of nodes.
 * @param name what is counted, for the error
 * @param count how many a user wants
 * @returns the count
 * @throws InputError unless it is 1 to 1 000 000, which is beyond what a machine can simulate
 * @ingroup lossless
 */
uint32_t CheckNodeCount(const std::string& name, uint64_t count);

} // namespace ns3

#endif // TOPOLOGY_LINK_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TOPOLOGY_FILE_H
#define LOSSLESS_TOPOLOGY_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * A full-duplex link of a topology file.
 */
struct LinkSpec
{
    uint32_t a{0};         ///< node at one end
    uint32_t b{0};         ///< node at the other end
    uint64_t rateBps{0};   ///< rate, bits per second in each direction
    int64_t delayNs{0};    ///< propagation delay, ns
    double errorRate{0.0}; ///< probability that a packet is lost, 0..1
    std::size_t line{0};   ///< line in the file, for the caller's errors
};

/**
 * @ingroup lossless
 * A static route of a topology file: it takes the place of the shortest paths.
 */
struct RouteSpec
{
    uint32_t sw{0};             ///< switch whose route it is
    uint32_t host{0};           ///< destination
    std::vector<uint32_t> next; ///< nodes linked to the switch, of which each flow goes to one
    std::size_t line{0};        ///< line in the file, for the caller's errors
};

/**
 * @ingroup lossless
 * What a topology file holds. A node that is not a switch is a host. Links that join the same
 * two nodes are parallel links.
 */
struct TopologySpec
{
    uint32_t nodes{0};              ///< number of nodes; ids are 0..nodes-1
    std::vector<uint32_t> switches; ///< node ids of the switches, in the order of the file
    std::vector<LinkSpec> links;    ///< links, in the order of the file
    std::vector<RouteSpec> routes;  ///< static routes, in the order of the file
};

/**
 * @ingroup lossless
 * Reads a topology in the format of the HPCC simulator, which many others use: line 1
 * `nodes switches links`, line 2 the node ids of the switches, then a line for each link,
 * `src dst rate delay error-rate`, e.g. `0 320 100Gbps 1us 0`. `#` starts a comment. Rates are
 * in bps, kbps, Mbps, Gbps or Tbps (`Gb/s` is as good, `GBps` is bytes), delays in s, ms, us,
 * ns or ps.
 *
 * After the links a line `route SWITCH HOST NEXT[,NEXT...]` for each static route may follow:
 * frames for HOST leave SWITCH to the node NEXT, or, flow by flow, to one of several.
 * @param path the file
 * @return the topology
 * @throws InputError naming file and line
 */
TopologySpec ReadTopologyFile(const std::string& path);

} // namespace ns3

#endif // LOSSLESS_TOPOLOGY_FILE_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef SHORTEST_PATH_ROUTING_H
#define SHORTEST_PATH_ROUTING_H

#include "ns3/lossless-net-device.h"
#include "ns3/lossless-switch.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * Fills the switches' tables: for each destination endpoint all ports that begin a shortest path
 * (fewest links), parallel links included; static routes may replace them. Endpoints are numbered
 * by their place in the list. Hosts do not forward.
 * @ingroup lossless
 */
class ShortestPathRouting
{
  public:
    /**
     * @param endpoints the hosts' ports
     * @param switches all switches
     * @returns the endpoints that endpoint 0 cannot reach, none if the network is whole
     */
    std::vector<uint32_t> Install(const std::vector<Ptr<LosslessNetDevice>>& endpoints,
                                  const std::vector<Ptr<LosslessSwitch>>& switches);

    /**
     * @param source endpoint
     * @param destination endpoint
     * @param hash of the flow
     * @returns the sending port of each link on the flow's path, the host's first
     */
    std::vector<Ptr<LosslessNetDevice>> GetPath(uint32_t source,
                                                uint32_t destination,
                                                uint32_t hash) const;

    /**
     * Looks for a loop that other routes than those of Install() may have made.
     * @param from switches where it is looked for
     * @param destination endpoint
     * @returns the sending ports of a way around, empty if the tables allow none
     */
    std::vector<Ptr<LosslessNetDevice>> FindLoop(const std::vector<Ptr<LosslessSwitch>>& from,
                                                 uint32_t destination) const;

  private:
    std::vector<Ptr<LosslessNetDevice>> m_endpoints; //!< by number
};

} // namespace ns3

#endif // SHORTEST_PATH_ROUTING_H

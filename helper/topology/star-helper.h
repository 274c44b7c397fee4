// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef STAR_HELPER_H
#define STAR_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/topology-link.h"

#include <cstdint>

namespace ns3
{

/**
 * Hosts `h0`, `h1`, ... on one switch `switch`, each by a link of the same rate and delay: what an
 * incast needs. The default is 3 hosts, 100 Gb/s and 1 us.
 * @ingroup lossless
 */
class StarHelper
{
  public:
    /**
     * @param hosts number of hosts
     * @throws InputError for 0 or too many
     */
    void SetHosts(uint32_t hosts);

    /**
     * @param rate line rate
     * @param delay one way; of each link
     * @throws InputError
     */
    void SetLink(DataRate rate, Time delay);

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

  private:
    uint32_t m_hosts{3}; //!< hosts
    TopologyLink m_link; //!< of each host
};

} // namespace ns3

#endif // STAR_HELPER_H

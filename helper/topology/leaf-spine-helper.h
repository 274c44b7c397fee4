// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LEAF_SPINE_HELPER_H
#define LEAF_SPINE_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/topology-link.h"

#include <cstdint>

namespace ns3
{

/**
 * A two-layer fabric: every leaf is linked to every spine, and host h is on leaf h / hostsPerLeaf.
 *
 * Nodes are added in this order: hosts `h0`, `h1`, ...; leaves `leaf0`, ...; spines `spine0`, ....
 * The default is 4 leaves, 4 spines and 4 hosts on each leaf, every link 100 Gb/s and 1 us: not
 * oversubscribed.
 * @ingroup lossless
 */
class LeafSpineHelper
{
  public:
    /**
     * @param leaves number of leaf switches
     * @param spines number of spine switches
     * @param hostsPerLeaf hosts on each leaf
     * @throws InputError for a count of 0 or too many hosts
     */
    void SetShape(uint32_t leaves, uint32_t spines, uint32_t hostsPerLeaf);

    /**
     * @param rate line rate
     * @param delay one way; of host to leaf
     * @throws InputError
     */
    void SetHostLink(DataRate rate, Time delay);

    /**
     * @param rate line rate
     * @param delay one way; of leaf to spine
     * @throws InputError
     */
    void SetUplink(DataRate rate, Time delay);

    /// @returns rate of a leaf's hosts over rate of its uplinks: 1 for a full bisection, 2 for 2:1
    double GetOversubscription() const;

    /// @returns number of hosts
    uint32_t GetNHosts() const;

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

  private:
    uint32_t m_leaves{4};       //!< leaf switches
    uint32_t m_spines{4};       //!< spine switches
    uint32_t m_hostsPerLeaf{4}; //!< hosts of a leaf
    TopologyLink m_hostLink;    //!< host to leaf
    TopologyLink m_uplink;      //!< leaf to spine
};

} // namespace ns3

#endif // LEAF_SPINE_HELPER_H

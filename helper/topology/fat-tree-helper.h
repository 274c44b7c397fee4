// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef FAT_TREE_HELPER_H
#define FAT_TREE_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/topology-link.h"

#include <cstdint>

namespace ns3
{

/**
 * A three-layer fat-tree: hosts, edge (ToR), aggregation and core switches.
 *
 * Within a pod every edge switch is linked to every aggregation switch. Aggregation j of each pod
 * is linked to the cores j c .. j c + c - 1, where c = cores / aggregationsPerPod, so each core has
 * one link to each pod. Host h is on edge h / hostsPerEdge, edge e is in pod e / edgesPerPod.
 *
 * Nodes are added in this order, so that an empty fabric's node ids are those of the HPCC
 * simulator's fat.txt: hosts `h0`, `h1`, ...; edges `edgeP-E` (pod, number within the pod, so
 * `edge0-0`); aggregations `aggP-A`; cores `core0`, `core1`, ....
 *
 * The default is the k-ary fat-tree of Al-Fares et al. (SIGCOMM 2008) with k = 4, every link
 * 100 Gb/s and 1 us.
 * @ingroup lossless
 */
class FatTreeHelper
{
  public:
    FatTreeHelper();

    /**
     * @returns the 320-host fat-tree of HPCC's and Mercury's evaluations (HPCC simulator,
     * mix/fat.txt): 5 pods of 4 edges and 4 aggregations, 16 cores, 16 hosts on each edge; hosts at
     * 100 Gb/s, the other links at 400 Gb/s, 1 us each; not oversubscribed
     */
    static FatTreeHelper Mercury();

    /**
     * The k-ary fat-tree: k pods of k/2 edges and k/2 aggregations, (k/2)^2 cores, k^3/4 hosts.
     * @param k ports of a switch, even, at least 2
     * @throws InputError for another k
     */
    void SetArity(uint32_t k);

    /**
     * @param pods number of pods
     * @param edgesPerPod edge switches of a pod
     * @param aggregationsPerPod aggregation switches of a pod
     * @param cores core switches, a multiple of aggregationsPerPod
     * @param hostsPerEdge hosts on each edge switch
     * @throws InputError for a count of 0, too many hosts, or cores that cannot be shared out
     */
    void SetShape(uint32_t pods,
                  uint32_t edgesPerPod,
                  uint32_t aggregationsPerPod,
                  uint32_t cores,
                  uint32_t hostsPerEdge);

    /**
     * @param rate line rate
     * @param delay one way; of host to edge
     * @throws InputError
     */
    void SetHostLink(DataRate rate, Time delay);

    /**
     * @param rate line rate
     * @param delay one way; of edge to aggregation
     * @throws InputError
     */
    void SetEdgeLink(DataRate rate, Time delay);

    /**
     * @param rate line rate
     * @param delay one way; of aggregation to core
     * @throws InputError
     */
    void SetCoreLink(DataRate rate, Time delay);

    /// @returns number of hosts
    uint32_t GetNHosts() const;

    /// @returns number of switches
    uint32_t GetNSwitches() const;

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

  private:
    uint32_t m_pods;         //!< pods
    uint32_t m_edges;        //!< of a pod
    uint32_t m_aggregations; //!< of a pod
    uint32_t m_cores;        //!< in all
    uint32_t m_hosts;        //!< of an edge
    TopologyLink m_hostLink; //!< host to edge
    TopologyLink m_edgeLink; //!< edge to aggregation
    TopologyLink m_coreLink; //!< aggregation to core
};

} // namespace ns3

#endif // FAT_TREE_HELPER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef MARKING_UNIT_HELPER_H
#define MARKING_UNIT_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/topology-link.h"
#include "ns3/unit-topology-helper.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * The two switches over which congestion spreads: Santos, Turner and Janakiraman, "Evaluation of
 * Congestion Detection Mechanisms for InfiniBand Switches", GLOBECOM 2002, figure 1.
 *
 * @verbatim
 *   A_1 .. A_10 --- A --inter-switch-- B --root-- B_C
 *   A_V ----------- |                  |--------- B_V
 *                                      '--------- B_1 .. B_10
 * @endverbatim
 *
 * Remote flows go from A_1 .. and local flows from B_1 .. to B_C, the victim from A_V to B_V.
 *
 * Hosts are added in the order A_1 .., A_V, B_1 .., B_C, B_V, then the switches A and B. The
 * default is ten flows of each side, every link 8 Gb/s (1 GB/s) without propagation delay, of which
 * the paper tells nothing.
 * @ingroup lossless
 */
class MarkingUnitHelper : public UnitTopologyHelper
{
  public:
    MarkingUnitHelper();

    /**
     * @param flows local ones, and as many remote ones, at least 1
     * @throws InputError
     */
    void SetFlowsPerSide(uint32_t flows);

    /**
     * @param rate line rate
     * @param delay one way; of every link
     * @throws InputError
     */
    void SetLink(DataRate rate, Time delay);

    /**
     * Gives each input and lane a buffer of a number of packets, whose credits are told as soon as
     * there is room. Over InfiniBand only.
     * @param packets of the largest size, in whole blocks, as credits count them
     * @param mtuBytes payload of the largest packet [B]
     * @param fabric not yet built
     */
    static void SetBuffers(uint32_t packets, uint32_t mtuBytes, LosslessFabric& fabric);

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

    /// @returns inter-switch and root
    static std::vector<Port> GetPorts();

    /**
     * Appends the flows: the local ones first, each an interval after the one before, then the
     * remote ones, then the victim.
     * @param fabric with its nodes
     * @param interval between two starts; the first is at once
     * @param end of the local and remote flows, which send as much as their links can until then
     * @param victimStart when the victim starts
     * @param victimTime line rate that it has to send
     * @param [in,out] flows gets them, with the next numbers
     */
    void AddFlows(const LosslessFabric& fabric,
                  Time interval,
                  Time end,
                  Time victimStart,
                  Time victimTime,
                  std::vector<FlowSpec>& flows) const;

  private:
    uint32_t m_flowsPerSide{10}; //!< hosts A_i, and hosts B_i
    TopologyLink m_link;         //!< every link
};

} // namespace ns3

#endif // MARKING_UNIT_HELPER_H

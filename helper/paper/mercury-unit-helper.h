// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef MERCURY_UNIT_HELPER_H
#define MERCURY_UNIT_HELPER_H

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
 * The chain of switches in which Mercury is explained and evaluated at small scale: He et al.,
 * "Accurate and fast congestion feedback in MEC-enabled RDMA datacenters", 2024, figure 2.
 *
 * @verbatim
 *   H1,H2 --- S1 --P1-- S2 --P2-- S3 --P3-- R2
 *                                 |-------- R1
 *                                 '-------- B1 .. B8
 * @endverbatim
 *
 * The paper's drawing is lost. Its text fixes the chain and the ports; that the hosts B, which send
 * the bursts, are on S3 follows from P1 and P2 not being congested by them.
 *
 * Hosts are added in the order H1 .., R1, R2, B1 .., then the switches S1, S2, S3. The default is
 * two hosts H, eight hosts B, every link 40 Gb/s and 4 us.
 * @ingroup lossless
 */
class MercuryUnitHelper : public UnitTopologyHelper
{
  public:
    MercuryUnitHelper();

    /**
     * @param hosts H, on S1, at least 1
     * @throws InputError
     */
    void SetSenders(uint32_t hosts);

    /**
     * @param hosts B, on S3; 0 for none
     * @throws InputError
     */
    void SetBurstHosts(uint32_t hosts);

    /**
     * @param rate line rate
     * @param delay one way; of every link
     * @throws InputError
     */
    void SetLink(DataRate rate, Time delay);

    /**
     * @param rate line rate of the links of the hosts H, after SetLink()
     * @throws InputError
     */
    void SetSenderRate(DataRate rate);

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

    /// @returns P1, P2 and P3
    static std::vector<Port> GetPorts();

    /**
     * Appends the bursts: messages of each host B to R2, the hosts at the same time.
     * @param fabric with its nodes
     * @param bytes of each message [B]
     * @param messages of each host
     * @param inTurn false: all at once; true: each when the one before has completed
     * @param start of the first
     * @param [in,out] flows gets them, with the next numbers
     */
    void AddBursts(const LosslessFabric& fabric,
                   uint64_t bytes,
                   uint32_t messages,
                   bool inTurn,
                   Time start,
                   std::vector<FlowSpec>& flows) const;

  private:
    uint32_t m_senders{2};     //!< H
    uint32_t m_burstHosts{8};  //!< B
    TopologyLink m_link;       //!< every link but those below
    TopologyLink m_senderLink; //!< of the hosts H
};

} // namespace ns3

#endif // MERCURY_UNIT_HELPER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef TCD_UNIT_HELPER_H
#define TCD_UNIT_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/topology-link.h"
#include "ns3/unit-topology-helper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The unit of a multi-rooted topology in which TCD is explained and evaluated: Zhang et al., "TCD",
 * SIGCOMM 2021, figure 2.
 *
 * @verbatim
 *   S0,S1 --- T0 --P0--\
 *                       L0 --P2-- T2 --P3-- R1
 *      S2 --- T1 --P1--/ |         |------- R0
 *              B0 .. ----'         '------- A0 .. A14
 * @endverbatim
 *
 * The paper's drawing is lost; its text fixes the shape but for the name of T1. The compact form is
 * that of the testbed (section 5.1.1): T0 and T2 joined by P0, with S0, S1, R0, R1 and A0.
 *
 * Hosts are added in the order S0, S1, S2, R0, R1, A0 .., B0 .., those that are not wanted left
 * out; then the switches T0, T1, L0, T2. The default is 15 hosts A, none B, every link 40 Gb/s and
 * 4 us.
 * @ingroup lossless
 */
class TcdUnitHelper : public UnitTopologyHelper
{
  public:
    TcdUnitHelper();

    /**
     * @param hosts A, which send the bursts, at least 1
     * @throws InputError
     */
    void SetBurstHosts(uint32_t hosts);

    /**
     * @param hosts B, on L0; 0 for none
     * @throws InputError with the compact form
     */
    void SetLeafHosts(uint32_t hosts);

    /**
     * @param wanted whether S2 and T1 are there, which some experiments leave idle
     * @throws InputError with the compact form
     */
    void SetSecondBranch(bool wanted);

    /**
     * @param rate line rate
     * @param delay one way; of every link
     * @throws InputError
     */
    void SetLink(DataRate rate, Time delay);

    /**
     * @param rate line rate of S0 - T0 and S1 - T0, after SetLink()
     * @throws InputError
     */
    void SetSourceRate(DataRate rate);

    /// The testbed's form, every link 10 Gb/s: one host A, none B; no T1, L0 and S2.
    void SetCompact();

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

    /// @returns P0, P1, P2 and P3; those of them that this form has
    std::vector<Port> GetPorts() const;

    /**
     * @param name of a port
     * @returns its nodes
     * @throws InputError for one that this form lacks
     */
    Port GetPort(const std::string& name) const;

    /**
     * @param fabric built
     * @param name of a port
     * @returns its device
     * @throws InputError as GetPort()
     */
    Ptr<LosslessNetDevice> GetDevice(const LosslessFabric& fabric, const std::string& name) const;

    /**
     * Appends the bursts: messages of each host A to R1, the hosts at the same time.
     * @param fabric with its nodes
     * @param bytes of each message [B]
     * @param messages of each host
     * @param inTurn false: all at once, which overloads P3 by all hosts A until all is sent; true:
     * each when the one before has completed, which leaves one message of each under way
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
    uint32_t m_burstHosts{15}; //!< A
    uint32_t m_leafHosts{0};   //!< B
    bool m_secondBranch{true}; //!< S2 and T1
    bool m_compact{false};     //!< the testbed's form
    TopologyLink m_link;       //!< every link but those below
    TopologyLink m_sourceLink; //!< S0 - T0 and S1 - T0
};

} // namespace ns3

#endif // TCD_UNIT_HELPER_H

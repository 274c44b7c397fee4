// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TOPOLOGY_TEST_CASE_H
#define LOSSLESS_TOPOLOGY_TEST_CASE_H

#include "lossless-test-harness.h"

#include "ns3/ethernet-switch.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

/**
 * @file
 * What the suites lossless-topology-... share.
 */

namespace ns3
{
namespace losslesstest
{

/**
 * @param fabric after Build()
 * @param name of a switch
 * @returns the switch
 */
Ptr<EthernetSwitch> Switch(const LosslessFabric& fabric, const std::string& name);

/**
 * @param fabric after Build()
 * @param name of a switch
 * @param host number
 * @returns how many of its ports flows to the host may leave by
 */
std::size_t EqualCostPorts(const LosslessFabric& fabric, const std::string& name, uint32_t host);

/**
 * @param fabric after Build()
 * @param name of a switch
 * @returns its numbers of ports by rate [Gb/s]
 */
std::map<uint64_t, uint32_t> PortsByRate(const LosslessFabric& fabric, const std::string& name);

/**
 * @param counts how often each choice was made; none of those that nobody made
 * @param choices how many there are
 * @returns whether the counts are compatible with equal shares: chi-square at p = 1e-6
 */
bool IsSpread(const std::map<std::string, uint32_t>& counts, std::size_t choices);

/// Base of the cases of the topology suites.
class TopologyTestCase : public LosslessTestCase
{
  public:
    using LosslessTestCase::LosslessTestCase;

  protected:
    /**
     * Every pair of hosts has a path whose number of links is the expected one.
     *
     * @param fabric after Build()
     * @param links from the first host to the second
     */
    void CheckAllPairs(const LosslessFabric& fabric,
                       const std::function<std::size_t(uint32_t, uint32_t)>& links);

    /**
     * A flow alone in the network takes its ideal time, which is also given as a number.
     *
     * @param fabric after Build()
     * @param flow of it
     * @param expectedNs its completion time [ns]
     */
    void CheckFctAlone(LosslessFabric& fabric, const FlowSpec& flow, int64_t expectedNs);
};

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_TOPOLOGY_TEST_CASE_H

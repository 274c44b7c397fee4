// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef DUMBBELL_HELPER_H
#define DUMBBELL_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/topology-link.h"

#include <cstdint>

namespace ns3
{

/**
 * Two switches joined by one link, with hosts on both sides: hosts `h0` .. on the switch `left`,
 * then those on the switch `right`. The default is 2 and 2 hosts, every link 100 Gb/s and 1 us.
 * @ingroup lossless
 */
class DumbbellHelper
{
  public:
    /**
     * @param left hosts of the left switch
     * @param right hosts of the right switch
     * @throws InputError for 0 or too many hosts
     */
    void SetShape(uint32_t left, uint32_t right);

    /**
     * @param rate line rate
     * @param delay one way; of each host's link
     * @throws InputError
     */
    void SetHostLink(DataRate rate, Time delay);

    /**
     * @param rate line rate
     * @param delay one way; of the switches' link
     * @throws InputError
     */
    void SetBottleneck(DataRate rate, Time delay);

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

  private:
    uint32_t m_left{2};        //!< hosts of the left switch
    uint32_t m_right{2};       //!< hosts of the right switch
    TopologyLink m_hostLink;   //!< host to switch
    TopologyLink m_bottleneck; //!< switch to switch
};

} // namespace ns3

#endif // DUMBBELL_HELPER_H

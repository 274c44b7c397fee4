// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef UNIT_TOPOLOGY_HELPER_H
#define UNIT_TOPOLOGY_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * What the small networks of the papers have in common: ports and hosts with the paper's names, and
 * flows between them.
 * @ingroup lossless
 */
class UnitTopologyHelper
{
  public:
    /// A port by the two nodes that it is between.
    struct Port
    {
        std::string name; //!< in the paper, such as P2
        std::string node; //!< name of the node that sends
        std::string peer; //!< name of the node at the other end
    };

    /**
     * @param fabric with its nodes
     * @param name of a host, as in the paper
     * @returns its number, as in FlowSpec
     * @throws InputError for a name that is not there, or is a switch
     */
    static uint32_t GetHost(const LosslessFabric& fabric, const std::string& name);

    /**
     * Appends one flow.
     * @param fabric with its nodes
     * @param from name of the sending host
     * @param to name of the receiving host
     * @param bytes size [B]
     * @param start when
     * @param [in,out] flows gets it, with the next number
     */
    static void AddFlow(const LosslessFabric& fabric,
                        const std::string& from,
                        const std::string& to,
                        uint64_t bytes,
                        Time start,
                        std::vector<FlowSpec>& flows);

    /**
     * Appends messages from one host to another, each of which starts when the one before has
     * completed.
     * @param fabric with its nodes
     * @param from name of the sending host
     * @param to name of the receiving host
     * @param bytes of each [B]
     * @param count how many
     * @param start of the first
     * @param [in,out] flows gets them, with the next numbers
     */
    static void AddClosedLoop(const LosslessFabric& fabric,
                              const std::string& from,
                              const std::string& to,
                              uint64_t bytes,
                              uint32_t count,
                              Time start,
                              std::vector<FlowSpec>& flows);

    /**
     * Appends bursts: messages of several hosts to one, the hosts at the same time.
     * @param fabric with its nodes
     * @param senders names of the sending hosts
     * @param to name of the receiving host
     * @param bytes of each message [B]
     * @param messages of each host
     * @param inTurn false: all at once; true: each when the one before has completed
     * @param start of the first
     * @param [in,out] flows gets them, with the next numbers
     */
    static void AddBursts(const LosslessFabric& fabric,
                          const std::vector<std::string>& senders,
                          const std::string& to,
                          uint64_t bytes,
                          uint32_t messages,
                          bool inTurn,
                          Time start,
                          std::vector<FlowSpec>& flows);

    /**
     * Makes a host's flows uncontrolled.
     * @param fabric built, without its flows
     * @param host its name
     * @param rate of each of its flows, preamble and gap included
     */
    static void SetConstantRate(const LosslessFabric& fabric,
                                const std::string& host,
                                DataRate rate);
};

} // namespace ns3

#endif // UNIT_TOPOLOGY_HELPER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef FILE_TOPOLOGY_HELPER_H
#define FILE_TOPOLOGY_HELPER_H

#include "ns3/lossless-fabric.h"
#include "ns3/topology-file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A topology from a file in the format of the HPCC simulator (topology-file.h).
 *
 * Nodes are added in the order of their ids: a host is named `h` and its id, a switch `s` and its
 * id, and in a fabric that was empty a node's index is its id. A fabric counts hosts alone: host
 * number 0 is the host of the lowest id.
 * @ingroup lossless
 */
class FileTopologyHelper
{
  public:
    /**
     * @param path the file
     * @throws InputError naming file and line
     */
    explicit FileTopologyHelper(const std::string& path);

    /// Adds the nodes, links and static routes. @param fabric that gets them; its Build() is left
    /// to the caller
    void Build(LosslessFabric& fabric) const;

    /// @returns number of hosts
    uint32_t GetNHosts() const;

    /**
     * @param nodeId id of a node in the file, such as flow lists for the HPCC simulator use
     * @returns the host's number in a fabric that was empty
     * @throws InputError if there is no such node or it is a switch
     */
    uint32_t GetHost(uint32_t nodeId) const;

    /**
     * The same for a node named in another file.
     * @param nodeId id of a node in the file of the topology
     * @param file that names it, for the error
     * @param line of that file
     * @returns the host's number
     * @throws InputError as GetHost(), with that place
     */
    uint32_t GetHost(uint32_t nodeId, const std::string& file, std::size_t line) const;

  private:
    std::string m_path;             //!< for errors
    TopologySpec m_topology;        //!< what the file says
    std::vector<bool> m_isSwitch;   //!< by node id
    std::vector<uint32_t> m_hostOf; //!< host number by node id, for hosts
    uint32_t m_hosts{0};            //!< how many
};

} // namespace ns3

#endif // FILE_TOPOLOGY_HELPER_H

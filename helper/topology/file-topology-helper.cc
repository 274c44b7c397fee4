// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "file-topology-helper.h"

#include "ns3/data-rate.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"

namespace ns3
{

FileTopologyHelper::FileTopologyHelper(const std::string& path)
    : m_path(path),
      m_topology(ReadTopologyFile(path)),
      m_isSwitch(m_topology.nodes, false)
{
    for (uint32_t id : m_topology.switches)
    {
        m_isSwitch[id] = true;
    }
    for (uint32_t id = 0; id < m_topology.nodes; id++)
    {
        m_hostOf.push_back(m_hosts);
        m_hosts += m_isSwitch[id] ? 0 : 1;
    }
}

void
FileTopologyHelper::Build(LosslessFabric& fabric) const
{
    std::vector<uint32_t> nodes;
    for (uint32_t id = 0; id < m_topology.nodes; id++)
    {
        const std::string number = std::to_string(id);
        nodes.push_back(m_isSwitch[id] ? fabric.AddSwitch("s" + number)
                                       : fabric.AddHost("h" + number));
    }
    for (const LinkSpec& link : m_topology.links)
    {
        fabric.AddLink(nodes[link.a],
                       nodes[link.b],
                       DataRate(link.rateBps),
                       NanoSeconds(link.delayNs),
                       link.errorRate);
    }
    for (const RouteSpec& route : m_topology.routes)
    {
        std::vector<uint32_t> next;
        for (uint32_t id : route.next)
        {
            next.push_back(nodes[id]);
        }
        fabric.AddRoute(nodes[route.sw],
                        nodes[route.host],
                        next,
                        m_path + ":" + std::to_string(route.line));
    }
}

uint32_t
FileTopologyHelper::GetNHosts() const
{
    return m_hosts;
}

uint32_t
FileTopologyHelper::GetHost(uint32_t nodeId) const
{
    return GetHost(nodeId, m_path, 0);
}

uint32_t
FileTopologyHelper::GetHost(uint32_t nodeId, const std::string& file, std::size_t line) const
{
    const std::string node = "node " + std::to_string(nodeId);
    if (nodeId >= m_topology.nodes)
    {
        throw InputError(file,
                         line,
                         node + ", which " + m_path + " does not have",
                         "a node from 0 to " + std::to_string(m_topology.nodes - 1));
    }
    if (m_isSwitch[nodeId])
    {
        throw InputError(file, line, node + ", a switch of " + m_path, "a host");
    }
    return m_hostOf[nodeId];
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The static routes of a LosslessFabric.

#include "lossless-fabric.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

void
LosslessFabric::AddRoute(uint32_t sw,
                         uint32_t host,
                         const std::vector<uint32_t>& next,
                         const std::string& place)
{
    RequireUnbuilt("AddRoute()");
    const auto nodes = static_cast<uint32_t>(m_vertices.size());
    const std::string where = place.empty() ? "route" : place;
    const auto name = [&](uint32_t index) {
        return index < nodes ? "'" + m_vertices[index].name + "'" : "node " + std::to_string(index);
    };
    if (sw >= nodes || !m_vertices[sw].isSwitch)
    {
        throw InputError(where, "a route at " + name(sw), "one at a switch");
    }
    if (host >= nodes || m_vertices[host].isSwitch)
    {
        throw InputError(where, "a route to " + name(host), "one to a host");
    }
    if (m_routes.count({host, sw}))
    {
        throw InputError(where,
                         "a second route at " + name(sw) + " to " + name(host),
                         "one, with all of its next nodes");
    }
    if (next.empty())
    {
        throw InputError(where, "a route without a next node", "at least one");
    }
    for (auto node = next.begin(); node != next.end(); ++node)
    {
        if (!m_linked.count({sw, *node}))
        {
            throw InputError(where,
                             "next node " + name(*node) + " without a link to " + name(sw),
                             "nodes at the other end of its links");
        }
        if (!m_vertices[*node].isSwitch && *node != host)
        {
            throw InputError(where,
                             "next node " + name(*node) + ", another host",
                             "switches or the destination: hosts do not forward");
        }
        if (std::find(next.begin(), node, *node) != node)
        {
            throw InputError(where, "next node " + name(*node) + " twice", "each once");
        }
    }
    m_routes[{host, sw}] = {next, place};
}

void
LosslessFabric::InstallStaticRoutes()
{
    m_isRouted.assign(m_endpoints.size(), false);
    std::vector<Ptr<LosslessSwitch>> from;
    for (auto it = m_routes.begin(); it != m_routes.end(); ++it)
    {
        const auto& [host, sw] = it->first;
        from.push_back(m_nodes.Get(sw)->GetObject<LosslessSwitch>());
        const auto last = std::next(it);
        const bool lastOfHost = last == m_routes.end() || last->first.first != host;
        const uint32_t first = m_engineOfHost[m_vertices[host].number];
        for (uint32_t e = first; e < first + m_nodes.Get(host)->GetNDevices(); e++)
        {
            m_isRouted[e] = true;
            std::vector<uint32_t> ports;
            for (uint32_t next : it->second.next)
            {
                for (const auto& port : GetPortsBetween(sw, next))
                {
                    // Of a host's several ports, each is a destination of its own.
                    if (next != host || port->GetPeer() == m_endpoints[e])
                    {
                        ports.push_back(port->GetIfIndex());
                    }
                }
            }
            if (!ports.empty())
            {
                std::sort(ports.begin(), ports.end());
                from.back()->GetForwardingTable().Set(e, ports);
            }
            if (lastOfHost)
            {
                CheckLoop(from, e);
            }
        }
        if (lastOfHost)
        {
            from.clear();
        }
    }
}

void
LosslessFabric::CheckLoop(const std::vector<Ptr<LosslessSwitch>>& from, uint32_t endpoint) const
{
    const auto loop = m_routing.FindLoop(from, endpoint);
    if (loop.empty())
    {
        return;
    }
    const uint32_t firstNode = m_nodes.Get(0)->GetId();
    const uint32_t host = m_endpoints[endpoint]->GetNode()->GetId() - firstNode;
    // Shortest paths have no loop: a static route is part of it.
    std::string place;
    std::string way;
    for (const auto& port : loop)
    {
        const auto route = m_routes.find({host, port->GetNode()->GetId() - firstNode});
        place = route != m_routes.end() && place.empty() ? route->second.place : place;
        way += NodeNameOf(*port) + " -> ";
    }
    throw InputError(place.empty() ? "route" : place,
                     "a routing loop to host '" + m_vertices[host].name + "': " + way +
                         NodeNameOf(*loop.front()),
                     "next nodes that lead to the host");
}

} // namespace ns3

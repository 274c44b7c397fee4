// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "shortest-path-routing.h"

#include "ns3/abort.h"
#include "ns3/lossless-channel.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <unordered_map>

namespace ns3
{

namespace
{

constexpr uint32_t NO_SWITCH = std::numeric_limits<uint32_t>::max();
constexpr uint32_t FAR = std::numeric_limits<uint32_t>::max();

/// The switches and which of them each port leads to.
struct Graph
{
    std::vector<std::vector<uint32_t>> neighbours;   //!< by switch and port; NO_SWITCH for a host
    std::unordered_map<uint32_t, uint32_t> switchOf; //!< by node id
};

/// @returns number of the switch at the other end of a port, or NO_SWITCH
uint32_t
SwitchBehind(const Graph& graph, Ptr<const LosslessNetDevice> device)
{
    Ptr<LosslessNetDevice> peer = device->GetPeer();
    if (!peer)
    {
        return NO_SWITCH;
    }
    const auto found = graph.switchOf.find(peer->GetNode()->GetId());
    return found == graph.switchOf.end() ? NO_SWITCH : found->second;
}

Graph
MakeGraph(const std::vector<Ptr<LosslessSwitch>>& switches)
{
    Graph graph;
    for (uint32_t s = 0; s < switches.size(); s++)
    {
        graph.switchOf[switches[s]->GetObject<Node>()->GetId()] = s;
    }
    for (const auto& sw : switches)
    {
        graph.neighbours.emplace_back();
        for (uint32_t port = 0; port < sw->GetNPorts(); port++)
        {
            graph.neighbours.back().push_back(SwitchBehind(graph, sw->GetPort(port)));
        }
    }
    return graph;
}

/// @returns links between each switch and a root switch, FAR if there is no path
std::vector<uint32_t>
Distances(const Graph& graph, uint32_t root)
{
    std::vector<uint32_t> distance(graph.neighbours.size(), FAR);
    std::vector<uint32_t> queue{root};
    distance[root] = 0;
    for (std::size_t head = 0; head < queue.size(); head++)
    {
        for (uint32_t next : graph.neighbours[queue[head]])
        {
            if (next != NO_SWITCH && distance[next] == FAR)
            {
                distance[next] = distance[queue[head]] + 1;
                queue.push_back(next);
            }
        }
    }
    return distance;
}

/// @returns for each switch and port whether it belongs to a spanning tree (or leads to a host)
std::vector<std::vector<bool>>
SpanningTree(const Graph& graph, const std::vector<Ptr<LosslessSwitch>>& switches)
{
    std::vector<std::vector<bool>> tree;
    for (uint32_t s = 0; s < switches.size(); s++)
    {
        tree.emplace_back();
        for (uint32_t neighbour : graph.neighbours[s])
        {
            tree.back().push_back(neighbour == NO_SWITCH);
        }
    }
    std::vector<bool> seen(switches.size(), false);
    for (uint32_t root = 0; root < switches.size(); root++)
    {
        std::vector<uint32_t> queue;
        if (!seen[root])
        {
            seen[root] = true;
            queue.push_back(root);
        }
        for (std::size_t head = 0; head < queue.size(); head++)
        {
            const uint32_t s = queue[head];
            for (uint32_t port = 0; port < switches[s]->GetNPorts(); port++)
            {
                const uint32_t next = graph.neighbours[s][port];
                if (next == NO_SWITCH || seen[next])
                {
                    continue;
                }
                seen[next] = true;
                queue.push_back(next);
                tree[s][port] = true;
                Ptr<LosslessNetDevice> peer = switches[s]->GetPort(port)->GetPeer();
                for (uint32_t back = 0; back < switches[next]->GetNPorts(); back++)
                {
                    if (switches[next]->GetPort(back) == peer)
                    {
                        tree[next][back] = true;
                    }
                }
            }
        }
    }
    return tree;
}

} // namespace

std::vector<uint32_t>
ShortestPathRouting::Install(const std::vector<Ptr<LosslessNetDevice>>& endpoints,
                             const std::vector<Ptr<LosslessSwitch>>& switches)
{
    m_endpoints = endpoints;
    const Graph graph = MakeGraph(switches);
    auto addresses = std::make_shared<AddressTable>();
    for (uint32_t e = 0; e < endpoints.size(); e++)
    {
        uint8_t mac[6];
        Mac48Address::ConvertFrom(endpoints[e]->GetAddress()).CopyTo(mac);
        (*addresses)[MacNumber(mac)] = e;
    }
    const auto tree = SpanningTree(graph, switches);
    for (uint32_t s = 0; s < switches.size(); s++)
    {
        switches[s]->GetForwardingTable().SetAddresses(addresses, tree[s]);
    }

    // Hosts behind one switch share its distances.
    std::unordered_map<uint32_t, std::vector<uint32_t>> distancesTo;
    std::vector<uint32_t> homeOf;
    for (uint32_t e = 0; e < endpoints.size(); e++)
    {
        const uint32_t home = SwitchBehind(graph, endpoints[e]);
        homeOf.push_back(home);
        if (home == NO_SWITCH)
        {
            continue; // two hosts back to back, or a host without a switch
        }
        auto& distance = distancesTo[home];
        if (distance.empty())
        {
            distance = Distances(graph, home);
        }
        Ptr<LosslessNetDevice> port = endpoints[e]->GetPeer();
        for (uint32_t s = 0; s < switches.size(); s++)
        {
            std::vector<uint32_t> ports;
            for (uint32_t p = 0; p < switches[s]->GetNPorts(); p++)
            {
                const uint32_t next = graph.neighbours[s][p];
                const bool last = s == home && switches[s]->GetPort(p) == port;
                const bool nearer = s != home && next != NO_SWITCH && distance[s] != FAR &&
                                    distance[next] + 1 == distance[s];
                if (last || nearer)
                {
                    ports.push_back(p);
                }
            }
            switches[s]->GetForwardingTable().Set(e, ports);
        }
    }
    std::vector<uint32_t> unreachable;
    for (uint32_t e = 1; e < endpoints.size(); e++)
    {
        const bool backToBack = endpoints[e]->GetPeer() == endpoints[0];
        const bool joined = homeOf[0] != NO_SWITCH && homeOf[e] != NO_SWITCH &&
                            distancesTo[homeOf[e]][homeOf[0]] != FAR;
        if (!backToBack && !joined)
        {
            unreachable.push_back(e);
        }
    }
    return unreachable;
}

std::vector<Ptr<LosslessNetDevice>>
ShortestPathRouting::FindLoop(const std::vector<Ptr<LosslessSwitch>>& from,
                              uint32_t destination) const
{
    // Depth first: a way that comes back to a switch that it has passed is a loop.
    struct Step
    {
        Ptr<LosslessSwitch> sw;
        std::vector<uint32_t> ports;
        std::size_t next; // index of the port to go by
    };

    std::set<uint32_t> seen; // node ids
    for (const auto& start : from)
    {
        std::vector<Step> way;
        const auto enter = [&](Ptr<LosslessSwitch> sw) {
            if (seen.insert(sw->GetObject<Node>()->GetId()).second)
            {
                way.push_back({sw, sw->GetForwardingTable().Get(destination), 0});
            }
        };
        enter(start);
        while (!way.empty())
        {
            if (way.back().next == way.back().ports.size())
            {
                way.pop_back();
                continue;
            }
            Step& step = way.back();
            Ptr<LosslessNetDevice> port = step.sw->GetPort(step.ports[step.next++]);
            Ptr<LosslessSwitch> next = port->GetPeer()->GetNode()->GetObject<LosslessSwitch>();
            const auto passed =
                std::find_if(way.begin(), way.end(), [&](const Step& s) { return s.sw == next; });
            if (passed != way.end())
            {
                std::vector<Ptr<LosslessNetDevice>> loop;
                for (auto s = passed; s != way.end(); ++s)
                {
                    loop.push_back(s->sw->GetPort(s->ports[s->next - 1]));
                }
                return loop;
            }
            if (next)
            {
                enter(next);
            }
        }
    }
    return {};
}

std::vector<Ptr<LosslessNetDevice>>
ShortestPathRouting::GetPath(uint32_t source, uint32_t destination, uint32_t hash) const
{
    std::vector<Ptr<LosslessNetDevice>> path{m_endpoints.at(source)};
    while (true)
    {
        Ptr<LosslessNetDevice> arrival = path.back()->GetPeer();
        if (arrival == m_endpoints.at(destination))
        {
            return path;
        }
        Ptr<LosslessSwitch> sw = arrival->GetNode()->GetObject<LosslessSwitch>();
        NS_ABORT_MSG_IF(!sw, "endpoint " << source << " has no path to " << destination);
        const uint32_t out = sw->GetForwardingTable().Choose(destination, hash);
        NS_ABORT_MSG_IF(out == sw->GetNPorts(),
                        "no route from endpoint " << source << " to " << destination);
        path.push_back(sw->GetPort(out));
    }
}

} // namespace ns3

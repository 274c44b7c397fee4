// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "topology-file.h"

#include "ns3/far-time.h"
#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/quantity.h"

#include <sstream>
#include <string>

namespace ns3
{

namespace
{

uint64_t
GetRate(const InputFile& file, std::size_t index)
{
    uint64_t bps = 0;
    if (!ParseRate(file.GetFields()[index], bps))
    {
        file.Fail("rate '" + file.GetFields()[index] + "'",
                  "a rate above zero with its unit, e.g. 100Gbps");
    }
    if (bps < MINIMUM_RATE_BPS || bps > MAXIMUM_RATE_BPS)
    {
        file.Fail("rate '" + file.GetFields()[index] + "'",
                  RateText(MINIMUM_RATE_BPS) + " to " + RateText(MAXIMUM_RATE_BPS));
    }
    return bps;
}

int64_t
GetDelay(const InputFile& file, std::size_t index)
{
    int64_t ns = 0;
    if (!ParseTime(file.GetFields()[index], ns))
    {
        file.Fail("delay '" + file.GetFields()[index] + "'",
                  "a delay of 0 or more whole nanoseconds with its unit, e.g. 1us");
    }
    if (ns > HORIZON_NS)
    {
        file.Fail("delay '" + file.GetFields()[index] + "'", "at most " + TimeText(HORIZON_NS));
    }
    return ns;
}

uint32_t
ParseNode(const InputFile& file, std::size_t index, const std::string& name, uint32_t nodes)
{
    return static_cast<uint32_t>(file.GetWhole(index, name, 0, nodes - 1));
}

/**
 * @param nodes number of nodes
 * @param isSwitch by node
 */
RouteSpec
ParseRoute(const InputFile& file, uint32_t nodes, const std::vector<bool>& isSwitch)
{
    file.RequireFields(4, "route SWITCH HOST NEXT[,NEXT...]");
    RouteSpec route;
    route.sw = ParseNode(file, 1, "node", nodes);
    route.host = ParseNode(file, 2, "node", nodes);
    route.line = file.GetLine();
    if (!isSwitch[route.sw])
    {
        file.Fail("a route at node " + file.GetFields()[1] + ", a host", "one at a switch");
    }
    if (isSwitch[route.host])
    {
        file.Fail("a route to node " + file.GetFields()[2] + ", a switch", "one to a host");
    }
    std::istringstream list(file.GetFields()[3] + ",");
    for (std::string field; std::getline(list, field, ',');)
    {
        route.next.push_back(
            static_cast<uint32_t>(file.ParseWhole(field, "next node", 0, nodes - 1)));
    }
    return route;
}

LinkSpec
ParseLink(const InputFile& file, uint32_t nodes)
{
    file.RequireFields(5, "src dst rate delay error-rate");
    LinkSpec link;
    link.a = ParseNode(file, 0, "node", nodes);
    link.b = ParseNode(file, 1, "node", nodes);
    link.rateBps = GetRate(file, 2);
    link.delayNs = GetDelay(file, 3);
    link.errorRate = file.GetReal(4, "error rate", 0.0, 1.0);
    link.line = file.GetLine();
    if (link.a == link.b)
    {
        file.Fail("a link from node " + file.GetFields()[0] + " to itself", "two different nodes");
    }
    return link;
}

std::vector<uint32_t>
ParseSwitches(const InputFile& file, uint32_t count, uint32_t nodes)
{
    if (file.GetFields().size() != count)
    {
        file.Fail(std::to_string(file.GetFields().size()) + " switch ids",
                  std::to_string(count) + " (the number on the first line)");
    }
    std::vector<uint32_t> switches;
    std::vector<bool> isSwitch(nodes, false);
    for (std::size_t i = 0; i < count; ++i)
    {
        const uint32_t id = ParseNode(file, i, "switch", nodes);
        if (isSwitch[id])
        {
            file.Fail("switch " + std::to_string(id) + " twice", "each switch once");
        }
        isSwitch[id] = true;
        switches.push_back(id);
    }
    return switches;
}

} // namespace

TopologySpec
ReadTopologyFile(const std::string& path)
{
    InputFile file(path, "a topology");
    if (!file.NextLine())
    {
        throw InputError(path, 0, "an empty file", "nodes switches links on the first line");
    }
    file.RequireFields(3, "nodes switches links");
    // A node of the simulation takes kilobytes: a million is beyond any machine's use.
    const uint32_t maxNodes = 1000000;
    TopologySpec topology;
    topology.nodes = static_cast<uint32_t>(file.GetWhole(0, "number of nodes", 2, maxNodes));
    const auto switches =
        static_cast<uint32_t>(file.GetWhole(1, "number of switches", 0, topology.nodes));
    const uint64_t links = file.GetWhole(2, "number of links", 1, UINT32_MAX);
    const std::size_t countLine = file.GetLine();

    if (switches > 0)
    {
        if (!file.NextLine())
        {
            file.Fail("the end of the file", "a line with the ids of the switches");
        }
        topology.switches = ParseSwitches(file, switches, topology.nodes);
    }
    std::vector<bool> isSwitch(topology.nodes, false);
    for (uint32_t id : topology.switches)
    {
        isSwitch[id] = true;
    }
    while (file.NextLine())
    {
        if (file.GetFields()[0] == "route")
        {
            if (topology.links.size() < links)
            {
                file.Fail("a route after " + std::to_string(topology.links.size()) + " links",
                          "it after all " + std::to_string(links) + " links (the number on line " +
                              std::to_string(countLine) + ")");
            }
            topology.routes.push_back(ParseRoute(file, topology.nodes, isSwitch));
            continue;
        }
        if (topology.links.size() == links)
        {
            file.Fail("another link",
                      "routes or the end of the file after " + std::to_string(links) +
                          " links (the number on line " + std::to_string(countLine) + ")");
        }
        topology.links.push_back(ParseLink(file, topology.nodes));
    }
    if (topology.links.size() < links)
    {
        throw InputError(path,
                         countLine,
                         "the number of links " + std::to_string(links) + " but " +
                             std::to_string(topology.links.size()) + " lines of links",
                         "the same number of both");
    }
    return topology;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "topology-file.h"

#include "input-error.h"
#include "input-file.h"

#include <cmath>
#include <map>

namespace ns3
{

namespace
{

// The units are read here and not with ns-3's DataRate and Time, which abort on a bad string.

/// @return factor from a unit of rate to bits per second, 0 for an unknown unit
double
RateUnit(const std::string& unit)
{
    static const std::map<char, double> prefixes = {{'k', 1e3},
                                                    {'K', 1e3},
                                                    {'M', 1e6},
                                                    {'G', 1e9},
                                                    {'T', 1e12}};
    if (unit.empty())
    {
        return 0.0;
    }
    const auto prefix = prefixes.find(unit[0]);
    const std::string base = prefix == prefixes.end() ? unit : unit.substr(1);
    const double factor = prefix == prefixes.end() ? 1.0 : prefix->second;
    if (base == "bps" || base == "b/s")
    {
        return factor;
    }
    return base == "Bps" || base == "B/s" ? 8.0 * factor : 0.0;
}

/// @return factor from a unit of time to ps, 0 for an unknown unit
double
TimeUnit(const std::string& unit)
{
    static const std::map<std::string, double> units = {{"s", 1e12},
                                                        {"ms", 1e9},
                                                        {"us", 1e6},
                                                        {"ns", 1e3},
                                                        {"ps", 1.0}};
    const auto known = units.find(unit);
    return known == units.end() ? 0.0 : known->second;
}

uint64_t
ParseRate(const InputFile& file, std::size_t index)
{
    const std::string& field = file.GetFields()[index];
    double value = 0.0;
    std::string unit;
    // 2^53 bit/s: far above any link, and whole bits per second are exact up to there.
    if (!InputFile::SplitNumber(field, value, unit) || RateUnit(unit) == 0.0 ||
        value * RateUnit(unit) < 1.0 || value * RateUnit(unit) > 9e15)
    {
        file.Fail("rate '" + field + "'", "a rate above zero with its unit, e.g. 100Gbps");
    }
    return static_cast<uint64_t>(std::llround(value * RateUnit(unit)));
}

int64_t
ParseDelay(const InputFile& file, std::size_t index)
{
    const std::string& field = file.GetFields()[index];
    double value = 0.0;
    std::string unit;
    if (!InputFile::SplitNumber(field, value, unit) || TimeUnit(unit) == 0.0 || value < 0.0 ||
        value * TimeUnit(unit) > 9e15)
    {
        file.Fail("delay '" + field + "'", "a delay of 0 or more with its unit, e.g. 1us");
    }
    return std::llround(value * TimeUnit(unit));
}

uint32_t
ParseNode(const InputFile& file, std::size_t index, const std::string& name, uint32_t nodes)
{
    return static_cast<uint32_t>(file.GetWhole(index, name, 0, nodes - 1));
}

LinkSpec
ParseLink(const InputFile& file, uint32_t nodes)
{
    file.RequireFields(5, "src dst rate delay error-rate");
    LinkSpec link;
    link.a = ParseNode(file, 0, "node", nodes);
    link.b = ParseNode(file, 1, "node", nodes);
    link.rateBps = ParseRate(file, 2);
    link.delayPs = ParseDelay(file, 3);
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
    while (file.NextLine())
    {
        if (topology.links.size() == links)
        {
            file.Fail("another link",
                      "the end of the file after " + std::to_string(links) +
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

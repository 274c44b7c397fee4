// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "flow-list-file.h"

#include "ns3/far-time.h"
#include "ns3/input-error.h"
#include "ns3/input-file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <locale>
#include <numeric>

namespace ns3
{

namespace
{

const int64_t g_nsPerSecond = 1000000000;

FlowSpec
ParseFlow(const InputFile& file)
{
    file.RequireFields(6, "src dst priority port bytes start_s");
    FlowSpec flow;
    flow.src = static_cast<uint32_t>(file.GetWhole(0, "src", 0, UINT32_MAX));
    flow.dst = static_cast<uint32_t>(file.GetWhole(1, "dst", 0, UINT32_MAX));
    flow.priority = static_cast<uint8_t>(file.GetWhole(2, "priority", 0, 7));
    flow.port = static_cast<uint16_t>(file.GetWhole(3, "port", 1, UINT16_MAX));
    flow.bytes = file.GetWhole(4, "bytes", 1, UINT64_MAX);
    // Up to 9e6 s a double holds every ns: rounding gives the ns that was written.
    const double startS = file.GetReal(5, "start_s", 0.0, HORIZON_NS * 1e-9);
    flow.startNs = std::llround(startS * static_cast<double>(g_nsPerSecond));
    if (flow.src == flow.dst)
    {
        file.Fail("src and dst both " + file.GetFields()[0], "two different nodes");
    }
    return flow;
}

} // namespace

FlowList
ReadFlowListFile(const std::string& path)
{
    InputFile file(path, "a flow list");
    if (!file.NextLine())
    {
        throw InputError(path, 0, "an empty file", "the number of flows on the first line");
    }
    file.RequireFields(1, "the number of flows");
    const uint64_t count = file.GetWhole(0, "number of flows", 1, UINT32_MAX);
    const std::size_t countLine = file.GetLine();

    std::vector<FlowSpec> flows;
    std::vector<std::size_t> lines;
    while (file.NextLine())
    {
        if (flows.size() == count)
        {
            file.Fail("another flow",
                      "the end of the file after " + std::to_string(count) +
                          " flows (the number on line " + std::to_string(countLine) + ")");
        }
        flows.push_back(ParseFlow(file));
        lines.push_back(file.GetLine());
    }
    if (flows.size() < count)
    {
        throw InputError(path,
                         countLine,
                         "the number of flows " + std::to_string(count) + " but " +
                             std::to_string(flows.size()) + " lines of flows",
                         "the same number of both");
    }

    std::vector<std::size_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&flows](std::size_t a, std::size_t b) {
        return flows[a].startNs < flows[b].startNs;
    });
    FlowList list;
    for (std::size_t i : order)
    {
        list.flows.push_back(flows[i]);
        list.flows.back().id = static_cast<uint32_t>(list.flows.size() - 1);
        list.lines.push_back(lines[i]);
    }
    return list;
}

void
WriteFlowListFile(const std::string& path, const std::vector<FlowSpec>& flows)
{
    errno = 0;
    std::ofstream file(path);
    file.imbue(std::locale::classic());
    file << flows.size() << "\n";
    for (const FlowSpec& flow : flows)
    {
        file << flow.src << " " << flow.dst << " " << unsigned(flow.priority) << " " << flow.port
             << " " << flow.bytes << " " << flow.startNs / g_nsPerSecond << "." << std::setw(9)
             << std::setfill('0') << flow.startNs % g_nsPerSecond << "\n";
    }
    file.close();
    if (!file)
    {
        const std::string reason = errno != 0 ? std::strerror(errno) : "write error";
        throw InputError(path, 0, "a file that cannot be written (" + reason + ")", "a new file");
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-deadlock-ring.h"

#include "lossless-test-harness.h"

#include "ns3/scheme-presets.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{
namespace losslesstest
{

void
AddRing(LosslessFabric& fabric, uint32_t switches, uint32_t hosts)
{
    for (uint32_t s = 0; s < switches; s++)
    {
        fabric.AddSwitch("s" + std::to_string(s));
    }
    for (uint32_t h = 0; h < switches * hosts; h++)
    {
        const uint32_t host = fabric.AddHost("h" + std::to_string(h));
        fabric.AddLink(host, h / hosts, DataRate("100Gb/s"), MicroSeconds(1));
    }
    for (uint32_t s = 0; s < switches; s++)
    {
        fabric.AddLink(s, (s + 1) % switches, DataRate("100Gb/s"), MicroSeconds(1));
    }
    fabric.SetScheme(FindScheme("none"));
    fabric.SetSwitchAttribute("Xoff", UintegerValue(RING_XOFF));
    fabric.SetSwitchAttribute("Xon", UintegerValue(RING_XOFF - 2000));
}

void
AddTriangle(LosslessFabric& fabric)
{
    AddRing(fabric, 3, 1);
    for (uint32_t s = 0; s < 3; s++)
    {
        fabric.AddRoute(s, fabric.GetHostIndex((s + 2) % 3), {(s + 1) % 3});
    }
}

std::vector<FlowSpec>
TriangleFlows(const std::vector<uint32_t>& sources, uint64_t bytes)
{
    std::vector<FlowSpec> flows;
    for (uint32_t h : sources)
    {
        flows.push_back(MakeFlow(flows.size(), h, (h + 2) % 3, bytes));
    }
    return flows;
}

} // namespace losslesstest
} // namespace ns3

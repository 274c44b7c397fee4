// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "congestion-tree-helper.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t FAST_GBPS = 40;
/// A source gets 40/9 or 40/10 Gb/s of a root next to eight bursts. What it sends of its 15 Gb/s is
/// always above that by far more than the 5 % of the line from which TCD sees an ON-OFF pattern.
constexpr uint64_t SOURCE_GBPS = 15;
constexpr uint32_t BURST_HOSTS = 8;

/// Tree a lasts for about 1.5 ms and b for about 3 ms, as the hosts of each share 40 Gb/s, and the
/// sources go on for about 3 ms more.
constexpr uint64_t BURST_A_BYTES = 750000;
constexpr uint64_t BURST_B_BYTES = 1500000;
constexpr uint64_t SOURCE_BYTES = 9000000;

/// S0 fills the 320 KB below Xoff in about 0.22 ms, by 15 Gb/s less its share of 15/335 of 40 Gb/s.
constexpr int64_t COVERED_START_NS = 400000;

} // namespace

CongestionTreeHelper::CongestionTreeHelper(Case which)
{
    const auto zero = CongestionDetector::NON_CONGESTION;
    const auto one = CongestionDetector::CONGESTION;
    const auto undetermined = CongestionDetector::UNDETERMINED;
    switch (which)
    {
    case ISOLATED:
        m_switches = {"E0", "E1"};
        AddSource("S0", "E0", "R0");
        AddSource("S1", "E1", "R1");
        AddReceiver("R0", "X");
        AddReceiver("R1", "X");
        AddBurst("A", "X", "R0", BURST_A_BYTES);
        AddBurst("B", "X", "R1", BURST_B_BYTES);
        m_ports = {{"leaf a", "E0", "X", {zero, undetermined, zero}},
                   {"leaf b", "E1", "X", {zero, undetermined, zero}},
                   {"root a", "X", "R0", {zero, one, zero}},
                   {"root b", "X", "R1", {zero, one, zero}}};
        break;
    case OVERLAPPED:
        // E0->X is undetermined until both trees are gone.
        m_switches = {"E0", "E1", "E2"};
        AddSource("S0", "E0", "R0");
        AddSource("S1", "E1", "R0");
        AddSource("S2", "E0", "R1");
        AddSource("S3", "E2", "R1");
        AddReceiver("R0", "X");
        AddReceiver("R1", "X");
        AddBurst("A", "X", "R0", BURST_A_BYTES);
        AddBurst("B", "X", "R1", BURST_B_BYTES);
        m_ports = {{"leaf a and b", "E0", "X", {zero, undetermined, zero}},
                   {"leaf a", "E1", "X", {zero, undetermined, zero}},
                   {"leaf b", "E2", "X", {zero, undetermined, zero}},
                   {"root a", "X", "R0", {zero, one, zero}},
                   {"root b", "X", "R1", {zero, one, zero}}};
        break;
    case COVERED:
        // X->Y has 60 Gb/s to carry once tree a has spread to it, and shows it when a is gone.
        m_switches = {"E0", "E1", "Y"};
        AddSource("S0", "E0", "R0");
        AddSource("S1", "E0", "R1", COVERED_START_NS);
        AddSource("S2", "E1", "R2", COVERED_START_NS);
        AddSource("S3", "E1", "R2", COVERED_START_NS);
        AddReceiver("R0", "Y");
        AddReceiver("R1", "Y");
        AddReceiver("R2", "Y");
        AddBurst("A", "Y", "R0", BURST_A_BYTES);
        m_ports = {{"leaf of S0 and S1", "E0", "X", {zero, undetermined}},
                   {"leaf of S2 and S3", "E1", "X", {zero, undetermined}},
                   {"root b, leaf a", "X", "Y", {zero, undetermined, one, zero}},
                   {"root a", "Y", "R0", {zero, one, zero}}};
        break;
    }
}

void
CongestionTreeHelper::AddSource(const std::string& name,
                                const std::string& at,
                                const std::string& to,
                                int64_t startNs)
{
    m_hosts.push_back({name, at, SOURCE_GBPS, to, SOURCE_BYTES, startNs});
}

void
CongestionTreeHelper::AddReceiver(const std::string& name, const std::string& at)
{
    m_hosts.push_back({name, at, FAST_GBPS, "", 0, 0});
}

void
CongestionTreeHelper::AddBurst(const std::string& letter,
                               const std::string& at,
                               const std::string& to,
                               uint64_t bytes)
{
    for (uint32_t h = 0; h < BURST_HOSTS; h++)
    {
        m_hosts.push_back({letter + std::to_string(h), at, FAST_GBPS, to, bytes, 0});
    }
}

void
CongestionTreeHelper::Build(LosslessFabric& fabric) const
{
    std::map<std::string, uint32_t> nodes;
    for (const Host& host : m_hosts)
    {
        nodes[host.name] = fabric.AddHost(host.name);
    }
    nodes["X"] = fabric.AddSwitch("X");
    const DataRate fast(FAST_GBPS * 1000000000);
    const Time delay = MicroSeconds(4);
    for (const std::string& name : m_switches)
    {
        nodes[name] = fabric.AddSwitch(name);
        fabric.AddLink(nodes[name], nodes["X"], fast, delay);
    }
    for (const Host& host : m_hosts)
    {
        fabric.AddLink(nodes[host.name], nodes[host.at], DataRate(host.gbps * 1000000000), delay);
    }
}

std::vector<FlowSpec>
CongestionTreeHelper::GetFlows() const
{
    std::map<std::string, uint32_t> numbers;
    for (const Host& host : m_hosts)
    {
        numbers.emplace(host.name, static_cast<uint32_t>(numbers.size()));
    }
    std::vector<FlowSpec> flows;
    for (const Host& host : m_hosts)
    {
        if (!host.to.empty())
        {
            FlowSpec flow;
            flow.id = static_cast<uint32_t>(flows.size());
            flow.src = numbers.at(host.name);
            flow.dst = numbers.at(host.to);
            flow.bytes = host.bytes;
            flow.startNs = host.startNs;
            flows.push_back(flow);
        }
    }
    return flows;
}

const std::vector<CongestionTreeHelper::Port>&
CongestionTreeHelper::GetPorts() const
{
    return m_ports;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "tcd-unit-helper.h"

#include "ns3/abort.h"
#include "ns3/input-error.h"

namespace ns3
{

namespace
{

const char* const LINK = "link";
const char* const SOURCE_LINK = "link of S0 and S1";

/// @throws InputError for a part of figure 2 that the testbed had not
[[noreturn]] void
NotCompact(const std::string& part)
{
    throw InputError("compact form", part, "S0, S1, R0, R1 and A0 alone");
}

} // namespace

TcdUnitHelper::TcdUnitHelper()
{
    SetLink(DataRate("40Gb/s"), MicroSeconds(4));
}

void
TcdUnitHelper::SetBurstHosts(uint32_t hosts)
{
    m_burstHosts = CheckNodeCount("hosts A", hosts);
}

void
TcdUnitHelper::SetLeafHosts(uint32_t hosts)
{
    if (hosts > 0 && m_compact)
    {
        NotCompact("hosts B");
    }
    m_leafHosts = hosts > 0 ? CheckNodeCount("hosts B", hosts) : 0;
}

void
TcdUnitHelper::SetSecondBranch(bool wanted)
{
    if (wanted && m_compact)
    {
        NotCompact("S2");
    }
    m_secondBranch = wanted;
}

void
TcdUnitHelper::SetLink(DataRate rate, Time delay)
{
    m_link.Set(LINK, rate, delay);
    m_sourceLink.Set(SOURCE_LINK, rate, delay);
}

void
TcdUnitHelper::SetSourceRate(DataRate rate)
{
    m_sourceLink.Set(SOURCE_LINK, rate, m_sourceLink.delay);
}

void
TcdUnitHelper::SetCompact()
{
    m_compact = true;
    m_secondBranch = false;
    m_burstHosts = 1;
    m_leafHosts = 0;
    SetLink(DataRate("10Gb/s"), m_link.delay);
}

void
TcdUnitHelper::Build(LosslessFabric& fabric) const
{
    const auto addHosts = [&fabric](const std::string& letter, uint32_t first, uint32_t count) {
        std::vector<uint32_t> hosts;
        for (uint32_t h = first; h < first + count; h++)
        {
            hosts.push_back(fabric.AddHost(letter + std::to_string(h)));
        }
        return hosts;
    };
    const auto addLinks =
        [&fabric](const std::vector<uint32_t>& from, uint32_t to, const TopologyLink& link) {
            for (uint32_t node : from)
            {
                fabric.AddLink(node, to, link.rate, link.delay);
            }
        };
    const std::vector<uint32_t> sources = addHosts("S", 0, 2);
    const std::vector<uint32_t> secondSource = addHosts("S", 2, m_secondBranch ? 1 : 0);
    const std::vector<uint32_t> receivers = addHosts("R", 0, 2);
    const std::vector<uint32_t> bursts = addHosts("A", 0, m_burstHosts);
    const std::vector<uint32_t> leafHosts = addHosts("B", 0, m_leafHosts);

    const uint32_t t0 = fabric.AddSwitch("T0");
    addLinks(sources, t0, m_sourceLink);
    uint32_t above = t0; // what T2 is linked to
    if (!m_compact)
    {
        std::vector<uint32_t> branches = {t0};
        if (m_secondBranch)
        {
            branches.push_back(fabric.AddSwitch("T1"));
            addLinks(secondSource, branches.back(), m_link);
        }
        above = fabric.AddSwitch("L0");
        addLinks(branches, above, m_link);
        addLinks(leafHosts, above, m_link);
    }
    const uint32_t t2 = fabric.AddSwitch("T2");
    addLinks({above}, t2, m_link);
    addLinks(receivers, t2, m_link);
    addLinks(bursts, t2, m_link);
}

std::vector<TcdUnitHelper::Port>
TcdUnitHelper::GetPorts() const
{
    if (m_compact)
    {
        return {{"P0", "T0", "T2"}, {"P3", "T2", "R1"}};
    }
    std::vector<Port> ports = {{"P0", "T0", "L0"}, {"P2", "L0", "T2"}, {"P3", "T2", "R1"}};
    if (m_secondBranch)
    {
        ports.insert(ports.begin() + 1, {"P1", "T1", "L0"});
    }
    return ports;
}

TcdUnitHelper::Port
TcdUnitHelper::GetPort(const std::string& name) const
{
    std::string names;
    for (const Port& port : GetPorts())
    {
        if (port.name == name)
        {
            return port;
        }
        names += (names.empty() ? "" : ", ") + port.name;
    }
    throw InputError("port", "'" + name + "'", "one of " + names);
}

Ptr<LosslessNetDevice>
TcdUnitHelper::GetDevice(const LosslessFabric& fabric, const std::string& name) const
{
    const Port port = GetPort(name);
    const auto devices =
        fabric.GetPortsBetween(fabric.GetIndex(port.node), fabric.GetIndex(port.peer));
    NS_ABORT_MSG_IF(devices.size() != 1, name << " before Build() of the fabric");
    return devices.front();
}

void
TcdUnitHelper::AddBursts(const LosslessFabric& fabric,
                         uint64_t bytes,
                         uint32_t messages,
                         bool inTurn,
                         Time start,
                         std::vector<FlowSpec>& flows) const
{
    std::vector<std::string> senders;
    for (uint32_t host = 0; host < m_burstHosts; host++)
    {
        senders.push_back("A" + std::to_string(host));
    }
    UnitTopologyHelper::AddBursts(fabric, senders, "R1", bytes, messages, inTurn, start, flows);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "mercury-unit-helper.h"

#include <string>

namespace ns3
{

MercuryUnitHelper::MercuryUnitHelper()
{
    SetLink(DataRate("40Gb/s"), MicroSeconds(4));
}

void
MercuryUnitHelper::SetSenders(uint32_t hosts)
{
    m_senders = CheckNodeCount("hosts H", hosts);
}

void
MercuryUnitHelper::SetBurstHosts(uint32_t hosts)
{
    m_burstHosts = hosts > 0 ? CheckNodeCount("hosts B", hosts) : 0;
}

void
MercuryUnitHelper::SetLink(DataRate rate, Time delay)
{
    m_link.Set("link", rate, delay);
    m_senderLink.Set("link of the hosts H", rate, delay);
}

void
MercuryUnitHelper::SetSenderRate(DataRate rate)
{
    m_senderLink.Set("link of the hosts H", rate, m_senderLink.delay);
}

void
MercuryUnitHelper::Build(LosslessFabric& fabric) const
{
    const auto addHosts = [&fabric](const std::string& letter, uint32_t count) {
        std::vector<uint32_t> hosts;
        for (uint32_t h = 1; h <= count; h++)
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
    const std::vector<uint32_t> senders = addHosts("H", m_senders);
    const std::vector<uint32_t> receivers = addHosts("R", 2);
    const std::vector<uint32_t> bursts = addHosts("B", m_burstHosts);

    const uint32_t s1 = fabric.AddSwitch("S1");
    const uint32_t s2 = fabric.AddSwitch("S2");
    const uint32_t s3 = fabric.AddSwitch("S3");
    addLinks(senders, s1, m_senderLink);
    addLinks({s1, s3}, s2, m_link);
    addLinks(receivers, s3, m_link);
    addLinks(bursts, s3, m_link);
}

std::vector<MercuryUnitHelper::Port>
MercuryUnitHelper::GetPorts()
{
    return {{"P1", "S1", "S2"}, {"P2", "S2", "S3"}, {"P3", "S3", "R2"}};
}

void
MercuryUnitHelper::AddBursts(const LosslessFabric& fabric,
                             uint64_t bytes,
                             uint32_t messages,
                             bool inTurn,
                             Time start,
                             std::vector<FlowSpec>& flows) const
{
    std::vector<std::string> senders;
    for (uint32_t host = 1; host <= m_burstHosts; host++)
    {
        senders.push_back("B" + std::to_string(host));
    }
    UnitTopologyHelper::AddBursts(fabric, senders, "R2", bytes, messages, inTurn, start, flows);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "star-helper.h"

#include <string>
#include <vector>

namespace ns3
{

void
StarHelper::SetHosts(uint32_t hosts)
{
    m_hosts = CheckNodeCount("hosts", hosts);
}

void
StarHelper::SetLink(DataRate rate, Time delay)
{
    m_link.Set("link", rate, delay);
}

void
StarHelper::Build(LosslessFabric& fabric) const
{
    std::vector<uint32_t> hosts;
    for (uint32_t h = 0; h < m_hosts; h++)
    {
        hosts.push_back(fabric.AddHost("h" + std::to_string(h)));
    }
    const uint32_t center = fabric.AddSwitch("switch");
    for (uint32_t host : hosts)
    {
        fabric.AddLink(host, center, m_link.rate, m_link.delay);
    }
}

} // namespace ns3

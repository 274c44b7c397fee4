// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "leaf-spine-helper.h"

#include <string>
#include <vector>

namespace ns3
{

void
LeafSpineHelper::SetShape(uint32_t leaves, uint32_t spines, uint32_t hostsPerLeaf)
{
    CheckNodeCount("leaves", leaves);
    CheckNodeCount("spines", spines);
    CheckNodeCount("hosts of a leaf", hostsPerLeaf);
    CheckNodeCount("hosts", static_cast<uint64_t>(leaves) * hostsPerLeaf);
    m_leaves = leaves;
    m_spines = spines;
    m_hostsPerLeaf = hostsPerLeaf;
}

void
LeafSpineHelper::SetHostLink(DataRate rate, Time delay)
{
    m_hostLink.Set("host link", rate, delay);
}

void
LeafSpineHelper::SetUplink(DataRate rate, Time delay)
{
    m_uplink.Set("uplink", rate, delay);
}

double
LeafSpineHelper::GetOversubscription() const
{
    return static_cast<double>(m_hostsPerLeaf) * m_hostLink.rate.GetBitRate() /
           (static_cast<double>(m_spines) * m_uplink.rate.GetBitRate());
}

uint32_t
LeafSpineHelper::GetNHosts() const
{
    return m_leaves * m_hostsPerLeaf;
}

void
LeafSpineHelper::Build(LosslessFabric& fabric) const
{
    std::vector<uint32_t> hosts;
    for (uint32_t h = 0; h < GetNHosts(); h++)
    {
        hosts.push_back(fabric.AddHost("h" + std::to_string(h)));
    }
    std::vector<uint32_t> leaves;
    for (uint32_t l = 0; l < m_leaves; l++)
    {
        leaves.push_back(fabric.AddSwitch("leaf" + std::to_string(l)));
    }
    std::vector<uint32_t> spines;
    for (uint32_t s = 0; s < m_spines; s++)
    {
        spines.push_back(fabric.AddSwitch("spine" + std::to_string(s)));
    }
    for (uint32_t h = 0; h < hosts.size(); h++)
    {
        fabric.AddLink(hosts[h], leaves[h / m_hostsPerLeaf], m_hostLink.rate, m_hostLink.delay);
    }
    for (uint32_t leaf : leaves)
    {
        for (uint32_t spine : spines)
        {
            fabric.AddLink(leaf, spine, m_uplink.rate, m_uplink.delay);
        }
    }
}

} // namespace ns3

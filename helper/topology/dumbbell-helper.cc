// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "dumbbell-helper.h"

#include <string>
#include <vector>

namespace ns3
{

void
DumbbellHelper::SetShape(uint32_t left, uint32_t right)
{
    CheckNodeCount("hosts on the left", left);
    CheckNodeCount("hosts on the right", right);
    CheckNodeCount("hosts", static_cast<uint64_t>(left) + right);
    m_left = left;
    m_right = right;
}

void
DumbbellHelper::SetHostLink(DataRate rate, Time delay)
{
    m_hostLink.Set("host link", rate, delay);
}

void
DumbbellHelper::SetBottleneck(DataRate rate, Time delay)
{
    m_bottleneck.Set("bottleneck", rate, delay);
}

void
DumbbellHelper::Build(LosslessFabric& fabric) const
{
    std::vector<uint32_t> hosts;
    for (uint32_t h = 0; h < m_left + m_right; h++)
    {
        hosts.push_back(fabric.AddHost("h" + std::to_string(h)));
    }
    const uint32_t left = fabric.AddSwitch("left");
    const uint32_t right = fabric.AddSwitch("right");
    for (uint32_t h = 0; h < hosts.size(); h++)
    {
        fabric.AddLink(hosts[h], h < m_left ? left : right, m_hostLink.rate, m_hostLink.delay);
    }
    fabric.AddLink(left, right, m_bottleneck.rate, m_bottleneck.delay);
}

} // namespace ns3

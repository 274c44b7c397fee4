// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "fat-tree-helper.h"

#include "ns3/input-error.h"

#include <string>
#include <vector>

namespace ns3
{

FatTreeHelper::FatTreeHelper()
{
    SetArity(4);
}

FatTreeHelper
FatTreeHelper::Mercury()
{
    FatTreeHelper tree;
    tree.SetShape(5, 4, 4, 16, 16);
    tree.SetHostLink(DataRate("100Gb/s"), MicroSeconds(1));
    tree.SetEdgeLink(DataRate("400Gb/s"), MicroSeconds(1));
    tree.SetCoreLink(DataRate("400Gb/s"), MicroSeconds(1));
    return tree;
}

void
FatTreeHelper::SetArity(uint32_t k)
{
    if (k < 2 || k % 2 != 0)
    {
        throw InputError("k", std::to_string(k), "an even number, 2 or more");
    }
    const uint64_t half = k / 2;
    // Checked before (k/2)^2 could overflow in SetShape().
    CheckNodeCount("number of hosts of a fat-tree of k = " + std::to_string(k),
                   half > 1000 ? half * half : half * half * k);
    SetShape(k, k / 2, k / 2, (k / 2) * (k / 2), k / 2);
}

void
FatTreeHelper::SetShape(uint32_t pods,
                        uint32_t edgesPerPod,
                        uint32_t aggregationsPerPod,
                        uint32_t cores,
                        uint32_t hostsPerEdge)
{
    CheckNodeCount("pods", pods);
    CheckNodeCount("edges of a pod", edgesPerPod);
    CheckNodeCount("aggregations of a pod", aggregationsPerPod);
    CheckNodeCount("cores", cores);
    CheckNodeCount("hosts of an edge", hostsPerEdge);
    const uint32_t edges =
        CheckNodeCount("edges of the fat-tree", static_cast<uint64_t>(pods) * edgesPerPod);
    CheckNodeCount("aggregations of the fat-tree",
                   static_cast<uint64_t>(pods) * aggregationsPerPod);
    CheckNodeCount("hosts of the fat-tree", static_cast<uint64_t>(edges) * hostsPerEdge);
    if (cores % aggregationsPerPod != 0)
    {
        throw InputError("cores",
                         std::to_string(cores),
                         "a multiple of the " + std::to_string(aggregationsPerPod) +
                             " aggregations of a pod");
    }
    m_pods = pods;
    m_edges = edgesPerPod;
    m_aggregations = aggregationsPerPod;
    m_cores = cores;
    m_hosts = hostsPerEdge;
}

void
FatTreeHelper::SetHostLink(DataRate rate, Time delay)
{
    m_hostLink.Set("host link", rate, delay);
}

void
FatTreeHelper::SetEdgeLink(DataRate rate, Time delay)
{
    m_edgeLink.Set("edge link", rate, delay);
}

void
FatTreeHelper::SetCoreLink(DataRate rate, Time delay)
{
    m_coreLink.Set("core link", rate, delay);
}

uint32_t
FatTreeHelper::GetNHosts() const
{
    return m_pods * m_edges * m_hosts;
}

uint32_t
FatTreeHelper::GetNSwitches() const
{
    return m_pods * (m_edges + m_aggregations) + m_cores;
}

void
FatTreeHelper::Build(LosslessFabric& fabric) const
{
    std::vector<uint32_t> hosts;
    for (uint32_t h = 0; h < GetNHosts(); h++)
    {
        hosts.push_back(fabric.AddHost("h" + std::to_string(h)));
    }
    // The switches of a layer: name and number within each pod.
    auto addLayer = [&](const std::string& name, uint32_t perPod) {
        std::vector<uint32_t> layer;
        for (uint32_t i = 0; i < m_pods * perPod; i++)
        {
            layer.push_back(fabric.AddSwitch(name + std::to_string(i / perPod) + "-" +
                                             std::to_string(i % perPod)));
        }
        return layer;
    };
    const std::vector<uint32_t> edges = addLayer("edge", m_edges);
    const std::vector<uint32_t> aggregations = addLayer("agg", m_aggregations);
    std::vector<uint32_t> cores;
    for (uint32_t c = 0; c < m_cores; c++)
    {
        cores.push_back(fabric.AddSwitch("core" + std::to_string(c)));
    }

    for (uint32_t h = 0; h < hosts.size(); h++)
    {
        fabric.AddLink(hosts[h], edges[h / m_hosts], m_hostLink.rate, m_hostLink.delay);
    }
    for (uint32_t e = 0; e < edges.size(); e++)
    {
        const uint32_t pod = e / m_edges;
        for (uint32_t a = 0; a < m_aggregations; a++)
        {
            fabric.AddLink(edges[e],
                           aggregations[pod * m_aggregations + a],
                           m_edgeLink.rate,
                           m_edgeLink.delay);
        }
    }
    const uint32_t coresPerAggregation = m_cores / m_aggregations;
    for (uint32_t a = 0; a < aggregations.size(); a++)
    {
        const uint32_t first = a % m_aggregations * coresPerAggregation;
        for (uint32_t c = first; c < first + coresPerAggregation; c++)
        {
            fabric.AddLink(aggregations[a], cores[c], m_coreLink.rate, m_coreLink.delay);
        }
    }
}

} // namespace ns3

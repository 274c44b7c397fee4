// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "slowdown-statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint64_t FIRST_EDGE = 1000;
// 10^19 fits into 64 bits, the next decade does not.
constexpr uint64_t LAST_EDGE = 10000000000000000000ULL;

uint64_t
LowerEdge(uint64_t upper)
{
    return upper == FIRST_EDGE ? 0 : upper / 10;
}

} // namespace

void
SlowdownStatistics::Add(uint64_t bytes, double slowdown)
{
    m_flows.emplace_back(UpperEdge(bytes), slowdown);
}

uint64_t
SlowdownStatistics::UpperEdge(uint64_t bytes)
{
    uint64_t edge = FIRST_EDGE;
    while (bytes > edge && edge < LAST_EDGE)
    {
        edge *= 10;
    }
    return edge;
}

double
SlowdownStatistics::Percentile(const std::vector<double>& sorted, double percent)
{
    // The small term keeps 99 % of 100 values at the 99th although 99 / 100.0 * 100 may exceed 99.
    const double rank = std::ceil(static_cast<double>(sorted.size()) * percent / 100 - 1e-9);
    const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return sorted.at(std::min(index, sorted.size() - 1));
}

SlowdownStatistics::Bin
SlowdownStatistics::Summarize(std::vector<double> slowdowns)
{
    Bin bin;
    bin.n = slowdowns.size();
    if (!slowdowns.empty())
    {
        std::sort(slowdowns.begin(), slowdowns.end());
        bin.mean = std::accumulate(slowdowns.begin(), slowdowns.end(), 0.0) /
                   static_cast<double>(slowdowns.size());
        bin.p50 = Percentile(slowdowns, 50);
        bin.p95 = Percentile(slowdowns, 95);
        bin.p99 = Percentile(slowdowns, 99);
    }
    return bin;
}

SlowdownStatistics::Bin
SlowdownStatistics::GetAll() const
{
    std::vector<double> slowdowns;
    uint64_t lo = m_flows.empty() ? 0 : LAST_EDGE;
    uint64_t hi = 0;
    for (const auto& [edge, slowdown] : m_flows)
    {
        slowdowns.push_back(slowdown);
        lo = std::min(lo, LowerEdge(edge));
        hi = std::max(hi, edge);
    }
    Bin all = Summarize(std::move(slowdowns));
    all.lo = lo;
    all.hi = hi;
    return all;
}

std::vector<SlowdownStatistics::Bin>
SlowdownStatistics::GetBins() const
{
    std::map<uint64_t, std::vector<double>> byEdge;
    for (const auto& [edge, slowdown] : m_flows)
    {
        byEdge[edge].push_back(slowdown);
    }
    std::vector<Bin> bins;
    for (auto& [edge, slowdowns] : byEdge)
    {
        Bin bin = Summarize(std::move(slowdowns));
        bin.lo = LowerEdge(edge);
        bin.hi = edge;
        bins.push_back(bin);
    }
    return bins;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "buffer-dependencies.h"

#include <algorithm>

namespace ns3
{

std::size_t
BufferDependencies::IndexOf(const Ptr<LosslessNetDevice>& port)
{
    const auto [found, isNew] = m_indexOf.emplace(PeekPointer(port), m_buffers.size());
    if (isNew)
    {
        m_buffers.push_back({port, {}});
    }
    return found->second;
}

void
BufferDependencies::AddPath(const std::vector<Ptr<LosslessNetDevice>>& path,
                            uint8_t priority,
                            uint32_t flow)
{
    // The first link comes from a host, on which no buffer depends, and the last goes to one, which
    // has none.
    for (std::size_t hop = 1; hop + 2 < path.size(); hop++)
    {
        const std::size_t from = IndexOf(path[hop]);
        const std::size_t to = IndexOf(path[hop + 1]);
        auto& dependsOn = m_buffers[from].dependsOn[priority];
        const bool known = std::any_of(dependsOn.begin(), dependsOn.end(), [&](const auto& d) {
            return d.to == to;
        });
        if (!known)
        {
            dependsOn.push_back({to, flow});
        }
    }
}

std::vector<BufferDependencies::Hop>
BufferDependencies::FindCycle(uint8_t priority) const
{
    // Depth first, without recursion: paths through a large network are long.
    struct Step
    {
        std::size_t buffer;
        std::size_t next; // index of the dependency to follow
    };

    enum class Mark : uint8_t
    {
        NEW,
        ON_WAY,
        DONE,
    };

    std::vector<Mark> marks(m_buffers.size(), Mark::NEW);
    for (std::size_t start = 0; start < m_buffers.size(); start++)
    {
        std::vector<Step> way;
        if (marks[start] == Mark::NEW)
        {
            marks[start] = Mark::ON_WAY;
            way.push_back({start, 0});
        }
        while (!way.empty())
        {
            Step& step = way.back();
            const auto& dependsOn = m_buffers[step.buffer].dependsOn[priority];
            if (step.next == dependsOn.size())
            {
                marks[step.buffer] = Mark::DONE;
                way.pop_back();
                continue;
            }
            const std::size_t to = dependsOn[step.next++].to;
            if (marks[to] == Mark::ON_WAY)
            {
                std::vector<Hop> cycle;
                auto s = std::find_if(way.begin(), way.end(), [&](const Step& x) {
                    return x.buffer == to;
                });
                for (; s != way.end(); ++s)
                {
                    const Buffer& buffer = m_buffers[s->buffer];
                    cycle.push_back({buffer.port, buffer.dependsOn[priority][s->next - 1].flow});
                }
                return cycle;
            }
            if (marks[to] == Mark::NEW)
            {
                marks[to] = Mark::ON_WAY;
                way.push_back({to, 0});
            }
        }
    }
    return {};
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The flows of a LosslessFabric.

#include "lossless-fabric.h"

#include "ns3/boolean.h"
#include "ns3/far-time.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/rdma-client.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// @returns a set of priorities as text, such as 3 or 0, 3
std::string
PriorityText(LaneSet priorities)
{
    std::string text;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (priorities >> p & 1)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(p);
        }
    }
    return text.empty() ? "none" : text;
}

} // namespace

void
LosslessFabric::CheckFlows(const std::vector<FlowSpec>& flows) const
{
    std::vector<uint32_t> ids = m_flowIds;
    const bool buffers = m_hosts.size() < m_vertices.size(); // hosts side by side lose nothing
    for (const auto& flow : flows)
    {
        ids.push_back(flow.id);
        const auto fail = [&flow](const std::string& found, const std::string& expected) {
            throw InputError("flow " + std::to_string(flow.id), found, expected);
        };
        for (const auto& [end, host] : {std::pair<const char*, uint32_t>("source", flow.src),
                                        std::pair<const char*, uint32_t>("destination", flow.dst)})
        {
            if (host >= GetNHosts())
            {
                fail(end + (" host " + std::to_string(host)),
                     "0 to " + std::to_string(static_cast<int64_t>(GetNHosts()) - 1));
            }
        }
        if (flow.src == flow.dst)
        {
            fail("host " + std::to_string(flow.src) + " as source and destination",
                 "two different hosts");
        }
        if (flow.bytes == 0)
        {
            fail("0 bytes", "at least 1");
        }
        if (flow.priority >= PRIORITIES)
        {
            fail("priority " + std::to_string(flow.priority), "0 to 7");
        }
        if (buffers && !((m_lossless | m_lossy) >> flow.priority & 1))
        {
            fail("priority " + std::to_string(flow.priority) + ", which may lose frames",
                 "one of the lossless priorities (" + PriorityText(m_lossless) +
                     ", see SetLosslessPriorities()), or SetLossyPriorities() for it");
        }
        if (flow.startNs < 0 || flow.startNs > HORIZON_NS)
        {
            fail("a start at " + std::to_string(flow.startNs) + " ns",
                 "0 to " + TimeText(HORIZON_NS));
        }
        if (flow.after != FlowSpec::NONE &&
            (flow.after >= flow.id || flow.after >= flows.size() ||
             flows[flow.after].id != flow.after || flows[flow.after].src != flow.src))
        {
            fail("it to start after flow " + std::to_string(flow.after),
                 "an earlier flow of the same host");
        }
    }
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end())
    {
        throw InputError("flow " + std::to_string(*twice),
                         "a second flow of that number",
                         "each number once");
    }
}

void
LosslessFabric::InstallFlows(const std::vector<FlowSpec>& flows)
{
    RequireBuilt("InstallFlows()");
    m_defaults.Check();
    CheckFlows(flows);
    BooleanValue write;
    m_engines.front()->GetAttribute("RdmaWrite", write);
    std::vector<Ptr<RdmaClient>> clients(GetNHosts());
    for (const auto& flow : flows)
    {
        if (write.Get() && flow.bytes > std::numeric_limits<uint32_t>::max())
        {
            throw InputError("flow " + std::to_string(flow.id),
                             "an RDMA WRITE of " + std::to_string(flow.bytes) + " bytes",
                             "less than 4 GiB, the limit of its header");
        }
        Ptr<RdmaClient>& client = clients.at(flow.src);
        if (!client)
        {
            client = CreateObject<RdmaClient>();
            client->SetRdmaHw(GetRdma(flow.src));
            m_nodes.Get(m_hosts[flow.src])->AddApplication(client);
        }
        RdmaHw::Message message;
        message.flow = flow.id;
        message.bytes = flow.bytes;
        message.priority = flow.priority;
        message.udpSource = GetUdpSource(flow);
        message.baseRtt = GetBaseRtt(flow);
        client->AddMessage(GetRdma(flow.dst), message, NanoSeconds(flow.startNs), flow.after);
        m_flowIds.push_back(flow.id);
    }
    std::sort(m_flowIds.begin(), m_flowIds.end());
}

} // namespace ns3

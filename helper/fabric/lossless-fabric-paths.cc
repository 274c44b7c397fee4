// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The paths of a LosslessFabric, and the times they take.

#include "lossless-fabric.h"

#include "ns3/far-time.h"
#include "ns3/input-error.h"
#include "ns3/link-time.h"
#include "ns3/path-timing.h"

#include <algorithm>
#include <functional>

namespace ns3
{

uint16_t
LosslessFabric::GetUdpSource(const FlowSpec& flow)
{
    // The dynamic ports, as RoCEv2 NICs choose them.
    return 0xc000 | (flow.id & 0x3fff);
}

std::vector<Ptr<LosslessNetDevice>>
LosslessFabric::GetPath(const FlowSpec& flow) const
{
    Ptr<RdmaHw> source = GetRdma(flow.src);
    Ptr<RdmaHw> destination = GetRdma(flow.dst);
    return m_routing.GetPath(source->GetEndpoint(),
                             destination->GetEndpoint(),
                             source->GetFlowHash(GetUdpSource(flow), destination));
}

Time
LosslessFabric::GetBaseRtt(const FlowSpec& flow) const
{
    FlowSpec frame = flow;
    frame.bytes = GetRdma(flow.src)->GetMtu();
    return GetIdealFct(frame);
}

Time
LosslessFabric::GetLargestBaseRtt() const
{
    RequireBuilt("GetLargestBaseRtt()");

    // What a data frame and an ACK take over one link, or over the longest of equal-cost paths. The
    // ACK of data goes by the paths back, which may be others.
    struct Ways
    {
        int64_t dataPs;
        int64_t ackPs;
    };

    // Hosts of one switch with equal links have equal paths, so one of them stands for all, unless
    // there are static routes to it.
    struct Group
    {
        Ptr<LosslessSwitch> home; // switch
        Ways up;                  // from the host
        Ways down;                // to the host
        uint32_t endpoint;        // of one of them
        uint32_t size;            // endpoints
    };

    const RdmaHw& hw = *m_engines.front();
    const uint32_t dataBytes = hw.GetDataFrameBytes(hw.GetMtu(), 0);
    const auto cross = [&](const LosslessNetDevice& port) {
        return Ways{CrossingPs(port, dataBytes), CrossingPs(port, hw.GetAckFrameBytes())};
    };
    const auto equal = [](const Ways& a, const Ways& b) {
        return a.dataPs == b.dataPs && a.ackPs == b.ackPs;
    };
    const uint32_t firstNode = m_nodes.Get(0)->GetId();
    std::vector<Group> groups;
    for (uint32_t e = 0; e < m_endpoints.size(); e++)
    {
        Ptr<LosslessNetDevice> peer = m_endpoints[e]->GetPeer();
        Ptr<LosslessSwitch> home = peer->GetNode()->GetObject<LosslessSwitch>();
        if (!home)
        {
            continue;
        }
        const Group fresh{home, cross(*m_endpoints[e]), cross(*peer), e, 1};
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
            return g.home == fresh.home && equal(g.up, fresh.up) && equal(g.down, fresh.down) &&
                   !m_isRouted[e] && !m_isRouted[g.endpoint];
        });
        if (found == groups.end())
        {
            groups.push_back(fresh);
        }
        else
        {
            found->size++;
        }
    }
    std::vector<std::vector<Ways>> ways; // by group that is the destination, then by source
    for (const Group& to : groups)
    {
        constexpr int64_t UNKNOWN = -1;
        std::vector<Ways> rests(m_vertices.size(), {UNKNOWN, UNKNOWN}); // by node, to the host `to`
        const std::function<Ways(Ptr<LosslessSwitch>)> find = [&](Ptr<LosslessSwitch> sw) {
            Ways& rest = rests[sw->GetObject<Node>()->GetId() - firstNode];
            if (rest.dataPs == UNKNOWN)
            {
                rest = {0, 0};
                for (uint32_t port : sw->GetForwardingTable().Get(to.endpoint))
                {
                    Ptr<LosslessNetDevice> device = sw->GetPort(port);
                    Ptr<LosslessSwitch> next =
                        device->GetPeer()->GetNode()->GetObject<LosslessSwitch>();
                    const Ways link = cross(*device);
                    const Ways beyond = next ? find(next) : Ways{0, 0};
                    rest.dataPs = std::max(rest.dataPs, link.dataPs + beyond.dataPs);
                    rest.ackPs = std::max(rest.ackPs, link.ackPs + beyond.ackPs);
                }
            }
            return rest;
        };
        ways.emplace_back();
        for (const Group& from : groups)
        {
            const Ways rest = find(from.home);
            ways.back().push_back({from.up.dataPs + rest.dataPs, from.up.ackPs + rest.ackPs});
        }
    }
    int64_t largestPs = 0;
    for (std::size_t to = 0; to < groups.size(); to++)
    {
        for (std::size_t from = 0; from < groups.size(); from++)
        {
            if (from != to || groups[to].size > 1)
            {
                largestPs = std::max(largestPs, ways[to][from].dataPs + ways[from][to].ackPs);
            }
        }
    }
    return EventTime(largestPs);
}

Time
LosslessFabric::GetIdealFct(const FlowSpec& flow) const
{
    Ptr<RdmaHw> source = GetRdma(flow.src);
    Ptr<RdmaHw> destination = GetRdma(flow.dst);
    const uint32_t packets = source->GetPackets(flow.bytes);
    // A RETH makes the first frame longer; those between first and last are alike.
    const FrameTrain::Sizes data{source->GetDataFrameBytes(flow.bytes, 0),
                                 source->GetDataFrameBytes(flow.bytes, packets > 2 ? 1 : 0),
                                 source->GetDataFrameBytes(flow.bytes, packets - 1)};
    // With several paths of equal length the acknowledgements may come back by another one.
    const PortPath ackPath =
        m_routing.GetPath(destination->GetEndpoint(),
                          source->GetEndpoint(),
                          destination->GetFlowHash(GetUdpSource(flow), source));
    const int64_t ps = MessageTimePs(GetPath(flow),
                                     ackPath,
                                     packets,
                                     data,
                                     source->GetAckInterval(),
                                     source->GetAckFrameBytes());
    if (ps / 1000 > HORIZON_NS)
    {
        throw InputError("flow " + std::to_string(flow.id),
                         std::to_string(flow.bytes) + " B, which take " +
                             std::to_string(ps / 1000000000000) + " s or more on its path",
                         "what ends within the " + std::to_string(HORIZON_NS / 1000000000) +
                             " s to which a run counts time");
    }
    return EventTime(ps);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-topology-test-case.h"

#include <cmath>
#include <set>

namespace ns3
{
namespace losslesstest
{

Ptr<EthernetSwitch>
Switch(const LosslessFabric& fabric, const std::string& name)
{
    return fabric.GetNodes().Get(fabric.GetIndex(name))->GetObject<EthernetSwitch>();
}

std::size_t
EqualCostPorts(const LosslessFabric& fabric, const std::string& name, uint32_t host)
{
    Ptr<EthernetSwitch> sw = Switch(fabric, name);
    std::set<uint32_t> ports;
    for (uint32_t hash = 0; hash < 1000; hash++)
    {
        ports.insert(sw->GetForwardingTable().Choose(fabric.GetRdma(host)->GetEndpoint(), hash));
    }
    ports.erase(sw->GetNPorts()); // "no route"
    return ports.size();
}

std::map<uint64_t, uint32_t>
PortsByRate(const LosslessFabric& fabric, const std::string& name)
{
    std::map<uint64_t, uint32_t> ports;
    Ptr<EthernetSwitch> sw = Switch(fabric, name);
    for (uint32_t port = 0; port < sw->GetNPorts(); port++)
    {
        ports[sw->GetPort(port)->GetDataRate().GetBitRate() / 1000000000]++;
    }
    return ports;
}

bool
IsSpread(const std::map<std::string, uint32_t>& counts, std::size_t choices)
{
    if (choices == 1)
    {
        return counts.size() == 1;
    }
    double total = 0;
    for (const auto& entry : counts)
    {
        total += entry.second;
    }
    const double mean = total / choices;
    // Choices that nobody made count as well: each adds mean^2 / mean.
    double chiSquare = (choices - counts.size()) * mean;
    for (const auto& entry : counts)
    {
        chiSquare += (entry.second - mean) * (entry.second - mean) / mean;
    }
    // Quantile by Wilson and Hilferty; 4.75 is that of the normal distribution for p = 1e-6. The
    // hash is a fixed function, so the outcome is the same in each run: a good one passes for good,
    // while a layer that repeats the choice of the one below leaves cores empty and is far beyond.
    const double freedom = choices - 1;
    const double bound =
        freedom * std::pow(1 - 2 / (9 * freedom) + 4.75 * std::sqrt(2 / (9 * freedom)), 3);
    return chiSquare < bound;
}

void
TopologyTestCase::CheckAllPairs(const LosslessFabric& fabric,
                                const std::function<std::size_t(uint32_t, uint32_t)>& links)
{
    uint32_t wrong = 0;
    for (uint32_t src = 0; src < fabric.GetNHosts(); src++)
    {
        for (uint32_t dst = 0; dst < fabric.GetNHosts(); dst++)
        {
            if (src != dst)
            {
                const auto path = fabric.GetPath(MakeFlow(src * 7 + dst, src, dst, 1000));
                wrong += path.size() != links(src, dst);
                wrong += path.back()->GetPeer() != fabric.GetRdma(dst)->GetDevice();
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(wrong, 0, "pairs without their shortest path");
}

void
TopologyTestCase::CheckFctAlone(LosslessFabric& fabric, const FlowSpec& flow, int64_t expectedNs)
{
    NS_TEST_EXPECT_MSG_EQ(fabric.GetIdealFct(flow).GetNanoSeconds(), expectedNs, "ideal FCT");
    CompletionRecorder recorder(fabric);
    fabric.InstallFlows({flow});
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(recorder.completions.count(flow.id), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(recorder.Fct(flow.id), expectedNs, "simulated FCT");
}

} // namespace losslesstest
} // namespace ns3

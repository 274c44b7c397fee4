// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "marking-unit-helper.h"

#include "ns3/boolean.h"
#include "ns3/credit-account.h"
#include "ns3/frame-size.h"
#include "ns3/infiniband-encapsulation.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{

MarkingUnitHelper::MarkingUnitHelper()
{
    SetLink(DataRate("8Gb/s"), Time(0));
}

void
MarkingUnitHelper::SetFlowsPerSide(uint32_t flows)
{
    m_flowsPerSide = CheckNodeCount("flows of each side", flows);
}

void
MarkingUnitHelper::SetLink(DataRate rate, Time delay)
{
    m_link.Set("link", rate, delay);
}

void
MarkingUnitHelper::SetBuffers(uint32_t packets, uint32_t mtuBytes, LosslessFabric& fabric)
{
    const uint32_t largest =
        InfinibandEncapsulation::Get().GetDataBytes(mtuBytes, true, false, false);
    const uint64_t packetBytes = uint64_t(CreditBlocks(largest)) * CREDIT_BLOCK_BYTES;
    fabric.SetDeviceAttribute("BufferSize", UintegerValue(packets * packetBytes));
    fabric.SetDeviceAttribute("OpportunisticUpdates", BooleanValue(true));
}

void
MarkingUnitHelper::Build(LosslessFabric& fabric) const
{
    const auto addHosts = [&fabric](const std::string& letter, uint32_t count) {
        std::vector<uint32_t> hosts;
        for (uint32_t h = 1; h <= count; h++)
        {
            hosts.push_back(fabric.AddHost(letter + "_" + std::to_string(h)));
        }
        return hosts;
    };
    std::vector<uint32_t> atA = addHosts("A", m_flowsPerSide);
    atA.push_back(fabric.AddHost("A_V"));
    std::vector<uint32_t> atB = addHosts("B", m_flowsPerSide);
    atB.push_back(fabric.AddHost("B_C"));
    atB.push_back(fabric.AddHost("B_V"));
    const uint32_t a = fabric.AddSwitch("A");
    const uint32_t b = fabric.AddSwitch("B");
    fabric.AddLink(a, b, m_link.rate, m_link.delay);
    for (uint32_t host : atA)
    {
        fabric.AddLink(host, a, m_link.rate, m_link.delay);
    }
    for (uint32_t host : atB)
    {
        fabric.AddLink(host, b, m_link.rate, m_link.delay);
    }
}

std::vector<MarkingUnitHelper::Port>
MarkingUnitHelper::GetPorts()
{
    return {{"inter-switch", "A", "B"}, {"root", "B", "B_C"}};
}

void
MarkingUnitHelper::AddFlows(const LosslessFabric& fabric,
                            Time interval,
                            Time end,
                            Time victimStart,
                            Time victimTime,
                            std::vector<FlowSpec>& flows) const
{
    const auto bytesFor = [this](Time duration) {
        return static_cast<uint64_t>(m_link.rate * duration / 8);
    };
    Time start;
    for (const char* letter : {"B_", "A_"})
    {
        for (uint32_t flow = 1; flow <= m_flowsPerSide; flow++)
        {
            AddFlow(fabric, letter + std::to_string(flow), "B_C", bytesFor(end), start, flows);
            start += interval;
        }
    }
    AddFlow(fabric, "A_V", "B_V", bytesFor(victimTime), victimStart, flows);
}

} // namespace ns3

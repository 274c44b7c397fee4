// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "unit-topology-helper.h"

#include "ns3/arrival-process.h"
#include "ns3/constant-rate.h"
#include "ns3/input-error.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

namespace ns3
{

uint32_t
UnitTopologyHelper::GetHost(const LosslessFabric& fabric, const std::string& name)
{
    const uint32_t index = fabric.GetIndex(name);
    for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
    {
        if (fabric.GetHostIndex(host) == index)
        {
            return host;
        }
    }
    throw InputError("host", "'" + name + "', which is a switch", "the name of a host");
}

void
UnitTopologyHelper::AddFlow(const LosslessFabric& fabric,
                            const std::string& from,
                            const std::string& to,
                            uint64_t bytes,
                            Time start,
                            std::vector<FlowSpec>& flows)
{
    AddClosedLoop(fabric, from, to, bytes, 1, start, flows);
}

void
UnitTopologyHelper::AddClosedLoop(const LosslessFabric& fabric,
                                  const std::string& from,
                                  const std::string& to,
                                  uint64_t bytes,
                                  uint32_t count,
                                  Time start,
                                  std::vector<FlowSpec>& flows)
{
    ArrivalProcess::CheckNumber("messages",
                                std::to_string(count) + " more than the " +
                                    std::to_string(flows.size()) + " before",
                                static_cast<double>(count) + static_cast<double>(flows.size()));
    for (uint32_t i = 0; i < count; i++)
    {
        FlowSpec flow;
        flow.id = static_cast<uint32_t>(flows.size());
        flow.src = GetHost(fabric, from);
        flow.dst = GetHost(fabric, to);
        flow.bytes = bytes;
        flow.startNs = start.GetNanoSeconds();
        flow.after = i > 0 ? flow.id - 1 : FlowSpec::NONE;
        flows.push_back(flow);
    }
}

void
UnitTopologyHelper::AddBursts(const LosslessFabric& fabric,
                              const std::vector<std::string>& senders,
                              const std::string& to,
                              uint64_t bytes,
                              uint32_t messages,
                              bool inTurn,
                              Time start,
                              std::vector<FlowSpec>& flows)
{
    for (const std::string& sender : senders)
    {
        const std::size_t first = flows.size();
        AddClosedLoop(fabric, sender, to, bytes, messages, start, flows);
        for (std::size_t i = first; i < flows.size() && !inTurn; i++)
        {
            flows[i].after = FlowSpec::NONE;
        }
    }
}

void
UnitTopologyHelper::SetConstantRate(const LosslessFabric& fabric,
                                    const std::string& host,
                                    DataRate rate)
{
    Ptr<RateController> controller =
        CreateObjectWithAttributes<ConstantRate>("Rate", DataRateValue(rate));
    fabric.GetRdma(GetHost(fabric, host))->SetAttribute("RateController", PointerValue(controller));
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// What summary.json tells of a study before it has run.

#include "lossless-study.h"

#include "ns3/abort.h"
#include "ns3/arrival-process.h"
#include "ns3/pointer.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @returns a type and values of its attributes, for the record
RunSummary::Group
Record(const std::string& name,
       const std::string& type,
       const std::vector<Scheme::Setting>& settings)
{
    RunSummary::Group group;
    group.name = name;
    if (!type.empty())
    {
        group.parameters.emplace_back("type", type);
    }
    for (const auto& setting : settings)
    {
        group.parameters.emplace_back(setting.attribute, setting.value);
    }
    return group;
}

/// Replaces a value of the record, or adds it.
void
SetParameter(std::vector<RunSummary::Parameter>& parameters,
             const std::string& name,
             const std::string& value)
{
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) {
        return p.first == name;
    });
    if (found == parameters.end())
    {
        parameters.emplace_back(name, value);
    }
    else
    {
        found->second = value;
    }
}

} // namespace

void
LosslessStudy::Describe(RunSummary& summary,
                        const Scheme& scheme,
                        const LosslessFabric& fabric) const
{
    summary.study = m_name;
    summary.scheme = scheme.name;
    summary.seed = m_seed;
    summary.ns3Version = LOSSLESS_NS3_VERSION;
    summary.offeredLoad = GetOfferedLoad(fabric);
    for (const auto& parameter : m_options.GetParameters())
    {
        // Scheme and seed have fields of their own; where the files lie changes nothing.
        if (parameter.first != "scheme" && parameter.first != "seed" && parameter.first != "out")
        {
            summary.parameters.push_back(parameter);
        }
    }
    auto& parameters = summary.parameters;
    summary.link = fabric.GetLink().name;
    SetParameter(parameters, "mtu", std::to_string(fabric.GetRdma(0)->GetMtu()));
    if (!fabric.GetSwitches().empty())
    {
        for (const auto& [name, value] : fabric.GetSwitches().front()->GetSettings())
        {
            SetParameter(parameters, name, value);
        }
    }
    if (!scheme.detector.empty())
    {
        summary.groups.push_back(Record("detector", scheme.detector, scheme.detectorSettings));
    }
    summary.groups.push_back(Record("controller", scheme.controller, scheme.controllerSettings));
    if (!scheme.reactionPoint.empty())
    {
        summary.groups.push_back(
            Record("reaction_point", scheme.reactionPoint, scheme.reactionPointSettings));
    }
    summary.groups.push_back(Record("rdma", "ns3::RdmaHw", scheme.rdmaSettings));
    RunSummary::Group attributes;
    attributes.name = "attributes";
    std::vector<AttributeDefault> set = m_options.GetAttributes();
    for (const AttributeDefault& attribute : GetUserDefaults())
    {
        if (!m_options.IsAttributeGiven(attribute.type, attribute.name))
        {
            set.push_back(attribute);
        }
    }
    for (const AttributeDefault& attribute : set)
    {
        attributes.parameters.emplace_back((attribute.type.empty() ? "" : attribute.type + "::") +
                                               attribute.name,
                                           attribute.value);
    }
    for (const RunSummary::Group& group :
         {attributes, FindPorts(fabric), FindControllers(scheme, fabric)})
    {
        if (!group.parameters.empty())
        {
            summary.groups.push_back(group);
        }
    }
}

RunSummary::Group
LosslessStudy::FindControllers(const Scheme& scheme, const LosslessFabric& fabric)
{
    RunSummary::Group group;
    group.name = "other_controllers";
    for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
    {
        PointerValue controller;
        fabric.GetRdma(host)->GetAttribute("RateController", controller);
        const std::string type = controller.GetObject()->GetInstanceTypeId().GetName();
        if (type != scheme.controller)
        {
            group.parameters.emplace_back(fabric.GetName(fabric.GetHostIndex(host)), type);
        }
    }
    return group;
}

RunSummary::Group
LosslessStudy::FindPorts(const LosslessFabric& fabric) const
{
    RunSummary::Group group;
    group.name = "ports";
    for (const NamedPort& port : m_ports)
    {
        const auto found =
            fabric.GetPortsBetween(fabric.GetIndex(port.node), fabric.GetIndex(port.peer));
        NS_ABORT_MSG_IF(found.size() != 1, "port " << port.name << " is not one port");
        group.parameters.emplace_back(port.name,
                                      port.node + ',' +
                                          std::to_string(found.front()->GetIfIndex()));
    }
    return group;
}

double
LosslessStudy::GetOfferedLoad(const LosslessFabric& fabric) const
{
    const int64_t ns = (GetArrivalsEnd() - GetArrivalsStart()).GetNanoSeconds();
    return m_tellLoad && ns > 0 ? ArrivalProcess::OfferedLoad(m_flows, fabric.GetHostRatesBps(), ns)
                                : RunSummary::NONE;
}

} // namespace ns3

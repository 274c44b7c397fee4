// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// What cannot be: attributes that decide nothing, and flows that cannot be sent.

#include "lossless-study.h"

#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/rdma-client.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

void
LosslessStudy::CheckAttributes() const
{
    const LinkTechnology& link = FindLinkTechnology(m_link);
    for (const char* option : {"xoff", "xon"})
    {
        if (m_options.IsGiven(option) && !HasThresholds())
        {
            throw InputError(std::string("--") + option,
                             "it with --link=" + m_link,
                             "--buffer, of which credits tell the far end");
        }
    }
    const std::pair<const char*, std::pair<std::string, const char*>> twice[] = {
        {"mtu", {"ns3::RdmaHw", "Mtu"}},
        {"buffer", {link.bufferType, "BufferSize"}},
        {"xoff", {"ns3::EthernetSwitch", "Xoff"}},
        {"xon", {"ns3::EthernetSwitch", "Xon"}}};
    for (const auto& [option, attribute] : twice)
    {
        if (m_options.IsGiven(option) && IsSetByUser(attribute.first, attribute.second))
        {
            throw InputError(std::string("--") + option,
                             "it beside " + attribute.first + "::" + attribute.second,
                             "one of the two");
        }
    }
    if (m_options.IsGiven("seed") && m_options.IsAttributeGiven("", "RngRun"))
    {
        throw InputError("--seed", "it beside --RngRun", "one of the two");
    }
    // What the study itself decides for each object would silently win over these.
    const std::pair<std::pair<std::string, const char*>, const char*> decided[] = {
        {{link.deviceType, "DataRate"}, "--link-rate or the topology's file"},
        {{"ns3::LosslessChannel", "Delay"}, "--link-delay or the topology's file"},
        {{"ns3::EthernetSwitch", "LosslessPriorities"}, "the priorities of the flows"},
        {{"ns3::ConstantRate", "Rate"}, "the study itself"},
        {{"ns3::RateErrorModel", "ErrorRate"}, "the topology's file"},
        {{"ns3::RateErrorModel", "ErrorUnit"}, "the topology's file"},
        {{"ns3::RdmaHw", "RateController"}, "--scheme"}};
    for (const auto& [attribute, instead] : decided)
    {
        if (m_options.IsAttributeGiven(attribute.first, attribute.second))
        {
            throw InputError("--" + attribute.first + "::" + attribute.second,
                             "it on the command line",
                             std::string(instead) + ", which decides it");
        }
        if (IsSetByUser(attribute.first, attribute.second))
        {
            throw InputError(attribute.first + "::" + attribute.second,
                             "a default of it",
                             std::string(instead) + ", which decides it");
        }
    }
}

void
LosslessStudy::CheckClasses(const std::vector<Scheme>& schemes, const LosslessFabric& fabric) const
{
    std::set<std::string> inUse;
    const auto add = [&inUse](TypeId type) {
        for (; type != ObjectBase::GetTypeId(); type = type.GetParent())
        {
            inUse.insert(type.GetName());
        }
    };
    for (TypeId type : fabric.GetClasses())
    {
        add(type);
    }
    add(Node::GetTypeId());
    add(RdmaClient::GetTypeId());
    // A study that gives all hosts controllers of its own does so for each scheme.
    const bool ownControllers = !inUse.count(fabric.GetScheme().controller);
    for (Scheme scheme : schemes)
    {
        scheme.controller = ownControllers ? "" : scheme.controller;
        for (TypeId type : ClassesOf(scheme))
        {
            add(type);
        }
    }
    for (const char* global : {"SchedulerType", "SimulatorImplementationType"})
    {
        StringValue type;
        GlobalValue::GetValueByName(global, type);
        add(TypeId::LookupByName(type.Get()));
    }
    const auto check = [&inUse](const std::string& place, const AttributeDefault& attribute) {
        if (!attribute.type.empty() && !inUse.count(attribute.type))
        {
            std::string list;
            for (const std::string& name : inUse)
            {
                const bool has = TypeId::LookupByName(name).GetAttributeN() > 0;
                list += has ? (list.empty() ? "" : ", ") + name : "";
            }
            throw InputError(place + attribute.type + "::" + attribute.name,
                             "an attribute of a class that takes no part in the run",
                             "one of " + list);
        }
    };
    for (const AttributeDefault& attribute : ReadEnvironmentDefaults())
    {
        check("NS_ATTRIBUTE_DEFAULT, ", attribute);
    }
    for (const AttributeDefault& attribute : m_options.GetAttributes())
    {
        check("--", attribute);
    }
}

void
LosslessStudy::CheckFlows(const LosslessFabric& fabric) const
{
    const auto empty = std::find_if(m_flows.begin(), m_flows.end(), [](const FlowSpec& flow) {
        return flow.bytes == 0;
    });
    if (empty != m_flows.end())
    {
        // Flows that are as long as the run may come to nothing.
        throw InputError("traffic",
                         "flow " + std::to_string(empty->id) + " of 0 bytes",
                         "at least 1: a longer time or a higher rate");
    }
    fabric.CheckFlows(m_flows);
}

} // namespace ns3

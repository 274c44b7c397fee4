// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "link-technology.h"

#include "ns3/input-error.h"

namespace ns3
{

const std::vector<LinkTechnology>&
LinkTechnologies()
{
    static const std::vector<LinkTechnology> technologies = {
        {"ethernet",
         "PFC Ethernet with RoCEv2, store-and-forward switches",
         "ns3::QbbNetDevice",
         "ns3::EthernetSwitch",
         "ns3::EthernetSwitch",
         false},
        {"infiniband",
         "InfiniBand: credits, input-buffered cut-through switches",
         "ns3::IbNetDevice",
         "ns3::InfinibandSwitch",
         "ns3::IbNetDevice",
         true},
    };
    return technologies;
}

const LinkTechnology&
FindLinkTechnology(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& technology : LinkTechnologies())
    {
        if (technology.name == name)
        {
            return technology;
        }
        names.push_back(technology.name);
    }
    ThrowUnknownName("link", name, names);
}

void
CheckLink(const Scheme& scheme, const LinkTechnology& link)
{
    if (NeedsInputBuffers(scheme) && !link.inputBuffers)
    {
        throw InputError("scheme " + scheme.name,
                         scheme.detector + " over " + link.name +
                             ", whose switches have no buffers at their inputs",
                         "InfiniBand, whose switches have");
    }
}

} // namespace ns3

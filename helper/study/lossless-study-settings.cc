// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// What the options say of switches and hosts.

#include "lossless-study.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// HPCC's simulator (run.py) gives switches 16 MB of buffer at 50 Gb/s, in proportion to the hosts'
/// links.
constexpr uint64_t BUFFER_BYTES = 16000000;
constexpr uint64_t BUFFER_RATE_BPS = 50000000000;

/// Xon is this much below a static Xoff: two frames of 1000 B, as in DCQCN's and TCD's evaluations.
constexpr uint64_t XON_BELOW_XOFF = 2000;

} // namespace

bool
LosslessStudy::IsThresholdStatic() const
{
    return m_xoff > 0 || IsSetByUser("ns3::EthernetSwitch", "Xoff");
}

void
LosslessStudy::Configure(LosslessFabric& fabric) const
{
    if (!IsSetByUser("ns3::RdmaHw", "Mtu"))
    {
        fabric.SetRdmaAttribute("Mtu", UintegerValue(m_mtu));
    }
    if (HasThresholds())
    {
        ConfigureThresholds(fabric);
    }
    else if (m_buffer > 0)
    {
        fabric.SetDeviceAttribute("BufferSize", UintegerValue(m_buffer));
    }
    fabric.SetLosslessPriorities(GetLosslessPriorities());
}

bool
LosslessStudy::HasThresholds() const
{
    TypeId::AttributeInformation info;
    const LinkTechnology& link = FindLinkTechnology(m_link);
    return TypeId::LookupByName(link.switchType).LookupAttributeByName("Xoff", &info);
}

void
LosslessStudy::ConfigureThresholds(LosslessFabric& fabric) const
{
    const auto given = [](const std::string& attribute) {
        return IsSetByUser("ns3::EthernetSwitch", attribute);
    };
    const bool isStatic = IsThresholdStatic();
    if (!given("Threshold"))
    {
        fabric.SetSwitchAttribute("Threshold", StringValue(isStatic ? "Static" : "Dynamic"));
    }
    if (m_xoff > 0)
    {
        std::string text = std::to_string(m_xoff);
        if (!FindUserDefault("ns3::EthernetSwitch", "Xoff", text))
        {
            fabric.SetSwitchAttribute("Xoff", UintegerValue(m_xoff));
        }
        const uint64_t xoff = std::stoull(text);
        const uint64_t below = xoff > XON_BELOW_XOFF ? xoff - XON_BELOW_XOFF : 0;
        if (!given("Xon"))
        {
            fabric.SetSwitchAttribute("Xon", UintegerValue(m_xon > 0 ? m_xon : below));
        }
    }
    if (m_buffer > 0)
    {
        fabric.SetSwitchAttribute("BufferSize", UintegerValue(m_buffer));
    }
    else if (!isStatic && !given("BufferSize"))
    {
        const std::vector<uint64_t> rates = fabric.GetHostRatesBps();
        const double fastest =
            rates.empty() ? 0 : static_cast<double>(*std::max_element(rates.begin(), rates.end()));
        fabric.SetSwitchAttribute(
            "BufferSize",
            UintegerValue(static_cast<uint64_t>(BUFFER_BYTES * (fastest / BUFFER_RATE_BPS))));
    }
}

LaneSet
LosslessStudy::GetLosslessPriorities() const
{
    LaneSet priorities = 0;
    for (const FlowSpec& flow : m_flows)
    {
        priorities |= 1 << flow.priority;
    }
    return priorities;
}

} // namespace ns3

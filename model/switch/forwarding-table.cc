// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "forwarding-table.h"

#include "ns3/frame.h"

#include <algorithm>
#include <utility>

namespace ns3
{

uint64_t
MacNumber(const uint8_t mac[6])
{
    uint64_t number = 0;
    for (int i = 0; i < 6; i++)
    {
        number = number << 8 | mac[i];
    }
    return number;
}

ForwardingTable::ForwardingTable()
    : m_groups(1)
{
}

void
ForwardingTable::SetSalt(uint32_t salt)
{
    m_salt = salt;
}

void
ForwardingTable::Set(uint32_t destination, const std::vector<uint32_t>& ports)
{
    if (destination >= m_groupOf.size())
    {
        m_groupOf.resize(destination + 1, 0);
    }
    for (uint32_t g = 0; g < m_groups.size(); g++)
    {
        const Group& group = m_groups[g];
        if (group.count == ports.size() &&
            std::equal(ports.begin(), ports.end(), m_choices.begin() + group.first))
        {
            m_groupOf[destination] = g;
            return;
        }
    }
    m_groupOf[destination] = m_groups.size();
    m_groups.push_back(
        {static_cast<uint32_t>(m_choices.size()), static_cast<uint32_t>(ports.size())});
    m_choices.insert(m_choices.end(), ports.begin(), ports.end());
}

std::vector<uint32_t>
ForwardingTable::Get(uint32_t destination) const
{
    const Group group = destination < m_groupOf.size() ? m_groups[m_groupOf[destination]] : Group();
    const auto first = m_choices.begin() + group.first;
    return {first, first + group.count};
}

void
ForwardingTable::SetAddresses(std::shared_ptr<const AddressTable> table,
                              std::vector<bool> floodPorts)
{
    m_addresses = std::move(table);
    m_floodPorts = std::move(floodPorts);
}

uint32_t
ForwardingTable::FindEndpoint(const uint8_t mac[6]) const
{
    if (!m_addresses)
    {
        return UNKNOWN_ENDPOINT;
    }
    const auto found = m_addresses->find(MacNumber(mac));
    return found == m_addresses->end() ? UNKNOWN_ENDPOINT : found->second;
}

bool
ForwardingTable::IsFloodPort(uint32_t port) const
{
    return port < m_floodPorts.size() && m_floodPorts[port];
}

} // namespace ns3

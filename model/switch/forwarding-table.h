// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FORWARDING_TABLE_H
#define LOSSLESS_FORWARDING_TABLE_H

#include "ns3/flow-hash.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// Endpoint numbers by MAC address (as a 48-bit number), for frames of the protocol stack.
using AddressTable = std::unordered_map<uint64_t, uint32_t>;

/**
 * @param mac six bytes
 * @returns them as a number
 */
uint64_t MacNumber(const uint8_t mac[6]);

/**
 * Which ports of a switch lead to which endpoint. Destinations behind the same ports share one
 * group, so the tables of a large fabric stay small. Among equal-cost ports the flow's hash
 * chooses, salted with the node id; a routing that spreads by destination sets one port for each.
 * @ingroup lossless
 */
class ForwardingTable
{
  public:
    /// No port leads there.
    static constexpr uint32_t NO_PORT = UINT32_MAX;

    ForwardingTable();

    /// @param salt of the hash, the switch's node id
    void SetSalt(uint32_t salt);

    /**
     * @param destination endpoint number
     * @param ports the equal-cost ports that lead to it, empty for none
     */
    void Set(uint32_t destination, const std::vector<uint32_t>& ports);

    /**
     * @param destination endpoint number
     * @returns the equal-cost ports that lead to it
     */
    std::vector<uint32_t> Get(uint32_t destination) const;

    /**
     * @param destination endpoint number
     * @param hash of the flow
     * @returns the port, or NO_PORT
     */
    uint32_t Choose(uint32_t destination, uint32_t hash) const
    {
        if (destination >= m_groupOf.size())
        {
            return NO_PORT;
        }
        const Group group = m_groups[m_groupOf[destination]];
        if (group.count <= 1)
        {
            return group.count ? m_choices[group.first] : NO_PORT;
        }
        return m_choices[group.first + ChooseByHash(hash, m_salt, group.count)];
    }

    /**
     * @param table for frames whose endpoint the sender did not know
     * @param floodPorts ports of the spanning tree
     */
    void SetAddresses(std::shared_ptr<const AddressTable> table, std::vector<bool> floodPorts);

    /**
     * @param mac destination address of a frame
     * @returns its endpoint number, UNKNOWN_ENDPOINT if no table has it
     */
    uint32_t FindEndpoint(const uint8_t mac[6]) const;

    /**
     * @param port of the switch
     * @returns whether it belongs to the spanning tree
     */
    bool IsFloodPort(uint32_t port) const;

  private:
    /// Equal-cost ports, a slice of m_choices.
    struct Group
    {
        uint32_t first{0}; //!< index of the first
        uint32_t count{0}; //!< how many
    };

    std::vector<uint32_t> m_groupOf;                 //!< group by destination
    std::vector<Group> m_groups;                     //!< number 0 is "no route"
    std::vector<uint32_t> m_choices;                 //!< ports of all groups
    uint32_t m_salt{0};                              //!< SetSalt()
    std::shared_ptr<const AddressTable> m_addresses; //!< by MAC
    std::vector<bool> m_floodPorts;                  //!< spanning tree
};

} // namespace ns3

#endif // LOSSLESS_FORWARDING_TABLE_H

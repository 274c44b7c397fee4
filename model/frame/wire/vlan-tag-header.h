// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_VLAN_TAG_HEADER_H
#define LOSSLESS_VLAN_TAG_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * What follows the EtherType 0x8100 of a tagged frame, 4 bytes in network order: priority 3, drop
 * eligible 1, VLAN 12, and the EtherType of the content (IEEE 802.1Q).
 *
 * Left out: VLANs. The tag is a priority tag, with VLAN 0 and never drop eligible; neither is read.
 * @ingroup lossless
 */
class VlanTagHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x8100; //!< announces the tag

    /// @param priority 0..7
    void SetPriority(uint8_t priority);
    /// @returns priority, 0..7
    uint8_t GetPriority() const;

    /// @param etherType of the content
    void SetEtherType(uint16_t etherType);
    /// @returns EtherType of the content
    uint16_t GetEtherType() const;

    /**
     * @brief Get the type ID.
     * @returns the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    uint8_t m_priority{0};   //!< PCP
    uint16_t m_etherType{0}; //!< EtherType of the content
};

} // namespace ns3

#endif // LOSSLESS_VLAN_TAG_HEADER_H

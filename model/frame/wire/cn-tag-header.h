// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CN_TAG_HEADER_H
#define LOSSLESS_CN_TAG_HEADER_H

#include "ns3/buffer.h"
#include "ns3/congestion-tag.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * What follows the EtherType of QCN's congestion notification tag (CN-TAG; IEEE 802.1Qau), 4 bytes
 * in network order: flow ID 16 and the EtherType of the content.
 * @ingroup lossless
 */
class CnTagHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x22E9; //!< announces the tag

    /// @param tag the tag
    void SetTag(const CnTag& tag);
    /// @returns the tag
    const CnTag& GetTag() const;

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
    CnTag m_tag;             //!< the tag
    uint16_t m_etherType{0}; //!< EtherType of the content
};

} // namespace ns3

#endif // LOSSLESS_CN_TAG_HEADER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CM_TAG_HEADER_H
#define LOSSLESS_CM_TAG_HEADER_H

#include "ns3/buffer.h"
#include "ns3/congestion-tag.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * What follows the EtherType of ECM's congestion management tag (CM-Tag), 14 bytes in network
 * order, and the EtherType of the content (Bergamasco 2007, figure 4): 16 bytes. With the EtherType
 * before it, and without the one after, the tag adds 16 bytes to a frame.
 * @verbatim
 * version 4, 0 | reserved 12 | CPID 64 | timestamp 16 | unit 8 | reserved 8 | EtherType 16
 * @endverbatim
 * The figure is lost: the document names the fields, their widths are those of EcmHeader. Of a
 * later version the same fields are read; reserved bits are 0 when sent and ignored when read.
 * @ingroup lossless
 */
class CmTagHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x88B6; //!< announces the tag

    /// @param tag the tag
    void SetTag(const CmTag& tag);
    /// @returns the tag
    const CmTag& GetTag() const;

    /// @param etherType of the content
    void SetEtherType(uint16_t etherType);
    /// @returns EtherType of the content
    uint16_t GetEtherType() const;
    /// @returns the version that was read, 0 before
    uint8_t GetVersion() const;

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
    uint8_t m_version{0};    //!< as read
    CmTag m_tag;             //!< the tag
    uint16_t m_etherType{0}; //!< EtherType of the content
};

} // namespace ns3

#endif // LOSSLESS_CM_TAG_HEADER_H

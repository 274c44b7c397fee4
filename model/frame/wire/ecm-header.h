// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_ECM_HEADER_H
#define LOSSLESS_ECM_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/notification.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * Feedback of an ECM message after its EtherType, 18 bytes in network order, followed by the first
 * bytes of the sampled frame (Bergamasco, "Ethernet Congestion Manager", 2007, figure 3):
 * @verbatim
 * version 4, 0 | Q 1 | reserved 11 | CPID 64 | Qoff 16 | Qdelta 16 | timestamp 16 | unit 8 |
 *     reserved 8
 * @endverbatim
 * The figure is lost. That the fields have 18 bytes follows from the least number of quoted bytes,
 * 24, which makes a tagged message 64 bytes long; the widths of version, timestamp and unit and the
 * local experimental EtherType are our choice. Of a later version the same fields are read;
 * reserved bits are 0 when sent and ignored when read.
 * @ingroup lossless
 */
class EcmHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x88B5; //!< announces the message

    /// @param message what the congestion point says
    void SetMessage(const EcmMessage& message);
    /// @returns what the congestion point says; quotedBytes, priority and timestamped are not in it
    const EcmMessage& GetMessage() const;
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
    uint8_t m_version{0}; //!< as read
    EcmMessage m_message; //!< what the congestion point says
};

} // namespace ns3

#endif // LOSSLESS_ECM_HEADER_H

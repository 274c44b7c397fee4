// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CNM_HEADER_H
#define LOSSLESS_CNM_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/notification.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * QCN's congestion notification message (CNM; IEEE 802.1Qau) after its EtherType, 24 bytes in
 * network order, followed by the first bytes of the sampled frame's content, from its EtherType on:
 * @verbatim
 * version 4, 0 | reserved 6 | quantised feedback 6 | CPID 64 | cnmQOffset 16 | cnmQDelta 16 |
 *     priority of the sampled frame 3 | zero 13 | its destination address 48 |
 *     number of bytes that follow 16
 * @endverbatim
 * Of a later version the same fields are read; reserved bits are 0 when sent and ignored when read.
 * @ingroup lossless
 */
class CnmHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x22E7;    //!< announces the message
    static constexpr uint32_t MOST_QUOTED_BYTES = 64; //!< that may follow [B]

    /// @param message what the congestion point says
    void SetMessage(const QcnMessage& message);
    /// @returns what the congestion point says; its own priority is not in it
    const QcnMessage& GetMessage() const;

    /**
     * @param priority of the sampled frame
     * @param destination of the sampled frame, six bytes
     */
    void SetSampled(uint8_t priority, const uint8_t* destination);
    /// @returns priority of the sampled frame
    uint8_t GetSampledPriority() const;
    /// @returns destination of the sampled frame, six bytes
    const uint8_t* GetSampledDestination() const;

    /// @param bytes that follow [B]
    void SetQuotedBytes(uint16_t bytes);
    /// @returns bytes that follow, as sent: perhaps more than there are [B]
    uint16_t GetQuotedBytes() const;

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
    uint8_t m_version{0};       //!< as read
    QcnMessage m_message;       //!< what the congestion point says
    uint8_t m_priority{0};      //!< of the sampled frame
    uint8_t m_destination[6]{}; //!< of the sampled frame
    uint16_t m_quotedBytes{0};  //!< that follow [B]
};

} // namespace ns3

#endif // LOSSLESS_CNM_HEADER_H

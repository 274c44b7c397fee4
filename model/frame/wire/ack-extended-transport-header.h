// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_ACK_EXTENDED_TRANSPORT_HEADER_H
#define LOSSLESS_ACK_EXTENDED_TRANSPORT_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * ACK extended transport header (AETH), 4 bytes in network order: syndrome 8, message sequence
 * number 24 (InfiniBand Architecture 1.3, volume 1, sections 9.3.5 and 9.7.5).
 * @ingroup lossless
 */
class AckExtendedTransportHeader : public Header
{
  public:
    /// The syndromes that the module sends.
    enum Syndrome : uint8_t
    {
        ACK_WITHOUT_CREDITS = 0x1F, //!< acknowledgement, no end-to-end credits
        NAK_SEQUENCE_ERROR = 0x60   //!< a packet sequence number was skipped
    };

    /// @param syndrome any; need not be one of Syndrome
    void SetSyndrome(uint8_t syndrome);
    /// @returns the syndrome; need not be one of Syndrome
    uint8_t GetSyndrome() const;
    /// @returns whether this is an acknowledgement, with whatever number of credits
    bool IsAck() const;

    /// @param number message sequence number; its low 24 bits are kept
    void SetMessageNumber(uint32_t number);
    /// @returns message sequence number, 24 bits
    uint32_t GetMessageNumber() const;

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
    uint8_t m_syndrome{ACK_WITHOUT_CREDITS}; //!< syndrome
    uint32_t m_messageNumber{0};             //!< MSN
};

} // namespace ns3

#endif // LOSSLESS_ACK_EXTENDED_TRANSPORT_HEADER_H

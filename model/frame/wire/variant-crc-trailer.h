// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_VARIANT_CRC_TRAILER_H
#define LOSSLESS_VARIANT_CRC_TRAILER_H

#include "ns3/buffer.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/trailer.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * Variant CRC (VCRC) at the end of an InfiniBand packet, 2 bytes (InfiniBand Architecture, volume
 * 1, section 7.8.2): InfinibandCrc16() of all bytes before it. Every hop computes it anew.
 * @ingroup lossless
 */
class VariantCrcTrailer : public Trailer
{
  public:
    /**
     * @param packet from the local route header on, without VCRC
     * @returns the VCRC it should have
     */
    static uint16_t Calculate(Ptr<const Packet> packet);

    /// @param crc variant CRC
    void SetCrc(uint16_t crc);
    /// @returns variant CRC
    uint16_t GetCrc() const;

    /**
     * @brief Get the type ID.
     * @returns the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    using Trailer::Deserialize;
    uint32_t Deserialize(Buffer::Iterator end) override;

  private:
    uint16_t m_crc{0}; //!< variant CRC
};

} // namespace ns3

#endif // LOSSLESS_VARIANT_CRC_TRAILER_H

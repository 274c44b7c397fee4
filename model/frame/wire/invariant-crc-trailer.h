// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_INVARIANT_CRC_TRAILER_H
#define LOSSLESS_INVARIANT_CRC_TRAILER_H

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
 * Invariant CRC (ICRC) of an InfiniBand packet or a RoCEv2 datagram, 4 bytes (InfiniBand
 * Architecture 1.3, volume 1, section 7.8.1 and annex A17).
 *
 * The CRC-32 of Ethernet over all that no hop may change. InfiniBand: from the local route header
 * on, with ones for the virtual lane and for the byte with the congestion bits of the BTH. RoCEv2:
 * eight bytes of ones in place of the local route header, then the datagram with ones for the IPv4
 * type of service, time to live and checksum, the UDP checksum, and the same byte of the BTH. An
 * INT block (TelemetryHeader), which every hop adds to, counts as ones too; that is our choice. On
 * the wire, as with the FCS, its least significant byte comes first.
 * @ingroup lossless
 */
class InvariantCrcTrailer : public Trailer
{
  public:
    /**
     * @param datagram from the IPv4 header (without options) to the ICRC, whose four bytes must be
     *     there but are not read; at least 44 bytes
     * @returns the ICRC it should have
     */
    static uint32_t Calculate(Ptr<const Packet> datagram);

    /**
     * @param packet an InfiniBand packet without global route header, from the local route header
     * to the ICRC, whose four bytes must be there but are not read; at least 24 bytes
     * @returns the ICRC it should have
     */
    static uint32_t CalculateLocal(Ptr<const Packet> packet);

    /// @param crc invariant CRC
    void SetCrc(uint32_t crc);
    /// @returns invariant CRC
    uint32_t GetCrc() const;

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
    uint32_t m_crc{0}; //!< invariant CRC
};

} // namespace ns3

#endif // LOSSLESS_INVARIANT_CRC_TRAILER_H

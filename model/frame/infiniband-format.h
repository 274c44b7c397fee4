// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_INFINIBAND_FORMAT_H
#define LOSSLESS_INFINIBAND_FORMAT_H

#include "ns3/credit-update.h"
#include "ns3/frame-format.h"
#include "ns3/frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/transport-format.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup lossless
 * What a Frame looks like on an InfiniBand link: its size, and its bytes both ways.
 *
 * Layers, outermost first (InfiniBand Architecture 1.3, volume 1, chapters 5, 7 and 9):
 * @verbatim
 * LRH 8 | BTH 12 | RETH 16 or AETH 4 | INT 42 + 2 if any | payload | pad 0..3 | ICRC 4 | VCRC 2
 * LRH 8 | RWH 4 | packet of ns-3's stack | pad 0..3 | VCRC 2
 * @endverbatim
 * The INT block (TelemetryHeader, our own choice) comes where it does in RoCEv2; two zero bytes
 * fill it up to whole words.
 *
 * Marks: FECN, the BTH's F bit, is CE. Ours is the code for UE, TCD's second mark (Zhang et al.,
 * SIGCOMM 2021): U, the reserved bit next to F and B, as BaseTransportHeader has it. BECN, the B
 * bit of an ACK or NACK, echoes CE, and U of one echoes UE. InfiniBand has no bit that says that a
 * sender reacts to marks, so that 00 and 01 look the same.
 */

namespace ns3
{

// Sizes of the layers [B].
constexpr uint32_t LRH_BYTES = 8;           //!< local route header
constexpr uint32_t RWH_BYTES = 4;           //!< raw header
constexpr uint32_t VARIANT_CRC_BYTES = 2;   //!< VCRC
constexpr uint32_t CREDIT_UPDATE_BYTES = 6; //!< a link flow-control packet
constexpr uint32_t INFINIBAND_MAXIMUM_BYTES = 2047 * 4 + VARIANT_CRC_BYTES; //!< what PktLen can say

/**
 * @param afterBth bytes between the BTH and the ICRC, a multiple of four
 * @returns size of an InfiniBand packet [B]
 */
constexpr uint32_t
InfinibandPacketBytes(uint32_t afterBth)
{
    return LRH_BYTES + BTH_BYTES + afterBth + INVARIANT_CRC_BYTES + VARIANT_CRC_BYTES;
}

/**
 * @param payload bytes of user data, without pad
 * @param withReth first frame of an RDMA WRITE
 * @param telemetry with an INT block
 * @returns size of a DATA frame: 26 more than a payload of a multiple of four [B]
 */
constexpr uint32_t
InfinibandDataBytes(uint32_t payload, bool withReth, bool telemetry = false)
{
    return InfinibandPacketBytes(
        (withReth ? RETH_BYTES : 0) +
        (telemetry ? TELEMETRY_BYTES + INFINIBAND_TELEMETRY_PAD_BYTES : 0) + payload +
        PadCount(payload));
}

/**
 * @param telemetry with an INT block
 * @returns size of an ACK or NACK frame: 30 without block [B]
 */
constexpr uint32_t
InfinibandAckBytes(bool telemetry = false)
{
    return InfinibandPacketBytes(
        AETH_BYTES + (telemetry ? TELEMETRY_BYTES + INFINIBAND_TELEMETRY_PAD_BYTES : 0));
}

/// @returns size of a congestion notification packet: 42 [B]
constexpr uint32_t
InfinibandCnpBytes()
{
    return InfinibandPacketBytes(CNP_RESERVED_BYTES);
}

/**
 * @param packet size of the ns3::Packet of a PACKET frame [B]
 * @returns size of the raw packet that carries it [B]
 */
constexpr uint32_t
InfinibandRawBytes(uint32_t packet)
{
    return LRH_BYTES + RWH_BYTES + packet + PadCount(packet) + VARIANT_CRC_BYTES;
}

/**
 * @param frame with all fields of its kind set, not PFC; Frame::bytes is not read
 * @returns its size on an InfiniBand link, what Frame::bytes must be [B]
 */
uint32_t InfinibandFrameBytes(const Frame& frame);

/**
 * Local identifier of an endpoint: its number + 1. An unknown one has the permissive address, a
 * broadcast the first group's. A number beyond 49150 is asserted against.
 * @param endpoint number of a NIC, or UNKNOWN_ENDPOINT, or BROADCAST_ENDPOINT
 * @returns its local identifier
 */
uint16_t InfinibandLid(uint32_t endpoint);

/**
 * Writes a frame byte for byte as an InfiniBand packet, from the local route header to the VCRC, or
 * CREDITS as a link flow-control packet.
 *
 * The user data of a DATA frame is zeros. Virtual lane and service level are both
 * Frame::priority. Not on the wire, and so lost: flow, hash, times, ingress port, numbers above 24
 * bits, Ethernet, IPv4 and UDP addresses, the tag, `echo` other than UE or CE (on ACK and NACK),
 * the message number (of DATA), 00 (of DATA, see above), what is not CE of the code point of ACK,
 * NACK and CNP. Fixed values: LVer 0, BTH as ToPacket() says. A PACKET is a raw packet with its
 * EtherType; of IPv4 it shows the higher of its own code point and the frame's.
 *
 * @param frame what to write, not PFC; Frame::bytes must be InfinibandFrameBytes(frame) and at most
 *     INFINIBAND_MAXIMUM_BYTES (asserted)
 * @returns a new packet of Frame::bytes bytes
 */
Ptr<Packet> ToInfinibandPacket(const Frame& frame);

/**
 * Writes a link flow-control packet.
 * @param update what it says
 * @returns a new packet of CREDIT_UPDATE_BYTES bytes
 */
Ptr<Packet> ToInfinibandPacket(const CreditUpdate& update);

/**
 * Reads a frame back: the inverse of ToInfinibandPacket() for all that is on the wire.
 *
 * Both CRCs must be right and lengths fit. A PACKET keeps the padding to whole words, which the
 * layer above cuts off by its own length.
 *
 * @param packet bytes from the local route header to the VCRC, or the 6 of a link flow-control
 *     packet; not changed
 * @param why if not nullptr, set to the reason when no frame is returned
 * @returns the frame, or nullptr if the bytes are truncated, damaged or foreign
 */
FramePtr FromInfinibandPacket(Ptr<const Packet> packet, std::string* why = nullptr);

/**
 * Reads a link flow-control packet.
 * @param packet its 6 bytes; not changed
 * @param [out] update what it says, counts of 12 bits
 * @param why if not nullptr, set to the reason when it is refused
 * @returns whether it is one
 */
bool ReadCreditUpdate(Ptr<const Packet> packet, CreditUpdate& update, std::string* why = nullptr);

} // namespace ns3

#endif // LOSSLESS_INFINIBAND_FORMAT_H

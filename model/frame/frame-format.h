// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_FORMAT_H
#define LOSSLESS_FRAME_FORMAT_H

#include "ns3/frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup lossless
 * What a Frame looks like on the wire: its size, and its bytes both ways.
 *
 * Layers, outermost first (IEEE 802.3, 802.1Q and 802.1Qbb; InfiniBand Architecture 1.3 with annex
 * A17, RoCEv2):
 * @verbatim
 * Ethernet 14 | 802.1Q 4 if tagged | IPv4 20 | UDP 8, port 4791 | BTH 12 | RETH 16 or AETH 4 |
 *     INT 42 if any | payload | pad 0..3 | ICRC 4 | zeros up to 60 | FCS 4
 * @endverbatim
 * The INT block (TelemetryHeader, our own choice as RoCEv2 has none) comes after what standard
 * readers expect after the BTH.
 */

namespace ns3
{

// Sizes of the layers [B].
constexpr uint32_t ETHERNET_HEADER_BYTES = 14;            //!< two addresses and the EtherType
constexpr uint32_t VLAN_TAG_BYTES = 4;                    //!< 802.1Q tag
constexpr uint32_t FCS_BYTES = 4;                         //!< Ethernet frame check sequence
constexpr uint32_t MINIMUM_FRAME_BYTES = 64;              //!< shortest Ethernet frame, with FCS
constexpr uint32_t IPV4_HEADER_BYTES = 20;                //!< IPv4 without options
constexpr uint32_t UDP_HEADER_BYTES = 8;                  //!< UDP
constexpr uint32_t BTH_BYTES = 12;                        //!< base transport header
constexpr uint32_t RETH_BYTES = 16;                       //!< RDMA extended transport header
constexpr uint32_t AETH_BYTES = 4;                        //!< ACK extended transport header
constexpr uint32_t CNP_RESERVED_BYTES = 16;               //!< reserved bytes of a CNP
constexpr uint32_t TELEMETRY_BYTES = 42;                  //!< INT block, however many hops
constexpr uint32_t INVARIANT_CRC_BYTES = 4;               //!< ICRC
constexpr uint32_t PFC_FRAME_BYTES = MINIMUM_FRAME_BYTES; //!< a PFC frame, never tagged

/// Largest payload that fits IPv4's 16-bit length together with RETH, INT block and pad [B].
constexpr uint32_t MAXIMUM_PAYLOAD_BYTES = 65535 - IPV4_HEADER_BYTES - UDP_HEADER_BYTES -
                                           BTH_BYTES - RETH_BYTES - TELEMETRY_BYTES -
                                           INVARIANT_CRC_BYTES - 3;

/**
 * @param payload bytes of user data
 * @returns bytes that fill it up to four, the PadCnt of the BTH
 */
constexpr uint32_t
PadCount(uint32_t payload)
{
    return (4 - payload % 4) % 4;
}

/**
 * @param inside bytes between the Ethernet header (and tag) and the FCS
 * @param tagged with an 802.1Q tag
 * @returns size of the Ethernet frame with FCS, at least 64 [B]
 */
constexpr uint32_t
EthernetFrameBytes(uint32_t inside, bool tagged)
{
    const uint32_t bytes =
        ETHERNET_HEADER_BYTES + (tagged ? VLAN_TAG_BYTES : 0) + inside + FCS_BYTES;
    return bytes < MINIMUM_FRAME_BYTES ? MINIMUM_FRAME_BYTES : bytes;
}

/**
 * @param packet size of the ns3::Packet of a PACKET frame [B]
 * @param tagged with an 802.1Q tag
 * @returns size of the frame with FCS, at least 64 [B]
 */
constexpr uint32_t
PacketFrameBytes(uint32_t packet, bool tagged = false)
{
    return EthernetFrameBytes(packet, tagged);
}

/**
 * @param afterBth bytes between the BTH and the ICRC
 * @param tagged with an 802.1Q tag
 * @returns size of a RoCEv2 frame with FCS [B]
 */
constexpr uint32_t
RoceFrameBytes(uint32_t afterBth, bool tagged)
{
    return EthernetFrameBytes(IPV4_HEADER_BYTES + UDP_HEADER_BYTES + BTH_BYTES + afterBth +
                                  INVARIANT_CRC_BYTES,
                              tagged);
}

/**
 * @param payload bytes of user data, without pad
 * @param withReth first frame of an RDMA WRITE
 * @param tagged with an 802.1Q tag
 * @param telemetry with an INT block
 * @returns size of a DATA frame with FCS: 62 more than a payload of a multiple of four [B]
 */
constexpr uint32_t
DataFrameBytes(uint32_t payload, bool withReth, bool tagged, bool telemetry = false)
{
    return RoceFrameBytes((withReth ? RETH_BYTES : 0) + (telemetry ? TELEMETRY_BYTES : 0) +
                              payload + PadCount(payload),
                          tagged);
}

/**
 * @param tagged with an 802.1Q tag
 * @param telemetry with an INT block
 * @returns size of an ACK or NACK frame with FCS: 66 untagged without block [B]
 */
constexpr uint32_t
AckFrameBytes(bool tagged, bool telemetry = false)
{
    return RoceFrameBytes(AETH_BYTES + (telemetry ? TELEMETRY_BYTES : 0), tagged);
}

/**
 * @param tagged with an 802.1Q tag
 * @returns size of a CNP with FCS: 78 untagged [B]
 */
constexpr uint32_t
CnpFrameBytes(bool tagged)
{
    return RoceFrameBytes(CNP_RESERVED_BYTES, tagged);
}

/**
 * @param frame with all fields of its kind set; Frame::bytes is not read
 * @returns its size with FCS [B], what Frame::bytes must be
 */
uint32_t FrameBytes(const Frame& frame);

/// Whether the bytes of a packet end with the frame check sequence. @ingroup lossless
enum class FrameCheck
{
    OMITTED,  //!< as most captures with link type Ethernet
    INCLUDED, //!< as on the wire
};

/**
 * Writes a frame byte for byte, from the destination address on.
 *
 * The user data of a DATA frame is zeros. Not on the wire, and so lost: flow, hash, endpoints,
 * times, ingress port, numbers above 24 bits, `echo` other than UE or CE (on ACK and NACK), the
 * message number (of DATA), the code point (of PFC and of a PACKET other than IPv4) and the
 * priority (of PFC and of an untagged PACKET). A PFC frame is never tagged and has its own
 * destination address. Fixed values: IPv4 identification 0, DF, TTL 64; UDP checksum 0; BTH P_Key
 * 0xFFFF, TVer 0, M 1 but 0 in a CNP (as ConnectX-4 sends them). DSCP is the class selector of the
 * priority (priority << 3). Used although the standard reserves them: U (the echo of UE) and T (an
 * INT block) of BaseTransportHeader, and the bytes of CongestionNotificationHeader. The values of
 * an INT block are rounded as TelemetryHeader says. An IPv4 packet of ns-3's stack
 * shows the higher of its own code point and the frame's.
 *
 * @param frame what to write; Frame::bytes must be FrameBytes(frame) (asserted)
 * @param check whether to add the FCS
 * @returns a new packet of Frame::bytes bytes, 4 fewer without FCS
 */
Ptr<Packet> ToPacket(const Frame& frame, FrameCheck check = FrameCheck::OMITTED);

/**
 * Reads a frame back: the inverse of ToPacket() for all that is on the wire.
 *
 * MAC control and IPv4/UDP to port 4791 must be frames that ToPacket() could have written,
 * checksums included; all else is FrameKind::PACKET and keeps the padding of a short frame, which
 * the layer above cuts off by its own length.
 *
 * @param packet bytes from the destination address on; not changed
 * @param check whether they end with an FCS, which is then verified
 * @param why if not nullptr, set to the reason when no frame is returned
 * @returns the frame, or nullptr if the bytes are truncated, damaged or foreign
 */
FramePtr FromPacket(Ptr<const Packet> packet,
                    FrameCheck check = FrameCheck::OMITTED,
                    std::string* why = nullptr);

} // namespace ns3

#endif // LOSSLESS_FRAME_FORMAT_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_SIZE_H
#define LOSSLESS_FRAME_SIZE_H

#include "ns3/frame.h"

#include <cstdint>

/**
 * @file
 * @ingroup lossless
 * How large frames are on the wire; frame-format.h shows the layers.
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
constexpr uint32_t CM_TAG_BYTES = 16;                     //!< CM-Tag of ECM
constexpr uint32_t CN_TAG_BYTES = 4;                      //!< CN-TAG of QCN
constexpr uint32_t ECM_BYTES = 18;                        //!< ECM message before what it quotes
constexpr uint32_t FEWEST_QUOTED_BYTES = 24;              //!< in an ECM message
constexpr uint32_t CNM_BYTES = 24;                        //!< CNM of QCN before what it quotes
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
 * @returns size of a RoCEv2 packet from the IPv4 header on [B]
 */
constexpr uint32_t
RocePacketBytes(uint32_t afterBth)
{
    return IPV4_HEADER_BYTES + UDP_HEADER_BYTES + BTH_BYTES + afterBth + INVARIANT_CRC_BYTES;
}

/**
 * @param payload bytes of user data, without pad
 * @param withReth first frame of an RDMA WRITE
 * @param telemetry with an INT block
 * @returns what a DATA frame has between the BTH and the ICRC [B]
 */
constexpr uint32_t
DataBytesAfterBth(uint32_t payload, bool withReth, bool telemetry)
{
    return (withReth ? RETH_BYTES : 0) + (telemetry ? TELEMETRY_BYTES : 0) + payload +
           PadCount(payload);
}

/**
 * @param telemetry with an INT block
 * @returns what an ACK or NACK frame has between the BTH and the ICRC [B]
 */
constexpr uint32_t
AckBytesAfterBth(bool telemetry)
{
    return AETH_BYTES + (telemetry ? TELEMETRY_BYTES : 0);
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
    return EthernetFrameBytes(RocePacketBytes(DataBytesAfterBth(payload, withReth, telemetry)),
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
    return EthernetFrameBytes(RocePacketBytes(AckBytesAfterBth(telemetry)), tagged);
}

/**
 * @param tagged with an 802.1Q tag
 * @returns size of a CNP with FCS: 78 untagged [B]
 */
constexpr uint32_t
CnpFrameBytes(bool tagged)
{
    return EthernetFrameBytes(RocePacketBytes(CNP_RESERVED_BYTES), tagged);
}

/**
 * @param frame any
 * @returns size of its CM-Tag or CN-TAG, 0 without one [B]
 */
uint32_t CongestionTagBytes(const Frame& frame);

/**
 * @param frame ECM or QCN message
 * @returns bytes that it quotes: of ECM from the destination address on, no fewer than give it 64
 * bytes; of QCN from the EtherType on; no more than the sampled frame has before its FCS [B]
 */
uint32_t QuotedBytes(const Frame& frame);

/**
 * @param frame with all fields of its kind set; Frame::bytes is not read
 * @returns its size with FCS [B], what Frame::bytes must be
 */
uint32_t FrameBytes(const Frame& frame);

} // namespace ns3

#endif // LOSSLESS_FRAME_SIZE_H

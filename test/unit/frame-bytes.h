// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_BYTES_H
#define LOSSLESS_FRAME_BYTES_H

#include "ns3/frame.h"
#include "ns3/packet.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * What the unit tests of frames on the wire share.
 */

namespace ns3
{
namespace losslesstest
{

using Bytes = std::vector<uint8_t>;

constexpr std::size_t IP = 14; //!< offset of the IPv4 header in an untagged frame [B]

/**
 * @param packet any
 * @returns its content
 */
Bytes ToBytes(Ptr<const Packet> packet);

/**
 * @param bytes content
 * @returns a packet of it
 */
Ptr<Packet> FromBytes(const Bytes& bytes);

/**
 * @param bytes any
 * @returns them as hexadecimal digits, for messages that show the difference
 */
std::string Hex(const Bytes& bytes);

/**
 * @param frame any
 * @returns Hex() of it on the wire, with FCS
 */
std::string WireHex(const Frame& frame);

/**
 * @param kind of frame
 * @param priority 802.1p
 * @returns a frame from 10.0.1.2 to 10.0.2.3
 */
FramePtr MakeRoce(FrameKind kind, uint8_t priority);

/**
 * @param payload user bytes
 * @returns a data frame from 10.0.1.2 to 10.0.2.3, priority 3
 */
FramePtr MakeSend(uint32_t payload);

/**
 * CRC-32 of IEEE 802.3 bit by bit: shift register 0x04C11DB7, each byte's low bit first.
 *
 * @param bytes that it covers
 * @returns the CRC
 */
uint32_t BitwiseCrc(const Bytes& bytes);

/**
 * @param bytes of a frame
 * @param end of the word [B]
 * @returns the four bytes before the end, as sent: least significant first
 */
uint32_t LastWord(const Bytes& bytes, std::size_t end);

/**
 * @param bytes of a frame
 * @param end of the word [B]
 * @param word that LastWord() returns from then on
 */
void SetLastWord(Bytes& bytes, std::size_t end, uint32_t word);

/**
 * ICRC of an untagged frame.
 *
 * @param frame its bytes
 * @param end of its datagram, from IPv4 header to ICRC [B]
 * @param block begin of its INT block, 0 for none [B]
 * @returns the ICRC
 */
uint32_t BitwiseIcrc(const Bytes& frame, std::size_t end, std::size_t block = 0);

/**
 * Expects all fields that are on the wire to be the same; the others are at their defaults in what
 * FromPacket() returns.
 *
 * @param a a frame
 * @param b the other one
 */
void ExpectSame(const Frame& a, const Frame& b);

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_FRAME_BYTES_H

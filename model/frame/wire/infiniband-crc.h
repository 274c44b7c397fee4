// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_INFINIBAND_CRC_H
#define LOSSLESS_INFINIBAND_CRC_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * The 16-bit CRC of InfiniBand's link layer: the variant CRC (VCRC) of a packet, and the link
 * packet CRC (LPCRC) of a flow-control packet (InfiniBand Architecture, volume 1, sections 7.8.2
 * and 7.9.4).
 *
 * Polynomial x^16 + x^12 + x^3 + x + 1 (0x100B), seed 0xFFFF, each byte's least significant bit
 * first, complemented. On the wire its least significant byte comes first.
 * @ingroup lossless
 *
 * @param bytes that it covers
 * @param size their number
 * @returns the CRC
 */
uint16_t InfinibandCrc16(const uint8_t* bytes, std::size_t size);

} // namespace ns3

#endif // LOSSLESS_INFINIBAND_CRC_H

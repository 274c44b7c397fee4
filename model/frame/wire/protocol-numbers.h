// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_PROTOCOL_NUMBERS_H
#define LOSSLESS_PROTOCOL_NUMBERS_H

#include <cstdint>

/**
 * @file
 * @ingroup lossless
 * Numbers that say what comes next in a frame, as far as no header class has them.
 */

namespace ns3
{

constexpr uint16_t SMALLEST_ETHER_TYPE = 0x0600; //!< below, the field is an 802.3 length
constexpr uint16_t ETHER_TYPE_IPV4 = 0x0800;     //!< EtherType of IPv4
constexpr uint8_t PROTOCOL_UDP = 17;             //!< protocol of UDP in IPv4
constexpr uint16_t ROCE_PORT = 4791;             //!< UDP destination port of RoCEv2

} // namespace ns3

#endif // LOSSLESS_PROTOCOL_NUMBERS_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_STACK_PACKET_H
#define LOSSLESS_STACK_PACKET_H

#include "ns3/code-point.h"
#include "ns3/frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 * @param packet of ns-3's own stack
 * @param etherType of it
 * @returns the ECN bits of IPv4, else NOT_CAPABLE
 */
CodePoint GetStackMark(Ptr<const Packet> packet, uint16_t etherType);

/**
 * @ingroup lossless
 * @param frame PACKET
 * @returns a copy of its packet that shows the higher of its own mark and the frame's
 */
Ptr<Packet> CopyWithMark(const Frame& frame);

} // namespace ns3

#endif // LOSSLESS_STACK_PACKET_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_READER_H
#define LOSSLESS_FRAME_READER_H

#include "ns3/frame-writer.h"
#include "ns3/frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3
{

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

#endif // LOSSLESS_FRAME_READER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_WRITER_H
#define LOSSLESS_FRAME_WRITER_H

#include "ns3/frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

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
 * message number (of DATA), the code point (of PFC, of a PACKET other than IPv4 and of messages of
 * ECM and QCN), the priority (of PFC and of an untagged PACKET or message of ECM or QCN) and of a
 * quoted frame all but the quoted bytes: it comes back as a PACKET with what is there of its
 * content. A PFC frame is never tagged and has its own destination address. Fixed values: IPv4
 * identification 0, DF, TTL 64; UDP checksum 0; BTH P_Key 0xFFFF, TVer 0, M 1 but 0 in a CNP (as
 * ConnectX-4 sends them). DSCP is the class selector of the priority (priority << 3). Used although
 * the standard reserves them: U (the echo of UE) and T (an INT block) of BaseTransportHeader, and
 * the bytes of CongestionNotificationHeader. The values of an INT block are rounded as
 * TelemetryHeader says. An IPv4 packet of ns-3's stack shows the higher of its own code point and
 * the frame's.
 *
 * @param frame what to write; Frame::bytes must be FrameBytes(frame) (asserted)
 * @param check whether to add the FCS
 * @returns a new packet of Frame::bytes bytes, 4 fewer without FCS
 */
Ptr<Packet> ToPacket(const Frame& frame, FrameCheck check = FrameCheck::OMITTED);

} // namespace ns3

#endif // LOSSLESS_FRAME_WRITER_H

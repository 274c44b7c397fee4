// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TRANSPORT_FORMAT_H
#define LOSSLESS_TRANSPORT_FORMAT_H

#include "ns3/frame.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

/// What carries InfiniBand's transport layer. @ingroup lossless
enum class TransportCarrier
{
    ROCE_V2,    //!< UDP over IPv4, which has the marks of data
    INFINIBAND, //!< InfiniBand's own link: the BTH has the marks of data
};

/// Zero bytes after an INT block on InfiniBand, whose lengths are in words of four [B].
/// @ingroup lossless
constexpr uint32_t INFINIBAND_TELEMETRY_PAD_BYTES = 2;

/**
 * Writes InfiniBand's transport layer: BTH, RETH or AETH, INT block, payload and pad, or the
 * reserved bytes of a CNP; without the ICRC.
 *
 * Differences of the carriers: RoCEv2 has CNP opcode 0x81 and echoes CE in the BTH's F, UE in U.
 * InfiniBand has CNP opcode 0x80; F and U of data are its own marks CE and UE; an acknowledgement
 * echoes CE in B and UE in U, its F is its own mark CE; an INT block is followed by two zero bytes.
 * @ingroup lossless
 *
 * @param frame DATA, ACK, NACK or NOTIFICATION
 * @param carrier of the packet
 * @returns from the BTH to the last byte before the ICRC
 */
Ptr<Packet> MakeTransportPacket(const Frame& frame, TransportCarrier carrier);

/**
 * Reads what MakeTransportPacket() writes; anything else is a FrameRefusal.
 * @ingroup lossless
 *
 * @param packet from the BTH to the last byte before the ICRC; used up
 * @param carrier of the packet
 * @param [out] frame kind and fields of the transport layer; on InfiniBand the code point too
 */
void ReadTransportPacket(Ptr<Packet> packet, TransportCarrier carrier, Frame& frame);

} // namespace ns3

#endif // LOSSLESS_TRANSPORT_FORMAT_H

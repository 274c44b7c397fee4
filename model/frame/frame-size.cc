// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame-size.h"

#include "ns3/packet.h"

namespace ns3
{

uint32_t
FrameBytes(const Frame& frame)
{
    switch (frame.kind)
    {
    case FrameKind::DATA:
        return DataFrameBytes(frame.payload,
                              frame.write && frame.firstOfMessage,
                              frame.tagged,
                              frame.telemetry != nullptr);
    case FrameKind::ACK:
    case FrameKind::NACK:
        return AckFrameBytes(frame.tagged, frame.telemetry != nullptr);
    case FrameKind::NOTIFICATION:
        return CnpFrameBytes(frame.tagged);
    case FrameKind::PFC:
        return PFC_FRAME_BYTES;
    case FrameKind::PACKET:
        break;
    }
    return EthernetFrameBytes(frame.packet->GetSize(), frame.tagged);
}

} // namespace ns3

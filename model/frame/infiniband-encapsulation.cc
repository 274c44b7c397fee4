// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "infiniband-encapsulation.h"

#include "erf-file.h"
#include "infiniband-format.h"

namespace ns3
{

const InfinibandEncapsulation&
InfinibandEncapsulation::Get()
{
    static const InfinibandEncapsulation encapsulation;
    return encapsulation;
}

uint32_t
InfinibandEncapsulation::GetDataBytes(uint32_t payload, bool withReth, bool, bool telemetry) const
{
    return InfinibandDataBytes(payload, withReth, telemetry);
}

uint32_t
InfinibandEncapsulation::GetAckBytes(bool, bool telemetry) const
{
    return InfinibandAckBytes(telemetry);
}

uint32_t
InfinibandEncapsulation::GetNotificationBytes(const Notification&, bool) const
{
    return InfinibandCnpBytes();
}

Ptr<Packet>
InfinibandEncapsulation::Write(const Frame& frame) const
{
    return frame.kind == FrameKind::CREDITS ? ToInfinibandPacket(frame.credits)
                                            : ToInfinibandPacket(frame);
}

uint32_t
InfinibandEncapsulation::GetCaptureType() const
{
    return ErfFile::LINK_TYPE;
}

void
InfinibandEncapsulation::Capture(Ptr<PcapFileWrapper> file,
                                 Time now,
                                 Ptr<const Packet> packet) const
{
    const bool control = packet->GetSize() == CREDIT_UPDATE_BYTES; // others are longer
    ErfFile(file).Write(now, packet, control ? ErfFile::INFINIBAND_LINK : ErfFile::INFINIBAND);
}

} // namespace ns3

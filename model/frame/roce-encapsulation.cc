// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "roce-encapsulation.h"

#include "frame-format.h"

#include "ns3/assert.h"

namespace ns3
{

const RoceEncapsulation&
RoceEncapsulation::Get()
{
    static const RoceEncapsulation encapsulation;
    return encapsulation;
}

uint32_t
RoceEncapsulation::GetDataBytes(uint32_t payload, bool withReth, bool tagged, bool telemetry) const
{
    return DataFrameBytes(payload, withReth, tagged, telemetry);
}

uint32_t
RoceEncapsulation::GetAckBytes(bool tagged, bool telemetry) const
{
    return AckFrameBytes(tagged, telemetry);
}

uint32_t
RoceEncapsulation::GetNotificationBytes([[maybe_unused]] const Notification& notification,
                                        bool tagged) const
{
    // The size of messages of layer 2 depends on what they quote: FrameBytes().
    NS_ASSERT_MSG(std::holds_alternative<Cnp>(notification), "no CNP");
    return CnpFrameBytes(tagged);
}

Ptr<Packet>
RoceEncapsulation::Write(const Frame& frame) const
{
    return ToPacket(frame);
}

uint32_t
RoceEncapsulation::GetCaptureType() const
{
    constexpr uint32_t ETHERNET = 1;
    return ETHERNET;
}

void
RoceEncapsulation::Capture(Ptr<PcapFileWrapper> file, Time now, Ptr<const Packet> packet) const
{
    file->Write(now, packet);
}

} // namespace ns3

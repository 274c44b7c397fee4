// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_ROCE_ENCAPSULATION_H
#define LOSSLESS_ROCE_ENCAPSULATION_H

#include "ns3/encapsulation.h"

namespace ns3
{

/**
 * RoCEv2 over Ethernet, as frame-format.h lays it out.
 * @ingroup lossless
 */
class RoceEncapsulation : public Encapsulation
{
  public:
    /// @returns the one object
    static const RoceEncapsulation& Get();

    // inherited from Encapsulation; sizes with FCS, without preamble and gap
    uint32_t GetDataBytes(uint32_t payload,
                          bool withReth,
                          bool tagged,
                          bool telemetry) const override;
    uint32_t GetAckBytes(bool tagged, bool telemetry) const override;
    uint32_t GetNotificationBytes(const Notification& notification, bool tagged) const override;
    Ptr<Packet> Write(const Frame& frame) const override;
    uint32_t GetCaptureType() const override;
    void Capture(Ptr<PcapFileWrapper> file, Time now, Ptr<const Packet> packet) const override;
};

} // namespace ns3

#endif // LOSSLESS_ROCE_ENCAPSULATION_H

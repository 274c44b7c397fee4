// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_INFINIBAND_ENCAPSULATION_H
#define LOSSLESS_INFINIBAND_ENCAPSULATION_H

#include "ns3/encapsulation.h"

namespace ns3
{

/**
 * InfiniBand packets, as infiniband-format.h lays them out; there are no tags.
 * @ingroup lossless
 */
class InfinibandEncapsulation : public Encapsulation
{
  public:
    /// @returns the one object
    static const InfinibandEncapsulation& Get();

    // inherited from Encapsulation; sizes from local route header to VCRC
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

#endif // LOSSLESS_INFINIBAND_ENCAPSULATION_H

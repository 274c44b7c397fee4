// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_DROP_RECORDER_H
#define LOSSLESS_DROP_RECORDER_H

#include "ns3/lossless-net-device.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * Counts dropped frames by reason, from the trace Drop of LosslessNetDevice.
 * @ingroup lossless
 */
class DropRecorder
{
  public:
    /// @param device whose drops are counted
    void Connect(Ptr<LosslessNetDevice> device);

    /// @returns dropped frames
    uint64_t GetNDrops() const;

    /**
     * @param reason why
     * @returns frames dropped for it
     */
    uint64_t GetNDrops(LosslessNetDevice::DropReason reason) const;

    /// @returns the numbers by reason, such as "3 corrupted, 1 no route"; empty without drops
    std::string GetText() const;

  private:
    void Dropped(const Frame& frame, LosslessNetDevice::DropReason reason);

    std::map<LosslessNetDevice::DropReason, uint64_t> m_drops; //!< number by reason
};

} // namespace ns3

#endif // LOSSLESS_DROP_RECORDER_H

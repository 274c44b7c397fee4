// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QBB_NET_DEVICE_H
#define QBB_NET_DEVICE_H

#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control.h"

#include <cstdint>

namespace ns3
{

/**
 * A port of priority-flow-controlled (lossless) Ethernet, IEEE 802.1Qbb: a LosslessNetDevice whose
 * lanes are the eight 802.1p priorities, under PriorityFlowControl.
 *
 * Not modelled: link-level PAUSE (802.3x).
 * @ingroup lossless
 */
class QbbNetDevice : public LosslessNetDevice
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    QbbNetDevice();
    ~QbbNetDevice() override;

    /// @returns its flow control
    PriorityFlowControl& GetPfc() const;

  private:
    void SetPauseQuanta(uint16_t quanta);
    uint16_t GetPauseQuanta() const;
    void SetRefreshInterval(Time interval);
    Time GetRefreshInterval() const;
    void SetPfcReactionDelay(Time delay);
    Time GetPfcReactionDelay() const;
};

} // namespace ns3

#endif // QBB_NET_DEVICE_H

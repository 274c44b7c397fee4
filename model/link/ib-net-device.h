// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef IB_NET_DEVICE_H
#define IB_NET_DEVICE_H

#include "ns3/credit-flow-control.h"
#include "ns3/lossless-net-device.h"

#include <cstdint>

namespace ns3
{

/**
 * A port of InfiniBand, channel adapter of a host or port of a switch: a LosslessNetDevice whose
 * lanes are virtual lanes (VLs), under CreditFlowControl. A frame's priority is its service level
 * and its VL: the map between them is the identity.
 *
 * DataRate is the rate of data: 32 Gb/s for a 4X QDR link, whose signals are 40 Gb/s. A packet has
 * neither preamble nor gap.
 *
 * Not modelled: symbol encoding, VL15's dropping, link training.
 * @ingroup lossless
 */
class IbNetDevice : public LosslessNetDevice
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    IbNetDevice();
    ~IbNetDevice() override;

    /// @returns its flow control
    CreditFlowControl& GetCredits() const;

  private:
    /// Hands the attributes on, when all have their values.
    void NotifyConstructionCompleted() override;

    uint64_t m_bufferBytes{0};   //!< "BufferSize"
    uint32_t m_counterBits{0};   //!< "CreditBits"
    Time m_period;               //!< "UpdatePeriod"
    bool m_opportunistic{false}; //!< "OpportunisticUpdates"
};

} // namespace ns3

#endif // IB_NET_DEVICE_H

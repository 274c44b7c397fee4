// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PORT_SHARES_H
#define PORT_SHARES_H

#include "ns3/frame.h"
#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * What the data of each flow takes of a port's line rate in an interval of time. A frame counts
 * where its transmission begins.
 * @ingroup lossless
 */
class PortShares
{
  public:
    /**
     * @param port whose frames are counted; the object must outlive the run
     * @param from when the interval begins
     * @param to when it ends
     */
    PortShares(Ptr<LosslessNetDevice> port, Time from, Time to);

    PortShares(const PortShares&) = delete;
    PortShares& operator=(const PortShares&) = delete;

    /**
     * @param first number of a flow
     * @param flows how many, from this one on
     * @returns their share of the line rate, 0 to 1
     */
    double Get(uint32_t first, uint32_t flows) const;

  private:
    /// A frame begins. @param shares of its port @param frame any
    static void Transmitted(PortShares* shares, const Frame& frame);

    Time m_from;                   //!< begin of the interval
    Time m_to;                     //!< its end
    double m_capacityBytes;        //!< of the port in the interval [B]
    std::vector<uint64_t> m_bytes; //!< by flow
};

} // namespace ns3

#endif // PORT_SHARES_H

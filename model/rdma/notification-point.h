// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef NOTIFICATION_POINT_H
#define NOTIFICATION_POINT_H

#include "ns3/frame.h"

namespace ns3
{

/**
 * What turns the marks of a connection's data into notifications of its sender: one object for each
 * receiving half, while its message arrives. It is given frames, which know their times, and never
 * asks the simulator.
 * @ingroup lossless
 */
class NotificationPoint
{
  public:
    virtual ~NotificationPoint() = default;

    /**
     * A data frame has arrived, at its readyPs. Those without a mark are told only if the RdmaHw's
     * CnpRule asks for all.
     * @param data the frame
     * @param [out] notification what the sender is to be told
     * @returns whether it is to be told anything
     */
    virtual bool OnData(const Frame& data, Notification& notification) = 0;
};

} // namespace ns3

#endif // NOTIFICATION_POINT_H

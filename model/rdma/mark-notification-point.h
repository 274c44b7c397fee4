// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef MARK_NOTIFICATION_POINT_H
#define MARK_NOTIFICATION_POINT_H

#include "ns3/notification-point.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * The notification point of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1): a mark is answered by a
 * CNP, at most one for each interval and kind of mark (CE, UE).
 * @ingroup lossless
 */
class MarkNotificationPoint : public NotificationPoint
{
  public:
    /// @param interval shortest time between two CNPs that say the same
    explicit MarkNotificationPoint(Time interval);

    // inherited from NotificationPoint; for marked frames
    bool OnData(const Frame& data, Notification& notification) override;

  private:
    int64_t m_intervalPs;  //!< between two CNPs [ps]
    int64_t m_nextCePs{0}; //!< no CNP(CE) before [ps]
    int64_t m_nextUePs{0}; //!< no CNP(UE) before [ps]
};

} // namespace ns3

#endif // MARK_NOTIFICATION_POINT_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RATE_NOTIFICATION_POINT_H
#define RATE_NOTIFICATION_POINT_H

#include "ns3/notification-point.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * The notification point of PCN (Cheng et al., NSDI 2020): each interval a CNP tells the rate at
 * which the flow's frames arrived, and CE (else 01) if at least a share of them had CE.
 *
 * A period begins with the arrival of a frame and ends with that of the first frame at least an
 * interval later, so that one gap longer than the interval is a period. It counts the frames after
 * the first up to the last with preamble and gap, as the sender's rate counts them. The rate is
 * told in units of 10 Mb/s, to the nearest and at least one.
 * @ingroup lossless
 */
class RateNotificationPoint : public NotificationPoint
{
  public:
    /**
     * @param interval shortest period
     * @param markedShare of a period's frames with CE from which on its CNP says CE
     * @param overheadBytes preamble and gap of each frame [B]
     */
    RateNotificationPoint(Time interval, double markedShare, uint32_t overheadBytes);

    // inherited from NotificationPoint; for all frames
    bool OnData(const Frame& data, Notification& notification) override;

  private:
    /// A period begins. @param ps when [ps]
    void Begin(int64_t ps);

    int64_t m_intervalPs;   //!< shortest period [ps]
    double m_markedShare;   //!< from which on it is congestion
    uint32_t m_overhead;    //!< preamble and gap [B]
    bool m_begun{false};    //!< a frame has come
    int64_t m_startPs{0};   //!< when the period began [ps]
    uint64_t m_bytes{0};    //!< received since then, preamble and gap included [B]
    uint32_t m_frames{0};   //!< and in how many frames
    uint32_t m_framesCe{0}; //!< and how many of them marked CE
};

} // namespace ns3

#endif // RATE_NOTIFICATION_POINT_H

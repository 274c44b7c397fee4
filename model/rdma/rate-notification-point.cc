// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rate-notification-point.h"

#include "ns3/far-time.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

RateNotificationPoint::RateNotificationPoint(Time interval,
                                             double markedShare,
                                             uint32_t overheadBytes)
    : m_intervalPs(ToPs(interval)),
      m_markedShare(markedShare),
      m_overhead(overheadBytes)
{
}

bool
RateNotificationPoint::OnData(const Frame& data, Notification& notification)
{
    if (!m_begun)
    {
        m_begun = true;
        Begin(data.readyPs);
        return false;
    }
    m_bytes += data.bytes + m_overhead;
    m_frames++;
    m_framesCe += data.codePoint == CodePoint::CONGESTION;
    const int64_t elapsedPs = data.readyPs - m_startPs;
    if (elapsedPs <= 0 || elapsedPs < m_intervalPs)
    {
        return false;
    }
    constexpr double UNIT_BPS = 1e7;
    const double rateBps = m_bytes * 8e12 / elapsedPs;
    Cnp cnp;
    cnp.fairRate = static_cast<uint32_t>(
        std::max(1.0, std::min(std::round(rateBps / UNIT_BPS), 4294967295.0)));
    cnp.code = m_framesCe >= m_markedShare * m_frames ? CodePoint::CONGESTION : CodePoint::CAPABLE;
    notification = cnp;
    Begin(data.readyPs);
    return true;
}

void
RateNotificationPoint::Begin(int64_t ps)
{
    m_startPs = ps;
    m_bytes = 0;
    m_frames = 0;
    m_framesCe = 0;
}

} // namespace ns3

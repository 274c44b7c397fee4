// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "mark-notification-point.h"

#include "ns3/far-time.h"
#include "ns3/link-time.h"

namespace ns3
{

MarkNotificationPoint::MarkNotificationPoint(Time interval)
    : m_intervalPs(ToPs(interval))
{
}

bool
MarkNotificationPoint::OnData(const Frame& data, Notification& notification)
{
    int64_t& nextPs = data.codePoint == CodePoint::UNDETERMINED ? m_nextUePs : m_nextCePs;
    const int64_t nowPs = OnEventGrid(data.readyPs);
    if (nowPs < nextPs)
    {
        return false;
    }
    nextPs = nowPs + m_intervalPs;
    Cnp cnp;
    cnp.code = data.codePoint;
    notification = cnp;
    return true;
}

} // namespace ns3

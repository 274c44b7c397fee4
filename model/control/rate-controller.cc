// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rate-controller.h"

#include "ns3/abort.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RateController);

TypeId
RateController::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RateController")
                            .SetParent<Object>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RateController>();
    return tid;
}

Ptr<RateController>
RateController::Fork() const
{
    NS_ABORT_MSG_IF(GetInstanceTypeId() != RateController::GetTypeId(),
                    GetInstanceTypeId().GetName() << " does not override RateController::Fork()");
    return CopyObject<RateController>(Ptr<const RateController>(this));
}

void
RateController::Start(uint64_t lineRateBps, Time baseRtt, uint32_t frameBytes, Time now)
{
    m_lineRateBps = lineRateBps;
    m_rateBps = static_cast<double>(lineRateBps);
    m_baseRtt = baseRtt;
    m_frameBytes = frameBytes;
    DoStart(now);
}

void
RateController::OnAck(const Acknowledgement&, Time)
{
}

void
RateController::OnNotification(const Notification& notification, Time now)
{
    if (const Cnp* cnp = std::get_if<Cnp>(&notification))
    {
        OnCnp(*cnp, now);
    }
}

void
RateController::OnCnp(const Cnp&, Time)
{
}

void
RateController::OnSend(Frame&, uint32_t, Time)
{
}

Time
RateController::NextTimer() const
{
    return Time::Max();
}

void
RateController::OnTimer(Time)
{
}

double
RateController::GetRateBps() const
{
    return m_rateBps;
}

uint64_t
RateController::GetWindowBytes() const
{
    return m_windowBytes;
}

uint64_t
RateController::WindowOf(double bytes)
{
    return bytes < 9.2e18 ? static_cast<uint64_t>(std::llround(bytes)) : NO_WINDOW;
}

void
RateController::DoStart(Time)
{
}

} // namespace ns3

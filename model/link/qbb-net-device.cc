// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qbb-net-device.h"

#include "ns3/link-time.h"
#include "ns3/roce-encapsulation.h"
#include "ns3/uinteger.h"

#include <memory>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid =
        AddPortAttributes(TypeId("ns3::QbbNetDevice")
                              .SetParent<LosslessNetDevice>()
                              .SetGroupName("Lossless")
                              .AddConstructor<QbbNetDevice>(),
                          20,
                          1500)
            .AddAttribute(
                "PauseTime",
                "Pause time that this port asks for [quanta of 512 bit times]",
                UintegerValue(0xffff),
                MakeUintegerAccessor(&QbbNetDevice::SetPauseQuanta, &QbbNetDevice::GetPauseQuanta),
                MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RefreshInterval",
                          "Interval at which a lasting pause is repeated; zero for half of "
                          "PauseTime; longer than PauseTime lets pauses lapse",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QbbNetDevice::SetRefreshInterval,
                                           &QbbNetDevice::GetRefreshInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "PfcReactionDelay",
                "From the arrival of a PFC frame to its effect (802.3 Annex 31B sets limits)",
                TimeValue(Time(0)),
                MakeTimeAccessor(&QbbNetDevice::SetPfcReactionDelay,
                                 &QbbNetDevice::GetPfcReactionDelay),
                MakeTimeChecker(Time(0), NanoSeconds(HORIZON_NS)));
    return tid;
}

QbbNetDevice::QbbNetDevice()
    : LosslessNetDevice(std::make_unique<PriorityFlowControl>(), RoceEncapsulation::Get())
{
}

QbbNetDevice::~QbbNetDevice() = default;

PriorityFlowControl&
QbbNetDevice::GetPfc() const
{
    return static_cast<PriorityFlowControl&>(GetFlowControl()); // the constructor's
}

void
QbbNetDevice::SetPauseQuanta(uint16_t quanta)
{
    GetPfc().SetPauseQuanta(quanta);
}

uint16_t
QbbNetDevice::GetPauseQuanta() const
{
    return GetPfc().GetPauseQuanta();
}

void
QbbNetDevice::SetRefreshInterval(Time interval)
{
    GetPfc().SetRefreshInterval(interval);
}

Time
QbbNetDevice::GetRefreshInterval() const
{
    return GetPfc().GetRefreshInterval();
}

void
QbbNetDevice::SetPfcReactionDelay(Time delay)
{
    GetPfc().SetReactionDelay(delay);
}

Time
QbbNetDevice::GetPfcReactionDelay() const
{
    return GetPfc().GetReactionDelay();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qbb-channel.h"

#include "qbb-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbChannel");
NS_OBJECT_ENSURE_REGISTERED(QbbChannel);

TypeId
QbbChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbChannel")
            .SetParent<Channel>()
            .SetGroupName("Lossless")
            .AddConstructor<QbbChannel>()
            .AddAttribute("Delay",
                          "Propagation delay, one way",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&QbbChannel::SetDelay, &QbbChannel::GetDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

QbbChannel::QbbChannel() = default;
QbbChannel::~QbbChannel() = default;

uint32_t
QbbChannel::Attach(Ptr<QbbNetDevice> device)
{
    NS_ABORT_MSG_IF(m_attached == 2, "a third device on a QbbChannel, expected two");
    const uint32_t end = m_attached++;
    m_devices[end] = device;
    Direction& towards = m_directions[1 - end];
    towards.m_receiver = PeekPointer(device);
    towards.m_arrival.SetContext(device->GetNode()->GetId());
    return end;
}

void
QbbChannel::Send(uint32_t end, FramePtr frame, int64_t sentPs)
{
    frame->readyPs = sentPs + m_delayPs;
    m_directions[end].Send(std::move(frame));
}

Time
QbbChannel::GetDelay() const
{
    return m_delay;
}

void
QbbChannel::SetDelay(Time delay)
{
    m_delay = delay;
    m_delayPs = delay.GetPicoSeconds();
}

std::size_t
QbbChannel::GetNDevices() const
{
    return m_attached;
}

Ptr<NetDevice>
QbbChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
QbbChannel::DoDispose()
{
    for (auto& direction : m_directions)
    {
        direction.m_arrival.Disarm();
        direction.m_inFlight.Clear();
        direction.m_receiver = nullptr;
    }
    m_devices.fill(nullptr);
    Channel::DoDispose();
}

void
QbbChannel::Direction::Send(FramePtr frame)
{
    const int64_t arrivalPs = frame->readyPs;
    const bool first = m_inFlight.Frames() == 0;
    m_inFlight.Push(std::move(frame));
    if (first)
    {
        m_arrival.Arm(arrivalPs);
    }
}

void
QbbChannel::Direction::Arrive()
{
    FramePtr frame = m_inFlight.Pop();
    if (const Frame* following = m_inFlight.Head())
    {
        m_arrival.Arm(following->readyPs);
    }
    m_receiver->Receive(std::move(frame));
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "qbb-channel.h"

#include "qbb-net-device.h"

#include "ns3/abort.h"
#include "ns3/far-time.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/quantity.h"

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
                          MakeTimeChecker(Time(0), NanoSeconds(HORIZON_NS)));
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
QbbChannel::Send(uint32_t end, FramePtr frame, int64_t sentPs, int64_t nowPs)
{
    m_directions[end].Send(std::move(frame), sentPs + m_delayPs, nowPs);
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
    m_delayPs = ToPs(delay);
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
        direction.m_inFlight.clear();
        direction.m_receiver = nullptr;
    }
    m_devices.fill(nullptr);
    Channel::DoDispose();
}

void
QbbChannel::Direction::Send(FramePtr frame, int64_t arrivalPs, int64_t nowPs)
{
    if (m_inFlight.empty())
    {
        m_arrival.Arm(arrivalPs, nowPs);
    }
    else if (m_inFlight.full())
    {
        m_inFlight.set_capacity(2 * m_inFlight.capacity());
    }
    frame->readyPs = arrivalPs;
    m_inFlight.push_back({std::move(frame), arrivalPs});
}

void
QbbChannel::Direction::Arrive(int64_t nowPs)
{
    FramePtr frame = std::move(m_inFlight.front().frame);
    m_inFlight.pop_front();
    if (!m_inFlight.empty())
    {
        // In a large fabric the next frame has left the cache by the time it arrives: fetch it now.
        __builtin_prefetch(m_inFlight.front().frame.get());
        m_arrival.Arm(m_inFlight.front().arrivalPs, nowPs);
    }
    m_receiver->Receive(std::move(frame));
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-channel.h"

#include "lossless-net-device.h"

#include "ns3/abort.h"
#include "ns3/far-time.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/quantity.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LosslessChannel");
NS_OBJECT_ENSURE_REGISTERED(LosslessChannel);

TypeId
LosslessChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LosslessChannel")
            .SetParent<Channel>()
            .SetGroupName("Lossless")
            .AddConstructor<LosslessChannel>()
            .AddAttribute("Delay",
                          "Propagation delay, one way",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&LosslessChannel::SetDelay, &LosslessChannel::GetDelay),
                          MakeTimeChecker(Time(0), NanoSeconds(HORIZON_NS)));
    return tid;
}

LosslessChannel::LosslessChannel() = default;
LosslessChannel::~LosslessChannel() = default;

uint32_t
LosslessChannel::Attach(Ptr<LosslessNetDevice> device)
{
    NS_ABORT_MSG_IF(m_attached == 2, "a third device on a LosslessChannel, expected two");
    const uint32_t end = m_attached++;
    m_devices[end] = device;
    Direction& towards = m_directions[1 - end];
    towards.m_receiver = PeekPointer(device);
    towards.m_arrival.SetContext(device->GetNode()->GetId());
    return end;
}

void
LosslessChannel::SetCutThrough(uint32_t end, int64_t headPs)
{
    m_directions[1 - end].m_headPs = headPs;
}

Time
LosslessChannel::GetDelay() const
{
    return m_delay;
}

void
LosslessChannel::SetDelay(Time delay)
{
    m_delay = delay;
    m_delayPs = ToPs(delay);
}

std::size_t
LosslessChannel::GetNDevices() const
{
    return m_attached;
}

Ptr<NetDevice>
LosslessChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
LosslessChannel::DoDispose()
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
LosslessChannel::Direction::Arrive(int64_t nowPs)
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

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "path-timing.h"

#include "ns3/far-time.h"
#include "ns3/lossless-switch.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @returns time on the line [ps]
int64_t
SendingPs(const LosslessNetDevice& port, uint32_t bytes)
{
    return port.GetByteTimePs(bytes + port.GetInterFrameOverhead());
}

/// @returns propagation delay of the port's link [ps]
int64_t
DelayPs(const LosslessNetDevice& port)
{
    return ToPs(port.GetDelay());
}

/**
 * @param port sends
 * @param before the port from which the frame came to the node, nullptr if the node sends it
 * @param bytes size of the frame [B]
 * @returns from the arrival of the frame's last bit, or from when it was there, until its last bit
 * is sent, on an idle line [ps]
 */
int64_t
PassingPs(const LosslessNetDevice& port, const LosslessNetDevice* before, uint32_t bytes)
{
    const int64_t sendingPs = SendingPs(port, bytes);
    Ptr<const LosslessSwitch> sw = before ? port.GetNode()->GetObject<LosslessSwitch>() : nullptr;
    const uint32_t header = sw ? sw->GetCutThroughBytes() : 0;
    if (header == 0)
    {
        return sendingPs;
    }
    const int64_t arrivingPs = SendingPs(*before, bytes);
    const int64_t headPs = std::min(arrivingPs, before->GetByteTimePs(header));
    return std::max<int64_t>(sendingPs - arrivingPs + headPs + ToPs(sw->GetForwardingDelay()), 0);
}

/// @returns the product, at most FAR_PS
int64_t
TimesPs(uint32_t frames, int64_t ps)
{
    return ps > 0 && frames > FAR_PS / ps ? FAR_PS : frames * ps;
}

} // namespace

int64_t
CrossingPs(const LosslessNetDevice& port, uint32_t bytes)
{
    return PassingPs(port, &port, bytes) + DelayPs(port);
}

FrameTrain::FrameTrain(uint32_t frames, const Arrivals& ready)
    : m_frames(frames),
      m_arrivals(ready)
{
}

void
FrameTrain::Cross(const PortPath& path, const Sizes& sizes)
{
    const LosslessNetDevice* before = nullptr;
    for (const auto& port : path)
    {
        const int64_t delayPs = DelayPs(*port);
        const uint32_t middle = m_frames > 2 ? sizes.middle : sizes.first;
        m_arrivals.firstPs += PassingPs(*port, before, sizes.first);
        m_arrivals.lastPs += PassingPs(*port, before, sizes.last);
        if (m_frames > 1)
        {
            // It leaves when it has come and served, or after all before it on a slower link.
            m_arrivals.beforePs =
                std::max(m_arrivals.beforePs + PassingPs(*port, before, middle),
                         m_arrivals.firstPs + TimesPs(m_frames - 2, SendingPs(*port, middle)));
            m_arrivals.lastPs =
                std::max(m_arrivals.lastPs, m_arrivals.beforePs + SendingPs(*port, sizes.last));
        }
        m_arrivals.lastPs += delayPs;
        m_arrivals.firstPs += delayPs;
        m_arrivals.beforePs += delayPs;
        before = PeekPointer(port);
    }
}

int64_t
FrameTrain::GetLastPs() const
{
    return m_arrivals.lastPs;
}

int64_t
MessageTimePs(const PortPath& path,
              const PortPath& ackPath,
              uint32_t packets,
              const FrameTrain::Sizes& data,
              uint32_t ackInterval,
              uint32_t ackBytes)
{
    const auto arrivalPs = [&](uint32_t frames) {
        FrameTrain train(frames, {});
        const uint32_t last = frames == packets ? data.last
                              : frames == 1     ? data.first
                                                : data.middle;
        train.Cross(path, {data.first, data.middle, last});
        return train.GetLastPs();
    };
    const uint32_t acks = (packets - 1) / ackInterval + 1;
    const FrameTrain::Arrivals asked{arrivalPs(std::min(ackInterval, packets)),
                                     acks > 1 ? arrivalPs((acks - 1) * ackInterval) : 0,
                                     arrivalPs(packets)};
    FrameTrain train(acks, asked);
    train.Cross(ackPath, {ackBytes, ackBytes, ackBytes});
    return train.GetLastPs();
}

} // namespace ns3

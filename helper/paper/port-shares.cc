// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "port-shares.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

PortShares::PortShares(Ptr<LosslessNetDevice> port, Time from, Time to)
    : m_from(from),
      m_to(to),
      m_capacityBytes(port->GetDataRate() * (to - from) / 8)
{
    port->TraceConnectWithoutContext("Transmit", MakeBoundCallback(&PortShares::Transmitted, this));
}

void
PortShares::Transmitted(PortShares* shares, const Frame& frame)
{
    const Time now = Simulator::Now();
    if (frame.kind != FrameKind::DATA || now < shares->m_from || now >= shares->m_to)
    {
        return;
    }
    if (frame.flow >= shares->m_bytes.size())
    {
        shares->m_bytes.resize(frame.flow + 1);
    }
    shares->m_bytes[frame.flow] += frame.bytes;
}

double
PortShares::Get(uint32_t first, uint32_t flows) const
{
    const auto at = [this](uint64_t flow) {
        return m_bytes.begin() +
               static_cast<std::ptrdiff_t>(std::min<uint64_t>(flow, m_bytes.size()));
    };
    return static_cast<double>(
               std::accumulate(at(first), at(uint64_t(first) + flows), uint64_t(0))) /
           m_capacityBytes;
}

} // namespace ns3

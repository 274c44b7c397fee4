// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "drop-recorder.h"

namespace ns3
{

namespace
{

const char*
ReasonText(LosslessNetDevice::DropReason reason)
{
    switch (reason)
    {
    case LosslessNetDevice::CORRUPTED:
        return "corrupted";
    case LosslessNetDevice::QUEUE_FULL:
        return "queue full";
    case LosslessNetDevice::LINK_DOWN:
        return "link down";
    case LosslessNetDevice::BUFFER_FULL:
        return "buffer full";
    case LosslessNetDevice::NO_ROUTE:
        return "no route";
    case LosslessNetDevice::UNKNOWN_RECEIVER:
        return "unknown receiver";
    case LosslessNetDevice::WATCHDOG:
        return "PFC watchdog";
    }
    return "";
}

} // namespace

void
DropRecorder::Connect(Ptr<LosslessNetDevice> device)
{
    device->TraceConnectWithoutContext("Drop", MakeCallback(&DropRecorder::Dropped, this));
}

void
DropRecorder::Dropped(const Frame&, LosslessNetDevice::DropReason reason)
{
    m_drops[reason]++;
}

uint64_t
DropRecorder::GetNDrops() const
{
    uint64_t sum = 0;
    for (const auto& [reason, count] : m_drops)
    {
        sum += count;
    }
    return sum;
}

uint64_t
DropRecorder::GetNDrops(LosslessNetDevice::DropReason reason) const
{
    const auto found = m_drops.find(reason);
    return found == m_drops.end() ? 0 : found->second;
}

std::string
DropRecorder::GetText() const
{
    std::string text;
    for (const auto& [reason, count] : m_drops)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + ReasonText(reason);
    }
    return text;
}

} // namespace ns3

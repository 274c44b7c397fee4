// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ingress-buffer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/// What a buffer sized by static Xoff has for priorities that are not lossless, at least [B].
constexpr uint64_t MINIMUM_LOSSY_BYTES = 64000;

} // namespace

std::string
IngressBuffer::Configure(const Config& config)
{
    const std::size_t ports = config.headroomBytes.size();
    uint32_t lossless = 0;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        lossless += config.lossless >> p & 1;
    }
    const uint64_t headroom =
        lossless *
        std::accumulate(config.headroomBytes.begin(), config.headroomBytes.end(), uint64_t(0));
    const uint64_t reserved = headroom + (config.dynamic ? 0 : lossless * ports * config.xoffBytes);
    std::ostringstream why;
    if (!config.dynamic && config.xonBytes > config.xoffBytes)
    {
        why << "Xon " << config.xonBytes << " B is above Xoff " << config.xoffBytes << " B";
        return why.str();
    }
    if (config.bufferBytes == 0 && config.dynamic)
    {
        return "a dynamic threshold needs a buffer size, found 0";
    }
    if (config.bufferBytes != 0 && config.bufferBytes < reserved)
    {
        why << "the buffer of " << config.bufferBytes << " B is too small: headroom needs "
            << headroom << " B (" << ports << " ports, " << lossless << " lossless priorities)";
        if (!config.dynamic)
        {
            why << " and static Xoff " << lossless * ports * config.xoffBytes << " B, together "
                << reserved << " B";
            if (config.bufferBytes > headroom && lossless * ports > 0)
            {
                why << "; the largest Xoff that fits is "
                    << (config.bufferBytes - headroom) / (lossless * ports) << " B";
            }
        }
        return why.str();
    }
    // Just enough for static Xoff, and as much again as one (port, priority) for what is not
    // lossless.
    m_bufferBytes = config.bufferBytes
                        ? config.bufferBytes
                        : reserved + std::max<uint64_t>(config.xoffBytes, MINIMUM_LOSSY_BYTES);
    m_sharedBytes = m_bufferBytes - headroom;
    m_sharedUsed = 0;
    m_dynamic = config.dynamic;
    m_alpha = config.alpha;
    m_xoff = config.xoffBytes;
    m_xon = config.xonBytes;
    m_xonOffset = config.xonOffsetBytes;
    m_accounts.assign(ports * PRIORITIES, Account());
    for (std::size_t port = 0; port < ports; port++)
    {
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            Account& account = m_accounts[port * PRIORITIES + p];
            account.lossless = config.lossless >> p & 1;
            account.headroom = account.lossless ? config.headroomBytes[port] : 0;
        }
    }
    return "";
}

uint64_t
IngressBuffer::GetUsedBytes() const
{
    return std::accumulate(
        m_accounts.begin(),
        m_accounts.end(),
        uint64_t(0),
        [](uint64_t sum, const Account& a) { return sum + a.shared + a.headroomUsed; });
}

uint64_t
IngressBuffer::GetUsedBytes(uint32_t port, uint8_t priority) const
{
    const Account& account = m_accounts.at(port * PRIORITIES + priority);
    return account.shared + account.headroomUsed;
}

uint64_t
IngressBuffer::GetHeadroomUsedBytes(uint32_t port, uint8_t priority) const
{
    return m_accounts.at(port * PRIORITIES + priority).headroomUsed;
}

uint64_t
IngressBuffer::GetHeadroomBytes(uint32_t port, uint8_t priority) const
{
    return m_accounts.at(port * PRIORITIES + priority).headroom;
}

bool
IngressBuffer::IsPaused(uint32_t port, uint8_t priority) const
{
    return m_accounts.at(port * PRIORITIES + priority).paused;
}

bool
IngressBuffer::StaysPaused(uint32_t port, uint8_t priority, uint64_t stuckBytes) const
{
    const Account& account = m_accounts.at(port * PRIORITIES + priority);
    if (!account.paused || stuckBytes == 0)
    {
        return false;
    }
    // Only a frame that leaves can end the pause, and headroom is emptied first.
    const bool noneLeaves = stuckBytes >= account.shared + account.headroomUsed;
    return noneLeaves || stuckBytes > account.shared ||
           stuckBytes > Xon(m_sharedBytes - stuckBytes);
}

uint64_t
IngressBuffer::GetBufferBytes() const
{
    return m_bufferBytes;
}

uint64_t
IngressBuffer::GetXoffBytes() const
{
    return Xoff(m_sharedBytes - m_sharedUsed);
}

uint64_t
RequiredHeadroom(uint64_t rateBps,
                 int64_t delayPs,
                 int64_t reactionPs,
                 uint32_t frameBytes,
                 uint32_t pauseFrameBytes)
{
    const double inFlight =
        static_cast<double>(2 * delayPs + reactionPs) * 1e-12 * static_cast<double>(rateBps) / 8;
    const double most = 1e18; // fits 64 bits with what is added
    return static_cast<uint64_t>(std::ceil(std::min(inFlight, most))) + 3 * frameBytes +
           pauseFrameBytes;
}

} // namespace ns3

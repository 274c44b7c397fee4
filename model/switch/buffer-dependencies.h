// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_BUFFER_DEPENDENCIES_H
#define LOSSLESS_BUFFER_DEPENDENCIES_H

#include "ns3/lane.h"
#include "ns3/lossless-net-device.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * Which switch buffers wait for which if all of them are full: the channel dependency graph of
 * Dally and Seitz (IEEE Trans. Computers C-36(5), 1987), of the paths that flows take.
 *
 * A path that leaves one switch by a port, and the next switch by another, makes the buffer behind
 * the first port depend on that behind the second. Without a cycle there can be no PFC deadlock.
 * With one there can be, if enough traffic meets; whether it does only the run tells.
 * @ingroup lossless
 */
class BufferDependencies
{
  public:
    /// A buffer, named by the port that sends to it, which depends on that of the next hop.
    struct Hop
    {
        Ptr<LosslessNetDevice> port; //!< egress of a switch
        uint32_t flow{0};            //!< the first that goes from there to the next hop
    };

    /**
     * @param path sending port of each link, the host's first
     * @param priority of its frames
     * @param flow number
     */
    void AddPath(const std::vector<Ptr<LosslessNetDevice>>& path, uint8_t priority, uint32_t flow);

    /**
     * @param priority 0..7
     * @returns a cycle: each hop depends on the next, the last on the first; empty if there is none
     */
    std::vector<Hop> FindCycle(uint8_t priority) const;

  private:
    /// A dependency on another buffer.
    struct Dependency
    {
        std::size_t to;  //!< index in m_buffers
        uint32_t flow{}; //!< the first that makes it
    };

    /// A buffer behind a link between two switches.
    struct Buffer
    {
        Ptr<LosslessNetDevice> port;                               //!< that sends to it
        std::array<std::vector<Dependency>, PRIORITIES> dependsOn; //!< by priority
    };

    /**
     * @param port of a switch
     * @returns its index in m_buffers
     */
    std::size_t IndexOf(const Ptr<LosslessNetDevice>& port);

    std::vector<Buffer> m_buffers;                                       //!< in the order met
    std::unordered_map<const LosslessNetDevice*, std::size_t> m_indexOf; //!< of m_buffers
};

} // namespace ns3

#endif // LOSSLESS_BUFFER_DEPENDENCIES_H

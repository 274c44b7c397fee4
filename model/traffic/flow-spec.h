// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FLOW_SPEC_H
#define LOSSLESS_FLOW_SPEC_H

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 * One flow to be sent: a message of some bytes from one host to another.
 */
struct FlowSpec
{
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< no flow

    uint32_t id{0};       ///< number of the flow, from 0 in the order of start
    uint32_t src{0};      ///< index of the sending host, 0..hosts-1
    uint32_t dst{0};      ///< index of the receiving host, 0..hosts-1
    uint8_t priority{3};  ///< priority of its data frames, 0..7
    uint16_t port{100};   ///< destination port of the flow (of the application, not of RoCEv2)
    uint64_t bytes{0};    ///< payload, bytes
    int64_t startNs{0};   ///< start, ns from the start of the simulation
    uint32_t after{NONE}; ///< an earlier flow of the same host: starts when that has completed, not
                          ///< before startNs (closed loop); NONE for at startNs
};

} // namespace ns3

#endif // LOSSLESS_FLOW_SPEC_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_RDMA_TWO_HOSTS_H
#define LOSSLESS_RDMA_TWO_HOSTS_H

#include "lossless-test-harness.h"

#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/rate-controller.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

/**
 * @file
 * What the suites lossless-rdma-... share.
 */

namespace ns3
{
namespace losslesstest
{

// A frame over one link of 100 Gb/s and 1 us takes 86.56 + 1000 ns, its ACK 6.88 + 1000 ns.
constexpr int64_t FRAME_PS = 86560;                //!< a full data frame on the wire [ps]
constexpr int64_t ONE_WAY_PS = FRAME_PS + 1000000; //!< until it is at the other end [ps]
constexpr int64_t ACK_PS = 6880 + 1000000;         //!< the same of an ACK [ps]

/**
 * @param ps a time [ps]
 * @returns the first nanosecond not before it
 */
int64_t Ceil(int64_t ps);

/// Two hosts and one link, and everything recorded.
class TwoHosts
{
  public:
    /**
     * @param flows from host 0 to host 1 or back
     * @param controller of all queue pairs, nullptr for line rate
     * @param prepare called before Build()
     */
    explicit TwoHosts(const std::vector<FlowSpec>& flows,
                      Ptr<RateController> controller = nullptr,
                      const std::function<void(LosslessFabric&)>& prepare = nullptr);

    /**
     * @param host where frames are lost
     * @param places of them
     * @param data DATA frames, else ACKs
     */
    void Lose(uint32_t host, const std::set<uint32_t>& places, bool data);

    /// @returns when the transmission of each data frame of host 0 began, by its arrival [ps]
    std::vector<int64_t> Starts() const;

    LosslessFabric fabric;                        //!< the network
    std::unique_ptr<CompletionRecorder> messages; //!< of both hosts
    std::unique_ptr<PortRecorder> port[2];        //!< of the hosts
};

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_RDMA_TWO_HOSTS_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_ARRIVAL_PROCESS_H
#define LOSSLESS_ARRIVAL_PROCESS_H

#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * What the flows of a generated workload have in common.
 */
struct TrafficClass
{
    uint8_t priority{3}; ///< priority of the data frames, 0..7
    uint16_t port{100};  ///< destination port
};

/**
 * @ingroup lossless
 * Poisson arrivals at a load between uniformly random pairs of hosts.
 */
struct PoissonTraffic
{
    /// Rate of each host's link, bits per second. The load is defined against their sum.
    std::vector<uint64_t> hostRatesBps;
    /// Offered payload over the sum of the host links' rates, above 0 up to 1. Headers come on
    /// top, so that the links are busier than this.
    double load{0.5};
    int64_t startNs{0};        ///< start of the arrivals, ns
    int64_t durationNs{0};     ///< length of the arrivals, ns; 0 for no limit
    uint64_t flowsMax{0};      ///< largest number of flows; 0 for no limit
    TrafficClass trafficClass; ///< priority and port
};

/**
 * @ingroup lossless
 * Bursts of many senders to one receiver.
 */
struct IncastTraffic
{
    std::vector<uint32_t> senders; ///< host indices of the senders
    uint32_t receiver{0};          ///< host index of the receiver
    uint64_t bytes{0};             ///< payload of each sender in each burst, bytes
    int64_t startNs{0};            ///< start of the first burst, ns
    uint32_t bursts{1};            ///< number of bursts
    int64_t intervalNs{0};         ///< from the start of a burst to the next, ns
    TrafficClass trafficClass;     ///< priority and port
};

/**
 * @ingroup lossless
 * Rounds at Poisson times: in each, all senders send a flow of the same size at the same time. One
 * sender alone is an ordinary Poisson source.
 */
struct SynchronousTraffic
{
    std::vector<uint32_t> senders; ///< host indices of the senders
    uint32_t receiver{0};          ///< host index of the receiver
    double intervalNs{0};          ///< mean time from one round to the next, ns
    int64_t startNs{0};            ///< start of the arrivals, ns
    int64_t durationNs{0};         ///< length of the arrivals, ns
    TrafficClass trafficClass;     ///< priority and port
};

/**
 * @ingroup lossless
 * Every host sends one flow and receives one.
 */
struct PermutationTraffic
{
    uint32_t hosts{0};         ///< number of hosts
    uint64_t bytes{0};         ///< payload of each flow, bytes
    int64_t startNs{0};        ///< start of all flows, ns
    TrafficClass trafficClass; ///< priority and port
};

/// Most flows of a generated workload: each takes about 300 B of a run's memory before it sends
/// anything. @ingroup lossless
constexpr uint64_t MAXIMUM_FLOWS = 20000000;

/**
 * @ingroup lossless
 * Generates the flows of synthetic workloads. Sizes, gaps and pairs have streams of their own, so
 * that another load or another distribution keeps the pairs. The result depends on the arguments,
 * the seed and the streams only.
 */
class ArrivalProcess
{
  public:
    ArrivalProcess();

    /**
     * Sets the streams of the random variables.
     * @param stream the first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Poisson arrivals. In the whole network flows arrive at
     * load * sum(host rates) / (8 * mean size) per second; source and destination are drawn
     * uniformly from the pairs of different hosts. Ends at the duration or the number of flows,
     * whichever comes first.
     * @param traffic hosts, load and length
     * @param sizes distribution of the flow sizes
     * @return the flows, ids 0.. in the order of start
     * @throws InputError if load, hosts or length are not usable
     */
    std::vector<FlowSpec> Poisson(const PoissonTraffic& traffic, const FlowSizeDistribution& sizes);

    /**
     * Incast bursts; within a burst all flows start together.
     * @param traffic senders, receiver, bytes, bursts
     * @return the flows, ids 0.. in the order of start, then of the senders
     * @throws InputError if the values are not usable
     */
    static std::vector<FlowSpec> Incast(const IncastTraffic& traffic);

    /**
     * Rounds of synchronous senders.
     * @param traffic senders, receiver, interval and length
     * @param sizes distribution of the flow size of a round
     * @return the flows, ids 0.. in the order of start, then of the senders
     * @throws InputError if the values are not usable
     */
    std::vector<FlowSpec> Synchronous(const SynchronousTraffic& traffic,
                                      const FlowSizeDistribution& sizes);

    /**
     * @param parts flows of several sources, none of which waits for another (FlowSpec::after)
     * @return all of them with new ids, 0.. in the order of start, then of the parts
     */
    static std::vector<FlowSpec> Merge(const std::vector<std::vector<FlowSpec>>& parts);

    /**
     * A random permutation in which no host sends to itself, uniform among all of them.
     * @param traffic hosts and bytes
     * @return the flows, ids 0.. in the order of the sending host
     * @throws InputError if the values are not usable
     */
    std::vector<FlowSpec> Permutation(const PermutationTraffic& traffic);

    /**
     * @param name of what decides the number, for the error
     * @param what how the number comes about, for the error
     * @param flows number to be generated, by expectation if it is random
     * @throws InputError if that is more than MAXIMUM_FLOWS
     */
    static void CheckNumber(const std::string& name, const std::string& what, double flows);

    /**
     * The load that flows offer over a time: their payload over what the host links can carry.
     * @param flows the flows
     * @param hostRatesBps rate of each host's link, bits per second
     * @param durationNs the time, ns, above 0
     * @return the load, 1 for all host links full of payload
     */
    static double OfferedLoad(const std::vector<FlowSpec>& flows,
                              const std::vector<uint64_t>& hostRatesBps,
                              int64_t durationNs);

  private:
    Ptr<ExponentialRandomVariable> m_gap; ///< gaps between arrivals
    Ptr<UniformRandomVariable> m_pair;    ///< sources, destinations, permutations
    Ptr<UniformRandomVariable> m_size;    ///< flow sizes
};

} // namespace ns3

#endif // LOSSLESS_ARRIVAL_PROCESS_H

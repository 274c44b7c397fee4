// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_SLOWDOWN_STATISTICS_H
#define LOSSLESS_SLOWDOWN_STATISTICS_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Statistics of flow completion time (FCT) slowdown, in all and by flow size.
 *
 * Slowdown is the FCT over the FCT of the flow alone in the network. Flows are binned by decades of
 * their size: up to 1 KB, above 1 KB and up to 10 KB, above 10 KB and up to 100 KB, and so on (KB =
 * 1000 bytes). Decades need no knowledge of the workload, so bins of different runs compare; a
 * percentile is the nearest rank: the smallest value that at least so many percent of the values
 * do not exceed.
 * @ingroup lossless
 */
class SlowdownStatistics
{
  public:
    /// Statistics of the flows of some sizes.
    struct Bin
    {
        uint64_t lo{0}; //!< sizes above this [B]
        uint64_t hi{0}; //!< up to this [B]
        uint64_t n{0};  //!< number of flows; the rest is 0 if there are none
        double mean{0}; //!< mean slowdown
        double p50{0};  //!< median
        double p95{0};  //!< 95th percentile
        double p99{0};  //!< 99th percentile
    };

    /**
     * @param bytes size of a completed flow, at least 1
     * @param slowdown its slowdown
     */
    void Add(uint64_t bytes, double slowdown);

    /// @returns statistics of all flows, lo and hi from the smallest to the largest bin
    Bin GetAll() const;

    /// @returns statistics by size, smallest first, without the bins that have no flows
    std::vector<Bin> GetBins() const;

    /**
     * @param sorted values in ascending order, at least one
     * @param percent above 0 and up to 100
     * @returns the nearest-rank percentile
     */
    static double Percentile(const std::vector<double>& sorted, double percent);

    /**
     * @param bytes a flow's size, at least 1
     * @returns upper edge of its bin [B]
     */
    static uint64_t UpperEdge(uint64_t bytes);

  private:
    /**
     * @param slowdowns of the flows of a bin
     * @returns their statistics, lo and hi not set
     */
    static Bin Summarize(std::vector<double> slowdowns);

    std::vector<std::pair<uint64_t, double>> m_flows; //!< (upper edge of the bin, slowdown)
};

} // namespace ns3

#endif // LOSSLESS_SLOWDOWN_STATISTICS_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FLOW_SIZE_DISTRIBUTION_H
#define LOSSLESS_FLOW_SIZE_DISTRIBUTION_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * An empirical distribution of flow sizes, given as points of its cumulative distribution
 * function (CDF): straight lines between the points; the first point is a mass (its probability
 * is that of exactly its size), and so is a size given twice.
 *
 * The published tables (HPCC's and Homa's simulators) are read this way. Homa's own generator
 * does not interpolate, so its mean is larger (by 3 % for CacheFollower, 10 % for WebServer).
 */
class FlowSizeDistribution
{
  public:
    /// One point of the CDF.
    struct Point
    {
        double bytes;       ///< flow size, bytes
        double probability; ///< probability of a flow of at most this size, 0..1
    };

    /**
     * Reads a CDF file: `size_bytes probability` on each line, `#` starts a comment. Sizes and
     * probabilities do not decrease; probabilities are fractions, the last one is 1.
     * @param path the file
     * @return the distribution
     * @throws InputError naming file and line
     */
    static FlowSizeDistribution FromFile(const std::string& path);

    /**
     * @param bytes the size of every flow, bytes
     * @return the distribution of one size only
     */
    static FlowSizeDistribution FromSize(uint64_t bytes);

    /// @return the mean flow size, bytes
    double Mean() const;

    /**
     * The inverse of the CDF.
     * @param u probability, 0..1
     * @return the smallest size with a CDF of at least u, bytes
     */
    double Quantile(double u) const;

    /**
     * The CDF.
     * @param bytes flow size, bytes
     * @return the probability of a flow of at most this size
     */
    double Cdf(double bytes) const;

    /**
     * Draws a flow size.
     * @param random the source of randomness, uniform from 0 to 1
     * @return flow size in whole bytes, at least 1
     */
    uint64_t Sample(const Ptr<UniformRandomVariable>& random) const;

  private:
    /// @param points at least one, sorted, the last with probability 1
    explicit FlowSizeDistribution(std::vector<Point> points);

    std::vector<Point> m_points; ///< points of the CDF
};

} // namespace ns3

#endif // LOSSLESS_FLOW_SIZE_DISTRIBUTION_H

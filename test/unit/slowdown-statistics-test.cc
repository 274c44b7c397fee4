// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/slowdown-statistics.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace ns3;

TEST(SlowdownStatistics, PercentileIsTheNearestRank)
{
    std::vector<double> values(100);
    std::iota(values.begin(), values.end(), 1);
    // Of 1..100, exactly p percent do not exceed p.
    for (double percent : {1.0, 50.0, 95.0, 99.0, 100.0})
    {
        EXPECT_EQ(SlowdownStatistics::Percentile(values, percent), percent);
    }
    EXPECT_EQ(SlowdownStatistics::Percentile(values, 98.5), 99);
    EXPECT_EQ(SlowdownStatistics::Percentile({1, 2, 3}, 50), 2);
    EXPECT_EQ(SlowdownStatistics::Percentile({1, 2, 3, 4}, 50), 2);
    EXPECT_EQ(SlowdownStatistics::Percentile({7}, 1), 7);
    EXPECT_EQ(SlowdownStatistics::Percentile({7}, 99), 7);
}

TEST(SlowdownStatistics, BinsAreDecades)
{
    EXPECT_EQ(SlowdownStatistics::UpperEdge(1), 1000u);
    EXPECT_EQ(SlowdownStatistics::UpperEdge(1000), 1000u);
    EXPECT_EQ(SlowdownStatistics::UpperEdge(1001), 10000u);
    EXPECT_EQ(SlowdownStatistics::UpperEdge(1000000), 1000000u);
    EXPECT_EQ(SlowdownStatistics::UpperEdge(1000001), 10000000u);
    // Beyond the last decade that 64 bits hold.
    EXPECT_EQ(SlowdownStatistics::UpperEdge(18446744073709551615ULL), 10000000000000000000ULL);
}

TEST(SlowdownStatistics, SummarizesBySizeAndInAll)
{
    SlowdownStatistics statistics;
    statistics.Add(500, 4);
    statistics.Add(20000, 1);
    statistics.Add(1000, 2);
    statistics.Add(100000, 3);
    const auto bins = statistics.GetBins();
    ASSERT_EQ(bins.size(), 2u); // nothing between 1 KB and 10 KB
    EXPECT_EQ(bins[0].lo, 0u);
    EXPECT_EQ(bins[0].hi, 1000u);
    EXPECT_EQ(bins[0].n, 2u);
    EXPECT_EQ(bins[0].mean, 3);
    EXPECT_EQ(bins[0].p50, 2);
    EXPECT_EQ(bins[0].p95, 4);
    EXPECT_EQ(bins[0].p99, 4);
    EXPECT_EQ(bins[1].lo, 10000u);
    EXPECT_EQ(bins[1].hi, 100000u);
    EXPECT_EQ(bins[1].n, 2u);
    EXPECT_EQ(bins[1].mean, 2);
    const auto all = statistics.GetAll();
    EXPECT_EQ(all.lo, 0u);
    EXPECT_EQ(all.hi, 100000u);
    EXPECT_EQ(all.n, 4u);
    EXPECT_EQ(all.mean, 2.5);
    EXPECT_EQ(all.p50, 2);
    EXPECT_EQ(all.p99, 4);
}

TEST(SlowdownStatistics, IsEmptyWithoutFlows)
{
    const SlowdownStatistics statistics;
    EXPECT_EQ(statistics.GetAll().n, 0u);
    EXPECT_TRUE(statistics.GetBins().empty());
}

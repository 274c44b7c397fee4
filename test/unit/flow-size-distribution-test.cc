// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "temporary-file.h"

#include "ns3/flow-size-distribution.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

FlowSizeDistribution
Workload(const std::string& name)
{
    const std::string here = __FILE__;
    const std::string folder = here.substr(0, here.find_last_of('/'));
    return FlowSizeDistribution::FromFile(folder + "/../../examples/workloads/" + name + ".cdf");
}

FlowSizeDistribution
FromText(const std::string& text)
{
    const TemporaryFile file(text);
    return FlowSizeDistribution::FromFile(file.Path());
}

std::string
ErrorOf(const std::string& text)
{
    return MessageOfReading(text,
                            [](const std::string& path) { FlowSizeDistribution::FromFile(path); });
}

/// What is known of a published table, by arithmetic on its points.
struct Known
{
    const char* name;
    double mean;   ///< straight lines between the points, the first point a mass
    double below;  ///< probability of at most 10 KB
    double median; ///< bytes
    double p99;    ///< bytes
};

class PublishedTable : public testing::TestWithParam<Known>
{
};

} // namespace

TEST_P(PublishedTable, HasItsMeanAndQuantiles)
{
    const Known& known = GetParam();
    const FlowSizeDistribution sizes = Workload(known.name);
    // The means are known to a byte, probabilities to 0.001; the quantiles to 2 digits (2 %).
    EXPECT_NEAR(sizes.Mean(), known.mean, 0.5);
    EXPECT_NEAR(sizes.Cdf(10000), known.below, 0.0005);
    EXPECT_NEAR(sizes.Quantile(0.5), known.median, 0.02 * known.median);
    EXPECT_NEAR(sizes.Quantile(0.99), known.p99, 0.02 * known.p99);
}

TEST_P(PublishedTable, IsSampledAsGiven)
{
    const FlowSizeDistribution sizes = Workload(GetParam().name);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(11);
    const int n = 100000;
    std::vector<uint64_t> samples(n);
    double sum = 0;
    double sumOfSquares = 0;
    for (uint64_t& sample : samples)
    {
        sample = sizes.Sample(random);
        sum += static_cast<double>(sample);
        sumOfSquares += static_cast<double>(sample) * static_cast<double>(sample);
    }
    // Four standard errors of the mean: from 1 % (CacheFollower) to 7 % (Hadoop) of it.
    const double mean = sum / n;
    const double error = std::sqrt((sumOfSquares / n - mean * mean) / n);
    EXPECT_NEAR(mean, sizes.Mean(), 4 * error);
    EXPECT_LT(4 * error, 0.1 * sizes.Mean());

    // Kolmogorov-Smirnov: 1.95 / sqrt(n) is passed by chance once in a thousand times. Sizes are
    // rounded, so that a sample of at most x bytes means a size below x + 0.5.
    std::sort(samples.begin(), samples.end());
    double distance = 0;
    for (int i = 0; i < n; ++i)
    {
        if (i + 1 == n || samples[i + 1] != samples[i])
        {
            const double share = (i + 1.0) / n;
            const double cdf = sizes.Cdf(static_cast<double>(samples[i]) + 0.5);
            distance = std::max(distance, std::abs(share - cdf));
        }
    }
    EXPECT_LT(distance, 1.95 / std::sqrt(n));
}

INSTANTIATE_TEST_SUITE_P(FlowSizeDistribution,
                         PublishedTable,
                         testing::Values(Known{"WebSearch", 1711250, 0.150, 73077, 23.3e6},
                                         Known{"Hadoop", 120421, 0.703, 700, 2.0e6},
                                         Known{"WebServer", 62483, 0.652, 3440, 554e3},
                                         Known{"CacheFollower", 687658, 0.478, 28270, 3.06e6}),
                         [](const auto& table) { return std::string(table.param.name); });

TEST(FlowSizeDistribution, MeetsWhatThePapersSay)
{
    // WebSearch: 90 % below 5 MB; Hadoop: 60 % below 1 KB, 90 % below 120 KB. All are points.
    EXPECT_DOUBLE_EQ(Workload("WebSearch").Cdf(5e6), 0.9);
    EXPECT_DOUBLE_EQ(Workload("Hadoop").Cdf(1000), 0.6);
    EXPECT_DOUBLE_EQ(Workload("Hadoop").Cdf(120000), 0.9);
}

TEST(FlowSizeDistribution, InterpolatesBetweenPoints)
{
    // A mass of 0.2 at 100, 0.6 spread over 100..200, a mass of 0.1 at 200, a gap, 0.1 over
    // 300..400: mean = 20 + 90 + 20 + 0 + 35.
    const auto sizes =
        FromText("# comment\n100 0.2\n200 0.8 # a mass\n\n200 0.9\n300 0.9\n400 1\n");
    EXPECT_DOUBLE_EQ(sizes.Mean(), 165.0);
    EXPECT_DOUBLE_EQ(sizes.Cdf(99), 0.0);
    EXPECT_DOUBLE_EQ(sizes.Cdf(100), 0.2);
    EXPECT_DOUBLE_EQ(sizes.Cdf(150), 0.5);
    EXPECT_DOUBLE_EQ(sizes.Cdf(200), 0.9);
    EXPECT_DOUBLE_EQ(sizes.Cdf(250), 0.9);
    EXPECT_DOUBLE_EQ(sizes.Cdf(350), 0.95);
    EXPECT_DOUBLE_EQ(sizes.Cdf(500), 1.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0), 100.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0.2), 100.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0.5), 150.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0.85), 200.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0.9), 200.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0.95), 350.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(1), 400.0);
}

TEST(FlowSizeDistribution, NeverSendsNothing)
{
    // 80 % of 0..0.5 bytes would round to 0.
    const auto sizes = FromText("0 0\n0.5 0.8\n2 1\n");
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    for (int i = 0; i < 1000; ++i)
    {
        const uint64_t bytes = sizes.Sample(random);
        EXPECT_GE(bytes, 1u);
        EXPECT_LE(bytes, 2u);
    }
}

TEST(FlowSizeDistribution, RoundsToWholeBytes)
{
    auto random = CreateObject<UniformRandomVariable>();
    EXPECT_EQ(FromText("2.6 1\n").Sample(random), 3u);
    EXPECT_EQ(FromText("2.4 1\n").Sample(random), 2u);
}

TEST(FlowSizeDistribution, OfOneSize)
{
    const auto sizes = FlowSizeDistribution::FromSize(1000);
    EXPECT_DOUBLE_EQ(sizes.Mean(), 1000.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(0.0), 1000.0);
    EXPECT_DOUBLE_EQ(sizes.Quantile(1.0), 1000.0);
    EXPECT_DOUBLE_EQ(sizes.Cdf(999), 0.0);
    EXPECT_DOUBLE_EQ(sizes.Cdf(1000), 1.0);
    EXPECT_EQ(MessageOf([]() { FlowSizeDistribution::FromSize(0); }),
              "flow size: found 0, expected at least 1 byte");
}

TEST(FlowSizeDistribution, NamesWhatIsWrong)
{
    EXPECT_EQ(ErrorOf("0 0\n100 0.5\n200 0.4\n300 1\n"),
              ":3: found probability 0.4 below that of the line before, "
              "expected probabilities that do not decrease");
    EXPECT_EQ(ErrorOf("0 0\n100 0.5\n90 1\n"),
              ":3: found size 90 below the size of the line before, "
              "expected sizes that do not decrease");
    EXPECT_EQ(ErrorOf("# in percent\n0 0\n100 15\n"),
              ":3: found probability '15', expected a number 0..1");
    EXPECT_EQ(ErrorOf("0 0\n100 15%\n"), ":2: found probability '15%', expected a number 0..1");
    EXPECT_EQ(ErrorOf("0 0\n-5 1\n"), ":2: found size '-5', expected a number 0..9.0072e+15");
    EXPECT_EQ(ErrorOf("0 nan\n"), ":1: found probability 'nan', expected a number 0..1");
    EXPECT_EQ(ErrorOf("0 0\n100\n"),
              ":2: found 1 field (100), expected 2 fields: size_bytes probability");
    EXPECT_EQ(ErrorOf("0 0 0\n"),
              ":1: found 3 fields (0 0 0), expected 2 fields: size_bytes probability");
    EXPECT_EQ(ErrorOf("0 0\n100 0.99\n"),
              ":2: found the end of the CDF below probability 1, expected 1 as the last "
              "probability");
    EXPECT_EQ(ErrorOf("# nothing\n"),
              ": found no points, expected lines of: size_bytes probability");
    EXPECT_EQ(ErrorOf("0 1\n"), ":1: found no flow size above 0, expected a largest size above 0");
    EXPECT_EQ(ErrorOf("0 1\n10 1\n"), ":2: found flows of 0 bytes alone, expected a mean above 0");
    EXPECT_EQ(MessageOf([]() { FlowSizeDistribution::FromFile("no-such.cdf"); }),
              "no-such.cdf: found no readable file (No such file or directory), expected a CDF of "
              "flow sizes (lines of: size_bytes probability)");
    EXPECT_EQ(MessageOf([]() { FlowSizeDistribution::FromFile("/"); }),
              "/: found no readable file (Is a directory), expected a CDF of flow sizes (lines of: "
              "size_bytes probability)");
}

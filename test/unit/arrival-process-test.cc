// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "temporary-file.h"

#include "ns3/arrival-process.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
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

/// 16 hosts at 100 Gb/s, half loaded for a second.
PoissonTraffic
HalfLoad()
{
    PoissonTraffic traffic;
    traffic.hostRatesBps.assign(16, 100000000000);
    traffic.load = 0.5;
    traffic.durationNs = 1000000000;
    return traffic;
}

std::vector<FlowSpec>
Generate(const PoissonTraffic& traffic, const std::string& workload, int64_t stream = 100)
{
    ArrivalProcess arrivals;
    arrivals.AssignStreams(stream);
    return arrivals.Poisson(traffic, Workload(workload));
}

std::string
ErrorOf(const PoissonTraffic& traffic)
{
    return MessageOf([&]() {
        ArrivalProcess arrivals;
        arrivals.Poisson(traffic, FlowSizeDistribution::FromSize(1000));
    });
}

} // namespace

TEST(PoissonArrivals, OfferTheLoad)
{
    const PoissonTraffic traffic = HalfLoad();
    const std::vector<FlowSpec> flows = Generate(traffic, "WebSearch");

    // 0.5 * 16 * 100e9 / (8 * 1711250) = 58437 flows in the second, give or take four standard
    // deviations of a Poisson count.
    const double expected = 0.5 * 16 * 100e9 / (8 * 1711250.0);
    EXPECT_NEAR(static_cast<double>(flows.size()), expected, 4 * std::sqrt(expected));

    // The bytes are a compound Poisson sum: its variance is the sum of the squares.
    double sum = 0;
    double sumOfSquares = 0;
    for (const FlowSpec& flow : flows)
    {
        sum += static_cast<double>(flow.bytes);
        sumOfSquares += static_cast<double>(flow.bytes) * static_cast<double>(flow.bytes);
    }
    const double tolerance = 4 * std::sqrt(sumOfSquares) / sum * 0.5;
    EXPECT_LT(tolerance, 0.03);
    EXPECT_NEAR(ArrivalProcess::OfferedLoad(flows, traffic.hostRatesBps, traffic.durationNs),
                0.5,
                tolerance);
}

TEST(PoissonArrivals, CountTheRateOfEachHost)
{
    // Half of the hosts at 400 Gb/s: 2.5 times the flows of all at 100 Gb/s.
    PoissonTraffic traffic = HalfLoad();
    for (std::size_t host = 0; host < 8; ++host)
    {
        traffic.hostRatesBps[host] = 400000000000;
    }
    const double expected = 2.5 * 58437;
    EXPECT_NEAR(static_cast<double>(Generate(traffic, "WebSearch").size()),
                expected,
                4 * std::sqrt(expected));
}

TEST(PoissonArrivals, HaveExponentialGaps)
{
    const std::vector<FlowSpec> flows = Generate(HalfLoad(), "WebSearch");
    double sum = 0;
    double sumOfSquares = 0;
    std::size_t aboveMean = 0;
    const double meanNs = 1e9 * 8 * 1711250.0 / (0.5 * 16 * 100e9);
    for (std::size_t i = 1; i < flows.size(); ++i)
    {
        ASSERT_GE(flows[i].startNs, flows[i - 1].startNs);
        ASSERT_EQ(flows[i].id, i);
        const auto gap = static_cast<double>(flows[i].startNs - flows[i - 1].startNs);
        sum += gap;
        sumOfSquares += gap * gap;
        aboveMean += gap > meanNs ? 1 : 0;
    }
    const double n = static_cast<double>(flows.size()) - 1;
    // Mean and standard deviation are equal, 17.1 us, and 1/e of the gaps are above: each within
    // four standard errors (1 / sqrt(n), sqrt(2) / sqrt(n) and sqrt(p (1 - p) / n)).
    const double mean = sum / n;
    EXPECT_NEAR(mean / meanNs, 1.0, 4 / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(sumOfSquares / n - mean * mean) / meanNs, 1.0, 4 * 1.42 / std::sqrt(n));
    EXPECT_NEAR(static_cast<double>(aboveMean) / n, std::exp(-1.0), 4 * 0.483 / std::sqrt(n));
    EXPECT_LT(flows.back().startNs, 1000000000);
}

TEST(PoissonArrivals, DrawAllPairsEqually)
{
    const std::vector<FlowSpec> flows = Generate(HalfLoad(), "WebSearch");
    std::vector<double> count(16 * 16, 0.0);
    for (const FlowSpec& flow : flows)
    {
        ASSERT_LT(flow.src, 16u);
        ASSERT_LT(flow.dst, 16u);
        ASSERT_NE(flow.src, flow.dst);
        count[flow.src * 16 + flow.dst] += 1;
    }
    const double expected = static_cast<double>(flows.size()) / 240;
    double chiSquare = 0;
    for (uint32_t src = 0; src < 16; ++src)
    {
        for (uint32_t dst = 0; dst < 16; ++dst)
        {
            const double off = count[src * 16 + dst] - expected;
            chiSquare += src == dst ? 0.0 : off * off / expected;
        }
    }
    // 239 degrees of freedom: mean 239, standard deviation sqrt(2 * 239) = 21.9; four of them.
    EXPECT_NEAR(chiSquare, 239, 88);
}

TEST(PoissonArrivals, EndAtTheNumberOfFlowsOrTheDuration)
{
    PoissonTraffic traffic = HalfLoad();
    traffic.flowsMax = 605;
    const std::vector<FlowSpec> limited = Generate(traffic, "WebSearch");
    EXPECT_EQ(limited.size(), 605u);
    traffic.durationNs = 0;
    EXPECT_EQ(Generate(traffic, "WebSearch").size(), 605u);
    // 1 ms: 58 flows come before the 605th.
    traffic.durationNs = 1000000;
    const std::vector<FlowSpec> shorter = Generate(traffic, "WebSearch");
    EXPECT_LT(shorter.size(), 100u);
    EXPECT_LT(shorter.back().startNs, 1000000);
    EXPECT_EQ(shorter.back().startNs, limited[shorter.size() - 1].startNs);
}

TEST(PoissonArrivals, StartLaterInTheClassGiven)
{
    PoissonTraffic traffic = HalfLoad();
    traffic.flowsMax = 10;
    const std::vector<FlowSpec> early = Generate(traffic, "Hadoop");
    traffic.startNs = 5000;
    traffic.trafficClass = {1, 4791};
    const std::vector<FlowSpec> late = Generate(traffic, "Hadoop");
    ASSERT_EQ(late.size(), 10u);
    for (std::size_t i = 0; i < late.size(); ++i)
    {
        EXPECT_EQ(late[i].startNs, early[i].startNs + 5000);
        EXPECT_EQ(late[i].priority, 1);
        EXPECT_EQ(late[i].port, 4791);
        EXPECT_EQ(early[i].priority, 3);
    }
}

TEST(PoissonArrivals, DependOnTheStreamAlone)
{
    PoissonTraffic traffic = HalfLoad();
    traffic.flowsMax = 200;
    const std::vector<FlowSpec> first = Generate(traffic, "WebSearch", 7);
    const std::vector<FlowSpec> again = Generate(traffic, "WebSearch", 7);
    const std::vector<FlowSpec> other = Generate(traffic, "WebSearch", 8);
    const std::vector<FlowSpec> sizes = Generate(traffic, "Hadoop", 7);
    bool differs = false;
    for (std::size_t i = 0; i < 200; ++i)
    {
        EXPECT_EQ(first[i].src, again[i].src);
        EXPECT_EQ(first[i].dst, again[i].dst);
        EXPECT_EQ(first[i].bytes, again[i].bytes);
        EXPECT_EQ(first[i].startNs, again[i].startNs);
        // Another workload keeps the pairs.
        EXPECT_EQ(first[i].src, sizes[i].src);
        EXPECT_EQ(first[i].dst, sizes[i].dst);
        differs = differs || first[i].startNs != other[i].startNs;
    }
    EXPECT_TRUE(differs);
    ArrivalProcess arrivals;
    EXPECT_EQ(arrivals.AssignStreams(7), 3);
}

TEST(PoissonArrivals, NameWhatIsWrong)
{
    PoissonTraffic traffic = HalfLoad();
    traffic.load = 1.2;
    const std::string expected = ", expected above 0 and at most 1 (of the host links)";
    EXPECT_EQ(ErrorOf(traffic), "load: found 1.2" + expected);
    traffic.load = 0;
    EXPECT_EQ(ErrorOf(traffic), "load: found 0" + expected);
    traffic.load = std::nan("");
    EXPECT_EQ(ErrorOf(traffic), "load: found nan" + expected);
    traffic.load = 1;
    traffic.durationNs = 1000;
    EXPECT_EQ(ErrorOf(traffic), "no error");
    traffic.durationNs = 0;
    EXPECT_EQ(ErrorOf(traffic),
              "duration: found 0 and no limit on the flows, expected one of the two above zero");
    traffic.durationNs = -1;
    EXPECT_EQ(ErrorOf(traffic),
              "duration: found a start or a duration below zero, expected 0 or more");
    traffic.hostRatesBps = {1};
    EXPECT_EQ(ErrorOf(traffic), "hosts: found 1, expected at least 2, to send and to receive");
    traffic.hostRatesBps = {0, 0};
    EXPECT_EQ(ErrorOf(traffic), "host link rates: found only zeros, expected a rate above zero");
}

TEST(ArrivalProcess, RefusesMoreFlowsThanAMachineHolds)
{
    // 2 x 100 Gb/s x 0.5 / (8 x 1000 B) = 12.5 flows in each us: 20e6 take 1.6 s.
    PoissonTraffic traffic;
    traffic.hostRatesBps = {100000000000, 100000000000};
    traffic.durationNs = 1000000000000;
    const auto error = [&traffic]() {
        return MessageOf(
            [&]() { ArrivalProcess().Poisson(traffic, FlowSizeDistribution::FromSize(1000)); });
    };
    EXPECT_EQ(
        error(),
        "duration: found 1000s at a load of 0.5 of 2 hosts, which is about 12500000000 flows, "
        "expected at most 20000000 flows");
    traffic.durationNs = 1601000000;
    EXPECT_EQ(error().substr(0, 9), "duration:");
    traffic.flowsMax = 100; // comes first
    EXPECT_EQ(error(), "no error");
    traffic.flowsMax = 4294967295;
    traffic.durationNs = 0;
    EXPECT_EQ(error(),
              "flows-max: found 4294967295, which is about 4294967295 flows, expected at most "
              "20000000 flows");

    IncastTraffic incast;
    incast.senders = {0, 1};
    incast.receiver = 2;
    incast.bytes = 1;
    incast.bursts = 4294967295;
    incast.intervalNs = 1;
    EXPECT_EQ(MessageOf([&]() { ArrivalProcess::Incast(incast); }),
              "bursts: found 4294967295 of 2 senders, which is about 8589934590 flows, expected at "
              "most 20000000 flows");
    incast.bursts = 3;
    incast.intervalNs = 600000000000000;
    EXPECT_EQ(MessageOf([&]() { ArrivalProcess::Incast(incast); }),
              "bursts: found the last at 1.2e+06 s, expected all within 1000000s");

    SynchronousTraffic rounds;
    rounds.senders = {0, 1};
    rounds.receiver = 2;
    rounds.intervalNs = 1000;
    rounds.durationNs = 1000000000000;
    EXPECT_EQ(MessageOf([&]() {
                  ArrivalProcess().Synchronous(rounds, FlowSizeDistribution::FromSize(1));
              }),
              "duration: found 1000s with a round of 2 senders each 1000 ns, which is about "
              "2000000000 flows, expected at most 20000000 flows");
}

TEST(IncastArrivals, StartTogetherInEachBurst)
{
    IncastTraffic traffic;
    traffic.senders = {4, 0, 2};
    traffic.receiver = 1;
    traffic.bytes = 64000;
    traffic.startNs = 100;
    traffic.bursts = 2;
    traffic.intervalNs = 5000000000;
    const std::vector<FlowSpec> flows = ArrivalProcess::Incast(traffic);
    ASSERT_EQ(flows.size(), 6u);
    for (uint32_t i = 0; i < 6; ++i)
    {
        EXPECT_EQ(flows[i].id, i);
        EXPECT_EQ(flows[i].src, traffic.senders[i % 3]);
        EXPECT_EQ(flows[i].dst, 1u);
        EXPECT_EQ(flows[i].bytes, 64000u);
        EXPECT_EQ(flows[i].startNs, i < 3 ? 100 : 5000000100);
    }
}

TEST(IncastArrivals, NameWhatIsWrong)
{
    const auto errorOf = [](const IncastTraffic& traffic) {
        return MessageOf([&]() { ArrivalProcess::Incast(traffic); });
    };
    IncastTraffic traffic;
    traffic.senders = {0, 1, 2};
    traffic.receiver = 1;
    EXPECT_EQ(errorOf(traffic), "bytes: found 0, expected at least 1");
    traffic.bytes = 1000;
    EXPECT_EQ(errorOf(traffic),
              "senders: found the receiver, host 1, expected other hosts than the receiver");
    traffic.receiver = 3;
    EXPECT_EQ(errorOf(traffic), "no error");
    traffic.bursts = 4;
    EXPECT_EQ(errorOf(traffic), "interval: found 0 ns for 4 bursts, expected above zero");
    traffic.bursts = 0;
    EXPECT_EQ(errorOf(traffic), "bursts: found 0, expected at least 1");
    traffic.bursts = 1;
    traffic.startNs = -1;
    EXPECT_EQ(errorOf(traffic), "start: found -1 ns, expected 0 or later");
    traffic.senders.clear();
    EXPECT_EQ(errorOf(traffic), "senders: found 0, expected at least 1");
}

TEST(PermutationArrivals, SendToEveryOtherHostOnce)
{
    PermutationTraffic traffic;
    traffic.bytes = 1000000;
    traffic.startNs = 7;
    for (uint32_t hosts : {2u, 3u, 16u, 250u})
    {
        traffic.hosts = hosts;
        ArrivalProcess arrivals;
        arrivals.AssignStreams(3);
        const std::vector<FlowSpec> flows = arrivals.Permutation(traffic);
        ASSERT_EQ(flows.size(), hosts);
        std::set<uint32_t> receivers;
        for (uint32_t i = 0; i < hosts; ++i)
        {
            EXPECT_EQ(flows[i].id, i);
            EXPECT_EQ(flows[i].src, i);
            EXPECT_NE(flows[i].dst, i);
            EXPECT_LT(flows[i].dst, hosts);
            EXPECT_EQ(flows[i].bytes, 1000000u);
            EXPECT_EQ(flows[i].startNs, 7);
            receivers.insert(flows[i].dst);
        }
        EXPECT_EQ(receivers.size(), hosts);
    }
}

TEST(PermutationArrivals, AreUniform)
{
    // 4 hosts have 9 permutations without a fixed point, 6 of them one cycle of four. Chi-square
    // with 8 degrees of freedom: above 26.1 once in a thousand times.
    PermutationTraffic traffic;
    traffic.hosts = 4;
    traffic.bytes = 1;
    ArrivalProcess arrivals;
    arrivals.AssignStreams(5);
    std::vector<double> count(256, 0.0);
    const int n = 9000;
    for (int i = 0; i < n; ++i)
    {
        uint32_t code = 0;
        for (const FlowSpec& flow : arrivals.Permutation(traffic))
        {
            code = 4 * code + flow.dst;
        }
        count[code] += 1;
    }
    int kinds = 0;
    double chiSquare = 0;
    for (double c : count)
    {
        kinds += c > 0 ? 1 : 0;
        chiSquare += c > 0 ? (c - n / 9.0) * (c - n / 9.0) / (n / 9.0) : 0.0;
    }
    EXPECT_EQ(kinds, 9);
    EXPECT_LT(chiSquare, 26.1);
}

TEST(PermutationArrivals, NameWhatIsWrong)
{
    const auto errorOf = [](uint32_t hosts, uint64_t bytes) {
        PermutationTraffic traffic;
        traffic.hosts = hosts;
        traffic.bytes = bytes;
        ArrivalProcess arrivals;
        return MessageOf([&]() { arrivals.Permutation(traffic); });
    };
    EXPECT_EQ(errorOf(1, 1), "hosts: found 1, expected at least 2, to send and to receive");
    EXPECT_EQ(errorOf(2, 0), "bytes: found 0, expected at least 1");
}

TEST(SynchronousArrivals, AllSendersSendTheSameAtTheSameTime)
{
    SynchronousTraffic traffic;
    traffic.senders = {4, 2, 7};
    traffic.receiver = 1;
    traffic.intervalNs = 1000;
    traffic.startNs = 500;
    traffic.durationNs = 20000000;
    ArrivalProcess arrivals;
    arrivals.AssignStreams(1);
    const FlowSizeDistribution sizes = Workload("Hadoop");
    const std::vector<FlowSpec> flows = arrivals.Synchronous(traffic, sizes);
    ASSERT_EQ(flows.size() % 3, 0u);
    const double rounds = flows.size() / 3.0;
    std::set<uint64_t> different;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        EXPECT_EQ(flows[i].id, i);
        EXPECT_EQ(flows[i].src, traffic.senders[i % 3]);
        EXPECT_EQ(flows[i].dst, 1u);
        EXPECT_EQ(flows[i].bytes, flows[i - i % 3].bytes);
        EXPECT_EQ(flows[i].startNs, flows[i - i % 3].startNs);
        EXPECT_GE(flows[i].startNs, 500);
        EXPECT_LT(flows[i].startNs, 500 + 20000000);
        different.insert(flows[i].bytes);
    }
    EXPECT_GT(different.size(), 100u);
    // 20 000 rounds are expected, with a standard deviation of 141; five of them.
    EXPECT_NEAR(rounds, 20000, 707);
}

TEST(SynchronousArrivals, NameWhatIsWrong)
{
    const auto errorOf = [](const SynchronousTraffic& traffic) {
        ArrivalProcess arrivals;
        return MessageOf(
            [&]() { arrivals.Synchronous(traffic, FlowSizeDistribution::FromSize(1)); });
    };
    SynchronousTraffic traffic;
    EXPECT_EQ(errorOf(traffic), "senders: found 0, expected at least 1");
    traffic.senders = {0};
    EXPECT_EQ(errorOf(traffic),
              "senders: found the receiver, host 0, expected other hosts than the receiver");
    traffic.receiver = 1;
    EXPECT_EQ(errorOf(traffic), "interval: found 0 ns, expected above zero");
    traffic.intervalNs = 1;
    EXPECT_EQ(errorOf(traffic),
              "duration: found 0 ns from 0 ns, expected above zero, from 0 or later");
}

TEST(Arrivals, MergeByStartThenByPart)
{
    FlowSpec flow;
    std::vector<std::vector<FlowSpec>> parts(2);
    for (int64_t start : {10, 30})
    {
        flow.startNs = start;
        flow.src = 1;
        parts[0].push_back(flow);
    }
    for (int64_t start : {5, 10, 40})
    {
        flow.startNs = start;
        flow.src = 2;
        parts[1].push_back(flow);
    }
    const std::vector<FlowSpec> flows = ArrivalProcess::Merge(parts);
    const std::vector<int64_t> starts = {5, 10, 10, 30, 40};
    const std::vector<uint32_t> sources = {2, 1, 2, 1, 2};
    ASSERT_EQ(flows.size(), 5u);
    for (uint32_t i = 0; i < 5; ++i)
    {
        EXPECT_EQ(flows[i].id, i);
        EXPECT_EQ(flows[i].startNs, starts[i]);
        EXPECT_EQ(flows[i].src, sources[i]);
    }
}

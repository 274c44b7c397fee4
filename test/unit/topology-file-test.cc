// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "temporary-file.h"

#include "ns3/topology-file.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

TopologySpec
FromText(const std::string& text)
{
    const TemporaryFile file(text);
    return ReadTopologyFile(file.Path());
}

std::string
ErrorOf(const std::string& text)
{
    return MessageOfReading(text, [](const std::string& path) { ReadTopologyFile(path); });
}

/// @return the error of a link line in a topology of two hosts and a switch
std::string
ErrorOfLink(const std::string& line)
{
    return ErrorOf("3 1 1\n2\n" + line + "\n");
}

} // namespace

TEST(TopologyFile, ReadsTheFormatOfTheHpccSimulator)
{
    const TopologySpec topology = FromText("6 2 5\n"
                                           "4 5\n"
                                           "0 4 100Gbps 0.001ms 0\n"
                                           "1 4 40Gbps 1000ns 0.001\n"
                                           "2 5 2.5Gb/s 0ns 1\n"
                                           "4 5 400Gbps 4us 0\n"
                                           "4 5 400Gbps 4us 0.000000\n");
    EXPECT_EQ(topology.nodes, 6u);
    EXPECT_EQ(topology.switches, (std::vector<uint32_t>{4, 5}));
    ASSERT_EQ(topology.links.size(), 5u);
    EXPECT_EQ(topology.links[0].a, 0u);
    EXPECT_EQ(topology.links[0].b, 4u);
    EXPECT_EQ(topology.links[0].rateBps, 100000000000u);
    EXPECT_EQ(topology.links[0].delayNs, 1000);
    EXPECT_EQ(topology.links[0].errorRate, 0.0);
    EXPECT_EQ(topology.links[0].line, 3u);
    EXPECT_EQ(topology.links[1].rateBps, 40000000000u);
    EXPECT_EQ(topology.links[1].delayNs, 1000);
    EXPECT_EQ(topology.links[1].errorRate, 0.001);
    EXPECT_EQ(topology.links[2].rateBps, 2500000000u);
    EXPECT_EQ(topology.links[2].delayNs, 0);
    EXPECT_EQ(topology.links[2].errorRate, 1.0);
    // Parallel links are two links.
    EXPECT_EQ(topology.links[3].delayNs, 4000);
    EXPECT_EQ(topology.links[4].a, 4u);
    EXPECT_EQ(topology.links[4].b, 5u);
    EXPECT_EQ(topology.links[4].line, 7u);
}

TEST(TopologyFile, ReadsUnits)
{
    const TopologySpec topology = FromText("2 0 7\n"
                                           "0 1 2000bps 1s 0\n"
                                           "0 1 1kbps 1ms 0\n"
                                           "0 1 1Kbps 1.5us 0\n"
                                           "0 1 1Mb/s 1280ns 0\n"
                                           "0 1 1GB/s 4000ps 0\n"
                                           "0 1 1000Bps 0.0001s 0\n"
                                           "0 1 1.6Tbps 3e-3us 0\n");
    std::vector<uint64_t> rates;
    std::vector<int64_t> delays;
    for (const LinkSpec& link : topology.links)
    {
        rates.push_back(link.rateBps);
        delays.push_back(link.delayNs);
    }
    EXPECT_EQ(rates,
              (std::vector<uint64_t>{2000, 1000, 1000, 1000000, 8000000000, 8000, 1600000000000}));
    EXPECT_EQ(delays, (std::vector<int64_t>{1000000000, 1000000, 1500, 1280, 4, 100000, 3}));
}

TEST(TopologyFile, NamesWrongCountsAndNodes)
{
    EXPECT_EQ(ErrorOfLink("0 3 100Gbps 1us 0"), ":3: found node '3', expected a whole number 0..2");
    EXPECT_EQ(ErrorOfLink("-1 2 100Gbps 1us 0"),
              ":3: found node '-1', expected a whole number 0..2");
    EXPECT_EQ(ErrorOfLink("2 100Gbps 1us 0"),
              ":3: found 4 fields (2 100Gbps 1us 0), expected 5 fields: src dst rate delay "
              "error-rate");
    EXPECT_EQ(ErrorOfLink("0 2 100Gbps 1us 0 junk"),
              ":3: found 6 fields (0 2 100Gbps 1us 0 junk), expected 5 fields: src dst rate delay "
              "error-rate");
    EXPECT_EQ(ErrorOfLink("1 1 100Gbps 1us 0"),
              ":3: found a link from node 1 to itself, expected two different nodes");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 1Gbps 1us 0\n"),
              ":1: found the number of links 2 but 1 lines of links, expected the same number of "
              "both");
    EXPECT_EQ(ErrorOf("3 1 1\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"),
              ":4: found another link, expected routes or the end of the file after 1 links (the "
              "number on line 1)");
    EXPECT_EQ(ErrorOf("4 2 1\n2\n0 2 1Gbps 1us 0\n"),
              ":2: found 1 switch ids, expected 2 (the number on the first line)");
    EXPECT_EQ(ErrorOf("4 2 1\n2 2\n0 2 1Gbps 1us 0\n"),
              ":2: found switch 2 twice, expected each switch once");
    EXPECT_EQ(ErrorOf("3 1 1\n3\n0 2 1Gbps 1us 0\n"),
              ":2: found switch '3', expected a whole number 0..2");
    EXPECT_EQ(ErrorOf("3 1 1\n"),
              ":1: found the end of the file, expected a line with the ids of the switches");
    EXPECT_EQ(ErrorOf("3 4 1\n2\n"),
              ":1: found number of switches '4', expected a whole number 0..3");
    EXPECT_EQ(ErrorOf("1 0 1\n"),
              ":1: found number of nodes '1', expected a whole number 2..1000000");
    EXPECT_EQ(ErrorOf("3 1\n"),
              ":1: found 2 fields (3 1), expected 3 fields: nodes switches links");
    EXPECT_EQ(ErrorOf("\n"),
              ": found an empty file, expected nodes switches links on the first line");
}

TEST(TopologyFile, NamesWrongRatesAndDelays)
{
    const std::string rate = ", expected a rate above zero with its unit, e.g. 100Gbps";
    EXPECT_EQ(ErrorOfLink("0 2 0Gbps 1us 0"), ":3: found rate '0Gbps'" + rate);
    EXPECT_EQ(ErrorOfLink("0 2 -1Gbps 1us 0"), ":3: found rate '-1Gbps'" + rate);
    EXPECT_EQ(ErrorOfLink("0 2 100 1us 0"), ":3: found rate '100'" + rate);
    EXPECT_EQ(ErrorOfLink("0 2 fast 1us 0"), ":3: found rate 'fast'" + rate);
    EXPECT_EQ(ErrorOfLink("0 2 100Gbit 1us 0"), ":3: found rate '100Gbit'" + rate);
    EXPECT_EQ(ErrorOfLink("0 2 1e300Gbps 1us 0"), ":3: found rate '1e300Gbps'" + rate);
    EXPECT_EQ(ErrorOfLink("0 2 999bps 1us 0"),
              ":3: found rate '999bps', expected 1kb/s to 1000Tb/s");
    EXPECT_EQ(ErrorOfLink("0 2 2000Tbps 1us 0"),
              ":3: found rate '2000Tbps', expected 1kb/s to 1000Tb/s");
    EXPECT_EQ(ErrorOfLink("0 2 1Gbps 1000001s 0"),
              ":3: found delay '1000001s', expected at most 1000000s");
    const std::string delay =
        ", expected a delay of 0 or more whole nanoseconds with its unit, e.g. 1us";
    EXPECT_EQ(ErrorOfLink("0 2 1Gbps -1us 0"), ":3: found delay '-1us'" + delay);
    EXPECT_EQ(ErrorOfLink("0 2 1Gbps 1 0"), ":3: found delay '1'" + delay);
    EXPECT_EQ(ErrorOfLink("0 2 1Gbps 1usec 0"), ":3: found delay '1usec'" + delay);
    EXPECT_EQ(ErrorOfLink("0 2 1Gbps 1us 1.1"),
              ":3: found error rate '1.1', expected a number 0..1");
    EXPECT_EQ(ErrorOfLink("0 2 1Gbps 1us 0x"), ":3: found error rate '0x', expected a number 0..1");
}

TEST(TopologyFile, ReadsStaticRoutes)
{
    const std::string text = "5 3 4\n1 2 3\n"
                             "0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n"
                             "2 4 1Gbps 1us 0\n";
    EXPECT_TRUE(FromText(text).routes.empty());
    const TopologySpec topology = FromText(text + "# static\nroute 1 4 3,2\nroute 3 4 1\n");
    ASSERT_EQ(topology.routes.size(), 2u);
    EXPECT_EQ(topology.routes[0].sw, 1u);
    EXPECT_EQ(topology.routes[0].host, 4u);
    EXPECT_EQ(topology.routes[0].next, (std::vector<uint32_t>{3, 2}));
    EXPECT_EQ(topology.routes[0].line, 8u);
    EXPECT_EQ(topology.routes[1].next, (std::vector<uint32_t>{1}));

    const auto errorOfRoute = [&](const std::string& route) {
        return ErrorOf(text + route + "\n");
    };
    EXPECT_EQ(errorOfRoute("route 1 4"),
              ":7: found 3 fields (route 1 4), expected 4 fields: route SWITCH HOST "
              "NEXT[,NEXT...]");
    EXPECT_EQ(errorOfRoute("route 5 4 2"), ":7: found node '5', expected a whole number 0..4");
    EXPECT_EQ(errorOfRoute("route 0 4 1"),
              ":7: found a route at node 0, a host, expected one at a switch");
    EXPECT_EQ(errorOfRoute("route 1 2 2"),
              ":7: found a route to node 2, a switch, expected one to a host");
    EXPECT_EQ(errorOfRoute("route 1 4 2,5"),
              ":7: found next node '5', expected a whole number 0..4");
    EXPECT_EQ(errorOfRoute("route 1 4 2,,3"),
              ":7: found next node '', expected a whole number 0..4");
    EXPECT_EQ(errorOfRoute("route 1 4 2,"), ":7: found next node '', expected a whole number 0..4");
    EXPECT_EQ(errorOfRoute("0 1 1Gbps 1us 0"),
              ":7: found another link, expected routes or the end of the file after 4 links (the "
              "number on line 1)");
    EXPECT_EQ(ErrorOf("3 1 2\n2\n0 2 1Gbps 1us 0\nroute 2 0 0\n"),
              ":4: found a route after 1 links, expected it after all 2 links (the number on line "
              "1)");
}

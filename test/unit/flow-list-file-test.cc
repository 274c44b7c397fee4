// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "temporary-file.h"

#include "ns3/flow-list-file.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

FlowList
FromText(const std::string& text)
{
    const TemporaryFile file(text);
    return ReadFlowListFile(file.Path());
}

std::string
ErrorOf(const std::string& text)
{
    return MessageOfReading(text, [](const std::string& path) { ReadFlowListFile(path); });
}

} // namespace

TEST(FlowListFile, ReadsTheFormatOfTheHpccSimulator)
{
    const FlowList list = FromText("2\n0 5 3 100 1000000 2.000000005\n4 5 1 65535 1 2.5\n");
    ASSERT_EQ(list.flows.size(), 2u);
    const FlowSpec& first = list.flows[0];
    EXPECT_EQ(first.id, 0u);
    EXPECT_EQ(first.src, 0u);
    EXPECT_EQ(first.dst, 5u);
    EXPECT_EQ(first.priority, 3);
    EXPECT_EQ(first.port, 100);
    EXPECT_EQ(first.bytes, 1000000u);
    EXPECT_EQ(first.startNs, 2000000005);
    const FlowSpec& second = list.flows[1];
    EXPECT_EQ(second.id, 1u);
    EXPECT_EQ(second.src, 4u);
    EXPECT_EQ(second.priority, 1);
    EXPECT_EQ(second.port, 65535);
    EXPECT_EQ(second.bytes, 1u);
    EXPECT_EQ(second.startNs, 2500000000);
}

TEST(FlowListFile, SortsByStartAndKeepsTheOrderOfEqualStarts)
{
    const FlowList list = FromText("# a comment\n"
                                   "4 # flows\n"
                                   "0 9 3 100 10 0.002\r\n"
                                   "1 9 3 100 10 0.001\n"
                                   "\n"
                                   "2 9 3 100 10 0.002\n"
                                   "3 9 3 100 10 1e-3\n");
    std::vector<uint32_t> sources;
    for (std::size_t i = 0; i < list.flows.size(); ++i)
    {
        EXPECT_EQ(list.flows[i].id, i);
        sources.push_back(list.flows[i].src);
    }
    EXPECT_EQ(sources, (std::vector<uint32_t>{1, 3, 0, 2}));
    EXPECT_EQ(list.lines, (std::vector<std::size_t>{4, 7, 3, 6}));
}

TEST(FlowListFile, KeepsTheOrderOfManyEqualStarts)
{
    // Sorts that are not stable keep the order of short lists all the same.
    std::string text = "1000\n";
    for (int i = 0; i < 1000; ++i)
    {
        text += std::to_string(i) + " 1000 3 100 10 " + std::to_string(1 - i % 2) + "\n";
    }
    const FlowList list = FromText(text);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(list.flows[i].src, i < 500 ? 2 * i + 1 : 2 * (i - 500));
    }
}

TEST(FlowListFile, ReadsStartsToTheNanosecond)
{
    // The product of 8.085185732 and 1e9 is a little below 8085185732.
    EXPECT_EQ(FromText("1\n0 1 3 100 10 8.085185732\n").flows[0].startNs, 8085185732);
}

TEST(FlowListFile, WritesWhatItReads)
{
    std::vector<FlowSpec> flows(3);
    flows[0] = {0, 7, 8, 0, 1, 1, 0};
    flows[1] = {1, 320, 4000000000, 7, 65535, 18446744073709551615u, 1};
    flows[2] = {2, 1, 0, 3, 100, 12345, 934567890123456};
    const TemporaryFile file("");
    WriteFlowListFile(file.Path(), flows);
    const FlowList list = ReadFlowListFile(file.Path());
    ASSERT_EQ(list.flows.size(), flows.size());
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        EXPECT_EQ(list.flows[i].id, flows[i].id);
        EXPECT_EQ(list.flows[i].src, flows[i].src);
        EXPECT_EQ(list.flows[i].dst, flows[i].dst);
        EXPECT_EQ(list.flows[i].priority, flows[i].priority);
        EXPECT_EQ(list.flows[i].port, flows[i].port);
        EXPECT_EQ(list.flows[i].bytes, flows[i].bytes);
        EXPECT_EQ(list.flows[i].startNs, flows[i].startNs);
    }
}

TEST(FlowListFile, NamesWhatIsWrong)
{
    EXPECT_EQ(ErrorOf("3\n0 1 3 100 10 0\n2 1 3 100 10 0\n"),
              ":1: found the number of flows 3 but 2 lines of flows, expected the same number of "
              "both");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 10 0\n2 1 3 100 10 0\n"),
              ":3: found another flow, expected the end of the file after 1 flows (the number on "
              "line 1)");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 10\n"),
              ":2: found 5 fields (0 1 3 100 10), expected 6 fields: src dst priority port bytes "
              "start_s");
    EXPECT_EQ(ErrorOf("0 1 3 100 10 0\n"),
              ":1: found 6 fields (0 1 3 100 10 0), expected 1 field: the number of flows");
    EXPECT_EQ(ErrorOf("0\n"),
              ":1: found number of flows '0', expected a whole number 1..4294967295");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 0 0\n"),
              ":2: found bytes '0', expected a whole number of at least 1");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 -10 0\n"),
              ":2: found bytes '-10', expected a whole number of at least 1");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 18446744073709551616 0\n"),
              ":2: found bytes '18446744073709551616', expected a whole number of at least 1");
    EXPECT_EQ(ErrorOf("1\n0 1 8 100 10 0\n"),
              ":2: found priority '8', expected a whole number 0..7");
    EXPECT_EQ(ErrorOf("1\n0 1 3 0 10 0\n"), ":2: found port '0', expected a whole number 1..65535");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 10 -1\n"),
              ":2: found start_s '-1', expected a number 0..1e+06");
    EXPECT_EQ(ErrorOf("1\n0 1 3 100 10 1000001\n"),
              ":2: found start_s '1000001', expected a number 0..1e+06");
    EXPECT_EQ(ErrorOf("1\n4 4 3 100 10 0\n"),
              ":2: found src and dst both 4, expected two different nodes");
    EXPECT_EQ(ErrorOf("\x1f\x8b\x08 rest"),
              ": found a file compressed by gzip, expected a flow list as plain text");
    EXPECT_EQ(ErrorOf(std::string("1\n0 1 3 100 \0 0\n", 16)),
              ": found a binary file (line 2), expected a flow list as plain text");
    EXPECT_EQ(ErrorOf("\x7f"
                      "ELF\x02\x01"),
              ": found a binary file (line 1), expected a flow list as plain text");
    EXPECT_EQ(ErrorOf(""), ": found an empty file, expected the number of flows on the first line");
    EXPECT_EQ(MessageOf([]() { WriteFlowListFile("no-such-folder/flows.txt", {}); }),
              "no-such-folder/flows.txt: found a file that cannot be written (No such file or "
              "directory), expected a new file");
}

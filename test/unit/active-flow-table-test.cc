// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/active-flow-table.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param source endpoint
 * @param queuePair there
 * @returns a data frame
 */
Frame
Data(uint32_t source, uint32_t queuePair = 1)
{
    Frame frame;
    frame.source = source;
    frame.sourceQueuePair = queuePair;
    return frame;
}

/// @returns source and queue pair of all flows
std::vector<std::pair<uint32_t, uint32_t>>
Names(const ActiveFlowTable& table)
{
    std::vector<std::pair<uint32_t, uint32_t>> names;
    for (const ActiveFlowTable::Flow& flow : table.GetFlows())
    {
        names.emplace_back(flow.source, flow.sourceQueuePair);
    }
    return names;
}

using Flows = std::vector<std::pair<uint32_t, uint32_t>>;

} // namespace

TEST(ActiveFlowTable, TellsQueuePairsApartInTheOrderOfTheirFirstFrame)
{
    ActiveFlowTable table;
    uint64_t place = 0;
    for (const auto& [source, queuePair] : Flows{{7, 1}, {3, 1}, {7, 2}, {7, 1}, {3, 1}, {7, 1}})
    {
        table.Count(Data(source, queuePair), ++place);
    }
    EXPECT_EQ(Names(table), (Flows{{7, 1}, {3, 1}, {7, 2}}));
    EXPECT_EQ(table.GetFlows()[0].frames, 3u);
    EXPECT_EQ(table.GetFlows()[1].frames, 2u);
    EXPECT_EQ(table.GetFlows()[2].frames, 1u);
    EXPECT_EQ(table.GetFlows()[0].newest, 6u);
    EXPECT_EQ(table.GetFlows()[1].newest, 5u);
    EXPECT_EQ(table.GetFlows()[2].newest, 3u);
    table.Clear();
    EXPECT_TRUE(table.GetFlows().empty());
    table.Count(Data(7), 9);
    EXPECT_EQ(Names(table), (Flows{{7, 1}}));
    EXPECT_EQ(table.GetFlows()[0].frames, 1u) << "counted anew";
}

TEST(ActiveFlowTable, KeepsWhatNotifiesASource)
{
    Frame frame = Data(4, 5);
    frame.destination = 6;
    frame.hash = 0x12345678;
    frame.flow = 70;
    frame.tagged = true;
    frame.addresses.sourceIp = 0x0a000004;
    frame.addresses.udpSource = 49152;
    ActiveFlowTable table;
    table.Count(frame, 1);
    frame.flow = 71; // the queue pair's next message
    table.Count(frame, 2);
    const Frame sample = ActiveFlowTable::MakeSample(table.GetFlows().at(0));
    EXPECT_EQ(sample.kind, FrameKind::DATA);
    EXPECT_EQ(sample.source, 4u);
    EXPECT_EQ(sample.sourceQueuePair, 5u);
    EXPECT_EQ(sample.destination, 6u);
    EXPECT_EQ(sample.hash, 0x12345678u);
    EXPECT_EQ(sample.flow, 71u);
    EXPECT_TRUE(sample.tagged);
    EXPECT_EQ(sample.addresses.sourceIp, 0x0a000004u);
    EXPECT_EQ(sample.addresses.udpSource, 49152);
}

TEST(ActiveFlowTable, GrowsAndKeepsItsOrder)
{
    std::mt19937 random(1);
    for (const bool manySources : {false, true})
    {
        // Numbers without pattern, of which many share a slot; either part of the name alone does
        // not tell flows apart.
        std::set<std::pair<uint32_t, uint32_t>> names;
        while (names.size() < 1000)
        {
            const uint32_t many = random() % 0x1000000;
            const uint32_t few = random() % 2;
            names.insert(manySources ? std::make_pair(many, few) : std::make_pair(few, many));
        }
        Flows expected(names.begin(), names.end());
        std::shuffle(expected.begin(), expected.end(), random);
        ActiveFlowTable table;
        for (uint32_t i = 0; i < 3000; i++)
        {
            const auto& [source, queuePair] = expected[i % 1000];
            table.Count(Data(source, queuePair), 1 + i);
        }
        EXPECT_EQ(Names(table), expected);
        for (const ActiveFlowTable::Flow& flow : table.GetFlows())
        {
            ASSERT_EQ(flow.frames, 3u);
        }
    }
}

TEST(ActiveFlowTable, ForgetsFlowsWithoutNewFrames)
{
    ActiveFlowTable table;
    for (uint32_t i = 0; i < 100; i++)
    {
        table.Count(Data(i), i + 1);
    }
    table.Count(Data(10), 101);
    table.ForgetUpTo(97);
    EXPECT_EQ(Names(table), (Flows{{10, 1}, {97, 1}, {98, 1}, {99, 1}}));
    table.ForgetUpTo(97); // nothing to do
    EXPECT_EQ(table.GetFlows().size(), 4u);
    for (uint32_t source : {98, 5, 10})
    {
        table.Count(Data(source), 102);
    }
    EXPECT_EQ(Names(table), (Flows{{10, 1}, {97, 1}, {98, 1}, {99, 1}, {5, 1}}));
    EXPECT_EQ(table.GetFlows()[0].frames, 3u);
    EXPECT_EQ(table.GetFlows()[2].frames, 2u);
    EXPECT_EQ(table.GetFlows()[4].frames, 1u) << "it is new";
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/queue-flow-table.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace ns3;

TEST(QueueFlowTable, EntriesComeAndGoWithTheirBytes)
{
    QueueFlowTable table;
    EXPECT_EQ(table.Find(7), nullptr);
    table.Add(7, 1000);
    table.Add(8, 500);
    table.Add(7, 60);
    EXPECT_EQ(table.GetCount(), 2U);
    EXPECT_EQ(table.GetBytes(), 1560U);
    EXPECT_EQ(table.Find(7)->bytes, 1060U);
    EXPECT_EQ(table.Find(9), nullptr);
    table.Subtract(*table.Find(7), 1000);
    EXPECT_EQ(table.GetCount(), 2U);
    table.Subtract(*table.Find(7), 60);
    EXPECT_EQ(table.Find(7), nullptr);
    EXPECT_EQ(table.GetCount(), 1U);
    EXPECT_EQ(table.GetBytes(), 500U);
    EXPECT_EQ(table.Find(8)->bytes, 500U);
}

TEST(QueueFlowTable, KeyZeroIsAFlow)
{
    QueueFlowTable table;
    table.Add(1, 10);
    EXPECT_EQ(table.Find(0), nullptr);
    table.Add(0, 20);
    EXPECT_EQ(table.Find(0)->bytes, 20U);
}

TEST(QueueFlowTable, ADeletedEntryForgetsWhenItWasNotified)
{
    QueueFlowTable table;
    table.Add(7, 1000);
    table.Find(7)->nextCnpNs = 99;
    table.Add(7, 1000);
    EXPECT_EQ(table.Find(7)->nextCnpNs, 99);
    table.Subtract(*table.Find(7), 2000);
    table.Add(7, 1000);
    EXPECT_EQ(table.Find(7)->nextCnpNs, 0);
}

TEST(QueueFlowTable, NeverLeavesMoreThanThereIs)
{
    QueueFlowTable table;
    table.Add(7, 1000);
    table.Subtract(*table.Find(7), 2000);
    EXPECT_EQ(table.GetBytes(), 0U);
    EXPECT_EQ(table.GetCount(), 0U);
}

TEST(QueueFlowTable, HoldsWhatAMapHolds)
{
    // Keys as the detector makes them, of 1 to 300 flows, so that the table grows and that places
    // close behind each other; what moves keeps its time.
    std::mt19937_64 random(1);
    for (const uint64_t flows : {1, 5, 40, 300})
    {
        QueueFlowTable table;
        std::map<uint64_t, QueueFlowTable::Flow> reference;
        uint64_t sum = 0;
        for (int i = 0; i < 20000; i++)
        {
            const uint64_t key = (random() % flows) << 32 | (random() % 2);
            const auto bytes = static_cast<uint32_t>(random() % 3 + 1);
            QueueFlowTable::Flow* flow = table.Find(key);
            ASSERT_EQ(flow != nullptr, reference.count(key) > 0);
            if (flow && random() % 2)
            {
                ASSERT_EQ(flow->bytes, reference[key].bytes);
                ASSERT_EQ(flow->nextCnpNs, reference[key].nextCnpNs);
                const uint64_t gone = std::min<uint64_t>(flow->bytes, bytes);
                table.Subtract(*flow, bytes);
                sum -= gone;
                if ((reference[key].bytes -= gone) == 0)
                {
                    reference.erase(key);
                }
            }
            else
            {
                table.Add(key, bytes);
                table.Find(key)->nextCnpNs = i;
                sum += bytes;
                reference[key].bytes += bytes;
                reference[key].nextCnpNs = i;
            }
            ASSERT_EQ(table.GetBytes(), sum);
            ASSERT_EQ(table.GetCount(), reference.size());
        }
        for (const auto& entry : reference)
        {
            ASSERT_TRUE(table.Find(entry.first));
            EXPECT_EQ(table.Find(entry.first)->bytes, entry.second.bytes);
        }
    }
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/egress-scheduler.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param scheduler asked
 * @param backlog frame size by priority, for ever waiting
 * @param frames to send
 * @returns bytes sent by priority
 */
std::map<uint8_t, uint64_t>
Serve(EgressScheduler& scheduler, const std::map<uint8_t, uint32_t>& backlog, int frames)
{
    LaneSet ready = 0;
    for (const auto& queue : backlog)
    {
        ready |= 1 << queue.first;
    }
    std::map<uint8_t, uint64_t> sent;
    for (int i = 0; i < frames; i++)
    {
        const uint8_t priority = scheduler.Select(ready);
        EXPECT_TRUE(ready >> priority & 1);
        sent[priority] += backlog.at(priority);
        scheduler.Sent(priority, backlog.at(priority));
    }
    return sent;
}

} // namespace

TEST(EgressScheduler, IsStrictPriority)
{
    Ptr<EgressScheduler> scheduler = CreateObject<EgressScheduler>();
    EXPECT_EQ(scheduler->Select(0x01), 0);
    EXPECT_EQ(scheduler->Select(0x80), 7);
    EXPECT_EQ(scheduler->Select(0x0f), 3);
    EXPECT_EQ(scheduler->Select(0xff), 7);
    scheduler->Sent(7, 100000);
    EXPECT_EQ(scheduler->Select(0xff), 7) << "whatever it has sent";
}

TEST(DeficitRoundRobin, SharesBytesByWeight)
{
    Ptr<DeficitRoundRobin> scheduler = CreateObject<DeficitRoundRobin>();
    scheduler->SetWeight(0, 1);
    scheduler->SetWeight(1, 3);
    scheduler->SetWeight(4, 6);
    // Frame sizes differ; a round is at most 10 x 1600 B and 3 frames of overdraft, of 9 MB.
    auto sent = Serve(*scheduler, {{0, 1538}, {1, 300}, {4, 9238}}, 10000);
    const double all = sent[0] + sent[1] + sent[4];
    EXPECT_NEAR(sent[0] / all, 0.1, 0.001);
    EXPECT_NEAR(sent[1] / all, 0.3, 0.001);
    EXPECT_NEAR(sent[4] / all, 0.6, 0.001);
}

TEST(DeficitRoundRobin, AlternatesFramesOfOneSize)
{
    Ptr<DeficitRoundRobin> scheduler = CreateObject<DeficitRoundRobin>();
    scheduler->SetAttribute("Quantum", UintegerValue(1000));
    std::vector<int> order;
    for (int i = 0; i < 6; i++)
    {
        order.push_back(scheduler->Select(0x0e));
        scheduler->Sent(order.back(), 1000);
    }
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 1, 2, 3}));
}

TEST(DeficitRoundRobin, ServesStrictPrioritiesFirst)
{
    Ptr<DeficitRoundRobin> scheduler = CreateObject<DeficitRoundRobin>();
    EXPECT_EQ(scheduler->Select(0x4f), 6) << "StrictFrom is 6";
    EXPECT_EQ(scheduler->Select(0xff), 7);
    scheduler->SetAttribute("StrictFrom", UintegerValue(3));
    EXPECT_EQ(scheduler->Select(0x0f), 3);
    scheduler->SetAttribute("StrictFrom", UintegerValue(8));
    auto sent = Serve(*scheduler, {{7, 1000}, {0, 1000}}, 1000);
    EXPECT_NEAR(sent[0], 500000, 3200) << "none is strict";
}

TEST(DeficitRoundRobin, AnEmptyQueueSavesNothing)
{
    Ptr<DeficitRoundRobin> scheduler = CreateObject<DeficitRoundRobin>();
    scheduler->SetWeight(1, 100);
    // Priority 1 gets credit of 160000 B, sends one frame and runs empty.
    EXPECT_EQ(scheduler->Select(0x02), 1);
    scheduler->Sent(1, 1000);
    Serve(*scheduler, {{2, 1000}}, 10);
    // Priority 2 owes 400 B after that. Back again, priority 1 has the credit of one round and not
    // of two: 160 frames; then it is the other's turn with 1200 B: two frames.
    auto sent = Serve(*scheduler, {{1, 1000}, {2, 1000}}, 162);
    EXPECT_EQ(sent[1], 160000u);
    EXPECT_EQ(sent[2], 2000u);
}

TEST(DeficitRoundRobinDeathTest, RefusesBadWeights)
{
    Ptr<DeficitRoundRobin> scheduler = CreateObject<DeficitRoundRobin>();
    EXPECT_DEATH(scheduler->SetWeight(LANES, 1), "priority 16, expected 0..15");
    EXPECT_DEATH(scheduler->SetWeight(2, 0), "weight 0 for priority 2");
}

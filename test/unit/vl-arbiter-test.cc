// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/input-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/vl-arbiter.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

Ptr<VlArbiter>
Make(const std::string& high, const std::string& low, uint32_t limit = 255)
{
    Ptr<VlArbiter> arbiter = CreateObject<VlArbiter>();
    arbiter->SetAttribute("HighTable", StringValue(high));
    arbiter->SetAttribute("LowTable", StringValue(low));
    arbiter->SetAttribute("HighLimit", UintegerValue(limit));
    return arbiter;
}

/**
 * @param arbiter asked
 * @param backlog packet size by lane, for ever waiting
 * @param packets to send
 * @returns lanes in the order in which they were served
 */
std::vector<int>
Serve(VlArbiter& arbiter, const std::map<uint8_t, uint32_t>& backlog, int packets)
{
    LaneSet ready = 0;
    for (const auto& queue : backlog)
    {
        ready |= 1 << queue.first;
    }
    std::vector<int> order;
    for (int i = 0; i < packets; i++)
    {
        const uint8_t lane = arbiter.Select(ready);
        EXPECT_TRUE(ready >> lane & 1);
        EXPECT_EQ(arbiter.Select(ready), lane) << "asked again";
        arbiter.Sent(lane, backlog.at(lane));
        order.push_back(lane);
    }
    return order;
}

/// @returns the share of each lane in the bytes of Serve()
std::map<int, double>
Shares(VlArbiter& arbiter, const std::map<uint8_t, uint32_t>& backlog, int packets)
{
    std::map<int, double> shares;
    double all = 0;
    for (const int lane : Serve(arbiter, backlog, packets))
    {
        shares[lane] += backlog.at(lane);
        all += backlog.at(lane);
    }
    for (auto& share : shares)
    {
        share.second /= all;
    }
    return shares;
}

std::string
Refusal(const std::string& table)
{
    try
    {
        Make(table, "0:1");
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST(VlArbiter, SharesAreTheWeightsWhateverTheSizes)
{
    Ptr<VlArbiter> arbiter = Make("", "0:10,1:30,14:60");
    auto shares = Shares(*arbiter, {{0, 2074}, {1, 282}, {14, 4122}}, 30000);
    // A round is 6400 B and an overdraft of up to 3 packets; 20 MB were sent.
    EXPECT_NEAR(shares[0], 0.1, 0.001);
    EXPECT_NEAR(shares[1], 0.3, 0.001);
    EXPECT_NEAR(shares[14], 0.6, 0.001);
}

TEST(VlArbiter, WeightsSmallerThanAPacketHold)
{
    Ptr<VlArbiter> arbiter = Make("", "0:1,1:2");
    auto shares = Shares(*arbiter, {{0, 2074}, {1, 2074}}, 3000);
    EXPECT_NEAR(shares[0], 1.0 / 3, 0.001);
}

TEST(VlArbiter, EntriesOfOneLaneAddUp)
{
    Ptr<VlArbiter> arbiter = Make("", "0:33,1:33,0:33,2:33,0:33,0:0");
    EXPECT_EQ(Serve(*arbiter, {{0, 2112}, {1, 2112}, {2, 2112}}, 10),
              (std::vector<int>{1, 0, 2, 0, 0, 1, 0, 2, 0, 0}));
}

TEST(VlArbiter, LaneWithoutPacketsLosesItsTurn)
{
    Ptr<VlArbiter> arbiter = Make("", "0:64,1:64");
    Serve(*arbiter, {{0, 1024}}, 1000);
    auto shares = Shares(*arbiter, {{0, 1024}, {1, 1024}}, 1000);
    EXPECT_NEAR(shares[0], 0.5, 0.01) << "nothing was saved up";
}

TEST(VlArbiter, HighPriorityComesFirst)
{
    Ptr<VlArbiter> arbiter = Make("2:10,3:20", "0:64,1:64");
    auto shares = Shares(*arbiter, {{0, 1024}, {1, 1024}, {2, 640}, {3, 640}}, 3000);
    EXPECT_EQ(shares.count(0), 0u);
    EXPECT_EQ(shares.count(1), 0u);
    EXPECT_NEAR(shares[2], 1.0 / 3, 0.001);
    EXPECT_EQ(Serve(*arbiter, {{0, 1024}, {1, 1024}}, 8),
              (std::vector<int>{1, 1, 1, 1, 0, 0, 0, 0}));
}

TEST(VlArbiter, LimitOfHighPriority)
{
    // 2 x 4096 B: the fourth packet of 2074 B reaches it.
    Ptr<VlArbiter> arbiter = Make("1:255", "0:64", 2);
    EXPECT_EQ(Serve(*arbiter, {{0, 2074}, {1, 2074}}, 10),
              (std::vector<int>{1, 1, 1, 1, 0, 1, 1, 1, 1, 0}));
    // 0: one packet, then the other table.
    arbiter = Make("1:255", "0:64", 0);
    EXPECT_EQ(Serve(*arbiter, {{0, 2074}, {1, 2074}}, 4), (std::vector<int>{1, 0, 1, 0}));
    // Alone, it need not wait; and what it sent alone does not count.
    EXPECT_EQ(Serve(*arbiter, {{1, 2074}}, 4), (std::vector<int>{1, 1, 1, 1}));
    EXPECT_EQ(Serve(*arbiter, {{0, 2074}, {1, 2074}}, 2), (std::vector<int>{1, 0}));
}

TEST(VlArbiter, LaneInBothTablesHasBothShares)
{
    Ptr<VlArbiter> arbiter = Make("0:32", "0:32,1:32", 0);
    auto shares = Shares(*arbiter, {{0, 2048}, {1, 2048}}, 1000);
    EXPECT_NEAR(shares[0], 0.75, 0.001);
}

TEST(VlArbiter, ManagementComesBeforeAll)
{
    Ptr<VlArbiter> arbiter = Make("14:255", "0:64");
    EXPECT_EQ(arbiter->Select(1 << 15 | 1 << 14 | 1), 15);
    arbiter->Sent(15, 256);
    EXPECT_EQ(arbiter->Select(1 << 14 | 1), 14);
}

TEST(VlArbiter, LaneInNoTableWaitsForAllOthers)
{
    Ptr<VlArbiter> arbiter = Make("", "0:64");
    EXPECT_EQ(Serve(*arbiter, {{0, 2074}, {7, 2074}}, 5), (std::vector<int>(5, 0)));
    EXPECT_EQ(arbiter->Select(1 << 7), 7);
    arbiter->Sent(7, 2074);
}

TEST(VlArbiter, SentWithoutSelectIsDebited)
{
    Ptr<VlArbiter> arbiter = Make("", "0:64,1:64");
    for (int i = 0; i < 10; i++)
    {
        arbiter->Sent(1, 2048); // alone on an idle port
    }
    // 20480 B ahead, lane 1 waits until lane 0 has sent 5 rounds of 4096 B, and its own begins.
    EXPECT_EQ(Serve(*arbiter, {{0, 2048}, {1, 2048}}, 10), (std::vector<int>(10, 0)));
}

TEST(VlArbiter, BadTablesAreRefused)
{
    EXPECT_EQ(Refusal("0:1,1:255"), "accepted");
    const std::string expected = ", expected VL:weight, VL 0 to 14 and weight 0 to 255";
    const std::string name = "ns3::VlArbiter::HighTable: found ";
    EXPECT_EQ(Refusal("15:1"), name + "'15:1'" + expected);
    EXPECT_EQ(Refusal("0:256"), name + "'0:256'" + expected);
    EXPECT_EQ(Refusal("0:1,x"), name + "'x'" + expected);
    EXPECT_EQ(Refusal("0:1,,1:1"), name + "''" + expected);
    EXPECT_EQ(Refusal("0:-1"), name + "'0:-1'" + expected);
    std::string many = "0:1";
    for (int i = 0; i < 64; i++)
    {
        many += ",0:1";
    }
    EXPECT_EQ(Refusal(many), name + "more than 64 entries, expected at most 64");
}

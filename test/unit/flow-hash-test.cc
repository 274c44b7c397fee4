// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/flow-hash.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/// @returns flow hashes as a fabric makes them: addresses in a row, ports in a row
std::vector<uint32_t>
FlowHashes(uint32_t count)
{
    std::vector<uint32_t> hashes;
    for (uint32_t i = 0; i < count; i++)
    {
        hashes.push_back(HashFlow(0x0a000001 + i % 16, 0x0a000001 + i / 16 % 16, 0xc000 + i));
    }
    return hashes;
}

} // namespace

TEST(FlowHash, IsPure)
{
    EXPECT_EQ(HashFlow(1, 2, 3), HashFlow(1, 2, 3));
    EXPECT_EQ(ChooseByHash(77, 5, 4), ChooseByHash(77, 5, 4));
    EXPECT_EQ(MixBits(0), 0u);
}

TEST(FlowHash, DistinguishesDirectionAndEntropy)
{
    EXPECT_NE(HashFlow(1, 2, 3), HashFlow(2, 1, 3));
    EXPECT_NE(HashFlow(1, 2, 3), HashFlow(1, 2, 4));
    const auto hashes = FlowHashes(10000);
    // 10^8 / 2 pairs over 2^32: 0.01 collisions expected
    EXPECT_GE(std::set<uint32_t>(hashes.begin(), hashes.end()).size(), 9999u);
}

TEST(FlowHash, EachBitChangesHalfOfTheOthers)
{
    // 2000 numbers x 64 input bits for each output bit: the share scatters by 0.0014 (one sigma).
    std::vector<int> changes(64, 0);
    const int numbers = 2000;
    for (int n = 1; n <= numbers; n++)
    {
        for (int in = 0; in < 64; in++)
        {
            const uint64_t x = n * 0x100000001ULL;
            const uint64_t changed = MixBits(x) ^ MixBits(x ^ uint64_t(1) << in);
            for (int out = 0; out < 64; out++)
            {
                changes[out] += changed >> out & 1;
            }
        }
    }
    for (int out = 0; out < 64; out++)
    {
        EXPECT_NEAR(changes[out] / (64.0 * numbers), 0.5, 0.02) << "output bit " << out;
    }
}

TEST(FlowHash, SpreadsFlowsEvenly)
{
    const auto hashes = FlowHashes(10000);
    for (uint32_t choices : {2u, 3u, 4u, 5u, 8u, 16u})
    {
        std::vector<int> count(choices, 0);
        for (uint32_t hash : hashes)
        {
            const uint32_t choice = ChooseByHash(hash, 12, choices);
            ASSERT_LT(choice, choices);
            count[choice]++;
        }
        for (uint32_t c = 0; c < choices; c++)
        {
            // Five standard deviations of a binomial distribution.
            const double p = 1.0 / choices;
            EXPECT_NEAR(count[c], 10000 * p, 5 * std::sqrt(10000 * p * (1 - p)))
                << c << " of " << choices;
        }
    }
}

TEST(FlowHash, SwitchesChooseIndependently)
{
    // Of the flows that one switch sends to port 0, the next sends half to each: no polarisation.
    int first = 0;
    int both = 0;
    for (uint32_t hash : FlowHashes(10000))
    {
        if (ChooseByHash(hash, 1, 2) == 0)
        {
            first++;
            both += ChooseByHash(hash, 2, 2) == 0;
        }
    }
    EXPECT_NEAR(both, first / 2.0, 5 * std::sqrt(first / 4.0));
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/link-time.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(ByteTime, IsExactWhereAByteTakesWholePicoseconds)
{
    const std::pair<uint64_t, int64_t> rates[] =
        {{10, 800}, {25, 320}, {40, 200}, {50, 160}, {100, 80}, {200, 40}, {400, 20}, {800, 10}};
    for (const auto& rate : rates)
    {
        const ByteTime time(rate.first * 1000000000);
        for (uint32_t bytes : {0u, 1u, 64u, 1082u, 9216u, 65535u})
        {
            EXPECT_EQ(time(bytes), bytes * rate.second) << rate.first << " Gb/s";
        }
    }
}

TEST(ByteTime, IsRoundedToThePicosecondElsewhere)
{
    // 1538 B at 30 Gb/s: 410133.33 ps; at 56 Gb/s: 219714.29 ps; at 1 Mb/s 12.304 ms.
    EXPECT_EQ(ByteTime(30000000000)(1538), 410133);
    EXPECT_EQ(ByteTime(56000000000)(1538), 219714);
    EXPECT_EQ(ByteTime(1000000)(1538), 12304000000);
    // 3 B at 16 Tb/s: 1.5 ps.
    EXPECT_EQ(ByteTime(16000000000000)(3), 2);
}

TEST(LinkTime, EventsLieAtTheFirstNanosecondNotBefore)
{
    EXPECT_EQ(EventTime(0), NanoSeconds(0));
    EXPECT_EQ(EventTime(1), NanoSeconds(1));
    EXPECT_EQ(EventTime(999), NanoSeconds(1));
    EXPECT_EQ(EventTime(1000), NanoSeconds(1));
    EXPECT_EQ(EventTime(1001), NanoSeconds(2));
    EXPECT_EQ(OnEventGrid(86560), 87000);
    EXPECT_EQ(OnEventGrid(87000), 87000);
}

TEST(LinkTime, TransmissionStartsExactlyUnlessHeldBack)
{
    // The event for 86.56 ns is at 87 ns: the exact times count.
    EXPECT_EQ(TransmissionStartPs(86560, 0, 87000), 86560) << "the line became free";
    EXPECT_EQ(TransmissionStartPs(0, 86560, 87000), 86560) << "the frame arrived";
    EXPECT_EQ(TransmissionStartPs(86560, 86900, 87000), 86900) << "the later of the two";
    EXPECT_EQ(TransmissionStartPs(86001, 86001, 87000), 86001) << "the same nanosecond";
    EXPECT_EQ(TransmissionStartPs(86000, 86000, 87000), 87000) << "something else held it back";
    EXPECT_EQ(TransmissionStartPs(0, 0, 87000), 87000);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/far-time.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(FarTime, PicosecondsAreExactUpToWhatNeverComes)
{
    EXPECT_EQ(ToPs(Time(0)), 0);
    EXPECT_EQ(ToPs(NanoSeconds(1)), 1000);
    EXPECT_EQ(ToPs(Seconds(1e6)), 1000000000000000000);
    EXPECT_EQ(ToPs(NanoSeconds(FAR_PS / 1000 - 1)), (FAR_PS / 1000 - 1) * 1000);
    for (const Time& far : {NanoSeconds(FAR_PS / 1000), Seconds(1e7), Time::Max()})
    {
        EXPECT_EQ(ToPs(far), FAR_PS);
    }
    EXPECT_LT(FAR_PS + FAR_PS, NEVER_PS) << "the sum of two does not wrap";
    EXPECT_LT(HORIZON_NS, FAR_PS / 1000) << "a run's own times are not far";
}

TEST(FarTime, SumsEndAtNever)
{
    EXPECT_EQ(Later(NanoSeconds(5), NanoSeconds(7)), NanoSeconds(12));
    EXPECT_EQ(Later(Time(0), Time::Max()), Time::Max());
    EXPECT_EQ(Later(NanoSeconds(5), Time::Max()), Time::Max());
    EXPECT_EQ(Later(Time::Max(), NanoSeconds(5)), Time::Max());
    EXPECT_EQ(Later(NanoSeconds(5), Time::Max() - NanoSeconds(6)), Time::Max() - NanoSeconds(1));
}

TEST(FarTime, NumbersAreRoundedOrNever)
{
    EXPECT_EQ(RoundToNs(1.4), NanoSeconds(1));
    EXPECT_EQ(RoundToNs(1.5), NanoSeconds(2));
    EXPECT_EQ(RoundToNs(1e300), Time::Max());
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/pause-gate.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(PauseGate, IsOnAtFirst)
{
    PauseGate gate;
    EXPECT_EQ(gate.GetOff(), 0);
    EXPECT_EQ(gate.GetNextExpiryPs(), NEVER_PS);
    EXPECT_EQ(gate.GetExpired(1000), 0);
}

TEST(PauseGate, TellsTransitionsOnly)
{
    PauseGate gate;
    EXPECT_TRUE(gate.Set(3, 5000, 1000)) << "OFF";
    EXPECT_EQ(gate.GetOff(), 1 << 3);
    EXPECT_FALSE(gate.Set(3, 8000, 2000)) << "refreshed";
    EXPECT_EQ(gate.GetNextExpiryPs(), 8000);
    EXPECT_TRUE(gate.Set(3, 3000, 3000)) << "a pause time of zero resumes";
    EXPECT_EQ(gate.GetOff(), 0);
    EXPECT_FALSE(gate.Set(3, 4000, 4000)) << "was ON";
    EXPECT_EQ(gate.GetNextExpiryPs(), NEVER_PS);
}

TEST(PauseGate, ARefreshMayShortenAPause)
{
    PauseGate gate;
    EXPECT_TRUE(gate.Set(0, 9000, 0));
    EXPECT_FALSE(gate.Set(0, 2000, 1000));
    EXPECT_EQ(gate.GetNextExpiryPs(), 2000);
    EXPECT_EQ(gate.GetExpired(2000), 1);
}

TEST(PauseGate, EachPriorityHasItsTimer)
{
    PauseGate gate;
    gate.Set(7, 5000, 0);
    gate.Set(0, 3000, 0);
    gate.Set(4, 4000, 0);
    EXPECT_EQ(gate.GetOff(), 0x91);
    EXPECT_EQ(gate.GetNextExpiryPs(), 3000);
    EXPECT_EQ(gate.GetExpired(2999), 0);
    EXPECT_EQ(gate.GetExpired(3000), 0x01) << "at the end, not after it";
    EXPECT_EQ(gate.GetExpired(4500), 0x11);
    gate.Set(0, 3000, 3000);
    gate.Set(4, 4500, 4500);
    EXPECT_EQ(gate.GetExpired(4500), 0) << "ON, so nothing ends";
    EXPECT_EQ(gate.GetNextExpiryPs(), 5000);
}

TEST(PauseGate, OverriddenItNotesPausesButDoesNotFollowThem)
{
    PauseGate gate;
    gate.Set(3, 5000, 1000);
    EXPECT_FALSE(gate.Override(3, true)) << "was OFF";
    EXPECT_EQ(gate.GetNextExpiryPs(), NEVER_PS) << "no timer turns it ON";
    EXPECT_EQ(gate.GetExpired(9000), 0);
    EXPECT_FALSE(gate.Set(3, 6000, 6000)) << "resumed";
    EXPECT_EQ(gate.GetOff(), 1 << 3);
    EXPECT_EQ(gate.GetUntilPs(3), 6000);
    EXPECT_TRUE(gate.Follow(3, 7000)) << "ON, as the far end said last";
    EXPECT_EQ(gate.GetOff(), 0);

    EXPECT_TRUE(gate.Set(3, 9000, 8000));
    EXPECT_TRUE(gate.Override(3, false));
    EXPECT_EQ(gate.GetOff(), 0);
    EXPECT_FALSE(gate.Set(3, 12000, 10000));
    EXPECT_EQ(gate.GetOff(), 0) << "ON in spite of a pause";
    EXPECT_TRUE(gate.Set(4, 11000, 10000)) << "others follow theirs";
    EXPECT_TRUE(gate.Follow(3, 11000));
    EXPECT_EQ(gate.GetOff(), 0x18) << "OFF, as the pause lasts";
    EXPECT_EQ(gate.GetNextExpiryPs(), 11000);
    EXPECT_EQ(gate.GetExpired(12000), 0x18);
}

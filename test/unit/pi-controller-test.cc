// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/pi-controller.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(PiController, AddsTheDistanceAndTheChange)
{
    PiController controller(-100, 100, 10);
    EXPECT_EQ(controller.GetOutput(), 10);
    EXPECT_EQ(controller.GetInput(), 0);
    // 10 + 0.5 (6 - 4) + 0.25 (6 - 0)
    EXPECT_EQ(controller.Step(6, 4, 0.5, 0.25), 12.5);
    EXPECT_EQ(controller.GetInput(), 6);
    // 12.5 + 0.5 (2 - 4) + 0.25 (2 - 6)
    EXPECT_EQ(controller.Step(2, 4, 0.5, 0.25), 10.5);
    // level below the reference: 10.5 + 0.5 (2 - 4)
    EXPECT_EQ(controller.Step(2, 4, 0.5, 0.25), 9.5);
    // at the reference only the change counts: 9.5 + 0.25 (4 - 2)
    EXPECT_EQ(controller.Step(4, 4, 0.5, 0.25), 10);
    // negative gains: 10 - 0.5 (8 - 4) - 0.25 (8 - 4)
    EXPECT_EQ(controller.Step(8, 4, -0.5, -0.25), 7);
    EXPECT_EQ(controller.GetOutput(), 7);
}

TEST(PiController, StaysWithinItsBoundsAndLeavesThemAtOnce)
{
    PiController controller;                      // 0 to 1, from 0
    EXPECT_EQ(controller.Step(1, 2, 0.25, 0), 0); // not -0.25
    EXPECT_EQ(controller.Step(4, 2, 0.25, 0), 0.5);
    EXPECT_EQ(controller.Step(40, 2, 0.25, 0), 1);
    // 1 - 0.25, as if there had been nothing above the bound
    EXPECT_EQ(controller.Step(1, 2, 0.25, 0), 0.75);
}

TEST(PiController, RemembersTheInputOfAStepThatWasDecidedElsewhere)
{
    PiController controller(1, 8, 8);
    EXPECT_EQ(controller.Override(6, 4), 4);
    EXPECT_EQ(controller.GetInput(), 6);
    EXPECT_EQ(controller.Step(7, 0, 0, 2), 6); // 4 + 2 (7 - 6)
    EXPECT_EQ(controller.Override(0, 0), 1);
    EXPECT_EQ(controller.Override(0, 9), 8);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "send-frame.h"

#include "ns3/rate-controller.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 100000000000;

} // namespace

TEST(RateController, IsTheFixedRate)
{
    Ptr<RateController> controller = CreateObject<RateController>();
    controller->Start(LINE, MicroSeconds(8), 1082, Time(0));
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 100e9);
    EXPECT_EQ(controller->GetWindowBytes(), RateController::NO_WINDOW);

    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    RateController::Acknowledgement ack;
    ack.ackedBytes = 1000;
    ack.echo = CodePoint::CONGESTION;
    Send(*controller, 1082, MicroSeconds(1));
    controller->OnCnp(cnp, MicroSeconds(2));
    controller->OnAck(ack, MicroSeconds(3));
    controller->OnTimer(MicroSeconds(4));
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 100e9);
    EXPECT_EQ(controller->GetWindowBytes(), RateController::NO_WINDOW);
    EXPECT_EQ(controller->NextTimer(), Time::Max());
}

TEST(RateController, ForkIsAnotherObject)
{
    Ptr<RateController> first = CreateObject<RateController>();
    Ptr<RateController> second = first->Fork();
    ASSERT_NE(second, nullptr);
    EXPECT_NE(PeekPointer(first), PeekPointer(second));
    first->Start(LINE, Time(0), 1082, Time(0));
    second->Start(LINE / 4, Time(0), 1082, Time(0));
    EXPECT_DOUBLE_EQ(first->GetRateBps(), 100e9);
    EXPECT_DOUBLE_EQ(second->GetRateBps(), 25e9);
}

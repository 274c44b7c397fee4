// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "send-frame.h"

#include "ns3/constant-rate.h"
#include "ns3/input-error.h"
#include "ns3/object-factory.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 40000000000;

Ptr<RateController>
Started(const std::string& rate)
{
    Ptr<RateController> controller =
        CreateObjectWithAttributes<ConstantRate>("Rate", DataRateValue(DataRate(rate)))->Fork();
    controller->Start(LINE, Time(0), 1082, Time(0));
    return controller;
}

} // namespace

TEST(ConstantRate, KeepsItsRateWhateverComes)
{
    Ptr<RateController> controller = Started("5Gb/s");
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 5e9);
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    controller->OnCnp(cnp, MicroSeconds(2));
    Send(*controller, 1082, MicroSeconds(3));
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 5e9);
    EXPECT_EQ(controller->GetWindowBytes(), RateController::NO_WINDOW);
}

TEST(ConstantRate, IsAtMostLineRate)
{
    EXPECT_DOUBLE_EQ(Started("100Gb/s")->GetRateBps(), 40e9);
}

TEST(ConstantRate, RefusesZero)
{
    EXPECT_THROW(Started("0b/s"), InputError);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "dcqcn-test.h"

#include "send-frame.h"

#include "ns3/dcqcn.h"
#include "ns3/input-error.h"
#include "ns3/string.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

constexpr double G = 1.0 / 256;

Ptr<Dcqcn>
Make(uint64_t lineRateBps, const std::vector<Setting>& settings = {})
{
    Ptr<Dcqcn> dcqcn = CreateObject<Dcqcn>();
    for (const Setting& s : settings)
    {
        dcqcn->SetAttribute(s.attribute, StringValue(s.value));
    }
    dcqcn->Start(lineRateBps, Time(0), 1082, Time(0));
    return dcqcn;
}

double
Gbps(Ptr<Dcqcn> dcqcn)
{
    return dcqcn->GetRateBps() / 1e9;
}

double
TargetGbps(Ptr<Dcqcn> dcqcn)
{
    return dcqcn->GetTargetBps() / 1e9;
}

/// Two cuts at time zero: rate 10, target 20 of 40 Gb/s, alpha 1 (arithmetic of the paper).
Ptr<Dcqcn>
MakeAtTenOfForty(const std::vector<Setting>& settings = {})
{
    Ptr<Dcqcn> dcqcn = Make(40000000000, settings);
    dcqcn->OnCnp(Ce(), Time(0));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 20);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 40);
    dcqcn->OnCnp(Ce(), Time(0));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 20);
    return dcqcn;
}

const std::vector<Setting> ADAPTER = {
    {"Variant", "Adapter"},
    {"AlphaTimer", "1us"},
    {"IncreaseTimer", "300us"},
    {"DecreaseInterval", "4us"},
    {"FastRecoveryStages", "1"},
    {"AdditiveIncrease", "20Mb/s"},
    {"HyperIncrease", "200Mb/s"},
    {"MinRate", "1Gb/s"},
    {"ClampTargetRate", "false"},
};

} // namespace

TEST(Dcqcn, StartsAtLineRateAndRestsUntilTheFirstCnp)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000, {{"InitialAlpha", "0.5"}});
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 40);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 40);
    EXPECT_EQ(dcqcn->GetWindowBytes(), RateController::NO_WINDOW);
    EXPECT_EQ(dcqcn->NextTimer(), Time::Max());
    for (int i = 0; i < 100; ++i)
    {
        Send(*dcqcn, 10000000, Us(100 * i));
    }
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 40);
    EXPECT_EQ(dcqcn->NextTimer(), Time::Max());
    // alpha has not decayed in ten milliseconds: the first cut is by a quarter
    dcqcn->OnCnp(Ce(), Us(10000));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 30);
    EXPECT_EQ(dcqcn->NextTimer(), Us(10055));
}

TEST(Dcqcn, CutsBackToBackAsComputedForTcd)
{
    // 40 Gb/s, g = 1/256, CNPs back to back, alpha raised before each cut: the readings of TCD's
    // "alpha from 0.5 to 1.2". By arithmetic, given to 0.1 Mb/s; tolerance is half of that.
    const struct
    {
        const char* initialAlpha;
        const char* coefficient;
        double gbps[4];
    } rows[] = {
        {"0.5", "0.5", {29.9609, 22.4123, 16.7438, 12.4928}},
        {"1.2", "0.5", {16.0156, 6.4187, 2.5750, 1.0340}},
        {"0.5", "1.2", {15.9063, 6.2881, 2.4712, 0.9654}},
    };

    for (const auto& row : rows)
    {
        Ptr<Dcqcn> dcqcn = Make(40000000000,
                                {{"AlphaBeforeCut", "true"},
                                 {"InitialAlpha", row.initialAlpha},
                                 {"ReductionCoefficient", row.coefficient}});
        for (double gbps : row.gbps)
        {
            dcqcn->OnCnp(Ce(), Us(1));
            EXPECT_NEAR(Gbps(dcqcn), gbps, 0.00005) << row.initialAlpha << " " << row.coefficient;
        }
    }
    // Last row: 1 - 1.2 alpha is negative, so the lowest rate at once.
    Ptr<Dcqcn> dcqcn =
        Make(40000000000, {{"AlphaBeforeCut", "true"}, {"ReductionCoefficient", "1.2"}});
    dcqcn->OnCnp(Ce(), Us(1));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 0.1);
}

TEST(Dcqcn, CutsBeforeItRaisesAlphaInThePaper)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000, {{"InitialAlpha", "0.5"}});
    dcqcn->OnCnp(Ce(), Us(1));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 40 * 0.75);
    const double alpha = 0.5 * (1 - G) + G;
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(Us(1)), alpha);
    dcqcn->OnCnp(Ce(), Us(1));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 40 * 0.75 * (1 - alpha / 2));
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 30);
}

TEST(Dcqcn, RecoversFastThenAdds)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty();
    const double rate[] = {15, 17.5, 18.75, 19.375, 19.7075, 19.89375};
    const double target[] = {20, 20, 20, 20, 20.04, 20.08};
    for (int i = 0; i < 6; ++i)
    {
        EXPECT_EQ(dcqcn->NextTimer(), Us(55 * (i + 1)));
        EXPECT_EQ(RunTimers(dcqcn, Us(55 * (i + 1)) - NanoSeconds(1)), 0);
        EXPECT_EQ(RunTimers(dcqcn, Us(55 * (i + 1))), 1);
        EXPECT_DOUBLE_EQ(Gbps(dcqcn), rate[i]) << i;
        EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), target[i]) << i;
    }
}

TEST(Dcqcn, CountsBytes)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty({{"ByteCounter", "100000"}});
    // 1082 B frames: the 93rd brings 100 626 B, the 185th 200 170 B; the excess is carried.
    int sent = 0;
    for (; sent < 92; ++sent)
    {
        Send(*dcqcn, 1082, Us(1));
    }
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    Send(*dcqcn, 1082, Us(1));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 15);
    for (++sent; sent < 184; ++sent)
    {
        Send(*dcqcn, 1082, Us(1));
    }
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 15);
    Send(*dcqcn, 1082, Us(1));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 17.5);
    // The stages 3, 4 (fast) and 5, 6 (additive).
    for (double gbps : {18.75, 19.375, 19.7075, 19.89375})
    {
        Send(*dcqcn, 100000, Us(2));
        EXPECT_DOUBLE_EQ(Gbps(dcqcn), gbps);
    }
    // The timer has not been touched by it.
    EXPECT_EQ(dcqcn->NextTimer(), Us(55));
    // A CNP resets the count: 99 999 B of the next are not enough.
    Send(*dcqcn, 60000, Us(3));
    dcqcn->OnCnp(Ce(), Us(3));
    const double cut = Gbps(dcqcn);
    Send(*dcqcn, 99999, Us(4));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), cut);
    Send(*dcqcn, 1, Us(4));
    EXPECT_GT(Gbps(dcqcn), cut);
}

TEST(Dcqcn, ByteCounterCanBeOff)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty({{"ByteCounter", "0"}});
    for (int i = 0; i < 1000; ++i)
    {
        Send(*dcqcn, 1000000000, Us(1));
    }
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    // without it there is no hyper increase: 10 expiries are 6 times 40 Mb/s
    RunTimers(dcqcn, Us(550));
    EXPECT_NEAR(TargetGbps(dcqcn), 20.24, 1e-9);
}

TEST(Dcqcn, HyperIncreaseGrowsWithTheLowerStage)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty({{"ByteCounter", "1000000"}});
    double target = 20;
    const auto expectStep = [&](double step) {
        target += step;
        EXPECT_NEAR(TargetGbps(dcqcn), target, 1e-9);
    };
    // (timer, byte) stages (0,1)..(0,4) fast, (0,5), (0,6), (0,7) additive
    for (double step : {0.0, 0.0, 0.0, 0.0, 0.04, 0.04, 0.04})
    {
        Send(*dcqcn, 1000000, Us(1));
        expectStep(step);
    }
    // (1,7)..(5,7): one of them is not above 5, so additive, and no fast recovery any more
    for (int i = 1; i <= 5; ++i)
    {
        RunTimers(dcqcn, Us(55 * i));
        expectStep(0.04);
    }
    RunTimers(dcqcn, Us(55 * 6)); // (6,7): i = 1
    expectStep(0.2);
    Send(*dcqcn, 1000000, Us(331)); // (6,8): i = 1
    expectStep(0.2);
    const double before = Gbps(dcqcn);
    RunTimers(dcqcn, Us(55 * 7)); // (7,8): i = 2
    expectStep(0.4);
    EXPECT_NEAR(Gbps(dcqcn), (before + target) / 2, 1e-9);
    RunTimers(dcqcn, Us(55 * 8)); // (8,8): i = 3
    expectStep(0.6);
}

TEST(Dcqcn, ScalesTheStepsWithTheLineRate)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty({{"ReferenceRate", "10Gb/s"}});
    RunTimers(dcqcn, Us(55 * 5));
    EXPECT_NEAR(TargetGbps(dcqcn), 20.16, 1e-9); // 4 x 40 Mb/s
}

TEST(Dcqcn, ACnpResetsStagesAndTimer)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty();
    RunTimers(dcqcn, Us(300)); // five expiries; the sixth would come at 330 us
    dcqcn->OnCnp(Ce(), Us(300));
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 19.7075);
    EXPECT_EQ(dcqcn->NextTimer(), Us(355));
    RunTimers(dcqcn, Us(355 + 3 * 55));
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 19.7075); // four expiries: fast recovery again
    RunTimers(dcqcn, Us(355 + 4 * 55));
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 19.7475);
}

TEST(Dcqcn, AlphaDecaysFromTheLastCnp)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000);
    dcqcn->OnCnp(Ce(), Us(10));
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(64999)), 1);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(Us(65)), 1 - G);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(119999)), 1 - G);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(Us(120)), (1 - G) * (1 - G));
    EXPECT_NEAR(dcqcn->GetAlpha(Us(10 + 55 * 1000)), std::pow(1 - G, 1000), 1e-12);

    // At 110 us one period has passed: the cut is by (1-g)/2, and the period begins anew.
    RunTimers(dcqcn, Us(110));
    const double before = Gbps(dcqcn);
    dcqcn->OnCnp(Ce(), Us(110));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), before * (1 - (1 - G) / 2));
    const double alpha = (1 - G) * (1 - G) + G;
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(164999)), alpha);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(Us(165)), alpha * (1 - G));
}

TEST(Dcqcn, RestsAtLineRate)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000);
    dcqcn->OnCnp(Ce(), Time(0));
    // The gap of 20 Gb/s halves each time: exactly line rate within the 53 bits of a double.
    EXPECT_LE(RunTimers(dcqcn, Us(1000000)), 53);
    EXPECT_EQ(Gbps(dcqcn), 40);
    EXPECT_EQ(TargetGbps(dcqcn), 40);
    EXPECT_EQ(dcqcn->NextTimer(), Time::Max());
    // and wakes up: alpha has decayed 18181 times, to nothing
    dcqcn->OnCnp(Ce(), Us(1000000));
    EXPECT_EQ(dcqcn->NextTimer(), Us(1000055));
    EXPECT_NEAR(dcqcn->GetAlpha(Us(1000000)), G, 1e-12);
}

TEST(Dcqcn, StaysBetweenMinRateAndLineRate)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000, {{"MinRate", "300Mb/s"}, {"AdditiveIncrease", "30Gb/s"}});
    for (int i = 0; i < 100; ++i)
    {
        dcqcn->OnCnp(Ce(), Us(1));
        EXPECT_GE(Gbps(dcqcn), 0.3);
    }
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 0.3);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 0.3);
    RunTimers(dcqcn, Us(1 + 55 * 100));
    EXPECT_EQ(Gbps(dcqcn), 40);
    EXPECT_EQ(TargetGbps(dcqcn), 40);

    // A NIC slower than MinRate: its own rate.
    Ptr<Dcqcn> slow = Make(100000000, {{"MinRate", "300Mb/s"}});
    slow->OnCnp(Ce(), Us(1));
    EXPECT_DOUBLE_EQ(slow->GetRateBps(), 1e8);
}

TEST(Dcqcn, ClampTargetRateOffKeepsTheTargetUntilAnIncrease)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000, {{"ClampTargetRate", "false"}});
    dcqcn->OnCnp(Ce(), Time(0));
    dcqcn->OnCnp(Ce(), Time(0));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 40);
    RunTimers(dcqcn, Us(55));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 25);
    dcqcn->OnCnp(Ce(), Us(55));
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 25);
}

TEST(Dcqcn, UeHoldsForOneInterval)
{
    Ptr<Dcqcn> dcqcn = MakeAtTenOfForty({{"ByteCounter", "1000000"}});
    Send(*dcqcn, 600000, Us(10));
    dcqcn->OnCnp(Ue(), Us(40)); // 15 us of the timer are left, and 400 000 B
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 20);
    EXPECT_EQ(dcqcn->NextTimer(), Us(105));
    Send(*dcqcn, 5000000, NanoSeconds(89999)); // not counted
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(Us(55)), 1 - G); // decays all the same
    Send(*dcqcn, 399999, Us(90));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
    Send(*dcqcn, 1, Us(90));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 15);
    // Another, and one more within its interval: together 50 + 20 us.
    dcqcn->OnCnp(Ue(), Us(100));
    EXPECT_EQ(dcqcn->NextTimer(), Us(155));
    dcqcn->OnCnp(Ue(), Us(120));
    EXPECT_EQ(dcqcn->NextTimer(), Us(175));
    // CE cuts at once and ends the hold. alpha decayed at 55 and 110 us.
    dcqcn->OnCnp(Ce(), Us(130));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 15 * (1 - (1 - G) * (1 - G) / 2));
    EXPECT_EQ(dcqcn->NextTimer(), Us(185));
    Send(*dcqcn, 1000000, Us(131));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), (15 * (1 - (1 - G) * (1 - G) / 2) + 15) / 2);
}

TEST(Dcqcn, UeBeforeAnyCeDoesNothing)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000);
    dcqcn->OnCnp(Ue(), Us(5));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 40);
    EXPECT_EQ(dcqcn->NextTimer(), Time::Max());
    dcqcn->OnCnp(Ce(), Us(6));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 20);
}

TEST(Dcqcn, UeCanBeTakenLikeCe)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000, {{"HoldOnUndetermined", "false"}});
    dcqcn->OnCnp(Ue(), Us(5));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 20);
    // A standard CNP has no code.
    dcqcn->OnCnp(Cnp(), Us(6));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 10);
}

TEST(DcqcnAdapter, CutsAtItsOwnInterval)
{
    Ptr<Dcqcn> dcqcn = Make(100000000000, ADAPTER);
    dcqcn->OnCnp(Ce(), Us(10));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 100);
    EXPECT_EQ(dcqcn->NextTimer(), Us(14));
    for (int ns : {11500, 12500, 13500})
    {
        RunTimers(dcqcn, NanoSeconds(ns));
        dcqcn->OnCnp(Ce(), NanoSeconds(ns));
    }
    // alpha: the period 10-11 us saw only the first CNP, the other three one each
    EXPECT_EQ(RunTimers(dcqcn, Us(14)), 1);
    double alpha = 1 - G;
    for (int i = 0; i < 3; ++i)
    {
        alpha = alpha * (1 - G) + G;
    }
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(Us(14)), alpha);
    const double first = 100 * (1 - alpha / 2);
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), first);
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 100);
    EXPECT_EQ(dcqcn->NextTimer(), Us(314));
    // no CNP, no cut at 18 us; one at 21 us is seen at 22 us
    RunTimers(dcqcn, Us(21));
    dcqcn->OnCnp(Ce(), Us(21));
    EXPECT_EQ(dcqcn->NextTimer(), Us(22));
    RunTimers(dcqcn, Us(22));
    // seven decays to 21 us, then a period with a CNP
    alpha *= std::pow(1 - G, 7);
    alpha = alpha * (1 - G) + G;
    EXPECT_NEAR(Gbps(dcqcn), first * (1 - alpha / 2), 1e-9);
    // no increase between the two cuts: the target stays
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), 100);
    // one at the very time of a check is for the next
    RunTimers(dcqcn, Us(26));
    dcqcn->OnCnp(Ce(), Us(26));
    EXPECT_EQ(dcqcn->NextTimer(), Us(30));
}

TEST(DcqcnAdapter, RecoversOnceAddsOnceThenHyper)
{
    Ptr<Dcqcn> dcqcn = Make(100000000000, ADAPTER);
    dcqcn->OnCnp(Ce(), Time(0));
    RunTimers(dcqcn, Us(304)); // cut at 4 us, fast recovery at 304 us
    const double recovered = Gbps(dcqcn);
    EXPECT_NEAR(recovered, (100 * (1 - std::pow(1 - G, 4) / 2) + 100) / 2, 1e-9);
    dcqcn->OnCnp(Ce(), Us(305));
    RunTimers(dcqcn, Us(308));
    EXPECT_DOUBLE_EQ(TargetGbps(dcqcn), recovered);
    const double steps[] = {0, 0.02, 0.2, 0.2, 0.2};
    double rate = Gbps(dcqcn);
    double target = recovered;
    for (int i = 0; i < 5; ++i)
    {
        Send(*dcqcn, 100000000, Us(309 + 300 * i)); // there is no byte counter
        RunTimers(dcqcn, Us(608 + 300 * i));
        target += steps[i];
        rate = (rate + target) / 2;
        EXPECT_NEAR(TargetGbps(dcqcn), target, 1e-9) << i;
        EXPECT_NEAR(Gbps(dcqcn), rate, 1e-9) << i;
    }
}

namespace
{

struct RateRow
{
    Time now;
    double rate;
    double target;
    double alpha;
};

std::vector<RateRow> g_rows;

void
NoteRate(Time now, double rate, double target, double alpha)
{
    g_rows.push_back({now, rate, target, alpha});
}

} // namespace

TEST(Dcqcn, TracesRatesAlsoOfAFork)
{
    g_rows.clear();
    Ptr<Dcqcn> prototype = CreateObject<Dcqcn>();
    ASSERT_TRUE(prototype->TraceConnectWithoutContext("Rate", MakeCallback(&NoteRate)));
    Ptr<RateController> fork = prototype->Fork();
    Ptr<Dcqcn> dcqcn = DynamicCast<Dcqcn>(fork);
    ASSERT_TRUE(dcqcn);
    dcqcn->Start(40000000000, Time(0), 1082, Us(3));
    dcqcn->OnCnp(Ce(), Us(10));
    RunTimers(dcqcn, Us(65));
    ASSERT_EQ(g_rows.size(), 3u);
    EXPECT_EQ(g_rows[0].now, Us(3));
    EXPECT_DOUBLE_EQ(g_rows[0].rate, 40e9);
    EXPECT_EQ(g_rows[1].now, Us(10));
    EXPECT_DOUBLE_EQ(g_rows[1].rate, 20e9);
    EXPECT_DOUBLE_EQ(g_rows[1].target, 40e9);
    EXPECT_DOUBLE_EQ(g_rows[1].alpha, 1);
    EXPECT_EQ(g_rows[2].now, Us(65));
    EXPECT_DOUBLE_EQ(g_rows[2].rate, 30e9);
    EXPECT_DOUBLE_EQ(g_rows[2].alpha, 1 - G);
    g_rows.clear();
}

TEST(Dcqcn, CutsForAStandardCnpAndNotForOneThatSaysNoCongestion)
{
    Ptr<Dcqcn> dcqcn = Make(40000000000);
    Cnp cnp;
    cnp.code = CodePoint::CAPABLE; // PCN's receiver
    dcqcn->OnCnp(cnp, Us(1));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 40);
    EXPECT_EQ(dcqcn->NextTimer(), Time::Max());
    cnp.code = CodePoint::NOT_CAPABLE; // reserved bytes of zero
    dcqcn->OnCnp(cnp, Us(2));
    EXPECT_DOUBLE_EQ(Gbps(dcqcn), 20);
}

TEST(Dcqcn, RefusesTimersAndRatesOfZero)
{
    EXPECT_THROW(Make(40000000000, {{"AlphaTimer", "0us"}}), InputError);
    EXPECT_THROW(Make(40000000000, {{"IncreaseTimer", "0us"}}), InputError);
    EXPECT_THROW(Make(40000000000, {{"MinRate", "0b/s"}}), InputError) << "a gap without end";
}

TEST(Dcqcn, AnIntervalOfYearsNeverEnds)
{
    for (const std::string& never : {std::string("10000000s"), std::string("9223372036s")})
    {
        Ptr<Dcqcn> dcqcn = Make(40000000000, {{"IncreaseTimer", never}, {"HoldInterval", never}});
        dcqcn->OnCnp(Ce(), Us(10));
        EXPECT_GE(dcqcn->NextTimer(), Seconds(1e7)) << never;
        dcqcn->OnCnp(Ue(), Us(20));
        EXPECT_GE(dcqcn->NextTimer(), Seconds(1e7)) << never;
        Ptr<Dcqcn> adapter =
            Make(40000000000, {{"Variant", "Adapter"}, {"DecreaseInterval", never}});
        adapter->OnCnp(Ce(), Us(10));
        EXPECT_GE(adapter->NextTimer(), Seconds(1e7)) << never;
    }
}

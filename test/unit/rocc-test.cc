// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/input-error.h"
#include "ns3/rocc.h"
#include "ns3/string.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 40000000000;
constexpr uint32_t A = 65544;  //!< a congestion point
constexpr uint32_t B = 131091; //!< another one

/// @returns a controller at 40 Gb/s
Ptr<Rocc>
Make(const std::string& recoveryTimer = "100us")
{
    Ptr<Rocc> rocc = CreateObject<Rocc>();
    rocc->SetAttribute("RecoveryTimer", StringValue(recoveryTimer));
    rocc->Start(LINE, MicroSeconds(32), 1082, Time(0));
    return rocc;
}

/**
 * A CNP comes.
 *
 * @param us when [us]
 * @param point that sent it
 * @param gbps fair rate
 */
void
Tell(Ptr<RateController> rocc, int64_t us, uint32_t point, double gbps)
{
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    cnp.fairRate = static_cast<uint32_t>(gbps * 100 + 0.5);
    cnp.point = point;
    rocc->OnCnp(cnp, MicroSeconds(us));
}

double
Gbps(Ptr<RateController> rocc)
{
    return rocc->GetRateBps() / 1e9;
}

/**
 * Expects the timer and lets it expire.
 *
 * @param us when [us]
 */
void
Expire(Ptr<RateController> rocc, int64_t us)
{
    ASSERT_EQ(rocc->NextTimer(), MicroSeconds(us));
    rocc->OnTimer(MicroSeconds(us));
}

} // namespace

TEST(Rocc, StartsAtLineRateWithoutATimer)
{
    Ptr<Rocc> rocc = Make();
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    EXPECT_EQ(rocc->GetWindowBytes(), RateController::NO_WINDOW);
}

TEST(Rocc, TakesARateFromThePointInChargeOrALowerOne)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 10, A, 12.5);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 12.5);
    Tell(rocc, 20, A, 13); // in charge: up
    EXPECT_DOUBLE_EQ(Gbps(rocc), 13);
    Tell(rocc, 30, B, 13.01); // above, from another
    EXPECT_DOUBLE_EQ(Gbps(rocc), 13);
    Tell(rocc, 40, A, 11); // in charge: down
    EXPECT_DOUBLE_EQ(Gbps(rocc), 11);
    Tell(rocc, 50, B, 11); // not above: now B is in charge
    EXPECT_DOUBLE_EQ(Gbps(rocc), 11);
    Tell(rocc, 60, A, 11.5);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 11);
    Tell(rocc, 70, B, 20);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 20);
    Tell(rocc, 80, A, 0.01);
    EXPECT_DOUBLE_EQ(rocc->GetRateBps(), 1e7);
}

TEST(Rocc, DoublesWithoutCnpsUntilItIsFree)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 10, A, 8);
    Expire(rocc, 110);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 16);
    Expire(rocc, 210);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 32);
    Expire(rocc, 310);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    // Free: A is not in charge any more, but its rate is below line rate.
    Tell(rocc, 400, A, 10);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 10);
    EXPECT_EQ(rocc->NextTimer(), MicroSeconds(500));
}

TEST(Rocc, IsFreeWhenDoublingEndsAtLineRate)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 0, A, 20);
    Expire(rocc, 100);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
}

TEST(Rocc, OnlyAnAcceptedCnpPutsOffTheRecovery)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 0, A, 5);
    Tell(rocc, 40, A, 5);
    EXPECT_EQ(rocc->NextTimer(), MicroSeconds(140));
    Tell(rocc, 80, B, 6);
    EXPECT_EQ(rocc->NextTimer(), MicroSeconds(140));
    Expire(rocc, 140); // 10 Gb/s, of A still
    Tell(rocc, 150, B, 9);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 9);
    EXPECT_EQ(rocc->NextTimer(), MicroSeconds(250));
    Tell(rocc, 160, A, 9.5);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 9) << "B is in charge";
}

TEST(Rocc, StaysInChargeWhileTheRateDoubles)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 0, A, 5);
    Expire(rocc, 100);
    Tell(rocc, 120, A, 12); // above the 10 of now
    EXPECT_DOUBLE_EQ(Gbps(rocc), 12);
}

TEST(Rocc, LineRateFreesTheFlow)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 0, A, 5);
    Tell(rocc, 40, A, 40);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    Tell(rocc, 50, B, 100); // of a faster link
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    Tell(rocc, 60, B, 39);
    Tell(rocc, 70, B, 100);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40) << "never above line rate";
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
}

TEST(Rocc, ThePointWithNumberZeroIsNotInChargeOfAFreeFlow)
{
    Ptr<Rocc> rocc = Make();
    Tell(rocc, 0, 0, 41);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    Tell(rocc, 10, 0, 5);
    Tell(rocc, 20, 0, 6);
    EXPECT_DOUBLE_EQ(Gbps(rocc), 6);
}

TEST(Rocc, IgnoresOtherNotifications)
{
    Ptr<Rocc> rocc = Make();
    Cnp cnp;
    for (const CodePoint code : {CodePoint::CAPABLE, CodePoint::UNDETERMINED})
    {
        cnp.code = code;
        cnp.fairRate = 100;
        rocc->OnCnp(cnp, Time(0));
    }
    cnp.code = CodePoint::CONGESTION;
    cnp.fairRate = 0; // DCQCN's
    rocc->OnCnp(cnp, Time(0));
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    // Nor does an acknowledgement matter.
    RateController::Acknowledgement ack;
    ack.echo = CodePoint::CONGESTION;
    rocc->OnAck(ack, Time(0));
    EXPECT_DOUBLE_EQ(Gbps(rocc), 40);
}

TEST(Rocc, ForksWithItsAttributesAndWithoutItsHistory)
{
    Ptr<Rocc> first = Make("30us");
    Tell(first, 0, A, 5);
    Ptr<RateController> fork = first->Fork();
    ASSERT_NE(PeekPointer(fork), PeekPointer(first));
    fork->Start(LINE, Time(0), 1082, MicroSeconds(1));
    EXPECT_DOUBLE_EQ(Gbps(fork), 40);
    EXPECT_EQ(fork->NextTimer(), Time::Max());
    Tell(fork, 10, B, 10);
    EXPECT_EQ(fork->NextTimer(), MicroSeconds(40));
    EXPECT_DOUBLE_EQ(Gbps(first), 5);
    EXPECT_EQ(first->NextTimer(), MicroSeconds(30));
}

namespace
{

std::vector<std::string> g_rows; //!< what the trace said

void
Note(Time now, double rateBps, uint32_t point)
{
    g_rows.push_back(std::to_string(now.GetMicroSeconds()) + " " +
                     std::to_string(static_cast<int64_t>(rateBps)) + " " + std::to_string(point));
}

} // namespace

TEST(Rocc, TracesItsRate)
{
    g_rows.clear();
    Ptr<Rocc> rocc = Make();
    rocc->TraceConnectWithoutContext("Rate", MakeCallback(&Note));
    Tell(rocc, 10, A, 15);
    Tell(rocc, 20, B, 16); // not accepted
    Expire(rocc, 110);
    Expire(rocc, 210);
    const std::vector<std::string> expected = {"10 15000000000 65544",
                                               "110 30000000000 65544",
                                               "210 40000000000 0"};
    EXPECT_EQ(g_rows, expected);
    g_rows.clear();
}

TEST(Rocc, RefusesATimerThatNeverComes)
{
    EXPECT_THROW(Make("-1us"), InputError);
    try
    {
        Make("0us");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "ns3::Rocc::RecoveryTimer: found 0 ns, expected more than zero");
    }
}

TEST(Rocc, ARecoveryTimerOfYearsNeverEnds)
{
    Ptr<Rocc> rocc = Make("9223372036s");
    Tell(rocc, 1000000, A, 5);
    EXPECT_EQ(rocc->NextTimer(), Time::Max());
    EXPECT_DOUBLE_EQ(Gbps(rocc), 5);
}

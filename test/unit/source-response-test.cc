// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/aimd.h"
#include "ns3/double.h"
#include "ns3/fimd.h"
#include "ns3/input-error.h"
#include "ns3/lipd.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr double RMAX = 8e9; // 1 GB/s
constexpr double RMIN = RMAX / 256;

template <typename Response>
Ptr<Response>
Start()
{
    Ptr<Response> response = CreateObject<Response>();
    response->Start(static_cast<uint64_t>(RMAX), Time(0), 2068, Time(0));
    return response;
}

void
Ack(SourceResponse& response, CodePoint echo = CodePoint::CAPABLE)
{
    RateController::Acknowledgement ack;
    ack.echo = echo;
    response.OnAck(ack, Time(0));
}

void
Mark(SourceResponse& response)
{
    Ack(response, CodePoint::CONGESTION);
}

/**
 * Marks a flow once and counts until its rate is back.
 *
 * @param response at any rate
 * @returns packet times at line rate: after each acknowledgement one packet at the rate there is
 * then
 */
double
RecoveryTime(SourceResponse& response)
{
    const double before = response.GetRateBps();
    Mark(response);
    double time = 0;
    while (response.GetRateBps() < before * (1 - 1e-12))
    {
        time += RMAX / response.GetRateBps();
        Ack(response);
    }
    return time;
}

/**
 * @param response unmarked so far
 * @param rate line rate times this; the response is brought near it by marks and acknowledgements
 */
void
BringTo(SourceResponse& response, double rate)
{
    while (response.GetRateBps() > rate * RMAX)
    {
        Mark(response);
    }
    while (response.GetRateBps() < rate * RMAX)
    {
        Ack(response);
    }
}

/// @returns recovery times at rates from line rate down to a twentieth
template <typename Response>
std::vector<double>
RecoveryTimes()
{
    std::vector<double> times;
    for (const double rate : {1.0, 0.5, 0.2, 0.1, 0.05})
    {
        Ptr<Response> response = Start<Response>();
        BringTo(*response, rate);
        times.push_back(RecoveryTime(*response));
    }
    return times;
}

template <typename Response>
void
CheckThatADecreaseIsNotUndoneAtOnce()
{
    for (double rate = 1; rate > 2.01 / 256; rate *= 0.97)
    {
        Ptr<Response> response = Start<Response>();
        BringTo(*response, rate);
        const double before = response->GetRateBps();
        Mark(*response);
        Ack(*response);
        EXPECT_LE(response->GetRateBps(), before * (1 + 1e-12)) << rate;
    }
}

} // namespace

TEST(SourceResponse, OnePacketIsOutstandingAtLineRate)
{
    Ptr<Lipd> lipd = Start<Lipd>();
    EXPECT_DOUBLE_EQ(lipd->GetRateBps(), RMAX);
    EXPECT_EQ(lipd->GetWindowBytes(), 1u) << "and one frame may always be";
    Ack(*lipd);
    EXPECT_DOUBLE_EQ(lipd->GetRateBps(), RMAX);
    EXPECT_DOUBLE_EQ(lipd->GetMinRateBps(), RMIN);
}

TEST(SourceResponse, LipdLengthensTheDelayByAPacket)
{
    Ptr<Lipd> lipd = Start<Lipd>();
    for (int marks = 1; marks <= 255; marks++)
    {
        Mark(*lipd);
        EXPECT_NEAR(RMAX / lipd->GetRateBps(), 1 + marks, 1e-9 * marks);
    }
    Mark(*lipd);
    EXPECT_DOUBLE_EQ(lipd->GetRateBps(), RMIN);
    Ack(*lipd);
    EXPECT_DOUBLE_EQ(lipd->GetRateBps(), RMIN * 256 / 255);
}

TEST(SourceResponse, LipdKeepsTheLinkBusyWhenAllAreMarked)
{
    // 20 flows at a twentieth of the link: 20/21 of it after a mark for each.
    Ptr<Lipd> lipd = Start<Lipd>();
    for (int i = 0; i < 19; i++)
    {
        Mark(*lipd);
    }
    EXPECT_NEAR(lipd->GetRateBps(), RMAX / 20, 1);
    Mark(*lipd);
    EXPECT_NEAR(20 * lipd->GetRateBps() / RMAX, 20.0 / 21, 1e-9);
}

TEST(SourceResponse, FimdByHand)
{
    Ptr<Fimd> fimd = Start<Fimd>();
    Mark(*fimd);
    EXPECT_DOUBLE_EQ(fimd->GetRateBps(), RMAX / 2);
    Ack(*fimd);
    EXPECT_NEAR(fimd->GetRateBps(), RMAX / 2 * std::exp2(1.0 / 128), 1);
    for (int i = 0; i < 20; i++)
    {
        Mark(*fimd);
    }
    EXPECT_DOUBLE_EQ(fimd->GetRateBps(), RMIN);
    Ack(*fimd);
    EXPECT_NEAR(fimd->GetRateBps(), 2 * RMIN, 1) << "m^1";
}

TEST(SourceResponse, AimdByHand)
{
    Ptr<Aimd> aimd = CreateObject<Aimd>();
    aimd->SetAttribute("Factor", DoubleValue(4));
    aimd->Start(static_cast<uint64_t>(RMAX), Time(0), 2068, Time(0));
    Mark(*aimd);
    EXPECT_DOUBLE_EQ(aimd->GetRateBps(), RMAX / 4);
    Ack(*aimd);
    EXPECT_DOUBLE_EQ(aimd->GetRateBps(), RMAX / 4 + 3 * RMIN);
}

TEST(SourceResponse, RecoveryTimeIsEqualForAllRatesButAimds)
{
    // One packet time at Rmin is 256 at line rate; the last step is a whole packet's, at most
    // 1/rate after a mark: 21 or 41 of them at a twentieth.
    const auto lipd = RecoveryTimes<Lipd>();
    const auto fimd = RecoveryTimes<Fimd>();
    const double rates[] = {1.0, 0.5, 0.2, 0.1, 0.05};
    for (std::size_t i = 0; i < lipd.size(); i++)
    {
        EXPECT_GE(lipd[i], 254);
        EXPECT_LE(lipd[i], 256 + 1 + 1 / rates[i]);
        EXPECT_GE(fimd[i], 254);
        EXPECT_LE(fimd[i], 256 + 2 / rates[i]);
    }
    // AIMD's: the integral of (Rmax/r) (dr / step) is 256 ln 2 = 177 packet times, plus half of
    // the first and less half of the last step's. Equal too while r is far above Rmin, and then
    // more.
    const auto aimd = RecoveryTimes<Aimd>();
    EXPECT_NEAR(aimd.front(), 256 * std::log(2), 2);
    EXPECT_GT(aimd.back(), aimd.front() + 2);
}

TEST(SourceResponse, IncreaseNeverUndoesADecreaseAtOnce)
{
    CheckThatADecreaseIsNotUndoneAtOnce<Lipd>();
    CheckThatADecreaseIsNotUndoneAtOnce<Fimd>();
    CheckThatADecreaseIsNotUndoneAtOnce<Aimd>();
}

TEST(SourceResponse, UndeterminedKeepsTheRate)
{
    Ptr<Fimd> fimd = Start<Fimd>();
    Mark(*fimd);
    const double rate = fimd->GetRateBps();
    Ack(*fimd, CodePoint::UNDETERMINED);
    EXPECT_DOUBLE_EQ(fimd->GetRateBps(), rate);
}

TEST(SourceResponse, LowestRateIsThatSet)
{
    Ptr<Lipd> lipd = CreateObject<Lipd>();
    lipd->SetAttribute("MinRateDivisor", UintegerValue(4));
    lipd->Start(static_cast<uint64_t>(RMAX), Time(0), 2068, Time(0));
    for (int i = 0; i < 10; i++)
    {
        Mark(*lipd);
    }
    EXPECT_DOUBLE_EQ(lipd->GetRateBps(), RMAX / 4);
    auto fork = DynamicCast<Lipd>(lipd->Fork());
    fork->Start(static_cast<uint64_t>(RMAX), Time(0), 2068, Time(0));
    EXPECT_DOUBLE_EQ(fork->GetRateBps(), RMAX);
    EXPECT_DOUBLE_EQ(fork->GetMinRateBps(), RMAX / 4);
}

TEST(SourceResponse, FactorsWithoutMeaningAreRefused)
{
    for (const double factor : {1.0, 0.5, -2.0})
    {
        Ptr<Fimd> fimd = CreateObject<Fimd>();
        fimd->SetAttribute("Factor", DoubleValue(factor));
        EXPECT_THROW(fimd->Start(1000000000, Time(0), 2068, Time(0)), InputError) << factor;
    }
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/input-error.h"
#include "ns3/pcn.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 40000000000;

using Settings = std::vector<std::pair<std::string, std::string>>;

/**
 * @param settings attributes
 * @returns a controller at 40 Gb/s
 */
Ptr<Pcn>
Make(const Settings& settings = {}, uint64_t lineBps = LINE)
{
    Ptr<Pcn> pcn = CreateObject<Pcn>();
    for (const auto& setting : settings)
    {
        pcn->SetAttribute(setting.first, StringValue(setting.second));
    }
    pcn->Start(lineBps, MicroSeconds(32), 1082, Time(0));
    return pcn;
}

/**
 * @param code CONGESTION or CAPABLE
 * @param tensOfMbps receive rate [10 Mb/s]
 */
Cnp
MakeCnp(CodePoint code, uint32_t tensOfMbps)
{
    Cnp cnp;
    cnp.code = code;
    cnp.fairRate = tensOfMbps;
    return cnp;
}

void
Congested(Ptr<Pcn> pcn, uint32_t tensOfMbps)
{
    pcn->OnCnp(MakeCnp(CodePoint::CONGESTION, tensOfMbps), MicroSeconds(50));
}

void
Free(Ptr<Pcn> pcn, uint32_t tensOfMbps = 1)
{
    pcn->OnCnp(MakeCnp(CodePoint::CAPABLE, tensOfMbps), MicroSeconds(50));
}

double
Gbps(Ptr<Pcn> pcn)
{
    return pcn->GetRateBps() / 1e9;
}

} // namespace

TEST(Pcn, StartsAtLineRateWithoutATimer)
{
    Ptr<Pcn> pcn = Make();
    EXPECT_DOUBLE_EQ(Gbps(pcn), 40);
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 1.0 / 128);
    EXPECT_EQ(pcn->NextTimer(), Time::Max());
    EXPECT_EQ(pcn->GetWindowBytes(), RateController::NO_WINDOW);
}

TEST(Pcn, CutsToJustBelowTheReceiveRate)
{
    Ptr<Pcn> pcn = Make();
    Congested(pcn, 1280); // 12.8 Gb/s, of which 1/128 is 0.1
    EXPECT_DOUBLE_EQ(Gbps(pcn), 12.7);
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 1.0 / 128);
    Congested(pcn, 640);
    EXPECT_DOUBLE_EQ(Gbps(pcn), 6.35);
}

TEST(Pcn, KeepsARateNotAboveTheReceiveRate)
{
    Ptr<Pcn> pcn = Make();
    Congested(pcn, 1280);
    ASSERT_DOUBLE_EQ(Gbps(pcn), 12.7);
    Congested(pcn, 1280); // 12.7 is below it
    EXPECT_DOUBLE_EQ(Gbps(pcn), 12.7);
    Congested(pcn, 1270); // and equal to it
    EXPECT_DOUBLE_EQ(Gbps(pcn), 12.7);
    Congested(pcn, 1269); // 10 Mb/s above it: 12.69 x 127 / 128
    EXPECT_DOUBLE_EQ(Gbps(pcn), 12.69 * 127 / 128);
}

TEST(Pcn, RisesTowardsLineRateFasterAndFaster)
{
    Ptr<Pcn> pcn = Make();
    Congested(pcn, 1280);
    Free(pcn);
    // 12.7 + (40 - 12.7) / 128 = 12.91328125; w = (127/128 + 1/2) / 128 = 191 / 128^2
    EXPECT_DOUBLE_EQ(Gbps(pcn), 12.91328125);
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 191.0 / 16384);
    Free(pcn, 4000); // the receive rate is of no account
    // 12.91328125 + 27.08671875 x 191 / 16384 = 13.22905049...
    EXPECT_NEAR(Gbps(pcn), 13.22905049, 5e-9);
    // 191/16384 (16193/16384 + 8192/16384) = 191 x 24385 / 16384^2
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 191.0 * 24385 / (16384.0 * 16384.0));
    for (int i = 0; i < 60; i++)
    {
        const double before = Gbps(pcn);
        Free(pcn);
        EXPECT_GE(Gbps(pcn), before);
        EXPECT_LE(Gbps(pcn), 40);
    }
    // w has the fixed point w = w (1 - w) + w / 2, that is 1/2: WMax.
    EXPECT_NEAR(pcn->GetWeight(), 0.5, 1e-6);
    // 50 times half of what is missing
    EXPECT_NEAR(Gbps(pcn), 40, 1e-6);
}

TEST(Pcn, CongestionBringsTheWeightDown)
{
    Ptr<Pcn> pcn = Make();
    Congested(pcn, 1280);
    for (int i = 0; i < 5; i++)
    {
        Free(pcn);
    }
    ASSERT_GT(pcn->GetWeight(), 2.0 / 128);
    const double rate = Gbps(pcn);
    Congested(pcn, 4000); // above the rate, which stays
    EXPECT_DOUBLE_EQ(Gbps(pcn), rate);
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 1.0 / 128);
}

TEST(Pcn, TakesItsWeightsAsSet)
{
    Ptr<Pcn> pcn = Make({{"WMin", "0.25"}, {"WMax", "0.75"}});
    Congested(pcn, 1000);
    EXPECT_DOUBLE_EQ(Gbps(pcn), 7.5);
    Free(pcn);
    EXPECT_DOUBLE_EQ(Gbps(pcn), 7.5 * 0.75 + 10);
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 0.25 * 0.75 + 0.75 * 0.25);
}

TEST(Pcn, IgnoresOtherNotifications)
{
    Ptr<Pcn> pcn = Make();
    pcn->OnCnp(MakeCnp(CodePoint::CONGESTION, 0), Time(0)); // DCQCN's tells no rate
    pcn->OnCnp(MakeCnp(CodePoint::UNDETERMINED, 100), Time(0));
    pcn->OnCnp(MakeCnp(CodePoint::NOT_CAPABLE, 100), Time(0));
    EXPECT_DOUBLE_EQ(Gbps(pcn), 40);
    EXPECT_DOUBLE_EQ(pcn->GetWeight(), 1.0 / 128);
    // Nor does an acknowledgement matter.
    RateController::Acknowledgement ack;
    ack.ackedBytes = 1000000;
    ack.echo = CodePoint::CONGESTION;
    pcn->OnAck(ack, Time(0));
    EXPECT_DOUBLE_EQ(Gbps(pcn), 40);
}

TEST(Pcn, HasALowestRate)
{
    Ptr<Pcn> pcn = Make();
    Congested(pcn, 1); // 10 Mb/s, less 1/128
    EXPECT_DOUBLE_EQ(pcn->GetRateBps(), 10e6);
    pcn = Make({{"MinRate", "1Gb/s"}});
    Congested(pcn, 10);
    EXPECT_DOUBLE_EQ(Gbps(pcn), 1);
    pcn = Make({{"MinRate", "1Gb/s"}}, 100000000);
    Congested(pcn, 1);
    EXPECT_DOUBLE_EQ(pcn->GetRateBps(), 100e6) << "line rate where that is lower";
    pcn = Make();
    Congested(pcn, std::numeric_limits<uint32_t>::max());
    EXPECT_DOUBLE_EQ(Gbps(pcn), 40) << "a rate that no line has";
}

TEST(Pcn, ForksWithItsAttributesAndWithoutItsHistory)
{
    Ptr<Pcn> first = Make({{"WMin", "0.25"}, {"WMax", "0.75"}, {"MinRate", "2Gb/s"}});
    Congested(first, 1000);
    Free(first);
    Ptr<RateController> fork = first->Fork();
    ASSERT_NE(PeekPointer(fork), PeekPointer(first));
    fork->Start(LINE, Time(0), 1082, Time(0));
    EXPECT_DOUBLE_EQ(fork->GetRateBps(), 40e9);
    fork->OnCnp(MakeCnp(CodePoint::CONGESTION, 1000), Time(0));
    EXPECT_DOUBLE_EQ(fork->GetRateBps(), 7.5e9);
    fork->OnCnp(MakeCnp(CodePoint::CAPABLE, 1000), Time(0));
    EXPECT_DOUBLE_EQ(fork->GetRateBps(), 7.5e9 * 0.75 + 10e9) << "w began at WMin";
    fork->OnCnp(MakeCnp(CodePoint::CONGESTION, 100), Time(0));
    EXPECT_DOUBLE_EQ(fork->GetRateBps(), 2e9);
    EXPECT_DOUBLE_EQ(Gbps(first), 7.5 * 0.75 + 10) << "the first one is untouched";
}

namespace
{

std::vector<std::string> g_rows; //!< what the trace said

void
Note(Time now, double rateBps, double receiveBps, double weight)
{
    g_rows.push_back(std::to_string(now.GetMicroSeconds()) + " " +
                     std::to_string(static_cast<int64_t>(rateBps)) + " " +
                     std::to_string(static_cast<int64_t>(receiveBps)) + " " +
                     std::to_string(weight));
}

} // namespace

TEST(Pcn, TracesWhatACnpChanges)
{
    g_rows.clear();
    Ptr<Pcn> pcn = Make({{"WMin", "0.25"}});
    pcn->TraceConnectWithoutContext("Rate", MakeCallback(&Note));
    Congested(pcn, 1000);
    Free(pcn, 700);
    pcn->OnCnp(MakeCnp(CodePoint::UNDETERMINED, 100), Time(0));
    const std::vector<std::string> expected = {"50 7500000000 10000000000 0.250000",
                                               "50 15625000000 7000000000 0.312500"};
    EXPECT_EQ(g_rows, expected);
    g_rows.clear();
}

TEST(Pcn, RefusesImpossibleWeightsAndRates)
{
    EXPECT_THROW(Make({{"WMin", "0"}}), InputError);
    EXPECT_THROW(Make({{"WMin", "1.5"}, {"WMax", "2"}}), InputError);
    EXPECT_THROW(Make({{"WMin", "0.5"}, {"WMax", "0.25"}}), InputError);
    EXPECT_THROW(Make({{"WMax", "1.01"}}), InputError);
    EXPECT_THROW(Make({{"MinRate", "0b/s"}}), InputError);
    EXPECT_NO_THROW(Make({{"WMin", "1"}, {"WMax", "1"}}));
}

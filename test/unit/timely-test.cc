// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/input-error.h"
#include "ns3/string.h"
#include "ns3/timely.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 40000000000;
constexpr CodePoint CAPABLE = CodePoint::CAPABLE;
constexpr CodePoint UE = CodePoint::UNDETERMINED;
constexpr CodePoint CE = CodePoint::CONGESTION;

/// One bit/s in Gb/s: what may be lost where times become seconds.
constexpr double TOLERANCE = 1e-9;

using Settings = std::vector<std::pair<std::string, std::string>>;

/**
 * A controller at 40 Gb/s, where delta is 40 Mb/s, and the time of the last event. Unless the
 * settings say so, it starts at 10 Gb/s.
 */
class Flow
{
  public:
    explicit Flow(const Settings& settings = {}, Time baseRtt = MicroSeconds(32))
        : timely(CreateObject<Timely>())
    {
        timely->SetAttribute("InitialRate", StringValue("10Gb/s"));
        for (const auto& setting : settings)
        {
            timely->SetAttribute(setting.first, StringValue(setting.second));
        }
        timely->Start(LINE, baseRtt, 1082, Time(0));
    }

    /**
     * @param rtt of an ACK [us]
     * @param echo its mark
     * @param bytes newly acknowledged
     * @param later than the one before [us]
     * @returns the rate after it [Gb/s]
     */
    double Ack(double rtt, CodePoint echo = CAPABLE, uint64_t bytes = 16000, double later = 100)
    {
        now += later;
        RateController::Acknowledgement ack;
        ack.ackedBytes = bytes;
        ack.echo = echo;
        ack.rtt = Us(rtt);
        timely->OnAck(ack, Us(now));
        return timely->GetRateBps() / 1e9;
    }

    Ptr<Timely> timely; //!< under test
    double now{0};      //!< [us]

  private:
    static Time Us(double us)
    {
        return NanoSeconds(static_cast<int64_t>(us * 1000 + 0.5));
    }
};

/// With EwmaGain 1 a rise of 20 us is a gradient of 1.
Settings
WithoutAverage(const Settings& more = {})
{
    Settings settings = {{"EwmaGain", "1"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

} // namespace

TEST(Timely, StartsAtLineRateOrInitialRate)
{
    EXPECT_DOUBLE_EQ(Flow(Settings{{"InitialRate", "0b/s"}}).timely->GetRateBps(), 40e9);
    EXPECT_DOUBLE_EQ(Flow(Settings{{"InitialRate", "1Gb/s"}}).timely->GetRateBps(), 1e9);
    EXPECT_DOUBLE_EQ(Flow(Settings{{"InitialRate", "41Gb/s"}}).timely->GetRateBps(), 40e9);
    EXPECT_DOUBLE_EQ(Flow(Settings{{"InitialRate", "1Mb/s"}}).timely->GetRateBps(), 100e6)
        << "MinRate";
    EXPECT_EQ(Flow().timely->NextTimer(), Time::Max());
    EXPECT_EQ(Flow().timely->GetWindowBytes(), RateController::NO_WINDOW);
}

TEST(Timely, OnlyRemembersTheFirstRtt)
{
    Flow high;
    EXPECT_DOUBLE_EQ(high.Ack(1000), 10);
    EXPECT_DOUBLE_EQ(high.timely->GetGradient(), 0);
    Flow low;
    EXPECT_DOUBLE_EQ(low.Ack(30), 10);
    EXPECT_DOUBLE_EQ(low.Ack(30), 10.04);
}

TEST(Timely, RisesBelowTLowWhateverTheGradient)
{
    Flow flow;
    flow.Ack(20);
    EXPECT_NEAR(flow.Ack(30), 10.04, TOLERANCE);
    EXPECT_NEAR(flow.timely->GetGradient(), 0.875 * 10 / 20, TOLERANCE);
    for (int i = 2; i < 12; i++)
    {
        EXPECT_NEAR(flow.Ack(25), 10 + 0.04 * i, TOLERANCE) << "no hyperactive increase";
    }
}

TEST(Timely, FallsAboveTHighWhateverTheGradient)
{
    Flow flow;
    flow.Ack(2000);
    // 1 - 0.8 (1 - 500/1000) = 0.6
    EXPECT_NEAR(flow.Ack(1000), 6, TOLERANCE);
    EXPECT_LT(flow.timely->GetGradient(), 0);
    // 1 - 0.8 (1 - 500/625) = 0.84
    EXPECT_NEAR(flow.Ack(625), 6 * 0.84, TOLERANCE);
}

TEST(Timely, TakesTheThresholdsThemselvesAsBetween)
{
    Flow low;
    low.Ack(45);
    // 5 us: gradient 0.875 x 5 / 20 = 0.21875, times 0.8 is 0.175
    EXPECT_NEAR(low.Ack(50), 10 * (1 - 0.175), TOLERANCE);
    Flow below;
    below.Ack(45);
    EXPECT_NEAR(below.Ack(49.999), 10.04, TOLERANCE);
    Flow high;
    high.Ack(490);
    // 10 us: gradient 0.4375, times 0.8 is 0.35
    EXPECT_NEAR(high.Ack(500), 6.5, TOLERANCE);
    Flow above;
    above.Ack(490);
    EXPECT_NEAR(above.Ack(500.1), 10 * (1 - 0.8 * (1 - 500 / 500.1)), TOLERANCE);
}

TEST(Timely, AveragesTheDifference)
{
    Flow flow;
    flow.Ack(100);
    // 0.875 x 4 = 3.5 us, gradient 0.175
    EXPECT_NEAR(flow.Ack(104), 8.6, TOLERANCE);
    EXPECT_NEAR(flow.timely->GetGradient(), 0.175, TOLERANCE);
    // 0.125 x 3.5 = 0.4375 us, gradient 0.021875
    EXPECT_NEAR(flow.Ack(104), 8.6 * (1 - 0.0175), TOLERANCE);
    // 0.875 x -1 + 0.125 x 0.4375 < 0
    EXPECT_NEAR(flow.Ack(103), 8.6 * (1 - 0.0175) + 0.04, TOLERANCE);
    EXPECT_NEAR(flow.timely->GetGradient(), (-0.875 + 0.0546875) / 20, TOLERANCE);

    Flow sluggish(Settings{{"EwmaGain", "0.02"}});
    sluggish.Ack(100);
    // 0.02 x 4 = 0.08 us, gradient 0.004
    EXPECT_NEAR(sluggish.Ack(104), 10 * (1 - 0.0032), TOLERANCE);
}

TEST(Timely, MeasuresTheGradientInMinRtts)
{
    Flow set(Settings{{"MinRtt", "40us"}});
    set.Ack(100);
    EXPECT_NEAR(set.Ack(104), 10 * (1 - 0.8 * 3.5 / 40), TOLERANCE);
    Flow path(Settings{{"MinRtt", "0us"}}, MicroSeconds(32));
    path.Ack(100);
    EXPECT_NEAR(path.Ack(104), 10 * (1 - 0.8 * 3.5 / 32), TOLERANCE);
}

TEST(Timely, IncreasesHyperactivelyFromTheFifthTimeOn)
{
    Flow flow(WithoutAverage());
    flow.Ack(300);
    const double rates[] = {10.04, 10.08, 10.12, 10.16, 10.36, 10.56};
    for (int i = 0; i < 6; i++)
    {
        // Falls and, at the end, an RTT that stays: a gradient of zero counts as well.
        EXPECT_NEAR(flow.Ack(300 - std::min(i + 1, 5)), rates[i], TOLERANCE) << i;
    }
    // A rise of 2 us, gradient 0.1, ends it.
    EXPECT_NEAR(flow.Ack(297), 10.56 * 0.92, TOLERANCE);
    EXPECT_NEAR(flow.Ack(296), 10.56 * 0.92 + 0.04, TOLERANCE);

    Flow own(WithoutAverage({{"HaiThreshold", "2"}, {"HaiFactor", "3"}}));
    own.Ack(300);
    EXPECT_NEAR(own.Ack(299), 10.04, TOLERANCE);
    EXPECT_NEAR(own.Ack(298), 10.16, TOLERANCE);
}

TEST(Timely, CountsOnlyIncreasesBetweenTheThresholds)
{
    // Four increases, something else, and one more: still one delta.
    for (double other : {40.0, 600.0})
    {
        Flow flow(WithoutAverage({{"Beta", "0.001"}}));
        flow.Ack(600);
        for (int i = 0; i < 4; i++)
        {
            flow.Ack(300 - i);
        }
        const double before = flow.Ack(other);
        // From 40 us up is a rise: the first one only shows that, the second is an increase.
        const double rise = other < 300 ? flow.Ack(296) : before;
        EXPECT_NEAR(flow.Ack(295), rise + 0.04, TOLERANCE) << other;
    }
}

TEST(Timely, CountsFallingRttsWithHaiByDifference)
{
    for (bool byDifference : {false, true})
    {
        Flow flow(Settings{{"HaiByDifference", byDifference ? "true" : "false"}});
        for (double rtt : {900, 800, 700, 600})
        {
            flow.Ack(rtt);
        }
        const double before = flow.Ack(550); // the fourth fall
        // The fifth one is the first between the thresholds.
        const double after = flow.Ack(400);
        EXPECT_NEAR(after, before + (byDifference ? 0.2 : 0.04), TOLERANCE);
        // The RTT stays: the average is negative still, but nothing falls.
        EXPECT_NEAR(flow.Ack(400), after + 0.04, TOLERANCE);
        EXPECT_LT(flow.timely->GetGradient(), 0);
    }
}

TEST(Timely, TakesNoMoreThanHalfInOneEvent)
{
    // TCD's beta of 1.6: half at a gradient of 0.3125, 6.25 us, and not more beyond.
    const std::pair<double, double> rises[] =
        {{6, 0.52}, {6.2, 0.504}, {6.25, 0.5}, {6.3, 0.5}, {10, 0.5}, {15, 0.5}};
    for (const auto& [rise, factor] : rises)
    {
        Flow flow(WithoutAverage({{"Beta", "1.6"}}));
        flow.Ack(100);
        EXPECT_NEAR(flow.Ack(100 + rise), 10 * factor, TOLERANCE) << rise;
    }
    // And above THigh at THigh / RTT = 0.6875: 550 / 800.
    const std::pair<double, double> rtts[] = {{687.5, 1 - 1.6 * 0.2},
                                              {799, 1 - 1.6 * (1 - 550.0 / 799)},
                                              {800, 0.5},
                                              {801, 0.5},
                                              {2000, 0.5}};
    for (const auto& [rtt, factor] : rtts)
    {
        Flow flow(Settings{{"Beta", "1.6"}, {"THigh", "550us"}});
        flow.Ack(100);
        EXPECT_NEAR(flow.Ack(rtt), 10 * factor, TOLERANCE) << rtt;
    }
    // Beta 0.8 comes there at twice the gradient: 12.5 us.
    Flow usual(WithoutAverage());
    usual.Ack(100);
    EXPECT_NEAR(usual.Ack(112), 5.2, TOLERANCE);
    EXPECT_NEAR(usual.Ack(125), 2.6, TOLERANCE);
}

TEST(Timely, TakesMoreWithoutHalfCapButNotAll)
{
    Flow flow(WithoutAverage({{"Beta", "1.6"}, {"HalfCap", "false"}}));
    flow.Ack(100);
    EXPECT_NEAR(flow.Ack(110), 2, TOLERANCE) << "1 - 1.6 x 0.5";
    EXPECT_NEAR(flow.Ack(130), 0.1, TOLERANCE) << "1 - 1.6 x 1 is negative: MinRate";
}

TEST(Timely, KeepsToMinRateAndLineRate)
{
    Flow low(Settings{{"MinRate", "8Gb/s"}});
    low.Ack(600);
    EXPECT_NEAR(low.Ack(1000), 8, TOLERANCE) << "6 without a lowest rate";
    Flow high(Settings{{"InitialRate", "39.99Gb/s"}});
    high.Ack(30);
    EXPECT_DOUBLE_EQ(high.Ack(30), 40);
    EXPECT_DOUBLE_EQ(high.Ack(30), 40);
    Flow narrow(Settings{{"MinRate", "100Gb/s"}});
    EXPECT_DOUBLE_EQ(narrow.timely->GetRateBps(), 40e9) << "line rate where that is lower";
}

TEST(Timely, ScalesTheStepWithTheLine)
{
    const std::pair<const char*, double> references[] = {{"10Gb/s", 10.04},
                                                         {"40Gb/s", 10.01},
                                                         {"0b/s", 10.01},
                                                         {"20Gb/s", 10.02}};
    for (const auto& [reference, rate] : references)
    {
        Flow flow(Settings{{"ReferenceRate", reference}});
        flow.Ack(30);
        EXPECT_NEAR(flow.Ack(30), rate, TOLERANCE) << reference;
    }
}

TEST(Timely, ScalesStepsWithTime)
{
    const Settings settings = WithoutAverage({{"ScaleWithTime", "true"}});
    Flow flow(settings);
    flow.Ack(30);
    EXPECT_NEAR(flow.Ack(30, CAPABLE, 16000, 5), 10.01, TOLERANCE) << "a quarter of MinRtt";
    EXPECT_NEAR(flow.Ack(30, CAPABLE, 16000, 20), 10.05, TOLERANCE);
    EXPECT_NEAR(flow.Ack(30, CAPABLE, 16000, 50), 10.09, TOLERANCE) << "and not more";
    Flow high(settings);
    high.Ack(1000);
    EXPECT_NEAR(high.Ack(1000, CAPABLE, 16000, 5), 9, TOLERANCE) << "0.4 / 4";
    Flow between(settings);
    between.Ack(100);
    EXPECT_NEAR(between.Ack(105, CAPABLE, 16000, 5), 8, TOLERANCE) << "a gradient is not scaled";
    EXPECT_NEAR(between.Ack(104, CAPABLE, 16000, 10), 8.02, TOLERANCE) << "but the increase is";
}

TEST(Timely, HoldsOnUeWhereAGradientWouldCut)
{
    Flow flow(Settings{{"Beta", "1.6"}});
    flow.Ack(100);
    EXPECT_DOUBLE_EQ(flow.Ack(104, UE), 10);
    EXPECT_NEAR(flow.timely->GetGradient(), 0.175, TOLERANCE) << "taken over all the same";
    // The same RTT: 0.125 x 3.5 = 0.4375 us of average are left.
    EXPECT_NEAR(flow.Ack(104), 10 * (1 - 1.6 * 0.021875), TOLERANCE);
}

TEST(Timely, HoldsOnUeNowhereElse)
{
    Flow ce;
    ce.Ack(100);
    EXPECT_NEAR(ce.Ack(104, CE), 8.6, TOLERANCE) << "CE is no UE";
    Flow falling;
    falling.Ack(104);
    EXPECT_NEAR(falling.Ack(100, UE), 10.04, TOLERANCE) << "gradient below zero";
    Flow same;
    same.Ack(100);
    EXPECT_NEAR(same.Ack(100, UE), 10.04, TOLERANCE) << "gradient zero";
    Flow high;
    high.Ack(100);
    EXPECT_NEAR(high.Ack(1000, UE), 6, TOLERANCE) << "above THigh";
    Flow low;
    low.Ack(20);
    EXPECT_NEAR(low.Ack(30, UE), 10.04, TOLERANCE) << "below TLow";
    Flow off(Settings{{"HoldOnUndetermined", "false"}});
    off.Ack(100);
    EXPECT_NEAR(off.Ack(104, UE), 8.6, TOLERANCE) << "switched off";
    Flow edge(WithoutAverage());
    edge.Ack(49);
    EXPECT_DOUBLE_EQ(edge.Ack(50, UE), 10) << "TLow itself is between";
    EXPECT_DOUBLE_EQ(edge.Ack(500, UE), 10) << "and THigh";
}

TEST(Timely, AHoldEndsHyperactiveIncrease)
{
    Flow flow(WithoutAverage());
    flow.Ack(300);
    for (int i = 1; i <= 5; i++)
    {
        flow.Ack(300 - i);
    }
    const double held = flow.Ack(296, UE);
    EXPECT_NEAR(held, 10.36, TOLERANCE);
    EXPECT_NEAR(flow.Ack(295), 10.40, TOLERANCE);

    // By falling RTTs: 199 us is lower than 200, though the average still rises.
    Flow raw(Settings{{"EwmaGain", "0.02"}, {"HaiByDifference", "true"}, {"HaiThreshold", "2"}});
    raw.Ack(100);
    const double before = raw.Ack(200);
    ASSERT_DOUBLE_EQ(raw.Ack(199, UE), before);
    EXPECT_NEAR(raw.Ack(50), before + 0.04, TOLERANCE) << "the first fall after the hold";
    EXPECT_NEAR(raw.Ack(50 - 1e-3), before + 0.08, TOLERANCE) << "below TLow";
}

TEST(Timely, LooksAtTheHighestMarkOfTheSegment)
{
    const struct
    {
        CodePoint first;
        CodePoint second;
        double rate;
    } rows[] = {{UE, CAPABLE, 10}, {CAPABLE, UE, 10}, {UE, CE, 8.6}, {CE, UE, 8.6}, {UE, UE, 10}};

    for (const auto& row : rows)
    {
        Flow flow;
        flow.Ack(100);
        flow.Ack(100, row.first, 8000);
        EXPECT_NEAR(flow.Ack(104, row.second, 8000), row.rate, TOLERANCE)
            << int(row.first) << " then " << int(row.second);
    }
    // The mark is that segment's: the next one has none.
    Flow flow;
    flow.Ack(100);
    ASSERT_DOUBLE_EQ(flow.Ack(104, UE), 10);
    EXPECT_LT(flow.Ack(108), 10);
}

TEST(Timely, CompletesSegments)
{
    Flow flow;
    flow.Ack(300, CAPABLE, 16000);
    for (int i = 0; i < 15; i++)
    {
        EXPECT_DOUBLE_EQ(flow.Ack(900, CAPABLE, 1000), 10) << "RTTs within a segment do not count";
    }
    // The newest one does: 104 after 300 is a fall.
    EXPECT_NEAR(flow.Ack(104, CAPABLE, 1000), 10.04, TOLERANCE);
    EXPECT_NEAR(flow.timely->GetGradient(), -0.875 * 196 / 20, TOLERANCE);
    // 40 000 B are one event, and half of the next segment.
    EXPECT_NEAR(flow.Ack(104, CAPABLE, 40000), 10.08, TOLERANCE);
    EXPECT_NEAR(flow.Ack(104, CAPABLE, 7999), 10.08, TOLERANCE);
    EXPECT_NEAR(flow.Ack(104, CAPABLE, 0), 10.08, TOLERANCE) << "a NACK";
    EXPECT_NEAR(flow.Ack(104, CAPABLE, 1), 10.12, TOLERANCE);

    Flow each(Settings{{"Segment", "1000"}});
    each.Ack(30, CAPABLE, 1000);
    EXPECT_NEAR(each.Ack(30, CAPABLE, 1000), 10.04, TOLERANCE);
}

TEST(Timely, PatchedWeighsIncreaseAndDecrease)
{
    // RTT 150 us is 2 TLow above TLow; w is 2 gradient + 1/2, from 0 to 1.
    const std::pair<double, double> rises[] = {
        {-10, 10.04},                          // gradient -1/2: w = 0
        {-5, 10.04},                           // -1/4: w = 0
        {-2.5, 0.03 + 10 * (1 - 0.008 * 0.5)}, // -1/8: w = 1/4
        {0, 0.02 + 10 * (1 - 0.008)},          // 0: w = 1/2
        {2.5, 0.01 + 10 * (1 - 0.008 * 1.5)},  // 1/8: w = 3/4
        {5, 10 * (1 - 0.016)},                 // 1/4: w = 1
        {20, 10 * (1 - 0.016)},                // 1: w = 1
    };
    const Settings patched = WithoutAverage({{"Variant", "Patched"}, {"Beta", "0.008"}});
    for (const auto& [rise, rate] : rises)
    {
        Flow flow(patched);
        flow.Ack(150 - rise);
        EXPECT_NEAR(flow.Ack(150), rate, TOLERANCE) << rise;
    }
    // RTT = TLow has no error.
    Flow reference(patched);
    reference.Ack(50);
    EXPECT_NEAR(reference.Ack(50), 10.02, TOLERANCE);
    // Beyond the thresholds it is TIMELY; there is no hyperactive increase.
    Flow low(patched);
    low.Ack(20);
    EXPECT_NEAR(low.Ack(30), 10.04, TOLERANCE);
    Flow high(patched);
    high.Ack(150);
    EXPECT_NEAR(high.Ack(1000), 10 * (1 - 0.004), TOLERANCE);
    Flow row(patched);
    row.Ack(400);
    for (int i = 1; i < 10; i++)
    {
        EXPECT_NEAR(row.Ack(400 - 10 * i), 10 + 0.04 * i, TOLERANCE);
    }
    Flow held(patched);
    held.Ack(145);
    EXPECT_DOUBLE_EQ(held.Ack(150, UE), 10);
}

TEST(Timely, ForksWithItsAttributesAndWithoutItsHistory)
{
    Flow first(
        Settings{{"Beta", "1.6"}, {"Segment", "1000"}, {"THigh", "550us"}, {"HaiThreshold", "2"}});
    first.Ack(500, CAPABLE, 1000);
    // One increase, an average below zero, half a segment.
    EXPECT_NEAR(first.Ack(400, CAPABLE, 1000), 10.04, TOLERANCE);
    first.Ack(400, CAPABLE, 500);

    Flow fork;
    fork.timely = DynamicCast<Timely>(first.timely->Fork());
    ASSERT_NE(PeekPointer(fork.timely), PeekPointer(first.timely));
    fork.timely->Start(LINE, Time(0), 1082, Time(0));
    fork.Ack(100, CAPABLE, 500);
    EXPECT_DOUBLE_EQ(fork.Ack(300, CAPABLE, 500), 10) << "its first RTT";
    EXPECT_NEAR(fork.Ack(300, CAPABLE, 1000), 10.04, TOLERANCE) << "its first increase";
    EXPECT_DOUBLE_EQ(fork.timely->GetGradient(), 0);
    EXPECT_NEAR(fork.Ack(687.5, CAPABLE, 1000), 10.04 * (1 - 1.6 * 0.2), TOLERANCE);
    EXPECT_NEAR(first.timely->GetRateBps(), 10.04e9, 1) << "the first one is untouched";
}

namespace
{

std::vector<std::string> g_rows; //!< what the trace said

void
Note(Time now, double rateBps, Time rtt, double gradient)
{
    g_rows.push_back(std::to_string(now.GetMicroSeconds()) + " " +
                     std::to_string(static_cast<int64_t>(rateBps + 0.5)) + " " +
                     std::to_string(rtt.GetNanoSeconds()) + " " + std::to_string(gradient));
}

} // namespace

TEST(Timely, TracesEachCompletionEvent)
{
    g_rows.clear();
    Flow flow;
    flow.timely->TraceConnectWithoutContext("Rate", MakeCallback(&Note));
    flow.Ack(100);
    flow.Ack(104);
    flow.Ack(106, CAPABLE, 1000);
    flow.Ack(110, UE, 15000);
    // 0.875 x 6 + 0.125 x 3.5 = 5.6875 us, gradient 0.284375
    const std::vector<std::string> expected = {"100 10000000000 100000 0.000000",
                                               "200 8600000000 104000 0.175000",
                                               "400 8600000000 110000 0.284375"};
    EXPECT_EQ(g_rows, expected);
    g_rows.clear();
}

TEST(Timely, RefusesImpossibleAttributes)
{
    EXPECT_THROW(Flow(Settings{{"EwmaGain", "0"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"EwmaGain", "1.01"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"Beta", "0"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"Beta", "-1"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"TLow", "500us"}}), InputError) << "THigh";
    EXPECT_THROW(Flow(Settings{{"TLow", "501us"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"TLow", "0us"}, {"Variant", "Patched"}}), InputError)
        << "its reference";
    EXPECT_NO_THROW(Flow(Settings{{"TLow", "0us"}}));
    EXPECT_THROW(Flow(Settings{{"Segment", "0"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"MinRate", "0b/s"}}), InputError);
    EXPECT_THROW(Flow(Settings{{"MinRtt", "0us"}}, Time(0)), InputError) << "no path, no unit";
    EXPECT_NO_THROW(Flow(Settings(), Time(0)));
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/string.h"
#include "ns3/tcd-detector.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000;

/// The paper's port of section 4.3: max(Ton) is 34 400 ns at 40 Gb/s.
DetectorContext
PaperPort(uint64_t gbps = 40)
{
    DetectorContext context;
    context.rateBps = gbps * GBPS;
    context.delay = MicroSeconds(1);
    context.frameBytes = 1000;
    context.xoffBytes = 320000;
    context.xonBytes = 318000;
    return context;
}

/**
 * A port at 40 Gb/s with Kmin 5000 B and Kmax 200000 B, which are the low and the congestion
 * threshold too. RED marks with probability 0 below Kmax, so that every mark is decided. The margin
 * of the trend is 0, so that each byte counts, where a test does not set another.
 */
class TcdDetectorTest : public ::testing::Test
{
  protected:
    static constexpr int64_t MAX_TON = 34400; // [ns]
    static constexpr int64_t T = MAX_TON;     // trend period [ns]
    static constexpr CodePoint NONE = CodePoint::CAPABLE;
    static constexpr CodePoint UE = CodePoint::UNDETERMINED;
    static constexpr CodePoint CE = CodePoint::CONGESTION;

    TcdDetectorTest()
        : detector(CreateObject<TcdDetector>())
    {
        detector->SetAttribute("Pmax", DoubleValue(0));
        detector->SetAttribute("TrendMargin", UintegerValue(0));
        detector->TraceConnectWithoutContext("State",
                                             MakeCallback(&TcdDetectorTest::Changed, this));
        detector->Attach(PaperPort());
    }

    /// @returns the code point of a frame that leaves so many bytes behind it
    CodePoint Leave(int64_t ns, uint64_t bytes, CodePoint before = NONE)
    {
        Frame frame;
        frame.bytes = 1082;
        frame.codePoint = before;
        QueueState queue;
        queue.bytes = bytes;
        queue.frames = static_cast<uint32_t>((bytes + 1081) / 1082);
        detector->OnDequeue(frame, queue, NanoSeconds(ns));
        return frame.codePoint;
    }

    /**
     * Pauses the port.
     *
     * @param onNs end of the OFF [ns], which lasts 5 us
     */
    void Pause(int64_t onNs)
    {
        detector->OnOff(NanoSeconds(onNs - 5000));
        detector->OnOn(NanoSeconds(onNs));
    }

    /**
     * An upstream port is paused.
     *
     * @param fromNs when [ns]
     * @param ns for how long [ns]
     */
    void HoldUpstream(int64_t fromNs, int64_t ns)
    {
        detector->OnUpstreamPause(NanoSeconds(fromNs));
        detector->OnUpstreamResume(NanoSeconds(fromNs + ns));
    }

    /**
     * Pauses the port, lets a frame leave right after, and one when Ton reaches max(Ton).
     *
     * @param onNs end of the OFF [ns]
     * @param bytes queue at the release [B]
     * @returns time of the release [ns]
     */
    int64_t Release(int64_t onNs, uint64_t bytes)
    {
        Pause(onNs);
        EXPECT_EQ(Leave(onNs, bytes), UE);
        EXPECT_EQ(Leave(onNs + MAX_TON, bytes), NONE);
        EXPECT_EQ(detector->GetState(), CongestionDetector::UNDETERMINED);
        return onNs + MAX_TON;
    }

    void Changed(Time now, CongestionDetector::PortState from, CongestionDetector::PortState to)
    {
        changes += std::to_string(now.GetNanoSeconds()) + " " + Symbol(from) + Symbol(to) + "\n";
    }

    static char Symbol(CongestionDetector::PortState state)
    {
        return state == CongestionDetector::UNDETERMINED ? '/'
               : state == CongestionDetector::CONGESTION ? '1'
                                                         : '0';
    }

    Ptr<TcdDetector> detector;
    std::string changes; //!< lines "TIME[ns] FROM TO" with the symbols of section 3.2.1
};

/// @returns the message with which Attach() refuses an attribute, empty if it does not
std::string
Refusal(const std::string& attribute, const std::string& value)
{
    Ptr<TcdDetector> detector = CreateObject<TcdDetector>();
    detector->SetAttribute(attribute, StringValue(value));
    try
    {
        detector->Attach(PaperPort());
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(TcdMaxTon, IsThatOfThePaper)
{
    const struct
    {
        uint64_t gbps;
        int64_t delayUs;
        double epsilon;
        double expectedUs;
    } cases[] = {
        {40, 1, 0.05, 34.40}, // these three in section 4.3
        {100, 1, 0.05, 26.96},
        {200, 1, 0.05, 24.48},
        {400, 1, 0.05, 23.24},
        {40, 4, 0.05, 100.40}, // tau 8.4 us: the paper's simulations
        {40, 4, 0.1, 54.40},
        {40, 4, 0.04, 123.40},
    };

    for (const auto& c : cases)
    {
        const Time maxTon = TcdDetector::MaxTon(c.gbps * GBPS,
                                                1000,
                                                320000,
                                                318000,
                                                MicroSeconds(c.delayUs),
                                                c.epsilon);
        // The results are whole multiples of 10 ns, and Time is rounded to 1 ns.
        EXPECT_EQ(maxTon.GetNanoSeconds(), std::llround(c.expectedUs * 1000)) << c.gbps;
    }
}

TEST(TcdMaxTon, EquationTwoByHand)
{
    // Testbed, section 5.1.1: 10 Gb/s, 800 - 770 KB, tau 20 us, epsilon 0.04, Rd = C/2:
    // (240 000 bit + 100 000 bit) / 0.4 Gb/s + 20 us.
    EXPECT_EQ(TcdDetector::Ton(10 * GBPS, 5 * GBPS, 30000, MicroSeconds(20), 0.04),
              MicroSeconds(870));

    // Figure 8: 40 Gb/s, tau 8 us, 2000 B.
    const Time tau = MicroSeconds(8);
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 20 * GBPS, 2000, tau, 0.05), MicroSeconds(88 + 8));
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 20 * GBPS, 2000, tau, 0.1), MicroSeconds(44 + 8));
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 20 * GBPS, 2000, tau, 1), NanoSeconds(4400 + 8000));
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 5 * GBPS, 2000, tau, 0.05), MicroSeconds(28 + 8));
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 0, 2000, tau, 0.05), MicroSeconds(8 + 8));
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 20 * GBPS, 0, tau, 0.05), MicroSeconds(80 + 8));

    // 0.5 ns / 0.3 + 1 ns = 2.67 ns: to the nearest.
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 20 * GBPS, 0, NanoSeconds(1), 0.3), NanoSeconds(3));
}

TEST(TcdMaxTon, RefusesImpossibleNumbers)
{
    const double bad[] = {0, -0.05, 1.01, std::numeric_limits<double>::quiet_NaN()};
    for (const double epsilon : bad)
    {
        EXPECT_THROW(TcdDetector::Ton(GBPS, 0, 0, Time(1), epsilon), InputError) << epsilon;
    }
    EXPECT_NO_THROW(TcdDetector::Ton(GBPS, 0, 0, Time(1), 1));
    EXPECT_DEATH(TcdDetector::Ton(0, 0, 0, Time(1), 0.05), "line rate is needed");
    EXPECT_DEATH(TcdDetector::MaxTon(0, 1000, 0, 0, Time(1), 0.05), "compute max.Ton.");
    EXPECT_DEATH(TcdDetector::MaxTon(GBPS, 1000, 1, 2, Time(1), 0.05), "Xon, 2 B, is above Xoff");
}

TEST(TcdMaxTon, IsThatOfThePortUnlessSet)
{
    Ptr<TcdDetector> paper = CreateObject<TcdDetector>();
    paper->Attach(PaperPort());
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(34400));
    EXPECT_EQ(paper->GetTrendPeriod(), NanoSeconds(34400));
    paper->Attach(PaperPort(200));
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(24480));

    // What 1000 B of payload occupy on the wire, 1102 B: tau is 441 + 2000 ns and
    // (16 000 + 48 820) bit / 2 Gb/s + 2441 ns.
    DetectorContext wire = PaperPort();
    wire.frameBytes = 1102;
    paper->Attach(wire);
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(34851));
    // With frames of 1538 B: tau 615 + 2000 ns, (16 000 + 52 300) bit / 2 Gb/s + 2615 ns.
    wire.frameBytes = 1538;
    paper->Attach(wire);
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(36765));
    // The user bytes of a full frame, where they are known.
    wire.mtuBytes = 1000;
    paper->Attach(wire);
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(34400));

    DetectorContext far = PaperPort(); // the link of the paper's simulations
    far.delay = MicroSeconds(4);
    paper->Attach(far);
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(100400));

    // No switch can pause the port: tau alone, 24 + 2.4 us.
    DetectorContext host = PaperPort();
    host.xoffBytes = 0;
    host.xonBytes = 0;
    paper->Attach(host);
    EXPECT_EQ(paper->GetMaxTon(), NanoSeconds(26400));

    Ptr<TcdDetector> epsilon = CreateObject<TcdDetector>();
    epsilon->SetAttribute("Epsilon", DoubleValue(0.1));
    epsilon->Attach(PaperPort()); // (16 000 + 48 000) bit / 4 Gb/s + 2.4 us
    EXPECT_EQ(epsilon->GetMaxTon(), NanoSeconds(18400));

    Ptr<TcdDetector> set = CreateObject<TcdDetector>();
    set->SetAttribute("MaxTon", TimeValue(MicroSeconds(50)));
    set->Attach(PaperPort());
    EXPECT_EQ(set->GetMaxTon(), MicroSeconds(50));
    EXPECT_EQ(set->GetTrendPeriod(), MicroSeconds(50));
    set->SetAttribute("TrendPeriod", TimeValue(MicroSeconds(7)));
    set->Attach(PaperPort());
    EXPECT_EQ(set->GetMaxTon(), MicroSeconds(50));
    EXPECT_EQ(set->GetTrendPeriod(), MicroSeconds(7));

    // The rate is all that is known where attributes are checked before the switches are built.
    DetectorContext rateOnly;
    rateOnly.rateBps = 40 * GBPS;
    EXPECT_NO_THROW(CreateObject<TcdDetector>()->Attach(rateOnly));
    EXPECT_DEATH(CreateObject<TcdDetector>()->Attach(DetectorContext()), "line rate is needed");
    EXPECT_NO_THROW(set->Attach(DetectorContext()));
}

TEST(TcdMaxTon, IsTheCreditPeriodUnderCredits)
{
    DetectorContext port = PaperPort();
    port.creditPeriod = MicroSeconds(40);
    Ptr<TcdDetector> detector = CreateObject<TcdDetector>();
    detector->Attach(port);
    EXPECT_EQ(detector->GetMaxTon(), MicroSeconds(40));
    EXPECT_EQ(detector->GetTrendPeriod(), MicroSeconds(40)) << "section 4.4 recommends it";

    // Neither the link's rate nor thresholds of PFC matter.
    DetectorContext bare;
    bare.creditPeriod = NanoSeconds(65536);
    detector = CreateObject<TcdDetector>();
    detector->Attach(bare);
    EXPECT_EQ(detector->GetMaxTon(), NanoSeconds(65536));

    detector = CreateObject<TcdDetector>();
    detector->SetAttribute("MaxTon", TimeValue(MicroSeconds(20))); // half the link for this lane
    detector->Attach(port);
    EXPECT_EQ(detector->GetMaxTon(), MicroSeconds(20));
}

TEST(TcdCredits, TheOnOffPatternOfPeriodicCreditsIsUndetermined)
{
    // Credits come each 40 us and last for 16 us, equation (4) with Rd = 15.4 Gb/s of 40.
    constexpr int64_t PERIOD = 40000;
    DetectorContext port = PaperPort();
    port.creditPeriod = NanoSeconds(PERIOD);
    Ptr<TcdDetector> detector = CreateObject<TcdDetector>();
    detector->SetAttribute("Kmin", UintegerValue(50000));
    detector->SetAttribute("Kmax", UintegerValue(50000));
    detector->SetAttribute("LowThreshold", UintegerValue(5000));
    detector->SetAttribute("TrendMargin", UintegerValue(0));
    detector->Attach(port);
    const auto leave = [&detector](int64_t ns, uint64_t bytes) {
        Frame frame;
        frame.codePoint = CodePoint::CAPABLE;
        detector->OnDequeue(frame, {bytes, 1}, NanoSeconds(ns));
        return frame.codePoint;
    };
    EXPECT_EQ(leave(100, 60000), CodePoint::CONGESTION) << "a root, before any OFF";
    const int64_t first = 1000000;
    for (int period = 0; period < 5; period++)
    {
        const int64_t on = first + period * PERIOD;
        detector->OnOff(NanoSeconds(on - PERIOD + 16000));
        detector->OnOn(NanoSeconds(on));
        for (int64_t ns = on; ns < on + 16000; ns += 215)
        {
            ASSERT_EQ(leave(ns, 200000), CodePoint::UNDETERMINED) << ns;
        }
    }
    // Released: FECN would mark all of this queue; TCD waits for what becomes of it.
    const int64_t release = first + 5 * PERIOD;
    EXPECT_EQ(leave(release - 1, 200000), CodePoint::UNDETERMINED);
    EXPECT_EQ(leave(release, 200000), CodePoint::CAPABLE);
    EXPECT_EQ(leave(release + PERIOD, 150000), CodePoint::CAPABLE) << "it decreases";
    EXPECT_EQ(leave(release + 2 * PERIOD, 151000), CodePoint::CONGESTION) << "it increases";
    EXPECT_EQ(leave(release + 2 * PERIOD + 215, 50001), CodePoint::CONGESTION);
    EXPECT_EQ(leave(release + 2 * PERIOD + 430, 50000), CodePoint::CAPABLE);
}

TEST(TcdAttributes, RefusesImpossibleOnesWithTheirNumbers)
{
    EXPECT_EQ(Refusal("Epsilon", "0"),
              "ns3::TcdDetector::Epsilon: found 0, expected above 0 and at most 1");
    EXPECT_NE(Refusal("Epsilon", "-0.05"), "");
    EXPECT_NE(Refusal("Epsilon", "1.01"), "");
    EXPECT_EQ(Refusal("Epsilon", "1"), "");
    EXPECT_EQ(Refusal("MaxTon", "-1ns"),
              "ns3::TcdDetector::MaxTon: found -1 ns, expected a time of at least 0");
    EXPECT_EQ(Refusal("TrendPeriod", "-1us"),
              "ns3::TcdDetector::TrendPeriod: found -1000 ns, expected a time of at least 0");
    EXPECT_EQ(Refusal("LowThreshold", "200001"),
              "ns3::TcdDetector::LowThreshold: found 200001 B, expected at most "
              "CongestionThreshold, 200000 B");
    EXPECT_EQ(Refusal("LowThreshold", "200000"), "");
    EXPECT_EQ(Refusal("CongestionThreshold", "4999"),
              "ns3::TcdDetector::LowThreshold: found 5000 B, expected at most "
              "CongestionThreshold, 4999 B");
    EXPECT_EQ(Refusal("CongestionThreshold", "5000"), "");
    EXPECT_EQ(Refusal("Pmax", "2"), "ns3::EcnDetector::Pmax: found 2, expected 0 to 1");
}

// Figure 6, transitions 1 and 2: a port that was never paused is one of a lossy network.
TEST_F(TcdDetectorTest, NonCongestionToCongestionAndBack)
{
    EXPECT_EQ(Leave(0, 0), NONE);
    EXPECT_EQ(Leave(1000, 199999), NONE);
    EXPECT_EQ(Leave(2000, 200000), CE); // RED marks from Kmax on; congestion is above it
    EXPECT_EQ(changes, "");
    EXPECT_EQ(Leave(3000, 200001), CE);
    EXPECT_EQ(changes, "3000 01\n");
    EXPECT_EQ(Leave(4000, 900000), CE);
    EXPECT_EQ(Leave(5000, 200000), CE);
    EXPECT_EQ(Leave(6000, 5000), NONE);
    EXPECT_EQ(changes, "3000 01\n5000 10\n");
}

// Transition 3.
TEST_F(TcdDetectorTest, NonCongestionToUndetermined)
{
    EXPECT_EQ(Leave(1000, 4000), NONE);
    detector->OnOff(NanoSeconds(2000));
    EXPECT_EQ(changes, "");
    detector->OnOn(NanoSeconds(7000));
    EXPECT_EQ(changes, ""); // the first frame tells
    EXPECT_EQ(Leave(7000, 0), UE);
    EXPECT_EQ(changes, "7000 0/\n");
    EXPECT_EQ(Leave(7300, 900000), UE); // whatever the queue
    EXPECT_EQ(changes, "7000 0/\n");
}

// Transition 6.
TEST_F(TcdDetectorTest, CongestionToUndetermined)
{
    EXPECT_EQ(Leave(1000, 300000), CE);
    Pause(7000);
    EXPECT_EQ(Leave(7200, 300000), UE);
    EXPECT_EQ(changes, "1000 01\n7200 1/\n");
}

// Transition 4: the queue that the pauses left drains. At 40 Gb/s 34.4 us are 172 000 B.
TEST_F(TcdDetectorTest, UndeterminedToNonCongestion)
{
    const int64_t released = Release(100000, 500000);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(released + 10000, 450000), NONE);
    EXPECT_EQ(Leave(released + T, 328000), NONE);
    EXPECT_EQ(Leave(released + 2 * T, 156000), NONE);
    EXPECT_EQ(Leave(released + 100000, 5001), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(released + 100200, 5000), NONE);
    EXPECT_EQ(changes, "100000 0/\n234600 /0\n");
    // A lossy network from then on, however long ago the pause was.
    EXPECT_EQ(Leave(released + 100400, 200000), CE);
    EXPECT_EQ(Leave(released + 100600, 200001), CE);
    EXPECT_EQ(changes, "100000 0/\n234600 /0\n235000 01\n");
}

// Transition 5: it grows.
TEST_F(TcdDetectorTest, UndeterminedToCongestion)
{
    const int64_t released = Release(100000, 250000);
    EXPECT_EQ(Leave(released + T - 1, 260000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(released + T, 260000), CE);
    EXPECT_EQ(changes, "100000 0/\n168800 /1\n");
    EXPECT_EQ(Leave(released + T + 200, 259000), CE); // RED, above Kmax
    EXPECT_EQ(Leave(released + T + 400, 199999), NONE);
    EXPECT_EQ(changes, "100000 0/\n168800 /1\n169200 10\n");
}

TEST_F(TcdDetectorTest, IsReleasedWhenTonReachesItsMaximum)
{
    Pause(100000);
    EXPECT_EQ(Leave(100000, 100000), UE);
    EXPECT_EQ(Leave(134399, 100000), UE);
    EXPECT_EQ(Leave(134400, 100000), NONE);
    // Two pauses: the second ends just before the first is over, and Ton starts again.
    Pause(200000);
    EXPECT_EQ(Leave(200000, 100000), UE);
    Pause(234399);
    EXPECT_EQ(Leave(234400, 100000), UE);
    EXPECT_EQ(Leave(268798, 100000), UE);
    EXPECT_EQ(Leave(268799, 100000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
}

TEST_F(TcdDetectorTest, APauseAfterWhichNothingLeftInTimeChangesNothing)
{
    EXPECT_EQ(Leave(1000, 300000), CE);
    Pause(100000);
    EXPECT_EQ(Leave(134400, 300000), CE);
    EXPECT_EQ(changes, "1000 01\n");
}

TEST_F(TcdDetectorTest, WhatAPauseLeftIsNotCongestionWhenItsFirstFrameIsLate)
{
    Pause(100000);
    EXPECT_EQ(Leave(100000 + MAX_TON, 300000), NONE);
    EXPECT_EQ(Leave(100000 + MAX_TON + 200, 300000), NONE);
    EXPECT_EQ(changes, std::to_string(100000 + MAX_TON) + " 0/\n");
    // Its first period began at the release.
    EXPECT_EQ(Leave(100000 + MAX_TON + T, 300001), CE);
}

TEST_F(TcdDetectorTest, MaxTonAndTrendPeriodAreThoseSet)
{
    detector->SetAttribute("MaxTon", TimeValue(MicroSeconds(10)));
    detector->SetAttribute("TrendPeriod", TimeValue(MicroSeconds(3)));
    detector->Attach(PaperPort());
    Pause(100000);
    EXPECT_EQ(Leave(109999, 300000), UE);
    EXPECT_EQ(Leave(110000, 300000), NONE);
    EXPECT_EQ(Leave(112999, 400000), NONE);
    EXPECT_EQ(Leave(113000, 400000), CE);
    // Where the first frame is late, a period from it.
    Pause(200000);
    EXPECT_EQ(Leave(200000, 300000), UE);
    EXPECT_EQ(Leave(220000, 300000), NONE);
    EXPECT_EQ(Leave(222999, 400000), NONE);
    EXPECT_EQ(Leave(223000, 400000), CE);
}

TEST_F(TcdDetectorTest, AnEqualQueueHasNotIncreased)
{
    const int64_t released = Release(100000, 300000);
    EXPECT_EQ(Leave(released + T, 300000), NONE);
    EXPECT_EQ(Leave(released + 2 * T, 300000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(released + 3 * T, 300001), CE);
    EXPECT_EQ(changes, "100000 0/\n237600 /1\n");
}

TEST_F(TcdDetectorTest, UpToTheMarginAQueueIsLevel)
{
    // Two frames of 1000 B.
    detector->SetAttribute("TrendMargin", UintegerValue(2));
    detector->Attach(PaperPort());
    const int64_t released = Release(100000, 300000);
    EXPECT_EQ(Leave(released + T, 302000), NONE);
    // The next period starts from 302000 B.
    EXPECT_EQ(Leave(released + 2 * T, 304000), NONE);
    EXPECT_EQ(Leave(released + 3 * T, 306001), CE);
    EXPECT_EQ(changes, "100000 0/\n" + std::to_string(released + 3 * T) + " /1\n");
}

TEST_F(TcdDetectorTest, TheMarginIsTwoFramesByDefault)
{
    UintegerValue margin;
    CreateObject<TcdDetector>()->GetAttribute("TrendMargin", margin);
    EXPECT_EQ(margin.Get(), 2u);
}

// A twentieth of the period, as Epsilon is 0.05: 1720 ns.
TEST_F(TcdDetectorTest, AQueueThatItsSwitchKeepsFromGrowingHasIncreased)
{
    const int64_t released = Release(100000, 300000);
    HoldUpstream(released + 1, T / 20);
    EXPECT_EQ(Leave(released + T, 300000), CE);
    EXPECT_EQ(detector->GetState(), CongestionDetector::CONGESTION);
}

TEST_F(TcdDetectorTest, ShorterUpstreamPausesAreNoIncrease)
{
    const int64_t released = Release(100000, 300000);
    HoldUpstream(released + 1, T / 20 - 1);
    EXPECT_EQ(Leave(released + T, 300000), NONE);
    // The next period counts anew.
    HoldUpstream(released + T + 1, 1);
    EXPECT_EQ(Leave(released + 2 * T, 300000), NONE);
}

TEST_F(TcdDetectorTest, UpstreamPausesAddUp)
{
    const int64_t released = Release(100000, 300000);
    HoldUpstream(released + 1, T / 20 - 500);
    // Two ports at the same time.
    detector->OnUpstreamPause(NanoSeconds(released + 5000));
    HoldUpstream(released + 5000, 250);
    detector->OnUpstreamResume(NanoSeconds(released + 5250));
    EXPECT_EQ(Leave(released + T, 300000), CE);
}

TEST_F(TcdDetectorTest, OnlyThePartOfAnUpstreamPauseWithinThePeriodCounts)
{
    Pause(100000);
    EXPECT_EQ(Leave(100000, 300000), UE);
    // From before the release to just below a twentieth of the first period.
    HoldUpstream(110000, 100000 + MAX_TON - 110000 + T / 20 - 1);
    const int64_t released = 100000 + MAX_TON;
    EXPECT_EQ(Leave(released, 300000), NONE);
    EXPECT_EQ(Leave(released + T, 300000), NONE);
}

TEST_F(TcdDetectorTest, AnUpstreamPauseThatLastsCounts)
{
    const int64_t released = Release(100000, 300000);
    detector->OnUpstreamPause(NanoSeconds(released + T - T / 20));
    EXPECT_EQ(Leave(released + T, 300000), CE);
}

TEST_F(TcdDetectorTest, ABlockedQueueThatDecreasesHasNotIncreased)
{
    const int64_t released = Release(100000, 300000);
    HoldUpstream(released + 1, T / 2);
    EXPECT_EQ(Leave(released + T, 299999), NONE);
    // That was the pause of the first period; the second has none.
    EXPECT_EQ(Leave(released + 2 * T, 299999), NONE);
    EXPECT_EQ(detector->GetState(), CongestionDetector::UNDETERMINED);
}

TEST_F(TcdDetectorTest, ABlockedQueueMayLoseTheMargin)
{
    detector->SetAttribute("TrendMargin", UintegerValue(2));
    detector->Attach(PaperPort());
    const int64_t released = Release(100000, 300000);
    HoldUpstream(released + 1, T / 2);
    EXPECT_EQ(Leave(released + T, 297999), NONE);
    HoldUpstream(released + T + 1, T / 2);
    EXPECT_EQ(Leave(released + 2 * T, 295999), CE);
}

TEST_F(TcdDetectorTest, ABlockedQueueBelowTheThresholdIsNotCongested)
{
    const int64_t released = Release(100000, 200000);
    HoldUpstream(released + 1, T / 2);
    EXPECT_EQ(Leave(released + T, 200000), NONE);
}

TEST_F(TcdDetectorTest, BlockedIsIncreaseCanBeSwitchedOff)
{
    detector->SetAttribute("BlockedIsIncrease", BooleanValue(false));
    const int64_t released = Release(100000, 300000);
    HoldUpstream(released + 1, T / 2);
    EXPECT_EQ(Leave(released + T, 300000), NONE);
    EXPECT_EQ(Leave(released + 2 * T, 300001), CE);
}

TEST_F(TcdDetectorTest, AQueueThatGrowsUpToTheThresholdIsNotCongestion)
{
    const int64_t released = Release(100000, 100000);
    EXPECT_EQ(Leave(released + T, 150000), NONE);
    EXPECT_EQ(Leave(released + 2 * T, 200000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(released + 3 * T, 200001), CE);
    EXPECT_EQ(changes, "100000 0/\n237600 /1\n");
}

TEST_F(TcdDetectorTest, OnlyTheQueuesAtBothEndsOfAPeriodCount)
{
    int64_t released = Release(100000, 300000);
    EXPECT_EQ(Leave(released + 10000, 800000), NONE);
    EXPECT_EQ(Leave(released + T, 299000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");

    released = Release(1000000, 300000);
    EXPECT_EQ(Leave(released + 10000, 210000), NONE);
    EXPECT_EQ(Leave(released + T - 200, 299000), NONE);
    EXPECT_EQ(Leave(released + T, 299500), NONE); // above the last frame's, not the start's
    EXPECT_EQ(changes, "100000 0/\n");
}

TEST_F(TcdDetectorTest, EachPeriodStartsFromTheQueueAtTheEndOfTheLast)
{
    const int64_t released = Release(100000, 400000);
    EXPECT_EQ(Leave(released + T, 300000), NONE);
    EXPECT_EQ(Leave(released + 2 * T, 250000), NONE);
    EXPECT_EQ(Leave(released + 3 * T, 260000), CE);
    EXPECT_EQ(changes, "100000 0/\n237600 /1\n");
}

TEST_F(TcdDetectorTest, PeriodsAreCountedFromTheReleaseAndNotFromFrames)
{
    const int64_t released = 100000 + MAX_TON;
    Pause(100000);
    EXPECT_EQ(Leave(100000, 300000), UE);
    EXPECT_EQ(Leave(released + 300, 300000), NONE); // the first behind the release
    EXPECT_EQ(Leave(released + T - 1, 310000), NONE);
    EXPECT_EQ(Leave(released + T + 200, 290000), NONE); // ends the first period
    EXPECT_EQ(Leave(released + 2 * T - 1, 330000), NONE);
    EXPECT_EQ(Leave(released + 2 * T + 250, 280000), NONE); // ends the second
    EXPECT_EQ(Leave(released + 3 * T - 1, 340000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(released + 3 * T, 281000), CE);
    EXPECT_EQ(changes, "100000 0/\n237600 /1\n");
}

// A queue that higher priorities kept from sending.
TEST_F(TcdDetectorTest, WithoutFramesForPeriodsTheNextStartsAtAFrame)
{
    // The first frame after the release comes 2.5 periods late: nothing to compare it with.
    Pause(100000);
    EXPECT_EQ(Leave(100000, 300000), UE);
    const int64_t late = 100000 + MAX_TON + 5 * T / 2;
    EXPECT_EQ(Leave(late, 400000), NONE);
    EXPECT_EQ(Leave(late + T / 2, 500000), NONE); // a multiple of T after the release
    EXPECT_EQ(Leave(late + T - 1, 500000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(late + T, 400001), CE);
    EXPECT_EQ(changes, "100000 0/\n254800 /1\n");

    // It grew over 2.5 periods: that is an increase.
    int64_t released = Release(1000000, 300000);
    EXPECT_EQ(Leave(released + 5 * T / 2, 300001), CE);

    // It did not: the next period is a whole one. Late by exactly one period is late enough.
    released = Release(2000000, 500000);
    EXPECT_EQ(Leave(released + 2 * T, 300000), NONE);
    EXPECT_EQ(Leave(released + 2 * T + 1, 310000), NONE);
    EXPECT_EQ(Leave(released + 3 * T - 1, 310000), NONE);
    EXPECT_EQ(Leave(released + 3 * T, 310000), CE);
}

TEST_F(TcdDetectorTest, AFurtherPauseDiscardsTheTrend)
{
    const int64_t first = Release(100000, 250000);
    Pause(first + 20000);
    EXPECT_EQ(Leave(first + 20000, 240000), UE);
    // Where the discarded period would have ended.
    EXPECT_EQ(Leave(first + T, 400000), UE);
    const int64_t second = first + 20000 + MAX_TON;
    EXPECT_EQ(Leave(second, 500000), NONE); // above the 250 000 B of the discarded one
    EXPECT_EQ(Leave(second + T - 1, 600000), NONE);
    EXPECT_EQ(Leave(second + T, 450000), NONE);
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(second + 2 * T, 450001), CE);
    EXPECT_EQ(changes, "100000 0/\n257600 /1\n");

    // Also where nothing left between the further pause and its release.
    const int64_t third = Release(1000000, 250000);
    Pause(third + 20000);
    EXPECT_EQ(Leave(third + 20000 + MAX_TON, 500000), NONE);
}

TEST_F(TcdDetectorTest, ThresholdsAreThoseSet)
{
    detector->SetAttribute("LowThreshold", UintegerValue(20000));
    detector->SetAttribute("CongestionThreshold", UintegerValue(50000));
    detector->Attach(PaperPort());

    EXPECT_EQ(Leave(1000, 50000), NONE);
    EXPECT_EQ(changes, "");
    EXPECT_EQ(Leave(2000, 50001), NONE); // congested, but RED marks nothing below Kmax here
    EXPECT_EQ(changes, "2000 01\n");

    int64_t released = Release(100000, 40000);
    EXPECT_EQ(Leave(released + T, 50000), NONE);
    EXPECT_EQ(Leave(released + 2 * T, 50001), CE);
    EXPECT_EQ(changes, "2000 01\n100000 1/\n203200 /1\n");

    released = Release(1000000, 40000);
    EXPECT_EQ(Leave(released + 100, 20001), NONE);
    changes.clear();
    EXPECT_EQ(Leave(released + 200, 20000), NONE);
    EXPECT_EQ(changes, "1034600 /0\n");

    // The lowest that can be set.
    detector->SetAttribute("LowThreshold", UintegerValue(1));
    detector->Attach(PaperPort());
    released = Release(2000000, 40000);
    changes.clear();
    EXPECT_EQ(Leave(released + 100, 2), NONE);
    EXPECT_EQ(changes, "");
    EXPECT_EQ(Leave(released + 200, 1), NONE);
    EXPECT_EQ(changes, "2034600 /0\n");

    // The frame that finds the queue low is not marked, whatever RED says of it.
    detector->SetAttribute("LowThreshold", UintegerValue(200000));
    detector->SetAttribute("CongestionThreshold", UintegerValue(200000));
    detector->Attach(PaperPort());
    released = Release(3000000, 200001);
    EXPECT_EQ(Leave(released + 200, 200000), NONE);
    EXPECT_EQ(Leave(released + 400, 200000), CE);
}

TEST_F(TcdDetectorTest, ThresholdsScaleWithTheLineRate)
{
    // 5 and 200 KB at 25 Gb/s are 20 and 800 KB at 100 Gb/s; max(Ton) is 26.96 us there.
    detector->SetAttribute("ReferenceRate", StringValue("25Gb/s"));
    detector->Attach(PaperPort(100));
    EXPECT_EQ(Leave(1000, 800000), CE);
    EXPECT_EQ(changes, "");
    EXPECT_EQ(Leave(2000, 800001), CE);
    EXPECT_EQ(changes, "2000 01\n");
    Pause(100000);
    EXPECT_EQ(Leave(126959, 700000), UE);
    EXPECT_EQ(Leave(126960, 20001), NONE);
    changes.clear();
    EXPECT_EQ(Leave(127000, 20000), NONE);
    EXPECT_EQ(changes, "127000 /0\n");
}

TEST_F(TcdDetectorTest, AReleasedPortWithALowQueueIsNotCongestedAtOnce)
{
    Pause(100000);
    EXPECT_EQ(Leave(100000, 0), UE);
    EXPECT_EQ(Leave(134399, 0), UE); // not while Ton is short, however low the queue
    EXPECT_EQ(changes, "100000 0/\n");
    EXPECT_EQ(Leave(134400, 0), NONE);
    EXPECT_EQ(changes, "100000 0/\n134400 /0\n");
}

TEST_F(TcdDetectorTest, UeYieldsToCeAndNotCapableIsNeverMarked)
{
    const CodePoint NOT = CodePoint::NOT_CAPABLE;
    Pause(100000);
    EXPECT_EQ(Leave(100000, 300000, NOT), NOT);
    EXPECT_EQ(changes, "100000 0/\n"); // the port is undetermined all the same
    EXPECT_EQ(Leave(100200, 300000, UE), UE);
    EXPECT_EQ(Leave(100400, 300000, CE), CE);

    // Released: marks of other ports stay.
    const int64_t released = 100000 + MAX_TON;
    EXPECT_EQ(Leave(released, 300000, UE), UE);
    EXPECT_EQ(Leave(released + 200, 300000, CE), CE);
    EXPECT_EQ(Leave(released + T, 310000, NOT), NOT);
    EXPECT_EQ(changes, "100000 0/\n168800 /1\n");
    EXPECT_EQ(Leave(released + T + 200, 310000, UE), CE);
    EXPECT_EQ(Leave(released + T + 400, 310000, NOT), NOT);
    EXPECT_EQ(Leave(released + T + 600, 5000, UE), UE);

    const int64_t again = Release(1000000, 300000);
    EXPECT_EQ(Leave(again + T, 310000, UE), CE);
}

// In continuous ON the marks are those of EcnDetector with the same random stream, and being
// undetermined or released draws no random number.
TEST_F(TcdDetectorTest, MarksByRedInContinuousOn)
{
    detector->SetAttribute("Pmax", DoubleValue(0.5));
    detector->SetAttribute("LowThreshold", UintegerValue(1));
    Ptr<EcnDetector> ecn = CreateObject<EcnDetector>();
    ecn->SetAttribute("Pmax", DoubleValue(0.5));
    for (const bool paused : {false, true})
    {
        detector->Attach(PaperPort());
        EXPECT_EQ(detector->AssignStreams(21), 1);
        ecn->Attach(PaperPort());
        EXPECT_EQ(ecn->AssignStreams(21), 1);
        int marked = 0;
        const int n = 10000;
        for (int i = 0; i < n; ++i)
        {
            const int64_t ns = (paused ? 1000000000 : 0) + i * INT64_C(100000);
            if (paused)
            {
                Pause(ns + 10000);
                EXPECT_EQ(Leave(ns + 10000, 150000), UE);
                EXPECT_EQ(Leave(ns + 10000 + MAX_TON, 100000), NONE);
                EXPECT_EQ(Leave(ns + 10200 + MAX_TON, 0), NONE);
            }
            Frame frame;
            frame.codePoint = NONE;
            ecn->OnDequeue(frame, {102500, 95}, NanoSeconds(ns));
            EXPECT_EQ(Leave(ns + 50000, 102500), frame.codePoint) << i;
            marked += frame.codePoint == CE;
        }
        // Half of Pmax in the middle of Kmin and Kmax; five standard deviations.
        EXPECT_NEAR(static_cast<double>(marked) / n, 0.25, 5 * std::sqrt(0.25 * 0.75 / n));
    }
}

TEST(TcdDetector, TonOfYearsIsTheLongestTime)
{
    EXPECT_EQ(TcdDetector::Ton(40 * GBPS, 20 * GBPS, 2000, MicroSeconds(8), 1e-300), Time::Max());
}

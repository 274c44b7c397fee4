// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/input-error.h"
#include "ns3/rocc-detector.h"
#include "ns3/string.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Settings = std::vector<std::pair<std::string, std::string>>;
using Sources = std::vector<uint32_t>;

/**
 * A port whose notifications are collected. At 40 Gb/s Fmax is 4000 units of 10 Mb/s, and Qref,
 * Qmid and Qmax are 250, 500 and 600 units of 600 B. Priority 2 of port 3 of node 5.
 */
class RoccDetectorTest : public ::testing::Test
{
  protected:
    static constexpr uint64_t UNIT = 600; //!< of the queue [B]

    RoccDetectorTest()
    {
        Make({});
    }

    void Make(const Settings& settings, uint64_t rateBps = 40000000000)
    {
        detector = CreateObject<RoccDetector>();
        for (const auto& [name, value] : settings)
        {
            detector->SetAttribute(name, StringValue(value));
        }
        Attach(rateBps);
        detector->SetNotify(MakeCallback(&RoccDetectorTest::Notified, this));
    }

    void Attach(uint64_t rateBps)
    {
        DetectorContext context;
        context.node = 5;
        context.port = 3;
        context.priority = 2;
        context.rateBps = rateBps;
        detector->Attach(context);
    }

    /**
     * @param source of the frames
     * @param count how many
     */
    void Arrive(uint32_t source, int count, FrameKind kind = FrameKind::DATA)
    {
        for (int i = 0; i < count; i++)
        {
            Frame frame;
            frame.kind = kind;
            frame.source = source;
            frame.sourceQueuePair = 7;
            detector->OnEnqueue(frame, QueueState(), Time(0));
        }
    }

    /**
     * @param bytes that wait
     * @param frames that wait
     * @returns F [10 Mb/s]
     */
    double Tick(uint64_t bytes, uint32_t frames = 0)
    {
        now += MicroSeconds(40);
        detector->OnTick({bytes, frames}, now);
        return detector->GetFairRateBps() / 1e7;
    }

    /// @returns the sources notified since the last call, in order
    Sources Told()
    {
        Sources sources;
        std::swap(sources, told);
        return sources;
    }

    Ptr<RoccDetector> detector;
    Time now;
    uint32_t toldRate{0}; //!< of the last CNP [10 Mb/s]

  private:
    void Notified(const Frame& frame, const Notification& notification)
    {
        const Cnp& cnp = std::get<Cnp>(notification);
        EXPECT_EQ(frame.kind, FrameKind::DATA);
        EXPECT_EQ(frame.sourceQueuePair, 7u);
        EXPECT_EQ(cnp.code, CodePoint::CONGESTION);
        EXPECT_EQ(cnp.windowBytes, 0u);
        EXPECT_EQ(cnp.point, 5u * 65536 + 3 * 8 + 2);
        told.push_back(frame.source);
        toldRate = cnp.fairRate;
    }

    Sources told;
};

constexpr double EXACT = 1e-9; //!< rounding only [10 Mb/s]

} // namespace

TEST_F(RoccDetectorTest, FollowsTheController)
{
    EXPECT_EQ(detector->GetTickInterval(), MicroSeconds(40));
    EXPECT_DOUBLE_EQ(detector->GetFairRateBps(), 40e9);
    // F - 0.3 (Q - 250) - 1.5 (Q - Qold)
    EXPECT_NEAR(Tick(100 * UNIT), 3895, EXACT); // 4000 + 45 - 150
    EXPECT_NEAR(Tick(250 * UNIT), 3670, EXACT); // 3895 + 0 - 225
    EXPECT_NEAR(Tick(350 * UNIT), 3490, EXACT); // 3670 - 30 - 150
    EXPECT_NEAR(Tick(350 * UNIT), 3460, EXACT); // 3490 - 30
    EXPECT_NEAR(Tick(200 * UNIT), 3700, EXACT); // 3460 + 15 + 225
    EXPECT_NEAR(Tick(0), 4000, EXACT);          // not 3700 + 75 + 300
    EXPECT_NEAR(Tick(100 * UNIT), 3895, EXACT) << "as at the beginning";
}

TEST_F(RoccDetectorTest, RoundsTheQueueDownToItsUnit)
{
    EXPECT_NEAR(Tick(100 * UNIT + 599), 3895, EXACT);
    EXPECT_NEAR(Tick(250 * UNIT + 1), 3670, EXACT);
    Make({{"QueueUnit", "1000"}});
    // Qref 150 of these: 4000 - 0.3 (100 - 150) - 1.5 x 100
    EXPECT_NEAR(Tick(100999), 3865, EXACT);
}

TEST_F(RoccDetectorTest, HalvesWhereTheQueueGrewByQmid)
{
    EXPECT_NEAR(Tick(90 * UNIT), 3913, EXACT);         // 4000 + 48 - 135
    EXPECT_NEAR(Tick(590 * UNIT), 3913 / 2.0, EXACT);  // grew by 500
    EXPECT_NEAR(Tick(590 * UNIT), 1956.5 - 51, EXACT); // level; 0.15 x 340, below half of Fmax
    Make({});
    Tick(90 * UNIT);
    EXPECT_NEAR(Tick(589 * UNIT), 3062.8, EXACT); // by 499: 3913 - 0.3 x 339 - 1.5 x 499
}

TEST_F(RoccDetectorTest, FallsToTheLowestRateAtQmax)
{
    EXPECT_NEAR(Tick(600 * UNIT - 1), 2000, EXACT); // 599, which is half: grew by more than 500
    EXPECT_NEAR(Tick(600 * UNIT), 10, EXACT);
    // From F <= Fmax / 8 on only the controller acts, here with its gains by 32:
    EXPECT_NEAR(Tick(600 * UNIT), 10, EXACT); // 10 - 0.3 x 350 / 32, not below MinRate
    EXPECT_NEAR(Tick(0), 10 + (75 + 900) / 32.0, EXACT);
    EXPECT_NEAR(Tick(0), 10 + (75 + 900 + 75) / 32.0, EXACT);
    Make({});
    EXPECT_NEAR(Tick(600 * UNIT), 10, EXACT) << "Qmax comes before Qmid";
    Make({{"MinRate", "2Gb/s"}});
    EXPECT_NEAR(Tick(600 * UNIT), 200, EXACT);
}

TEST_F(RoccDetectorTest, CutsHardOnlyAboveAnEighthOfTheLineRate)
{
    Make({{"Alpha", "0"}, {"Beta", "0"}, {"MidThreshold", "600"}});
    EXPECT_NEAR(Tick(1 * UNIT), 2000, EXACT);
    EXPECT_NEAR(Tick(1 * UNIT), 2000, EXACT); // has not grown
    EXPECT_NEAR(Tick(2 * UNIT), 1000, EXACT);
    EXPECT_NEAR(Tick(3 * UNIT), 500, EXACT);
    EXPECT_NEAR(Tick(4 * UNIT), 500, EXACT);
    EXPECT_NEAR(Tick(700 * UNIT), 500, EXACT);
    Make({{"Alpha", "0"}, {"Beta", "0"}, {"MinRate", "5.01Gb/s"}});
    EXPECT_NEAR(Tick(600 * UNIT), 501, EXACT);
    Tick(0);
    EXPECT_NEAR(Tick(599 * UNIT), 501, EXACT) << "half of it is below the lowest rate";
}

TEST_F(RoccDetectorTest, TunesItsGainsToTheRate)
{
    const struct
    {
        double rate;    //!< F [10 Mb/s]
        double divisor; //!< of the gains
    } cases[] = {{2000, 1},
                 {1999, 2},
                 {1000, 2},
                 {999, 4},
                 {500, 4},
                 {499, 8},
                 {250, 8},
                 {249, 16},
                 {125, 16},
                 {124, 32},
                 {62, 32},
                 {10, 32}};

    for (const auto& c : cases)
    {
        const std::string rate = std::to_string(static_cast<int>(c.rate) * 10) + "Mb/s";
        Make({{"MinRate", rate}, {"Alpha", "0.32"}, {"Beta", "0"}});
        EXPECT_NEAR(Tick(600 * UNIT), c.rate, EXACT);
        EXPECT_NEAR(Tick(0), c.rate + 0.32 * 250 / c.divisor, EXACT) << c.rate;
        Make({{"MinRate", rate}, {"Alpha", "0"}, {"Beta", "0.32"}});
        EXPECT_NEAR(Tick(600 * UNIT), c.rate, EXACT);
        EXPECT_NEAR(Tick(0), c.rate + 0.32 * 600 / c.divisor, EXACT) << c.rate;
    }
}

TEST_F(RoccDetectorTest, TakesItsThresholdsFromTheLineRate)
{
    const struct
    {
        uint64_t gbps;
        uint64_t reference, mid, max; //!< [B]
    } cases[] = {{40, 150000, 300000, 360000},
                 {100, 300000, 600000, 660000},
                 {25, 112500, 225000, 285000},
                 {400, 1050000, 2100000, 2160000}};

    for (const auto& c : cases)
    {
        Make({}, c.gbps * 1000000000);
        EXPECT_EQ(detector->GetReference(), c.reference) << c.gbps;
        EXPECT_EQ(detector->GetMidThreshold(), c.mid) << c.gbps;
        EXPECT_EQ(detector->GetMaxThreshold(), c.max) << c.gbps;
        EXPECT_DOUBLE_EQ(detector->GetFairRateBps(), c.gbps * 1e9) << c.gbps;
    }
    Make({{"QueueReference", "1"}, {"MidThreshold", "2"}, {"MaxThreshold", "3"}}, 1000000000);
    EXPECT_EQ(detector->GetReference(), 1u);
    EXPECT_EQ(detector->GetMidThreshold(), 2u);
    EXPECT_EQ(detector->GetMaxThreshold(), 3u);
}

TEST_F(RoccDetectorTest, TellsTheRateInItsUnit)
{
    Arrive(1, 1);
    Tick(90 * UNIT, 1);
    EXPECT_EQ(toldRate, 3913u);
    Tick(590 * UNIT, 1);
    EXPECT_EQ(toldRate, 1957u); // 1956.5
    Make({});
    Arrive(1, 1);
    Tick(90 * UNIT, 1);
    Tick(589 * UNIT, 1);
    EXPECT_EQ(toldRate, 3063u); // 3062.8
    Tick(600 * UNIT, 1);
    EXPECT_EQ(toldRate, 10u);
}

TEST_F(RoccDetectorTest, TellsTheFlowsOfTheQueue)
{
    Arrive(9, 3);
    Arrive(4, 2);
    Tick(250 * UNIT, 5);
    EXPECT_EQ(Told(), (Sources{9, 4}));
    Tick(250 * UNIT, 3); // one frame of 9 is left, and 4's
    EXPECT_EQ(Told(), (Sources{9, 4}));
    Tick(250 * UNIT, 2);
    EXPECT_EQ(Told(), (Sources{4}));
    Arrive(9, 1);
    Tick(250 * UNIT, 3);
    EXPECT_EQ(Told(), (Sources{4, 9}));
    // 4 and 9 have left; 8 came and left too.
    Arrive(8, 1);
    Tick(250 * UNIT, 0);
    EXPECT_EQ(Told(), (Sources{8}));
    Tick(250 * UNIT, 0);
    EXPECT_TRUE(Told().empty());
}

TEST_F(RoccDetectorTest, ANewFrameOfAnOldFlowKeepsItsPlace)
{
    Arrive(9, 1);
    Arrive(4, 1);
    Arrive(9, 1);
    Tick(250 * UNIT, 1); // all but the last have left, but came since the last step
    EXPECT_EQ(Told(), (Sources{9, 4}));
    Tick(250 * UNIT, 1);
    EXPECT_EQ(Told(), (Sources{9}));
}

TEST_F(RoccDetectorTest, OtherFramesTakeRoomButAreNotTold)
{
    Arrive(1, 2);
    Arrive(2, 3, FrameKind::ACK);
    Tick(250 * UNIT, 5);
    EXPECT_EQ(Told(), (Sources{1}));
    Tick(250 * UNIT, 4);
    EXPECT_EQ(Told(), (Sources{1}));
    Tick(250 * UNIT, 3); // only these are left
    EXPECT_TRUE(Told().empty());
}

TEST_F(RoccDetectorTest, TellsNothingAtLineRate)
{
    Arrive(1, 1);
    EXPECT_NEAR(Tick(0), 4000, EXACT);
    EXPECT_TRUE(Told().empty());
    Arrive(1, 1);
    Tick(250 * UNIT, 1); // 4000 - 375
    EXPECT_EQ(Told(), (Sources{1}));
    EXPECT_EQ(toldRate, 3625u);
    EXPECT_NEAR(Tick(0, 1), 4000, EXACT); // 3625 + 75 + 375
    EXPECT_TRUE(Told().empty());
}

TEST_F(RoccDetectorTest, BeginsAnewWhenAttached)
{
    Arrive(1, 5);
    Tick(250 * UNIT, 5);
    Told();
    Attach(40000000000);
    EXPECT_NEAR(Tick(100 * UNIT, 0), 3895, EXACT);
    EXPECT_TRUE(Told().empty());
}

namespace
{

std::vector<std::string> g_rows; //!< what the trace said

void
Note(Time now, double rateBps, uint64_t bytes)
{
    g_rows.push_back(std::to_string(now.GetMicroSeconds()) + " " +
                     std::to_string(static_cast<int64_t>(rateBps + 0.5)) + " " +
                     std::to_string(bytes));
}

} // namespace

TEST_F(RoccDetectorTest, TracesItsSteps)
{
    g_rows.clear();
    detector->TraceConnectWithoutContext("FairRate", MakeCallback(&Note));
    Tick(60001);
    Tick(150000);
    const std::vector<std::string> expected = {"40 38950000000 60001", "80 36700000000 150000"};
    EXPECT_EQ(g_rows, expected);
    g_rows.clear();
}

TEST_F(RoccDetectorTest, RefusesImpossibleAttributes)
{
    EXPECT_THROW(Make({{"Interval", "0us"}}), InputError);
    EXPECT_THROW(Make({{"QueueUnit", "0"}}), InputError);
    for (const char* name : {"Alpha", "Beta"})
    {
        EXPECT_THROW(Make({{name, "-0.1"}}), InputError);
    }
    EXPECT_THROW(Make({{"MinRate", "9999999b/s"}}), InputError);
    EXPECT_NO_THROW(Make({{"MinRate", "10Mb/s"}}));
    EXPECT_NO_THROW(Make({{"MinRate", "100Gb/s"}}));
    EXPECT_NO_THROW(Make({{"QueueReference", "359999"}}));
    try
    {
        Make({{"QueueReference", "360000"}});
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "ns3::RoccDetector::QueueReference: found 360000 B, expected less than "
                     "MaxThreshold, 360000 B");
    }
}

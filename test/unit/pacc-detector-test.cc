// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/pacc-detector.h"
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

/// A port whose notifications are collected. Its qref is 100 KB at 40 Gb/s, its gains 1/8 and 5/4.
class PaccDetectorTest : public ::testing::Test
{
  protected:
    PaccDetectorTest()
    {
        Make({});
    }

    void Make(const Settings& settings, uint64_t gbps = 40)
    {
        detector = CreateObject<PaccDetector>();
        for (const auto& [name, value] : settings)
        {
            detector->SetAttribute(name, StringValue(value));
        }
        DetectorContext context;
        context.rateBps = gbps * 1000000000;
        detector->Attach(context);
        detector->SetNotify(MakeCallback(&PaccDetectorTest::Notified, this));
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
            frame.bytes = 1062;
            frame.source = source;
            frame.sourceQueuePair = 2;
            detector->OnEnqueue(frame, QueueState(), Time(0));
        }
    }

    /**
     * @param bytes that wait
     * @returns p
     */
    double Tick(uint64_t bytes)
    {
        now += MicroSeconds(80);
        detector->OnTick({bytes, static_cast<uint32_t>(bytes / 1000)}, now);
        return detector->GetProbability();
    }

    /// @returns the sources notified since the last call, in order
    Sources Told()
    {
        Sources sources;
        std::swap(sources, told);
        return sources;
    }

    Ptr<PaccDetector> detector;
    Time now;

  private:
    void Notified(const Frame& frame, const Notification& notification)
    {
        const Cnp& cnp = std::get<Cnp>(notification);
        EXPECT_EQ(frame.kind, FrameKind::DATA);
        EXPECT_EQ(frame.sourceQueuePair, 2u);
        EXPECT_EQ(cnp.code, CodePoint::CONGESTION);
        EXPECT_EQ(cnp.windowBytes, 0u);
        EXPECT_EQ(cnp.fairRate, 0u);
        told.push_back(frame.source);
    }

    Sources told;
};

/// What the trace source Probability says.
struct Row
{
    int64_t us;
    double probability;
    uint64_t bytes;
};

std::vector<Row> g_rows;

void
Note(Time now, double probability, uint64_t bytes)
{
    g_rows.push_back({now.GetMicroSeconds(), probability, bytes});
}

} // namespace

TEST_F(PaccDetectorTest, FollowsTheController)
{
    constexpr double EXACT = 1e-12; // rounding only
    EXPECT_EQ(detector->GetTickInterval(), MicroSeconds(80));
    EXPECT_EQ(detector->GetProbability(), 0);
    // p + 0.125 (q/qref - 1) + 1.25 (q - q before)/qref
    EXPECT_NEAR(Tick(20000), 0.15, EXACT);   // 0 - 0.1 + 0.25
    EXPECT_NEAR(Tick(60000), 0.6, EXACT);    // 0.15 - 0.05 + 0.5
    EXPECT_EQ(Tick(100000), 1);              // 0.6 + 0 + 0.5
    EXPECT_EQ(Tick(100000), 1);              // level at qref
    EXPECT_NEAR(Tick(50000), 0.3125, EXACT); // 1 - 0.0625 - 0.625
    EXPECT_EQ(Tick(0), 0);                   // 0.3125 - 0.125 - 0.625
    EXPECT_EQ(Tick(0), 0);
    EXPECT_NEAR(Tick(40000), 0.425, EXACT); // 0 - 0.075 + 0.5
    EXPECT_NEAR(Tick(40000), 0.35, EXACT);  // 0.425 - 0.075
    EXPECT_NEAR(Tick(40000), 0.275, EXACT);
    EXPECT_TRUE(Told().empty()) << "no frames, so nobody to tell";
}

TEST_F(PaccDetectorTest, ScalesTheReferenceWithTheLineRate)
{
    Make({}, 100);
    EXPECT_DOUBLE_EQ(Tick(50000), 0.15); // 20 % of 250 KB
    Make({{"ReferenceRate", "0b/s"}}, 100);
    EXPECT_DOUBLE_EQ(Tick(20000), 0.15); // 20 % of 100 KB
    Make({{"ReferenceRate", "0b/s"}, {"QueueReference", "1000"}});
    EXPECT_DOUBLE_EQ(Tick(200), 0.15);
    Make({{"Alpha", "0.25"}, {"Beta", "2"}});
    EXPECT_DOUBLE_EQ(Tick(20000), 0.2); // -0.25 x 0.8 + 2 x 0.2
}

TEST_F(PaccDetectorTest, TheRateLiftsQrefToHalfOfXoff)
{
    DetectorContext context;
    context.rateBps = 400000000000;
    context.ownXoffBytes = 620000;
    detector->Attach(context);
    EXPECT_DOUBLE_EQ(Tick(62000), 0.15); // 20 % of 310 KB, not of 1 MB
    context.ownXoffBytes = 150000;
    detector->Attach(context);
    EXPECT_DOUBLE_EQ(Tick(20000), 0.15); // 20 % of 100 KB, which Xoff does not lower
    detector->SetAttribute("XoffShare", DoubleValue(0));
    detector->Attach(context);
    EXPECT_DOUBLE_EQ(Tick(200000), 0.15); // 20 % of 1 MB
}

TEST_F(PaccDetectorTest, NotifiesInProportionToTheFrames)
{
    // p = 1. Of 40 frames 30 and 10, so w N = 1.5 and 0.5: 1.6 w N = 2.4 and 0.8.
    Arrive(1, 30);
    Arrive(2, 10);
    EXPECT_EQ(Tick(200000), 1);
    EXPECT_EQ(Told(), (Sources{1, 1, 2}));
    // w N = 2.25, 0.45 and 0.3 of three flows: only the first has half of the average.
    Arrive(1, 15);
    Arrive(2, 3);
    Arrive(3, 2);
    EXPECT_EQ(Tick(200000), 1);
    EXPECT_EQ(Told(), (Sources{1, 1, 1, 1})); // 3.6
    // A single flow is the average: 1.6.
    Arrive(3, 7);
    EXPECT_EQ(Tick(200000), 1);
    EXPECT_EQ(Told(), (Sources{3, 3}));
    // Nobody sent, so nobody is told.
    EXPECT_EQ(Tick(200000), 1);
    EXPECT_TRUE(Told().empty());
}

TEST_F(PaccDetectorTest, NotifiesInProportionToTheProbability)
{
    Tick(20000);
    Arrive(1, 30);
    Arrive(2, 10);
    EXPECT_NEAR(Tick(60000), 0.6, 1e-12);
    EXPECT_EQ(Told(), (Sources{1})); // 1.6 x 0.6 = 0.96; x 1.5 = 1.44, x 0.5 = 0.48
    Tick(100000);
    Arrive(1, 30);
    Arrive(2, 10);
    EXPECT_NEAR(Tick(50000), 0.3125, 1e-12); // 1 - 0.0625 - 0.625
    EXPECT_EQ(Told(), (Sources{1}));         // 1.6 x 0.3125 x 1.5 = 0.75; x 0.5 = 0.25
    Arrive(1, 30);
    EXPECT_EQ(Tick(0), 0);
    EXPECT_TRUE(Told().empty());
}

TEST_F(PaccDetectorTest, TakesPeriodIntervalAndThresholdAsSet)
{
    Make({{"Period", "100us"}, {"CnpInterval", "10us"}, {"Theta", "0.8"}});
    EXPECT_EQ(detector->GetTickInterval(), MicroSeconds(100));
    Arrive(1, 60);
    Arrive(2, 40);
    EXPECT_EQ(Tick(200000), 1);
    EXPECT_EQ(Told().size(), 20u); // w N = 1.2 and 0.8, of 10: 12 and 8
    Arrive(1, 61);
    Arrive(2, 39);
    Tick(200000);
    EXPECT_EQ(Told(), Sources(12, 1)); // 12.2, and 0.78 is below the threshold
    Make({{"Theta", "0"}});
    Arrive(1, 19);
    Arrive(2, 1);
    Tick(200000);
    EXPECT_EQ(Told(), (Sources{1, 1, 1})); // 3.04; 0.16 is none
}

TEST_F(PaccDetectorTest, NotifiesInTheOrderOfFirstArrival)
{
    for (int i = 0; i < 10; i++)
    {
        for (uint32_t source : {70, 10, 30})
        {
            Arrive(source, 1);
        }
    }
    Tick(200000);
    EXPECT_EQ(Told(), (Sources{70, 70, 10, 10, 30, 30}));
    for (uint32_t source : {30, 10, 70})
    {
        Arrive(source, 1);
    }
    Tick(200000);
    EXPECT_EQ(Told(), (Sources{30, 30, 10, 10, 70, 70}));
}

TEST_F(PaccDetectorTest, CountsDataOnly)
{
    // The acknowledgements are neither a second flow nor part of the sum: 1.6.
    Arrive(1, 10);
    Arrive(2, 90, FrameKind::ACK);
    Arrive(1, 90, FrameKind::NOTIFICATION);
    Tick(200000);
    EXPECT_EQ(Told(), (Sources{1, 1}));
}

TEST_F(PaccDetectorTest, BeginsAnewWhenAttached)
{
    Arrive(1, 10);
    EXPECT_EQ(Tick(200000), 1);
    Arrive(1, 10);
    Told();
    DetectorContext context;
    context.rateBps = 40000000000;
    detector->Attach(context);
    EXPECT_DOUBLE_EQ(Tick(20000), 0.15) << "p and the queue before are forgotten";
    EXPECT_EQ(Tick(200000), 1);
    EXPECT_TRUE(Told().empty()) << "as are the flows";
}

TEST_F(PaccDetectorTest, TracesItsSteps)
{
    g_rows.clear();
    detector->TraceConnectWithoutContext("Probability", MakeCallback(&Note));
    Tick(20000);
    Tick(60000);
    ASSERT_EQ(g_rows.size(), 2u);
    EXPECT_EQ(g_rows[1].us, 160);
    EXPECT_NEAR(g_rows[1].probability, 0.6, 1e-12);
    EXPECT_EQ(g_rows[1].bytes, 60000u);
    g_rows.clear();
}

TEST_F(PaccDetectorTest, RefusesImpossibleAttributes)
{
    EXPECT_THROW(Make({{"Period", "0us"}}), InputError);
    EXPECT_THROW(Make({{"Period", "-1us"}}), InputError);
    EXPECT_THROW(Make({{"CnpInterval", "0us"}}), InputError);
    EXPECT_THROW(Make({{"QueueReference", "0"}}), InputError);
    EXPECT_NO_THROW(Make({{"Alpha", "0"}, {"Beta", "0"}, {"Theta", "0"}}));
    for (const char* name : {"Alpha", "Beta", "Theta"})
    {
        EXPECT_THROW(Make({{name, "-0.1"}}), InputError);
    }
    try
    {
        Make({{"Theta", "-1"}});
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "ns3::PaccDetector::Theta: found -1, expected at least 0");
    }
}

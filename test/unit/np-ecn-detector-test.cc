// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/np-ecn-detector.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr CodePoint NONE = CodePoint::CAPABLE;
constexpr CodePoint UE = CodePoint::UNDETERMINED;
constexpr CodePoint CE = CodePoint::CONGESTION;

/// A queue of frames of 1000 B and its detector, with a threshold of 2000 B.
class NpEcnDetectorTest : public ::testing::Test
{
  protected:
    NpEcnDetectorTest()
        : detector(CreateObject<NpEcnDetector>())
    {
        detector->SetAttribute("Threshold", UintegerValue(2000));
        detector->Attach(DetectorContext());
    }

    void Arrive(uint32_t frames = 1, CodePoint code = NONE)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            Frame frame;
            frame.bytes = 1000;
            frame.codePoint = code;
            queue.push_back(code);
            detector->OnEnqueue(frame, State(), Time(0));
        }
    }

    /// @returns the code point of the oldest frame after it left
    CodePoint Leave()
    {
        Frame frame;
        frame.bytes = 1000;
        frame.codePoint = queue.front();
        queue.pop_front();
        detector->OnDequeue(frame, State(), Time(0));
        return frame.codePoint;
    }

    QueueState State() const
    {
        return {1000 * queue.size(), static_cast<uint32_t>(queue.size())};
    }

    Ptr<NpEcnDetector> detector;
    std::deque<CodePoint> queue; //!< code points of the frames that wait
};

} // namespace

TEST_F(NpEcnDetectorTest, MarksAboveTheThresholdWhereNothingWasPaused)
{
    Arrive(5);
    EXPECT_EQ(Leave(), CE);   // 4000 B behind it
    EXPECT_EQ(Leave(), CE);   // 3000 B
    EXPECT_EQ(Leave(), NONE); // 2000 B
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
}

TEST(NpEcnDetector, DefaultThresholdIsDcqcnsKmax)
{
    Ptr<NpEcnDetector> detector = CreateObject<NpEcnDetector>();
    detector->Attach(DetectorContext());
    for (const uint64_t bytes : {199999, 200000, 200001})
    {
        Frame frame;
        frame.codePoint = NONE;
        detector->OnDequeue(frame, {bytes, 200}, Time(0));
        EXPECT_EQ(frame.codePoint, bytes > 200000 ? CE : NONE) << bytes;
    }
}

TEST_F(NpEcnDetectorTest, SparesWhatWaitedOrArrivedWhilePaused)
{
    Arrive(4);
    EXPECT_EQ(Leave(), CE);
    detector->OnOff(Time(0)); // 3 wait
    Arrive(2);
    detector->OnOn(Time(0)); // PN = 5
    Arrive(4);
    EXPECT_EQ(Leave(), NONE); // 8000 B behind it
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    Arrive(3); // not paused either
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE); // the fifth
    EXPECT_EQ(Leave(), CE);   // 6000 B
    EXPECT_EQ(Leave(), CE);
    EXPECT_EQ(Leave(), CE);
    EXPECT_EQ(Leave(), CE);   // 3000 B
    EXPECT_EQ(Leave(), NONE); // 2000 B
    Arrive(2);
    EXPECT_EQ(Leave(), CE); // 3000 B
}

TEST_F(NpEcnDetectorTest, SparesWhatWaitedWhereNothingArrivedWhilePaused)
{
    Arrive(4);
    EXPECT_EQ(Leave(), CE); // 3000 B
    detector->OnOff(Time(0));
    detector->OnOn(Time(0)); // PN = 3
    Arrive(3);
    EXPECT_EQ(Leave(), NONE); // 5000 B
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE); // 3000 B
    Arrive(1);
    EXPECT_EQ(Leave(), CE); // 3000 B
}

TEST_F(NpEcnDetectorTest, CountsAgainAtEachResume)
{
    Arrive(5);
    detector->OnOff(Time(0));
    detector->OnOn(Time(0)); // PN = 5
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    Arrive(1);
    detector->OnOff(Time(0));
    EXPECT_EQ(detector->GetState(), CongestionDetector::NON_CONGESTION);
    detector->OnOn(Time(0)); // PN = 4: three left and one new, neither 3 nor 3 + 4
    Arrive(9);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), CE);
}

TEST_F(NpEcnDetectorTest, OnlyTheResumeSetsTheCounter)
{
    Arrive(5);
    detector->OnOff(Time(0));
    detector->OnOn(Time(0)); // PN = 5
    EXPECT_EQ(Leave(), NONE);
    detector->OnOff(Time(0)); // of no effect on the counter by itself
    EXPECT_EQ(Leave(), NONE); // PN = 3
    Arrive(5);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), NONE);
    EXPECT_EQ(Leave(), CE); // 4000 B
}

TEST_F(NpEcnDetectorTest, APauseOfAnEmptyQueueSparesNothing)
{
    Arrive(1);
    EXPECT_EQ(Leave(), NONE);
    detector->OnOff(Time(0));
    detector->OnOn(Time(0)); // PN = 0
    Arrive(4);
    EXPECT_EQ(Leave(), CE);
}

TEST_F(NpEcnDetectorTest, CountsFramesThatCannotBeMarkedAndKeepsMarks)
{
    Arrive(1, CodePoint::NOT_CAPABLE);
    Arrive(1, CE);
    detector->OnOff(Time(0));
    detector->OnOn(Time(0)); // PN = 2
    Arrive(1, CodePoint::NOT_CAPABLE);
    Arrive(1, UE);
    Arrive(4);
    EXPECT_EQ(Leave(), CodePoint::NOT_CAPABLE);
    EXPECT_EQ(Leave(), CE);
    EXPECT_EQ(Leave(), CodePoint::NOT_CAPABLE); // 5000 B behind it
    EXPECT_EQ(Leave(), CE);                     // was UE
    EXPECT_EQ(Leave(), CE);
}

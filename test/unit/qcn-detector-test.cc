// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/qcn-detector.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t FRAME = 100; // small, so that intervals are seen to within 100 B

/// A detector and what it sends.
class Point
{
  public:
    Point()
        : m_detector(CreateObject<QcnDetector>())
    {
        m_detector->AssignStreams(5);
        m_detector->SetNotify(MakeCallback(&Point::Notified, this));
    }

    ~Point()
    {
        m_detector->SetNotify(CongestionDetector::Notify());
    }

    Point(const Point&) = delete;

    Point& Set(const std::string& name, const AttributeValue& value)
    {
        m_detector->SetAttribute(name, value);
        return *this;
    }

    QcnDetector& Attach()
    {
        m_detector->Attach(DetectorContext());
        return *m_detector;
    }

    /**
     * @param queueBytes that wait before a frame
     * @returns whether it caused a message
     */
    bool Arrive(uint64_t queueBytes, FrameKind kind = FrameKind::DATA)
    {
        FramePtr frame = MakeFrame();
        frame->kind = kind;
        frame->bytes = FRAME;
        frame->priority = 2;
        const std::size_t before = sent.size();
        m_detector->OnEnqueue(*frame, {queueBytes + FRAME, 1}, MicroSeconds(1));
        return sent.size() > before;
    }

    /**
     * @param queueBytes that wait all the time
     * @returns bytes up to and with the sampled frame
     */
    double Interval(uint64_t queueBytes)
    {
        double bytes = FRAME;
        while (!Arrive(queueBytes))
        {
            bytes += FRAME;
        }
        return bytes;
    }

    std::vector<QcnMessage> sent;

  private:
    void Notified(const Frame&, const Notification& message)
    {
        sent.push_back(std::get<QcnMessage>(message));
    }

    Ptr<QcnDetector> m_detector;
};

} // namespace

TEST(QcnDetector, FeedbackIsQuantisedIn63Steps)
{
    Point point;
    const QcnDetector& detector = point.Attach(); // Qeq 26000, w 2: |Fb| up to 130000

    const struct
    {
        int64_t queue;
        int64_t before;
        uint32_t quantised;
    } cases[] = {
        {0, 0, 0},
        {26000, 26000, 0},
        {26000, 0, 25},       // 52000 / 130000 of 63 is 25.2
        {28063, 28063, 0},    // 2063: 0.9998
        {28064, 28064, 1},    // 2064: 1.0002
        {52000, 52000, 12},   // 26000: 12.6
        {30000, 40000, 0},    // 4000 - 20000
        {156000, 156000, 63}, // 130000
        {155999, 155999, 62}, // one byte less
        {52000, 0, 63},       // 26000 + 104000
        {1000000000, 0, 63},  // cut
        {10000, 0, 1},        // -16000 + 20000 = 4000: 1.94
    };

    for (const auto& c : cases)
    {
        EXPECT_EQ(detector.Quantise(c.queue, c.before), c.quantised) << c.queue << " " << c.before;
    }
    point.Set("Weight", IntegerValue(-1)).Set("Qeq", UintegerValue(1000)).Attach();
    EXPECT_EQ(detector.Quantise(2000, 1000), 47u); // 1000 + 500 of 2000: 47.25
}

TEST(QcnDetector, TableOfIntervals)
{
    const double kilobytes[] = {150, 75, 50, 37.5, 30, 25, 21.5, 18.5};
    for (uint32_t quantised = 0; quantised < 64; quantised++)
    {
        EXPECT_NEAR(150 * QcnDetector::GetIntervalShare(quantised), kilobytes[quantised / 8], 1e-9);
    }
}

TEST(QcnDetector, IntervalFollowsTheFeedback)
{
    Point point;
    point.Set("Jitter", DoubleValue(0)).Attach();
    EXPECT_EQ(point.Interval(52000), 150000); // the first: nothing is known
    ASSERT_EQ(point.sent.size(), 1u);
    EXPECT_EQ(point.sent[0].feedback, 63); // 26000 + 2 * 52000
    EXPECT_EQ(point.Interval(52000), 18500);
    EXPECT_EQ(point.sent[1].feedback, 12); // 26000: a level queue
    EXPECT_EQ(point.Interval(52000), 75000);
    EXPECT_EQ(point.Interval(52000), 75000);
    EXPECT_EQ(point.Interval(78000), 75000);
    EXPECT_EQ(point.sent[4].feedback, 50); // 52000 + 52000: 50.4
    EXPECT_EQ(point.Interval(78000), 21500);
    EXPECT_EQ(point.sent[5].feedback, 25); // 25.2
    EXPECT_EQ(point.Interval(78000), 37500);
}

TEST(QcnDetector, MessageSaysWhereTheQueueIs)
{
    Point point;
    point.Set("Jitter", DoubleValue(0)).Set("HeaderOctets", UintegerValue(30));
    const QcnDetector& detector = point.Attach();
    point.Interval(52000);
    const QcnMessage& message = point.sent.back();
    EXPECT_EQ(message.offset, 26000 / 64);
    EXPECT_EQ(message.delta, 52000 / 64);
    EXPECT_TRUE(message.point == detector.GetPoint());
    EXPECT_EQ(message.quotedBytes, 30);
    EXPECT_EQ(message.priority, 6);
    point.Set("MessagePriority", IntegerValue(-1)).Attach();
    point.Interval(5000000);
    EXPECT_EQ(point.sent.back().priority, 2);
    EXPECT_EQ(point.sent.back().offset, 32767); // 16 bits
}

TEST(QcnDetector, SaysNothingBelowTheSetPoint)
{
    Point point;
    point.Attach();
    for (int i = 0; i < 20000; i++)
    {
        ASSERT_FALSE(point.Arrive(8000)); // with w 2 a rise of 8000 is not enough: -18000 + 16000
    }
    EXPECT_TRUE(point.sent.empty());
}

TEST(QcnDetector, JitterHasItsMeanAndSpread)
{
    Point point;
    point.Attach();
    point.Interval(52000);
    point.Interval(52000); // from now on a level queue, 75 KB +-15 %
    const int n = 4000;
    double sum = 0;
    double squares = 0;
    double least = 1e9;
    double most = 0;
    for (int i = 0; i < n; i++)
    {
        const double bytes = point.Interval(52000);
        sum += bytes;
        squares += bytes * bytes;
        least = std::min(least, bytes);
        most = std::max(most, bytes);
    }
    const double mean = sum / n;
    const double deviation = std::sqrt(squares / n - mean * mean);
    // Uniform on 22500 B; a frame overshoots by half of its size.
    EXPECT_NEAR(mean, 75000 + FRAME / 2, 5 * 22500 / std::sqrt(12 * n));
    EXPECT_NEAR(deviation, 22500 / std::sqrt(12), 0.05 * 22500 / std::sqrt(12));
    EXPECT_GE(least, 63750);
    EXPECT_LT(least, 63750 + 3 * FRAME);
    EXPECT_LE(most, 86250 + FRAME);
    EXPECT_GT(most, 86250 - 3 * FRAME);
}

TEST(QcnDetector, DoesNotSampleMessages)
{
    Point point;
    point.Attach();
    for (int i = 0; i < 20000; i++)
    {
        ASSERT_FALSE(point.Arrive(1000000, FrameKind::NOTIFICATION));
        ASSERT_FALSE(point.Arrive(1000000, FrameKind::PFC));
    }
}

TEST(QcnDetector, RangesOfTheMib)
{
    Ptr<QcnDetector> detector = CreateObject<QcnDetector>();
    EXPECT_FALSE(detector->SetAttributeFailSafe("Qeq", UintegerValue(99)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("Weight", IntegerValue(11)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("SampleBase", UintegerValue(9999)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("HeaderOctets", UintegerValue(65)));
    EXPECT_TRUE(detector->SetAttributeFailSafe("HeaderOctets", UintegerValue(64)));
}

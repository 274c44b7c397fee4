// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The congestion point's pseudo-code of "Ethernet Congestion Manager" (2007), section 3.2.1, line
// by line, with the readings that EcmDetector names.

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/ecm-detector.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t FRAME = 1064;
constexpr int QEQ = 375; // 24000 B

/// A detector and what it sends.
class Point
{
  public:
    explicit Point(uint64_t capacityBytes = 200000)
        : m_detector(CreateObject<EcmDetector>())
    {
        m_context.node = 7;
        m_context.port = 300;
        m_context.priority = 3;
        m_context.rateBps = 10000000000;
        m_context.queueCapacityBytes = capacityBytes;
        m_detector->AssignStreams(11);
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

    /// Every frame is a sample.
    Point& SampleAll()
    {
        Set("FixedInterval", UintegerValue(0));
        return Set("RandomInterval", UintegerValue(0));
    }

    DetectorContext& Context()
    {
        return m_context;
    }

    EcmDetector& Attach()
    {
        m_detector->Attach(m_context);
        return *m_detector;
    }

    /**
     * A frame arrives.
     * @param units that wait before it [64 B]
     * @param frame which, a plain data frame if none is given
     * @param more bytes that wait [B]
     * @returns the message that it caused
     */
    std::optional<EcmMessage> Arrive(uint64_t units, FramePtr frame = nullptr, uint32_t more = 0)
    {
        if (!frame)
        {
            frame = MakeData();
        }
        m_sent.clear();
        m_detector->OnEnqueue(*frame, {64 * units + more + frame->bytes, 1}, MicroSeconds(1));
        EXPECT_LE(m_sent.size(), 1u);
        return m_sent.empty() ? std::nullopt : std::optional(std::get<EcmMessage>(m_sent.front()));
    }

    static FramePtr MakeData()
    {
        FramePtr frame = MakeFrame();
        frame->bytes = FRAME;
        frame->priority = 3;
        return frame;
    }

    /// A frame with a CM-Tag, of this congestion point if none is given.
    FramePtr MakeTagged(std::optional<CongestionPointId> point = std::nullopt) const
    {
        FramePtr frame = MakeData();
        CmTag tag;
        tag.point = point ? *point : m_detector->GetPoint();
        tag.timestamp = 0xBEEF;
        tag.unit = 2;
        frame->tag = MakeCongestionTag();
        frame->tag->tag = tag;
        return frame;
    }

  private:
    void Notified(const Frame&, const Notification& message)
    {
        m_sent.push_back(message);
    }

    Ptr<EcmDetector> m_detector;
    DetectorContext m_context;
    std::vector<Notification> m_sent;
};

void
ExpectFeedback(const std::optional<EcmMessage>& message, int offset, int delta)
{
    ASSERT_TRUE(message);
    EXPECT_EQ(message->offset, offset);
    EXPECT_EQ(message->delta, delta);
}

} // namespace

TEST(EcmDetector, ThresholdsFollowQeqAndCapacity)
{
    Point point(200000);
    EcmDetector& detector = point.Attach();
    EXPECT_EQ(detector.GetEquilibrium(), 375u);
    EXPECT_EQ(detector.GetMildThreshold(), 750u);            // 2 Qeq
    EXPECT_EQ(detector.GetSevereThreshold(), 160000u / 64u); // 80 %
    point.Set("Qmc", UintegerValue(64000)).Set("Qsc", UintegerValue(128000)).Attach();
    EXPECT_EQ(detector.GetMildThreshold(), 1000u);
    EXPECT_EQ(detector.GetSevereThreshold(), 2000u);
}

TEST(EcmDetector, PointIsNamedByAddressPortAndPriority)
{
    Point point;
    const CongestionPointId unknown = point.Attach().GetPoint();
    const std::array<uint8_t, 8> byNode = {2, 0, 0, 0, 0, 7, 300 >> 5, (300 & 31) << 3 | 3};
    EXPECT_EQ(unknown.bytes, byNode);
    const uint8_t address[6] = {2, 1, 2, 3, 4, 5};
    std::copy(address, address + 6, point.Context().address);
    const std::array<uint8_t, 8> byAddress = {2, 1, 2, 3, 4, 5, 300 >> 5, (300 & 31) << 3 | 3};
    EXPECT_EQ(point.Attach().GetPoint().bytes, byAddress);
    point.Context().priority = 4;
    EXPECT_FALSE(point.Attach().GetPoint().bytes == byAddress);
}

TEST(EcmDetector, SevereCongestionStopsTheSource)
{
    Point point;
    point.SampleAll().Attach();
    ExpectFeedback(point.Arrive(2501), 0, 0);
    ExpectFeedback(point.Arrive(2500), QEQ, 2 * QEQ); // not above Qsc
}

TEST(EcmDetector, WithoutACapacityNothingIsStopped)
{
    Point point(0);
    point.SampleAll().Attach();
    ExpectFeedback(point.Arrive(1000000000), QEQ, 2 * QEQ);
}

TEST(EcmDetector, MildCongestionSendsTheMost)
{
    Point point;
    point.SampleAll().Set("Qscale", UintegerValue(4)).Set("SaturationBit", BooleanValue(true));
    point.Attach();
    const auto message = point.Arrive(751);
    ExpectFeedback(message, QEQ, 2 * QEQ); // without Qscale
    EXPECT_FALSE(message->saturated);
    point.Arrive(750);
    ExpectFeedback(point.Arrive(750), 4 * QEQ, 0); // not above Qmc
}

TEST(EcmDetector, RegularFeedbackIsOffsetAndChange)
{
    Point point;
    point.SampleAll().Attach();
    ExpectFeedback(point.Arrive(400), 25, 400);
    ExpectFeedback(point.Arrive(500), 125, 100);
    ExpectFeedback(point.Arrive(495), 120, -5);
}

TEST(EcmDetector, QueueIsThatBeforeTheFrameInWholeUnits)
{
    Point point;
    point.SampleAll().Attach();
    ExpectFeedback(point.Arrive(376, nullptr, 0), 1, 376);
    ExpectFeedback(point.Arrive(377, nullptr, 63), 2, 1);
    EXPECT_FALSE(point.Arrive(375, nullptr, 63)); // one byte short of 376
}

TEST(EcmDetector, OffsetAndChangeAreCut)
{
    Point point;
    // Mild congestion only far above, so that the regular branch is seen there.
    point.SampleAll().Set("Qmc", UintegerValue(64 * 2000)).Set("Qsc", UintegerValue(64 * 3000));
    point.Set("SaturationBit", BooleanValue(true)).Attach();
    auto message = point.Arrive(2000);
    ExpectFeedback(message, QEQ, 2 * QEQ); // 1625 and 2000
    EXPECT_TRUE(message->saturated);
    message = point.Arrive(1249); // changes by -751
    EXPECT_FALSE(message);        // speeds up: not for a frame without our tag
    point.Arrive(2000);
    message = point.Arrive(1200, point.MakeTagged()); // changes by -800
    ExpectFeedback(message, QEQ, -2 * QEQ);
    EXPECT_TRUE(message->saturated);
    message = point.Arrive(450, point.MakeTagged()); // by -750: not cut
    ExpectFeedback(message, 75, -2 * QEQ);
    EXPECT_FALSE(message->saturated);
    message = point.Arrive(0, point.MakeTagged());
    ExpectFeedback(message, -QEQ, -450);
}

TEST(EcmDetector, QBitIsOffUnlessEnabled)
{
    Point point;
    point.SampleAll().Set("Qmc", UintegerValue(64 * 2000)).Set("Qsc", UintegerValue(64 * 3000));
    point.Attach();
    EXPECT_FALSE(point.Arrive(2000)->saturated);
}

TEST(EcmDetector, NoChangeSendsNothing)
{
    Point point;
    point.SampleAll().Attach();
    point.Arrive(375, point.MakeTagged());
    EXPECT_FALSE(point.Arrive(375, point.MakeTagged())); // (0, 0) would stop the source
}

TEST(EcmDetector, PositiveFeedbackIsForOurTaggedFramesOnly)
{
    Point point;
    point.SampleAll().Attach();
    CongestionPointId other = point.Attach().GetPoint();
    other.bytes[7] ^= 1;
    for (uint64_t queue : {100, 101, 375, 376, 376, 374, 375})
    {
        const bool below = queue <= 375;
        EXPECT_EQ(bool(point.Arrive(queue, Point::MakeData())), !below) << queue;
        FramePtr cn = Point::MakeData();
        cn->tag = MakeCongestionTag();
        cn->tag->tag = CnTag{1};
        point.Arrive(queue - 1, std::move(cn));
        EXPECT_EQ(bool(point.Arrive(queue, point.MakeTagged(other))), !below) << queue;
        point.Arrive(queue - 1, point.MakeTagged(other));
        EXPECT_TRUE(point.Arrive(queue, point.MakeTagged())) << queue;
    }
}

TEST(EcmDetector, NoUntaggedFrameEverCausesPositiveFeedback)
{
    Point point;
    point.SampleAll().Attach();
    // A queue that falls from above: Qoff > 0, but -(Qoff + 2 Qdelta) > 0 too.
    point.Arrive(700);
    EXPECT_FALSE(point.Arrive(500)); // -(125 - 400)
    point.Arrive(700);
    ExpectFeedback(point.Arrive(690), 315, -10);

    // Whatever the queue does.
    uint32_t sent = 0;
    uint64_t queue = 0;
    for (uint64_t i = 0; i < 20000; i++)
    {
        queue = (queue * 6364136223846793005u + 1442695040888963407u) >> 3;
        const auto message = point.Arrive(queue % 2400);
        if (message && (message->offset != 0 || message->delta != 0))
        {
            sent++;
            ASSERT_LT(-(message->offset + 2 * message->delta), 0);
        }
    }
    EXPECT_GT(sent, 10000u);

    // The document's own rule alone sends it.
    point.Set("OnlyNegativeUntagged", BooleanValue(false)).Attach();
    point.Arrive(700);
    ExpectFeedback(point.Arrive(500), 125, -200);
}

TEST(EcmDetector, FeedbackIsScaled)
{
    Point point;
    point.SampleAll().Set("Qscale", UintegerValue(8)).Attach();
    ExpectFeedback(point.Arrive(400), 8 * 25, 8 * 400);
}

TEST(EcmDetector, MessageHasPointTimeAndPriority)
{
    Point point;
    point.SampleAll().Set("QuotedBytes", UintegerValue(48));
    EcmDetector& detector = point.Attach();
    auto message = point.Arrive(700, point.MakeTagged());
    ASSERT_TRUE(message);
    EXPECT_TRUE(message->point == detector.GetPoint());
    EXPECT_TRUE(message->timestamped);
    EXPECT_EQ(message->timestamp, 0xBEEF);
    EXPECT_EQ(message->unit, 2);
    EXPECT_EQ(message->quotedBytes, 48);
    EXPECT_EQ(message->priority, 7);
    message = point.Arrive(720);
    EXPECT_FALSE(message->timestamped);
    EXPECT_EQ(message->timestamp, 0);
    EXPECT_EQ(message->unit, 0);
    point.Set("MessagePriority", IntegerValue(-1)).Attach();
    EXPECT_EQ(point.Arrive(740)->priority, 3);
}

TEST(EcmDetector, MessagesAndPauseFramesAreNeitherSampledNorCounted)
{
    Point point;
    point.SampleAll().Set("FixedInterval", UintegerValue(4 * FRAME)).Attach();
    for (FrameKind kind : {FrameKind::NOTIFICATION, FrameKind::PFC})
    {
        for (int i = 0; i < 100; i++)
        {
            FramePtr frame = Point::MakeData();
            frame->kind = kind;
            EXPECT_FALSE(point.Arrive(600, std::move(frame)));
        }
    }
    for (int i = 0; i < 3; i++)
    {
        EXPECT_FALSE(point.Arrive(600));
    }
    EXPECT_TRUE(point.Arrive(600)); // the frame that makes L >= S
    for (FrameKind kind : {FrameKind::ACK, FrameKind::NACK, FrameKind::PACKET})
    {
        FramePtr frame = Point::MakeData();
        frame->kind = kind;
        frame->bytes = 4 * FRAME;
        EXPECT_TRUE(point.Arrive(600 + static_cast<int>(kind), std::move(frame)));
    }
}

TEST(EcmDetector, OversamplesWhenEmptyAndAboveQmc)
{
    Point point;
    point.SampleAll().Set("FixedInterval", UintegerValue(8 * FRAME));
    point.Set("Sscale", UintegerValue(4)).Attach();
    const auto interval = [&](uint64_t queue) {
        int frames = 1;
        while (!point.Arrive(queue, point.MakeTagged()))
        {
            frames++;
            queue += queue > 0 && queue != 751; // so that it changes
        }
        return frames;
    };
    EXPECT_EQ(interval(400), 8);
    EXPECT_EQ(interval(751), 2);
    EXPECT_EQ(interval(751), 2);
    EXPECT_EQ(interval(0), 2);
    EXPECT_EQ(interval(500), 8);
    // The stored interval is divided at each arrival: three frames have come when the queue
    // empties.
    for (int i = 0; i < 3; i++)
    {
        EXPECT_FALSE(point.Arrive(600));
    }
    EXPECT_TRUE(point.Arrive(0, point.MakeTagged()));
}

TEST(EcmDetector, SamplingIntervalHasItsMeanAndSpread)
{
    for (bool symmetric : {false, true})
    {
        Point point;
        point.Set("FixedInterval", UintegerValue(100000));
        point.Set("RandomInterval", UintegerValue(64000));
        point.Set("SymmetricInterval", BooleanValue(symmetric)).Attach();
        const int n = 20000;
        double sum = 0;
        double squares = 0;
        double least = 1e9;
        double most = 0;
        for (int i = 0; i < n; i++)
        {
            FramePtr frame = Point::MakeData();
            frame->bytes = 64; // fine steps
            double bytes = 64;
            while (!point.Arrive(600 + i % 2))
            {
                bytes += FRAME;
            }
            bytes += FRAME - 64;
            sum += bytes;
            squares += bytes * bytes;
            least = std::min(least, bytes);
            most = std::max(most, bytes);
        }
        const double mean = sum / n;
        const double deviation = std::sqrt(squares / n - mean * mean);
        const double span = symmetric ? 128000 : 64000;
        // Uniform: deviation span / sqrt(12); the sampled frame overshoots by half of its size.
        EXPECT_NEAR(mean,
                    100000 + (symmetric ? 0 : 32000) + FRAME / 2,
                    5 * deviation / std::sqrt(n));
        EXPECT_NEAR(deviation, span / std::sqrt(12), 0.02 * span);
        EXPECT_GE(least, 100000 - (symmetric ? 64000 : 0));
        EXPECT_LE(most, 100000 + 64000 + FRAME);
        EXPECT_LT(least, 100000 - (symmetric ? 64000 : 0) + 2 * FRAME);
        EXPECT_GT(most, 100000 + 64000 - FRAME);
    }
}

TEST(EcmDetector, StreamsMakeItRepeatable)
{
    std::vector<int> first;
    for (int run = 0; run < 2; run++)
    {
        Point point;
        point.Attach();
        std::vector<int> samples;
        for (int i = 0; i < 5000; i++)
        {
            if (point.Arrive(600 + i))
            {
                samples.push_back(i);
            }
        }
        EXPECT_GT(samples.size(), 30u);
        EXPECT_TRUE(run == 0 || samples == first);
        first = samples;
    }
}

TEST(EcmDetector, StateIsThatOfTheLastSample)
{
    Point point;
    point.SampleAll();
    EcmDetector& detector = point.Attach();
    EXPECT_EQ(detector.GetState(), CongestionDetector::NON_CONGESTION);
    point.Arrive(376);
    EXPECT_EQ(detector.GetState(), CongestionDetector::CONGESTION);
    point.Arrive(375);
    EXPECT_EQ(detector.GetState(), CongestionDetector::NON_CONGESTION);
}

TEST(EcmDetector, RefusesImpossibleAttributes)
{
    const auto refusal = [](auto set) {
        Point point;
        set(point);
        try
        {
            point.Attach();
        }
        catch (const InputError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal([](Point& p) { p.Set("Qmc", UintegerValue(20000)); }),
              "ns3::EcmDetector::Qmc: found 20000 B, expected at least Qeq, 24000 B");
    EXPECT_EQ(refusal([](Point& p) { p.Set("Qsc", UintegerValue(40000)); }),
              "ns3::EcmDetector::Qsc: found 40000 B, expected at least Qmc, 48000 B");
    EXPECT_EQ(refusal([](Point& p) { p.Set("W", DoubleValue(0.3)); }),
              "ns3::EcmDetector::W: found 0.3, expected a multiple of 1/8");
    EXPECT_EQ(refusal([](Point& p) { p.Set("Qscale", UintegerValue(44)); }),
              "ns3::EcmDetector::Qscale: found 44, expected 2 Qscale Qeq below 2^15 units of 64 B, "
              "the message's field; it is 33000");
    EXPECT_EQ(refusal([](Point& p) { p.Set("Qscale", UintegerValue(43)); }), "");
    Ptr<EcmDetector> detector = CreateObject<EcmDetector>();
    EXPECT_FALSE(detector->SetAttributeFailSafe("FixedInterval", UintegerValue(262145)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("RandomInterval", UintegerValue(65537)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("QuotedBytes", UintegerValue(23)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("Qeq", UintegerValue(63)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("W", DoubleValue(8.125)));
    EXPECT_FALSE(detector->SetAttributeFailSafe("MessagePriority", IntegerValue(8)));
}

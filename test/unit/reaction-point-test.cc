// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ecm-reaction-point.h"
#include "ns3/far-time.h"
#include "ns3/frame-size.h"
#include "ns3/input-error.h"
#include "ns3/qcn-reaction-point.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t C = 10000000000;
constexpr uint32_t OVERHEAD = 20;
constexpr int64_t US = 1000000; // [ps]
const uint8_t SWITCH[6] = {2, 0, 0, 0, 9, 1};

/// @returns a frame of 1062 B to a destination
FramePtr
MakeData(uint8_t destination, uint8_t priority = 3, uint32_t number = 0)
{
    FramePtr frame = MakeFrame();
    frame->priority = priority;
    frame->addresses.sourceMac[5] = 1;
    frame->addresses.destinationMac[5] = destination;
    frame->payload = 1000;
    frame->psn = number;
    frame->bytes = FrameBytes(*frame);
    return frame;
}

/// @returns a message about a frame
FramePtr
MakeMessage(const Frame& sampled, int offset, int delta, uint8_t point = 1)
{
    EcmMessage message;
    message.offset = static_cast<int16_t>(offset);
    message.delta = static_cast<int16_t>(delta);
    message.point.bytes[0] = point;
    return MakeCongestionMessage(sampled, message, SWITCH);
}

class ReactionPointTest : public ::testing::Test
{
  protected:
    ReactionPointTest()
        : point(CreateObject<EcmReactionPoint>())
    {
        point->AssignStreams(3);
    }

    ~ReactionPointTest() override
    {
        point->Dispose();
    }

    void Start(uint32_t limiters = 4)
    {
        point->SetAttribute("Limiters", UintegerValue(limiters));
        point->Start(C, OVERHEAD);
    }

    /// Negative feedback about frames to a destination.
    void Slow(uint8_t destination, int64_t nowPs = 0, uint8_t priority = 3)
    {
        EXPECT_TRUE(
            point->OnNotification(*MakeMessage(*MakeData(destination, priority), 375, 750), nowPs));
    }

    /// Positive feedback until line rate.
    void Free(uint8_t destination, int64_t nowPs, uint8_t priority = 3)
    {
        for (int i = 0; i < 12; i++)
        {
            point->OnNotification(*MakeMessage(*MakeData(destination, priority), -375, -750),
                                  nowPs);
        }
    }

    ReactionPoint::Verdict Offer(FramePtr frame, int64_t nowPs = 0, bool bounded = false)
    {
        return point->Offer(frame, bounded, nowPs);
    }

    const RateLimiter* Find(uint8_t destination, int64_t nowPs = 0, uint8_t priority = 3)
    {
        FramePtr frame = MakeData(destination, priority);
        return point->Find({frame->addresses, frame->hash, priority}, nowPs);
    }

    /// Sends what there is of a priority at the times that the limiters say. @returns PSNs
    std::vector<uint32_t> Drain(int64_t& nowPs, uint8_t priority = 3)
    {
        std::vector<uint32_t> sent;
        for (int64_t next = 0; next != NEVER_PS;)
        {
            nowPs = std::max(nowPs, next);
            if (point->GetReady(nowPs) >> priority & 1)
            {
                sent.push_back(point->Pull(priority, nowPs, nowPs)->psn);
            }
            next = point->GetNextReadyPs(0xFF);
        }
        return sent;
    }

    Ptr<ReactionPoint> point;
};

} // namespace

TEST_F(ReactionPointTest, WithoutMessagesEverythingPasses)
{
    Start();
    EXPECT_FALSE(point->IsInUse());
    FramePtr frame = MakeData(2);
    EXPECT_EQ(point->Offer(frame, true, 0), ReactionPoint::PASSES);
    ASSERT_TRUE(frame);
    EXPECT_FALSE(frame->tag);
    EXPECT_EQ(point->GetReady(0), 0);
    EXPECT_EQ(point->GetNextReadyPs(0xFF), NEVER_PS);
}

TEST_F(ReactionPointTest, LimitsTheFlowOfTheSampledFrameAndNoOther)
{
    Start();
    Slow(2);
    EXPECT_EQ(point->GetLimitersInUse(), 1u);
    EXPECT_EQ(Offer(MakeData(4)), ReactionPoint::PASSES);
    EXPECT_EQ(Offer(MakeData(2, 5)), ReactionPoint::PASSES) << "another priority";
    FramePtr frame = MakeData(2);
    frame->addresses.sourceMac[5] = 7;
    EXPECT_EQ(Offer(std::move(frame)), ReactionPoint::PASSES) << "another source";
    EXPECT_EQ(Offer(MakeData(2)), ReactionPoint::WAITS);
}

TEST_F(ReactionPointTest, PacesAtItsRate)
{
    Start();
    Slow(2); // C / 4
    for (uint32_t i = 0; i < 4; i++)
    {
        EXPECT_EQ(Offer(MakeData(2, 3, i)), ReactionPoint::WAITS);
    }
    // 1062 + 16 + 20 B at 2.5 Gb/s
    const int64_t gapPs = 1098 * 8 * 400;
    int64_t nowPs = 0;
    for (uint32_t i = 0; i < 4; i++)
    {
        ASSERT_EQ(point->GetReady(nowPs), 1 << 3);
        EXPECT_EQ(point->GetNextReadyPs(1 << 3), 0);
        EXPECT_EQ(point->GetNextReadyPs(1 << 2), NEVER_PS);
        EXPECT_EQ(point->GetHead(3).bytes, 1062u + 16);
        EXPECT_EQ(point->GetHead(3).readyPs, nowPs);
        FramePtr frame = point->Pull(3, nowPs, nowPs);
        EXPECT_EQ(frame->psn, i);
        EXPECT_EQ(frame->bytes, FrameBytes(*frame));
        ASSERT_TRUE(frame->tag);
        EXPECT_EQ(std::get<CmTag>(frame->tag->tag).point.bytes[0], 1);
        EXPECT_EQ(std::get<CmTag>(frame->tag->tag).timestamp, nowPs / US);
        EXPECT_EQ(point->GetReady(nowPs), 0);
        if (i < 3)
        {
            EXPECT_EQ(point->GetNextReadyPs(0xFF), nowPs + gapPs);
        }
        nowPs += gapPs;
    }
    EXPECT_EQ(point->GetNextReadyPs(0xFF), NEVER_PS);
    // The gap after the last frame holds for one that comes early.
    Offer(MakeData(2), nowPs - gapPs / 2);
    EXPECT_EQ(point->GetNextReadyPs(0xFF), nowPs);
}

TEST_F(ReactionPointTest, ARateThatChangesCountsFromTheLastFrame)
{
    Start();
    Slow(2);
    Offer(MakeData(2));
    Offer(MakeData(2));
    ASSERT_TRUE(point->GetReady(0));
    point->Pull(3, 0, 0);
    Slow(2, US); // halved: C / 8
    EXPECT_EQ(point->GetNextReadyPs(0xFF), 1098 * 8 * 800);
    // Ready, but then stopped.
    ASSERT_TRUE(point->GetReady(10 * US));
    point->OnNotification(*MakeMessage(*MakeData(2), 0, 0), 10 * US);
    EXPECT_EQ(point->GetReady(10 * US), 0);
    int64_t nowPs = 10 * US;
    EXPECT_EQ(Drain(nowPs).size(), 1u);
    EXPECT_EQ(nowPs, 1098 * 8 * 10000) << "restarted at 100 Mb/s within 10 us, a gap after the "
                                          "frame at 0";
}

TEST_F(ReactionPointTest, OtherMessagesAreNotForIt)
{
    Start();
    FramePtr cnp = MakeFrame();
    cnp->kind = FrameKind::NOTIFICATION;
    EXPECT_FALSE(point->OnNotification(*cnp, 0));
    QcnMessage message;
    message.feedback = 63;
    EXPECT_FALSE(point->OnNotification(*MakeCongestionMessage(*MakeData(2), message, SWITCH), 0));
    EXPECT_FALSE(point->IsInUse());
}

TEST_F(ReactionPointTest, PositiveFeedbackInstantiatesNothing)
{
    Start();
    Free(2, 0);
    EXPECT_FALSE(point->IsInUse());
}

TEST_F(ReactionPointTest, IsReclaimedWhenEmptyAndAtLineRate)
{
    Start();
    Slow(2);
    Offer(MakeData(2, 3, 0));
    Offer(MakeData(2, 3, 1));
    Free(2, 0);
    EXPECT_EQ(Find(2)->GetRateBps(), C);
    EXPECT_EQ(Offer(MakeData(2, 3, 2)), ReactionPoint::WAITS) << "or it would overtake";
    ASSERT_TRUE(point->GetReady(0));
    EXPECT_EQ(point->Pull(3, 0, 0)->psn, 0u);
    int64_t nowPs = 0;
    EXPECT_EQ(Drain(nowPs), (std::vector<uint32_t>{1, 2}));
    EXPECT_FALSE(point->IsInUse());
    EXPECT_EQ(Offer(MakeData(2, 3, 3)), ReactionPoint::PASSES);
}

TEST_F(ReactionPointTest, StaleLimiterFreesItselfBySelfIncrease)
{
    Start();
    Slow(2);
    EXPECT_TRUE(Find(2, 7400000 * US)); // 7.5 Gb/s in steps of 1 Mb/s each ms: 7.5 s
    EXPECT_FALSE(Find(2, 7500000 * US));
    EXPECT_FALSE(point->IsInUse());
}

TEST_F(ReactionPointTest, QueueOfTheStackIsBounded)
{
    point->SetAttribute("QueueSize", UintegerValue(3 * 1078));
    Start();
    Slow(2);
    EXPECT_EQ(Offer(MakeData(2), 0, true), ReactionPoint::WAITS);
    EXPECT_EQ(Offer(MakeData(2), 0, true), ReactionPoint::WAITS);
    EXPECT_EQ(Offer(MakeData(2), 0, true), ReactionPoint::WAITS);
    FramePtr frame = MakeData(2);
    EXPECT_EQ(point->Offer(frame, true, 0), ReactionPoint::FULL);
    EXPECT_TRUE(frame && !frame->tag);
    EXPECT_EQ(point->Offer(frame, false, 0), ReactionPoint::WAITS);
    EXPECT_FALSE(frame);
}

TEST_F(ReactionPointTest, OneLimitedFlowDoesNotHoldAnother)
{
    Start();
    Slow(2);
    Slow(4);
    Slow(4);
    Slow(4); // C / 16
    for (uint32_t i = 0; i < 8; i++)
    {
        Offer(MakeData(2, 3, i));
        Offer(MakeData(4, 3, 100 + i));
    }
    int64_t nowPs = 0;
    const std::vector<uint32_t> sent = Drain(nowPs);
    ASSERT_EQ(sent.size(), 16u);
    EXPECT_EQ(sent[0], 0u);
    EXPECT_EQ(sent[1], 100u);
    // Four frames of the first for one of the second.
    EXPECT_EQ(std::vector<uint32_t>(sent.begin() + 2, sent.begin() + 7),
              (std::vector<uint32_t>{1, 2, 3, 4, 101}));
}

TEST_F(ReactionPointTest, CoarseLimiterWhenLimitersRunOut)
{
    Start(2);
    Slow(2);
    Slow(4);
    for (uint32_t i = 0; i < 3; i++)
    {
        Offer(MakeData(2, 3, i));
    }
    EXPECT_FALSE(point->IsCoarse(3));
    Slow(6);
    EXPECT_TRUE(point->IsCoarse(3));
    EXPECT_EQ(point->GetLimitersInUse(), 2u) << "the one without frames was released";

    // All of the priority goes through the coarse one now, known flows and others.
    for (uint8_t destination : {2, 4, 6, 8})
    {
        EXPECT_EQ(Offer(MakeData(destination, 3, 10 * destination)), ReactionPoint::WAITS);
        EXPECT_EQ(Find(destination)->GetRateBps(), C / 4);
    }
    EXPECT_EQ(Offer(MakeData(8, 4)), ReactionPoint::PASSES) << "another priority";

    // The fine one is emptied at line rate, before the coarse one sends: 20 comes after 2.
    int64_t nowPs = 0;
    EXPECT_EQ(Drain(nowPs), (std::vector<uint32_t>{0, 1, 2, 20, 40, 60, 80}));
    EXPECT_EQ(point->GetLimitersInUse(), 1u);
    // Two gaps at line rate, three at a quarter.
    EXPECT_NEAR(nowPs, 1098 * 8 * (2 * 100 + 3 * 400), 1000);
}

TEST_F(ReactionPointTest, CoarseLimiterTakesTheMessagesOfItsPriority)
{
    Start(1);
    Slow(2);
    Slow(4);
    ASSERT_TRUE(point->IsCoarse(3));
    Slow(8); // halves it
    EXPECT_EQ(Find(6)->GetRateBps(), C / 8);
    Slow(4, 0, 5); // a fine one is free for another priority
    EXPECT_FALSE(point->IsCoarse(5));
    Slow(6, 0, 5);
    EXPECT_TRUE(point->IsCoarse(5));
}

TEST_F(ReactionPointTest, FineLimitersComeBackAfterTheCoarseOne)
{
    Start(1);
    Slow(2);
    Slow(4);
    ASSERT_TRUE(point->IsCoarse(3));
    Offer(MakeData(4, 3, 1));
    Free(4, 0);
    EXPECT_TRUE(point->IsCoarse(3)) << "its queue is not empty";
    int64_t nowPs = 0;
    EXPECT_EQ(Drain(nowPs), (std::vector<uint32_t>{1}));
    EXPECT_FALSE(point->IsCoarse(3));
    EXPECT_FALSE(point->IsInUse());
    Slow(6, nowPs);
    EXPECT_FALSE(point->IsCoarse(3));
    EXPECT_EQ(Offer(MakeData(6), nowPs), ReactionPoint::WAITS);
    EXPECT_EQ(Offer(MakeData(4), nowPs), ReactionPoint::PASSES);
}

TEST_F(ReactionPointTest, ALimiterThatMayBeReclaimedIsTakenFirst)
{
    Start(1);
    Slow(2);
    Free(2, 0); // at line rate and empty, but nobody has looked since
    Slow(4);
    EXPECT_FALSE(point->IsCoarse(3));
    EXPECT_TRUE(Find(4));
    EXPECT_FALSE(Find(2));
}

TEST_F(ReactionPointTest, WithoutFineLimitersThereIsTheCoarseOne)
{
    Start(0);
    Slow(2);
    EXPECT_TRUE(point->IsCoarse(3));
    EXPECT_EQ(Offer(MakeData(9)), ReactionPoint::WAITS);
}

TEST_F(ReactionPointTest, ManyFlowsAreTold)
{
    Start(200);
    for (uint8_t d = 1; d < 201; d++)
    {
        Slow(d);
    }
    EXPECT_EQ(point->GetLimitersInUse(), 200u);
    for (uint8_t d = 2; d < 201; d += 2)
    {
        Free(d, 0);
        EXPECT_FALSE(Find(d));
    }
    EXPECT_EQ(point->GetLimitersInUse(), 100u);
    for (uint8_t d = 1; d < 201; d++)
    {
        EXPECT_EQ(Find(d) != nullptr, d % 2 == 1) << +d;
    }
}

TEST_F(ReactionPointTest, FlowsShareAnIdentifier)
{
    point->SetAttribute("FlowIds", UintegerValue(1));
    Start();
    Slow(2);
    EXPECT_EQ(Offer(MakeData(4)), ReactionPoint::WAITS);
    Slow(6);
    EXPECT_EQ(point->GetLimitersInUse(), 1u);
    EXPECT_EQ(Find(2)->GetRateBps(), C / 8);
}

TEST_F(ReactionPointTest, FlowsByPriorityOnly)
{
    point->SetAttribute("MatchDestination", BooleanValue(false));
    point->SetAttribute("MatchSource", BooleanValue(false));
    Start();
    Slow(2);
    EXPECT_EQ(Offer(MakeData(9)), ReactionPoint::WAITS);
    EXPECT_EQ(Offer(MakeData(2, 4)), ReactionPoint::PASSES);
}

TEST_F(ReactionPointTest, FlowsByConnectionNeedTheQuote)
{
    point->SetAttribute("MatchConnection", BooleanValue(true));
    Start();
    FramePtr first = MakeData(2);
    first->hash = 1;
    point->OnNotification(*MakeMessage(*first, 375, 750), 0); // 40 bytes quoted, 36 needed
    FramePtr second = MakeData(2);
    second->hash = 2;
    EXPECT_EQ(Offer(std::move(second)), ReactionPoint::PASSES);
    first->tag = MakeCongestionTag();
    first->bytes = FrameBytes(*first);
    try
    {
        point->OnNotification(*MakeMessage(*first, 375, 750), 0);
        FAIL() << "the UDP port is not in 40 bytes with a CM-Tag";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "ns3::ReactionPoint::MatchConnection: found messages that quote 40 bytes of a "
                  "frame, expected at least 52: see QuotedBytes of ns3::EcmDetector, HeaderOctets "
                  "of ns3::QcnDetector");
    }
}

TEST_F(ReactionPointTest, RateIsTraced)
{
    static std::vector<double> rates;
    rates.clear();
    point->TraceConnectWithoutContext("Rate", MakeCallback(+[](Time, uint32_t, double rate) {
                                          rates.push_back(rate);
                                      }));
    Start();
    Slow(2);
    Slow(2);
    EXPECT_EQ(rates, (std::vector<double>{C / 4, C / 8}));
}

TEST(EcmReactionPoint, GainsFollowQeqAlphaAndBeta)
{
    Ptr<EcmReactionPoint> point = CreateObject<EcmReactionPoint>();
    point->Start(C, OVERHEAD);
    EXPECT_NEAR(point->GetParameters().decreaseGain, 0.00026667, 1e-8);
    EXPECT_NEAR(point->GetParameters().increaseGain, 0.53333, 1e-5);
    EXPECT_EQ(point->GetParameters().initialRateBps, C / 4);
    point->SetAttribute("Gi", DoubleValue(0.25));
    point->SetAttribute("Gd", DoubleValue(0.001));
    point->Start(C, OVERHEAD);
    EXPECT_EQ(point->GetParameters().decreaseGain, 0.001);
    EXPECT_EQ(point->GetParameters().increaseGain, 0.25);
    point->Dispose();
}

TEST(EcmReactionPoint, RangesOfTheDocument)
{
    const auto refusal = [](const std::string& name, const AttributeValue& value) {
        Ptr<EcmReactionPoint> point = CreateObject<EcmReactionPoint>();
        if (!point->SetAttributeFailSafe(name, value))
        {
            return std::string("checker");
        }
        try
        {
            point->Start(C, OVERHEAD);
        }
        catch (const InputError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal("W", DoubleValue(0.1)), "checker");
    EXPECT_EQ(refusal("W", DoubleValue(0.2)),
              "ns3::EcmReactionPoint::W: found 0.2, expected a multiple of 1/8");
    EXPECT_EQ(refusal("W", DoubleValue(7.875)), "");
    EXPECT_EQ(refusal("Ru", DataRateValue(DataRate(100000001))),
              "ns3::EcmReactionPoint::Ru: found 100000001b/s, expected 1Mb/s to 100Mb/s");
    EXPECT_EQ(refusal("MinRate", DataRateValue(DataRate(999999))),
              "ns3::EcmReactionPoint::MinRate: found 999999b/s, expected 1Mb/s to 1Gb/s");
    EXPECT_EQ(refusal("IncreaseRate", DataRateValue(DataRate(0))),
              "ns3::EcmReactionPoint::IncreaseRate: found 0b/s, expected 1Mb/s to 100Mb/s");
    EXPECT_EQ(refusal("Alpha", DoubleValue(0)),
              "ns3::EcmReactionPoint::Alpha: found 0, expected above 0 and at most 1");
    EXPECT_EQ(refusal("MaxTimeout", TimeValue(NanoSeconds(999))), "checker");
    EXPECT_EQ(refusal("MaxTimeout", TimeValue(MilliSeconds(1001))), "checker");
    EXPECT_EQ(refusal("IncreaseInterval", TimeValue(MicroSeconds(10001))), "checker");
    EXPECT_EQ(refusal("IncreaseInterval", TimeValue(NanoSeconds(1))), "checker");
}

TEST(QcnReactionPoint, LimitsByCnms)
{
    Ptr<QcnReactionPoint> point = CreateObject<QcnReactionPoint>();
    point->Start(C, OVERHEAD);
    EXPECT_EQ(point->GetParameters().byteReset, 150000u);
    EXPECT_EQ(point->GetParameters().timeReset, MilliSeconds(15));
    EXPECT_EQ(point->GetParameters().minRateBps, 5e6);
    QcnMessage message;
    message.feedback = 32;
    FramePtr cnm = MakeCongestionMessage(*MakeData(2), message, SWITCH);
    EXPECT_TRUE(point->OnNotification(*cnm, 0));
    EXPECT_FALSE(point->OnNotification(*MakeMessage(*MakeData(2), 1, 1), 0));
    FramePtr frame = MakeData(2);
    EXPECT_EQ(point->Offer(frame, false, 0), ReactionPoint::WAITS);
    ASSERT_TRUE(point->GetReady(0));
    frame = point->Pull(3, 0, 0);
    EXPECT_EQ(std::get<CnTag>(frame->tag->tag).flowId, 1);
    EXPECT_EQ(frame->bytes, 1062u + 4);
    EXPECT_EQ(point->GetLimitersInUse(), 1u);
    point->Dispose();
}

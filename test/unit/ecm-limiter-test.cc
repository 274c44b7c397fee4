// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The reaction point's pseudo-code of "Ethernet Congestion Manager" (2007), section 3.3.3, line by
// line, with the readings that EcmLimiter names.

#include "ns3/ecm-limiter.h"
#include "ns3/frame-size.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr double C = 1e10;

/// Parameters at 10 Gb/s with Qeq 375 units, w 2; a random number that the test chooses.
struct Parameters : public EcmParameters
{
    Parameters()
    {
        lineRateBps = C;
        decreaseGain = 0.5 / 1875;
        increaseGain = 1e9 / (1875 * 1e6);
        initialRateBps = C / 4;
        maxTimeout = MicroSeconds(10);
        increaseInterval = MilliSeconds(1);
    }

    double Random() const override
    {
        return random;
    }

    double random{0.5};
};

CongestionPointId
Point(uint8_t number)
{
    CongestionPointId point;
    point.bytes[7] = number;
    return point;
}

EcmMessage
Message(int offset, int delta, uint8_t point = 1, bool saturated = false)
{
    EcmMessage message;
    message.offset = static_cast<int16_t>(offset);
    message.delta = static_cast<int16_t>(delta);
    message.point = Point(point);
    message.saturated = saturated;
    return message;
}

EcmMessage
Timed(EcmMessage message, uint16_t timestamp, uint8_t unit = 0)
{
    message.timestamped = true;
    message.timestamp = timestamp;
    message.unit = unit;
    return message;
}

class EcmLimiterTest : public ::testing::Test
{
  protected:
    /// Calls every deadline up to a time.
    void Run(Time now)
    {
        for (Time due = limiter.NextTimer(); due <= now; due = limiter.NextTimer())
        {
            limiter.OnTimer(due);
        }
    }

    /// One that is at half of line rate.
    void Activate()
    {
        parameters.initialRateBps = C / 2;
        limiter.OnMessage(Message(1, 0), MicroSeconds(1));
        ASSERT_EQ(limiter.GetState(), EcmLimiter::ACTIVE);
    }

    Parameters parameters;
    EcmLimiter limiter{parameters};
};

} // namespace

TEST_F(EcmLimiterTest, BeginsInactiveAtLineRate)
{
    EXPECT_EQ(limiter.GetState(), EcmLimiter::INACTIVE);
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_TRUE(limiter.GetPoint() == CongestionPointId());
    EXPECT_EQ(limiter.GetAverageRtt(), Time(0));
    EXPECT_EQ(limiter.GetMinRateBps(), 1e8);
    EXPECT_EQ(limiter.GetMaxTimeout(), MicroSeconds(10));
    EXPECT_EQ(limiter.NextTimer(), Time::Max());
}

TEST_F(EcmLimiterTest, Feedback)
{
    EXPECT_EQ(EcmLimiter::Feedback(Message(3, 5), 2), -13);
    EXPECT_EQ(EcmLimiter::Feedback(Message(-3, -5), 0.125), 3.625);
}

TEST_F(EcmLimiterTest, FirstNegativeFeedbackBeginsWithTheInitialRate)
{
    limiter.OnMessage(Message(375, 750, 4), MicroSeconds(1));
    EXPECT_EQ(limiter.GetState(), EcmLimiter::ACTIVE);
    EXPECT_EQ(limiter.GetRateBps(), C / 4);
    EXPECT_TRUE(limiter.GetPoint() == Point(4));
    EXPECT_EQ(limiter.GetAverageRtt(), Time(0));
}

TEST_F(EcmLimiterTest, PositiveFeedbackActivatesNothing)
{
    limiter.OnMessage(Message(-100, 0), MicroSeconds(1));
    limiter.OnMessage(Message(0, -1, 0, true), MicroSeconds(1));
    EXPECT_EQ(limiter.GetState(), EcmLimiter::INACTIVE);
    EXPECT_EQ(limiter.GetRateBps(), C);
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    limiter.OnMessage(cnp, MicroSeconds(1)); // another scheme's
    QcnMessage cnm;
    cnm.feedback = 63;
    limiter.OnMessage(cnm, MicroSeconds(1));
    EXPECT_EQ(limiter.GetState(), EcmLimiter::INACTIVE);
}

TEST_F(EcmLimiterTest, DecreaseIsProportionalAndSaturatesAtAlpha)
{
    Activate();
    limiter.OnMessage(Message(75, 0), MicroSeconds(2)); // |Fb| 75 of 1875: cut by 0.02
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 5e9 * 0.98);
    limiter.OnMessage(Message(375, 750), MicroSeconds(3)); // the largest
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 5e9 * 0.98 / 2);
    limiter.OnMessage(Message(3000, 6000), MicroSeconds(4)); // scaled: beyond alpha
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 5e9 * 0.98 / 4);
}

TEST_F(EcmLimiterTest, DecreaseEndsAtRmin)
{
    Activate();
    for (int i = 0; i < 10; i++)
    {
        limiter.OnMessage(Message(375, 750), MicroSeconds(2 + i));
    }
    EXPECT_EQ(limiter.GetRateBps(), 1e8);
}

TEST_F(EcmLimiterTest, IncreaseIsProportionalAndSaturatesAtBeta)
{
    Activate();
    limiter.OnMessage(Message(-75, 0), MicroSeconds(2)); // 75 of 1875: 40 Mb/s
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 5.04e9);
    limiter.OnMessage(Message(-375, -750), MicroSeconds(3));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 6.04e9);
    limiter.OnMessage(Message(-3000, -6000), MicroSeconds(4)); // beta C
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 7.04e9);
}

TEST_F(EcmLimiterTest, IncreaseEndsAtLineRate)
{
    Activate();
    for (int i = 0; i < 10; i++)
    {
        limiter.OnMessage(Message(-375, -750), MicroSeconds(2 + i));
    }
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_TRUE(limiter.IsAtLineRate());
}

TEST_F(EcmLimiterTest, PositiveFeedbackOfAnotherPointIsIgnored)
{
    Activate();
    limiter.OnMessage(Message(-375, -750, 2), MicroSeconds(2));
    EXPECT_EQ(limiter.GetRateBps(), 5e9);
    EXPECT_TRUE(limiter.GetPoint() == Point(1));
}

TEST_F(EcmLimiterTest, NegativeFeedbackOfAnotherPointChangesTheAssociation)
{
    Activate();
    limiter.OnMessage(Timed(Message(1, 0), 0), MicroSeconds(40));
    EXPECT_GT(limiter.GetAverageRtt(), Time(0));
    limiter.OnMessage(Timed(Message(75, 0, 2), 0), MicroSeconds(50));
    EXPECT_TRUE(limiter.GetPoint() == Point(2));
    EXPECT_EQ(limiter.GetAverageRtt(), Time(0));
    const double rate = limiter.GetRateBps();
    limiter.OnMessage(Message(-75, 0, 1), MicroSeconds(60));
    EXPECT_EQ(limiter.GetRateBps(), rate);
    limiter.OnMessage(Message(-75, 0, 2), MicroSeconds(60));
    EXPECT_GT(limiter.GetRateBps(), rate);
}

TEST_F(EcmLimiterTest, FeedbackOfZeroChangesNothing)
{
    Activate();
    limiter.OnMessage(Message(0, 0), MicroSeconds(2));
    Run(MicroSeconds(10));
    ASSERT_EQ(limiter.GetMinRateBps(), 5e7);
    const double rate = limiter.GetRateBps();
    limiter.OnMessage(Message(10, -5), MicroSeconds(20)); // -(10 - 2 * 5)
    EXPECT_EQ(limiter.GetRateBps(), rate);
    EXPECT_EQ(limiter.GetMinRateBps(), 5e7) << "not positive";
}

TEST_F(EcmLimiterTest, SaturatedChangeGoesTwiceAsFarByItsOwnSign)
{
    parameters.largestCut = 0.3;
    Activate();
    limiter.OnMessage(Message(10, 750, 1, true), MicroSeconds(2)); // 1 - 2 alpha
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 2e9);
    limiter.OnMessage(Message(10, -750, 1, true), MicroSeconds(3)); // 2 beta C
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 4e9);
    // With w 1/8 the sign of Fb is another: -(375 - 93.75) < 0, but Qdelta < 0.
    parameters.weight = 0.125;
    limiter.OnMessage(Message(375, -750, 1, true), MicroSeconds(4));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 6e9);
    limiter.OnMessage(Message(-375, 750, 1, true), MicroSeconds(5));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 2.4e9);
    // An increase needs the point all the same.
    limiter.OnMessage(Message(10, -750, 2, true), MicroSeconds(6));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 2.4e9);
}

TEST_F(EcmLimiterTest, SaturatedCutOfAllLeavesRmin)
{
    parameters.largestCut = 0.6; // 2 alpha is cut at 1
    Activate();
    limiter.OnMessage(Message(10, 750, 1, true), MicroSeconds(2));
    EXPECT_EQ(limiter.GetRateBps(), 1e8);
}

TEST_F(EcmLimiterTest, StopLastsARandomTimeAndEndsAtRmin)
{
    Activate();
    limiter.OnMessage(Message(0, 0, 2), MicroSeconds(100));
    EXPECT_EQ(limiter.GetState(), EcmLimiter::TIMEOUT);
    EXPECT_EQ(limiter.GetRateBps(), 0);
    EXPECT_TRUE(limiter.GetPoint() == Point(2));
    EXPECT_EQ(limiter.NextTimer(), MicroSeconds(105)); // Tmax 10 us * 0.5
    EXPECT_FALSE(limiter.IsAtLineRate());
    Run(MicroSeconds(105));
    EXPECT_EQ(limiter.GetState(), EcmLimiter::ACTIVE);
    EXPECT_EQ(limiter.GetRateBps(), 1e8);
    EXPECT_EQ(limiter.GetMinRateBps(), 5e7);
    EXPECT_EQ(limiter.GetMaxTimeout(), MicroSeconds(20));
}

TEST_F(EcmLimiterTest, StopInstantiates)
{
    limiter.OnMessage(Message(0, 0, 3), MicroSeconds(100));
    EXPECT_EQ(limiter.GetState(), EcmLimiter::TIMEOUT);
    EXPECT_TRUE(limiter.IsActive());
    EXPECT_TRUE(limiter.GetPoint() == Point(3));
}

TEST_F(EcmLimiterTest, TimeoutIgnoresAllMessagesAndSelfIncrease)
{
    parameters.random = 0.999;
    parameters.increaseInterval = MicroSeconds(1);
    Activate();
    limiter.OnMessage(Message(0, 0), MicroSeconds(100));
    const Time restart = limiter.NextTimer();
    for (const EcmMessage& message :
         {Message(0, 0, 2), Message(375, 750, 2), Message(-375, -750), Message(1, -750, 1, true)})
    {
        limiter.OnMessage(message, MicroSeconds(102));
        EXPECT_EQ(limiter.GetState(), EcmLimiter::TIMEOUT);
        EXPECT_EQ(limiter.GetRateBps(), 0);
        EXPECT_TRUE(limiter.GetPoint() == Point(1));
        EXPECT_EQ(limiter.NextTimer(), restart);
    }
    Run(restart);
    EXPECT_EQ(limiter.GetRateBps(), 1e8);
    EXPECT_EQ(limiter.NextTimer(), MicroSeconds(110)); // restart at 109.99 us
}

TEST_F(EcmLimiterTest, BackOffIsExponentialWithinItsRanges)
{
    Activate();
    Time now = MicroSeconds(100);
    double rate = 1e8;
    Time timeout = MicroSeconds(10);
    for (int i = 0; i < 30; i++)
    {
        EXPECT_EQ(limiter.GetMaxTimeout(), std::min(timeout, Seconds(1)));
        limiter.OnMessage(Message(0, 0), now);
        now = limiter.NextTimer();
        limiter.OnTimer(now);
        EXPECT_EQ(limiter.GetRateBps(), std::max(rate, 1e6));
        timeout = timeout * 2;
        rate /= 2;
    }
    limiter.OnMessage(Message(-1, 0), now);
    EXPECT_EQ(limiter.GetMaxTimeout(), MicroSeconds(10));
    EXPECT_EQ(limiter.GetMinRateBps(), 1e8);
}

TEST_F(EcmLimiterTest, SelfIncreaseEveryTd)
{
    Activate();
    EXPECT_EQ(limiter.NextTimer(), MilliSeconds(1));
    Run(MilliSeconds(1));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 5.001e9);
    Run(MilliSeconds(11));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 5.011e9);
    Run(Seconds(5));
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_EQ(limiter.NextTimer(), Time::Max()) << "at line rate";
    limiter.OnMessage(Message(375, 750), Seconds(6) + MicroSeconds(3));
    EXPECT_EQ(limiter.NextTimer(), Seconds(6) + MilliSeconds(1)) << "one timer for all: k Td";
}

TEST_F(EcmLimiterTest, FrameCarriesPointAndTime)
{
    parameters.unit = 2;
    Activate();
    FramePtr frame = MakeFrame();
    frame->payload = 1000;
    frame->bytes = FrameBytes(*frame);
    limiter.AddTag(*frame);
    EXPECT_EQ(frame->bytes, 1062u + 16);
    limiter.OnMessage(Message(10, 0, 5), MicroSeconds(50));
    limiter.OnSend(*frame, MicroSeconds(100));
    const CmTag& tag = std::get<CmTag>(frame->tag->tag);
    EXPECT_TRUE(tag.point == Point(5)) << "as it leaves";
    EXPECT_EQ(tag.timestamp, 25);
    EXPECT_EQ(tag.unit, 2);
}

TEST_F(EcmLimiterTest, TimestampWraps)
{
    EXPECT_EQ(EcmLimiter::Timestamp(NanoSeconds(999), 0), 0);
    EXPECT_EQ(EcmLimiter::Timestamp(MicroSeconds(65535), 0), 65535);
    EXPECT_EQ(EcmLimiter::Timestamp(MicroSeconds(65536), 0), 0);
    EXPECT_EQ(EcmLimiter::Timestamp(MicroSeconds(65536), 4), 4096);
    EXPECT_EQ(EcmLimiter::Timestamp(Seconds(1000), 0), 1000000000 % 65536);
}

TEST_F(EcmLimiterTest, RttIsAveragedOverTheWrap)
{
    parameters.rttWeight = 2;
    Activate();
    // Sent at 65530 us, back at 65570 us: 40 us. RTTavg begins at 0.
    limiter.OnMessage(Timed(Message(1, 0), 65530), MicroSeconds(65570));
    EXPECT_EQ(limiter.GetAverageRtt(), MicroSeconds(10));
    limiter.OnMessage(Timed(Message(-1, 0), 4), MicroSeconds(65590)); // 65540: 50 us
    EXPECT_EQ(limiter.GetAverageRtt(), NanoSeconds(7500 + 12500));
    limiter.OnMessage(Timed(Message(2, -1), 40), MicroSeconds(65600)); // 65576 is 40: 24 us, Fb 0
    EXPECT_EQ(limiter.GetAverageRtt(), NanoSeconds(15000 + 6000));
    limiter.OnMessage(Message(1, 0), MicroSeconds(65700));               // no time in it
    limiter.OnMessage(Timed(Message(-1, 0, 9), 0), MicroSeconds(65800)); // not our point
    EXPECT_EQ(limiter.GetAverageRtt(), MicroSeconds(21));
}

TEST_F(EcmLimiterTest, RttInLargerUnits)
{
    parameters.rttWeight = 0;
    Activate();
    const Time now = MicroSeconds(8 * 65536 + 80);
    limiter.OnMessage(Timed(Message(1, 0), 65535, 3), now); // 11 units of 8 us
    EXPECT_EQ(limiter.GetAverageRtt(), MicroSeconds(88));
    limiter.OnMessage(Timed(Message(1, 0), 65535, 200), now); // no such unit
    EXPECT_EQ(limiter.GetAverageRtt(), MicroSeconds(88));
}

TEST_F(EcmLimiterTest, ReleaseForgetsEverything)
{
    Activate();
    limiter.OnMessage(Message(0, 0, 2), MicroSeconds(100));
    limiter.OnTimer(limiter.NextTimer());
    limiter.Release();
    EXPECT_FALSE(limiter.IsActive());
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_EQ(limiter.GetMinRateBps(), 1e8);
    EXPECT_EQ(limiter.GetMaxTimeout(), MicroSeconds(10));
    EXPECT_EQ(limiter.NextTimer(), Time::Max());
}

TEST_F(EcmLimiterTest, OpeningUpEndsATimeout)
{
    limiter.OnMessage(Message(0, 0, 2), MicroSeconds(100));
    limiter.OpenUp();
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_EQ(limiter.NextTimer(), Time::Max());
    EXPECT_TRUE(limiter.IsActive());
    EXPECT_TRUE(limiter.IsAtLineRate());
}

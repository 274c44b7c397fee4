// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/frame-size.h"
#include "ns3/qcn-limiter.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr double C = 1e10;

QcnMessage
Cnm(uint8_t feedback)
{
    QcnMessage message;
    message.feedback = feedback;
    return message;
}

class QcnLimiterTest : public ::testing::Test
{
  protected:
    QcnLimiterTest()
    {
        parameters.lineRateBps = C;
        parameters.timeReset = MilliSeconds(15);
        limiter.Release(); // at the line rate that is known now
    }

    void Send(uint32_t bytes, Time now = MicroSeconds(1))
    {
        FramePtr frame = MakeFrame();
        frame->bytes = bytes;
        limiter.OnSend(*frame, now);
    }

    /// Cycles of the byte counter end.
    void Cycles(int n)
    {
        for (int i = 0; i < n; i++)
        {
            Send(limiter.GetByteStage() < 5 ? 150000 : 75000);
        }
    }

    QcnParameters parameters;
    QcnLimiter limiter{parameters, 9};
};

} // namespace

TEST_F(QcnLimiterTest, CutIsInProportionToTheFeedback)
{
    EXPECT_FALSE(limiter.IsActive());
    limiter.OnMessage(Cnm(32), MicroSeconds(1));
    EXPECT_TRUE(limiter.IsActive());
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 0.75e10);
    EXPECT_EQ(limiter.GetTargetBps(), C);
    limiter.OnMessage(Cnm(63), MicroSeconds(2));
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 0.75e10 * 65 / 128);
    parameters.gain = 1.0 / 64;
    limiter.OnMessage(Cnm(63), MicroSeconds(3)); // no lower than MinDecFac
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 0.75e10 * 65 / 256);
}

TEST_F(QcnLimiterTest, OthersMessagesDoNothing)
{
    limiter.OnMessage(Cnm(0), MicroSeconds(1));
    limiter.OnMessage(EcmMessage(), MicroSeconds(1));
    limiter.OnMessage(Cnp(), MicroSeconds(1));
    EXPECT_FALSE(limiter.IsActive());
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_EQ(limiter.NextTimer(), Time::Max());
}

TEST_F(QcnLimiterTest, RateHasALeastValue)
{
    for (int i = 0; i < 30; i++)
    {
        limiter.OnMessage(Cnm(63), MicroSeconds(i));
    }
    EXPECT_EQ(limiter.GetRateBps(), 5e6);
}

TEST_F(QcnLimiterTest, FastRecoveryHalvesTheDistance)
{
    limiter.OnMessage(Cnm(32), MicroSeconds(1));
    const double expected[] = {8.75e9, 9.375e9, 9.6875e9, 9.84375e9, 9.921875e9};
    for (int i = 0; i < 5; i++)
    {
        Send(149999);
        EXPECT_EQ(limiter.GetByteStage(), static_cast<uint32_t>(i));
        Send(1);
        EXPECT_EQ(limiter.GetByteStage(), static_cast<uint32_t>(i + 1));
        EXPECT_DOUBLE_EQ(limiter.GetRateBps(), expected[i]);
        EXPECT_EQ(limiter.GetTargetBps(), C);
    }
}

TEST_F(QcnLimiterTest, ActiveIncreaseAfterFiveCyclesOfHalfTheLength)
{
    limiter.OnMessage(Cnm(32), MicroSeconds(1));
    Cycles(1);
    limiter.OnMessage(Cnm(32), MicroSeconds(2)); // target 8.75e9, rate 6.5625e9
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), 8.75e9);
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), 6.5625e9);
    Cycles(5);
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), 8.75e9);
    const double recovered = 8.75e9 - 2.1875e9 / 32;
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), recovered);
    Send(74999);
    EXPECT_EQ(limiter.GetByteStage(), 5u);
    Send(1);
    EXPECT_EQ(limiter.GetByteStage(), 6u);
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), 8.755e9);
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), (recovered + 8.755e9) / 2);
    Cycles(10);
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), 8.805e9);
}

TEST_F(QcnLimiterTest, HyperActiveIncreaseOnceTimerAndCounterAreBeyond)
{
    limiter.OnMessage(Cnm(63), MilliSeconds(1));
    Cycles(1);
    limiter.OnMessage(Cnm(63), MilliSeconds(2));
    const double target = C * 0.5 * (65.0 / 128 + 1); // the rate after one cycle
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), target);
    for (int i = 0; i < 5; i++)
    {
        EXPECT_EQ(limiter.NextTimer(), MilliSeconds(17 + 15 * i));
        limiter.OnTimer(limiter.NextTimer());
    }
    EXPECT_EQ(limiter.NextTimer(), MilliSeconds(77) + MicroSeconds(7500)); // half as long
    limiter.OnTimer(limiter.NextTimer());
    EXPECT_EQ(limiter.GetTimeStage(), 6u);
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), target + 5e6); // active: the counter is behind
    Cycles(5);
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), target + 30e6);
    Cycles(1); // both 6: 1 x 50 Mb/s
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), target + 80e6);
    Cycles(1); // 7 and 6: still 1
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), target + 130e6);
    limiter.OnTimer(limiter.NextTimer()); // both 7: 2 x 50 Mb/s
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), target + 230e6);
}

TEST_F(QcnLimiterTest, TargetStaysWithinTheFirstCycle)
{
    limiter.OnMessage(Cnm(32), MicroSeconds(1));
    Send(100000);
    limiter.OnMessage(Cnm(32), MicroSeconds(2));
    EXPECT_EQ(limiter.GetTargetBps(), C);
    Send(49999); // nor does the byte counter begin anew
    EXPECT_EQ(limiter.GetByteStage(), 0u);
    Send(1);
    EXPECT_EQ(limiter.GetByteStage(), 1u);
    limiter.OnMessage(Cnm(32), MicroSeconds(3));
    EXPECT_DOUBLE_EQ(limiter.GetTargetBps(), (5.625e9 + 1e10) / 2);
    Send(149999);
    EXPECT_EQ(limiter.GetByteStage(), 0u);
}

TEST_F(QcnLimiterTest, TimerBeginsAnewWithEachMessage)
{
    limiter.OnMessage(Cnm(1), MilliSeconds(1));
    limiter.OnMessage(Cnm(1), MilliSeconds(10));
    EXPECT_EQ(limiter.NextTimer(), MilliSeconds(25));
    limiter.OnTimer(MilliSeconds(25));
    EXPECT_EQ(limiter.GetTimeStage(), 1u);
    limiter.OnMessage(Cnm(1), MilliSeconds(26));
    EXPECT_EQ(limiter.GetTimeStage(), 0u);
}

TEST_F(QcnLimiterTest, FarTargetFallsToAnEighth)
{
    for (int i = 0; i < 6; i++)
    {
        limiter.OnMessage(Cnm(63), MicroSeconds(i));
    }
    const double rate = limiter.GetRateBps(); // C (65/128)^6 = 1.7 % of C
    ASSERT_LT(rate * 10, C);
    Cycles(1);
    EXPECT_EQ(limiter.GetTargetBps(), C / 8);
    EXPECT_DOUBLE_EQ(limiter.GetRateBps(), (rate + C / 8) / 2);
    Cycles(1);
    EXPECT_EQ(limiter.GetTargetBps(), C / 8);

    limiter.Release();
    parameters.reduceTarget = false;
    for (int i = 0; i < 6; i++)
    {
        limiter.OnMessage(Cnm(63), MicroSeconds(i));
    }
    Cycles(1);
    EXPECT_EQ(limiter.GetTargetBps(), C);
}

TEST_F(QcnLimiterTest, OneLargeFrameMayEndSeveralCycles)
{
    limiter.OnMessage(Cnm(32), MicroSeconds(1));
    Send(450000 + 7);
    EXPECT_EQ(limiter.GetByteStage(), 3u);
    Send(150000 - 7);
    EXPECT_EQ(limiter.GetByteStage(), 4u);
}

TEST_F(QcnLimiterTest, IsAtLineRateWithinAStepOfActiveIncrease)
{
    limiter.OnMessage(Cnm(1), MicroSeconds(1)); // 78 Mb/s below
    EXPECT_FALSE(limiter.IsAtLineRate());
    Cycles(3); // 9.8 Mb/s below
    EXPECT_FALSE(limiter.IsAtLineRate());
    Cycles(1);
    EXPECT_TRUE(limiter.IsAtLineRate());
}

TEST_F(QcnLimiterTest, FramesCarryTheFlowId)
{
    FramePtr frame = MakeFrame();
    frame->payload = 1000;
    frame->bytes = FrameBytes(*frame);
    limiter.AddTag(*frame);
    EXPECT_EQ(frame->bytes, 1062u + 4);
    EXPECT_EQ(std::get<CnTag>(frame->tag->tag).flowId, 9);
    parameters.addTag = false;
    FramePtr other = MakeFrame();
    limiter.AddTag(*other);
    EXPECT_FALSE(other->tag);
}

TEST_F(QcnLimiterTest, ReleaseForgetsEverything)
{
    limiter.OnMessage(Cnm(63), MicroSeconds(1));
    Cycles(2);
    limiter.Release();
    EXPECT_FALSE(limiter.IsActive());
    EXPECT_EQ(limiter.GetRateBps(), C);
    EXPECT_EQ(limiter.GetTargetBps(), C);
    EXPECT_EQ(limiter.NextTimer(), Time::Max());
    limiter.OnMessage(Cnm(63), MicroSeconds(1));
    limiter.OpenUp();
    EXPECT_TRUE(limiter.IsActive());
    EXPECT_TRUE(limiter.IsAtLineRate());
}

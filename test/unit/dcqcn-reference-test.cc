// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Dcqcn against a reference that runs every timer.

#include "dcqcn-test.h"
#include "send-frame.h"

#include "ns3/double.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Parameters of the reference below; times in microseconds.
struct Parameters
{
    bool adapter;
    double line;
    double initialAlpha;
    double g;
    int alphaTimer;
    int increaseTimer;
    int decreaseInterval;
    int holdInterval;
    int64_t byteCounter;
    int f;
    double additive;
    double hyper;
    double min;
    double coefficient;
    bool clamp;
    bool alphaBeforeCut;
};

/// DCQCN that runs every timer, at every microsecond.
class EagerDcqcn
{
  public:
    explicit EagerDcqcn(const Parameters& parameters)
        : p(parameters),
          rate(p.line),
          target(p.line),
          alpha(p.initialAlpha)
    {
    }

    void Tick()
    {
        ++now;
        if (!limited)
        {
            return;
        }
        if (++alphaTicks == p.alphaTimer)
        {
            alphaTicks = 0;
            alpha = alpha * (1 - p.g) + (p.adapter && alphaCnp ? p.g : 0);
            alphaCnp = false;
        }
        // The adapter's increase timer starts with its first cut.
        if (increasing && now > holdUntil && ++increaseTicks == p.increaseTimer)
        {
            increaseTicks = 0;
            ++timerStage;
            Increase();
        }
        if (p.adapter && ++checkTicks == p.decreaseInterval)
        {
            checkTicks = 0;
            if (cutCnp)
            {
                cutCnp = false;
                Cut();
            }
        }
    }

    void Cnp(bool ue)
    {
        if (ue)
        {
            holdUntil = now + p.holdInterval;
            return;
        }
        if (p.adapter)
        {
            alphaCnp = limited;
            cutCnp = true;
            limited = true;
            return;
        }
        limited = true;
        alphaTicks = 0;
        if (p.alphaBeforeCut)
        {
            alpha = alpha * (1 - p.g) + p.g;
        }
        Cut();
        if (!p.alphaBeforeCut)
        {
            alpha = alpha * (1 - p.g) + p.g;
        }
    }

    void Sent(int64_t bytes)
    {
        if (p.adapter || p.byteCounter == 0 || !increasing || now < holdUntil)
        {
            return;
        }
        counted += bytes;
        while (counted >= p.byteCounter)
        {
            counted -= p.byteCounter;
            ++byteStage;
            Increase();
        }
    }

    Parameters p;
    int64_t now{0};
    double rate;
    double target;
    double alpha;

  private:
    void Cut()
    {
        if (p.clamp || timerStage > 0 || byteStage > 0)
        {
            target = rate;
        }
        rate = std::max(rate * (1 - p.coefficient * alpha), std::min(p.min, p.line));
        timerStage = byteStage = 0;
        increaseTicks = 0;
        counted = 0;
        increasing = true;
        holdUntil = now;
    }

    void Increase()
    {
        const int high = std::max(timerStage, byteStage);
        const int low = std::min(timerStage, byteStage);
        if (p.adapter)
        {
            target += timerStage <= p.f ? 0 : timerStage == p.f + 1 ? p.additive : p.hyper;
        }
        else if (high >= p.f)
        {
            target += low > p.f ? (low - p.f) * p.hyper : p.additive;
        }
        target = std::min(target, p.line);
        rate = (rate + target) / 2;
    }

    bool limited{false};
    bool increasing{false};
    bool alphaCnp{false};
    bool cutCnp{false};
    int alphaTicks{0};
    int increaseTicks{0};
    int checkTicks{0};
    int timerStage{0};
    int byteStage{0};
    int64_t counted{0};
    int64_t holdUntil{0};
};

} // namespace

TEST(Dcqcn, LazyTimersGiveTheRatesOfEagerOnes)
{
    std::mt19937 random(1);
    const auto pick = [&random](int low, int high) {
        // Not std::uniform_int_distribution, whose numbers are the library's choice.
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    int compared = 0;
    int atLine = 0;
    int atMin = 0;
    for (int run = 0; run < 300; ++run)
    {
        Parameters p;
        p.adapter = run % 2;
        p.line = pick(1, 400) * 1e9;
        p.initialAlpha = pick(1, 6) * 0.2;
        p.g = 1.0 / (1 << pick(2, 8));
        p.alphaTimer = pick(1, 60);
        p.increaseTimer = pick(1, 60);
        p.decreaseInterval = pick(1, 10);
        p.holdInterval = pick(0, 60);
        p.byteCounter = pick(0, 3) * 400000;
        p.f = pick(0, 5);
        p.additive = pick(0, 100) * 1e7;
        p.hyper = pick(0, 100) * 1e8;
        p.min = pick(1, 2000) * 1e6;
        p.coefficient = pick(1, 6) * 0.2;
        p.clamp = pick(0, 1);
        p.alphaBeforeCut = pick(0, 1);
        const auto bps = [](double value) {
            return std::to_string(static_cast<uint64_t>(value)) + "b/s";
        };
        const auto us = [](int value) { return std::to_string(value) + "us"; };
        Ptr<Dcqcn> prototype = CreateObject<Dcqcn>();
        const std::vector<Setting> settings = {
            {"Variant", p.adapter ? "Adapter" : "Paper"},
            {"AlphaTimer", us(p.alphaTimer)},
            {"IncreaseTimer", us(p.increaseTimer)},
            {"DecreaseInterval", us(p.decreaseInterval)},
            {"HoldInterval", us(p.holdInterval)},
            {"ByteCounter", std::to_string(p.byteCounter)},
            {"FastRecoveryStages", std::to_string(p.f)},
            {"AdditiveIncrease", bps(p.additive)},
            {"HyperIncrease", bps(p.hyper)},
            {"MinRate", bps(p.min)},
            {"ClampTargetRate", p.clamp ? "true" : "false"},
            {"AlphaBeforeCut", p.alphaBeforeCut ? "true" : "false"},
        };
        for (const Setting& s : settings)
        {
            prototype->SetAttribute(s.attribute, StringValue(s.value));
        }
        prototype->SetAttribute("InitialAlpha", DoubleValue(p.initialAlpha));
        prototype->SetAttribute("Gain", DoubleValue(p.g));
        prototype->SetAttribute("ReductionCoefficient", DoubleValue(p.coefficient));
        Ptr<RateController> fork = prototype->Fork();
        Ptr<Dcqcn> lazy = DynamicCast<Dcqcn>(fork);
        ASSERT_TRUE(lazy);
        lazy->Start(static_cast<uint64_t>(p.line), Time(0), 1082, Time(0));
        EagerDcqcn eager(p);

        // Busy and quiet stretches, so that cuts, recoveries and the rest at line rate all occur.
        for (int input = 0; input < 400; ++input)
        {
            const int gap = pick(0, 9) == 0 ? pick(0, 3000) : pick(0, 20);
            for (int i = 0; i < gap; ++i)
            {
                eager.Tick();
            }
            const Time now = Us(eager.now);
            RunTimers(lazy, now);
            const int what = pick(0, 9);
            if (what < 5)
            {
                const int bytes = pick(64, 500000);
                eager.Sent(bytes);
                Send(*lazy, bytes, now);
            }
            else
            {
                const bool ue = what == 9;
                eager.Cnp(ue);
                lazy->OnCnp(ue ? Ue() : Ce(), now);
            }
            ASSERT_GT(lazy->NextTimer(), now);
            // Decay in one power or step by step: up to 3000 steps of a relative 1e-16 each.
            ASSERT_NEAR(lazy->GetRateBps(), eager.rate, eager.rate * 1e-11) << run << " " << input;
            ASSERT_NEAR(lazy->GetTargetBps(), eager.target, eager.target * 1e-11);
            ASSERT_NEAR(lazy->GetAlpha(now), eager.alpha, eager.alpha * 1e-11 + 1e-300);
            ++compared;
            atLine += eager.rate == p.line;
            atMin += eager.rate == p.min;
        }
    }
    EXPECT_EQ(compared, 300 * 400);
    // The sequences have been everywhere.
    EXPECT_GT(atLine, compared / 100);
    EXPECT_GT(atMin, compared / 100);
    EXPECT_LT(atLine + atMin, compared * 9 / 10);
}

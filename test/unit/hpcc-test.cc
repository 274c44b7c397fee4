// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/hpcc.h"
#include "ns3/input-error.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

// At 100 Gb/s a link carries 12.5 B/ns, with T = 10 us 125000 B; W_AI is 125000 x 0.05 / 100 B.
constexpr uint64_t LINE = 100000000000;
constexpr double LINE_WINDOW = 125000;
constexpr double STEP = 62.5;

using Settings = std::vector<std::pair<std::string, std::string>>;

Ptr<Hpcc>
Make(const Settings& settings = {}, Time baseRtt = MicroSeconds(10))
{
    Ptr<Hpcc> hpcc = CreateObject<Hpcc>();
    for (const auto& setting : settings)
    {
        hpcc->SetAttribute(setting.first, StringValue(setting.second));
    }
    hpcc->Start(LINE, baseRtt, 1124, Time(0));
    return hpcc;
}

/**
 * An acknowledgement with what the path told.
 *
 * @param acked user bytes so far
 * @param sent likewise
 */
void
Ack(Ptr<Hpcc> hpcc, const std::vector<IntHop>& path, uint64_t acked, uint64_t sent)
{
    IntBlock block;
    for (const IntHop& hop : path)
    {
        block.Push(hop);
    }
    RateController::Acknowledgement ack;
    ack.ackedTotal = acked;
    ack.sentTotal = sent;
    ack.telemetry = &block;
    hpcc->OnAck(ack, MicroSeconds(1));
}

/// One link of 100 Gb/s whose load is given directly: blocks are 10 us apart, so U is the load.
class Link
{
  public:
    explicit Link(Ptr<Hpcc> hpcc)
        : m_hpcc(hpcc)
    {
        Ack(m_hpcc, {m_hop}, 0, 1);
    }

    /**
     * @param load of the last 10 us
     * @param acked user bytes so far
     * @param sent likewise
     */
    void Load(double load, uint64_t acked, uint64_t sent)
    {
        m_hop.timeNs += 10000;
        m_hop.txBytes += static_cast<uint64_t>(load * 125000);
        Ack(m_hpcc, {m_hop}, acked, sent);
    }

  private:
    Ptr<Hpcc> m_hpcc;
    IntHop m_hop{LINE, 0, 0, 0};
};

double
Window(Ptr<Hpcc> hpcc)
{
    return static_cast<double>(hpcc->GetWindowBytes());
}

} // namespace

TEST(Hpcc, StartsWithTheLineFull)
{
    Ptr<Hpcc> hpcc = Make();
    EXPECT_DOUBLE_EQ(hpcc->GetRateBps(), 100e9);
    EXPECT_EQ(hpcc->GetWindowBytes(), 125000u);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 1);
    EXPECT_EQ(hpcc->NextTimer(), Time::Max());
}

TEST(Hpcc, TheFirstBlockIsOnlyRemembered)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 5000, 70000, 1000000}}, 1000, 120000);
    EXPECT_DOUBLE_EQ(hpcc->GetRateBps(), 100e9);
    EXPECT_EQ(hpcc->GetWindowBytes(), 125000u);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 1);
    // The second is compared with it: 2000 ns, 12500 B: load 0.5, so U = 0.8 + 0.2 x 0.5.
    Ack(hpcc, {{LINE, 7000, 82500, 0}}, 2000, 121000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.9);
}

TEST(Hpcc, AReferenceHoldsForTheRoundTripThatTheFirstAckBegins)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 0, 0, 0}}, 1000, 120000);
    // 1 us of an idle link: U = 0.9, below eta; W = Wc + 62.5 is bounded by the line's.
    Ack(hpcc, {{LINE, 1000, 0, 0}}, 2000, 121000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.9);
    EXPECT_EQ(hpcc->GetStage(), 0u);
    // 5 us with 12500 B/us and a queue of 125000 B: U = 0.5 x 0.9 + 0.5 x 2 = 1.45. All the while
    // W is cut from the line's window.
    Ack(hpcc, {{LINE, 2000, 0, 125000}}, 110000, 122000);
    Ack(hpcc, {{LINE, 7000, 62500, 125000}}, 120000, 123000);
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 125000);
    EXPECT_LT(hpcc->GetWindowBytes(), 100000u);
    // What was sent when the first ACK came is acknowledged, and one more byte.
    Ack(hpcc, {{LINE, 8000, 75000, 125000}}, 120001, 124000);
    EXPECT_LT(hpcc->GetReferenceWindow(), 100000);
}

TEST(Hpcc, FollowsAHandMadeSequence)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 0, 0, 50000}}, 1000, 1999);

    // 2 us with a full link and 25000 B in the queue (the lesser of 50000 and 25000):
    // u = 25000/125000 + 1 = 1.2, U = 0.8 x 1 + 0.2 x 1.2 = 1.04,
    // W = 125000 / (1.04/0.95) + 62.5 = 114182.692 + 62.5, and Wc likewise: 2000 are more than the
    // 1999 that had been sent when the first ACK came.
    Ack(hpcc, {{LINE, 2000, 25000, 25000}}, 2000, 121000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 1.04);
    EXPECT_NEAR(hpcc->GetReferenceWindow(), 114245.192, 0.001);
    EXPECT_EQ(hpcc->GetWindowBytes(), 114245u);
    EXPECT_NEAR(hpcc->GetRateBps(), 114245.192 * 8 / 10e-6, 1e3);

    // 1 us, full, queue gone: u = 0 + 1, U = 0.9 x 1.04 + 0.1 = 1.036. 121000 were sent when Wc
    // changed, so it stays: W = 114245.192 / (1.036/0.95) + 62.5 = 104761.518 + 62.5.
    Ack(hpcc, {{LINE, 3000, 37500, 0}}, 3000, 122000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 1.036);
    EXPECT_NEAR(hpcc->GetReferenceWindow(), 114245.192, 0.001);
    EXPECT_EQ(hpcc->GetWindowBytes(), 104824u);

    // 5 us at half load: U = 0.5 x 1.036 + 0.5 x 0.5 = 0.768, below eta: W = Wc + 62.5.
    Ack(hpcc, {{LINE, 8000, 68750, 0}}, 121000, 130000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.768);
    EXPECT_EQ(hpcc->GetStage(), 0u);
    EXPECT_NEAR(hpcc->GetReferenceWindow(), 114245.192, 0.001);
    EXPECT_EQ(hpcc->GetWindowBytes(), 114308u); // 114307.692

    // More than 121000 acknowledged: an RTT has passed. 1 us at half load: U = 0.9 x 0.768 + 0.05.
    Ack(hpcc, {{LINE, 9000, 75000, 0}}, 121001, 131000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.7412);
    EXPECT_EQ(hpcc->GetStage(), 1u);
    EXPECT_NEAR(hpcc->GetReferenceWindow(), 114307.692, 0.001);
}

TEST(Hpcc, TauIsAtMostT)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 0, 0, 0}}, 1000, 120000);
    // 40 us at 0.96 of the line: the weight is 1, not 4.
    Ack(hpcc, {{LINE, 40000, 480000, 0}}, 2000, 121000);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.96);
}

TEST(Hpcc, TheMostLoadedHopCounts)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 0, 0, 125000}, {400000000000, 500, 0, 150000}, {LINE, 900, 0, 0}}, 1, 2);
    // First: queue min(125000, 0), 15000 B of 37500 in 3000 ns: 0.4.
    // Second, 50 B/ns and 500000 B in T: queue 100000/500000 = 0.2, 60000 B of 100000 in 2000 ns:
    // 0.2 + 0.6 = 0.8.
    // Third: 30000 B of 50000 in 4000 ns: 0.6.
    // U = 0.8 x 1 + 0.2 x 0.8 with the second's 2000 ns, neither the shortest nor the longest.
    Ack(hpcc,
        {{LINE, 3000, 15000, 0}, {400000000000, 2500, 60000, 100000}, {LINE, 4900, 30000, 0}},
        2,
        3);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.96);
}

TEST(Hpcc, FiveStagesThenAMultiplicativeIncrease)
{
    Ptr<Hpcc> hpcc = Make();
    Link link(hpcc);
    link.Load(1.9, 10, 20); // W = 125000 / 2 + 62.5
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 62562.5);
    EXPECT_EQ(hpcc->GetStage(), 0u);
    uint64_t sent = 20;
    for (uint32_t stage = 1; stage <= 5; stage++)
    {
        link.Load(0.5, sent, sent + 10); // as much as was sent: the RTT is not over
        EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 62562.5 + (stage - 1) * STEP);
        EXPECT_EQ(hpcc->GetStage(), stage - 1);
        link.Load(0.5, sent + 1, sent + 10);
        EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 62562.5 + stage * STEP);
        EXPECT_EQ(hpcc->GetStage(), stage);
        sent += 10;
    }
    // 62875 / (0.5/0.95) + 62.5 = 119462.5 + 62.5
    link.Load(0.5, sent + 1, sent + 10);
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 119525);
    EXPECT_EQ(hpcc->GetStage(), 0u);
}

TEST(Hpcc, ALoadOfEtaIsMultiplicative)
{
    // Powers of two: eta 0.75, so W_AI = 125000 x 0.25 / 100 and U is exact.
    Ptr<Hpcc> hpcc = Make({{"Eta", "0.75"}});
    Link link(hpcc);
    link.Load(1.5, 10, 20); // 125000 / 2 + 312.5
    link.Load(0.75, 21, 30);
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 62812.5 + 312.5);
    EXPECT_EQ(hpcc->GetStage(), 0u) << "the factor is 1, but it is not a stage";
    link.Load(0.5, 31, 40);
    EXPECT_EQ(hpcc->GetStage(), 1u);
    link.Load(1.5, 41, 50);
    EXPECT_EQ(hpcc->GetStage(), 0u) << "the stages begin anew";
}

TEST(Hpcc, WithoutStagesEveryIncreaseIsMultiplicative)
{
    Ptr<Hpcc> hpcc = Make({{"MaxStage", "0"}});
    Link link(hpcc);
    link.Load(1.9, 10, 20);
    link.Load(0.76, 21, 30); // 62562.5 / (0.76/0.95) + 62.5 = 78203.125 + 62.5
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 78265.625);
    EXPECT_EQ(hpcc->GetStage(), 0u);
}

TEST(Hpcc, StaysBetweenMinRateAndLineRate)
{
    Ptr<Hpcc> hpcc = Make({{"MinRate", "8Gb/s"}, {"MaxStage", "0"}});
    Link link(hpcc);
    link.Load(0.1, 10, 20); // a NIC that has other things to send
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), LINE_WINDOW);
    EXPECT_DOUBLE_EQ(hpcc->GetRateBps(), 100e9);
    uint64_t sent = 20;
    for (int i = 0; i < 5; i++)
    {
        link.Load(9.5, sent + 1, sent + 10); // a tenth each
        sent += 10;
    }
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 10000); // 8 Gb/s x 10 us
    EXPECT_DOUBLE_EQ(hpcc->GetRateBps(), 8e9);
    EXPECT_EQ(hpcc->GetWindowBytes(), 10000u);
    link.Load(0, sent + 1, sent + 10); // nothing moved, not even its own: no division by 0
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), LINE_WINDOW);
}

TEST(Hpcc, AfterGoingBackTheRttCountsFromWhatIsSentAgain)
{
    Ptr<Hpcc> hpcc = Make();
    Link link(hpcc);
    link.Load(1.9, 10, 100000); // no update before 100000 is acknowledged
    link.Load(1.9, 500, 500);   // a NACK: 500 is sent again
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 62562.5);
    link.Load(1.9, 501, 2000);
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), 62562.5 / 2 + STEP);
}

TEST(Hpcc, ANewPathIsOnlyRemembered)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 0, 0, 0}}, 1, 2);
    Ack(hpcc, {{LINE, 10000, 250000, 0}, {LINE, 10000, 250000, 0}}, 3, 4);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 1);
    // From there: half load on both.
    Ack(hpcc, {{LINE, 20000, 312500, 0}, {LINE, 20000, 312500, 0}}, 5, 6);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.5);
}

TEST(Hpcc, ABlockThatIsNotNewerIsLeftOut)
{
    Ptr<Hpcc> hpcc = Make();
    Ack(hpcc, {{LINE, 10000, 125000, 0}, {LINE, 11000, 0, 0}}, 1, 2);
    Ack(hpcc, {{LINE, 12000, 130000, 0}, {LINE, 11000, 0, 0}}, 3, 4); // the same at the second hop
    Ack(hpcc, {{LINE, 9000, 120000, 0}, {LINE, 12000, 0, 0}}, 3, 4);  // older at the first
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 1);
    EXPECT_DOUBLE_EQ(hpcc->GetReferenceWindow(), LINE_WINDOW);
    // Compared with the first of all: 62500 of 125000 B in 10 us.
    Ack(hpcc, {{LINE, 20000, 187500, 0}, {LINE, 21000, 0, 0}}, 5, 6);
    EXPECT_DOUBLE_EQ(hpcc->GetUtilization(), 0.5);
}

TEST(Hpcc, APathWithoutSwitchesSaysNothing)
{
    Ptr<Hpcc> hpcc = Make();
    for (uint64_t i = 1; i < 4; i++)
    {
        Ack(hpcc, {}, i, i + 1);
    }
    EXPECT_DOUBLE_EQ(hpcc->GetRateBps(), 100e9);
    EXPECT_EQ(hpcc->GetWindowBytes(), 125000u);
}

TEST(Hpcc, AnAcknowledgementWithoutBlockEndsTheProgram)
{
    Ptr<Hpcc> hpcc = Make();
    try
    {
        hpcc->OnAck(RateController::Acknowledgement(), Time(0));
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "ns3::Hpcc: found an acknowledgement without INT block, expected "
                     "ns3::RdmaHw::Telemetry at the sender");
    }
}

TEST(Hpcc, StepOfThePaper)
{
    // 100 Gb/s and 13 us: 162500 B x 0.05 / 100 flows = 81.25 B; the paper has 80 B.
    Ptr<Hpcc> hpcc = Make({{"BaseRtt", "13us"}});
    EXPECT_EQ(hpcc->GetWindowBytes(), 162500u) << "not the path's 10 us";
    for (const auto& [settings, step] :
         {std::make_pair(Settings{}, 81.25),
          std::make_pair(Settings{{"Flows", "50"}}, 162.5),
          std::make_pair(Settings{{"AdditiveIncrease", "80"}, {"Flows", "50"}}, 80.0)})
    {
        hpcc = Make({{"BaseRtt", "13us"}});
        for (const auto& setting : settings)
        {
            hpcc->SetAttribute(setting.first, StringValue(setting.second));
        }
        hpcc->Start(LINE, MicroSeconds(10), 1124, Time(0));
        Ack(hpcc, {{LINE, 0, 0, 0}}, 1, 2);
        Ack(hpcc, {{LINE, 13000, 325000, 0}}, 3, 4); // twice the line's rate
        EXPECT_NEAR(hpcc->GetReferenceWindow(), 162500 * 0.95 / 2 + step, 1e-6);
    }
}

TEST(Hpcc, ForkHasNoHistory)
{
    Ptr<Hpcc> hpcc = Make({{"MaxStage", "7"}});
    Link link(hpcc);
    link.Load(1.9, 10, 20);
    Ptr<RateController> fork = hpcc->Fork();
    fork->Start(LINE, MicroSeconds(20), 1124, Time(0));
    Ptr<Hpcc> fresh = DynamicCast<Hpcc>(fork);
    ASSERT_TRUE(fresh);
    EXPECT_DOUBLE_EQ(Window(fresh), 2 * LINE_WINDOW);
    EXPECT_DOUBLE_EQ(fresh->GetUtilization(), 1);
    Ack(fresh, {{LINE, 30000, 1000000, 0}}, 30, 40); // its first
    EXPECT_DOUBLE_EQ(Window(fresh), 2 * LINE_WINDOW);
}

TEST(Hpcc, TracesEachUpdate)
{
    struct Seen
    {
        static void Note(std::vector<double>* seen, Time, double rate, double window, double u)
        {
            *seen = {rate, window, u};
        }
    };

    std::vector<double> seen;
    Ptr<Hpcc> hpcc = Make();
    hpcc->TraceConnectWithoutContext("Rate", MakeBoundCallback(&Seen::Note, &seen));
    Link link(hpcc);
    EXPECT_TRUE(seen.empty());
    link.Load(1.9, 10, 20);
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_DOUBLE_EQ(seen[0], 50.05e9);
    EXPECT_DOUBLE_EQ(seen[1], 62562.5);
    EXPECT_DOUBLE_EQ(seen[2], 1.9);
}

TEST(Hpcc, RefusesAttributesWithoutMeaning)
{
    const std::pair<Settings, std::string> cases[] = {
        {{{"Eta", "0"}}, "ns3::Hpcc::Eta: found 0, expected more than 0, at most 1"},
        {{{"Eta", "1.5"}}, "ns3::Hpcc::Eta: found 1.5, expected more than 0, at most 1"},
        {{{"MinRate", "0b/s"}}, "ns3::Hpcc::MinRate: found 0, expected more than zero"},
    };
    for (const auto& [settings, message] : cases)
    {
        try
        {
            Make(settings);
            FAIL() << "no error instead of " << message;
        }
        catch (const InputError& error)
        {
            EXPECT_EQ(error.what(), message);
        }
    }
    EXPECT_THROW(Make({}, Time(0)), InputError);
    EXPECT_NO_THROW(Make({{"BaseRtt", "1us"}}, Time(0)));
}

TEST(Hpcc, ARoundTripOfYearsHasNoWindow)
{
    EXPECT_EQ(Make({}, Time::Max())->GetWindowBytes(), RateController::NO_WINDOW);
}

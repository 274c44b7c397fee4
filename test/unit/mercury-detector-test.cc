// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/callback.h"
#include "ns3/frame-format.h"
#include "ns3/input-error.h"
#include "ns3/mercury-detector.h"
#include "ns3/string.h"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000;
constexpr auto FREE = CongestionDetector::NON_CONGESTION;
constexpr auto CONGESTED = CongestionDetector::CONGESTION;
constexpr auto OPEN = CongestionDetector::UNDETERMINED;

/**
 * A port of 40 Gb/s, which is 5 B/ns, with frames of 980 B and 20 B of preamble and gap, so that a
 * frame takes 200 ns. Threshold 9800 B, ten frames; T 10 us; base RTT 24 us.
 */
class MercuryDetectorTest : public ::testing::Test
{
  protected:
    static constexpr uint32_t BYTES = 980;

    /// A CNP that was sent.
    struct ToldWindow
    {
        uint32_t source;
        uint32_t queuePair;
        uint32_t window;
        int64_t ns;
    };

    MercuryDetectorTest()
    {
        port.rateBps = 40 * GBPS;
        port.frameBytes = 1538;
        port.mtuBytes = 1000;
        port.overheadBytes = 20;
        port.baseRtt = MicroSeconds(24);
        Make();
    }

    void Make(const std::vector<std::pair<std::string, std::string>>& settings = {})
    {
        detector = CreateObject<MercuryDetector>();
        detector->SetAttribute("Threshold", StringValue("9800"));
        detector->SetAttribute("CnpInterval", StringValue("0s"));
        for (const auto& setting : settings)
        {
            detector->SetAttribute(setting.first, StringValue(setting.second));
        }
        detector->Attach(port);
        detector->SetNotify(MakeCallback(&MercuryDetectorTest::Notified, this));
        queue.clear();
        cnps.clear();
    }

    /**
     * @param source of the flow
     * @param frames arrive
     * @param ns when
     */
    void Arrive(int frames, int64_t ns, uint32_t source = 1, FrameKind kind = FrameKind::DATA)
    {
        for (int i = 0; i < frames; i++)
        {
            Frame frame;
            frame.kind = kind;
            frame.bytes = BYTES;
            frame.source = source;
            frame.destination = destination;
            frame.sourceQueuePair = queuePair;
            frame.codePoint = CodePoint::CAPABLE;
            queue.push_back(frame);
            detector->OnEnqueue(frame, State(), NanoSeconds(ns));
        }
    }

    /**
     * @param frames leave
     * @param ns when
     */
    void Leave(int frames, int64_t ns)
    {
        for (int i = 0; i < frames; i++)
        {
            Frame frame = queue.front();
            queue.pop_front();
            nowNs = ns;
            detector->OnDequeue(frame, State(), NanoSeconds(ns));
            EXPECT_EQ(frame.codePoint, CodePoint::CAPABLE) << "Mercury marks nothing";
        }
    }

    void Off(int64_t ns)
    {
        detector->OnOff(NanoSeconds(ns));
    }

    void On(int64_t ns)
    {
        detector->OnOn(NanoSeconds(ns));
    }

    /// Leaves the port undetermined at 100 us, with 30 frames.
    void MakeUndetermined()
    {
        Arrive(25, 0);
        Off(90000);
        Arrive(5, 95000); // 5000 B of the 50000 B that 10 us are worth
        On(100000);
        ASSERT_EQ(detector->GetState(), OPEN);
    }

    QueueState State() const
    {
        return {BYTES * queue.size(), static_cast<uint32_t>(queue.size())};
    }

    void Notified(const Frame& frame, const Notification& notification)
    {
        const Cnp& cnp = std::get<Cnp>(notification);
        EXPECT_EQ(frame.kind, FrameKind::DATA);
        EXPECT_EQ(cnp.code, CodePoint::CONGESTION);
        cnps.push_back({frame.source, frame.sourceQueuePair, cnp.windowBytes, nowNs});
    }

    DetectorContext port;
    Ptr<MercuryDetector> detector;
    std::deque<Frame> queue;      //!< what waits
    std::vector<ToldWindow> cnps; //!< in order
    uint32_t destination{2};      //!< of frames that arrive
    uint32_t queuePair{5};        //!< of frames that arrive
    int64_t nowNs{0};             //!< of the last dequeue
};

} // namespace

// ---- algorithm 1 -------------------------------------------------------------------------------

TEST_F(MercuryDetectorTest, StartsDetermined)
{
    EXPECT_EQ(detector->GetState(), FREE);
    Arrive(12, 0);
    EXPECT_EQ(detector->GetState(), FREE); // identification is at dequeue
    Leave(1, 200);                         // 11 frames behind it
    EXPECT_EQ(detector->GetState(), CONGESTED);
    EXPECT_EQ(cnps.size(), 1U);
}

TEST_F(MercuryDetectorTest, Line22AsksForMoreThanTheThreshold)
{
    Arrive(11, 0);
    Leave(1, 200); // 10 frames behind it: equal
    EXPECT_EQ(detector->GetState(), FREE);
    EXPECT_TRUE(cnps.empty());
}

TEST_F(MercuryDetectorTest, Line9ComparesWhatCameWithWhatCouldHaveGone)
{
    // 5 frames on the wire are 5000 B, 1000 ns at line rate; without preamble and gap 980 ns.
    const std::pair<int64_t, CongestionDetector::PortState> cases[] = {{980, CONGESTED},
                                                                       {999, CONGESTED},
                                                                       {1000, OPEN},
                                                                       {1001, OPEN}};
    for (const auto& [pauseNs, state] : cases)
    {
        Make();
        Arrive(10, 0);
        Off(5000);
        Arrive(5, 5500);
        On(5000 + pauseNs);
        EXPECT_EQ(detector->GetState(), state) << pauseNs;
        EXPECT_TRUE(cnps.empty()); // none without a departure
        Leave(1, 7000);
        EXPECT_EQ(cnps.size(), state == CONGESTED ? 1U : 0U) << pauseNs;
    }
}

TEST_F(MercuryDetectorTest, Line8TakesTheThresholdItself)
{
    for (const int frames : {9, 10, 11})
    {
        Make();
        Off(0);
        Arrive(frames, 0);
        On(1000000);
        EXPECT_EQ(detector->GetState(), frames >= 10 ? OPEN : FREE) << frames;
    }
}

TEST_F(MercuryDetectorTest, BelowTheThresholdIsDeterminedWhateverArrives)
{
    Off(0);
    Arrive(9, 0);
    On(1); // 9000 B > 5 B
    EXPECT_EQ(detector->GetState(), FREE);
    Leave(9, 200);
    EXPECT_TRUE(cnps.empty());
}

TEST_F(MercuryDetectorTest, Lines2To5CountOnlyThisPause)
{
    Arrive(20, 0); // before
    Off(1000);
    Arrive(5, 1000);
    On(2000); // 5000 B = 5 B/ns x 1000 ns
    EXPECT_EQ(detector->GetState(), OPEN);
    Arrive(20, 2000); // between
    Off(3000);
    Arrive(5, 3000);
    On(4000);
    EXPECT_EQ(detector->GetState(), OPEN);
    Off(5000);
    Arrive(6, 5000);
    On(6000); // 6000 B > 5000 B
    EXPECT_EQ(detector->GetState(), CONGESTED);
}

TEST_F(MercuryDetectorTest, TheStateStaysWhileOff)
{
    Arrive(20, 0);
    Leave(1, 200);
    EXPECT_EQ(detector->GetState(), CONGESTED);
    Off(300);
    EXPECT_EQ(detector->GetState(), CONGESTED);
    Arrive(1, 400);
    EXPECT_EQ(detector->GetState(), CONGESTED);
    On(10000);
    EXPECT_EQ(detector->GetState(), OPEN);
    Off(10001);
    EXPECT_EQ(detector->GetState(), OPEN);
}

TEST_F(MercuryDetectorTest, UndeterminedSendsNothingBeforeT)
{
    MakeUndetermined();
    Leave(1, 100200);
    Leave(1, 109999);
    EXPECT_EQ(detector->GetState(), OPEN);
    EXPECT_TRUE(cnps.empty());
}

TEST_F(MercuryDetectorTest, Line17StaysUndeterminedWhileTheQueueDecreases)
{
    MakeUndetermined(); // 30 frames
    Leave(4, 109000);
    Leave(1, 110000); // T expired: 25 < 30, and the timer starts anew
    EXPECT_EQ(detector->GetState(), OPEN);
    Leave(4, 119999); // not yet again
    EXPECT_EQ(detector->GetState(), OPEN);
    Leave(1, 120000); // 20 < 25
    EXPECT_EQ(detector->GetState(), OPEN);
    Leave(9, 129000);
    Leave(1, 130000); // 10, the threshold itself
    EXPECT_EQ(detector->GetState(), OPEN);
    Leave(1, 140000); // 9
    EXPECT_EQ(detector->GetState(), FREE);
    EXPECT_TRUE(cnps.empty());
}

TEST_F(MercuryDetectorTest, Line20DeterminesALevelQueue)
{
    MakeUndetermined();
    Arrive(1, 105000);
    Leave(1, 110000); // 30 again: not decreased
    EXPECT_EQ(detector->GetState(), CONGESTED);
    ASSERT_EQ(cnps.size(), 1U); // for this frame already
    EXPECT_EQ(cnps[0].ns, 110000);
}

TEST_F(MercuryDetectorTest, Line20DeterminesAGrowingQueue)
{
    MakeUndetermined();
    Arrive(3, 105000);
    Leave(1, 110000);
    EXPECT_EQ(detector->GetState(), CONGESTED);
}

TEST_F(MercuryDetectorTest, TheQueueIsComparedWithThatAtTheLastExpiry)
{
    MakeUndetermined();
    Leave(5, 110000); // 25 after the last; expiry at the first, with 29
    EXPECT_EQ(detector->GetState(), OPEN);
    Arrive(5, 115000); // 30: below that of the first period no more, above 29
    Leave(1, 120000);  // 29 is not below 29
    EXPECT_EQ(detector->GetState(), CONGESTED);
}

TEST_F(MercuryDetectorTest, AnIdlePortIsLookedAtWhenAFrameLeaves)
{
    MakeUndetermined();
    Leave(1, 150000);
    EXPECT_EQ(detector->GetState(), OPEN); // 29 < 30
    Leave(1, 159999);                      // T began at 150 us
    Arrive(10, 159999);
    EXPECT_EQ(detector->GetState(), OPEN);
    Leave(1, 160000);
    EXPECT_EQ(detector->GetState(), CONGESTED);
}

TEST_F(MercuryDetectorTest, AResumeStartsTAnew)
{
    MakeUndetermined();
    Off(105000);
    Arrive(5, 106000);
    On(108000); // 5000 B <= 15000 B, and 35 frames
    Leave(1, 110000);
    EXPECT_EQ(detector->GetState(), OPEN); // T since 108 us
    Leave(1, 117999);
    Leave(1, 118000); // 32 < 35
    EXPECT_EQ(detector->GetState(), OPEN);
}

TEST_F(MercuryDetectorTest, PeriodIsT)
{
    Make({{"Period", "3us"}});
    MakeUndetermined();
    Arrive(2, 101000);
    Leave(1, 102999);
    EXPECT_EQ(detector->GetState(), OPEN);
    Leave(1, 103000);
    EXPECT_EQ(detector->GetState(), CONGESTED);
}

TEST_F(MercuryDetectorTest, FramesOfAnyKindFillTheLink)
{
    Arrive(10, 0);
    Off(0);
    Arrive(6, 500, 1, FrameKind::ACK);
    On(1000); // 6000 B > 5000 B
    EXPECT_EQ(detector->GetState(), CONGESTED);
    EXPECT_EQ(detector->GetFlows(), 1U);
    Leave(10, 2000);
    cnps.clear();
    Arrive(20, 2000, 1, FrameKind::ACK);
    Leave(10, 100000); // not data: no CNP
    EXPECT_EQ(detector->GetState(), CONGESTED);
    EXPECT_TRUE(cnps.empty());
    EXPECT_EQ(detector->GetFlows(), 0U);
}

TEST_F(MercuryDetectorTest, WritesTelemetryForHpcc)
{
    Arrive(2, 0);
    for (const uint32_t before : {0U, 1000U})
    {
        Frame frame;
        frame.kind = FrameKind::DATA;
        frame.bytes = BYTES;
        frame.telemetry = MakeIntBlock();
        queue.pop_front();
        detector->OnDequeue(frame, State(), NanoSeconds(7));
        ASSERT_EQ(frame.telemetry->hops, 1U);
        EXPECT_EQ(frame.telemetry->hop[0].txBytes, before);
        EXPECT_EQ(frame.telemetry->hop[0].queueBytes, State().bytes);
    }
}

// ---- algorithm 2 -------------------------------------------------------------------------------

TEST(MercuryDetector, WindowIsTheShareOfThePath)
{
    // 40 Gb/s x 24 us = 120000 B
    const auto window = [](uint64_t flow, uint64_t all) {
        return MercuryDetector::Window(40 * GBPS, MicroSeconds(24), flow, all, 1000);
    };
    EXPECT_EQ(window(500000, 500000), 120000U);
    EXPECT_EQ(window(100000, 300000), 40000U);
    EXPECT_EQ(window(1, 9), 13333U);
    EXPECT_EQ(window(1, 120), 1000U);
    EXPECT_EQ(window(1, 121), 1000U); // 991 B: one MTU
    EXPECT_EQ(window(0, 5), 1000U);
    // 400 Gb/s x 12 us = 600000 B
    EXPECT_EQ(MercuryDetector::Window(400 * GBPS, MicroSeconds(12), 1, 4, 1000), 150000U);
}

TEST(MercuryDetector, WindowIsAtMostWhatItsFieldHolds)
{
    const uint32_t largest = std::numeric_limits<uint32_t>::max();
    // 8 Gb/s is 1 B/ns
    EXPECT_EQ(MercuryDetector::Window(8 * GBPS, NanoSeconds(4294967294), 7, 7, 1), largest - 1);
    EXPECT_EQ(MercuryDetector::Window(8 * GBPS, NanoSeconds(4294967295), 7, 7, 1), largest);
    EXPECT_EQ(MercuryDetector::Window(800 * GBPS, Seconds(10), 7, 7, 1), largest);
}

TEST_F(MercuryDetectorTest, EachFlowGetsItsShareOfTheQueue)
{
    Arrive(30, 0, 1);
    Arrive(10, 0, 3);
    EXPECT_EQ(detector->GetFlows(), 2U);
    Leave(1, 200);
    ASSERT_EQ(cnps.size(), 1U);
    EXPECT_EQ(cnps[0].source, 1U);
    EXPECT_EQ(cnps[0].window, 90000U); // 30 of 40 frames, the departing one with them
    Arrive(60, 200, 3);
    Leave(29, 300); // paced
    EXPECT_EQ(cnps.size(), 1U);
    EXPECT_EQ(detector->GetFlows(), 1U);
    Leave(1, 400);
    ASSERT_EQ(cnps.size(), 2U);
    EXPECT_EQ(cnps[1].source, 3U);
    EXPECT_EQ(cnps[1].window, 120000U); // all that is left
}

TEST_F(MercuryDetectorTest, ASmallShareIsRaisedToOneMtu)
{
    Arrive(1, 0, 1);
    Arrive(199, 0, 3);
    Leave(1, 200);
    ASSERT_EQ(cnps.size(), 1U);
    EXPECT_EQ(cnps[0].window, 1000U); // 120000 / 200 = 600 B
    port.mtuBytes = 0;
    Make();
    Arrive(1, 0, 1);
    Arrive(199, 0, 3);
    Leave(1, 200);
    ASSERT_EQ(cnps.size(), 1U);
    EXPECT_EQ(cnps[0].window, 1538U); // unknown MTU: the largest frame
}

TEST_F(MercuryDetectorTest, EntriesAreDeletedWithTheirLastByte)
{
    Arrive(3, 0, 1);
    Arrive(2, 0, 3);
    Arrive(1, 0, 4);
    EXPECT_EQ(detector->GetFlows(), 3U);
    Leave(2, 200);
    EXPECT_EQ(detector->GetFlows(), 3U);
    Leave(1, 200);
    EXPECT_EQ(detector->GetFlows(), 2U);
    Leave(2, 200);
    EXPECT_EQ(detector->GetFlows(), 1U);
    Leave(1, 200);
    EXPECT_EQ(detector->GetFlows(), 0U);
}

TEST_F(MercuryDetectorTest, AFlowIsSourceAndDestinationOrAQueuePair)
{
    for (const bool queuePairs : {false, true})
    {
        Make({{"FlowKey", queuePairs ? "QueuePair" : "SourceDestination"}});
        queuePair = 5;
        destination = 2;
        Arrive(10, 0);
        queuePair = 6;
        Arrive(30, 0);
        destination = 7;
        Arrive(40, 0);
        EXPECT_EQ(detector->GetFlows(), 2U);
        Leave(10, 200);
        ASSERT_EQ(cnps.size(), 1U);
        EXPECT_EQ(cnps[0].queuePair, 5U);
        EXPECT_EQ(cnps[0].window, queuePairs ? 15000U : 60000U); // 10 or 40 of 80 frames
        Leave(1, 300);
        // Two endpoints are one flow, which has been notified.
        ASSERT_EQ(cnps.size(), queuePairs ? 2U : 1U);
        if (queuePairs)
        {
            EXPECT_EQ(cnps[1].queuePair, 6U);
            EXPECT_EQ(cnps[1].window, 120000U); // 70 of 70, to two destinations
        }
    }
}

// ---- pacing ------------------------------------------------------------------------------------

TEST_F(MercuryDetectorTest, OneCnpForEachBaseRttAndFlow)
{
    Arrive(400, 0, 1);
    for (int64_t ns = 200; ns <= 60000; ns += 200)
    {
        Leave(1, ns);
    }
    ASSERT_EQ(cnps.size(), 3U);
    EXPECT_EQ(cnps[0].ns, 200);
    EXPECT_EQ(cnps[1].ns, 24200);
    EXPECT_EQ(cnps[2].ns, 48200);
}

TEST_F(MercuryDetectorTest, EachFlowIsPacedByItself)
{
    for (int i = 0; i < 20; i++)
    {
        Arrive(1, 0, 1);
        Arrive(1, 0, 3);
    }
    Leave(1, 200);
    Leave(1, 300);
    Leave(2, 400);
    ASSERT_EQ(cnps.size(), 2U);
    EXPECT_EQ(cnps[0].source, 1U);
    EXPECT_EQ(cnps[1].source, 3U);
}

TEST_F(MercuryDetectorTest, CnpIntervalAsSet)
{
    Make({{"CnpInterval", "1us"}});
    Arrive(100, 0, 1);
    for (int64_t ns = 200; ns <= 3200; ns += 200)
    {
        Leave(1, ns);
    }
    ASSERT_EQ(cnps.size(), 4U);
    EXPECT_EQ(cnps[3].ns, 3200);
}

TEST_F(MercuryDetectorTest, CnpIntervalIsThatOfDcqcnsNotificationPoint)
{
    TimeValue interval;
    CreateObject<MercuryDetector>()->GetAttribute("CnpInterval", interval);
    EXPECT_EQ(interval.Get(), MicroSeconds(50));
}

TEST_F(MercuryDetectorTest, AFlowThatWasAwayIsNewButHadToWait)
{
    Arrive(1, 0, 1);
    Arrive(20, 0, 3);
    Leave(1, 200);
    ASSERT_EQ(cnps.size(), 1U);
    Arrive(1, 300, 1);
    Arrive(20, 300, 4);
    // The frame waits for the more than 10 frames, 2 us, that caused the last CNP.
    int64_t ns = 200;
    for (int i = 0; i < 21; i++)
    {
        ns += 200;
        Leave(1, ns);
    }
    ASSERT_EQ(cnps.size(), 3U);
    EXPECT_EQ(cnps[1].source, 3U);
    EXPECT_EQ(cnps[2].source, 1U);
    EXPECT_EQ(cnps[2].ns, 4400);
}

// ---- attributes --------------------------------------------------------------------------------

TEST(MercuryDetector, ThresholdFollowsTheLineRateUpToAShareOfXoff)
{
    const struct
    {
        uint64_t gbps;
        uint64_t xoff;
        const char* share;
        const char* reference;
        uint64_t threshold;
    } cases[] = {
        {40, 320000, "0.5", "40Gb/s", 200000}, // itself, though above 160 KB
        {20, 320000, "0.5", "40Gb/s", 100000},
        {100, 620000, "0.5", "40Gb/s", 310000}, // not 500 KB
        {400, 620000, "0.5", "40Gb/s", 310000},
        {100, 300000, "0.5", "40Gb/s", 200000}, // never below itself
        {100, 2000000, "0.5", "40Gb/s", 500000},
        {100, 0, "0.5", "40Gb/s", 500000}, // a dynamic threshold bounds nothing
        {100, 620000, "0", "40Gb/s", 500000},
        {400, 620000, "0.5", "0b/s", 200000},
    };

    for (const auto& c : cases)
    {
        Ptr<MercuryDetector> detector = CreateObject<MercuryDetector>();
        detector->SetAttribute("XoffShare", StringValue(c.share));
        detector->SetAttribute("ReferenceRate", StringValue(c.reference));
        DetectorContext port;
        port.rateBps = c.gbps * GBPS;
        port.xoffBytes = 1; // that of the far end does not matter
        port.ownXoffBytes = c.xoff;
        port.baseRtt = MicroSeconds(24);
        detector->Attach(port);
        EXPECT_EQ(detector->GetThreshold(), c.threshold) << c.gbps << ' ' << c.xoff;
    }
}

TEST_F(MercuryDetectorTest, BaseRttAsSetComesFirst)
{
    Make({{"BaseRtt", "12us"}});
    Arrive(20, 0);
    Leave(1, 200);
    ASSERT_EQ(cnps.size(), 1U);
    EXPECT_EQ(cnps[0].window, 60000U);
}

TEST(MercuryDetector, NeedsABaseRtt)
{
    Ptr<MercuryDetector> detector = CreateObject<MercuryDetector>();
    DetectorContext port;
    port.rateBps = 40 * GBPS;
    try
    {
        detector->Attach(port);
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "ns3::MercuryDetector::BaseRtt: found 0, expected more than zero where no "
                  "topology tells it");
    }
}

TEST(MercuryDetector, TheWindowIsOnTheWire)
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::NOTIFICATION;
    frame->bytes = CnpFrameBytes(false);
    frame->queuePair = 5;
    std::get<Cnp>(frame->notification).code = CodePoint::CONGESTION;
    for (const uint32_t window : {1000U, 133337U, std::numeric_limits<uint32_t>::max()})
    {
        std::get<Cnp>(frame->notification).windowBytes = window;
        Ptr<Packet> packet = ToPacket(*frame);
        // Ethernet 14, IPv4 20, UDP 8, BTH 12: then the reserved bytes, the window first
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), bytes.size());
        const uint32_t read =
            uint32_t(bytes[54]) << 24 | bytes[55] << 16 | bytes[56] << 8 | bytes[57];
        EXPECT_EQ(read, window);
        EXPECT_EQ(bytes[58], 3); // CE
        EXPECT_EQ(std::get<Cnp>(FromPacket(packet)->notification).windowBytes, window);
    }
}

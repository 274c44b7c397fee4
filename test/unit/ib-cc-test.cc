// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "send-frame.h"

#include "ns3/boolean.h"
#include "ns3/ib-cc.h"
#include "ns3/input-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 40000000000;
constexpr uint32_t PACKET = 2074;
constexpr int64_t PACKET_PS = PACKET * 200; // at 40 Gb/s
constexpr int64_t PERIOD_NS = 150 * 1024;   // CctiTimer 150

Ptr<IbCc>
Make()
{
    return CreateObject<IbCc>();
}

Ptr<IbCc>
Start(Ptr<IbCc> controller, uint64_t lineBps = LINE)
{
    controller->Start(lineBps, Time(0), PACKET, Time(0));
    return controller;
}

/// The queue pair hears of a mark by an acknowledgement, its timers run before as RdmaHw does it.
void
Ack(IbCc& controller, CodePoint echo, int64_t ns)
{
    while (controller.NextTimer() <= NanoSeconds(ns))
    {
        controller.OnTimer(controller.NextTimer());
    }
    RateController::Acknowledgement ack;
    ack.echo = echo;
    controller.OnAck(ack, NanoSeconds(ns));
}

void
Becn(IbCc& controller, int64_t ns)
{
    Ack(controller, CodePoint::CONGESTION, ns);
}

/// @returns time from the end of the packet last sent to the start of the next, as RdmaHw paces it
int64_t
DelayPs(const IbCc& controller, uint32_t bytes = PACKET, int64_t packetPs = PACKET_PS)
{
    return std::llround(bytes * 8e12 / controller.GetRateBps()) - packetPs;
}

std::string
Refusal(const std::string& name, const AttributeValue& value)
{
    try
    {
        Ptr<IbCc> controller = Make();
        controller->SetAttribute(name, value);
        Start(controller);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST(IbCc, LinearTableIsHarmonic)
{
    Ptr<IbCc> controller = Start(Make());
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), LINE);
    Send(*controller, PACKET, Time(0));
    for (int becns = 1; becns <= 127; becns++)
    {
        Becn(*controller, 1000);
        EXPECT_EQ(controller->GetCcti(), uint32_t(becns));
        EXPECT_EQ(DelayPs(*controller), becns * PACKET_PS);
        EXPECT_NEAR(controller->GetRateBps(), double(LINE) / (1 + becns), 1);
    }
    Becn(*controller, 1000);
    EXPECT_EQ(controller->GetCcti(), 127u) << "CctiLimit";
    EXPECT_NEAR(controller->GetRateBps(), 312.5e6, 1);
}

TEST(IbCc, DelayIsThatOfThePacketJustSent)
{
    Ptr<IbCc> controller = Make();
    controller->SetAttribute("Table", StringValue("0,1:3,2:5,3:16383"));
    controller->SetAttribute("CctiLimit", UintegerValue(3));
    Start(controller);
    Becn(*controller, 0);
    Send(*controller, PACKET, Time(0));
    EXPECT_EQ(DelayPs(*controller), PACKET_PS / 2 * 3);
    Send(*controller, 30, Time(0));
    EXPECT_EQ(DelayPs(*controller, 30, 6000), 3000 * 3);
    Becn(*controller, 0);
    Send(*controller, PACKET, Time(0));
    EXPECT_EQ(DelayPs(*controller), (PACKET_PS >> 2) * 5);
    Becn(*controller, 0);
    Send(*controller, PACKET, Time(0));
    EXPECT_EQ(DelayPs(*controller), (PACKET_PS >> 3) * 16383);

    // 56 Gb/s: 30 B take 4286 ps (4285.7), of which a quarter is 1071 ps.
    Ptr<IbCc> odd = Make();
    odd->SetAttribute("Table", StringValue("0,2:7"));
    odd->SetAttribute("CctiLimit", UintegerValue(1));
    Start(odd, 56000000000);
    Becn(*odd, 0);
    Send(*odd, 30, Time(0));
    EXPECT_EQ(DelayPs(*odd, 30, 4286), 1071 * 7);
}

TEST(IbCc, TimerCountsDownToTheMinimum)
{
    Ptr<IbCc> controller = Start(Make());
    EXPECT_EQ(controller->NextTimer(), Time::Max());
    Becn(*controller, 1000);
    Becn(*controller, 50000); // does not start the timer again
    Becn(*controller, 60000);
    for (int left = 2; left >= 0; left--)
    {
        const Time due = NanoSeconds(1000 + (3 - left) * PERIOD_NS);
        EXPECT_EQ(controller->NextTimer(), due);
        controller->OnTimer(due);
        EXPECT_EQ(controller->GetCcti(), uint32_t(left));
    }
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), LINE);
    EXPECT_EQ(controller->NextTimer(), Time::Max()) << "it stops";
    Becn(*controller, 10000000);
    EXPECT_EQ(controller->NextTimer(), NanoSeconds(10000000 + PERIOD_NS)) << "and starts afresh";
}

TEST(IbCc, IncreaseLimitAndMinimumAreThoseSet)
{
    Ptr<IbCc> controller = Make();
    controller->SetAttribute("CctiIncrease", UintegerValue(2)); // TCD's "step 1 -> 2"
    controller->SetAttribute("CctiLimit", UintegerValue(5));
    controller->SetAttribute("CctiMin", UintegerValue(1));
    controller->SetAttribute("CctiTimer", UintegerValue(10));
    controller->SetAttribute("Slope", UintegerValue(3));
    Start(controller);
    EXPECT_EQ(controller->GetCcti(), 1u);
    EXPECT_NEAR(controller->GetRateBps(), LINE / 4.0, 1) << "the minimum throttles too";
    Becn(*controller, 0);
    EXPECT_EQ(controller->GetCcti(), 3u);
    Becn(*controller, 0);
    EXPECT_EQ(controller->GetCcti(), 5u);
    Becn(*controller, 0);
    EXPECT_EQ(controller->GetCcti(), 5u);
    EXPECT_NEAR(controller->GetRateBps(), LINE / 16.0, 1);
    Ack(*controller, CodePoint::CAPABLE, 4 * 10240);
    EXPECT_EQ(controller->GetCcti(), 1u);
    EXPECT_EQ(controller->NextTimer(), Time::Max());
}

TEST(IbCc, UnmarkedAcknowledgementsChangeNothing)
{
    Ptr<IbCc> controller = Start(Make());
    Ack(*controller, CodePoint::NOT_CAPABLE, 0);
    Ack(*controller, CodePoint::CAPABLE, 0);
    EXPECT_EQ(controller->GetCcti(), 0u);
}

TEST(IbCc, NotificationsAreBecns)
{
    Ptr<IbCc> controller = Start(Make());
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    controller->OnNotification(cnp, Time(0));
    EXPECT_EQ(controller->GetCcti(), 1u);
    cnp.code = CodePoint::NOT_CAPABLE; // a standard one
    controller->OnNotification(cnp, Time(0));
    EXPECT_EQ(controller->GetCcti(), 2u);
    cnp.code = CodePoint::CAPABLE; // "no congestion"
    controller->OnNotification(cnp, Time(0));
    cnp.code = CodePoint::UNDETERMINED;
    controller->OnNotification(cnp, Time(0));
    EXPECT_EQ(controller->GetCcti(), 2u);
}

TEST(IbCc, UndeterminedHoldsRateAndTimer)
{
    Ptr<IbCc> controller = Start(Make());
    Becn(*controller, 0);
    Becn(*controller, 0);
    const double rate = controller->GetRateBps();
    Ack(*controller, CodePoint::UNDETERMINED, 100000);
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), rate);
    EXPECT_EQ(controller->NextTimer(), NanoSeconds(2 * PERIOD_NS)) << "one period later";
    Ack(*controller, CodePoint::UNDETERMINED, 130000);
    EXPECT_EQ(controller->NextTimer(), NanoSeconds(2 * PERIOD_NS + 30000))
        << "they hold until one period after the last";
    Becn(*controller, 140000);
    EXPECT_EQ(controller->GetCcti(), 3u) << "CE acts";

    Ptr<IbCc> idle = Start(Make());
    Ack(*idle, CodePoint::UNDETERMINED, 0);
    EXPECT_EQ(idle->NextTimer(), Time::Max());
    Becn(*idle, 1000);
    EXPECT_EQ(idle->NextTimer(), NanoSeconds(2 * PERIOD_NS)) << "starts when the hold ends";

    Ptr<IbCc> careless = Make();
    careless->SetAttribute("HoldOnUndetermined", BooleanValue(false));
    Start(careless);
    Ack(*careless, CodePoint::UNDETERMINED, 0);
    EXPECT_EQ(careless->GetCcti(), 1u);
}

TEST(IbCc, QueuePairsAreApartByDefault)
{
    Ptr<IbCc> original = Make();
    auto a = DynamicCast<IbCc>(original->Fork());
    auto b = DynamicCast<IbCc>(original->Fork());
    Start(a);
    Start(b);
    Becn(*a, 0);
    Send(*b, PACKET, Time(0));
    EXPECT_EQ(a->GetCcti(), 1u);
    EXPECT_EQ(b->GetCcti(), 0u);
    EXPECT_EQ(DynamicCast<IbCc>(a->Fork())->GetCcti(), 0u) << "a fork has no history";
}

TEST(IbCc, ServiceLevelIsOneForAllQueuePairsOfAHost)
{
    Ptr<IbCc> host = Make();
    host->SetAttribute("PerServiceLevel", BooleanValue(true));
    auto a = DynamicCast<IbCc>(host->Fork());
    auto b = DynamicCast<IbCc>(host->Fork());
    auto other = DynamicCast<IbCc>(host->Fork()); // of another level
    auto far = DynamicCast<IbCc>(host->Fork());   // of another host
    const auto send = [&far](IbCc& controller, uint8_t level, int64_t ns) {
        Frame frame;
        frame.priority = level;
        frame.source = &controller == PeekPointer(far) ? 7 : 6;
        controller.OnSend(frame, PACKET, NanoSeconds(ns));
    };
    for (const auto& controller : {a, b, other, far})
    {
        Start(controller);
        send(*controller, controller == other ? 4 : 3, 0);
    }
    Becn(*a, 1000);
    Becn(*b, 2000);
    send(*a, 3, 3000);
    send(*other, 4, 3000);
    send(*far, 3, 3000);
    EXPECT_EQ(DelayPs(*a), 2 * PACKET_PS) << "b's BECN counts, now that a sends";
    EXPECT_EQ(DelayPs(*other), 0);
    EXPECT_EQ(DelayPs(*far), 0);
    // One timer, whoever runs it; and none of it is counted twice.
    EXPECT_EQ(a->NextTimer(), NanoSeconds(1000 + PERIOD_NS));
    EXPECT_EQ(b->NextTimer(), NanoSeconds(1000 + PERIOD_NS));
    b->OnTimer(NanoSeconds(1000 + PERIOD_NS));
    EXPECT_EQ(a->NextTimer(), NanoSeconds(1000 + 2 * PERIOD_NS));
    send(*a, 3, 1000 + PERIOD_NS);
    EXPECT_EQ(DelayPs(*a), PACKET_PS);
    // A queue pair that begins later finds the level as it is, after its first packet.
    auto late = DynamicCast<IbCc>(host->Fork());
    Start(late);
    send(*late, 3, 2000 + PERIOD_NS);
    EXPECT_EQ(DelayPs(*late), PACKET_PS);
    auto last = DynamicCast<IbCc>(host->Fork());
    Start(last);
    send(*last, 3, 10 * PERIOD_NS);
    EXPECT_EQ(DelayPs(*last), 0) << "the timer has run out, though nobody was there to see it";
}

TEST(IbCc, ContradictionsAreRefused)
{
    EXPECT_EQ(Refusal("CctiMin", UintegerValue(128)),
              "ns3::IbCc::CctiMin: found 128, expected at most CctiLimit, 127");
    EXPECT_EQ(Refusal("Table", StringValue("0,1,2")),
              "ns3::IbCc::CctiLimit: found 127, expected at most 2, the last entry of the table");
    EXPECT_EQ(Refusal("Slope", UintegerValue(200)),
              "ns3::IbCc::CctiLimit: found 127, expected at most 81, the last entry of the table");
    const std::string expected =
        ", expected multiplier or shift:multiplier, shift 0 to 3, multiplier 0 to 16383";
    EXPECT_EQ(Refusal("Table", StringValue("0,4:1")), "ns3::IbCc::Table: found '4:1'" + expected);
    EXPECT_EQ(Refusal("Table", StringValue("16384")), "ns3::IbCc::Table: found '16384'" + expected);
    EXPECT_EQ(Refusal("Table", StringValue("a")), "ns3::IbCc::Table: found 'a'" + expected);
}

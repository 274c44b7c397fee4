// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/input-error.h"
#include "ns3/int-telemetry.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/// A detector at a port of 40 Gb/s with 20 B of preamble and gap.
Ptr<IntTelemetry>
Make()
{
    Ptr<IntTelemetry> detector = CreateObject<IntTelemetry>();
    DetectorContext context;
    context.node = 7;
    context.rateBps = 40000000000;
    context.overheadBytes = 20;
    detector->Attach(context);
    return detector;
}

FramePtr
MakeOf(FrameKind kind, uint32_t bytes, bool telemetry)
{
    FramePtr frame = MakeFrame();
    frame->kind = kind;
    frame->bytes = bytes;
    frame->codePoint = CodePoint::CAPABLE;
    if (telemetry)
    {
        frame->telemetry = MakeIntBlock();
    }
    return frame;
}

/// @param waiting bytes behind the frame
void
Leave(Ptr<IntTelemetry> detector, Frame& frame, uint64_t waiting, int64_t ns)
{
    QueueState queue;
    queue.bytes = waiting;
    queue.frames = 1;
    detector->OnDequeue(frame, queue, NanoSeconds(ns));
}

} // namespace

TEST(IntTelemetry, TellsWhatThePortHadSentBefore)
{
    Ptr<IntTelemetry> detector = Make();
    FramePtr first = MakeOf(FrameKind::DATA, 1104, true);
    Leave(detector, *first, 5000, 100);
    ASSERT_EQ(first->telemetry->hops, 1u);
    EXPECT_EQ(first->telemetry->hop[0].rateBps, 40000000000u);
    EXPECT_EQ(first->telemetry->hop[0].timeNs, 100);
    EXPECT_EQ(first->telemetry->hop[0].txBytes, 0u);
    EXPECT_EQ(first->telemetry->hop[0].queueBytes, 5000u);
    EXPECT_EQ(first->codePoint, CodePoint::CAPABLE) << "no mark";

    FramePtr second = MakeOf(FrameKind::DATA, 500, true);
    Leave(detector, *second, 0, 325);
    EXPECT_EQ(second->telemetry->hop[0].txBytes, 1104u + 20u);
    EXPECT_EQ(second->telemetry->hop[0].timeNs, 325);
    EXPECT_EQ(second->telemetry->hop[0].queueBytes, 0u);
}

TEST(IntTelemetry, AcknowledgementsCountAndAreLeftAlone)
{
    Ptr<IntTelemetry> detector = Make();
    for (FrameKind kind : {FrameKind::ACK, FrameKind::NACK})
    {
        FramePtr ack = MakeOf(kind, 108, true);
        Leave(detector, *ack, 0, 1);
        EXPECT_EQ(ack->telemetry->hops, 0u);
    }
    FramePtr plain = MakeOf(FrameKind::DATA, 1062, false); // of a sender without HPCC
    Leave(detector, *plain, 0, 2);
    EXPECT_FALSE(plain->telemetry);
    FramePtr data = MakeOf(FrameKind::DATA, 1104, true);
    Leave(detector, *data, 0, 3);
    EXPECT_EQ(data->telemetry->hop[0].txBytes, 128u + 128u + 1082u);
}

TEST(IntTelemetry, EachHopAddsItsOwn)
{
    FramePtr frame = MakeOf(FrameKind::DATA, 1104, true);
    for (int64_t hop = 0; hop < 5; hop++)
    {
        Leave(Make(), *frame, 100 * hop, 1000 * hop);
    }
    ASSERT_EQ(frame->telemetry->hops, 5u);
    for (int64_t hop = 0; hop < 5; hop++)
    {
        EXPECT_EQ(frame->telemetry->hop[hop].timeNs, 1000 * hop);
        EXPECT_EQ(frame->telemetry->hop[hop].queueBytes, uint64_t(100 * hop));
    }
    try
    {
        Leave(Make(), *frame, 0, 5000);
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "ns3::IntTelemetry at switch 7: found a frame with 5 hops in its INT block, "
                     "expected paths of at most as many switches");
    }
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/frame.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

FramePtr
Make(uint32_t bytes, uint32_t psn)
{
    FramePtr frame = MakeFrame();
    frame->bytes = bytes;
    frame->psn = psn;
    return frame;
}

} // namespace

TEST(FrameQueue, IsFirstInFirstOut)
{
    FrameQueue queue;
    EXPECT_EQ(queue.Head(), nullptr);
    EXPECT_EQ(queue.Frames(), 0u);
    for (uint32_t i = 0; i < 3; i++)
    {
        queue.Push(Make(100 + i, i));
    }
    EXPECT_EQ(queue.Frames(), 3u);
    EXPECT_EQ(queue.Bytes(), 303u);
    EXPECT_EQ(queue.Head()->psn, 0u);
    EXPECT_EQ(queue.Pop()->psn, 0u);
    EXPECT_EQ(queue.Bytes(), 203u);
    queue.Push(Make(1000, 3));
    for (uint32_t i = 1; i < 4; i++)
    {
        EXPECT_EQ(queue.Pop()->psn, i);
    }
    EXPECT_EQ(queue.Bytes(), 0u);
    EXPECT_EQ(queue.Head(), nullptr);
    queue.Push(Make(64, 9));
    EXPECT_EQ(queue.Head()->psn, 9u) << "in use again after it was empty";
    queue.Clear();
    EXPECT_EQ(queue.Frames(), 0u);
    EXPECT_EQ(queue.Bytes(), 0u);
}

TEST(MakeFrame, GivesCleanFrames)
{
    // More than the pool takes at once, so that some are used again.
    for (int round = 0; round < 3; round++)
    {
        std::vector<FramePtr> frames;
        for (int i = 0; i < 1000; i++)
        {
            FramePtr frame = MakeFrame();
            EXPECT_EQ(frame->bytes, 0u);
            EXPECT_EQ(frame->kind, FrameKind::DATA);
            EXPECT_EQ(frame->codePoint, CodePoint::NOT_CAPABLE);
            EXPECT_EQ(frame->destination, UNKNOWN_ENDPOINT);
            EXPECT_EQ(frame->pause.classes, 0);
            EXPECT_EQ(frame->packet, nullptr);
            EXPECT_EQ(frame->next, nullptr);
            frame->bytes = 7;
            frame->kind = FrameKind::PFC;
            frame->codePoint = CodePoint::CONGESTION;
            frame->destination = 1;
            frame->pause.classes = 0xff;
            frames.push_back(std::move(frame));
        }
    }
}

TEST(MakeFrame, GivesDistinctFrames)
{
    FramePtr a = MakeFrame();
    FramePtr b = MakeFrame();
    EXPECT_NE(a.get(), b.get());
    const Frame* const address = a.get();
    a.reset();
    EXPECT_EQ(MakeFrame().get(), address) << "the pool gives it again";
}

TEST(MakeFrame, APacketLivesNoLongerThanItsFrame)
{
    Ptr<Packet> packet = Create<Packet>(10);
    FramePtr frame = MakeFrame();
    frame->packet = packet;
    EXPECT_EQ(packet->GetReferenceCount(), 2u);
    frame.reset();
    EXPECT_EQ(packet->GetReferenceCount(), 1u);
}

TEST(CopyFrame, CopiesFieldsAndPacket)
{
    FramePtr frame = Make(1000, 42);
    frame->priority = 5;
    frame->packet = Create<Packet>(10);
    FrameQueue queue;
    queue.Push(std::move(frame));
    queue.Push(Make(1, 1));
    FramePtr copy = CopyFrame(*queue.Head());
    EXPECT_EQ(copy->bytes, 1000u);
    EXPECT_EQ(copy->psn, 42u);
    EXPECT_EQ(copy->priority, 5);
    EXPECT_EQ(copy->next, nullptr) << "the copy is in no queue";
    ASSERT_NE(copy->packet, nullptr);
    EXPECT_NE(PeekPointer(copy->packet), PeekPointer(queue.Head()->packet));
    EXPECT_EQ(copy->packet->GetSize(), 10u);
}

TEST(IntBlock, TakesFiveHops)
{
    IntBlockPtr block = MakeIntBlock();
    EXPECT_EQ(block->hops, 0u);
    for (uint64_t i = 0; i < 5; i++)
    {
        EXPECT_TRUE(block->Push({i, 0, 0, 0}));
    }
    EXPECT_FALSE(block->Push({5, 0, 0, 0}));
    EXPECT_EQ(block->hops, 5u);
    EXPECT_EQ(block->hop[4].rateBps, 4u);
}

TEST(IntBlock, ComesFromAPool)
{
    const std::size_t before = IntBlocksInUse();
    IntBlockPtr block = MakeIntBlock();
    block->Push({1, 2, 3, 4});
    const IntBlock* const address = block.get();
    EXPECT_EQ(IntBlocksInUse(), before + 1);
    block.reset();
    EXPECT_EQ(IntBlocksInUse(), before);
    block = MakeIntBlock();
    EXPECT_EQ(block.get(), address) << "the pool gives it again";
    EXPECT_EQ(block->hops, 0u) << "as new";
    block = MakeIntBlock();
    EXPECT_EQ(IntBlocksInUse(), before + 1) << "the first was given back";
}

TEST(IntBlock, LivesNoLongerThanItsFrame)
{
    const std::size_t before = IntBlocksInUse();
    FramePtr frame = MakeFrame();
    EXPECT_FALSE(frame->telemetry);
    frame->telemetry = MakeIntBlock();
    FramePtr ack = MakeFrame();
    ack->telemetry = std::move(frame->telemetry);
    EXPECT_FALSE(frame->telemetry);
    frame.reset();
    EXPECT_EQ(IntBlocksInUse(), before + 1);
    ack.reset();
    EXPECT_EQ(IntBlocksInUse(), before);
    EXPECT_FALSE(MakeFrame()->telemetry);
}

TEST(IntBlock, IsCopiedWithItsFrame)
{
    const std::size_t before = IntBlocksInUse();
    FramePtr frame = MakeFrame();
    frame->telemetry = MakeIntBlock();
    frame->telemetry->Push({1, 2, 3, 4});
    FramePtr copy = CopyFrame(*frame);
    EXPECT_EQ(IntBlocksInUse(), before + 2);
    ASSERT_TRUE(copy->telemetry);
    EXPECT_NE(copy->telemetry.get(), frame->telemetry.get());
    EXPECT_EQ(copy->telemetry->hops, 1u);
    EXPECT_EQ(copy->telemetry->hop[0].queueBytes, 4u);
    copy->telemetry->Push({5, 6, 7, 8});
    EXPECT_EQ(frame->telemetry->hops, 1u) << "the copies are apart";
    const Frame& same = *copy;
    *copy = same;
    EXPECT_EQ(copy->telemetry->hops, 2u);
    *copy = Frame();
    EXPECT_EQ(IntBlocksInUse(), before + 1) << "what was there is given back";
}

TEST(IntBlock, LeavesFramesAsLargeAsTheyWere)
{
    EXPECT_EQ(sizeof(Frame), 192u) << "three cache lines";
}

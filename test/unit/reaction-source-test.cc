// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/boolean.h"
#include "ns3/ecm-reaction-point.h"
#include "ns3/egress-queues.h"
#include "ns3/far-time.h"
#include "ns3/frame-size.h"
#include "ns3/reaction-source.h"

#include <algorithm>
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t C = 10000000000;
constexpr uint32_t OVERHEAD = 20;
const uint8_t SWITCH[6] = {2, 0, 0, 0, 9, 1};

/// Greedy connections in turn, one to each destination, all in lane 3.
class Connections : public ConnectionSource
{
  public:
    explicit Connections(uint8_t count)
    {
        for (uint8_t i = 0; i < count; i++)
        {
            m_addresses[i].destinationMac[5] = i;
            m_turns.push_back(i);
        }
    }

    LaneSet GetReady(int64_t) override
    {
        return m_turns.empty() ? 0 : 1 << 3;
    }

    int64_t GetNextReadyPs(LaneSet on) const override
    {
        return m_turns.empty() || !(on >> 3 & 1) ? NEVER_PS : 0;
    }

    FrameHead GetHead(uint8_t) const override
    {
        return {1062, 0};
    }

    ReactionPoint::Flow GetHeadFlow(uint8_t) const override
    {
        return {m_addresses[m_turns.front()], 0, 3};
    }

    FramePtr Pull(uint8_t, int64_t, int64_t) override
    {
        const uint32_t number = m_turns.front();
        m_turns.pop_front();
        m_turns.push_back(number);
        FramePtr frame = MakeFrame();
        frame->priority = 3;
        frame->payload = 1000;
        frame->addresses = m_addresses[number];
        frame->sourceQueuePair = number;
        frame->psn = m_next[number]++;
        frame->bytes = FrameBytes(*frame);
        return frame;
    }

    void Hold(uint32_t connection) override
    {
        m_turns.erase(std::find(m_turns.begin(), m_turns.end(), connection));
        held++;
        mostHeld = std::max(mostHeld, held);
    }

    void Release(uint32_t connection, int64_t) override
    {
        if (std::find(m_turns.begin(), m_turns.end(), connection) == m_turns.end())
        {
            m_turns.push_back(connection);
            held--;
        }
    }

    uint32_t held{0};
    uint32_t mostHeld{0};

  private:
    std::array<FrameAddresses, 8> m_addresses;
    std::array<uint32_t, 8> m_next{};
    std::deque<uint32_t> m_turns;
};

class ReactionSourceTest : public ::testing::Test
{
  protected:
    ReactionSourceTest()
        : point(CreateObject<EcmReactionPoint>())
    {
        point->Start(C, OVERHEAD);
    }

    ~ReactionSourceTest() override
    {
        point->Dispose();
    }

    /// Negative feedback for a destination.
    void Slow(uint8_t destination)
    {
        Frame sampled;
        sampled.priority = 3;
        sampled.payload = 1000;
        sampled.addresses.destinationMac[5] = destination;
        sampled.bytes = FrameBytes(sampled);
        EcmMessage message;
        message.offset = 375;
        message.delta = 750;
        point->OnNotification(*MakeCongestionMessage(sampled, message, SWITCH), nowPs);
    }

    /// The line takes frames as a port does. @returns frames of each connection until then
    std::vector<uint32_t> Run(ReactionSource& source, int64_t endPs)
    {
        std::vector<uint32_t> sent(8);
        while (nowPs < endPs)
        {
            if (!source.GetReady(nowPs))
            {
                nowPs = std::max(nowPs + 1000, source.GetNextReadyPs(0xFFFF));
                continue;
            }
            const FrameHead head = source.GetHead(3);
            FramePtr frame = source.Pull(3, nowPs, nowPs);
            EXPECT_EQ(frame->bytes, head.bytes);
            // In order, each once.
            EXPECT_EQ(frame->psn, next[frame->sourceQueuePair]++);
            sent[frame->sourceQueuePair]++;
            nowPs += (frame->bytes + OVERHEAD) * 800;
        }
        return sent;
    }

    Ptr<ReactionPoint> point;
    int64_t nowPs{0};
    std::array<uint32_t, 8> next{};
};

constexpr int64_t MS = 1000000000; // [ps]

} // namespace

TEST_F(ReactionSourceTest, WithoutLimitersConnectionsTakeTurns)
{
    Connections connections(4);
    ReactionSource source(connections, *point, nullptr);
    const auto sent = Run(source, MS);
    for (int i = 0; i < 4; i++)
    {
        EXPECT_NEAR(sent[i], 1e9 / (1082 * 800 * 4), 1);
    }
    EXPECT_EQ(connections.mostHeld, 0u);
}

TEST_F(ReactionSourceTest, ALimitedFlowHoldsNoOtherAndIsNotBuffered)
{
    Connections connections(2);
    ReactionSource source(connections, *point, nullptr);
    Slow(0);
    Slow(1); // both C / 4: half of the line is idle
    auto sent = Run(source, MS);
    EXPECT_NEAR(sent[0], 1e9 / (1098 * 3200), 2);
    EXPECT_NEAR(sent[1], 1e9 / (1098 * 3200), 2);
    EXPECT_EQ(connections.mostHeld, 2u) << "a frame of each, however long it takes";
    Slow(1);
    Slow(1); // C / 16
    sent = Run(source, 2 * MS);
    EXPECT_NEAR(sent[0], 1e9 / (1098 * 3200), 2);
    EXPECT_NEAR(sent[1], 1e9 / (1098 * 12800), 2);
}

TEST_F(ReactionSourceTest, UnlimitedFramesGoFirst)
{
    Connections connections(2);
    ReactionSource source(connections, *point, nullptr);
    Slow(0);
    auto sent = Run(source, MS); // connection 1 fills the line
    EXPECT_EQ(sent[0], 0u);
    EXPECT_NEAR(sent[1], 1e9 / (1082 * 800), 2);
    EXPECT_EQ(connections.held, 1u);
}

TEST_F(ReactionSourceTest, ConnectionsOfOneFlowTakeTurnsBehindItsLimiter)
{
    point->SetAttribute("MatchDestination", BooleanValue(false));
    Connections connections(5);
    ReactionSource source(connections, *point, nullptr);
    Slow(0);
    const auto sent = Run(source, 10 * MS);
    for (int i = 0; i < 5; i++)
    {
        EXPECT_NEAR(sent[i], 1e10 / (1098 * 3200 * 5.0), 6) << i;
    }
    EXPECT_EQ(connections.mostHeld, 5u);
}

TEST_F(ReactionSourceTest, LimitedFramesWaitForThoseInThePort)
{
    Connections connections(1);
    EgressQueues queues;
    ReactionSource source(connections, *point, &queues);
    Slow(0);
    FramePtr frame = MakeFrame();
    frame->priority = 3;
    frame->bytes = 64;
    queues.Offer(std::move(frame), 0);
    EXPECT_EQ(source.GetReady(0), 0);
    bool marked = false;
    queues.Take(3, 0, marked);
    EXPECT_EQ(source.GetReady(0), 1 << 3);
}

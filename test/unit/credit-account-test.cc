// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/credit-account.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

/**
 * A link with one virtual lane whose two ends count modulo 2^bits, beside counters without end that
 * must always agree with them. Things arrive in the order in which they were sent, or are lost.
 */
class Link
{
  public:
    Link(uint32_t bits, uint32_t capacity, uint32_t seed)
        : m_counter(bits),
          m_receiver(m_counter, capacity),
          m_capacity(capacity),
          m_random(seed)
    {
    }

    uint32_t Below(uint32_t limit)
    {
        return m_random() % limit;
    }

    /// One random thing happens at either end.
    void Step(uint32_t lossPercent)
    {
        const uint32_t what = Below(16);
        if (what < 4)
        {
            TrySend(1 + Below(33), Below(100) < lossPercent);
        }
        else if (what < 9) // as much as is sent, so that the queues stay short
        {
            Deliver();
        }
        else if (what < 12)
        {
            Leave();
        }
        else if (what < 13) // the sender's end tells FCTBS
        {
            if (Below(100) >= lossPercent)
            {
                m_channel.push_back({0, m_counter.Wrap(m_sent), m_sent});
            }
        }
        else if (what < 14) // the receiver's end tells FCCL
        {
            if (Below(100) >= lossPercent)
            {
                m_updates.push_back({m_receiver.GetLimit(), Limit()});
            }
        }
        else
        {
            Heed();
        }
        EXPECT_LE(m_limit - m_sent, m_counter.GetHalf()) << "outstanding";
        EXPECT_GE(m_limit, m_sent) << "credits are never negative";
        EXPECT_EQ(m_counter.Wrap(Limit()), m_receiver.GetLimit());
    }

    /// Nothing more is sent; all that is under way arrives, one packet of each kind is exchanged.
    void Settle()
    {
        while (!m_channel.empty())
        {
            Deliver();
        }
        while (!m_held.empty())
        {
            Leave();
        }
        m_channel.push_back({0, m_counter.Wrap(m_sent), m_sent});
        Deliver();
        m_updates.push_back({m_receiver.GetLimit(), Limit()});
        while (!m_updates.empty())
        {
            Heed();
        }
    }

    uint64_t GetCredits() const
    {
        return m_limit - m_sent;
    }

    uint64_t GetSent() const
    {
        return m_sent;
    }

    const CreditCounter m_counter;

  private:
    /// On the way to the receiver.
    struct Item
    {
        uint32_t blocks;  // of a packet, 0 for FCTBS
        uint32_t wrapped; // FCTBS
        uint64_t exact;   // the same
    };

    /// On the way to the sender.
    struct Update
    {
        uint32_t wrapped;
        uint64_t exact;
    };

    uint64_t Limit() const
    {
        const uint32_t free = m_capacity - m_receiver.GetOccupied();
        return m_received + std::min(free, m_counter.GetHalf());
    }

    void TrySend(uint32_t blocks, bool lost)
    {
        const bool may = m_sent + blocks <= m_limit;
        ASSERT_EQ(m_counter.MaySend(m_wrappedLimit, m_counter.Wrap(m_sent), blocks), may);
        ASSERT_EQ(m_counter.GetCredits(m_wrappedLimit, m_counter.Wrap(m_sent)), m_limit - m_sent);
        ASSERT_EQ(m_counter.Unwrap(m_wrappedLimit, m_sent), m_limit);
        if (may)
        {
            m_sent += blocks;
            if (!lost)
            {
                m_channel.push_back({blocks, 0, 0});
            }
        }
    }

    void Deliver()
    {
        if (m_channel.empty())
        {
            return;
        }
        const Item item = m_channel.front();
        m_channel.pop_front();
        if (item.blocks > 0)
        {
            m_receiver.Receive(item.blocks); // ends the program if the buffer is overrun
            m_received += item.blocks;
            m_held.push_back(item.blocks);
        }
        else
        {
            m_receiver.Adjust(item.wrapped);
            m_received = item.exact;
        }
    }

    void Leave()
    {
        if (!m_held.empty())
        {
            m_receiver.Free(m_held.front());
            m_held.pop_front();
        }
    }

    void Heed()
    {
        if (!m_updates.empty())
        {
            m_wrappedLimit = m_updates.front().wrapped;
            ASSERT_GE(m_updates.front().exact, m_limit) << "a limit never goes back";
            m_limit = m_updates.front().exact;
            m_updates.pop_front();
        }
    }

    CreditReceiver m_receiver;
    uint32_t m_capacity;
    std::mt19937 m_random;
    std::deque<Item> m_channel;
    std::deque<Update> m_updates;
    std::deque<uint32_t> m_held;
    uint32_t m_wrappedLimit{0};
    uint64_t m_limit{0};
    uint64_t m_sent{0};
    uint64_t m_received{0};
};

} // namespace

TEST(CreditAccount, PacketsTakeWholeBlocks)
{
    EXPECT_EQ(CreditBlocks(0), 0u);
    EXPECT_EQ(CreditBlocks(1), 1u);
    EXPECT_EQ(CreditBlocks(30), 1u);
    EXPECT_EQ(CreditBlocks(64), 1u);
    EXPECT_EQ(CreditBlocks(65), 2u);
    EXPECT_EQ(CreditBlocks(2074), 33u);
}

TEST(CreditAccount, SpecificationAllows128KiB)
{
    const CreditCounter counter(CreditCounter::SPECIFICATION_BITS);
    EXPECT_EQ(counter.GetHalf() * CREDIT_BLOCK_BYTES, 131072u);
    // A buffer of 280 000 B tells no more than that; 16 bits tell all of it.
    EXPECT_EQ(CreditReceiver(counter, 4375).GetLimit(), 2048u);
    EXPECT_EQ(CreditReceiver(CreditCounter(), 4375).GetLimit(), 4375u);
}

TEST(CreditAccount, TestOfTheSenderAtTheWrap)
{
    const CreditCounter counter(12);
    EXPECT_TRUE(counter.MaySend(10, 4090, 16));
    EXPECT_FALSE(counter.MaySend(10, 4090, 17));
    EXPECT_EQ(counter.GetCredits(10, 4090), 16u);
    EXPECT_FALSE(counter.MaySend(100, 100, 1));
    EXPECT_TRUE(counter.MaySend(100, 100, 0));
    EXPECT_TRUE(counter.MaySend(2048, 0, 2048));
    EXPECT_FALSE(counter.MaySend(2047, 0, 2048));
    EXPECT_EQ(counter.GetCredits(99, 100), 0u) << "behind, not 4095 ahead";
    EXPECT_EQ(counter.Unwrap(5, 4096 * 3 - 1), 4096u * 3 + 5);
}

TEST(CreditAccount, LimitFollowsTheBuffer)
{
    CreditReceiver receiver(CreditCounter(12), 100);
    EXPECT_EQ(receiver.GetLimit(), 100u);
    receiver.Receive(60);
    EXPECT_EQ(receiver.GetLimit(), 100u) << "what came was counted already";
    receiver.Free(60);
    EXPECT_EQ(receiver.GetLimit(), 160u);
    EXPECT_EQ(receiver.GetOccupied(), 0u);
    for (int i = 0; i < 100; i++)
    {
        receiver.Receive(100);
        receiver.Free(100);
    }
    EXPECT_EQ(receiver.GetLimit(), (60u + 100 * 100 + 100) % 4096);
}

TEST(CreditAccount, LostPacketIsMadeGoodByTheOtherEndsCount)
{
    CreditReceiver receiver(CreditCounter(12), 100);
    receiver.Receive(30); // 30 more were sent and lost on the link
    receiver.Free(30);
    EXPECT_EQ(receiver.GetLimit(), 130u) << "40 blocks too few: the sender is at 60";
    receiver.Adjust(60);
    EXPECT_EQ(receiver.GetLimit(), 160u);
    receiver.Adjust(60);
    EXPECT_EQ(receiver.GetLimit(), 160u) << "once is enough";
}

TEST(CreditAccount, AgreesWithCountersWithoutEnd)
{
    for (const uint32_t bits : {8, 12, 16, 31})
    {
        for (const uint32_t capacity : {40, 128, 3000})
        {
            SCOPED_TRACE(testing::Message() << bits << " bits, " << capacity << " blocks");
            Link link(bits, capacity, 7 * bits + capacity);
            for (int i = 0; i < 100000 && !testing::Test::HasFailure(); i++)
            {
                link.Step(0);
            }
            EXPECT_GT(link.GetSent(), 4096u * 10);
            link.Settle();
            EXPECT_EQ(link.GetCredits(), std::min(capacity, link.m_counter.GetHalf()));
        }
    }
}

TEST(CreditAccount, LossesAreRepairedByTheNextFlowControlPackets)
{
    for (const uint32_t percent : {1, 10, 50})
    {
        SCOPED_TRACE(percent);
        Link link(12, 200, percent);
        for (int i = 0; i < 200000 && !testing::Test::HasFailure(); i++)
        {
            link.Step(percent);
        }
        EXPECT_GT(link.GetSent(), 4096u * 10);
        link.Settle();
        EXPECT_EQ(link.GetCredits(), 200u) << "nothing is missing for good";
    }
}

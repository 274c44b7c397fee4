// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/ingress-buffer.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Verdict = IngressBuffer::Verdict;

/// @returns two ports, priority 3 lossless, Xoff 3000, Xon 2000, headroom 5000 each
IngressBuffer::Config
StaticConfig()
{
    IngressBuffer::Config config;
    config.lossless = 1 << 3;
    config.xoffBytes = 3000;
    config.xonBytes = 2000;
    config.headroomBytes = {5000, 5000};
    return config;
}

} // namespace

TEST(IngressBuffer, StaticThresholdPausesOnceAndResumesAtXon)
{
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(StaticConfig()), "");
    EXPECT_EQ(buffer.GetXoffBytes(), 3000u);
    // 3000 B is not more than Xoff.
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::NOTHING);
    EXPECT_FALSE(buffer.IsPaused(0, 3));
    EXPECT_EQ(buffer.Admit(0, 3, 100), Verdict::XOFF);
    EXPECT_TRUE(buffer.IsPaused(0, 3));
    EXPECT_FALSE(buffer.IsPaused(1, 3));
    EXPECT_EQ(buffer.GetHeadroomUsedBytes(0, 3), 100u);
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::NOTHING) << "asked already";
    EXPECT_EQ(buffer.GetUsedBytes(0, 3), 4100u);
    // 3100, 2100, then 2000 B: at Xon.
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetHeadroomUsedBytes(0, 3), 100u) << "headroom drains first";
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetHeadroomUsedBytes(0, 3), 0u);
    EXPECT_EQ(buffer.Release(0, 3, 100), Verdict::XON);
    EXPECT_FALSE(buffer.IsPaused(0, 3));
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetUsedBytes(), 0u);
}

TEST(IngressBuffer, ResumesOnlyWhenHeadroomIsEmpty)
{
    IngressBuffer::Config config = StaticConfig();
    config.xonBytes = 3000;
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(config), "");
    EXPECT_EQ(buffer.Admit(0, 3, 3000), Verdict::NOTHING);
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::XOFF);
    EXPECT_EQ(buffer.Release(0, 3, 500), Verdict::NOTHING);
    EXPECT_EQ(buffer.Release(0, 3, 500), Verdict::XON);
}

TEST(IngressBuffer, RefusesWhatHeadroomCannotHold)
{
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(StaticConfig()), "");
    EXPECT_EQ(buffer.Admit(1, 3, 3000), Verdict::NOTHING);
    EXPECT_EQ(buffer.Admit(1, 3, 4000), Verdict::XOFF);
    EXPECT_EQ(buffer.Admit(1, 3, 1001), Verdict::REFUSED);
    EXPECT_EQ(buffer.GetUsedBytes(1, 3), 7000u) << "what is refused is not charged";
    EXPECT_EQ(buffer.Admit(1, 3, 1000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetHeadroomUsedBytes(1, 3), buffer.GetHeadroomBytes(1, 3));
    EXPECT_EQ(buffer.Admit(0, 3, 3000), Verdict::NOTHING) << "the other port has its own";
}

TEST(IngressBuffer, LossyPrioritiesUseTheSharedPoolOnly)
{
    IngressBuffer::Config config = StaticConfig();
    config.bufferBytes = 20000; // 10000 of it headroom
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(config), "");
    EXPECT_EQ(buffer.GetHeadroomBytes(0, 1), 0u);
    EXPECT_EQ(buffer.Admit(0, 1, 9000), Verdict::NOTHING);
    EXPECT_EQ(buffer.Admit(1, 5, 1001), Verdict::REFUSED);
    EXPECT_EQ(buffer.Admit(1, 5, 1000), Verdict::NOTHING);
    // The pool is full: a lossless frame goes to headroom and asks for a pause below Xoff.
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::XOFF);
    EXPECT_EQ(buffer.GetHeadroomUsedBytes(0, 3), 1000u);
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::XON);
    EXPECT_EQ(buffer.Release(0, 1, 9000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetUsedBytes(), 1000u);
}

TEST(IngressBuffer, DynamicThresholdIsAShareOfWhatIsFree)
{
    IngressBuffer::Config config = StaticConfig();
    config.dynamic = true;
    config.alpha = 0.5;
    config.xonOffsetBytes = 1000;
    config.bufferBytes = 20000;
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(config), "");
    EXPECT_EQ(buffer.GetXoffBytes(), 5000u) << "half of 10000";
    EXPECT_EQ(buffer.Admit(0, 3, 2000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetXoffBytes(), 4000u);
    EXPECT_EQ(buffer.Admit(0, 3, 2000), Verdict::NOTHING) << "4000 is not more than 4000";
    EXPECT_EQ(buffer.GetXoffBytes(), 3000u);
    EXPECT_EQ(buffer.Admit(0, 3, 100), Verdict::XOFF);
    EXPECT_EQ(buffer.Admit(1, 3, 2000), Verdict::NOTHING);
    EXPECT_EQ(buffer.GetXoffBytes(), 2000u);
    // Headroom empties; then 4000 - 1000 = 3000 B are held, 5000 B free, Xoff 2500, Xon 1500.
    EXPECT_EQ(buffer.Release(0, 3, 100), Verdict::NOTHING);
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::NOTHING);
    // 2000 B held, 6000 free, Xon 2000.
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::XON);
}

TEST(IngressBuffer, DynamicThresholdResumesWhenItIsBelowTheOffset)
{
    IngressBuffer::Config config = StaticConfig();
    config.dynamic = true;
    config.alpha = 0.1; // of 10000: Xoff 1000
    config.xonOffsetBytes = 5000;
    config.bufferBytes = 20000;
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(config), "");
    EXPECT_EQ(buffer.Admit(0, 3, 500), Verdict::NOTHING);
    EXPECT_EQ(buffer.Admit(0, 3, 1000), Verdict::XOFF);
    EXPECT_EQ(buffer.Release(0, 3, 1000), Verdict::NOTHING) << "500 B are above an Xon of 0";
    EXPECT_EQ(buffer.Release(0, 3, 500), Verdict::XON);
}

TEST(IngressBuffer, SaysWhatDoesNotFit)
{
    IngressBuffer buffer;
    IngressBuffer::Config config = StaticConfig();
    config.bufferBytes = 16000;
    EXPECT_EQ(buffer.Configure(config), "") << "2 x (3000 + 5000)";
    EXPECT_EQ(buffer.GetBufferBytes(), 16000u);
    config.bufferBytes = 15999;
    std::string why = buffer.Configure(config);
    for (const char* part : {"15999 B", "headroom needs 10000 B", "6000 B", "16000 B", "2999 B"})
    {
        EXPECT_NE(why.find(part), std::string::npos) << why << " names " << part;
    }
    config = StaticConfig();
    config.xonBytes = 3001;
    EXPECT_EQ(buffer.Configure(config), "Xon 3001 B is above Xoff 3000 B");
    config = StaticConfig();
    config.dynamic = true;
    EXPECT_NE(buffer.Configure(config), "") << "no size";
    config.bufferBytes = 9999;
    EXPECT_NE(buffer.Configure(config), "") << "headroom alone is 10000";
    config.bufferBytes = 10001;
    EXPECT_EQ(buffer.Configure(config), "");
}

TEST(IngressBuffer, WithoutASizeHasJustEnough)
{
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(StaticConfig()), "");
    // 2 x (3000 + 5000), and for priorities that are not lossless one Xoff more, at least 64 KB
    EXPECT_EQ(buffer.GetBufferBytes(), 16000u + 64000);
    IngressBuffer::Config large = StaticConfig();
    large.xoffBytes = 100000;
    large.xonBytes = 98000;
    ASSERT_EQ(buffer.Configure(large), "");
    EXPECT_EQ(buffer.GetBufferBytes(), 2 * (100000u + 5000) + 100000);
}

TEST(RequiredHeadroom, IsThatOf8021Qbb)
{
    // 2 x 1 us x 12.5 GB/s = 25000 B, 3 x 1082 B, 84 B. The annex has two frames, see there.
    EXPECT_EQ(RequiredHeadroom(100000000000, 1000000, 0, 1082, 84), 25000u + 3 * 1082 + 84);
    EXPECT_EQ(RequiredHeadroom(40000000000, 4000000, 0, 1082, 84), 40000u + 3 * 1082 + 84);
    EXPECT_EQ(RequiredHeadroom(400000000000, 1000000, 0, 1082, 84), 100000u + 3 * 1082 + 84);
    // A reaction time of 614.4 ns at 10 Gb/s is 768 B.
    EXPECT_EQ(RequiredHeadroom(10000000000, 0, 614400, 1538, 84), 768u + 3 * 1538 + 84);
    // A part of a byte is a byte.
    EXPECT_EQ(RequiredHeadroom(10000000000, 400, 0, 100, 84), 1u + 300 + 84);
}

TEST(IngressBuffer, StaysPausedWhileWhatIsStuckIsMoreThanXon)
{
    // Xoff 3000, Xon 2000: 3 x 1000 shared, 500 in headroom.
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(StaticConfig()), "");
    for (int frame = 0; frame < 3; frame++)
    {
        buffer.Admit(0, 3, 1000);
    }
    EXPECT_FALSE(buffer.StaysPaused(0, 3, 3000)) << "not paused";
    ASSERT_EQ(buffer.Admit(0, 3, 500), Verdict::XOFF);
    EXPECT_TRUE(buffer.StaysPaused(0, 3, 3500)) << "nothing leaves";
    EXPECT_TRUE(buffer.StaysPaused(0, 3, 2001));
    EXPECT_FALSE(buffer.StaysPaused(0, 3, 2000)) << "at Xon it resumes";
    EXPECT_FALSE(buffer.StaysPaused(0, 3, 0));
    EXPECT_FALSE(buffer.StaysPaused(1, 3, 3500)) << "another port";
    EXPECT_FALSE(buffer.StaysPaused(0, 4, 3500)) << "another priority";
}

TEST(IngressBuffer, WithADynamicThresholdTheRestOfTheBufferMayMakeRoom)
{
    // Shared 20 000 B and alpha 1/4: Xoff is 5000 with nothing held, and less with more.
    IngressBuffer::Config config = StaticConfig();
    config.dynamic = true;
    config.bufferBytes = 30000;
    config.alpha = 0.25;
    config.xonOffsetBytes = 1000;
    IngressBuffer buffer;
    ASSERT_EQ(buffer.Configure(config), "");
    // 10 000 B of another priority leave 10 000: Xoff 2500.
    ASSERT_EQ(buffer.Admit(1, 0, 10000), Verdict::NOTHING);
    ASSERT_EQ(buffer.Admit(0, 3, 1800), Verdict::NOTHING);
    ASSERT_EQ(buffer.Admit(0, 3, 1900), Verdict::XOFF) << "3700 is above 8200 / 4";
    EXPECT_TRUE(buffer.StaysPaused(0, 3, 3700)) << "nothing of it leaves: nothing ends the pause";
    EXPECT_TRUE(buffer.StaysPaused(0, 3, 1900)) << "headroom stays in use";
    // 1800 stuck: were all else gone, Xon would be (20 000 - 1800) / 4 - 1000 = 3550.
    EXPECT_FALSE(buffer.StaysPaused(0, 3, 1800));
    // With an offset of 3000 it would be 1550.
    config.xonOffsetBytes = 3000;
    ASSERT_EQ(buffer.Configure(config), "");
    ASSERT_EQ(buffer.Admit(1, 0, 10000), Verdict::NOTHING);
    ASSERT_EQ(buffer.Admit(0, 3, 1800), Verdict::NOTHING);
    ASSERT_EQ(buffer.Admit(0, 3, 1900), Verdict::XOFF);
    EXPECT_TRUE(buffer.StaysPaused(0, 3, 1800));
    EXPECT_FALSE(buffer.StaysPaused(0, 3, 1550));
}

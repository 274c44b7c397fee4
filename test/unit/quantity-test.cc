// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/quantity.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/// @returns what a text is read as, -1 if it is refused
template <typename T>
int64_t
Read(bool (*parse)(const std::string&, T&), const std::string& text)
{
    T value = 0;
    return parse(text, value) ? static_cast<int64_t>(value) : -1;
}

} // namespace

TEST(Quantity, ReadsTimes)
{
    EXPECT_EQ(Read(ParseTime, "1s"), 1000000000);
    EXPECT_EQ(Read(ParseTime, "10ms"), 10000000);
    EXPECT_EQ(Read(ParseTime, "0.1us"), 100);
    EXPECT_EQ(Read(ParseTime, "3000ps"), 3);
    EXPECT_EQ(Read(ParseTime, "0s"), 0);
    for (const char* bad : {"", "10", "ms", "10 ms", "10mss", "-1us", "1500ps", "0.5ns", "1e9s"})
    {
        EXPECT_EQ(Read(ParseTime, bad), -1) << bad;
    }
}

TEST(Quantity, ReadsRates)
{
    EXPECT_EQ(Read(ParseRate, "100Gb/s"), 100000000000);
    EXPECT_EQ(Read(ParseRate, "100Gbps"), 100000000000);
    EXPECT_EQ(Read(ParseRate, "2.5kb/s"), 2500);
    EXPECT_EQ(Read(ParseRate, "1GB/s"), 8000000000);
    EXPECT_EQ(Read(ParseRate, "7bps"), 7);
    for (const char* bad : {"", "100", "100G", "0Gb/s", "-1Gb/s", "100Gb/ss", "1e30Gb/s"})
    {
        EXPECT_EQ(Read(ParseRate, bad), -1) << bad;
    }
}

TEST(Quantity, ReadsBytes)
{
    EXPECT_EQ(Read(ParseBytes, "2000000"), 2000000);
    EXPECT_EQ(Read(ParseBytes, "2MB"), 2000000);
    EXPECT_EQ(Read(ParseBytes, "0.5KB"), 500);
    EXPECT_EQ(Read(ParseBytes, "0"), 0);
    for (const char* bad : {"", "-1", "0.5", "2Mb", "2 MB", "1e30"})
    {
        EXPECT_EQ(Read(ParseBytes, bad), -1) << bad;
    }
}

TEST(Quantity, WritesTheLargestUnitThatFits)
{
    EXPECT_EQ(TimeText(0), "0s");
    EXPECT_EQ(TimeText(10000000000), "10s");
    EXPECT_EQ(TimeText(1500), "1500ns");
    EXPECT_EQ(TimeText(10000), "10us");
    EXPECT_EQ(RateText(100000000000), "100Gb/s");
    EXPECT_EQ(RateText(2500), "2500b/s");
    EXPECT_EQ(RateText(0), "0b/s");
}

TEST(Quantity, WholeNumbers)
{
    uint32_t number = 99;
    EXPECT_TRUE(ParseWhole("0", 5, number));
    EXPECT_EQ(number, 0u);
    EXPECT_TRUE(ParseWhole("4294967295", 4294967295u, number));
    EXPECT_EQ(number, 4294967295u);
    for (const char* text : {"", "6", "-1", "+1", " 1", "1 ", "1x", "0x1", "1.0", "4294967296"})
    {
        EXPECT_FALSE(ParseWhole(text, 5, number)) << text;
    }
    EXPECT_EQ(number, 4294967295u) << "left alone";
}

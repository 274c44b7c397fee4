// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/input-error.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(InputError, NamesFileLineFoundAndExpected)
{
    EXPECT_STREQ(InputError("a.txt", 3, "X", "Y").what(), "a.txt:3: found X, expected Y");
    EXPECT_STREQ(InputError("a.txt", 0, "X", "Y").what(), "a.txt: found X, expected Y");
    EXPECT_STREQ(InputError("load", "1.2", "at most 1").what(),
                 "load: found 1.2, expected at most 1");
}

TEST(InputError, ShowsWhatCannotBePrintedInOneLine)
{
    EXPECT_STREQ(InputError("a\nb", 1, "'\x1b[2J\t\x7f\xc2\xb5'", "Y").what(),
                 "a\\x0ab:1: found '\\x1b[2J\\x09\\x7f\xc2\xb5', expected Y");
    const std::string message = InputError("a", "'" + std::string(100000, 'x') + "'", "Y").what();
    EXPECT_LT(message.size(), 600U);
    EXPECT_NE(message.find("x... 100002 bytes ...x"), std::string::npos) << message;
    EXPECT_NE(message.find("x', expected Y"), std::string::npos) << message;
}

TEST(NearestName, FindsWhatWasMeant)
{
    const std::vector<std::string> schemes = {"dcqcn", "dcqcn+tcd", "timely", "hpcc", "none"};
    EXPECT_EQ(NearestName("dcqn", schemes), "dcqcn");
    EXPECT_EQ(NearestName("DCQCN", schemes), "dcqcn");
    EXPECT_EQ(NearestName("dcqcn-tcd", schemes), "dcqcn+tcd");
    EXPECT_EQ(NearestName("timley", schemes), "timely");
    EXPECT_EQ(NearestName("nome", schemes), "none");
}

TEST(NearestName, IsSilentWhenNothingIsNear)
{
    EXPECT_EQ(NearestName("mercury", {"dcqcn", "timely", "none"}), "");
    // Two letters changed of two: as far as any other name.
    EXPECT_EQ(NearestName("ab", {"xy"}), "");
    EXPECT_EQ(NearestName("", {"xy"}), "");
    EXPECT_EQ(NearestName("ab", {}), "");
}

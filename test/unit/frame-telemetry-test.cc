// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// INT blocks on the wire. The expected bytes were put together outside the module (Python's struct
// and zlib).

#include "frame-bytes.h"

#include "ns3/frame-format.h"
#include "ns3/telemetry-header.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Two hops of 100 Gb/s: after 5 ms and 1 MB with 8000 B waiting, and 123 ns later after 2 MB.
IntBlockPtr
MakeTwoHops()
{
    IntBlockPtr block = MakeIntBlock();
    block->Push({100000000000, 5000000, 1000000, 8000});
    block->Push({100000000000, 5000123, 2000000, 0});
    return block;
}

// 100 Gb/s is 50 x 4 x 0.5 Gb/s, exponent 1 and mantissa 50: 0x72. 5 ms is 805696 ns after the wrap
// at 2^22. 1 MB is 7812 units of 128 B, 8000 B are 100 of 80 B:
// 0x72 << 56 | 805696 << 34 | 7812 << 16 | 100; the second 0x72 << 56 | 805819 << 34 | 15625 << 16.
const char* const TWO_HOPS = "2000"
                             "7231 2d00 1e84 0064"
                             "7231 2eec 3d09 0000"
                             "000000000000000000000000000000000000000000000000";

/// @returns a text without its blanks
std::string
Joined(std::string text)
{
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

} // namespace

TEST(FrameFormat, IntBlockFollowsTheExtendedHeader)
{
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    ack->psn = 0x123456;
    ack->messageNumber = 9;
    ack->telemetry = MakeTwoHops();
    ack->bytes = AckFrameBytes(false, true);
    EXPECT_EQ(WireHex(*ack).substr(2 * (14 + 28), 2 * (12 + 4 + 42)),
              Joined("1140ffff0000abcd40123456" // T
                     "1f000009" +               // AETH
                     std::string(TWO_HOPS)));

    FramePtr write = MakeSend(4);
    write->write = true;
    write->firstOfMessage = true;
    write->messageBytes = 1000000;
    write->telemetry = MakeTwoHops();
    write->bytes = DataFrameBytes(4, true, false, true);
    EXPECT_EQ(WireHex(*write).substr(2 * (14 + 28), 2 * (12 + 16 + 42 + 4)),
              Joined("0640ffff0000abcd40000000"
                     "000000000000000000000000000f4240" + // RETH
                     std::string(TWO_HOPS) +
                     "00000000"));
}

TEST(FrameFormat, IntBlockIsOutsideTheIcrc)
{
    FramePtr write = MakeSend(4);
    write->write = true;
    write->firstOfMessage = true;
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    FramePtr send = MakeSend(100);
    for (const auto& [frame, extended] : {std::make_pair(write.get(), 16),
                                          std::make_pair(ack.get(), 4),
                                          std::make_pair(send.get(), 0)})
    {
        frame->telemetry = MakeIntBlock();
        frame->bytes = FrameBytes(*frame);
        const Bytes empty = ToBytes(ToPacket(*frame));
        frame->telemetry = MakeTwoHops();
        const Bytes filled = ToBytes(ToPacket(*frame));
        EXPECT_NE(Hex(empty), Hex(filled));
        EXPECT_EQ(LastWord(empty, empty.size()), LastWord(filled, filled.size()));
        EXPECT_EQ(LastWord(filled, filled.size()),
                  BitwiseIcrc(filled, filled.size(), IP + 28 + 12 + extended));
        // Nothing else is: neither the bytes beside it nor the bit that announces it.
        for (std::size_t at : {IP + 28 + 8, IP + 28 + 11, IP + 28 + 12 + extended + 42})
        {
            Bytes damaged = filled;
            damaged[at] ^= 0x40;
            std::string why;
            EXPECT_FALSE(FromPacket(FromBytes(damaged), FrameCheck::OMITTED, &why)) << at;
            EXPECT_EQ(why.substr(0, 4), "ICRC") << at;
        }
    }
}

TEST(FrameFormat, IntValuesAreRoundedOnTheWire)
{
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    ack->telemetry = MakeIntBlock();
    ack->telemetry->Push({33000000000, (1 << 22) - 1, 127, 79});
    ack->telemetry->Push({5000000000000, 1 << 22, (uint64_t(1) << 25) + 255, 65535 * 80 + 79});
    ack->telemetry->Push({100, 0, 0, 1000000000});
    ack->bytes = FrameBytes(*ack);
    FramePtr back = FromPacket(ToPacket(*ack));
    ASSERT_TRUE(back && back->telemetry);
    ASSERT_EQ(back->telemetry->hops, 3u);
    const IntHop* hop = back->telemetry->hop;
    EXPECT_EQ(hop[0].rateBps, 34000000000u); // between 32 and 34, in units of 2
    EXPECT_EQ(hop[0].timeNs, 4194303);
    EXPECT_EQ(hop[0].txBytes, 0u);
    EXPECT_EQ(hop[0].queueBytes, 0u);
    EXPECT_EQ(hop[1].rateBps, 2016000000000u); // the highest
    EXPECT_EQ(hop[1].timeNs, 0);               // wrapped
    EXPECT_EQ(hop[1].txBytes, 128u);           // wrapped
    EXPECT_EQ(hop[1].queueBytes, 65535u * 80);
    EXPECT_EQ(hop[2].rateBps, 0u);
    EXPECT_EQ(hop[2].queueBytes, 65535u * 80); // the highest
}

TEST(TelemetryHeader, RatesInUse)
{
    for (double gbps : {0.5, 1.0, 2.5, 10.0, 25.0, 32.0, 40.0, 50.0, 56.0, 100.0, 200.0, 400.0})
    {
        const auto bps = static_cast<uint64_t>(gbps * 1e9);
        EXPECT_EQ(TelemetryHeader::DecodeRate(TelemetryHeader::EncodeRate(bps)), bps);
    }
    for (uint64_t bps = 8000000000; bps < 2016000000000; bps += 7000000)
    {
        const uint64_t back = TelemetryHeader::DecodeRate(TelemetryHeader::EncodeRate(bps));
        // Half a unit of a mantissa of at least 16.
        ASSERT_NEAR(static_cast<double>(back) / bps, 1, 0.5 / 16) << bps;
    }
}

TEST(FrameFormat, MoreIntHopsThanSlotsAreThoseOfAllSlots)
{
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    ack->telemetry = MakeTwoHops();
    ack->bytes = FrameBytes(*ack);
    Bytes bytes = ToBytes(ToPacket(*ack));
    bytes[IP + 28 + 12 + 4] = 0xF0;
    FramePtr back = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(back && back->telemetry);
    EXPECT_EQ(back->telemetry->hops, 5u);
    EXPECT_EQ(back->telemetry->hop[4].rateBps, 0u);
}

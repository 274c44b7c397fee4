// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Sizes and fields of frames on the wire, byte by byte. The expected bytes were put together
// outside the module (Python's struct and zlib).

#include "frame-bytes.h"

#include "ns3/frame-format.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::losslesstest;

TEST(FrameFormat, SizesAreSumsOfTheLayers)
{
    // 14 Ethernet, 20 IPv4, 8 UDP, 12 BTH, 4 ICRC, 4 FCS = 62; RETH 16; 802.1Q 4.
    EXPECT_EQ(DataFrameBytes(1000, false, false), 1062u);
    EXPECT_EQ(DataFrameBytes(1000, false, true), 1066u);
    EXPECT_EQ(DataFrameBytes(1000, true, false), 1078u);
    EXPECT_EQ(DataFrameBytes(997, false, false), 1062u);  // pad 3
    EXPECT_EQ(DataFrameBytes(1001, false, false), 1066u); // pad 3
    EXPECT_EQ(DataFrameBytes(0, false, false), 64u);      // 62, filled to the shortest frame
    EXPECT_EQ(DataFrameBytes(0, false, true), 66u);
    EXPECT_EQ(AckFrameBytes(false), 66u); // AETH 4
    EXPECT_EQ(AckFrameBytes(true), 70u);
    EXPECT_EQ(DataFrameBytes(1000, false, false, true), 1104u); // INT block 42
    EXPECT_EQ(AckFrameBytes(false, true), 108u);
    EXPECT_EQ(CnpFrameBytes(false), 78u); // 16 reserved
    EXPECT_EQ(CnpFrameBytes(true), 82u);
    EXPECT_EQ(PFC_FRAME_BYTES, 64u);
    EXPECT_EQ(EthernetFrameBytes(1500, false), 1518u);
    EXPECT_EQ(EthernetFrameBytes(28, false), 64u); // ARP
    for (uint32_t payload = 0; payload < 8; payload++)
    {
        EXPECT_LT(PadCount(payload), 4u);
        EXPECT_EQ((payload + PadCount(payload)) % 4, 0u);
    }
}

TEST(FrameFormat, SendOnly)
{
    FramePtr frame = MakeSend(5);
    frame->psn = 0x3FFFFFE; // 26 bits, of which 24 are sent
    frame->ackRequest = true;
    frame->firstOfMessage = true;
    frame->lastOfMessage = true;
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "0800"
              "4561003400004000401123540a0001020a000203" // DSCP 24, ECT(1), DF, TTL 64
              "c12312b700200000"                         // port 4791, no checksum
              "0470ffff0000abcd80fffffe"                 // M, pad 3; A
              "0000000000"
              "000000"     // payload, pad
              "c5e1895c"   // ICRC
              "351303df"); // FCS
}

TEST(FrameFormat, WriteFirstWithTag)
{
    FramePtr frame = MakeRoce(FrameKind::DATA, 5);
    frame->payload = 4;
    frame->psn = 7;
    frame->write = true;
    frame->firstOfMessage = true;
    frame->messageBytes = 1000000;
    frame->tagged = true;
    frame->bytes = DataFrameBytes(4, true, true);
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "8100a000"
              "0800"
              "45a1004000004000401123080a0001020a000203"
              "c12312b7002c0000"
              "0640ffff0000abcd00000007"
              "0000000000000000"
              "00000000"
              "000f4240" // RETH
              "00000000"
              "51876546"
              "0590f88a");
}

TEST(FrameFormat, AckEchoesUndeterminedInReservedBit)
{
    FramePtr frame = MakeRoce(FrameKind::ACK, 6);
    frame->psn = 0x123456;
    frame->messageNumber = 9;
    frame->echo = CodePoint::UNDETERMINED;
    frame->bytes = AckFrameBytes(false);
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "0800"
              "45c1003000004000401122f80a0001020a000203"
              "c12312b7001c0000"
              "1140ffff2000abcd00123456" // U
              "1f000009"                 // ACK without credits
              "634d8053"
              "c4788460");
}

TEST(FrameFormat, NackEchoesCongestionInForwardBit)
{
    FramePtr frame = MakeRoce(FrameKind::NACK, 6);
    frame->psn = 0x123456;
    frame->messageNumber = 9;
    frame->echo = CodePoint::CONGESTION;
    frame->bytes = AckFrameBytes(false);
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "0800"
              "45c1003000004000401122f80a0001020a000203"
              "c12312b7001c0000"
              "1140ffff8000abcd00123456" // F
              "60000009"                 // PSN sequence error
              "a9fddc60"
              "4dee462b");
}

TEST(FrameFormat, Cnp)
{
    FramePtr frame = MakeRoce(FrameKind::NOTIFICATION, 6);
    frame->psn = 5; // a CNP has PSN 0
    std::get<Cnp>(frame->notification).windowBytes = 48000;
    std::get<Cnp>(frame->notification).code = CodePoint::UNDETERMINED;
    std::get<Cnp>(frame->notification).fairRate = 2500;
    std::get<Cnp>(frame->notification).point = 17;
    frame->bytes = CnpFrameBytes(false);
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "0800"
              "45c1003c00004000401122ec0a0001020a000203"
              "c12312b700280000"
              "8100ffff4000abcd00000000" // B
              "0000bb80"
              "02000000"
              "000009c4"
              "00000011"
              "78d56222"
              "32a46881");
}

TEST(FrameFormat, Pfc)
{
    FramePtr frame = MakeRoce(FrameKind::PFC, 0);
    frame->pause.classes = 1 << 3 | 1 << 5;
    frame->pause.quanta[3] = 0xFFFF; // pause class 3, resume class 5
    frame->bytes = PFC_FRAME_BYTES;
    EXPECT_EQ(WireHex(*frame),
              "0180c2000001"
              "020000000102"
              "8808"
              "0101"
              "0028"
              "000000000000ffff0000000000000000"
              "0000000000000000000000000000000000000000000000000000" // 26 bytes
              "182ec282");
}

TEST(FrameFormat, ShortPacketIsPadded)
{
    FramePtr frame = MakeRoce(FrameKind::PACKET, 0);
    frame->etherType = 0x9000;
    frame->packet = FromBytes({1, 2, 3, 4, 5});
    frame->bytes = EthernetFrameBytes(5, false);
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "9000"
              "0102030405" +
                  std::string(2 * 41, '0') + "377037f3");
    EXPECT_EQ(frame->packet->GetSize(), 5u); // the carried packet is left alone

    FramePtr back = FromPacket(ToPacket(*frame));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->packet->GetSize(), 46u); // with the padding, as documented
}

TEST(FrameFormat, ShortSendIsPaddedBehindIcrc)
{
    FramePtr frame = MakeSend(0);
    const Bytes bytes = ToBytes(ToPacket(*frame));
    ASSERT_EQ(bytes.size(), 60u);
    EXPECT_EQ(LastWord(bytes, 58), BitwiseIcrc(bytes, 58));
    EXPECT_EQ(bytes[58] | bytes[59], 0);
    FramePtr back = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(back);
    ExpectSame(*frame, *back);
}

TEST(FrameFormat, OpcodesFollowPlaceInMessage)
{
    // InfiniBand Architecture 1.3, volume 1, table 38.
    const struct
    {
        bool write;
        bool first;
        bool last;
        int opcode;
    } cases[] = {
        {false, true, false, 0x00},
        {false, false, false, 0x01},
        {false, false, true, 0x02},
        {false, true, true, 0x04},
        {true, true, false, 0x06},
        {true, false, false, 0x07},
        {true, false, true, 0x08},
        {true, true, true, 0x0A},
    };

    for (const auto& expected : cases)
    {
        FramePtr frame = MakeSend(1000);
        frame->write = expected.write;
        frame->firstOfMessage = expected.first;
        frame->lastOfMessage = expected.last;
        frame->bytes = FrameBytes(*frame);
        const Bytes bytes = ToBytes(ToPacket(*frame));
        EXPECT_EQ(bytes[IP + 28], expected.opcode);
        EXPECT_EQ(bytes.size() + 4, frame->bytes);
        FramePtr back = FromPacket(FromBytes(bytes));
        ASSERT_TRUE(back);
        ExpectSame(*frame, *back);
    }
}

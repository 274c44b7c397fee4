// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Tags and messages of ECM and QCN: on the wire, byte by byte and both ways, and in the pool.

#include "frame-bytes.h"

#include "ns3/cm-tag-header.h"
#include "ns3/cnm-header.h"
#include "ns3/ecm-header.h"
#include "ns3/frame-format.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

const uint8_t SWITCH[6] = {2, 0, 0, 0, 9, 1};

CongestionPointId
MakePoint()
{
    CongestionPointId point;
    point.bytes = {2, 0, 0, 0, 9, 1, 0, 0x1B};
    return point;
}

void
AddCmTag(Frame& frame)
{
    CmTag tag;
    tag.point = MakePoint();
    tag.timestamp = 0xABCD;
    tag.unit = 3;
    frame.tag = MakeCongestionTag();
    frame.tag->tag = tag;
    frame.bytes = FrameBytes(frame);
}

void
AddCnTag(Frame& frame)
{
    frame.tag = MakeCongestionTag();
    frame.tag->tag = CnTag{0x1234};
    frame.bytes = FrameBytes(frame);
}

EcmMessage
MakeEcm()
{
    EcmMessage message;
    message.point = MakePoint();
    message.offset = -2;
    message.delta = 750;
    message.timestamp = 0xABCD;
    message.unit = 3;
    message.timestamped = true;
    message.saturated = true;
    return message;
}

QcnMessage
MakeCnm(uint8_t quotedBytes)
{
    QcnMessage message;
    message.point = MakePoint();
    message.offset = 16;
    message.delta = -1;
    message.feedback = 63;
    message.quotedBytes = quotedBytes;
    return message;
}

/// ExpectSame() but for the priority of an untagged message, which is not on the wire.
void
ExpectSameOnTheWire(const Frame& frame, const Frame& back)
{
    FramePtr expected = CopyFrame(frame);
    if (expected->quoted && !expected->tagged)
    {
        expected->priority = 0;
    }
    ExpectSame(*expected, back);
}

/// Reads a frame, expects it to be another one and to be written as it was.
FramePtr
ExpectRoundTrip(const Frame& frame)
{
    const Bytes bytes = ToBytes(ToPacket(frame));
    EXPECT_EQ(bytes.size() + FCS_BYTES, frame.bytes);
    std::string why;
    FramePtr back = FromPacket(FromBytes(bytes), FrameCheck::OMITTED, &why);
    EXPECT_TRUE(back) << why;
    if (back)
    {
        ExpectSameOnTheWire(frame, *back);
        EXPECT_EQ(Hex(ToBytes(ToPacket(*back))), Hex(bytes));
    }
    return back;
}

const std::string MACS = "020000000203"
                         "020000000102";
// Qoff -2, Qdelta 750; Q
const std::string ECM = "0800"
                        "020000000901001b"
                        "fffe"
                        "02ee"
                        "abcd"
                        "03"
                        "00";
const std::string CM_TAG = "88b6"
                           "0000"
                           "020000000901001b"
                           "abcd"
                           "03"
                           "00";

} // namespace

TEST(CongestionTag, Sizes)
{
    FramePtr frame = MakeSend(1000);
    EXPECT_EQ(CongestionTagBytes(*frame), 0u);
    AddCmTag(*frame);
    EXPECT_EQ(frame->bytes, 1062u + 16);
    AddCnTag(*frame);
    EXPECT_EQ(frame->bytes, 1062u + 4);
    FramePtr small = MakeSend(0); // 62 bytes, filled up to 64
    AddCmTag(*small);
    EXPECT_EQ(small->bytes, 62u + 16);
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    AddCmTag(*ack);
    EXPECT_EQ(ack->bytes, 66u + 16);
}

TEST(CongestionTag, FollowsThe8021QTag)
{
    FramePtr frame = MakeSend(4);
    frame->tagged = true;
    AddCmTag(*frame);
    EXPECT_EQ(WireHex(*frame).substr(0, 2 * 36), MACS + "81006000" + CM_TAG + "0800" + "4561");
    ExpectRoundTrip(*frame);
    AddCnTag(*frame);
    EXPECT_EQ(WireHex(*frame).substr(0, 2 * 24),
              MACS + "81006000" + "22e9" + "1234" + "0800" + "4561");
    ExpectRoundTrip(*frame);
}

TEST(CongestionTag, IsOnFramesOfEveryKindButPfc)
{
    for (FrameKind kind : {FrameKind::DATA,
                           FrameKind::ACK,
                           FrameKind::NACK,
                           FrameKind::NOTIFICATION,
                           FrameKind::PACKET})
    {
        for (bool cm : {true, false})
        {
            FramePtr frame = MakeRoce(kind, 3);
            frame->etherType = kind == FrameKind::PACKET ? 0x86DD : 0;
            frame->packet = kind == FrameKind::PACKET ? FromBytes(Bytes(46, 7)) : nullptr;
            frame->codePoint =
                kind == FrameKind::PACKET ? CodePoint::NOT_CAPABLE : CodePoint::CAPABLE;
            frame->queuePair = kind == FrameKind::PACKET ? 0 : frame->queuePair;
            if (kind == FrameKind::PACKET)
            {
                frame->priority = 0;
                frame->addresses.sourceIp = frame->addresses.destinationIp = 0;
                frame->addresses.udpSource = 0;
            }
            (cm ? AddCmTag : AddCnTag)(*frame);
            ExpectRoundTrip(*frame);
        }
    }
    FramePtr pfc = MakeRoce(FrameKind::PFC, 0);
    pfc->bytes = PFC_FRAME_BYTES;
    Bytes bytes = ToBytes(ToPacket(*pfc));
    const Bytes tag = {0x22, 0xE9, 0, 1};
    bytes.insert(bytes.begin() + 12, tag.begin(), tag.end());
    std::string why;
    EXPECT_FALSE(FromPacket(FromBytes(bytes), FrameCheck::OMITTED, &why));
    EXPECT_EQ(why.substr(0, 20), "PFC frame with a tag");
}

TEST(CongestionTag, OfALaterVersionIsReadByTheFieldsWeKnow)
{
    FramePtr frame = MakeSend(100);
    AddCmTag(*frame);
    Bytes bytes = ToBytes(ToPacket(*frame));
    bytes[14] = 0xF0 | 0x0A; // version 15, and reserved bits
    bytes[15] = 0xFF;
    bytes[27] = 0x77;
    FramePtr back = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(back);
    ExpectSame(*frame, *back);

    CmTagHeader header;
    FromBytes(Bytes(bytes.begin() + 14, bytes.end()))->PeekHeader(header);
    EXPECT_EQ(header.GetVersion(), 15);
    EXPECT_EQ(header.GetEtherType(), 0x0800);
    EXPECT_EQ(header.GetTag().timestamp, 0xABCD);
}

TEST(EcmMessage, OnTheWire)
{
    FramePtr sampled = MakeSend(1000);
    FramePtr frame = MakeCongestionMessage(*sampled, MakeEcm(), SWITCH);
    EXPECT_EQ(frame->bytes, 14u + 18 + 40 + 4);
    const std::string head = WireHex(*sampled).substr(0, 2 * 40);
    EXPECT_EQ(WireHex(*frame).substr(0, 2 * 72),
              "020000000102" // back to the source
              "020000000901"
              "88b5" +
                  ECM + head);
}

TEST(EcmMessage, QuotesTheCmTag)
{
    FramePtr sampled = MakeSend(1000);
    sampled->tagged = true;
    AddCmTag(*sampled);
    EcmMessage message = MakeEcm();
    message.priority = 7;
    FramePtr frame = MakeCongestionMessage(*sampled, message, SWITCH);
    EXPECT_EQ(frame->bytes, 18u + 18 + 40 + 4);
    EXPECT_EQ(WireHex(*frame).substr(0, 2 * 76),
              "020000000102"
              "020000000901"
              "8100e000"
              "88b5" +
                  ECM + MACS + "81006000" + CM_TAG + "0800" + "456104140000");
    FramePtr back = ExpectRoundTrip(*frame);
    ASSERT_TRUE(back && back->quoted && back->quoted->tag);
    EXPECT_EQ(std::get<CmTag>(back->quoted->tag->tag).timestamp, 0xABCD);
    EXPECT_EQ(back->quoted->priority, 3);
    EXPECT_EQ(back->quoted->etherType, 0x0800);
    EXPECT_EQ(std::get<EcmMessage>(back->notification).priority, 7);
}

TEST(EcmMessage, QuotesAsManyBytesAsItSays)
{
    FramePtr sampled = MakeSend(1000);
    for (bool tagged : {true, false})
    {
        for (uint8_t n : {24, 28, 31, 40, 60})
        {
            sampled->tagged = tagged;
            AddCmTag(*sampled); // may be cut off
            EcmMessage message = MakeEcm();
            message.quotedBytes = n;
            FramePtr frame = MakeCongestionMessage(*sampled, message, SWITCH);
            // The shortest has 64 bytes: 24 quoted in a tagged frame, 28 in another.
            const uint32_t quoted = std::max<uint32_t>(n, tagged ? 24 : 28);
            EXPECT_EQ(QuotedBytes(*frame), quoted);
            EXPECT_EQ(frame->bytes, 14u + (tagged ? 4 : 0) + 18 + quoted + 4);
            EXPECT_GE(frame->bytes, 64u);
            std::get<EcmMessage>(frame->notification).quotedBytes = quoted;
            ExpectRoundTrip(*frame);
        }
    }
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    ack->bytes = FrameBytes(*ack);
    EcmMessage message = MakeEcm();
    message.timestamped = false;
    message.quotedBytes = 200; // more than the frame has before its FCS
    FramePtr frame = MakeCongestionMessage(*ack, message, SWITCH);
    EXPECT_EQ(QuotedBytes(*frame), 62u);
    std::get<EcmMessage>(frame->notification).quotedBytes = 62;
    ExpectRoundTrip(*frame);
}

TEST(EcmMessage, OfALaterVersionIsReadByTheFieldsWeKnow)
{
    FramePtr sampled = MakeSend(1000);
    AddCmTag(*sampled);
    FramePtr frame = MakeCongestionMessage(*sampled, MakeEcm(), SWITCH);
    Bytes bytes = ToBytes(ToPacket(*frame));
    bytes[14] |= 0x17; // version 1, reserved bits
    bytes[15] = 0xFF;
    bytes[31] = 0xFF;
    FramePtr back = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(back);
    ExpectSameOnTheWire(*frame, *back);
    EcmHeader header;
    FromBytes(Bytes(bytes.begin() + 14, bytes.end()))->PeekHeader(header);
    EXPECT_EQ(header.GetVersion(), 1);
}

TEST(EcmMessage, FieldsAreReadAsTheyWere)
{
    FramePtr sampled = MakeSend(1000);
    for (int16_t value : {-32768, -375, -1, 0, 1, 750, 32767})
    {
        EcmMessage message;
        message.offset = value;
        message.delta = static_cast<int16_t>(-1 - value);
        message.timestamp = static_cast<uint16_t>(value);
        message.unit = static_cast<uint8_t>(value);
        message.saturated = value > 0;
        for (uint8_t i = 0; i < 8; i++)
        {
            message.point.bytes[i] = i + value;
        }
        ExpectRoundTrip(*MakeCongestionMessage(*sampled, message, SWITCH));
    }
}

TEST(EcmMessage, TooShortIsRefused)
{
    FramePtr frame = MakeCongestionMessage(*MakeSend(1000), MakeEcm(), SWITCH);
    Bytes bytes = ToBytes(ToPacket(*frame));
    bytes.resize(14 + 18 + 23);
    bytes.insert(bytes.begin() + 12, {0x81, 0x00, 0x60, 0x00, 0x22, 0xE9, 0x00, 0x01});
    std::string why;
    EXPECT_FALSE(FromPacket(FromBytes(bytes), FrameCheck::OMITTED, &why));
    EXPECT_EQ(why, "ECM message that quotes 23 bytes, not 24 to 255");
}

TEST(QcnMessage, OnTheWire)
{
    FramePtr sampled = MakeSend(1000);
    sampled->tagged = true;
    AddCnTag(*sampled);
    FramePtr frame = MakeCongestionMessage(*sampled, MakeCnm(26), SWITCH);
    EXPECT_EQ(frame->bytes, 18u + 4 + 24 + 26 + 4);
    EXPECT_EQ(WireHex(*frame).substr(0, 2 * 72),
              "020000000102"
              "020000000901"
              "8100c000"
              "22e91234" // the sampled frame's
              "22e7"
              "003f"
              "020000000901001b"
              "0010"
              "ffff"
              "6000"         // priority 3
              "020000000203" // destination
              "001a" +
                  WireHex(*sampled).substr(2 * 20, 2 * 26));
    FramePtr back = ExpectRoundTrip(*frame);
    ASSERT_TRUE(back && back->quoted);
    EXPECT_EQ(back->quoted->priority, 3);
    EXPECT_EQ(back->quoted->etherType, 0x0800);
    EXPECT_EQ(back->quoted->addresses.destinationMac[5], 3);
    EXPECT_EQ(back->quoted->addresses.sourceMac[5], 2);
}

TEST(QcnMessage, QuotesUpTo64Bytes)
{
    for (uint8_t n : {0, 1, 2, 3, 22, 64})
    {
        FramePtr frame = MakeCongestionMessage(*MakeSend(1000), MakeCnm(n), SWITCH);
        EXPECT_EQ(frame->bytes, std::max(64u, 14u + 24 + n + 4));
        FramePtr back = ExpectRoundTrip(*frame);
        ASSERT_TRUE(back);
        EXPECT_EQ(QuotedBytes(*back), n);
    }
    FramePtr ack = MakeRoce(FrameKind::ACK, 6);
    ack->bytes = FrameBytes(*ack);
    FramePtr frame = MakeCongestionMessage(*ack, MakeCnm(64), SWITCH);
    EXPECT_EQ(QuotedBytes(*frame), 66u - 4 - 12); // all that there is
}

TEST(QcnMessage, OfALaterVersionIsReadByTheFieldsWeKnow)
{
    FramePtr frame = MakeCongestionMessage(*MakeSend(1000), MakeCnm(0), SWITCH);
    Bytes bytes = ToBytes(ToPacket(*frame));
    bytes[14] = 0x2F; // version 2, reserved bits
    bytes[15] |= 0xC0;
    bytes[28] |= 0x1F;
    bytes[29] = 0xFF;
    FramePtr back = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(back);
    ExpectSameOnTheWire(*frame, *back);
    CnmHeader header;
    FromBytes(Bytes(bytes.begin() + 14, bytes.end()))->PeekHeader(header);
    EXPECT_EQ(header.GetVersion(), 2);
    EXPECT_EQ(header.GetMessage().feedback, 63);
}

TEST(QcnMessage, ThatSaysMoreThanItHasIsRefused)
{
    FramePtr frame = MakeCongestionMessage(*MakeSend(1000), MakeCnm(30), SWITCH);
    Bytes bytes = ToBytes(ToPacket(*frame));
    bytes[37] = 31;
    std::string why;
    EXPECT_FALSE(FromPacket(FromBytes(bytes), FrameCheck::OMITTED, &why));
    EXPECT_EQ(why, "CNM that quotes 31 bytes; there are 30");
    bytes.resize(300);
    bytes[37] = 65;
    EXPECT_FALSE(FromPacket(FromBytes(bytes), FrameCheck::OMITTED, &why));
    EXPECT_EQ(why, "CNM that quotes 65 bytes; there are 262");
}

TEST(CongestionMessage, GoesToTheSourceOfTheSampledFrame)
{
    FramePtr sampled = MakeSend(1000);
    sampled->source = 4;
    sampled->destination = 9;
    sampled->hash = 77;
    sampled->flow = 5;
    sampled->sourceQueuePair = 12;
    FramePtr frame = MakeCongestionMessage(*sampled, MakeCnm(0), SWITCH);
    EXPECT_EQ(frame->kind, FrameKind::NOTIFICATION);
    EXPECT_EQ(frame->destination, 4u);
    EXPECT_EQ(frame->hash, 77u);
    EXPECT_EQ(frame->flow, 5u);
    EXPECT_EQ(frame->queuePair, 12u);
    EXPECT_EQ(frame->priority, 6);
    ASSERT_TRUE(frame->quoted);
    EXPECT_EQ(frame->quoted->destination, 9u);
    EXPECT_FALSE(frame->quoted->quoted);
}

TEST(CongestionTag, ComesFromAPoolAndIsCopiedWithItsFrame)
{
    const std::size_t before = CongestionTagsInUse();
    {
        FramePtr frame = MakeSend(1000);
        EXPECT_FALSE(frame->tag);
        AddCmTag(*frame);
        EXPECT_EQ(CongestionTagsInUse(), before + 1);
        FramePtr message = MakeCongestionMessage(*frame, MakeEcm(), SWITCH);
        EXPECT_EQ(CongestionTagsInUse(), before + 2);
        FramePtr copy = CopyFrame(*message);
        EXPECT_EQ(CongestionTagsInUse(), before + 3);
        ASSERT_TRUE(copy->quoted && copy->quoted->tag);
        EXPECT_NE(copy->quoted->tag.get(), message->quoted->tag.get());
        frame.reset();
        EXPECT_EQ(CongestionTagsInUse(), before + 2);
        AddCnTag(*message);
        EXPECT_EQ(CongestionTagsInUse(), before + 3);
    }
    EXPECT_EQ(CongestionTagsInUse(), before);
    EXPECT_FALSE(MakeFrame()->tag);
    EXPECT_FALSE(MakeFrame()->quoted);
}

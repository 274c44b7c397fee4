// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Frames as InfiniBand packets, byte by byte, both ways. The expected bytes were put together
// outside the module (Python's struct and zlib); those of one packet are the specification's own
// sample.

#include "frame-bytes.h"

#include "ns3/infiniband-crc.h"
#include "ns3/infiniband-format.h"
#include "ns3/invariant-crc-trailer.h"
#include "ns3/ipv4-header.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/**
 * @param text pairs of hexadecimal digits
 * @returns their bytes
 */
Bytes
FromHex(const std::string& text)
{
    Bytes bytes;
    for (std::size_t i = 0; i < text.size(); i += 2)
    {
        bytes.push_back(std::stoi(text.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

/// @returns a frame between the ports with local identifiers 0x0102 and 0x0203
FramePtr
Make(FrameKind kind, uint8_t lane)
{
    FramePtr frame = MakeFrame();
    frame->kind = kind;
    frame->priority = lane;
    frame->codePoint = kind == FrameKind::DATA ? CodePoint::CAPABLE : CodePoint::NOT_CAPABLE;
    frame->queuePair = 0xABCD;
    frame->source = 0x0101;
    frame->destination = 0x0202;
    return frame;
}

std::string
InfinibandHex(Frame& frame)
{
    frame.bytes = InfinibandFrameBytes(frame);
    return Hex(ToBytes(ToInfinibandPacket(frame)));
}

/// Random frames whose every field survives an InfiniBand link.
class PacketSource
{
  public:
    FramePtr Next()
    {
        const FrameKind kinds[] = {FrameKind::DATA,
                                   FrameKind::ACK,
                                   FrameKind::NACK,
                                   FrameKind::NOTIFICATION,
                                   FrameKind::PACKET};
        FramePtr frame = Make(kinds[Below(5)], Below(16));
        frame->source = Below(0xBFFF);
        frame->destination = Below(8) ? Below(0xBFFF) : UNKNOWN_ENDPOINT;
        if (frame->kind == FrameKind::PACKET)
        {
            FillPacket(*frame);
        }
        else
        {
            FillTransport(*frame);
        }
        frame->bytes = InfinibandFrameBytes(*frame);
        return frame;
    }

    uint32_t Below(uint32_t limit)
    {
        return m_random() % limit;
    }

  private:
    void FillPacket(Frame& frame)
    {
        frame.queuePair = 0;
        frame.etherType = 0x88B5;
        Bytes content(4 * Below(500));
        for (uint8_t& byte : content)
        {
            byte = Below(256);
        }
        frame.packet = FromBytes(content);
    }

    void FillTransport(Frame& frame)
    {
        frame.queuePair = Below(1 << 24);
        if (frame.kind == FrameKind::NOTIFICATION)
        {
            std::get<Cnp>(frame.notification) = {uint32_t(m_random()),
                                                 uint32_t(m_random()),
                                                 uint32_t(m_random()),
                                                 static_cast<CodePoint>(Below(4))};
            return;
        }
        frame.psn = Below(1 << 24);
        if (Below(2))
        {
            frame.telemetry = MakeIntBlock();
            frame.telemetry->Push({40000000000, Below(1 << 22), 128, 80});
        }
        const CodePoint marks[] = {CodePoint::CAPABLE,
                                   CodePoint::UNDETERMINED,
                                   CodePoint::CONGESTION};
        if (frame.kind != FrameKind::DATA)
        {
            frame.messageNumber = Below(1 << 24);
            const uint32_t echo = Below(3);
            frame.echo = echo ? marks[echo] : CodePoint::NOT_CAPABLE;
            frame.codePoint = Below(2) ? CodePoint::CONGESTION : CodePoint::NOT_CAPABLE;
            return;
        }
        frame.codePoint = marks[Below(3)];
        frame.payload = Below(4097);
        frame.ackRequest = Below(2);
        frame.write = Below(2);
        frame.firstOfMessage = Below(2);
        frame.lastOfMessage = Below(2);
        frame.messageBytes = frame.write && frame.firstOfMessage ? m_random() : 0;
    }

    std::mt19937 m_random{1999}; // any fixed seed
};

} // namespace

TEST(InfinibandFormat, SizesAreSumsOfTheLayers)
{
    // 8 LRH, 12 BTH, 4 ICRC, 2 VCRC = 26; RETH 16; AETH 4; CNP 16; INT block 42 + 2.
    EXPECT_EQ(InfinibandDataBytes(2048, false), 2074u);
    EXPECT_EQ(InfinibandDataBytes(2048, true), 2090u);
    EXPECT_EQ(InfinibandDataBytes(2047, false), 2074u); // pad 1
    EXPECT_EQ(InfinibandDataBytes(1000, false, true), 1070u);
    EXPECT_EQ(InfinibandDataBytes(0, false), 26u);
    EXPECT_EQ(InfinibandAckBytes(), 30u);
    EXPECT_EQ(InfinibandAckBytes(true), 74u);
    EXPECT_EQ(InfinibandCnpBytes(), 42u);
    EXPECT_EQ(InfinibandRawBytes(1500), 1514u); // 8 LRH, 4 RWH, 2 VCRC
    EXPECT_EQ(InfinibandRawBytes(5), 22u);      // pad 3
    EXPECT_LE(InfinibandDataBytes(4096, true, true), INFINIBAND_MAXIMUM_BYTES);
}

TEST(InfinibandFormat, CrcsOfTheSpecificationsSample)
{
    // An RDMA WRITE Only of 14 bytes, InfiniBand Architecture, volume 1, section 7.8.3.
    Bytes sample = FromHex("7012375c000e17d20a2024870087b1b3000dec2a01710a1c"
                           "015d400238f27a050000000ebb884d85fd5cfba4728bc0690ed40000"
                           "00000000");
    const uint32_t icrc = InvariantCrcTrailer::CalculateLocal(FromBytes(sample));
    SetLastWord(sample, sample.size(), icrc);
    EXPECT_EQ(Hex(Bytes(sample.end() - 4, sample.end())), "9625b75a");
    const uint16_t vcrc = InfinibandCrc16(sample.data(), sample.size());
    EXPECT_EQ(vcrc, 0xFA45);
    sample.push_back(vcrc & 0xFF);
    sample.push_back(vcrc >> 8);
    // The ICRC does not change with the lane or the congestion bits.
    sample[0] = 0x20;
    sample[12] = 0xC0;
    EXPECT_EQ(
        InvariantCrcTrailer::CalculateLocal(FromBytes(Bytes(sample.begin(), sample.end() - 2))),
        icrc);
    sample[1] ^= 0x10; // but with the service level
    EXPECT_NE(
        InvariantCrcTrailer::CalculateLocal(FromBytes(Bytes(sample.begin(), sample.end() - 2))),
        icrc);
}

TEST(InfinibandFormat, SendOnlyMarkedWithFecn)
{
    FramePtr frame = Make(FrameKind::DATA, 3);
    frame->payload = 5;
    frame->psn = 0x3FFFFFE; // 26 bits, of which 24 are sent
    frame->ackRequest = true;
    frame->firstOfMessage = true;
    frame->lastOfMessage = true;
    frame->codePoint = CodePoint::CONGESTION;
    EXPECT_EQ(InfinibandHex(*frame),
              "3032020300080102"         // lane 3, service level 3, BTH, 8 words
              "0470ffff8000abcd80fffffe" // M, pad 3; F; A
              "0000000000"
              "000000"   // payload, pad
              "970499da" // ICRC
              "c0b3");   // VCRC
}

TEST(InfinibandFormat, AckEchoesUndeterminedInReservedBit)
{
    FramePtr frame = Make(FrameKind::ACK, 6);
    frame->psn = 0x123456;
    frame->messageNumber = 9;
    frame->echo = CodePoint::UNDETERMINED;
    EXPECT_EQ(InfinibandHex(*frame),
              "6062020300070102"
              "1140ffff2000abcd00123456" // U
              "1f000009"
              "74bd1a80"
              "a87e");
}

TEST(InfinibandFormat, NackEchoesCongestionAsBecn)
{
    FramePtr frame = Make(FrameKind::NACK, 6);
    frame->psn = 0x123456;
    frame->messageNumber = 9;
    frame->echo = CodePoint::CONGESTION;
    EXPECT_EQ(InfinibandHex(*frame),
              "6062020300070102"
              "1140ffff4000abcd00123456" // B
              "60000009"
              "be0d46b3"
              "4872");
}

TEST(InfinibandFormat, CnpHasOpcode0x80)
{
    FramePtr frame = Make(FrameKind::NOTIFICATION, 6);
    frame->psn = 5; // a CNP has PSN 0
    frame->notification = Cnp{48000, 2500, 17, CodePoint::UNDETERMINED};
    EXPECT_EQ(InfinibandHex(*frame),
              "60620203000a0102"
              "8000ffff4000abcd00000000" // B
              "0000bb8002000000000009c400000011"
              "415889d9"
              "dd27");
}

TEST(InfinibandFormat, RawPacketOfUnknownDestination)
{
    FramePtr frame = Make(FrameKind::PACKET, 0);
    frame->destination = UNKNOWN_ENDPOINT;
    frame->etherType = 0x88B5;
    frame->packet = FromBytes({1, 2, 3, 4, 5});
    EXPECT_EQ(InfinibandHex(*frame),
              "0000ffff00050102" // permissive address
              "000088b5"
              "0102030405"
              "000000"
              "1e95");
    EXPECT_EQ(frame->packet->GetSize(), 5u); // the carried packet is left alone
}

TEST(InfinibandFormat, StackPacketShowsMark)
{
    FramePtr frame = Make(FrameKind::PACKET, 0);
    frame->etherType = 0x0800;
    frame->packet = Create<Packet>(100);
    Ipv4Header ip;
    ip.SetEcn(Ipv4Header::ECN_ECT1);
    ip.SetPayloadSize(100);
    frame->packet->AddHeader(ip);
    frame->codePoint = CodePoint::CONGESTION;
    frame->bytes = InfinibandFrameBytes(*frame);
    FramePtr back = FromInfinibandPacket(ToInfinibandPacket(*frame));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->codePoint, CodePoint::CONGESTION);
}

TEST(InfinibandFormat, LinkFlowControlPacket)
{
    CreditUpdate update;
    update.totalBlocksSent = 0xABC;
    update.lane = 3;
    update.creditLimit = 0x123;
    EXPECT_EQ(Hex(ToBytes(ToInfinibandPacket(update))), "0abc3123fb19");
    update.initialise = true;
    update.totalBlocksSent = 0x7000; // counters wider than the specification's
    update.lane = 14;
    update.creditLimit = 0x800;
    const Bytes bytes = ToBytes(ToInfinibandPacket(update));
    EXPECT_EQ(Hex(bytes), "1000e800cf5c");

    CreditUpdate back;
    ASSERT_TRUE(ReadCreditUpdate(FromBytes(bytes), back));
    EXPECT_TRUE(back.initialise);
    EXPECT_EQ(back.totalBlocksSent, 0u);
    EXPECT_EQ(back.lane, 14);
    EXPECT_EQ(back.creditLimit, 0x800u);

    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::CREDITS;
    frame->credits = update;
    EXPECT_EQ(InfinibandHex(*frame), Hex(bytes)) << "as a frame";
    EXPECT_EQ(frame->bytes, 6u);
    FramePtr read = FromInfinibandPacket(FromBytes(bytes));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, FrameKind::CREDITS);
    EXPECT_EQ(read->bytes, 6u);
    EXPECT_EQ(read->credits.lane, 14);
    EXPECT_EQ(read->credits.creditLimit, 0x800u);

    for (int bit = 0; bit < 48; bit++)
    {
        Bytes damaged = bytes;
        damaged[bit / 8] ^= 1 << bit % 8;
        EXPECT_FALSE(ReadCreditUpdate(FromBytes(damaged), back)) << "bit " << bit;
        EXPECT_FALSE(FromInfinibandPacket(FromBytes(damaged))) << "bit " << bit;
    }
    std::string why;
    EXPECT_FALSE(ReadCreditUpdate(FromBytes(Bytes(5)), back, &why));
    EXPECT_EQ(why, "5 bytes, a link flow-control packet has 6");
    Bytes reserved = {0x20, 0, 0, 0};
    const uint16_t crc = InfinibandCrc16(reserved.data(), 4);
    reserved.push_back(crc & 0xFF);
    reserved.push_back(crc >> 8);
    EXPECT_FALSE(ReadCreditUpdate(FromBytes(reserved), back, &why));
    EXPECT_EQ(why, "operation 2 is reserved");
}

TEST(InfinibandFormat, WhatIsReadIsWhatWasWritten)
{
    PacketSource source;
    for (int i = 0; i < 3000; i++)
    {
        FramePtr frame = source.Next();
        const Bytes bytes = ToBytes(ToInfinibandPacket(*frame));
        ASSERT_EQ(bytes.size(), frame->bytes);
        std::string why;
        FramePtr back = FromInfinibandPacket(FromBytes(bytes), &why);
        ASSERT_TRUE(back) << why;
        ExpectSame(*frame, *back);
        EXPECT_EQ(frame->source, back->source);
        EXPECT_EQ(frame->destination, back->destination);
    }
}

TEST(InfinibandFormat, DamageIsRefused)
{
    PacketSource source;
    for (int i = 0; i < 500; i++)
    {
        const Bytes bytes = ToBytes(ToInfinibandPacket(*source.Next()));
        Bytes damaged = bytes;
        const uint32_t bit = source.Below(8 * bytes.size());
        damaged[bit / 8] ^= 1 << bit % 8;
        EXPECT_FALSE(FromInfinibandPacket(FromBytes(damaged))) << Hex(damaged);
        const Bytes cut(bytes.begin(), bytes.begin() + source.Below(bytes.size()));
        EXPECT_FALSE(FromInfinibandPacket(FromBytes(cut))) << Hex(cut);
    }
}

TEST(InfinibandFormat, ForeignPacketsAreRefusedWithTheReason)
{
    const auto refusal = [](const std::string& header, std::size_t zeros) {
        Bytes bytes = FromHex(header);
        bytes.resize(bytes.size() + zeros);
        const uint16_t crc = InfinibandCrc16(bytes.data(), bytes.size());
        bytes.push_back(crc & 0xFF);
        bytes.push_back(crc >> 8);
        std::string why;
        EXPECT_FALSE(FromInfinibandPacket(FromBytes(bytes), &why));
        return why;
    };
    EXPECT_EQ(refusal("3133020300080102", 24), "LRH version 1");
    EXPECT_EQ(refusal("3033020300080102", 24), "LNH 3, expected 0 (raw) or 2 (local)");
    EXPECT_EQ(refusal("3030020300090102", 24), "32 bytes before the VCRC, but PktLen is 9 words");
    EXPECT_EQ(refusal("3022020300080102", 24), "service level 2 on lane 3");
    EXPECT_EQ(refusal("3032020300080102", 24).substr(0, 6), "ICRC 0");
}

TEST(InfinibandFormat, EndpointsHaveLocalIdentifiers)
{
    EXPECT_EQ(InfinibandLid(0), 1);
    EXPECT_EQ(InfinibandLid(49150), 0xBFFF);
    EXPECT_EQ(InfinibandLid(BROADCAST_ENDPOINT), 0xC000);
    EXPECT_EQ(InfinibandLid(UNKNOWN_ENDPOINT), 0xFFFF);
}

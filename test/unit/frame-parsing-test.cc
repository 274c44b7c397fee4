// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Frames read from the wire: checksums, round trips, and what is refused.

#include "frame-bytes.h"

#include "ns3/frame-format.h"
#include "ns3/ipv4-header.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

constexpr FrameKind ETHERNET_KINDS[] = {FrameKind::DATA,
                                        FrameKind::ACK,
                                        FrameKind::NACK,
                                        FrameKind::NOTIFICATION,
                                        FrameKind::PFC,
                                        FrameKind::PACKET};

/// Random frames whose every field survives the wire.
class FrameSource
{
  public:
    FramePtr Next()
    {
        FramePtr frame = MakeFrame();
        frame->kind = ETHERNET_KINDS[Below(6)];
        for (int i = 0; i < 6; i++)
        {
            frame->addresses.sourceMac[i] = Below(256);
            frame->addresses.destinationMac[i] = Below(256);
        }
        if (frame->kind == FrameKind::PFC)
        {
            FillPfc(*frame);
        }
        else if (frame->kind == FrameKind::PACKET)
        {
            FillPacket(*frame);
        }
        else
        {
            FillRoce(*frame);
        }
        frame->bytes = FrameBytes(*frame);
        return frame;
    }

    uint32_t Below(uint32_t limit)
    {
        return m_random() % limit;
    }

  private:
    void FillPfc(Frame& frame)
    {
        const uint8_t destination[6] = {0x01, 0x80, 0xC2, 0, 0, 0x01};
        std::copy(destination, destination + 6, frame.addresses.destinationMac);
        frame.pause.classes = Below(256);
        for (uint16_t& quanta : frame.pause.quanta)
        {
            quanta = Below(65536);
        }
    }

    void FillPacket(Frame& frame)
    {
        frame.tagged = Below(2);
        frame.priority = frame.tagged ? Below(8) : 0;
        frame.etherType = 0x9000; // loopback: none that the module reads
        Bytes content(46 + Below(1000));
        std::generate(content.begin(), content.end(), [this] { return uint8_t(Below(256)); });
        frame.packet = FromBytes(content);
    }

    void FillRoce(Frame& frame)
    {
        frame.tagged = Below(2);
        frame.priority = Below(8);
        frame.codePoint = static_cast<CodePoint>(Below(4));
        frame.queuePair = Below(1 << 24);
        frame.addresses.sourceIp = m_random();
        frame.addresses.destinationIp = m_random();
        frame.addresses.udpSource = Below(65536);
        if (frame.kind == FrameKind::NOTIFICATION)
        {
            std::get<Cnp>(frame.notification).windowBytes = m_random();
            std::get<Cnp>(frame.notification).fairRate = m_random();
            std::get<Cnp>(frame.notification).point = m_random();
            std::get<Cnp>(frame.notification).code = static_cast<CodePoint>(Below(4));
            return;
        }
        frame.psn = Below(1 << 24);
        if (Below(2))
        {
            frame.telemetry = MakeIntBlock();
            for (uint32_t hops = Below(6); hops > 0; hops--)
            {
                // What the wire can say: 128 and 80 B units, 22, 18 and 16 bits.
                const uint64_t rates[] = {10, 25, 40, 50, 100, 200, 400, 800};
                frame.telemetry->Push({rates[Below(8)] * 1000000000,
                                       Below(1 << 22),
                                       uint64_t(Below(1 << 18)) * 128,
                                       uint64_t(Below(1 << 16)) * 80});
            }
        }
        if (frame.kind != FrameKind::DATA)
        {
            frame.messageNumber = Below(1 << 24);
            const CodePoint echoes[] = {CodePoint::NOT_CAPABLE,
                                        CodePoint::UNDETERMINED,
                                        CodePoint::CONGESTION};
            frame.echo = echoes[Below(3)];
            return;
        }
        frame.payload = Below(5000);
        frame.ackRequest = Below(2);
        frame.write = Below(2);
        frame.firstOfMessage = Below(2);
        frame.lastOfMessage = Below(2);
        frame.messageBytes = frame.write && frame.firstOfMessage ? m_random() : 0;
    }

    std::mt19937 m_random{4791}; // any fixed seed
};

} // namespace

TEST(FrameFormat, BitwiseCrcOfTheTestItself)
{
    EXPECT_EQ(BitwiseCrc({'1', '2', '3', '4', '5', '6', '7', '8', '9'}), 0xCBF43926u);
}

TEST(FrameFormat, ChecksumsMatchIndependentOnes)
{
    FrameSource source;
    int roce = 0;
    for (int i = 0; i < 300; i++)
    {
        FramePtr frame = source.Next();
        frame->tagged = false;
        frame->bytes = FrameBytes(*frame);
        Bytes bytes = ToBytes(ToPacket(*frame, FrameCheck::INCLUDED));
        const std::size_t size = bytes.size();
        EXPECT_EQ(size, frame->bytes);
        EXPECT_EQ(LastWord(bytes, size), BitwiseCrc(Bytes(bytes.begin(), bytes.end() - 4)));
        if (frame->kind == FrameKind::PFC || frame->kind == FrameKind::PACKET)
        {
            continue;
        }
        roce++;
        const std::size_t end = IP + (bytes[IP + 2] << 8 | bytes[IP + 3]);
        const std::size_t extended = frame->kind != FrameKind::DATA          ? 4
                                     : frame->write && frame->firstOfMessage ? 16
                                                                             : 0;
        EXPECT_EQ(LastWord(bytes, end),
                  BitwiseIcrc(bytes, end, frame->telemetry ? IP + 28 + 12 + extended : 0));
        uint32_t sum = 0; // of a correct IPv4 header: all ones
        for (std::size_t at = IP; at < IP + 20; at += 2)
        {
            sum += bytes[at] << 8 | bytes[at + 1];
        }
        EXPECT_EQ((sum & 0xFFFF) + (sum >> 16), 0xFFFFu);
    }
    EXPECT_GT(roce, 150); // 4 kinds of 6
}

TEST(FrameFormat, MarksOnTheWayLeaveTheIcrc)
{
    FramePtr frame = MakeSend(1000);
    const Bytes before = ToBytes(ToPacket(*frame));
    frame->codePoint = CodePoint::CONGESTION;
    const Bytes after = ToBytes(ToPacket(*frame));
    EXPECT_NE(before[IP + 1], after[IP + 1]);
    EXPECT_EQ(LastWord(before, before.size()), LastWord(after, after.size()));
    frame->psn++; // not variant
    const Bytes other = ToBytes(ToPacket(*frame));
    EXPECT_NE(LastWord(before, before.size()), LastWord(other, other.size()));
}

TEST(FrameFormat, RandomFramesRoundTrip)
{
    FrameSource source;
    std::map<FrameKind, int> kinds;
    for (int i = 0; i < 2000; i++)
    {
        FramePtr frame = source.Next();
        kinds[frame->kind]++;
        const FrameCheck check = i % 2 ? FrameCheck::INCLUDED : FrameCheck::OMITTED;
        Ptr<Packet> packet = ToPacket(*frame, check);
        ASSERT_EQ(packet->GetSize(), frame->bytes - (i % 2 ? 0 : 4));
        std::string why;
        FramePtr back = FromPacket(packet, check, &why);
        ASSERT_TRUE(back) << why;
        ExpectSame(*frame, *back);
        EXPECT_EQ(Hex(ToBytes(packet)), Hex(ToBytes(ToPacket(*back, check))));
        if (HasFailure())
        {
            break;
        }
    }
    for (FrameKind kind : ETHERNET_KINDS)
    {
        EXPECT_GT(kinds[kind], 200);
    }
}

TEST(FrameFormat, EchoOfAnUnmarkedFrameIsNotOnTheWire)
{
    FramePtr frame = MakeRoce(FrameKind::ACK, 6);
    frame->echo = CodePoint::CAPABLE;
    frame->bytes = AckFrameBytes(false);
    FramePtr back = FromPacket(ToPacket(*frame));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->echo, CodePoint::NOT_CAPABLE);
}

TEST(FrameFormat, EveryTruncationIsRefused)
{
    FrameSource source;
    for (int i = 0; i < 60; i++)
    {
        FramePtr frame = source.Next();
        if (frame->kind == FrameKind::PACKET)
        {
            continue; // its content has a length only the layer above knows
        }
        const Bytes bytes = ToBytes(ToPacket(*frame));
        for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : 37)
        {
            std::string why;
            EXPECT_FALSE(FromPacket(FromBytes(Bytes(bytes.begin(), bytes.begin() + size)),
                                    FrameCheck::OMITTED,
                                    &why));
            EXPECT_FALSE(why.empty());
        }
    }
}

TEST(FrameFormat, DamagedOrForeignBytesAreRefusedWithTheReason)
{
    const auto refusal = [](const Bytes& bytes, FrameCheck check = FrameCheck::OMITTED) {
        std::string why;
        EXPECT_FALSE(FromPacket(FromBytes(bytes), check, &why));
        return why;
    };
    const auto resealed = [](Bytes bytes) { // with the right ICRC again
        SetLastWord(bytes, bytes.size(), BitwiseIcrc(bytes, bytes.size()));
        return bytes;
    };
    FramePtr send = MakeSend(1000);
    const Bytes good = ToBytes(ToPacket(*send));

    EXPECT_EQ(refusal({}), "truncated: 0 bytes, an Ethernet frame has at least 60 before its FCS");
    EXPECT_EQ(refusal({1, 2, 3}, FrameCheck::INCLUDED), "truncated: 3 bytes do not hold an FCS");
    Bytes bytes(good.begin(), good.begin() + 500);
    EXPECT_EQ(refusal(bytes), "truncated: 486 bytes of an IPv4 packet of 1044");
    bytes = good;
    bytes.resize(bytes.size() + 2); // 1060 + 2 + FCS
    EXPECT_EQ(refusal(bytes), "1064 bytes with FCS, but its headers say 1062");

    bytes = ToBytes(ToPacket(*send, FrameCheck::INCLUDED));
    bytes[100] ^= 1;
    EXPECT_EQ(refusal(bytes, FrameCheck::INCLUDED), "wrong FCS");
    bytes = good;
    bytes[100] ^= 1;
    EXPECT_EQ(refusal(bytes).substr(0, 4), "ICRC");
    bytes = good;
    bytes[IP + 8]--; // TTL, not covered by the ICRC
    EXPECT_EQ(refusal(bytes), "wrong IPv4 header checksum");
    bytes = good;
    bytes[IP + 25] ^= 1;
    EXPECT_EQ(refusal(bytes), "UDP length 1025 in an IPv4 packet of 1044");
    bytes = good;
    bytes[IP + 2] = 0;
    bytes[IP + 3] = 43;
    EXPECT_EQ(refusal(bytes), "IPv4 packet of 43 bytes is too short for RoCEv2");

    bytes = good;
    bytes[IP + 28] = 0x0C; // RDMA READ request
    EXPECT_EQ(refusal(resealed(bytes)), "BTH opcode 0xc is not one of this module");
    bytes[IP + 28] = 0x11;
    bytes[IP + 40] = 0x20; // RNR NAK
    EXPECT_EQ(refusal(resealed(bytes)), "AETH syndrome 0x20 is neither ACK nor sequence error");
    bytes[IP + 40] = 0x9F; // reserved bit
    EXPECT_EQ(refusal(resealed(bytes)), "AETH syndrome 0x9f is neither ACK nor sequence error");
    bytes[IP + 40] = 0x1F; // an ACK with 996 bytes behind its AETH
    EXPECT_EQ(refusal(resealed(bytes)), "1062 bytes with FCS, but its headers say 66");
    bytes = good;
    bytes[IP + 29] |= 1;
    EXPECT_EQ(refusal(resealed(bytes)), "BTH version 1");

    FramePtr empty = MakeSend(0);
    bytes = ToBytes(ToPacket(*empty));
    bytes.resize(58);
    bytes[IP + 29] |= 0x10;
    bytes = resealed(bytes);
    bytes.resize(60);
    EXPECT_EQ(refusal(bytes), "payload of 0 bytes does not fit pad count 1");
    bytes.resize(58);
    bytes[IP + 28] = 0x81;
    bytes = resealed(bytes);
    bytes.resize(60);
    EXPECT_EQ(refusal(bytes),
              "truncated: 0 bytes left for the reserved bytes of a CNP, which has 16");

    FramePtr pfc = MakeRoce(FrameKind::PFC, 0);
    pfc->bytes = PFC_FRAME_BYTES;
    const Bytes pause = ToBytes(ToPacket(*pfc));
    bytes = pause;
    bytes[14] = 0;
    EXPECT_EQ(refusal(bytes), "MAC control opcode 0x1 is not PFC");
    bytes = pause;
    bytes[5] = 2;
    EXPECT_EQ(refusal(bytes), "PFC frame with a tag or to 01:80:c2:00:00:02");
    bytes = pause;
    bytes.resize(61);
    EXPECT_EQ(refusal(bytes), "65 bytes with FCS, but its headers say 64");
    bytes = good;
    bytes[12] = 0x05;
    bytes[13] = 0xDC;
    EXPECT_EQ(refusal(bytes), "802.3 length 1500 instead of an EtherType");
}

TEST(FrameFormat, OtherIpv4IsAPacket)
{
    const Bytes good = ToBytes(ToPacket(*MakeSend(1000)));

    const struct
    {
        std::size_t at;
        uint8_t value;
    } changes[] = {
        {IP + 23, 0xB8}, // another UDP port
        {IP + 9, 6},     // TCP
        {IP + 0, 0x46},  // with options
        {IP + 6, 0x20},  // a fragment
        {13, 0x06},      // ARP's EtherType
    };

    for (const auto& change : changes)
    {
        Bytes bytes = good;
        bytes[change.at] = change.value;
        std::string why;
        FramePtr frame = FromPacket(FromBytes(bytes), FrameCheck::OMITTED, &why);
        ASSERT_TRUE(frame) << why;
        EXPECT_EQ(frame->kind, FrameKind::PACKET);
        EXPECT_EQ(frame->bytes, 1062u);
        EXPECT_EQ(frame->packet->GetSize(), 1062u - 18);
    }
}

TEST(FrameFormat, Ipv4PacketShowsTheHigherMark)
{
    const auto marked = [](CodePoint inHeader, CodePoint onTheWay, bool checksum) {
        FramePtr frame = MakeRoce(FrameKind::PACKET, 0);
        Ipv4Header ip;
        if (checksum)
        {
            ip.EnableChecksum();
        }
        ip.SetProtocol(6);
        ip.SetTos(0xA0 | static_cast<uint8_t>(inHeader));
        ip.SetPayloadSize(100);
        frame->packet = Create<Packet>(100);
        frame->packet->AddHeader(ip);
        frame->etherType = 0x0800;
        frame->codePoint = onTheWay;
        frame->bytes = PacketFrameBytes(120);
        const Bytes bytes = ToBytes(ToPacket(*frame));
        EXPECT_EQ(bytes.size(), 134u); // 14 + 20 + 100
        uint32_t sum = 0;
        for (std::size_t at = IP; at < IP + 20; at += 2)
        {
            sum += bytes[at] << 8 | bytes[at + 1];
        }
        EXPECT_EQ((sum & 0xFFFF) + (sum >> 16) == 0xFFFF, checksum);
        EXPECT_EQ(bytes[IP + 1] >> 2, 0xA0 >> 2);
        const CodePoint sent = static_cast<CodePoint>(bytes[IP + 1] & 3);
        EXPECT_EQ(FromPacket(FromBytes(bytes))->codePoint, sent);
        return sent;
    };
    for (bool checksum : {false, true})
    {
        EXPECT_EQ(marked(CodePoint::CAPABLE, CodePoint::CONGESTION, checksum),
                  CodePoint::CONGESTION);
        EXPECT_EQ(marked(CodePoint::CAPABLE, CodePoint::UNDETERMINED, checksum),
                  CodePoint::UNDETERMINED); // 01 | 10 would be 11
        EXPECT_EQ(marked(CodePoint::CONGESTION, CodePoint::NOT_CAPABLE, checksum),
                  CodePoint::CONGESTION);
    }
}

TEST(FrameFormat, LargestPayload)
{
    FramePtr frame = MakeSend(MAXIMUM_PAYLOAD_BYTES);
    frame->write = true;
    frame->firstOfMessage = true;
    frame->telemetry = MakeIntBlock();
    frame->bytes = FrameBytes(*frame);
    std::string why;
    FramePtr back = FromPacket(ToPacket(*frame), FrameCheck::OMITTED, &why);
    ASSERT_TRUE(back) << why;
    ExpectSame(*frame, *back);
}

TEST(FrameFormat, PriorityOfATaggedFrameIsThatOfItsTag)
{
    FramePtr frame = MakeSend(1000);
    frame->tagged = true;
    frame->bytes = FrameBytes(*frame);
    Bytes bytes = ToBytes(ToPacket(*frame));
    EXPECT_EQ(bytes[14], 3 << 5);
    bytes[14] = 6 << 5; // the DSCP still says 3
    FramePtr back = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->priority, 6);
}

TEST(FrameFormat, ReservedBytesOfAnotherSendersCnp)
{
    FramePtr cnp = MakeRoce(FrameKind::NOTIFICATION, 6);
    cnp->bytes = CnpFrameBytes(false);
    Bytes bytes = ToBytes(ToPacket(*cnp));
    bytes[IP + 44] = 7;
    SetLastWord(bytes, bytes.size(), BitwiseIcrc(bytes, bytes.size()));
    FramePtr frame = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(frame);
    EXPECT_EQ(std::get<Cnp>(frame->notification).code, CodePoint::NOT_CAPABLE);
}

TEST(FrameFormat, RandomBytesNeverCrash)
{
    FrameSource source;
    int frames = 0;
    int refused = 0;
    const auto read = [&](const Bytes& bytes, FrameCheck check) {
        std::string why;
        FramePtr frame = FromPacket(FromBytes(bytes), check, &why);
        ASSERT_EQ(bool(frame), why.empty()) << why;
        (frame ? frames : refused)++;
        if (frame)
        {
            ASSERT_EQ(frame->bytes, bytes.size() + (check == FrameCheck::INCLUDED ? 0 : FCS_BYTES));
            ASSERT_EQ(ToPacket(*frame, check)->GetSize(), bytes.size());
        }
    };
    for (int i = 0; i < 20000; i++)
    {
        const FrameCheck check = i % 2 ? FrameCheck::INCLUDED : FrameCheck::OMITTED;
        Bytes bytes;
        if (i % 4 < 2) // nothing but chance
        {
            bytes.resize(source.Below(200));
            std::generate(bytes.begin(), bytes.end(), [&] { return uint8_t(source.Below(256)); });
        }
        else // a frame with some bytes changed, perhaps cut, perhaps with right checksums again
        {
            FramePtr frame = source.Next();
            bytes = ToBytes(ToPacket(*frame, check));
            for (uint32_t changes = source.Below(4); changes > 0; changes--)
            {
                const uint32_t span = std::min<std::size_t>(bytes.size(), 70);
                bytes[source.Below(span)] = source.Below(256);
            }
            if (source.Below(3) == 0)
            {
                bytes.resize(source.Below(bytes.size() + 1));
            }
            const std::size_t fcs = check == FrameCheck::INCLUDED ? 4 : 0;
            if (bytes.size() >= 64 && bytes[IP] == 0x45)
            {
                const std::size_t end = IP + (bytes[IP + 2] << 8 | bytes[IP + 3]);
                if (end >= IP + 44 && end + fcs <= bytes.size())
                {
                    SetLastWord(bytes, end, BitwiseIcrc(bytes, end));
                }
            }
            if (bytes.size() >= 64 && fcs)
            {
                SetLastWord(bytes, bytes.size(), BitwiseCrc(Bytes(bytes.begin(), bytes.end() - 4)));
            }
        }
        read(bytes, check);
        if (HasFatalFailure())
        {
            FAIL() << "bytes " << Hex(bytes);
        }
    }
    // Both ways were taken often.
    EXPECT_GT(frames, 5000);
    EXPECT_GT(refused, 5000);
}

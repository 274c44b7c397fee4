// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/frame-format.h"
#include "ns3/frame.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/telemetry-header.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Bytes = std::vector<uint8_t>;

constexpr std::size_t IP = 14; // offset of the IPv4 header in an untagged frame

Bytes
ToBytes(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

Ptr<Packet>
FromBytes(const Bytes& bytes)
{
    return bytes.empty() ? Create<Packet>()
                         : Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

/// Bytes as hexadecimal digits, for messages that show the difference.
std::string
Hex(const Bytes& bytes)
{
    std::string text;
    for (uint8_t byte : bytes)
    {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", byte);
        text += digits;
    }
    return text;
}

std::string
WireHex(const Frame& frame)
{
    return Hex(ToBytes(ToPacket(frame, FrameCheck::INCLUDED)));
}

/// A frame from 10.0.1.2 to 10.0.2.3.
FramePtr
MakeRoce(FrameKind kind, uint8_t priority)
{
    FramePtr frame = MakeFrame();
    frame->kind = kind;
    frame->priority = priority;
    frame->codePoint = CodePoint::CAPABLE;
    frame->queuePair = 0xABCD;
    frame->addresses.sourceIp = 0x0A000102;
    frame->addresses.destinationIp = 0x0A000203;
    const uint8_t source[6] = {2, 0, 0, 0, 1, 2};
    const uint8_t destination[6] = {2, 0, 0, 0, 2, 3};
    std::copy(source, source + 6, frame->addresses.sourceMac);
    std::copy(destination, destination + 6, frame->addresses.destinationMac);
    frame->addresses.udpSource = 0xC123;
    return frame;
}

FramePtr
MakeSend(uint32_t payload)
{
    FramePtr frame = MakeRoce(FrameKind::DATA, 3);
    frame->payload = payload;
    frame->bytes = DataFrameBytes(payload, false, false);
    return frame;
}

/// CRC-32 of IEEE 802.3 bit by bit: shift register 0x04C11DB7, each byte's low bit first.
uint32_t
BitwiseCrc(const Bytes& bytes)
{
    uint32_t shift = 0xFFFFFFFF;
    for (uint8_t byte : bytes)
    {
        for (int bit = 0; bit < 8; bit++)
        {
            const bool out = shift >> 31;
            const bool in = byte >> bit & 1;
            shift = shift << 1 ^ (out != in ? 0x04C11DB7 : 0);
        }
    }
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; bit++)
    {
        reversed |= (shift >> bit & 1) << (31 - bit);
    }
    return ~reversed;
}

/// The last four bytes as sent: least significant first.
uint32_t
LastWord(const Bytes& bytes, std::size_t end)
{
    return bytes[end - 4] | bytes[end - 3] << 8 | bytes[end - 2] << 16 |
           uint32_t(bytes[end - 1]) << 24;
}

void
SetLastWord(Bytes& bytes, std::size_t end, uint32_t word)
{
    for (int i = 0; i < 4; i++)
    {
        bytes[end - 4 + i] = word >> 8 * i & 0xFF;
    }
}

/// ICRC of an untagged frame whose datagram (IPv4 header to ICRC) ends at `end` and whose INT
/// block, if any, begins at `block`.
uint32_t
BitwiseIcrc(const Bytes& frame, std::size_t end, std::size_t block = 0)
{
    Bytes covered(8, 0xFF);
    covered.insert(covered.end(), frame.begin() + IP, frame.begin() + end - 4);
    for (int variant : {8 + 1, 8 + 8, 8 + 10, 8 + 11, 8 + 20 + 6, 8 + 20 + 7, 8 + 28 + 4})
    {
        covered[variant] = 0xFF;
    }
    if (block > 0)
    {
        std::fill_n(covered.begin() + 8 + block - IP, 42, 0xFF);
    }
    return BitwiseCrc(covered);
}

/// All fields that are on the wire; the others are at their defaults in what FromPacket() returns.
void
ExpectSame(const Frame& a, const Frame& b)
{
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.priority, b.priority);
    EXPECT_EQ(a.codePoint, b.codePoint);
    EXPECT_EQ(a.echo, b.echo);
    EXPECT_EQ(a.ackRequest, b.ackRequest);
    EXPECT_EQ(a.tagged, b.tagged);
    EXPECT_EQ(a.write, b.write);
    EXPECT_EQ(a.firstOfMessage, b.firstOfMessage);
    EXPECT_EQ(a.lastOfMessage, b.lastOfMessage);
    EXPECT_EQ(a.queuePair, b.queuePair);
    EXPECT_EQ(a.psn, b.psn);
    EXPECT_EQ(a.payload, b.payload);
    EXPECT_EQ(a.messageBytes, b.messageBytes);
    EXPECT_EQ(a.messageNumber, b.messageNumber);
    EXPECT_EQ(a.addresses.sourceIp, b.addresses.sourceIp);
    EXPECT_EQ(a.addresses.destinationIp, b.addresses.destinationIp);
    EXPECT_EQ(a.addresses.udpSource, b.addresses.udpSource);
    for (int i = 0; i < 6; i++)
    {
        EXPECT_EQ(a.addresses.sourceMac[i], b.addresses.sourceMac[i]);
        EXPECT_EQ(a.addresses.destinationMac[i], b.addresses.destinationMac[i]);
    }
    EXPECT_EQ(a.feedback.windowBytes, b.feedback.windowBytes);
    EXPECT_EQ(a.feedback.fairRate, b.feedback.fairRate);
    EXPECT_EQ(a.feedback.point, b.feedback.point);
    EXPECT_EQ(a.feedback.code, b.feedback.code);
    EXPECT_EQ(a.pause.classes, b.pause.classes);
    for (int i = 0; i < 8; i++)
    {
        EXPECT_EQ(a.pause.quanta[i], b.pause.quanta[i]);
    }
    EXPECT_EQ(a.etherType, b.etherType);
    ASSERT_EQ(bool(a.telemetry), bool(b.telemetry));
    if (a.telemetry)
    {
        ASSERT_EQ(a.telemetry->hops, b.telemetry->hops);
        for (uint32_t i = 0; i < a.telemetry->hops; i++)
        {
            EXPECT_EQ(a.telemetry->hop[i].rateBps, b.telemetry->hop[i].rateBps);
            EXPECT_EQ(a.telemetry->hop[i].timeNs, b.telemetry->hop[i].timeNs);
            EXPECT_EQ(a.telemetry->hop[i].txBytes, b.telemetry->hop[i].txBytes);
            EXPECT_EQ(a.telemetry->hop[i].queueBytes, b.telemetry->hop[i].queueBytes);
        }
    }
    ASSERT_EQ(bool(a.packet), bool(b.packet));
    if (a.packet)
    {
        EXPECT_EQ(Hex(ToBytes(a.packet)), Hex(ToBytes(b.packet)));
    }
}

/// Random frames whose every field survives the wire.
class FrameSource
{
  public:
    FramePtr Next()
    {
        FramePtr frame = MakeFrame();
        frame->kind = static_cast<FrameKind>(Below(6));
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
        frame.etherType = 0x88B5; // local experimental: never IPv4 or MAC control
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
        if (frame.kind == FrameKind::CNP)
        {
            frame.feedback.windowBytes = m_random();
            frame.feedback.fairRate = m_random();
            frame.feedback.point = m_random();
            frame.feedback.code = static_cast<CodePoint>(Below(4));
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

// The expected bytes below were put together outside the module (Python's struct and zlib).

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

TEST(FrameFormat, Cnp)
{
    FramePtr frame = MakeRoce(FrameKind::CNP, 6);
    frame->psn = 5; // a CNP has PSN 0
    frame->feedback.windowBytes = 48000;
    frame->feedback.code = CodePoint::UNDETERMINED;
    frame->feedback.fairRate = 2500;
    frame->feedback.point = 17;
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
    frame->etherType = 0x88B5;
    frame->packet = FromBytes({1, 2, 3, 4, 5});
    frame->bytes = EthernetFrameBytes(5, false);
    EXPECT_EQ(WireHex(*frame),
              "020000000203"
              "020000000102"
              "88b5"
              "0102030405" +
                  std::string(2 * 41, '0') + "b244eb0e");
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
    int kinds[6] = {};
    for (int i = 0; i < 2000; i++)
    {
        FramePtr frame = source.Next();
        kinds[static_cast<int>(frame->kind)]++;
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
    for (int count : kinds)
    {
        EXPECT_GT(count, 200);
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
    FramePtr cnp = MakeRoce(FrameKind::CNP, 6);
    cnp->bytes = CnpFrameBytes(false);
    Bytes bytes = ToBytes(ToPacket(*cnp));
    bytes[IP + 44] = 7;
    SetLastWord(bytes, bytes.size(), BitwiseIcrc(bytes, bytes.size()));
    FramePtr frame = FromPacket(FromBytes(bytes));
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->feedback.code, CodePoint::NOT_CAPABLE);
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

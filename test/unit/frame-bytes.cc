// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame-bytes.h"

#include "ns3/frame-format.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

namespace ns3
{
namespace losslesstest
{

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

uint32_t
BitwiseIcrc(const Bytes& frame, std::size_t end, std::size_t block)
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

namespace
{

void
ExpectSameNotification(const Notification& a, const Notification& b)
{
    ASSERT_EQ(a.index(), b.index());
    if (const auto* cnp = std::get_if<Cnp>(&a))
    {
        EXPECT_EQ(cnp->windowBytes, std::get<Cnp>(b).windowBytes);
        EXPECT_EQ(cnp->fairRate, std::get<Cnp>(b).fairRate);
        EXPECT_EQ(cnp->point, std::get<Cnp>(b).point);
        EXPECT_EQ(cnp->code, std::get<Cnp>(b).code);
    }
    else if (const auto* ecm = std::get_if<EcmMessage>(&a))
    {
        const auto& other = std::get<EcmMessage>(b);
        EXPECT_EQ(ecm->point.bytes, other.point.bytes);
        EXPECT_EQ(ecm->offset, other.offset);
        EXPECT_EQ(ecm->delta, other.delta);
        EXPECT_EQ(ecm->timestamp, other.timestamp);
        EXPECT_EQ(ecm->unit, other.unit);
        EXPECT_EQ(ecm->timestamped, other.timestamped);
        EXPECT_EQ(ecm->saturated, other.saturated);
        EXPECT_EQ(ecm->quotedBytes, other.quotedBytes);
    }
    else
    {
        const auto& cnm = std::get<QcnMessage>(a);
        const auto& other = std::get<QcnMessage>(b);
        EXPECT_EQ(cnm.point.bytes, other.point.bytes);
        EXPECT_EQ(cnm.offset, other.offset);
        EXPECT_EQ(cnm.delta, other.delta);
        EXPECT_EQ(cnm.feedback, other.feedback);
        EXPECT_EQ(cnm.quotedBytes, other.quotedBytes);
    }
}

void
ExpectSameTag(const CongestionTag& a, const CongestionTag& b)
{
    ASSERT_EQ(a.tag.index(), b.tag.index());
    if (const auto* cm = std::get_if<CmTag>(&a.tag))
    {
        EXPECT_EQ(cm->point.bytes, std::get<CmTag>(b.tag).point.bytes);
        EXPECT_EQ(cm->timestamp, std::get<CmTag>(b.tag).timestamp);
        EXPECT_EQ(cm->unit, std::get<CmTag>(b.tag).unit);
    }
    else
    {
        EXPECT_EQ(std::get<CnTag>(a.tag).flowId, std::get<CnTag>(b.tag).flowId);
    }
}

} // namespace

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
    if (a.kind == FrameKind::NOTIFICATION && b.kind == FrameKind::NOTIFICATION)
    {
        ExpectSameNotification(a.notification, b.notification);
    }
    ASSERT_EQ(bool(a.tag), bool(b.tag));
    if (a.tag)
    {
        ExpectSameTag(*a.tag, *b.tag);
    }
    ASSERT_EQ(bool(a.quoted), bool(b.quoted));
    if (a.kind == FrameKind::PFC && b.kind == FrameKind::PFC)
    {
        EXPECT_EQ(a.pause.classes, b.pause.classes);
        for (int i = 0; i < 8; i++)
        {
            EXPECT_EQ(a.pause.quanta[i], b.pause.quanta[i]);
        }
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

} // namespace losslesstest
} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

/**
 * @file
 * Frames on the wire: a random frame comes back as it was, whatever bytes are read as a frame are
 * written and read the same again, and no bytes make the reader fall.
 */

#include "fuzz.h"

#include "ns3/frame-format.h"
#include "ns3/frame.h"
#include "ns3/invariant-crc-trailer.h"
#include "ns3/packet.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslessfuzz;

namespace
{

using Bytes = std::vector<uint8_t>;

constexpr std::size_t IP = ETHERNET_HEADER_BYTES; // offset of the IPv4 header, untagged
constexpr uint32_t LOW_24 = 0xFFFFFF;

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

void
Fill(Random& random, uint8_t* bytes, std::size_t size)
{
    for (std::size_t i = 0; i < size; i++)
    {
        bytes[i] = static_cast<uint8_t>(random.Bits());
    }
}

CodePoint
MakeCode(Random& random)
{
    return static_cast<CodePoint>(random.Whole(0, 3));
}

IntBlockPtr
MakeTelemetry(Random& random)
{
    IntBlockPtr block = MakeIntBlock();
    for (uint64_t hops = random.Whole(0, IntBlock::MAX_HOPS); hops > 0; hops--)
    {
        block->Push({random.Size(1, ~0ULL),
                     static_cast<int64_t>(random.Bits() >> 1),
                     random.Bits(),
                     random.Size(1, ~0ULL)});
    }
    return block;
}

CongestionPointId
MakePoint(Random& random)
{
    CongestionPointId point;
    Fill(random, point.bytes.data(), point.bytes.size());
    return point;
}

CongestionTagPtr
MakeTag(Random& random)
{
    CongestionTagPtr tag = MakeCongestionTag();
    if (random.Chance(0.5))
    {
        tag->tag = CmTag{MakePoint(random),
                         static_cast<uint16_t>(random.Bits()),
                         static_cast<uint8_t>(random.Bits())};
    }
    else
    {
        tag->tag = CnTag{static_cast<uint16_t>(random.Bits())};
    }
    return tag;
}

Notification
MakeLayer2Message(Random& random)
{
    if (random.Chance(0.5))
    {
        EcmMessage ecm;
        ecm.point = MakePoint(random);
        ecm.offset = static_cast<int16_t>(random.Bits());
        ecm.delta = static_cast<int16_t>(random.Bits());
        ecm.timestamp = static_cast<uint16_t>(random.Bits());
        ecm.unit = static_cast<uint8_t>(random.Bits());
        ecm.saturated = random.Chance(0.5);
        ecm.quotedBytes = static_cast<uint8_t>(random.Whole(24, 100));
        ecm.priority = static_cast<uint8_t>(random.Whole(0, 7));
        return ecm;
    }
    QcnMessage cnm;
    cnm.point = MakePoint(random);
    cnm.offset = static_cast<int16_t>(random.Bits());
    cnm.delta = static_cast<int16_t>(random.Bits());
    cnm.feedback = static_cast<uint8_t>(random.Whole(1, 63));
    cnm.quotedBytes = static_cast<uint8_t>(random.Whole(0, 64));
    cnm.priority = static_cast<uint8_t>(random.Whole(0, 7));
    return cnm;
}

/// @returns what a stack above might send, so that its frame is read as FrameKind::PACKET
Ptr<Packet>
MakePacket(Random& random, uint16_t& etherType)
{
    Bytes bytes(random.Whole(46, 200));
    Fill(random, bytes.data(), bytes.size());
    etherType = random.Choose<uint16_t>(0x0800, 0x0806, 0x86DD, 0x0600, 0xFFFF);
    if (random.Chance(0.5))
    {
        bytes[0] = 0x45;
    }
    bytes[9] = 6; // not UDP
    return FromBytes(bytes);
}

/// @returns a frame of any kind but the messages of ECM and QCN
FramePtr
MakeOwnFrame(Random& random)
{
    FramePtr frame = MakeFrame();
    frame->kind = random.Choose(FrameKind::DATA,
                                FrameKind::ACK,
                                FrameKind::NACK,
                                FrameKind::NOTIFICATION,
                                FrameKind::PFC,
                                FrameKind::PACKET);
    frame->priority = static_cast<uint8_t>(random.Whole(0, 7));
    frame->codePoint = MakeCode(random);
    frame->queuePair = static_cast<uint32_t>(random.Bits());
    frame->psn = static_cast<uint32_t>(random.Bits());
    frame->tagged = random.Chance(0.3);
    frame->addresses.sourceIp = static_cast<uint32_t>(random.Bits());
    frame->addresses.destinationIp = static_cast<uint32_t>(random.Bits());
    frame->addresses.udpSource = static_cast<uint16_t>(random.Bits());
    Fill(random, frame->addresses.sourceMac, 6);
    Fill(random, frame->addresses.destinationMac, 6);
    switch (frame->kind)
    {
    case FrameKind::DATA:
        frame->payload = static_cast<uint32_t>(
            random.Chance(0.05) ? random.Whole(0, MAXIMUM_PAYLOAD_BYTES) : random.Whole(0, 300));
        frame->write = random.Chance(0.5);
        frame->firstOfMessage = random.Chance(0.5);
        frame->lastOfMessage = random.Chance(0.5);
        frame->ackRequest = random.Chance(0.5);
        frame->messageBytes =
            frame->write && frame->firstOfMessage ? static_cast<uint32_t>(random.Bits()) : 0;
        break;
    case FrameKind::ACK:
    case FrameKind::NACK:
        frame->messageNumber = static_cast<uint32_t>(random.Bits());
        frame->echo =
            random.Choose(CodePoint::NOT_CAPABLE, CodePoint::UNDETERMINED, CodePoint::CONGESTION);
        break;
    case FrameKind::NOTIFICATION:
        frame->psn = 0;
        std::get<Cnp>(frame->notification).windowBytes = static_cast<uint32_t>(random.Bits());
        std::get<Cnp>(frame->notification).fairRate = static_cast<uint32_t>(random.Bits());
        std::get<Cnp>(frame->notification).point = static_cast<uint32_t>(random.Bits());
        std::get<Cnp>(frame->notification).code = MakeCode(random);
        break;
    case FrameKind::PFC:
        frame->tagged = false;
        frame->pause.classes = static_cast<uint8_t>(random.Bits());
        for (uint16_t& quanta : frame->pause.quanta)
        {
            quanta = static_cast<uint16_t>(random.Bits());
        }
        break;
    case FrameKind::PACKET:
        frame->packet = MakePacket(random, frame->etherType);
        break;
    case FrameKind::CREDITS: // never on Ethernet
        break;
    }
    const bool block = frame->kind == FrameKind::DATA || frame->kind == FrameKind::ACK ||
                       frame->kind == FrameKind::NACK;
    if (block && random.Chance(0.3))
    {
        frame->telemetry = MakeTelemetry(random);
    }
    if (frame->kind != FrameKind::PFC && random.Chance(0.2))
    {
        frame->tag = MakeTag(random);
    }
    frame->bytes = FrameBytes(*frame);
    return frame;
}

/// @returns a frame of any kind, or a message of ECM or QCN that quotes one
FramePtr
MakeRandomFrame(Random& random)
{
    FramePtr frame = MakeOwnFrame(random);
    if (frame->kind == FrameKind::PFC || !random.Chance(0.2))
    {
        return frame;
    }
    uint8_t address[6];
    Fill(random, address, 6);
    FramePtr message = MakeCongestionMessage(*frame, MakeLayer2Message(random), address);
    if (auto* ecm = std::get_if<EcmMessage>(&message->notification))
    {
        ecm->quotedBytes = static_cast<uint8_t>(QuotedBytes(*message)); // as it is read
    }
    return message;
}

/**
 * @param sent written
 * @param read back
 */
void
RequireSameTag(const Frame& sent, const Frame& read)
{
    Require(bool(read.tag) == bool(sent.tag), "congestion tag");
    if (!sent.tag)
    {
        return;
    }
    Require(read.tag->tag.index() == sent.tag->tag.index(), "kind of congestion tag");
    if (const auto* cm = std::get_if<CmTag>(&sent.tag->tag))
    {
        const auto& other = std::get<CmTag>(read.tag->tag);
        Require(other.point == cm->point && other.timestamp == cm->timestamp &&
                    other.unit == cm->unit,
                "CM-Tag");
    }
    else
    {
        Require(std::get<CnTag>(read.tag->tag).flowId == std::get<CnTag>(sent.tag->tag).flowId,
                "CN-TAG");
    }
}

/**
 * @param sent of a message of ECM or QCN
 * @param read back
 */
void
RequireSameMessage(const Notification& sent, const Notification& read)
{
    Require(read.index() == sent.index(), "kind of message");
    if (const auto* ecm = std::get_if<EcmMessage>(&sent))
    {
        const auto& other = std::get<EcmMessage>(read);
        Require(other.point == ecm->point && other.offset == ecm->offset &&
                    other.delta == ecm->delta && other.timestamp == ecm->timestamp &&
                    other.unit == ecm->unit && other.saturated == ecm->saturated &&
                    other.quotedBytes == ecm->quotedBytes,
                "ECM message");
        return;
    }
    const auto& cnm = std::get<QcnMessage>(sent);
    const auto& other = std::get<QcnMessage>(read);
    Require(other.point == cnm.point && other.offset == cnm.offset && other.delta == cnm.delta &&
                other.feedback == cnm.feedback,
            "CNM");
}

/**
 * Fields that ToPacket() says are on the wire.
 *
 * @param sent written
 * @param read back
 */
void
RequireSame(const Frame& sent, const Frame& read)
{
    const bool pfc = sent.kind == FrameKind::PFC;
    const bool packet = sent.kind == FrameKind::PACKET;
    Require(read.kind == sent.kind, "kind ", int(sent.kind), " became ", int(read.kind));
    Require(read.bytes == sent.bytes, sent.bytes, " bytes became ", read.bytes);
    Require(read.tagged == sent.tagged, "the tag");
    for (int i = 0; i < 6; i++)
    {
        Require(read.addresses.sourceMac[i] == sent.addresses.sourceMac[i] &&
                    (pfc || read.addresses.destinationMac[i] == sent.addresses.destinationMac[i]),
                "MAC address");
    }
    RequireSameTag(sent, read);
    Require(bool(read.quoted) == bool(sent.quoted), "quoted frame");
    if (!pfc && ((!packet && !sent.quoted) || sent.tagged))
    {
        Require(read.priority == sent.priority, "priority ", +sent.priority, +read.priority);
    }
    if (pfc)
    {
        Require(read.pause.classes == sent.pause.classes, "classes");
        for (int i = 0; i < 8; i++)
        {
            Require(read.pause.quanta[i] == sent.pause.quanta[i], "quanta ", i);
        }
        return;
    }
    if (packet)
    {
        Require(read.etherType == sent.etherType, "EtherType");
        Require(read.packet->GetSize() == sent.packet->GetSize(), "size of the packet");
        return;
    }
    if (sent.quoted)
    {
        RequireSameMessage(sent.notification, read.notification);
        Require(QuotedBytes(read) == QuotedBytes(sent), "quoted bytes");
        return;
    }
    Require(read.codePoint == sent.codePoint, "code point");
    Require(read.queuePair == (sent.queuePair & LOW_24), "queue pair");
    Require(read.psn == (sent.psn & LOW_24), "PSN");
    Require(read.addresses.sourceIp == sent.addresses.sourceIp &&
                read.addresses.destinationIp == sent.addresses.destinationIp &&
                read.addresses.udpSource == sent.addresses.udpSource,
            "IP addresses or port");
    Require(bool(read.telemetry) == bool(sent.telemetry), "INT block");
    if (sent.telemetry)
    {
        Require(read.telemetry->hops == sent.telemetry->hops, "hops of the INT block");
    }
    switch (sent.kind)
    {
    case FrameKind::DATA:
        Require(read.payload == sent.payload, "payload ", sent.payload, " ", read.payload);
        Require(read.write == sent.write && read.firstOfMessage == sent.firstOfMessage &&
                    read.lastOfMessage == sent.lastOfMessage &&
                    read.ackRequest == sent.ackRequest && read.messageBytes == sent.messageBytes,
                "BTH or RETH");
        break;
    case FrameKind::NOTIFICATION:
        Require(std::get<Cnp>(read.notification).windowBytes ==
                        std::get<Cnp>(sent.notification).windowBytes &&
                    std::get<Cnp>(read.notification).fairRate ==
                        std::get<Cnp>(sent.notification).fairRate &&
                    std::get<Cnp>(read.notification).point ==
                        std::get<Cnp>(sent.notification).point &&
                    std::get<Cnp>(read.notification).code == std::get<Cnp>(sent.notification).code,
                "feedback");
        break;
    default:
        Require(read.messageNumber == (sent.messageNumber & LOW_24), "message number");
        Require(read.echo == sent.echo, "echo");
    }
}

std::string
RoundTrip(Random& random)
{
    const FramePtr sent = MakeRandomFrame(random);
    const FrameCheck check = random.Choose(FrameCheck::OMITTED, FrameCheck::INCLUDED);
    const Ptr<Packet> packet = ToPacket(*sent, check);
    const uint32_t fcs = check == FrameCheck::INCLUDED ? 0 : FCS_BYTES;
    Require(packet->GetSize() + fcs == sent->bytes, packet->GetSize(), " of ", sent->bytes);
    std::string why;
    const FramePtr read = FromPacket(packet, check, &why);
    Require(bool(read), "own frame refused: ", why);
    RequireSame(*sent, *read);
    Require(ToBytes(ToPacket(*read, check)) == ToBytes(packet), "bytes differ when written again");
    return "frames round trip";
}

/**
 * Makes checksums right, so that what they protect is read.
 *
 * @param bytes without FCS
 */
void
Repair(Bytes& bytes)
{
    const std::size_t minimum =
        IP + IPV4_HEADER_BYTES + UDP_HEADER_BYTES + BTH_BYTES + INVARIANT_CRC_BYTES;
    if (bytes.size() < minimum || bytes[IP] != 0x45)
    {
        return;
    }
    bytes[IP + 10] = bytes[IP + 11] = 0;
    uint32_t sum = 0;
    for (std::size_t i = IP; i < IP + IPV4_HEADER_BYTES; i += 2)
    {
        sum += bytes[i] << 8 | bytes[i + 1];
    }
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = ~((sum & 0xFFFF) + (sum >> 16));
    bytes[IP + 10] = static_cast<uint8_t>(sum >> 8);
    bytes[IP + 11] = static_cast<uint8_t>(sum);
    const std::size_t end = IP + (bytes[IP + 2] << 8 | bytes[IP + 3]);
    if (end > bytes.size() || end < minimum)
    {
        return;
    }
    const Bytes datagram(bytes.begin() + IP, bytes.begin() + static_cast<std::ptrdiff_t>(end));
    const uint32_t crc = InvariantCrcTrailer::Calculate(FromBytes(datagram));
    Ptr<Packet> written = Create<Packet>();
    InvariantCrcTrailer trailer;
    trailer.SetCrc(crc);
    written->AddTrailer(trailer);
    written->CopyData(bytes.data() + end - INVARIANT_CRC_BYTES, INVARIANT_CRC_BYTES);
}

/// @returns bytes near those of a frame, or any
Bytes
MakeBytes(Random& random)
{
    if (random.Chance(0.1))
    {
        Bytes bytes(random.Whole(0, 200));
        Fill(random, bytes.data(), bytes.size());
        return bytes;
    }
    Bytes bytes = ToBytes(ToPacket(*MakeRandomFrame(random)));
    for (uint64_t changes = random.Whole(0, 4); changes > 0; changes--)
    {
        // Mostly in the headers, which come first.
        const std::size_t at = random.Whole(0, random.Chance(0.9) ? 80 : bytes.size());
        if (at < bytes.size())
        {
            bytes[at] = static_cast<uint8_t>(
                random.Chance(0.5) ? random.Bits() : bytes[at] ^ 1 << random.Whole(0, 7));
        }
    }
    if (random.Chance(0.2))
    {
        bytes.resize(random.Whole(0, bytes.size()));
    }
    else if (random.Chance(0.1))
    {
        bytes.resize(bytes.size() + random.Whole(1, 64));
    }
    if (random.Chance(0.1))
    {
        // As if there were less in it than there is
        const uint64_t size = random.Whole(0, 80);
        if (bytes.size() > IP + 26)
        {
            bytes[IP + 2] = 0;
            bytes[IP + 3] = static_cast<uint8_t>(size);
            bytes[IP + 24] = 0;
            bytes[IP + 25] = static_cast<uint8_t>(size - IPV4_HEADER_BYTES);
        }
    }
    if (random.Chance(0.7))
    {
        Repair(bytes);
    }
    return bytes;
}

std::string
ReadBytes(Random& random)
{
    const Bytes bytes = MakeBytes(random);
    const FrameCheck check = random.Chance(0.9) ? FrameCheck::OMITTED : FrameCheck::INCLUDED;
    std::string why;
    const FramePtr frame = FromPacket(FromBytes(bytes), check, &why);
    if (!frame)
    {
        Require(!why.empty() && why.find('\n') == std::string::npos, "refused as '", why, "'");
        return "byte strings refused";
    }
    const uint32_t fcs = check == FrameCheck::INCLUDED ? 0 : FCS_BYTES;
    Require(frame->bytes == bytes.size() + fcs, bytes.size(), " bytes read as ", frame->bytes);
    const FramePtr again = FromPacket(ToPacket(*frame, check), check, &why);
    Require(bool(again), "read once, refused when written: ", why);
    RequireSame(*frame, *again);
    return "byte strings read";
}

} // namespace

int
main(int argc, char* argv[])
{
    return Fuzzer("lossless-fuzz-wire",
                  "Reads random frames and random bytes.",
                  [](Random& random) {
                      std::string kind = random.Chance(0.3) ? RoundTrip(random) : ReadBytes(random);
                      Require(IntBlocksInUse() == 0, "INT blocks left: ", IntBlocksInUse());
                      Require(CongestionTagsInUse() == 0, "tags left: ", CongestionTagsInUse());
                      return kind;
                  })
        .Main(argc, argv);
}

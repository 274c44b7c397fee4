// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Writes one frame of each kind into a capture file, for test/wire_test.py: as Ethernet frames, or
// as InfiniBand packets.

#include "ns3/command-line.h"
#include "ns3/erf-file.h"
#include "ns3/frame-format.h"
#include "ns3/frame.h"
#include "ns3/infiniband-format.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/pcap-file.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t LINK_TYPE_ETHERNET = 1;

FramePtr
Make(FrameKind kind, uint8_t priority)
{
    FramePtr frame = MakeFrame();
    frame->kind = kind;
    frame->priority = priority;
    frame->codePoint = CodePoint::CAPABLE;
    frame->queuePair = 0xABCD;
    frame->psn = 0x123456;
    frame->addresses.sourceIp = Ipv4Address("10.0.1.2").Get();
    frame->addresses.destinationIp = Ipv4Address("10.0.2.3").Get();
    const uint8_t source[6] = {2, 0, 0, 0, 1, 2};
    const uint8_t destination[6] = {2, 0, 0, 0, 2, 3};
    std::copy(source, source + 6, frame->addresses.sourceMac);
    std::copy(destination, destination + 6, frame->addresses.destinationMac);
    frame->addresses.udpSource = 50000;
    frame->source = 0x0101;
    frame->destination = 0x0202;
    return frame;
}

FramePtr
MakeSendFirst()
{
    FramePtr frame = Make(FrameKind::DATA, 3);
    frame->payload = 1000;
    frame->firstOfMessage = true;
    frame->ackRequest = true;
    return frame;
}

FramePtr
MakeTaggedWriteOnly()
{
    FramePtr frame = Make(FrameKind::DATA, 5);
    frame->tagged = true;
    frame->write = true;
    frame->payload = 997;
    frame->messageBytes = 997;
    frame->firstOfMessage = true;
    frame->lastOfMessage = true;
    return frame;
}

FramePtr
MakeAcknowledge(FrameKind kind, CodePoint echo)
{
    FramePtr frame = Make(kind, 6);
    frame->messageNumber = 9;
    frame->echo = echo;
    return frame;
}

/**
 * @param frame DATA or ACK
 * @returns it with an INT block of one hop
 */
FramePtr
WithTelemetry(FramePtr frame)
{
    frame->telemetry = MakeIntBlock();
    frame->telemetry->Push({100000000000, 1000, 128000, 8000});
    return frame;
}

FramePtr
MakeCnp()
{
    FramePtr frame = Make(FrameKind::NOTIFICATION, 6);
    std::get<Cnp>(frame->notification).windowBytes = 48000;
    std::get<Cnp>(frame->notification).code = CodePoint::CONGESTION;
    return frame;
}

FramePtr
MakePause()
{
    FramePtr frame = Make(FrameKind::PFC, 0);
    frame->pause.classes = 1 << 3 | 1 << 5;
    frame->pause.quanta[3] = 0xFFFF;
    return frame;
}

/// A UDP packet of ns-3's stack, marked on its way.
FramePtr
MakePacket()
{
    FramePtr frame = Make(FrameKind::PACKET, 0);
    frame->etherType = 0x0800;
    frame->codePoint = CodePoint::CONGESTION;
    frame->packet = Create<Packet>(100);
    UdpHeader udp;
    udp.SetSourcePort(1234);
    udp.SetDestinationPort(9);
    frame->packet->AddHeader(udp);
    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetSource(Ipv4Address("10.0.1.2"));
    ip.SetDestination(Ipv4Address("10.0.2.3"));
    ip.SetProtocol(17);
    ip.SetTtl(64);
    ip.SetEcn(Ipv4Header::ECN_ECT1);
    ip.SetPayloadSize(frame->packet->GetSize());
    frame->packet->AddHeader(ip);
    return frame;
}

CongestionPointId
MakePoint()
{
    CongestionPointId point;
    point.bytes = {2, 0, 0, 0, 9, 1, 0, 0x1B};
    return point;
}

/**
 * @param frame DATA
 * @param tag CM-Tag or CN-TAG
 * @returns it with the tag
 */
FramePtr
WithTag(FramePtr frame, std::variant<CmTag, CnTag> tag)
{
    frame->tag = MakeCongestionTag();
    frame->tag->tag = tag;
    frame->bytes = FrameBytes(*frame);
    return frame;
}

/**
 * @param sampled frame of which it tells
 * @param message of ECM or QCN
 * @returns the message of a switch
 */
FramePtr
MakeSwitchMessage(FramePtr sampled, const Notification& message)
{
    const uint8_t address[6] = {2, 0, 0, 0, 9, 1};
    return MakeCongestionMessage(*sampled, message, address);
}

/// Two tagged frames and two messages, one of each scheme.
std::vector<FramePtr>
MakeLayer2Frames()
{
    const CmTag cm{MakePoint(), 0xABCD, 3};
    const CnTag cn{0x1234};
    EcmMessage ecm;
    ecm.point = MakePoint();
    ecm.offset = -2;
    ecm.delta = 750;
    ecm.timestamp = cm.timestamp;
    ecm.unit = cm.unit;
    ecm.saturated = true;
    QcnMessage cnm;
    cnm.point = MakePoint();
    cnm.offset = 16;
    cnm.delta = -1;
    cnm.feedback = 45;
    cnm.quotedBytes = 20;
    std::vector<FramePtr> frames;
    frames.push_back(WithTag(MakeTaggedWriteOnly(), cm));
    frames.push_back(WithTag(MakeSendFirst(), cn));
    frames.push_back(MakeSwitchMessage(WithTag(MakeTaggedWriteOnly(), cm), ecm));
    frames.push_back(MakeSwitchMessage(WithTag(MakeSendFirst(), cn), cnm));
    return frames;
}

/**
 * Writes Ethernet frames.
 * @param out file
 * @param check whether with FCS
 * @returns exit status
 */
int
WriteEthernet(const std::string& out, FrameCheck check)
{
    Ptr<PcapFileWrapper> file = CreateObject<PcapFileWrapper>();
    file->Open(out, std::ios::out | std::ios::binary);
    if (file->Fail())
    {
        std::cerr << "error: cannot write '" << out << "', expected --out=FILE" << std::endl;
        return 1;
    }
    file->Init(LINK_TYPE_ETHERNET, PcapFile::SNAPLEN_DEFAULT);

    std::vector<FramePtr> frames;
    frames.push_back(MakeSendFirst());
    frames.push_back(MakeTaggedWriteOnly());
    frames.push_back(MakeAcknowledge(FrameKind::ACK, CodePoint::UNDETERMINED));
    frames.push_back(MakeAcknowledge(FrameKind::NACK, CodePoint::CONGESTION));
    frames.push_back(MakeCnp());
    frames.push_back(MakePause());
    frames.push_back(MakePacket());
    frames.push_back(WithTelemetry(MakeSendFirst()));
    frames.push_back(WithTelemetry(MakeAcknowledge(FrameKind::ACK, CodePoint::CAPABLE)));
    for (FramePtr& frame : MakeLayer2Frames())
    {
        frames.push_back(std::move(frame));
    }
    for (std::size_t i = 0; i < frames.size(); i++)
    {
        frames[i]->bytes = FrameBytes(*frames[i]);
        file->Write(MicroSeconds(i), ToPacket(*frames[i], check));
    }
    file->Close();
    return file->Fail() ? 1 : 0;
}

/**
 * Writes InfiniBand packets and a link flow-control packet.
 * @param out file
 */
void
WriteInfiniband(const std::string& out)
{
    ErfFile file(out);
    std::vector<FramePtr> frames;
    frames.push_back(MakeSendFirst());
    frames.push_back(MakeTaggedWriteOnly());
    frames.push_back(MakeAcknowledge(FrameKind::ACK, CodePoint::UNDETERMINED));
    frames.push_back(MakeAcknowledge(FrameKind::NACK, CodePoint::CONGESTION));
    frames.push_back(MakeCnp());
    frames.push_back(MakePacket());
    frames.push_back(WithTelemetry(MakeSendFirst()));
    for (std::size_t i = 0; i < frames.size(); i++)
    {
        frames[i]->bytes = InfinibandFrameBytes(*frames[i]);
        file.Write(Seconds(1) + MicroSeconds(i),
                   ToInfinibandPacket(*frames[i]),
                   ErfFile::INFINIBAND);
    }
    CreditUpdate update;
    update.totalBlocksSent = 0x321;
    update.creditLimit = 0xABC;
    update.lane = 3;
    file.Write(Seconds(2), ToInfinibandPacket(update), ErfFile::INFINIBAND_LINK);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string out;
    bool fcs = false;
    bool infiniband = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("out", "capture file to write", out);
    cmd.AddValue("fcs", "end each frame with its FCS", fcs);
    cmd.AddValue("infiniband", "write InfiniBand packets", infiniband);
    cmd.Parse(argc, argv);
    if (!infiniband)
    {
        return WriteEthernet(out, fcs ? FrameCheck::INCLUDED : FrameCheck::OMITTED);
    }
    try
    {
        WriteInfiniband(out);
    }
    catch (const InputError& error)
    {
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}

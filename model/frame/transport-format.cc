// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "transport-format.h"

#include "ns3/ack-extended-transport-header.h"
#include "ns3/assert.h"
#include "ns3/base-transport-header.h"
#include "ns3/congestion-notification-header.h"
#include "ns3/frame-refusal.h"
#include "ns3/frame-size.h"
#include "ns3/rdma-extended-transport-header.h"
#include "ns3/telemetry-header.h"

namespace ns3
{

namespace
{

using Bth = BaseTransportHeader;
using Aeth = AckExtendedTransportHeader;

/**
 * @param write RDMA WRITE instead of SEND
 * @param first whether it begins its message
 * @param last whether it ends its message
 * @returns the operation code of a DATA frame
 */
uint8_t
DataOpcode(bool write, bool first, bool last)
{
    if (first)
    {
        return last ? (write ? Bth::WRITE_ONLY : Bth::SEND_ONLY)
                    : (write ? Bth::WRITE_FIRST : Bth::SEND_FIRST);
    }
    return last ? (write ? Bth::WRITE_LAST : Bth::SEND_LAST)
                : (write ? Bth::WRITE_MIDDLE : Bth::SEND_MIDDLE);
}

/**
 * @param frame DATA, ACK or NACK
 * @param carrier of the packet
 * @returns bytes that follow its INT block before anything else
 */
uint32_t
TelemetryPad(const Frame& frame, TransportCarrier carrier)
{
    return frame.telemetry && carrier == TransportCarrier::INFINIBAND
               ? INFINIBAND_TELEMETRY_PAD_BYTES
               : 0;
}

/**
 * Adds the INT block of a frame, if it has one.
 * @param packet to it
 * @param frame DATA, ACK or NACK
 * @param bth says so
 */
void
AddTelemetry(Ptr<Packet> packet, const Frame& frame, Bth& bth)
{
    if (frame.telemetry)
    {
        TelemetryHeader telemetry;
        telemetry.SetBlock(*frame.telemetry);
        packet->AddHeader(telemetry);
        bth.SetTelemetry(true);
    }
}

/**
 * Takes the INT block off, if there is one.
 * @param packet from it
 * @param bth read before
 * @param carrier of the packet
 * @param frame gets it
 */
void
TakeTelemetry(Ptr<Packet> packet, const Bth& bth, TransportCarrier carrier, Frame& frame)
{
    if (bth.HasTelemetry())
    {
        TelemetryHeader telemetry;
        TakeHeader(packet, telemetry, "the INT block");
        frame.telemetry = MakeIntBlock();
        *frame.telemetry = telemetry.GetBlock();
        const uint32_t pad = TelemetryPad(frame, carrier);
        if (packet->GetSize() < pad)
        {
            RefuseFrame("truncated: ", packet->GetSize(), " bytes after the INT block");
        }
        packet->RemoveAtStart(pad);
    }
}

/**
 * Writes the marks of a frame into the BTH.
 * @param frame DATA, ACK or NACK
 * @param carrier of the packet
 * @param bth of the packet
 */
void
SetMarks(const Frame& frame, TransportCarrier carrier, Bth& bth)
{
    if (carrier == TransportCarrier::ROCE_V2)
    {
        bth.SetForwardCongestion(frame.echo == CodePoint::CONGESTION);
        bth.SetUndetermined(frame.echo == CodePoint::UNDETERMINED);
        return;
    }
    const bool isData = frame.kind == FrameKind::DATA;
    bth.SetForwardCongestion(frame.codePoint == CodePoint::CONGESTION);
    bth.SetBackwardCongestion(!isData && frame.echo == CodePoint::CONGESTION);
    bth.SetUndetermined((isData ? frame.codePoint : frame.echo) == CodePoint::UNDETERMINED);
}

/**
 * Reads the marks of a frame from the BTH.
 * @param bth read before
 * @param carrier of the packet
 * @param frame its kind is known
 */
void
GetMarks(const Bth& bth, TransportCarrier carrier, Frame& frame)
{
    const CodePoint undetermined =
        bth.IsUndetermined() ? CodePoint::UNDETERMINED : CodePoint::NOT_CAPABLE;
    const bool isInfiniband = carrier == TransportCarrier::INFINIBAND;
    if (isInfiniband && bth.IsForwardCongestion())
    {
        frame.codePoint = CodePoint::CONGESTION;
    }
    else if (isInfiniband && frame.kind == FrameKind::DATA)
    {
        frame.codePoint = bth.IsUndetermined() ? CodePoint::UNDETERMINED : CodePoint::CAPABLE;
    }
    if (frame.kind == FrameKind::ACK || frame.kind == FrameKind::NACK)
    {
        const bool echoed = isInfiniband ? bth.IsBackwardCongestion() : bth.IsForwardCongestion();
        frame.echo = echoed ? CodePoint::CONGESTION : undetermined;
    }
}

/**
 * Reads the payload of a DATA frame.
 * @param packet what follows the BTH
 * @param bth read before
 * @param carrier of the packet
 * @param frame filled
 */
void
ReadData(Ptr<Packet> packet, const Bth& bth, TransportCarrier carrier, Frame& frame)
{
    const uint8_t opcode = bth.GetOpcode();
    frame.kind = FrameKind::DATA;
    frame.write = opcode >= Bth::WRITE_FIRST;
    frame.firstOfMessage = opcode == DataOpcode(frame.write, true, false) ||
                           opcode == DataOpcode(frame.write, true, true);
    frame.lastOfMessage = opcode == DataOpcode(frame.write, false, true) ||
                          opcode == DataOpcode(frame.write, true, true);
    frame.ackRequest = bth.IsAckRequest();
    if (frame.write && frame.firstOfMessage)
    {
        RdmaExtendedTransportHeader reth;
        TakeHeader(packet, reth, "the RETH");
        frame.messageBytes = reth.GetDmaLength();
    }
    TakeTelemetry(packet, bth, carrier, frame);
    const uint32_t padded = packet->GetSize();
    if (padded % 4 || padded < bth.GetPadCount())
    {
        RefuseFrame("payload of ", padded, " bytes does not fit pad count ", +bth.GetPadCount());
    }
    frame.payload = padded - bth.GetPadCount();
}

/**
 * Reads an acknowledgement.
 * @param packet what follows the BTH
 * @param bth read before
 * @param carrier of the packet
 * @param frame filled
 */
void
ReadAck(Ptr<Packet> packet, const Bth& bth, TransportCarrier carrier, Frame& frame)
{
    Aeth aeth;
    TakeHeader(packet, aeth, "the AETH");
    if (!aeth.IsAck() && aeth.GetSyndrome() != Aeth::NAK_SEQUENCE_ERROR)
    {
        RefuseFrame("AETH syndrome ",
                    HexText(aeth.GetSyndrome()),
                    " is neither ACK nor sequence error");
    }
    frame.kind = aeth.IsAck() ? FrameKind::ACK : FrameKind::NACK;
    frame.messageNumber = aeth.GetMessageNumber();
    TakeTelemetry(packet, bth, carrier, frame);
}

/**
 * @param carrier of the packet
 * @returns operation code of a congestion notification packet
 */
uint8_t
NotificationOpcode(TransportCarrier carrier)
{
    return carrier == TransportCarrier::INFINIBAND ? Bth::INFINIBAND_CONGESTION_NOTIFICATION
                                                   : Bth::CONGESTION_NOTIFICATION;
}

} // namespace

Ptr<Packet>
MakeTransportPacket(const Frame& frame, TransportCarrier carrier)
{
    Bth bth;
    bth.SetDestinationQueuePair(frame.queuePair);
    bth.SetSequenceNumber(frame.psn);
    Ptr<Packet> packet = Create<Packet>(TelemetryPad(frame, carrier));
    if (frame.kind == FrameKind::DATA)
    {
        NS_ASSERT_MSG(frame.payload <= MAXIMUM_PAYLOAD_BYTES, "payload " << frame.payload);
        const uint32_t pad = PadCount(frame.payload);
        packet->AddAtEnd(Create<Packet>(frame.payload + pad));
        AddTelemetry(packet, frame, bth);
        if (frame.write && frame.firstOfMessage)
        {
            RdmaExtendedTransportHeader reth;
            reth.SetDmaLength(frame.messageBytes);
            packet->AddHeader(reth);
        }
        bth.SetOpcode(DataOpcode(frame.write, frame.firstOfMessage, frame.lastOfMessage));
        bth.SetPadCount(pad);
        bth.SetAckRequest(frame.ackRequest);
    }
    else if (frame.kind == FrameKind::NOTIFICATION)
    {
        CongestionNotificationHeader reserved;
        reserved.SetCnp(std::get<Cnp>(frame.notification));
        packet->AddHeader(reserved);
        bth.SetOpcode(NotificationOpcode(carrier));
        bth.SetMigrated(false);
        bth.SetSequenceNumber(0);
    }
    else
    {
        AddTelemetry(packet, frame, bth);
        Aeth aeth;
        aeth.SetSyndrome(frame.kind == FrameKind::ACK ? Aeth::ACK_WITHOUT_CREDITS
                                                      : Aeth::NAK_SEQUENCE_ERROR);
        aeth.SetMessageNumber(frame.messageNumber);
        packet->AddHeader(aeth);
        bth.SetOpcode(Bth::ACKNOWLEDGE);
    }
    SetMarks(frame, carrier, bth);
    if (frame.kind == FrameKind::NOTIFICATION)
    {
        bth.SetBackwardCongestion(true);
    }
    packet->AddHeader(bth);
    return packet;
}

void
ReadTransportPacket(Ptr<Packet> packet, TransportCarrier carrier, Frame& frame)
{
    Bth bth;
    TakeHeader(packet, bth, "the BTH");
    if (bth.GetVersion() != 0)
    {
        RefuseFrame("BTH version ", +bth.GetVersion());
    }
    frame.queuePair = bth.GetDestinationQueuePair();
    frame.psn = bth.GetSequenceNumber();
    switch (bth.GetOpcode())
    {
    case Bth::SEND_FIRST:
    case Bth::SEND_MIDDLE:
    case Bth::SEND_LAST:
    case Bth::SEND_ONLY:
    case Bth::WRITE_FIRST:
    case Bth::WRITE_MIDDLE:
    case Bth::WRITE_LAST:
    case Bth::WRITE_ONLY:
        ReadData(packet, bth, carrier, frame);
        break;
    case Bth::ACKNOWLEDGE:
        ReadAck(packet, bth, carrier, frame);
        break;
    default: {
        if (bth.GetOpcode() != NotificationOpcode(carrier))
        {
            RefuseFrame("BTH opcode ", HexText(bth.GetOpcode()), " is not one of this module");
        }
        CongestionNotificationHeader reserved;
        TakeHeader(packet, reserved, "the reserved bytes of a CNP");
        frame.kind = FrameKind::NOTIFICATION;
        frame.notification = reserved.GetCnp();
        frame.psn = 0;
    }
    }
    GetMarks(bth, carrier, frame);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_BASE_TRANSPORT_HEADER_H
#define LOSSLESS_BASE_TRANSPORT_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * Base transport header (BTH) of InfiniBand and RoCEv2, 12 bytes in network order (InfiniBand
 * Architecture 1.3, volume 1, section 9.2).
 *
 * @verbatim
 * OpCode 8 | SE 1, M 1, PadCnt 2, TVer 4 | P_Key 16
 * F 1, B 1, U 1, reserved 5 | DestQP 24
 * A 1, T 1, reserved 6 | PSN 24
 * @endverbatim
 *
 * U is the reserved bit next to F and B. The standard gives it no meaning; here an acknowledgement
 * echoes the mark "undetermined congestion" (TCD, Zhang et al., SIGCOMM 2021) in U as it echoes
 * "congestion" in F. On InfiniBand, where no other header has room for marks, F and U of a data
 * packet are its own marks, and an acknowledgement echoes them in B and U (see
 * infiniband-format.h). The byte that holds them is outside the invariant CRC. T, too, is reserved
 * by the standard; here it says that a TelemetryHeader follows the extended header.
 *
 * Left out: the solicited event bit is written as 0, the partition key as the default 0xFFFF, and
 * neither is read.
 * @ingroup lossless
 */
class BaseTransportHeader : public Header
{
  public:
    /// Operation codes of the reliable connection, and the congestion notifications of annexes A10
    /// (InfiniBand) and A17 (RoCEv2).
    enum Opcode : uint8_t
    {
        SEND_FIRST = 0x00,
        SEND_MIDDLE = 0x01,
        SEND_LAST = 0x02,
        SEND_ONLY = 0x04,
        WRITE_FIRST = 0x06,
        WRITE_MIDDLE = 0x07,
        WRITE_LAST = 0x08,
        WRITE_ONLY = 0x0A,
        ACKNOWLEDGE = 0x11,
        INFINIBAND_CONGESTION_NOTIFICATION = 0x80,
        CONGESTION_NOTIFICATION = 0x81
    };

    /// @param opcode operation code; need not be one of Opcode
    void SetOpcode(uint8_t opcode);
    /// @returns operation code; need not be one of Opcode
    uint8_t GetOpcode() const;

    /// @param migrated M bit: the connection is in its migrated state, the usual one
    void SetMigrated(bool migrated);
    /// @returns M bit
    bool IsMigrated() const;

    /// @param count bytes that fill the payload up to four, 0..3
    void SetPadCount(uint8_t count);
    /// @returns bytes that fill the payload up to four
    uint8_t GetPadCount() const;

    /// @returns version of the transport header, 0 in all known ones
    uint8_t GetVersion() const;

    /// @param congested F bit (FECN)
    void SetForwardCongestion(bool congested);
    /// @returns F bit (FECN)
    bool IsForwardCongestion() const;

    /// @param congested B bit (BECN)
    void SetBackwardCongestion(bool congested);
    /// @returns B bit (BECN)
    bool IsBackwardCongestion() const;

    /// @param undetermined U bit, see the class
    void SetUndetermined(bool undetermined);
    /// @returns U bit, see the class
    bool IsUndetermined() const;

    /// @param queuePair destination queue pair; its low 24 bits are kept
    void SetDestinationQueuePair(uint32_t queuePair);
    /// @returns destination queue pair, 24 bits
    uint32_t GetDestinationQueuePair() const;

    /// @param request A bit: the receiver shall acknowledge
    void SetAckRequest(bool request);
    /// @returns A bit
    bool IsAckRequest() const;

    /// @param telemetry T bit, see the class
    void SetTelemetry(bool telemetry);
    /// @returns T bit, see the class
    bool HasTelemetry() const;

    /// @param number packet sequence number; its low 24 bits are kept
    void SetSequenceNumber(uint32_t number);
    /// @returns packet sequence number, 24 bits
    uint32_t GetSequenceNumber() const;

    /**
     * @brief Get the type ID.
     * @returns the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    uint8_t m_opcode{SEND_ONLY};  //!< operation code
    bool m_migrated{true};        //!< M
    uint8_t m_padCount{0};        //!< PadCnt
    uint8_t m_version{0};         //!< TVer
    bool m_forward{false};        //!< F
    bool m_backward{false};       //!< B
    bool m_undetermined{false};   //!< U
    uint32_t m_queuePair{0};      //!< DestQP
    bool m_ackRequest{false};     //!< A
    bool m_telemetry{false};      //!< T
    uint32_t m_sequenceNumber{0}; //!< PSN
};

} // namespace ns3

#endif // LOSSLESS_BASE_TRANSPORT_HEADER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_LINK_FLOW_CONTROL_HEADER_H
#define LOSSLESS_LINK_FLOW_CONTROL_HEADER_H

#include "ns3/buffer.h"
#include "ns3/credit-update.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * InfiniBand's link flow-control packet, all of its 6 bytes, in network order (InfiniBand
 * Architecture, volume 1, section 7.9.4).
 *
 * @verbatim
 * Op 4, FCTBS 12 | VL 4, FCCL 12 | LPCRC 16
 * @endverbatim
 *
 * Op 0 is the normal packet, 1 that of a link that comes up. The LPCRC is InfinibandCrc16() of the
 * four bytes before it; it is calculated when the header is written, and checked when it is read.
 * Of counters wider than the specification's (see CreditSender) the low 12 bits are on the wire.
 * @ingroup lossless
 */
class LinkFlowControlHeader : public Header
{
  public:
    /// @param update what the packet says
    void SetUpdate(const CreditUpdate& update);
    /// @returns what the packet says
    const CreditUpdate& GetUpdate() const;

    /// @returns Op as read: 0 or 1, others are reserved
    uint8_t GetOperation() const;

    /// @returns whether the LPCRC that was read is right
    bool IsCrcOk() const;

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
    CreditUpdate m_update;  //!< what the packet says
    uint8_t m_operation{0}; //!< Op
    bool m_crcOk{true};     //!< the LPCRC read was right
};

} // namespace ns3

#endif // LOSSLESS_LINK_FLOW_CONTROL_HEADER_H

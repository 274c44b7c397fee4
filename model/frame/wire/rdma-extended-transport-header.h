// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_RDMA_EXTENDED_TRANSPORT_HEADER_H
#define LOSSLESS_RDMA_EXTENDED_TRANSPORT_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * RDMA extended transport header (RETH) of the first frame of an RDMA WRITE, 16 bytes in network
 * order: virtual address 64, R_Key 32, DMA length 32 (InfiniBand Architecture 1.3, volume 1,
 * section 9.3.3).
 *
 * Left out: the simulator has no memory to address, so address and key are written as 0 and not
 * read.
 * @ingroup lossless
 */
class RdmaExtendedTransportHeader : public Header
{
  public:
    /// @param bytes length of the whole message [B]
    void SetDmaLength(uint32_t bytes);
    /// @returns length of the whole message [B]
    uint32_t GetDmaLength() const;

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
    uint32_t m_dmaLength{0}; //!< length of the whole message [B]
};

} // namespace ns3

#endif // LOSSLESS_RDMA_EXTENDED_TRANSPORT_HEADER_H

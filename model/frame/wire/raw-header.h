// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_RAW_HEADER_H
#define LOSSLESS_RAW_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * Raw header (RWH) of an InfiniBand packet that carries another protocol's, 4 bytes in network
 * order: reserved 16, EtherType 16 (InfiniBand Architecture, volume 1, section 5.3).
 * @ingroup lossless
 */
class RawHeader : public Header
{
  public:
    /// @param type EtherType
    void SetEtherType(uint16_t type);
    /// @returns EtherType
    uint16_t GetEtherType() const;

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
    uint16_t m_etherType{0}; //!< EtherType
};

} // namespace ns3

#endif // LOSSLESS_RAW_HEADER_H

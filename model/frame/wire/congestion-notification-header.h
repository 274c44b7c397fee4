// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CONGESTION_NOTIFICATION_HEADER_H
#define LOSSLESS_CONGESTION_NOTIFICATION_HEADER_H

#include "ns3/buffer.h"
#include "ns3/frame.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * The 16 bytes after the BTH of a RoCEv2 congestion notification packet (CNP; InfiniBand
 * Architecture, annex A17).
 *
 * The standard reserves them and a standard receiver ignores them. Our choice, in network order,
 * all zero for a plain CNP:
 * @verbatim
 * window 32 [B], 0 for none (Mercury)
 * code 8: 0 none, 2 undetermined (TCD), 3 congestion | zero 24
 * fair rate 32 [10 Mb/s] (RoCC, PACC)
 * number of the congestion point 32
 * @endverbatim
 * @ingroup lossless
 */
class CongestionNotificationHeader : public Header
{
  public:
    /// @param cnp what the congestion point says
    void SetCnp(const Cnp& cnp);
    /// @returns what the congestion point says
    const Cnp& GetCnp() const;

    /**
     * @brief Get the type ID.
     * @returns the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// A code above 3 reads as none: such bytes are another sender's.
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    Cnp m_cnp; //!< what the congestion point says
};

} // namespace ns3

#endif // LOSSLESS_CONGESTION_NOTIFICATION_HEADER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TELEMETRY_HEADER_H
#define LOSSLESS_TELEMETRY_HEADER_H

#include "ns3/buffer.h"
#include "ns3/frame.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * The INT block of HPCC on the wire: 42 bytes, whatever the number of hops (Li et al., SIGCOMM
 * 2019, section 4.1: a header of 2 bytes and five slots of 8 bytes).
 *
 * In network order, unused slots zero:
 * @verbatim
 * number of hops 4 | zero 12 (HPCC's path number)
 * 5 times: exponent 2, mantissa 6 | time 22 [ns] | bytes sent 18 [128 B] | queue 16 [80 B]
 * @endverbatim
 *
 * HPCC has 4 bits for the line rate, a number in a table of rates. Here it is mantissa x 4^exponent
 * x 0.5 Gb/s, with the smallest exponent that holds it, so that it needs no table: from 0.5 Gb/s
 * to 2016 Gb/s with an error below 4 % above 8 Gb/s, and exact for 1, 2.5, 10, 25, 40, 50, 100,
 * 200, 400, 800 and 1600 Gb/s. A rate above is written as the highest. The four bits more are taken
 * from time and bytes sent, which wrap after 4.19 ms and 33.5 MB: far more than the time and bytes
 * between two acknowledgements of a flow. Units are HPCC's; time and bytes are cut to their unit
 * and wrap, the queue is cut to its unit and stays at the highest value.
 * @ingroup lossless
 */
class TelemetryHeader : public Header
{
  public:
    /// @param block whose hops are written
    void SetBlock(const IntBlock& block);
    /// @returns the hops as read: rounded, time and bytes sent modulo their width
    const IntBlock& GetBlock() const;

    /**
     * @param rateBps a line rate [bit/s]
     * @returns exponent and mantissa, 8 bits
     */
    static uint8_t EncodeRate(uint64_t rateBps);
    /**
     * @param code exponent and mantissa
     * @returns the line rate [bit/s]
     */
    static uint64_t DecodeRate(uint8_t code);

    /**
     * @brief Get the type ID.
     * @returns the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// More hops than there are slots read as all slots: such bytes are another sender's.
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    IntBlock m_block; //!< hops
};

} // namespace ns3

#endif // LOSSLESS_TELEMETRY_HEADER_H

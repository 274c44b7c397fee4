// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_PRIORITY_FLOW_CONTROL_HEADER_H
#define LOSSLESS_PRIORITY_FLOW_CONTROL_HEADER_H

#include "ns3/buffer.h"
#include "ns3/frame.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * MAC control parameters of priority flow control (IEEE 802.1Qbb; IEEE 802.3, annex 31D), 20 bytes
 * in network order: opcode 16, class-enable vector 16 with bit n for priority n, and eight times of
 * 16 bits in quanta of 512 bit times.
 *
 * Times of classes that are not enabled are written as they are; receivers ignore them.
 * @ingroup lossless
 */
class PriorityFlowControlHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x8808; //!< MAC control
    static constexpr uint16_t OPCODE = 0x0101;     //!< PFC; 0x0001 is the PAUSE of 802.3x
    /// address that bridges never forward to
    static constexpr uint8_t DESTINATION[6] = {0x01, 0x80, 0xC2, 0x00, 0x00, 0x01};

    /// @param pause classes and times
    void SetPause(const Frame::Pause& pause);
    /// @returns classes and times
    const Frame::Pause& GetPause() const;
    /// @returns the opcode that was read, OPCODE before
    uint16_t GetOpcode() const;

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
    uint16_t m_opcode{OPCODE}; //!< opcode
    Frame::Pause m_pause;      //!< classes and times
};

} // namespace ns3

#endif // LOSSLESS_PRIORITY_FLOW_CONTROL_HEADER_H

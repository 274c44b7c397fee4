// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_LOCAL_ROUTE_HEADER_H
#define LOSSLESS_LOCAL_ROUTE_HEADER_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * Local route header (LRH) of an InfiniBand packet, 8 bytes in network order (InfiniBand
 * Architecture, volume 1, section 7.7).
 *
 * @verbatim
 * VL 4, LVer 4 | SL 4, reserved 2, LNH 2 | DLID 16
 * reserved 5, PktLen 11 | SLID 16
 * @endverbatim
 * @ingroup lossless
 */
class LocalRouteHeader : public Header
{
  public:
    /// What follows, LNH.
    enum NextHeader : uint8_t
    {
        RAW = 0,      //!< a RawHeader with an EtherType, then any packet; no ICRC
        RAW_IPV6 = 1, //!< an IPv6 packet; not made here
        LOCAL = 2,    //!< the base transport header
        GLOBAL = 3,   //!< a global route header; not made here
    };

    static constexpr uint16_t FIRST_UNICAST = 0x0001;   //!< smallest address of a port
    static constexpr uint16_t LAST_UNICAST = 0xBFFF;    //!< largest address of a port
    static constexpr uint16_t FIRST_MULTICAST = 0xC000; //!< smallest address of a group
    static constexpr uint16_t PERMISSIVE = 0xFFFF;      //!< whoever is at the end of the link
    static constexpr uint32_t MAXIMUM_WORDS = 2047;     //!< largest PktLen

    /// @param lane virtual lane, its low 4 bits are kept
    void SetLane(uint8_t lane);
    /// @returns virtual lane, 0..15
    uint8_t GetLane() const;

    /// @returns LVer, 0 in all known versions
    uint8_t GetVersion() const;

    /// @param level service level, its low 4 bits are kept
    void SetServiceLevel(uint8_t level);
    /// @returns service level, 0..15
    uint8_t GetServiceLevel() const;

    /// @param next what follows
    void SetNextHeader(NextHeader next);
    /// @returns what follows
    NextHeader GetNextHeader() const;

    /// @param lid destination's local identifier
    void SetDestination(uint16_t lid);
    /// @returns destination's local identifier
    uint16_t GetDestination() const;

    /// @param lid source's local identifier
    void SetSource(uint16_t lid);
    /// @returns source's local identifier
    uint16_t GetSource() const;

    /// @param words PktLen: 4-byte words from the LRH to the last before the VCRC; low 11 bits kept
    void SetWords(uint32_t words);
    /// @returns PktLen
    uint32_t GetWords() const;

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
    uint8_t m_lane{0};                  //!< VL
    uint8_t m_version{0};               //!< LVer
    uint8_t m_level{0};                 //!< SL
    NextHeader m_next{LOCAL};           //!< LNH
    uint16_t m_destination{PERMISSIVE}; //!< DLID
    uint16_t m_source{PERMISSIVE};      //!< SLID
    uint16_t m_words{0};                //!< PktLen
};

} // namespace ns3

#endif // LOSSLESS_LOCAL_ROUTE_HEADER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_VL_ARBITER_H
#define LOSSLESS_VL_ARBITER_H

#include "ns3/egress-scheduler.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * InfiniBand's arbitration among virtual lanes (VLs): InfiniBand Architecture, volume 1, section
 * 7.6.9.
 *
 * VL15, management, comes before all others. Data VLs are listed in two tables of VL and weight, in
 * units of 64 bytes; a VL may be in both, and more than once. Each table is served in weighted
 * round robin. The high-priority table comes first, until HighLimit times 4096 bytes have left by
 * it while the low-priority table waited; then one packet of the latter has its turn. HighLimit 0
 * is one packet, 255 no limit.
 *
 * Ours: a packet that takes more than is left of its entry's weight is sent, as in the
 * specification, and the overdraft is debited to the entry's next turn, so that shares are those of
 * the weights for any sizes. An entry that has nothing to send loses what it has left. A VL that is
 * in no table, which by the specification never sends, is served when no other can be.
 * @ingroup lossless
 */
class VlArbiter : public EgressScheduler
{
  public:
    static constexpr uint8_t MANAGEMENT_LANE = 15; //!< before all others
    static constexpr std::size_t MAX_ENTRIES = 64; //!< of one table
    static constexpr uint32_t WEIGHT_BYTES = 64;   //!< unit of weights [B]
    static constexpr uint32_t LIMIT_BYTES = 4096;  //!< unit of HighLimit [B]
    static constexpr uint8_t UNLIMITED = 255;      //!< HighLimit without effect

    /// @returns the TypeId
    static TypeId GetTypeId();

    uint8_t Select(LaneSet ready) override;
    void Sent(uint8_t lane, uint32_t bytes) override;

  private:
    /// Which table chose a lane.
    enum class Source : uint8_t
    {
        NONE, //!< neither
        HIGH, //!< that of high priority
        LOW,  //!< that of low priority
    };

    /// One table.
    class Table
    {
      public:
        /**
         * @param name of the attribute, for errors
         * @param text VL:weight,VL:weight,...; anything else throws InputError
         */
        void Read(const std::string& name, const std::string& text);

        /// @returns what Read() got
        const std::string& GetText() const
        {
            return m_text;
        }

        /// @returns its lanes
        LaneSet GetLanes() const
        {
            return m_lanes;
        }

        /**
         * @param ready lanes that can send, of which it has one
         * @returns the one whose turn it is
         */
        uint8_t Select(LaneSet ready);

        /// The lane of the last Select() has sent. @param bytes of the packet [B]
        void Sent(uint32_t bytes)
        {
            m_entries[m_current].credit -= bytes;
        }

        /**
         * A lane has sent without being asked for.
         * @param lane one of its lanes
         * @param bytes of the packet [B]
         */
        void Sent(uint8_t lane, uint32_t bytes);

      private:
        /// A VL with its weight.
        struct Entry
        {
            uint8_t lane;      //!< VL
            uint32_t weight;   //!< of it [B]
            int64_t credit{0}; //!< left of its turn [B]
        };

        std::string m_text;           //!< as read
        std::vector<Entry> m_entries; //!< those of weight above 0
        LaneSet m_lanes{0};           //!< of the entries
        std::size_t m_current{0};     //!< entry whose turn it is
    };

    /// @param text of the attribute HighTable
    void SetHighTable(std::string text);
    /// @returns the attribute HighTable
    std::string GetHighTable() const;
    /// @param text of the attribute LowTable
    void SetLowTable(std::string text);
    /// @returns the attribute LowTable
    std::string GetLowTable() const;

    Table m_high;                   //!< high-priority table
    Table m_low;                    //!< low-priority table
    uint8_t m_highLimit{UNLIMITED}; //!< HighLimit
    uint64_t m_highBytes{0};        //!< sent by the high table since the low one had its turn [B]
    bool m_lowWaits{false};         //!< the low table had something to send at the last Select()
    Source m_source{Source::NONE};  //!< who chose m_selected
    uint8_t m_selected{LANES};      //!< by the last Select()
};

} // namespace ns3

#endif // LOSSLESS_VL_ARBITER_H

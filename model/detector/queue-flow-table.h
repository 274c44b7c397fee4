// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QUEUE_FLOW_TABLE_H
#define QUEUE_FLOW_TABLE_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * How many bytes of each flow wait in a queue: what a switch's flow table holds.
 *
 * An entry comes with a flow's first byte and goes with its last. Open addressing: a frame costs
 * one probe and, once the table has its size, no allocation. There is no iteration, so that nothing
 * can depend on the order of the entries.
 * @ingroup lossless
 */
class QueueFlowTable
{
  public:
    /// One flow that waits.
    struct Flow
    {
        uint64_t key{0};      //!< which flow
        uint64_t bytes{0};    //!< that wait, 0 in an unused place [B]
        int64_t nextCnpNs{0}; //!< when it may be notified again, 0 for at once [ns]
    };

    /**
     * @param key of a flow, whose entry is made if there is none
     * @param bytes joined the queue [B]
     */
    void Add(uint64_t key, uint32_t bytes)
    {
        if (2 * (m_count + 1) > m_places.size())
        {
            Grow();
        }
        Flow& flow = m_places[Seek(key)];
        if (flow.bytes == 0)
        {
            flow.key = key;
            flow.nextCnpNs = 0;
            m_count++;
        }
        flow.bytes += bytes;
        m_bytes += bytes;
    }

    /**
     * @param key of a flow
     * @returns its entry, valid until the next change, or nullptr
     */
    Flow* Find(uint64_t key)
    {
        if (m_count == 0)
        {
            return nullptr;
        }
        Flow& flow = m_places[Seek(key)];
        return flow.bytes > 0 ? &flow : nullptr;
    }

    /**
     * @param flow of Find(), deleted with its last byte
     * @param bytes left the queue [B]
     */
    void Subtract(Flow& flow, uint32_t bytes)
    {
        const uint64_t gone = bytes < flow.bytes ? bytes : flow.bytes;
        flow.bytes -= gone;
        m_bytes -= gone;
        if (flow.bytes == 0)
        {
            m_count--;
            Close(static_cast<std::size_t>(&flow - m_places.data()));
        }
    }

    /// @returns bytes of all flows [B]
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @returns number of entries
    uint32_t GetCount() const
    {
        return m_count;
    }

  private:
    /**
     * @param key of a flow
     * @returns where a search for it begins
     */
    std::size_t Home(uint64_t key) const
    {
        // Fibonacci hashing: the high bits of a product with 2^64 / golden ratio
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> m_shift);
    }

    /**
     * @param key of a flow
     * @returns its place, or the unused one that it would get
     */
    std::size_t Seek(uint64_t key) const
    {
        const std::size_t mask = m_places.size() - 1;
        std::size_t i = Home(key);
        while (m_places[i].bytes > 0 && m_places[i].key != key)
        {
            i = (i + 1) & mask;
        }
        return i;
    }

    /// Moves up what an unused place would hide from searches. @param hole the place
    void Close(std::size_t hole)
    {
        const std::size_t mask = m_places.size() - 1;
        for (std::size_t i = (hole + 1) & mask; m_places[i].bytes > 0; i = (i + 1) & mask)
        {
            // Whether its search begins at the hole or before it
            if (((i - Home(m_places[i].key)) & mask) >= ((i - hole) & mask))
            {
                m_places[hole] = m_places[i];
                m_places[i].bytes = 0;
                hole = i;
            }
        }
    }

    /// Doubles the places.
    void Grow()
    {
        constexpr unsigned FIRST_BITS = 3;
        const unsigned bits = m_places.empty() ? FIRST_BITS : 64 - m_shift + 1;
        std::vector<Flow> old(std::size_t(1) << bits);
        std::swap(old, m_places);
        m_shift = 64 - bits;
        for (const Flow& flow : old)
        {
            if (flow.bytes > 0)
            {
                m_places[Seek(flow.key)] = flow;
            }
        }
    }

    std::vector<Flow> m_places; //!< 2^n of them, at most half used
    unsigned m_shift{64};       //!< 64 - n
    uint32_t m_count{0};        //!< used places
    uint64_t m_bytes{0};        //!< of all flows [B]
};

} // namespace ns3

#endif // QUEUE_FLOW_TABLE_H

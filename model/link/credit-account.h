// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CREDIT_ACCOUNT_H
#define LOSSLESS_CREDIT_ACCOUNT_H

#include <cstdint>

namespace ns3
{

/// Unit in which credits are counted [B]. @ingroup lossless
constexpr uint32_t CREDIT_BLOCK_BYTES = 64;

/**
 * @ingroup lossless
 * @param bytes of a packet, from local route header to VCRC [B]
 * @returns blocks that it takes
 */
constexpr uint32_t
CreditBlocks(uint32_t bytes)
{
    return (bytes + CREDIT_BLOCK_BYTES - 1) / CREDIT_BLOCK_BYTES;
}

/**
 * The counters of InfiniBand's credit-based flow control, which count blocks modulo 2^width
 * (InfiniBand Architecture, volume 1, section 7.9).
 *
 * The sender has FCTBS, the blocks it has sent on a virtual lane since the link came up; the
 * receiver tells FCCL, the number to which it may send. Credits are their difference, at most half
 * the range: what would be more stands for a negative number. So at most 2^(width - 1) blocks are
 * outstanding, 128 KiB with the specification's 12 bits; the default of 16 bits is for papers with
 * larger buffers.
 * @ingroup lossless
 */
class CreditCounter
{
  public:
    static constexpr uint32_t SPECIFICATION_BITS = 12; //!< of the wire format
    static constexpr uint32_t DEFAULT_BITS = 16;       //!< enough for buffers of 2 MiB
    static constexpr uint32_t MAXIMUM_BITS = 31;       //!< widest

    /// @param bits width, 8 to 31; another one ends the program
    explicit CreditCounter(uint32_t bits = DEFAULT_BITS);

    /// @returns the most that may be outstanding [blocks]
    uint32_t GetHalf() const
    {
        return m_half;
    }

    /**
     * @param blocks counted without end
     * @returns the same on a counter of this width
     */
    uint32_t Wrap(uint64_t blocks) const
    {
        return static_cast<uint32_t>(blocks) & m_mask;
    }

    /**
     * @param limit FCCL as told last
     * @param sent FCTBS; both on counters of this width
     * @returns blocks that may be sent, 0 if the limit is behind
     */
    uint32_t GetCredits(uint32_t limit, uint32_t sent) const
    {
        const uint32_t difference = (limit - sent) & m_mask;
        return difference <= m_half ? difference : 0;
    }

    /**
     * The specification's test.
     * @param limit FCCL as told last
     * @param sent FCTBS; both on counters of this width
     * @param blocks of a packet, at most GetHalf()
     * @returns whether it may be sent
     */
    bool MaySend(uint32_t limit, uint32_t sent, uint32_t blocks) const
    {
        return ((limit - sent - blocks) & m_mask) <= m_half;
    }

    /**
     * A limit as told, counted without end.
     * @param limit FCCL, on a counter of this width
     * @param sent blocks sent, counted without end
     * @returns blocks that may have been sent in all, at least `sent`
     */
    uint64_t Unwrap(uint32_t limit, uint64_t sent) const
    {
        return sent + GetCredits(limit, Wrap(sent));
    }

  private:
    uint32_t m_mask; //!< the width's bits
    uint32_t m_half; //!< half the range
};

/**
 * The receiving end of one virtual lane: what it holds, what it has received, what it allows.
 *
 * ABR, the adjusted block register, counts blocks received, and takes over the other end's FCTBS
 * from each flow-control packet. Blocks of packets that were lost on the link are made good
 * thereby, and a lost flow-control packet by the next one. FCCL is ABR plus what is free, at most
 * half the counters' range.
 * @ingroup lossless
 */
class CreditReceiver
{
  public:
    /// A lane without buffer. It may only be assigned to.
    CreditReceiver() = default;

    /**
     * @param counter width of the counters
     * @param capacity blocks that the lane's buffer has
     */
    CreditReceiver(CreditCounter counter, uint32_t capacity);

    /**
     * A packet has come, and is in the buffer. More than is free ends the program: the sender did
     * not keep to FCCL.
     * @param blocks of it
     */
    void Receive(uint32_t blocks);

    /**
     * A packet has left the buffer.
     * @param blocks of it; more than it holds end the program
     */
    void Free(uint32_t blocks);

    /// A flow-control packet has come. @param totalBlocksSent its FCTBS
    void Adjust(uint32_t totalBlocksSent);

    /// @returns FCCL now
    uint32_t GetLimit() const;

    /// @returns blocks in the buffer
    uint32_t GetOccupied() const
    {
        return m_occupied;
    }

    /// @returns blocks of the buffer
    uint32_t GetCapacity() const
    {
        return m_capacity;
    }

  private:
    CreditCounter m_counter; //!< width
    uint32_t m_capacity{0};  //!< blocks of the buffer
    uint32_t m_occupied{0};  //!< blocks in it
    uint32_t m_received{0};  //!< ABR
};

} // namespace ns3

#endif // LOSSLESS_CREDIT_ACCOUNT_H

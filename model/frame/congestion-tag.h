// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CONGESTION_TAG_H
#define LOSSLESS_CONGESTION_TAG_H

#include <array>
#include <cstdint>
#include <variant>

namespace ns3
{

/**
 * Name of a congestion point (CPID), unique in the network: a queue's. Only the point that made it
 * knows what its bytes mean.
 * @ingroup lossless
 */
struct CongestionPointId
{
    std::array<uint8_t, 8> bytes{}; //!< in network order; zeros are nobody's

    /**
     * @param other a name
     * @returns whether it is the same
     */
    bool operator==(const CongestionPointId& other) const
    {
        return bytes == other.bytes;
    }
};

/**
 * Congestion management tag of ECM (Bergamasco 2007, section 3.1): which congestion point the rate
 * limiter of a frame listens to, and when the frame left it.
 * @ingroup lossless
 */
struct CmTag
{
    CongestionPointId point; //!< that the limiter is associated with
    uint16_t timestamp{0};   //!< of the sender's timer, in units of 2^unit us
    uint8_t unit{0};         //!< exponent
};

/**
 * Congestion notification tag of QCN (IEEE 802.1Qau): which limiter of its sender a frame passed.
 * @ingroup lossless
 */
struct CnTag
{
    uint16_t flowId{0}; //!< the sender's own number
};

/**
 * The tag of a frame under congestion management on layer 2. Comes from a pool, so that frames
 * without one carry only a null pointer.
 * @ingroup lossless
 */
struct CongestionTag
{
    CongestionTag* next{nullptr};   //!< link of the pool
    std::variant<CmTag, CnTag> tag; //!< which

    /// Gives a tag back to the pool.
    struct Recycler
    {
        void operator()(CongestionTag* tag) const;
    };
};

} // namespace ns3

#endif // LOSSLESS_CONGESTION_TAG_H

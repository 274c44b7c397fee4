// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_NOTIFICATION_H
#define LOSSLESS_NOTIFICATION_H

#include "ns3/code-point.h"
#include "ns3/congestion-tag.h"

#include <cstdint>
#include <variant>

namespace ns3
{

/**
 * What a congestion notification packet (CNP) tells the sender of a flow. Beyond the code, which
 * DCQCN's needs no more than, the fields are in the reserved bytes of a RoCEv2 CNP
 * (CongestionNotificationHeader); a standard receiver ignores them.
 * @ingroup lossless
 */
struct Cnp
{
    uint32_t windowBytes{0};                //!< Mercury's window, 0 for none [B]
    uint32_t fairRate{0};                   //!< RoCC's fair rate, PCN's receive rate [10 Mb/s]
    uint32_t point{0};                      //!< number of the congestion point that sent it
    CodePoint code{CodePoint::NOT_CAPABLE}; //!< UE or CE; 01 says no congestion (PCN)
};

/**
 * What a congestion point of ECM tells the reaction point of a sampled frame (Bergamasco 2007,
 * section 3.1). ECM(0,0) is the stop message. Travels as EcmHeader, followed by the first bytes of
 * the sampled frame (Frame::quoted).
 * @ingroup lossless
 */
struct EcmMessage
{
    CongestionPointId point; //!< CPID
    int16_t offset{0};       //!< Qoff: queue above its equilibrium [64 B]
    int16_t delta{0};        //!< Qdelta: queue above that at the last sample [64 B]
    uint16_t timestamp{0};   //!< of the sampled frame's CM-Tag, 0 without one
    uint8_t unit{0};         //!< of the same
    bool timestamped{false}; //!< the sampled frame had a CM-Tag; the quoted bytes show it
    bool saturated{false};   //!< Q bit: Qdelta is cut off
    uint8_t quotedBytes{40}; //!< N, bytes of the sampled frame that follow
    uint8_t priority{7};     //!< 802.1p of the message's frame
};

/**
 * What a congestion point of QCN tells the reaction point of a sampled frame (IEEE 802.1Qau).
 * Travels as CnmHeader, followed by the first bytes of the sampled frame's content, from its
 * EtherType on (Frame::quoted).
 * @ingroup lossless
 */
struct QcnMessage
{
    CongestionPointId point; //!< CPID
    int16_t offset{0};       //!< queue above its set point, for information [64 B]
    int16_t delta{0};        //!< queue above that at the last sample, for information [64 B]
    uint8_t feedback{0};     //!< quantised feedback, 1 to 63
    uint8_t quotedBytes{0};  //!< bytes of the sampled frame's content that follow, 0 to 64
    uint8_t priority{6};     //!< 802.1p of the message's frame
};

/**
 * A message to the source of a frame from a detector on its way or from its receiver: one
 * alternative for each kind of message. Who makes it says what, the link technology knows how it
 * travels, and a RateController or reaction point takes the kinds that it understands.
 * @ingroup lossless
 */
using Notification = std::variant<Cnp, EcmMessage, QcnMessage>;

} // namespace ns3

#endif // LOSSLESS_NOTIFICATION_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_NOTIFICATION_H
#define LOSSLESS_NOTIFICATION_H

#include "ns3/code-point.h"

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
 * A message to the source of a frame from a detector on its way or from its receiver: one
 * alternative for each kind of message. Who makes it says what, the link technology knows how it
 * travels, and a RateController or reaction point takes the kinds that it understands.
 * @ingroup lossless
 */
using Notification = std::variant<Cnp>;

} // namespace ns3

#endif // LOSSLESS_NOTIFICATION_H

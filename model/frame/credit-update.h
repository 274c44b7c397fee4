// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CREDIT_UPDATE_H
#define LOSSLESS_CREDIT_UPDATE_H

#include <cstdint>

namespace ns3
{

/**
 * What the two ends of a link tell each other of one virtual lane, in a link flow-control packet
 * (InfiniBand Architecture, volume 1, section 7.9.4). Counts are in blocks of 64 bytes, modulo the
 * range of the counters: see CreditSender and CreditReceiver.
 * @ingroup lossless
 */
struct CreditUpdate
{
    uint32_t totalBlocksSent{0}; //!< FCTBS of who sends the packet: blocks it has sent
    uint32_t creditLimit{0};     //!< FCCL of who sends the packet: blocks it allows the other end
    uint8_t lane{0};             //!< virtual lane, 0..14
    bool initialise{false};      //!< while the link comes up; counts nothing as sent or received
};

} // namespace ns3

#endif // LOSSLESS_CREDIT_UPDATE_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CODE_POINT_H
#define LOSSLESS_CODE_POINT_H

#include <cstdint>

namespace ns3
{

/**
 * The two ECN bits of the IPv4 header as TCD's Table 1 reads them (Zhang et al., SIGCOMM 2021).
 *
 * Marks combine by numeric maximum, never by OR: 01 | 10 would be 11.
 * @ingroup lossless
 */
enum class CodePoint : uint8_t
{
    NOT_CAPABLE = 0,  //!< 00: never marked
    CAPABLE = 1,      //!< 01: what capable senders emit (ECT(1))
    UNDETERMINED = 2, //!< 10: UE, undetermined congestion encountered
    CONGESTION = 3,   //!< 11: CE, congestion encountered
};

} // namespace ns3

#endif // LOSSLESS_CODE_POINT_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_DCQCN_TEST_H
#define LOSSLESS_DCQCN_TEST_H

#include "ns3/dcqcn.h"

#include <cstdint>
#include <string>

/**
 * @file
 * What the unit tests of Dcqcn share.
 */

namespace ns3
{
namespace losslesstest
{

/// An attribute of Dcqcn.
struct Setting
{
    std::string attribute; //!< its name
    std::string value;     //!< as text
};

/// @returns what a CNP for CE says
inline Cnp
Ce()
{
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    return cnp;
}

/// @returns what a CNP for UE says
inline Cnp
Ue()
{
    Cnp cnp;
    cnp.code = CodePoint::UNDETERMINED;
    return cnp;
}

/**
 * @param us in the unit of these tests [us]
 * @returns the time
 */
inline Time
Us(int64_t us)
{
    return MicroSeconds(us);
}

/**
 * What RdmaHw does before each input.
 *
 * @param dcqcn whose deadlines pass
 * @param until when
 * @returns how many passed
 */
inline int
RunTimers(Ptr<Dcqcn> dcqcn, Time until)
{
    int n = 0;
    for (; dcqcn->NextTimer() <= until; ++n)
    {
        dcqcn->OnTimer(dcqcn->NextTimer());
    }
    return n;
}

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_DCQCN_TEST_H

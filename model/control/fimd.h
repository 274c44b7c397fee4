// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FIMD_H
#define LOSSLESS_FIMD_H

#include "ns3/source-response.h"

namespace ns3
{

/**
 * Fast increase, multiplicative decrease (FIMD), a source response (see there): US patent
 * 7,920,476.
 *
 *     f_dec(r) = max(r / m, Rmin)
 *     f_inc(r) = min(r m^(Rmin / r), Rmax)
 *
 * The time from f_dec(r) back to r is one packet time at Rmin, whatever r is.
 * @ingroup lossless
 */
class Fimd : public MultiplicativeDecrease
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;

  protected:
    double Increase(double rateBps) const override;
};

} // namespace ns3

#endif // LOSSLESS_FIMD_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_AIMD_H
#define LOSSLESS_AIMD_H

#include "ns3/source-response.h"

namespace ns3
{

/**
 * Additive increase, multiplicative decrease (AIMD), a source response (see there), which the
 * others are compared with.
 *
 *     f_dec(r) = max(r / m, Rmin)
 *     f_inc(r) = min(r + (m - 1) Rmin, Rmax)
 *
 * The step is derived here: the largest with which f_inc(f_dec(r)) <= r for all r from m Rmin on.
 * @ingroup lossless
 */
class Aimd : public MultiplicativeDecrease
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;

  protected:
    double Increase(double rateBps) const override;
};

} // namespace ns3

#endif // LOSSLESS_AIMD_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_LIPD_H
#define LOSSLESS_LIPD_H

#include "ns3/source-response.h"

namespace ns3
{

/**
 * Linear inter-packet delay (LIPD), a source response (see there): a mark lengthens the
 * inter-packet delay by one packet time, so that with x = Rmax / r a mark makes x one more.
 *
 *     f_dec(r) = max(r / (1 + r / Rmax), Rmin)
 *     f_inc(r) = min(r / (1 - Rmin / Rmax), Rmax)
 *
 * f_dec is the authors' by name and by HPL-2001-277's description; f_inc is derived here from their
 * conditions, as the report's text was not at hand: with it the time from f_dec(r) back to r is one
 * packet time at Rmin, whatever r is.
 * @ingroup lossless
 */
class Lipd : public SourceResponse
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;

  protected:
    double Decrease(double rateBps) const override;
    double Increase(double rateBps) const override;
};

} // namespace ns3

#endif // LOSSLESS_LIPD_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef CONSTANT_RATE_H
#define CONSTANT_RATE_H

#include "ns3/data-rate.h"
#include "ns3/rate-controller.h"

namespace ns3
{

/**
 * Sends at a rate that nothing changes: background traffic as in TCD (Zhang et al., SIGCOMM 2021,
 * section 3.1), "send at a constant rate". The rate counts preamble and gap, as for all
 * controllers, and is line rate where that is lower.
 * @ingroup lossless
 */
class ConstantRate : public RateController
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;

  protected:
    /// A rate of zero ends the program.
    void DoStart(Time now) override;

  private:
    DataRate m_rate; //!< as set
};

} // namespace ns3

#endif // CONSTANT_RATE_H

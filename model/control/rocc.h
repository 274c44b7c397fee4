// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ROCC_H
#define ROCC_H

#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * RoCC's reaction point: Taheri et al., "RoCC: Robust Congestion Control for RDMA", CoNEXT
 * 2020.
 *
 * A flow starts at line rate without a limiter. A CNP tells the fair rate F of a congestion point
 * (see RoccDetector), which becomes the flow's rate if it is not above the present one, or if the
 * point is the one whose rate the flow has. So the flow follows the tightest of its points, and up
 * again only that one. When none of its CNPs was accepted for RecoveryTimer, and again after each
 * further one, the rate doubles; at line rate the limiter is gone, and with it the point.
 *
 * A CNP without a rate, and one that does not say CE, are of another scheme and change nothing.
 * @ingroup lossless
 */
class Rocc : public RateController
{
  public:
    /**
     * Signature of the trace source Rate.
     * @param now present time
     * @param rateBps rate [bit/s]
     * @param point whose rate it is, 0 at line rate
     */
    typedef void (*RateTracedCallback)(Time now, double rateBps, uint32_t point);

    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;
    void OnCnp(const Cnp& cnp, Time now) override;
    Time NextTimer() const override;
    void OnTimer(Time now) override;

  protected:
    /// A RecoveryTimer of zero or less throws InputError.
    void DoStart(Time now) override;

  private:
    /**
     * Takes a rate.
     * @param rateBps up to line rate, at which the flow is free
     * @param now present time
     */
    void Take(double rateBps, Time now);

    Time m_recoveryTimer;         //!< time without CNP until the rate doubles
    Time m_recovery{Time::Max()}; //!< when it does; Max for never, at line rate
    uint32_t m_point{0};          //!< whose rate the flow has, while it is below line rate

    TracedCallback<Time, double, uint32_t> m_rateTrace; //!< (time, rate, point)
};

} // namespace ns3

#endif // ROCC_H

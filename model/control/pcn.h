// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PCN_H
#define PCN_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

namespace ns3
{

/**
 * PCN's reaction point: Cheng et al., "Re-architecting Congestion Management in Lossless Ethernet",
 * NSDI 2020, section 4.
 *
 * The receiver sends a CNP in each period (RdmaHw's CnpRule ReceiveRate) that tells the rate at
 * which the flow arrives, and CE if the flow is congested, 01 if it is not. A flow starts at line
 * rate, with w = WMin. Each CNP moves the rate R and the weight w:
 *   - CE: R = min(R, receive rate (1 - WMin)) if R is above the receive rate; w = WMin;
 *   - 01: R = R (1 - w) + line rate w; then w = w (1 - w) + WMax w.
 *
 * There is no timer: without CNPs, which come while frames arrive, the rate stays. A CNP that tells
 * no rate, and one that says UE, are of another notification point and change nothing. MinRate is
 * not in the paper; by default it is the unit of the rate in a CNP.
 * @ingroup lossless
 */
class Pcn : public RateController
{
  public:
    /**
     * Signature of the trace source Rate.
     * @param now present time
     * @param rateBps rate [bit/s]
     * @param receiveBps what the CNP told [bit/s]
     * @param weight w after it
     */
    typedef void (*RateTracedCallback)(Time now, double rateBps, double receiveBps, double weight);

    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;
    void OnCnp(const Cnp& cnp, Time now) override;

    /// @returns w
    double GetWeight() const;

  protected:
    /// Weights outside 0 < WMin <= WMax <= 1, or a rate of zero, end the program.
    void DoStart(Time now) override;

  private:
    // Attributes
    double m_minWeight; //!< w_min
    double m_maxWeight; //!< w_max
    DataRate m_minRate; //!< lowest rate

    double m_lowestBps{0}; //!< MinRate, or line rate where that is lower [bit/s]
    double m_weight{0};    //!< w

    TracedCallback<Time, double, double, double> m_rateTrace; //!< (time, rate, receive rate, w)
};

} // namespace ns3

#endif // PCN_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_SOURCE_RESPONSE_H
#define LOSSLESS_SOURCE_RESPONSE_H

#include "ns3/nstime.h"
#include "ns3/rate-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * What the source responses that were proposed for InfiniBand in 2001 have in common: Turner,
 * Santos and Janakiraman, "An approach for congestion control in InfiniBand", HPL-2001-277; Santos,
 * Turner and Janakiraman, "Evaluation of Congestion Detection Mechanisms for InfiniBand Switches",
 * GLOBECOM 2002.
 *
 * The window is one packet: the next leaves when the last was acknowledged, and not before the rate
 * allows it. Each acknowledgement changes the rate once: a marked one (CE) by f_dec, an unmarked
 * one by f_inc. Rates are between Rmin and Rmax, the line rate, with which a flow starts.
 * InfiniBand's static rate control gives them, an inter-packet delay (IPD) of up to 255 packet
 * times: Rmin is Rmax / (1 + 255) by default. The papers give no value.
 *
 * Conditions on a pair of functions: f_inc(f_dec(r)) <= r; and the time from f_dec(r) back to r
 * must not be longer for smaller r. It is equal for all r where the limit is used up, as LIPD and
 * FIMD do.
 *
 * UE (TCD, Zhang et al., SIGCOMM 2021) did not exist: an acknowledgement with it leaves the rate as
 * it is, as section 4.3 there has it ("keeping the flow rate").
 * @ingroup lossless
 */
class SourceResponse : public RateController
{
  public:
    /**
     * Signature of the trace source Rate.
     * @param now present time
     * @param rateBps rate [bit/s]
     */
    typedef void (*RateTracedCallback)(Time now, double rateBps);

    /// @returns the TypeId
    static TypeId GetTypeId();

    void OnAck(const Acknowledgement& ack, Time now) override;

    /// @returns Rmin [bit/s]
    double GetMinRateBps() const;

  protected:
    /// Attributes without meaning throw InputError.
    void DoStart(Time now) override;

    /**
     * f_dec, before it is held to Rmin.
     * @param rateBps r [bit/s]
     * @returns the rate after a mark [bit/s]
     */
    virtual double Decrease(double rateBps) const = 0;

    /**
     * f_inc, before it is held to Rmax.
     * @param rateBps r [bit/s]
     * @returns the rate after an acknowledgement without mark [bit/s]
     */
    virtual double Increase(double rateBps) const = 0;

    /// @returns Rmax [bit/s]
    double GetMaxRateBps() const;

  private:
    uint32_t m_minRateDivisor; //!< Rmax / Rmin

    TracedCallback<Time, double> m_rateTrace; //!< (time, rate)
};

/**
 * Source response that divides the rate by Factor, m.
 * @ingroup lossless
 */
class MultiplicativeDecrease : public SourceResponse
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns m
    double GetFactor() const;

  protected:
    void DoStart(Time now) override;
    double Decrease(double rateBps) const override;

  private:
    double m_factor; //!< m
};

} // namespace ns3

#endif // LOSSLESS_SOURCE_RESPONSE_H

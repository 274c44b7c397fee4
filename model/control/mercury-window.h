// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef MERCURY_WINDOW_H
#define MERCURY_WINDOW_H

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/rate-controller.h"

#include <cstdint>

namespace ns3
{

/**
 * Mercury at the sender: a window beside a controller of any kind, which keeps the rate.
 *
 * Source: He et al., "Accurate and fast congestion feedback in MEC-enabled RDMA datacenters", 2024,
 * algorithm 2, lines 14 to 20. All inputs reach the controller (attribute Controller), and its rate
 * is the rate.
 *   - At first cwnd = C baseRTT, with C the NIC's rate and baseRTT that of the path (of every flow
 *     with the attribute BaseRtt). Where it is unknown there is no window.
 *   - A CNP with a window: cwnd = min(cwnd, window), and the controller reacts to the CNP.
 *   - An increase of the controller's rate, the first when no CNP has come for RestoreInterval:
 *     cwnd = C baseRTT.
 *
 * An increase is an input that raises the rate or that finds it at line rate, and a timer of the
 * controller that does not lower it: DCQCN's at its lowest rate changes nothing at first. A CNP
 * that says 01 reports no congestion and does not count as one.
 *
 * Bytes in flight are held to the smaller of cwnd and the controller's own window. The switch
 * computes the window from bytes on the wire, while user bytes are held to it, by as much as
 * headers and preamble more than it meant.
 * @ingroup lossless
 */
class MercuryWindow : public RateController
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @param factory of the controller; one that makes none throws InputError
    void SetFactory(ObjectFactory factory);

    /// @returns factory of the controller
    ObjectFactory GetFactory() const;

    /// @returns the controller that keeps the rate
    Ptr<const RateController> GetController() const;

    Ptr<RateController> Fork() const override;
    void OnAck(const Acknowledgement& ack, Time now) override;
    void OnCnp(const Cnp& cnp, Time now) override;
    void OnSend(Frame& frame, uint32_t wireBytes, Time now) override;
    Time NextTimer() const override;
    void OnTimer(Time now) override;

  protected:
    void DoStart(Time now) override;

  private:
    /**
     * The controller has seen an input.
     * @param timer it was its timer
     * @param now present time
     */
    void TakeOver(bool timer, Time now);

    ObjectFactory m_factory;          //!< "Controller"
    Time m_restoreInterval;           //!< "RestoreInterval"
    Time m_baseRttSetting;            //!< "BaseRtt"
    Ptr<RateController> m_controller; //!< keeps the rate

    uint64_t m_wholeWindow{NO_WINDOW}; //!< C baseRTT [B]
    uint64_t m_cwnd{NO_WINDOW};        //!< cwnd [B]
    Time m_lastCnp;                    //!< when the last CNP came
};

} // namespace ns3

#endif // MERCURY_WINDOW_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PACC_DETECTOR_H
#define PACC_DETECTOR_H

#include "ns3/active-flow-table.h"
#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/pi-controller.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * PACC: the switch notifies the sources of the flows that congest it, as its PI controller says.
 *
 * Source: Zhong et al., "PACC: Proactive and Accurate Congestion Feedback for RDMA Congestion
 * Control", INFOCOM 2022. What is public of it: a PI controller on the queue, flows told apart by a
 * threshold, notifications in proportion to each congested flow's packets, every 80 us, and
 * DCQCN's reaction point. Gains, threshold and the number of notifications are not public; what
 * follows is our reading and all values but the period are ours, so results are those of "PACC with
 * own parameters".
 *
 * At the end of each Period, with q the bytes that wait:
 *
 *     p = p + Alpha (q - qref) / qref + Beta (q - q before) / qref,  0 <= p <= 1
 *
 * qref is QueueReference in proportion to the port's rate, lifted to at most XoffShare of the
 * switch's static Xoff. With N the flows of which frames came in the period, and w the share of one
 * among these frames, a flow is congested where w >= Theta / N, and its source gets
 *
 *     p (Period / CnpInterval) w N
 *
 * CNPs, to the nearest number: at p = 1 a flow of the average share gets one for each CnpInterval,
 * as DCQCN's receiver would send at most. They are standard ones (CE) and leave together, in the
 * order in which the flows' first frames of the period came. Frames are not marked.
 * @ingroup lossless
 */
class PaccDetector : public CongestionDetector
{
  public:
    /// Signature of "Probability": (time, p, bytes that wait).
    typedef void (*ProbabilityTracedCallback)(Time now, double probability, uint64_t bytes);

    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns p
    double GetProbability() const;

    void OnEnqueue(const Frame& frame, const QueueState& queue, Time now) override;
    Time GetTickInterval() const override;
    void OnTick(const QueueState& queue, Time now) override;

  protected:
    /// Scales the reference. Impossible attributes throw InputError.
    void DoAttach() override;

  private:
    /// Sends the CNPs of a period. @param probability p
    void NotifyFlows(double probability);

    // Attributes
    Time m_period;            //!< of the controller
    Time m_cnpInterval;       //!< of CNPs to an average flow at p = 1
    uint64_t m_reference;     //!< as set [B]
    DataRate m_referenceRate; //!< line rate for which QueueReference is meant, 0 for every rate
    double m_xoffShare;       //!< bound of the scaled QueueReference
    double m_alpha;           //!< gain of q - qref, by qref
    double m_beta;            //!< gain of the change of q, by qref
    double m_theta;           //!< least share of a congested flow, by the average share

    double m_referenceBytes{0}; //!< qref of this port [B]
    PiController m_controller;  //!< input q / qref, output p
    ActiveFlowTable m_flows;    //!< of the period
    uint64_t m_frames{0};       //!< that came in the period, of all flows
    TracedCallback<Time, double, uint64_t> m_probabilityTrace; //!< (time, p, q)
};

} // namespace ns3

#endif // PACC_DETECTOR_H

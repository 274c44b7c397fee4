// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "pacc-detector.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PaccDetector");

NS_OBJECT_ENSURE_REGISTERED(PaccDetector);

TypeId
PaccDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PaccDetector")
            .SetParent<CongestionDetector>()
            .SetGroupName("Lossless")
            .AddConstructor<PaccDetector>()
            .AddAttribute("Period",
                          "Time between two steps of the controller",
                          TimeValue(MicroSeconds(80)),
                          MakeTimeAccessor(&PaccDetector::m_period),
                          MakeTimeChecker())
            .AddAttribute("CnpInterval",
                          "Time between two CNPs to a flow of the average share at p = 1 (ours: "
                          "that of DCQCN's receiver)",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&PaccDetector::m_cnpInterval),
                          MakeTimeChecker())
            .AddAttribute("QueueReference",
                          "qref, the queue that the controller aims at (ours: between DCQCN's Kmin "
                          "and Kmax) [B]",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&PaccDetector::m_reference),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("ReferenceRate",
                          "Line rate for which QueueReference is given; a port of another rate "
                          "takes it in proportion. 0: the same at every rate",
                          DataRateValue(DataRate(40000000000)),
                          MakeDataRateAccessor(&PaccDetector::m_referenceRate),
                          MakeDataRateChecker())
            .AddAttribute("XoffShare",
                          "Share of the switch's static Xoff above which ReferenceRate does not "
                          "lift QueueReference (ours, as Mercury's); 0: no bound",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PaccDetector::m_xoffShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Alpha",
                          "Gain of (q - qref) / qref (ours)",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&PaccDetector::m_alpha),
                          MakeDoubleChecker<double>())
            .AddAttribute("Beta",
                          "Gain of the change of q / qref (ours)",
                          DoubleValue(1.25),
                          MakeDoubleAccessor(&PaccDetector::m_beta),
                          MakeDoubleChecker<double>())
            .AddAttribute("Theta",
                          "Least share of a congested flow, as a multiple of the average one "
                          "(ours: flows of equal rates differ by a frame or two)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PaccDetector::m_theta),
                          MakeDoubleChecker<double>())
            .AddTraceSource("Probability",
                            "A period ended: (time, p, bytes that wait)",
                            MakeTraceSourceAccessor(&PaccDetector::m_probabilityTrace),
                            "ns3::PaccDetector::ProbabilityTracedCallback");
    return tid;
}

double
PaccDetector::GetProbability() const
{
    return m_controller.GetOutput();
}

Time
PaccDetector::GetTickInterval() const
{
    return m_period;
}

void
PaccDetector::DoAttach()
{
    const DetectorContext& port = Context();
    for (const auto& [name, time] :
         {std::make_pair("Period", m_period), std::make_pair("CnpInterval", m_cnpInterval)})
    {
        if (!time.IsStrictlyPositive())
        {
            throw InputError(std::string("ns3::PaccDetector::") + name,
                             std::to_string(time.GetNanoSeconds()) + " ns",
                             "more than zero");
        }
    }
    for (const auto& [name, value] : {std::make_pair("Alpha", m_alpha),
                                      std::make_pair("Beta", m_beta),
                                      std::make_pair("Theta", m_theta)})
    {
        if (value < 0)
        {
            throw InputError(std::string("ns3::PaccDetector::") + name,
                             InputError::Text(value),
                             "at least 0");
        }
    }
    if (m_reference == 0)
    {
        throw InputError("ns3::PaccDetector::QueueReference", "0 B", "more than zero");
    }
    m_referenceBytes =
        static_cast<double>(ScaledThreshold(m_reference, m_referenceRate, m_xoffShare));
    m_controller = PiController(0, 1);
    m_flows.Clear();
    m_frames = 0;
    NS_LOG_LOGIC("node " << port.node << " port " << port.port << " qref " << m_referenceBytes
                         << " B");
}

void
PaccDetector::OnEnqueue(const Frame& frame, const QueueState&, Time)
{
    if (frame.kind == FrameKind::DATA)
    {
        m_frames++;
        m_flows.Count(frame, m_frames);
    }
}

void
PaccDetector::OnTick(const QueueState& queue, Time now)
{
    const double probability =
        m_controller.Step(queue.bytes / m_referenceBytes, 1, m_alpha, m_beta);
    NS_LOG_LOGIC(now << " node " << Context().node << " port " << Context().port << " q "
                     << queue.bytes << " p " << probability);
    m_probabilityTrace(now, probability, queue.bytes);
    NotifyFlows(probability);
    m_flows.Clear();
    m_frames = 0;
}

void
PaccDetector::NotifyFlows(double probability)
{
    const double flows = static_cast<double>(m_flows.GetFlows().size());
    const double perShare =
        probability * m_period.GetNanoSeconds() / m_cnpInterval.GetNanoSeconds() * flows;
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    for (const ActiveFlowTable::Flow& flow : m_flows.GetFlows())
    {
        const double share = static_cast<double>(flow.frames) / m_frames;
        const int64_t count = share * flows >= m_theta ? std::llround(perShare * share) : 0;
        if (count > 0)
        {
            const Frame sample = ActiveFlowTable::MakeSample(flow);
            for (int64_t i = 0; i < count; i++)
            {
                NotifySource(sample, cnp);
            }
        }
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "port-sampler.h"

#include "ns3/congestion-detector.h"
#include "ns3/fct-recorder.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

const char*
StateWord(Ptr<const CongestionDetector> detector)
{
    if (!detector)
    {
        return "";
    }
    switch (detector->GetState())
    {
    case CongestionDetector::CONGESTION:
        return "congestion";
    case CongestionDetector::UNDETERMINED:
        return "undetermined";
    default:
        return "non-congestion";
    }
}

} // namespace

PortSampler::PortSampler(std::ostream& out, Time interval, PrioritySet priorities)
    : m_out(out),
      m_interval(interval),
      m_priorities(priorities)
{
    m_out << "time_s,node,port,priority,queue_bytes,tx_bytes,state,paused\n";
}

void
PortSampler::AddPort(Ptr<QbbNetDevice> device, const std::string& node, uint32_t port)
{
    m_ports.push_back({device, node + ',' + std::to_string(port)});
}

void
PortSampler::Start()
{
    Simulator::Schedule(m_interval, &PortSampler::Sample, this);
}

void
PortSampler::Sample()
{
    const std::string time = SecondsText(Simulator::Now().GetNanoSeconds());
    for (const Port& port : m_ports)
    {
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            if (m_priorities >> p & 1)
            {
                m_out << time << ',' << port.label << ',' << +p << ','
                      << port.device->GetQueueState(p).bytes << ',' << port.device->GetSentBytes()
                      << ',' << StateWord(port.device->GetDetector(p)) << ','
                      << (port.device->GetOff() >> p & 1) << '\n';
            }
        }
    }
    Simulator::Schedule(m_interval, &PortSampler::Sample, this);
}

} // namespace ns3

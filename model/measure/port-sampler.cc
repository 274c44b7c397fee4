// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "port-sampler.h"

#include "ns3/congestion-detector.h"
#include "ns3/fct-recorder.h"
#include "ns3/simulator.h"

namespace ns3
{

PortSampler::PortSampler(std::ostream& out, Time interval, LaneSet lanes)
    : m_out(out),
      m_interval(interval),
      m_lanes(lanes)
{
    m_out << "time_s,node,port,priority,queue_bytes,tx_bytes,state,paused,"
             "marked_ce,marked_ue\n";
}

void
PortSampler::AddPort(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port)
{
    Port entry;
    entry.device = device;
    entry.label = node + ',' + std::to_string(port);
    m_ports.push_back(entry);
    device->TraceConnectWithoutContext(
        "Mark",
        MakeBoundCallback(&PortSampler::Marked, this, m_ports.size() - 1));
}

void
PortSampler::Marked(PortSampler* sampler, std::size_t port, const Frame& frame)
{
    Port& entry = sampler->m_ports[port];
    const bool ce = frame.codePoint == CodePoint::CONGESTION;
    (ce ? entry.markedCe : entry.markedUe)[frame.priority]++;
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
        for (uint8_t lane = 0; lane < LANES; lane++)
        {
            if (m_lanes >> lane & 1)
            {
                Ptr<const CongestionDetector> detector = port.device->GetDetector(lane);
                m_out << time << ',' << port.label << ',' << +lane << ','
                      << port.device->GetQueueState(lane).bytes << ','
                      << port.device->GetSentBytes() << ','
                      << (detector ? detector->GetStateName(detector->GetState()) : "") << ','
                      << (port.device->GetOff() >> lane & 1) << ',' << port.markedCe[lane] << ','
                      << port.markedUe[lane] << '\n';
            }
        }
    }
    Simulator::Schedule(m_interval, &PortSampler::Sample, this);
}

} // namespace ns3

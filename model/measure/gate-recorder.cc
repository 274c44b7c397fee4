// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "gate-recorder.h"

#include "ns3/fct-recorder.h"
#include "ns3/simulator.h"

namespace ns3
{

GateRecorder::GateRecorder(std::ostream& out)
    : m_out(out)
{
    m_out << "time_s,node,port,priority,pause\n";
}

void
GateRecorder::Connect(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port)
{
    Port entry;
    entry.label = node + ',' + std::to_string(port);
    m_ports.push_back(entry);
    device->TraceConnectWithoutContext(
        "Gate",
        MakeBoundCallback(&GateRecorder::Changed, this, m_ports.size() - 1));
}

void
GateRecorder::Changed(GateRecorder* recorder, std::size_t port, uint8_t lane, bool off)
{
    Port& entry = recorder->m_ports[port];
    const Time now = Simulator::Now();
    if (off)
    {
        entry.off |= 1 << lane;
        entry.offSince[lane] = now;
    }
    else
    {
        entry.off &= ~(1 << lane);
        recorder->m_ended += now - entry.offSince[lane];
    }
    recorder->m_out << SecondsText(now.GetNanoSeconds()) << ',' << entry.label << ',' << +lane
                    << ',' << (off ? '1' : '0') << '\n';
}

Time
GateRecorder::GetOffTime(Time now) const
{
    Time sum = m_ended;
    for (const Port& port : m_ports)
    {
        for (uint8_t lane = 0; lane < LANES; lane++)
        {
            if (port.off >> lane & 1)
            {
                sum += now - port.offSince[lane];
            }
        }
    }
    return sum;
}

} // namespace ns3

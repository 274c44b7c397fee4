// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "pause-recorder.h"

#include "ns3/fct-recorder.h"
#include "ns3/simulator.h"

namespace ns3
{

PauseRecorder::PauseRecorder(std::ostream& out)
    : m_out(out)
{
    m_out << "time_s,node,port,priority,pause\n";
}

void
PauseRecorder::Connect(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port)
{
    Port entry;
    entry.label = node + ',' + std::to_string(port);
    m_ports.push_back(entry);
    device->TraceConnectWithoutContext(
        "Gate",
        MakeBoundCallback(&PauseRecorder::Changed, this, m_ports.size() - 1));
}

void
PauseRecorder::Changed(PauseRecorder* recorder, std::size_t port, uint8_t priority, bool off)
{
    Port& entry = recorder->m_ports[port];
    const Time now = Simulator::Now();
    if (off)
    {
        entry.off |= 1 << priority;
        entry.offSince[priority] = now;
    }
    else
    {
        entry.off &= ~(1 << priority);
        recorder->m_ended += now - entry.offSince[priority];
    }
    recorder->m_out << SecondsText(now.GetNanoSeconds()) << ',' << entry.label << ',' << +priority
                    << ',' << (off ? '1' : '0') << '\n';
}

Time
PauseRecorder::GetPauseTime(Time now) const
{
    Time sum = m_ended;
    for (const Port& port : m_ports)
    {
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            if (port.off >> p & 1)
            {
                sum += now - port.offSince[p];
            }
        }
    }
    return sum;
}

} // namespace ns3

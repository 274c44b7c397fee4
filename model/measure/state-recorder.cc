// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "state-recorder.h"

#include "ns3/fct-recorder.h"

namespace ns3
{

StateRecorder::StateRecorder(std::ostream& out)
    : m_out(out)
{
    m_out << "time_s,node,port,priority,old,new\n";
}

void
StateRecorder::Connect(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port)
{
    for (uint8_t lane = 0; lane < LANES; lane++)
    {
        if (Ptr<CongestionDetector> detector = device->GetDetector(lane))
        {
            m_labels.push_back(node + ',' + std::to_string(port) + ',' + std::to_string(lane));
            detector->TraceConnectWithoutContext(
                "State",
                MakeBoundCallback(&StateRecorder::Changed, this, m_labels.size() - 1));
        }
    }
}

void
StateRecorder::Changed(StateRecorder* recorder,
                       std::size_t queue,
                       Time now,
                       CongestionDetector::PortState before,
                       CongestionDetector::PortState after)
{
    recorder->m_out << SecondsText(now.GetNanoSeconds()) << ',' << recorder->m_labels[queue] << ','
                    << CongestionDetector::GetStateName(before) << ','
                    << CongestionDetector::GetStateName(after) << '\n';
}

} // namespace ns3

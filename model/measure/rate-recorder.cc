// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rate-recorder.h"

#include "ns3/fct-recorder.h"
#include "ns3/json-writer.h"
#include "ns3/simulator.h"

namespace ns3
{

RateRecorder::RateRecorder(std::ostream& out)
    : m_out(out)
{
    m_out << "time_s,flow,rate_bps\n";
}

void
RateRecorder::Connect(Ptr<RdmaHw> hw)
{
    hw->TraceConnectWithoutContext("Rate", MakeCallback(&RateRecorder::Changed, this));
}

void
RateRecorder::Changed(uint32_t flow, double rateBps)
{
    m_out << SecondsText(Simulator::Now().GetNanoSeconds()) << ',' << flow << ','
          << JsonWriter::Number(rateBps) << '\n';
}

} // namespace ns3

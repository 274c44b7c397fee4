// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-tcd-port-watch.h"

#include "lossless-test-harness.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace losslesstest
{

void
SetThresholds(LosslessFabric& fabric)
{
    fabric.SetSwitchAttribute("Threshold", StringValue("Static"));
    fabric.SetSwitchAttribute("Xoff", UintegerValue(XOFF));
    fabric.SetSwitchAttribute("Xon", UintegerValue(XON));
}

const char*
Symbol(CongestionDetector::PortState state)
{
    switch (state)
    {
    case CongestionDetector::CONGESTION:
        return "1";
    case CongestionDetector::UNDETERMINED:
        return "/";
    default:
        return "0";
    }
}

PortWatch::PortWatch(Ptr<LosslessNetDevice> port)
    : m_port(port)
{
    port->TraceConnectWithoutContext("Mark", MakeCallback(&PortWatch::Marked, this));
    port->TraceConnectWithoutContext("Gate", MakeCallback(&PortWatch::Gate, this));
    port->TraceConnectWithoutContext("Enqueue", MakeCallback(&PortWatch::Enqueued, this));
    port->GetDetector(3)->TraceConnectWithoutContext("State",
                                                     MakeCallback(&PortWatch::Changed, this));
    m_recorder.Connect(port);
}

std::string
PortWatch::States() const
{
    std::string states = "0";
    for (const Change& change : changes)
    {
        states += Symbol(change.state);
    }
    return states;
}

std::string
PortWatch::SteadyStates() const
{
    std::string states = "0";
    for (std::size_t i = 0; i < changes.size(); i++)
    {
        const bool brief = i + 1 < changes.size() && changes[i + 1].ns - changes[i].ns < 5000;
        if (!brief && Symbol(changes[i].state)[0] != states.back())
        {
            states += Symbol(changes[i].state);
        }
    }
    return states;
}

int64_t
PortWatch::First(CongestionDetector::PortState state) const
{
    const auto found = std::find_if(changes.begin(), changes.end(), [state](const Change& change) {
        return change.state == state;
    });
    return found == changes.end() ? -1 : found->ns;
}

uint64_t
PortWatch::Marks(CodePoint code) const
{
    uint64_t count = 0;
    for (const auto& entry : marks)
    {
        count += entry.first.second == code ? entry.second : 0;
    }
    return count;
}

MarkRecorder::Totals
PortWatch::GetVictims() const
{
    return m_recorder.GetTotals();
}

void
PortWatch::Print(std::ostream& out) const
{
    for (const Change& change : changes)
    {
        out << change.ns << Symbol(change.state);
    }
    for (const auto& entry : marks)
    {
        out << ' ' << entry.first.first << ':' << Number(entry.first.second) << '=' << entry.second;
    }
    out << ' ' << pauses << ' ' << lastOnNs << ' ' << maxQueue << '\n';
}

void
PortWatch::Marked(const Frame& frame)
{
    marks[{frame.flow, frame.codePoint}]++;
}

void
PortWatch::Gate(uint8_t, bool off)
{
    pauses += off;
    lastOnNs = off ? lastOnNs : Simulator::Now().GetNanoSeconds();
}

void
PortWatch::Enqueued(const Frame&)
{
    maxQueue = std::max(maxQueue, m_port->GetQueueState(3).bytes);
}

void
PortWatch::Changed(Time now, CongestionDetector::PortState, CongestionDetector::PortState state)
{
    changes.push_back({now.GetNanoSeconds(), state});
}

} // namespace losslesstest
} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "fct-recorder.h"

#include "ns3/abort.h"
#include "ns3/json-writer.h"

#include <algorithm>

namespace ns3
{

std::string
SecondsText(int64_t ns)
{
    const std::string digits = std::to_string(ns % 1000000000 + 1000000000);
    return std::to_string(ns / 1000000000) + "." + digits.substr(1);
}

void
FctRecorder::AddFlow(const FlowInfo& info)
{
    NS_ABORT_MSG_IF(info.flow.id != m_records.size(),
                    "flow " << info.flow.id << ", expected number " << m_records.size());
    Record record;
    record.info = info;
    m_records.push_back(record);
}

void
FctRecorder::Connect(Ptr<RdmaHw> hw)
{
    hw->TraceConnectWithoutContext("MessageCompleted", MakeCallback(&FctRecorder::Completed, this));
    hw->TraceConnectWithoutContext("MessageReceived", MakeCallback(&FctRecorder::Received, this));
}

void
FctRecorder::SetAllCompleted(std::function<void()> action)
{
    m_allCompleted = std::move(action);
}

void
FctRecorder::Completed(const RdmaCompletion& completion)
{
    Record& record = m_records.at(completion.flow);
    record.startNs = completion.start.GetNanoSeconds();
    record.endNs = completion.end.GetNanoSeconds();
    record.cnpCe = completion.cnpCe;
    record.cnpUe = completion.cnpUe;
    record.retransmitted = completion.retransmitted;
    record.completed = true;
    if (++m_completed == m_records.size() && m_allCompleted)
    {
        m_allCompleted();
    }
}

void
FctRecorder::Received(const RdmaReception& reception)
{
    Record& record = m_records.at(reception.flow);
    record.packetsCe = reception.packetsCe;
    record.packetsUe = reception.packetsUe;
}

void
FctRecorder::AddReceptions(Ptr<const RdmaHw> hw)
{
    for (const RdmaReception& reception : hw->GetReceptions())
    {
        Received(reception);
    }
}

uint64_t
FctRecorder::GetNFlows() const
{
    return m_records.size();
}

uint64_t
FctRecorder::GetNCompleted() const
{
    return m_completed;
}

double
FctRecorder::Slowdown(const Record& record)
{
    return static_cast<double>(record.endNs - record.startNs) /
           static_cast<double>(record.info.idealNs);
}

FctRecorder::Totals
FctRecorder::GetTotals() const
{
    Totals totals;
    for (const Record& record : m_records)
    {
        totals.packetsCe += record.packetsCe;
        totals.packetsUe += record.packetsUe;
        if (record.completed)
        {
            totals.flows++;
            totals.retransmitted += record.retransmitted;
            totals.lastEndNs = std::max(totals.lastEndNs, record.endNs);
        }
    }
    return totals;
}

double
FctRecorder::GetBytesBy(int64_t ns) const
{
    double bytes = 0;
    for (const Record& record : m_records)
    {
        if (record.completed && ns > record.startNs)
        {
            const auto elapsed = static_cast<double>(std::min(ns, record.endNs) - record.startNs);
            const auto whole = static_cast<double>(record.endNs - record.startNs);
            bytes += static_cast<double>(record.info.flow.bytes) * (elapsed / whole);
        }
    }
    return bytes;
}

SlowdownStatistics
FctRecorder::GetSlowdown() const
{
    SlowdownStatistics statistics;
    for (const Record& record : m_records)
    {
        if (record.completed)
        {
            statistics.Add(record.info.flow.bytes, Slowdown(record));
        }
    }
    return statistics;
}

void
FctRecorder::WriteCsv(std::ostream& out) const
{
    out << "flow,src,dst,priority,size_bytes,start_s,fct_s,ideal_fct_s,slowdown,packets,packets_ce,"
           "packets_ue,cnp_ce,cnp_ue,path_hops\n";
    for (const Record& record : m_records)
    {
        const FlowInfo& info = record.info;
        out << info.flow.id << ',' << info.source << ',' << info.destination << ','
            << +info.flow.priority << ',' << info.flow.bytes << ','
            << SecondsText(record.completed ? record.startNs : info.flow.startNs) << ',';
        if (record.completed)
        {
            out << SecondsText(record.endNs - record.startNs);
        }
        out << ',' << SecondsText(info.idealNs) << ',';
        if (record.completed)
        {
            out << JsonWriter::Number(Slowdown(record)) << ',' << info.packets << ','
                << record.packetsCe << ',' << record.packetsUe << ',' << record.cnpCe << ','
                << record.cnpUe << ',';
        }
        else
        {
            out << ',' << info.packets << ',' << record.packetsCe << ',' << record.packetsUe
                << ",,,";
        }
        out << info.pathHops << '\n';
    }
}

} // namespace ns3

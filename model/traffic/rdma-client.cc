// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rdma-client.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaClient");
NS_OBJECT_ENSURE_REGISTERED(RdmaClient);

TypeId
RdmaClient::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaClient")
                            .SetParent<Application>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaClient>();
    return tid;
}

RdmaClient::RdmaClient() = default;
RdmaClient::~RdmaClient() = default;

void
RdmaClient::SetRdmaHw(Ptr<RdmaHw> hw)
{
    m_hw = hw;
}

void
RdmaClient::AddMessage(Ptr<RdmaHw> remote,
                       const RdmaHw::Message& message,
                       Time start,
                       uint32_t after)
{
    NS_ABORT_MSG_IF(!m_hw, "SetRdmaHw() comes before AddMessage()");
    NS_ABORT_MSG_IF(remote == m_hw,
                    "flow " << message.flow << ": sender and receiver are the same");
    const Entry entry{start, remote, m_hw->Connect(remote), message};
    if (after == FlowSpec::NONE)
    {
        m_entries.push_back(entry);
        return;
    }
    m_waiting.emplace(after, entry);
}

void
RdmaClient::StartApplication()
{
    std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
        return a.start < b.start;
    });
    if (!m_waiting.empty())
    {
        m_hw->TraceConnectWithoutContext("MessageCompleted",
                                         MakeCallback(&RdmaClient::Completed, this));
    }
    m_running = true;
    SendDue();
}

void
RdmaClient::StopApplication()
{
    m_running = false;
    Simulator::Cancel(m_event);
}

void
RdmaClient::SendDue()
{
    const Time now = Simulator::Now();
    while (m_next < m_entries.size() && m_entries[m_next].start <= now)
    {
        Entry& entry = m_entries[m_next++];
        m_hw->Send(entry.connection, entry.remote, entry.message);
        entry.remote = nullptr;
    }
    if (m_next < m_entries.size())
    {
        m_event = Simulator::Schedule(m_entries[m_next].start - now, &RdmaClient::SendDue, this);
    }
}

void
RdmaClient::Completed(const RdmaCompletion& completion)
{
    const auto due = m_waiting.equal_range(completion.flow);
    if (!m_running || due.first == due.second)
    {
        return;
    }
    const Time now = Simulator::Now();
    for (auto it = due.first; it != due.second; ++it)
    {
        Entry& entry = it->second;
        entry.start = std::max(entry.start, now);
        const auto before =
            std::upper_bound(m_entries.begin() + static_cast<std::ptrdiff_t>(m_next),
                             m_entries.end(),
                             entry.start,
                             [](Time start, const Entry& other) { return start < other.start; });
        m_entries.insert(before, entry);
    }
    m_waiting.erase(due.first, due.second);
    // Not at once: the engine that tells of the end is still busy with it.
    Simulator::Cancel(m_event);
    m_event = Simulator::Schedule(m_entries[m_next].start - now, &RdmaClient::SendDue, this);
}

void
RdmaClient::DoDispose()
{
    if (m_hw)
    {
        m_hw->TraceDisconnectWithoutContext("MessageCompleted",
                                            MakeCallback(&RdmaClient::Completed, this));
    }
    m_running = false;
    m_entries.clear();
    m_waiting.clear();
    m_hw = nullptr;
    Application::DoDispose();
}

} // namespace ns3

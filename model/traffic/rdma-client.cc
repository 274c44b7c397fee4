// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "rdma-client.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

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
RdmaClient::AddMessage(Ptr<RdmaHw> remote, const RdmaHw::Message& message, Time start)
{
    NS_ABORT_MSG_IF(!m_hw, "SetRdmaHw() comes before AddMessage()");
    NS_ABORT_MSG_IF(remote == m_hw,
                    "flow " << message.flow << ": sender and receiver are the same");
    m_entries.push_back({start, remote, m_hw->Connect(remote), message});
}

void
RdmaClient::StartApplication()
{
    std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
        return a.start < b.start;
    });
    SendDue();
}

void
RdmaClient::StopApplication()
{
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
RdmaClient::DoDispose()
{
    m_entries.clear();
    m_hw = nullptr;
    Application::DoDispose();
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "study-progress.h"

#include "ns3/simulator.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace ns3
{

StudyProgress::StudyProgress(const std::string& label, const FctRecorder& flows)
    : m_label(label),
      m_flows(flows),
      m_terminal(isatty(STDERR_FILENO) != 0),
      m_interval(MicroSeconds(1))
{
}

StudyProgress::~StudyProgress()
{
    if (m_shown)
    {
        std::cerr << "\r\033[K" << std::flush;
    }
}

void
StudyProgress::Start()
{
    m_start = m_last = m_lastShow = Clock::now();
    if (m_terminal)
    {
        Simulator::Schedule(m_interval, &StudyProgress::Look, this);
    }
}

uint64_t
StudyProgress::GetEvents() const
{
    return m_events;
}

void
StudyProgress::Look()
{
    m_events++;
    const Clock::time_point now = Clock::now();
    const auto since = std::chrono::duration<double>(now - m_last).count();
    m_last = now;
    if (since < 0.025)
    {
        m_interval = m_interval + m_interval;
    }
    else if (since > 0.1 && m_interval > NanoSeconds(2))
    {
        m_interval = NanoSeconds(m_interval.GetNanoSeconds() / 2);
    }
    if (now - m_lastShow >= std::chrono::milliseconds(200))
    {
        m_lastShow = now;
        Show(std::chrono::duration<double>(now - m_start).count());
    }
    Simulator::Schedule(m_interval, &StudyProgress::Look, this);
}

void
StudyProgress::Show(double seconds)
{
    const auto done = static_cast<double>(m_flows.GetNCompleted());
    const auto all = static_cast<double>(m_flows.GetNFlows());
    std::ostringstream line;
    line << std::fixed << std::setprecision(3) << m_label << "  "
         << Simulator::Now().GetSeconds() * 1e3 << " ms simulated  " << m_flows.GetNCompleted()
         << " of " << m_flows.GetNFlows() << " flows  " << std::setprecision(2)
         << static_cast<double>(Simulator::GetEventCount()) / seconds / 1e6 << " M events/s";
    if (done > 0)
    {
        line << "  about " << std::llround(seconds * (all - done) / done) << " s left";
    }
    std::cerr << "\r\033[K" << line.str() << std::flush;
    m_shown = true;
}

} // namespace ns3

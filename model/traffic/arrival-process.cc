// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "arrival-process.h"

#include "ns3/far-time.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <locale>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

double
SumBps(const std::vector<uint64_t>& hostRatesBps)
{
    double sum = 0.0;
    for (uint64_t rate : hostRatesBps)
    {
        sum += static_cast<double>(rate);
    }
    return sum;
}

void
RequireBytes(uint64_t bytes)
{
    if (bytes == 0)
    {
        throw InputError("bytes", "0", "at least 1");
    }
}

void
RequireTwoHosts(std::size_t hosts)
{
    if (hosts < 2)
    {
        throw InputError("hosts", std::to_string(hosts), "at least 2, to send and to receive");
    }
}

void
Check(const PoissonTraffic& traffic)
{
    if (!(traffic.load > 0.0 && traffic.load <= 1.0))
    {
        throw InputError("load",
                         InputError::Text(traffic.load),
                         "above 0 and at most 1 (of the host links)");
    }
    RequireTwoHosts(traffic.hostRatesBps.size());
    if (SumBps(traffic.hostRatesBps) <= 0.0)
    {
        throw InputError("host link rates", "only zeros", "a rate above zero");
    }
    if (traffic.startNs < 0 || traffic.durationNs < 0)
    {
        throw InputError("duration", "a start or a duration below zero", "0 or more");
    }
    if (traffic.durationNs == 0 && traffic.flowsMax == 0)
    {
        throw InputError("duration", "0 and no limit on the flows", "one of the two above zero");
    }
}

void
RequireSenders(const std::vector<uint32_t>& senders, uint32_t receiver)
{
    if (senders.empty())
    {
        throw InputError("senders", "0", "at least 1");
    }
    if (std::find(senders.begin(), senders.end(), receiver) != senders.end())
    {
        throw InputError("senders",
                         "the receiver, host " + std::to_string(receiver),
                         "other hosts than the receiver");
    }
}

void
Check(const SynchronousTraffic& traffic)
{
    RequireSenders(traffic.senders, traffic.receiver);
    if (!(traffic.intervalNs > 0))
    {
        throw InputError("interval", InputError::Text(traffic.intervalNs) + " ns", "above zero");
    }
    if (traffic.startNs < 0 || traffic.durationNs <= 0)
    {
        throw InputError("duration",
                         std::to_string(traffic.durationNs) + " ns from " +
                             std::to_string(traffic.startNs) + " ns",
                         "above zero, from 0 or later");
    }
}

void
Check(const IncastTraffic& traffic)
{
    RequireBytes(traffic.bytes);
    RequireSenders(traffic.senders, traffic.receiver);
    if (traffic.bursts == 0)
    {
        throw InputError("bursts", "0", "at least 1");
    }
    if (traffic.startNs < 0)
    {
        throw InputError("start", std::to_string(traffic.startNs) + " ns", "0 or later");
    }
    if (traffic.bursts > 1 && traffic.intervalNs <= 0)
    {
        throw InputError("interval",
                         std::to_string(traffic.intervalNs) + " ns for " +
                             std::to_string(traffic.bursts) + " bursts",
                         "above zero");
    }
}

} // namespace

ArrivalProcess::ArrivalProcess()
    : m_gap(CreateObject<ExponentialRandomVariable>()),
      m_pair(CreateObject<UniformRandomVariable>()),
      m_size(CreateObject<UniformRandomVariable>())
{
}

int64_t
ArrivalProcess::AssignStreams(int64_t stream)
{
    m_gap->SetStream(stream);
    m_pair->SetStream(stream + 1);
    m_size->SetStream(stream + 2);
    return 3;
}

std::vector<FlowSpec>
ArrivalProcess::Poisson(const PoissonTraffic& traffic, const FlowSizeDistribution& sizes)
{
    Check(traffic);
    const auto hosts = static_cast<uint32_t>(traffic.hostRatesBps.size());
    const double flowsPerNs =
        traffic.load * SumBps(traffic.hostRatesBps) / (8.0 * sizes.Mean()) / 1e9;
    const double endNs = traffic.durationNs > 0 ? static_cast<double>(traffic.durationNs)
                                                : std::numeric_limits<double>::infinity();
    const uint64_t flowsMax = traffic.flowsMax > 0 ? traffic.flowsMax : UINT64_MAX;
    if (flowsPerNs * endNs < static_cast<double>(flowsMax))
    {
        CheckNumber("duration",
                    TimeText(traffic.durationNs) + " at a load of " +
                        InputError::Text(traffic.load) + " of " + std::to_string(hosts) + " hosts",
                    flowsPerNs * endNs);
    }
    else
    {
        CheckNumber("flows-max", std::to_string(flowsMax), static_cast<double>(flowsMax));
    }

    std::vector<FlowSpec> flows;
    // Summed as a real number: rounding each gap to whole ns would change the load.
    double timeNs = 0.0;
    while (flows.size() < flowsMax)
    {
        timeNs += m_gap->GetValue(1.0 / flowsPerNs, 0.0);
        if (timeNs >= endNs)
        {
            break;
        }
        FlowSpec flow;
        flow.id = static_cast<uint32_t>(flows.size());
        flow.src = m_pair->GetInteger(0, hosts - 1);
        // Draw among the other hosts: one draw for each flow keeps the stream in step.
        flow.dst = m_pair->GetInteger(0, hosts - 2);
        flow.dst += flow.dst >= flow.src ? 1 : 0;
        flow.priority = traffic.trafficClass.priority;
        flow.port = traffic.trafficClass.port;
        flow.bytes = sizes.Sample(m_size);
        flow.startNs = traffic.startNs + static_cast<int64_t>(timeNs);
        flows.push_back(flow);
    }
    return flows;
}

std::vector<FlowSpec>
ArrivalProcess::Synchronous(const SynchronousTraffic& traffic, const FlowSizeDistribution& sizes)
{
    Check(traffic);
    CheckNumber("duration",
                TimeText(traffic.durationNs) + " with a round of " +
                    std::to_string(traffic.senders.size()) + " senders each " +
                    InputError::Text(traffic.intervalNs) + " ns",
                static_cast<double>(traffic.durationNs) / traffic.intervalNs *
                    static_cast<double>(traffic.senders.size()));
    std::vector<FlowSpec> flows;
    double timeNs = 0.0;
    while (true)
    {
        timeNs += m_gap->GetValue(traffic.intervalNs, 0.0);
        if (timeNs >= static_cast<double>(traffic.durationNs))
        {
            return flows;
        }
        FlowSpec flow;
        flow.dst = traffic.receiver;
        flow.priority = traffic.trafficClass.priority;
        flow.port = traffic.trafficClass.port;
        flow.bytes = sizes.Sample(m_size);
        flow.startNs = traffic.startNs + static_cast<int64_t>(timeNs);
        for (uint32_t sender : traffic.senders)
        {
            flow.id = static_cast<uint32_t>(flows.size());
            flow.src = sender;
            flows.push_back(flow);
        }
    }
}

std::vector<FlowSpec>
ArrivalProcess::Merge(const std::vector<std::vector<FlowSpec>>& parts)
{
    std::vector<FlowSpec> flows;
    for (const auto& part : parts)
    {
        flows.insert(flows.end(), part.begin(), part.end());
    }
    std::stable_sort(flows.begin(), flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
        return a.startNs < b.startNs;
    });
    for (std::size_t i = 0; i < flows.size(); i++)
    {
        flows[i].id = static_cast<uint32_t>(i);
    }
    return flows;
}

std::vector<FlowSpec>
ArrivalProcess::Incast(const IncastTraffic& traffic)
{
    Check(traffic);
    CheckNumber("bursts",
                std::to_string(traffic.bursts) + " of " + std::to_string(traffic.senders.size()) +
                    " senders",
                static_cast<double>(traffic.bursts) * static_cast<double>(traffic.senders.size()));
    const double lastNs = static_cast<double>(traffic.startNs) +
                          static_cast<double>(traffic.bursts - 1) * traffic.intervalNs;
    if (lastNs > HORIZON_NS)
    {
        throw InputError("bursts",
                         "the last at " + InputError::Text(lastNs / 1e9) + " s",
                         "all within " + TimeText(HORIZON_NS));
    }
    std::vector<FlowSpec> flows;
    for (uint32_t burst = 0; burst < traffic.bursts; ++burst)
    {
        for (uint32_t sender : traffic.senders)
        {
            FlowSpec flow;
            flow.id = static_cast<uint32_t>(flows.size());
            flow.src = sender;
            flow.dst = traffic.receiver;
            flow.priority = traffic.trafficClass.priority;
            flow.port = traffic.trafficClass.port;
            flow.bytes = traffic.bytes;
            flow.startNs = traffic.startNs + burst * traffic.intervalNs;
            flows.push_back(flow);
        }
    }
    return flows;
}

std::vector<FlowSpec>
ArrivalProcess::Permutation(const PermutationTraffic& traffic)
{
    RequireTwoHosts(traffic.hosts);
    RequireBytes(traffic.bytes);
    if (traffic.startNs < 0)
    {
        throw InputError("start", std::to_string(traffic.startNs) + " ns", "0 or later");
    }
    // Shuffle until no host sends to itself: 1 in e shuffles is such, all equally likely.
    std::vector<uint32_t> receiver(traffic.hosts);
    bool toItself = true;
    while (toItself)
    {
        std::iota(receiver.begin(), receiver.end(), 0);
        for (uint32_t i = traffic.hosts - 1; i > 0; --i)
        {
            std::swap(receiver[i], receiver[m_pair->GetInteger(0, i)]);
        }
        toItself = false;
        for (uint32_t i = 0; i < traffic.hosts; ++i)
        {
            toItself = toItself || receiver[i] == i;
        }
    }
    std::vector<FlowSpec> flows;
    for (uint32_t host = 0; host < traffic.hosts; ++host)
    {
        FlowSpec flow;
        flow.id = host;
        flow.src = host;
        flow.dst = receiver[host];
        flow.priority = traffic.trafficClass.priority;
        flow.port = traffic.trafficClass.port;
        flow.bytes = traffic.bytes;
        flow.startNs = traffic.startNs;
        flows.push_back(flow);
    }
    return flows;
}

void
ArrivalProcess::CheckNumber(const std::string& name, const std::string& what, double flows)
{
    if (flows > MAXIMUM_FLOWS)
    {
        std::ostringstream number;
        number.imbue(std::locale::classic());
        number << std::fixed << std::setprecision(0) << flows;
        throw InputError(name,
                         what + ", which is about " + number.str() + " flows",
                         "at most " + std::to_string(MAXIMUM_FLOWS) + " flows");
    }
}

double
ArrivalProcess::OfferedLoad(const std::vector<FlowSpec>& flows,
                            const std::vector<uint64_t>& hostRatesBps,
                            int64_t durationNs)
{
    double bytes = 0.0;
    for (const FlowSpec& flow : flows)
    {
        bytes += static_cast<double>(flow.bytes);
    }
    return 8.0 * bytes / (SumBps(hostRatesBps) * static_cast<double>(durationNs) / 1e9);
}

} // namespace ns3

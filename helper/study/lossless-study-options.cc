// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// The options of a study, and the flows that those of a workload describe.

#include "lossless-study.h"

#include "ns3/arrival-process.h"
#include "ns3/bundled-files.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/frame-format.h"
#include "ns3/quantity.h"

namespace ns3
{

namespace
{

/// First random stream of the flows, far enough below that of the network.
constexpr int64_t FLOW_STREAM = 1;

BundledFiles
Workloads()
{
    return BundledFiles("workloads", ".cdf");
}

} // namespace

void
LosslessStudy::AddLinkOptions(DataRate rate, Time delay)
{
    m_linkRate = rate;
    m_linkDelay = delay;
    m_options.AddRate("link-rate", "Line rate of the hosts' links", m_linkRate);
    m_options.AddTime("link-delay", "Propagation delay of each link, one way", m_linkDelay, true);
}

DataRate
LosslessStudy::GetLinkRate() const
{
    return m_linkRate;
}

Time
LosslessStudy::GetLinkDelay() const
{
    return m_linkDelay;
}

void
LosslessStudy::AddWorkloadOptions(const std::string& workload, double load, Time duration)
{
    m_workload = workload;
    m_load = load;
    m_duration = duration;
    m_options.AddText("workload",
                      "Flow sizes: " + Workloads().GetList() +
                          ", or a file of lines 'size_bytes probability'",
                      m_workload);
    m_options.AddFraction("load",
                          "Payload offered by Poisson arrivals, as a fraction of the hosts' links",
                          m_load);
    m_options.AddTime("duration",
                      "Length of the arrivals; without limit if only --flows-max is given",
                      m_duration);
    m_options.AddCount("flows-max", "Largest number of flows, 0 for no limit", m_flowsMax);
    SetTraffic([this](const LosslessFabric& fabric) { return GenerateWorkload(fabric); });
}

std::vector<FlowSpec>
LosslessStudy::GenerateWorkload(const LosslessFabric& fabric)
{
    PoissonTraffic traffic;
    traffic.hostRatesBps = fabric.GetHostRatesBps();
    traffic.load = m_load;
    traffic.flowsMax = m_flowsMax;
    const bool limited = m_flowsMax == 0 || m_options.IsGiven("duration");
    traffic.durationNs = limited ? m_duration.GetNanoSeconds() : 0;
    ArrivalProcess arrivals;
    arrivals.AssignStreams(FLOW_STREAM);
    const std::vector<FlowSpec> flows = arrivals.Poisson(
        traffic,
        FlowSizeDistribution::FromFile(Workloads().Find("--workload", m_workload)));
    if (m_flowsMax == 0 || flows.size() < m_flowsMax)
    {
        m_arrivals = m_duration;
    }
    return flows;
}

void
LosslessStudy::AddSharedOptions()
{
    m_options.AddText("scheme", "One or several, separated by commas: " + SchemeNames(), m_scheme);
    std::vector<std::string> links;
    for (const auto& technology : LinkTechnologies())
    {
        links.push_back(technology.name);
    }
    m_options.AddChoice("link", "What links and switches are made of", m_link, links);
    m_options.AddCount("seed", "Number of the replication, the same as ns-3's --RngRun", m_seed, 1);
    m_options.AddTime("stop", "Simulated time at which the run ends with flows unfinished", m_stop);
    m_options.AddCount("mtu", "Payload of a full data frame [B]", m_mtu, 1, MAXIMUM_PAYLOAD_BYTES);
    m_options.AddBytes("buffer",
                       "Packet buffer of a switch [B]; 0 for 16 MB for each 50 Gb/s of the fastest "
                       "host's link, or with --xoff just enough; of InfiniBand, of each port and "
                       "virtual lane, 0 for its own default",
                       m_buffer,
                       0,
                       MAXIMUM_BUFFER_BYTES);
    m_options.AddBytes("xoff",
                       "Bytes of a port and priority above which a switch asks for a pause [B]; 0 "
                       "for a dynamic threshold",
                       m_xoff,
                       0,
                       MAXIMUM_BUFFER_BYTES);
    m_options.AddBytes("xon",
                       "With --xoff: bytes at which the pause ends [B]; 0 for xoff - 2000",
                       m_xon,
                       0,
                       MAXIMUM_BUFFER_BYTES);
    m_options.AddTime("sample",
                      "Interval of the rows of ports.csv, and whether states.csv and rates.csv are "
                      "written; 0s for none of them",
                      m_sample,
                      true);
    m_options.AddText("sample-nodes",
                      "With --sample: nodes of ports.csv and states.csv, separated by commas; all "
                      "for every one",
                      m_sampleNodes);
    m_options.AddChoice("count-victims",
                        "Count marks and notifications of queues that pauses alone made long",
                        m_victims,
                        {"false", "true"});
    m_options.AddText("pcap",
                      "Capture the ports of these nodes, separated by commas; all for every host",
                      m_pcap);
    m_options.AddText("out", "Folder of the results", m_out);
    m_options.AddPrinting("list-schemes", "Print the schemes as JSON, and end", &WriteSchemes);
}

} // namespace ns3

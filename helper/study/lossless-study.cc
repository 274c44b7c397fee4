// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-study.h"

#include "ns3/abort.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/json-writer.h"
#include "ns3/quantity.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/standard-output.h"
#include "ns3/string.h"
#include "ns3/study-run.h"
#include "ns3/study-table.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <sstream>

namespace ns3
{

namespace
{

/// First random stream of the network, far enough above that of the flows.
constexpr int64_t NETWORK_STREAM = 1000;

std::vector<std::string>
SplitAtCommas(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
    {
        parts.push_back(part);
    }
    return parts;
}

/// @returns a scheme's name as the name of a folder
std::string
FolderName(std::string scheme)
{
    std::replace(scheme.begin(), scheme.end(), ':', '-');
    return scheme;
}

/**
 * Writes summary.json.
 * @param folder gets it
 * @param summaries of the runs
 * @param list whether it is a list although there is but one
 */
void
WriteSummaries(RunFolder& folder, const std::vector<RunSummary>& summaries, bool list)
{
    OutputFile file(folder, "summary.json");
    JsonWriter json(file.Stream());
    if (list)
    {
        json.BeginArray();
    }
    for (const RunSummary& summary : summaries)
    {
        summary.Write(json);
    }
    if (list)
    {
        json.EndArray();
    }
    file.Close();
}

} // namespace

LosslessStudy::LosslessStudy(const std::string& name, const std::string& description)
    : m_name(name),
      m_options("lossless-" + name, description),
      m_stop(Seconds(10)),
      m_out("results/" + name)
{
}

StudyOptions&
LosslessStudy::GetOptions()
{
    return m_options;
}

void
LosslessStudy::SetTopology(Topology topology)
{
    m_topology = std::move(topology);
}

void
LosslessStudy::SetTraffic(Traffic traffic)
{
    m_traffic = std::move(traffic);
}

void
LosslessStudy::SetPreparation(Preparation prepare)
{
    m_preparation = std::move(prepare);
}

void
LosslessStudy::NamePort(const std::string& name, const std::string& node, const std::string& peer)
{
    const auto same = [&](const NamedPort& port) { return port.name == name; };
    m_ports.erase(std::remove_if(m_ports.begin(), m_ports.end(), same), m_ports.end());
    m_ports.push_back({name, node, peer});
}

void
LosslessStudy::OmitLoad()
{
    m_tellLoad = false;
}

void
LosslessStudy::SetDefaultScheme(const std::string& scheme)
{
    m_scheme = scheme;
}

void
LosslessStudy::SetDefaultStop(Time stop)
{
    m_stop = stop;
}

Time
LosslessStudy::GetStop() const
{
    return m_stop;
}

void
LosslessStudy::SetDefaultAttribute(const std::string& type,
                                   const std::string& name,
                                   const std::string& value)
{
    TypeId::AttributeInformation information;
    NS_ABORT_MSG_UNLESS(TypeId::LookupByName(type).LookupAttributeByName(name, &information),
                        type << " has no attribute " << name);
    m_defaults.push_back({type, name, value});
}

void
LosslessStudy::SetDefaultLink(const std::string& link)
{
    m_link = link;
}

void
LosslessStudy::SetDefaultMtu(uint32_t bytes)
{
    m_mtu = bytes;
}

uint32_t
LosslessStudy::GetMtu() const
{
    return m_mtu;
}

void
LosslessStudy::SetShares(Shares shares)
{
    m_shares = std::move(shares);
}

void
LosslessStudy::SetDefaultThreshold(uint64_t xoff, uint64_t xon)
{
    m_xoff = xoff;
    m_xon = xon;
}

void
LosslessStudy::SetDefaultSample(Time interval, const std::string& nodes)
{
    m_sample = interval;
    m_sampleNodes = nodes;
}

Time
LosslessStudy::GetArrivalsStart() const
{
    // A generated workload begins at 0, a list of flows with its first flow.
    return m_arrivals.IsStrictlyPositive() ? Time(0) : NanoSeconds(m_flows.front().startNs);
}

Time
LosslessStudy::GetArrivalsEnd() const
{
    return m_arrivals.IsStrictlyPositive() ? m_arrivals : NanoSeconds(m_flows.back().startNs);
}

std::vector<Scheme>
LosslessStudy::GetSchemes() const
{
    std::vector<Scheme> schemes;
    for (const std::string& name : SplitAtCommas(m_scheme))
    {
        const bool twice = std::any_of(schemes.begin(), schemes.end(), [&](const Scheme& scheme) {
            return scheme.name == name;
        });
        if (twice)
        {
            throw InputError("--scheme", "'" + name + "' twice", "each scheme once");
        }
        // The command line's first, for its wording of values.
        schemes.push_back(
            WithUserDefaults(WithAttributes(WithAttributes(FindScheme(name), m_defaults),
                                            m_options.GetAttributes())));
        CheckLink(schemes.back(), FindLinkTechnology(m_link));
    }
    return schemes;
}

RunFolder&
LosslessStudy::TakeFolder(const std::string& part)
{
    if (!m_folder)
    {
        m_folder = std::make_unique<RunFolder>(m_out, m_parts);
    }
    return part.empty() ? *m_folder : m_folder->GetPart(part);
}

RunSummary
LosslessStudy::RunScheme(const std::vector<Scheme>& schemes,
                         const Scheme& scheme,
                         const std::string& part)
{
    LosslessFabric fabric;
    fabric.SetLink(FindLinkTechnology(m_link));
    m_topology(fabric);
    if (!m_flowsMade)
    {
        m_flows = m_traffic(fabric);
        m_flowsMade = true;
        if (m_flows.empty())
        {
            throw InputError("traffic", "no flow", "at least one: a longer time or a higher load");
        }
    }
    Configure(fabric);
    CheckFlows(fabric);
    fabric.SetScheme(scheme);
    fabric.Build();
    fabric.AssignStreams(NETWORK_STREAM);
    if (m_preparation)
    {
        m_preparation(fabric);
    }
    CheckClasses(schemes, fabric);

    StudyRun::Config config;
    config.label = m_name + " " + scheme.name;
    config.stop = m_stop;
    config.arrivalsStart = GetArrivalsStart();
    config.arrivalsEnd = GetArrivalsEnd();
    config.tellLoad = m_tellLoad;
    config.sample = m_sample;
    config.lossless = GetLosslessPriorities();
    config.countVictims = m_victims == "true";
    config.warn = !m_warned;
    m_warned = true; // the paths are the same for all schemes
    for (const std::string& name : SplitAtCommas(m_pcap))
    {
        for (uint32_t host = 0; name == "all" && host < fabric.GetNHosts(); host++)
        {
            config.capture.push_back(fabric.GetName(fabric.GetHostIndex(host)));
        }
        if (name != "all")
        {
            config.capture.push_back(fabric.GetName(fabric.GetIndex(name, "--pcap")));
        }
    }
    for (const std::string& name : SplitAtCommas(m_sampleNodes == "all" ? "" : m_sampleNodes))
    {
        config.sampled.push_back(fabric.GetName(fabric.GetIndex(name, "--sample-nodes")));
    }
    RunSummary summary;
    Describe(summary, scheme, fabric);
    StudyRun run(config, fabric, m_flows);
    // Not before all is known to be right: until then an earlier run stays.
    run.Run(TakeFolder(part), summary);
    if (m_shares)
    {
        summary.shares = m_shares();
    }
    return summary;
}

void
LosslessStudy::Run()
{
    if (m_options.IsGiven("seed"))
    {
        RngSeedManager::SetRun(m_seed);
    }
    m_seed = static_cast<uint32_t>(RngSeedManager::GetRun());
    if (m_options.IsGiven("xon") && !IsThresholdStatic())
    {
        throw InputError("--xon", "it without --xoff", "both, for a static threshold");
    }
    const bool xoffIsSet = IsSetByUser("ns3::EthernetSwitch", "Xoff");
    if ((m_options.IsGiven("xoff") || xoffIsSet) && !m_options.IsGiven("xon"))
    {
        m_xon = 0; // the study's own Xon belongs to its own Xoff
    }
    if (m_options.IsGiven("sample-nodes") && !m_sample.IsStrictlyPositive())
    {
        throw InputError("--sample-nodes", "it without --sample", "both, to sample these nodes");
    }
    if (m_xoff > 0 && m_xon > m_xoff && !xoffIsSet)
    {
        throw InputError("--xon",
                         std::to_string(m_xon),
                         "at most the " + std::to_string(m_xoff) + " of --xoff");
    }
    const std::vector<Scheme> schemes = GetSchemes();
    if (schemes.empty())
    {
        throw InputError("--scheme", "none", "one or several of " + SchemeNames());
    }
    std::vector<RunSummary> summaries;
    for (const Scheme& scheme : schemes)
    {
        if (schemes.size() > 1)
        {
            m_parts.push_back(FolderName(scheme.name));
        }
    }
    for (const Scheme& scheme : schemes)
    {
        const std::string part = schemes.size() > 1 ? FolderName(scheme.name) : "";
        summaries.push_back(RunScheme(schemes, scheme, part));
        const RunSummary& summary = summaries.back();
        WriteSummaries(TakeFolder(part), {summary}, false);
        PrintTable(std::cout, summary);
        if (summary.flowsCompleted < summary.flows)
        {
            std::cout << "  unfinished  " << summary.flows - summary.flowsCompleted
                      << " flows: the run ended at --stop=" << TimeText(m_stop.GetNanoSeconds())
                      << '\n';
        }
        std::cout << std::endl;
    }
    if (summaries.size() > 1)
    {
        WriteSummaries(TakeFolder(), summaries, true);
    }
    std::cout << "results in " << m_out << std::endl;
}

int
LosslessStudy::Main(int argc, char* argv[])
{
    try
    {
        GuardStandardOutput();
        // Faster than ns-3's default; environment and --SchedulerType still choose another.
        StringValue scheduler;
        GlobalValue::GetValueByName("SchedulerType", scheduler);
        if (scheduler.Get() == "ns3::MapScheduler")
        {
            GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
        }
        AddSharedOptions();
        m_options.Parse(argc, argv);
        CheckAttributes();
        Run();
        return 0;
    }
    catch (const std::exception& error)
    {
        std::cout << std::flush;
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
}

} // namespace ns3

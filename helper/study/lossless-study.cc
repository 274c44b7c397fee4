// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-study.h"

#include "ns3/abort.h"
#include "ns3/arrival-process.h"
#include "ns3/boolean.h"
#include "ns3/bundled-files.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/frame-format.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/json-writer.h"
#include "ns3/pointer.h"
#include "ns3/quantity.h"
#include "ns3/rdma-client.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/standard-output.h"
#include "ns3/string.h"
#include "ns3/study-run.h"
#include "ns3/study-table.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// First random streams of the flows and of the network, far enough apart.
constexpr int64_t FLOW_STREAM = 1;
constexpr int64_t NETWORK_STREAM = 1000;

/// HPCC's simulator (run.py) gives switches 16 MB of buffer at 50 Gb/s, in proportion to the hosts'
/// links.
constexpr uint64_t BUFFER_BYTES = 16000000;
constexpr uint64_t BUFFER_RATE_BPS = 50000000000;

/// Xon is this much below a static Xoff: two frames of 1000 B, as in DCQCN's and TCD's evaluations.
constexpr uint64_t XON_BELOW_XOFF = 2000;

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

BundledFiles
Workloads()
{
    return BundledFiles("workloads", ".cdf");
}

std::string
SchemeList()
{
    std::string list;
    for (const Scheme& scheme : Schemes())
    {
        list += (list.empty() ? "" : ", ") + scheme.name;
    }
    return list;
}

/// @returns a scheme's name as the name of a folder
std::string
FolderName(std::string scheme)
{
    std::replace(scheme.begin(), scheme.end(), ':', '-');
    return scheme;
}

/// Writes summary.json. @param list whether it is a list although there is but one
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

/// @returns a type and values of its attributes, for the record
RunSummary::Group
Record(const std::string& name,
       const std::string& type,
       const std::vector<Scheme::Setting>& settings)
{
    RunSummary::Group group;
    group.name = name;
    if (!type.empty())
    {
        group.parameters.emplace_back("type", type);
    }
    for (const auto& setting : settings)
    {
        group.parameters.emplace_back(setting.attribute, setting.value);
    }
    return group;
}

/// Replaces a value of the record, or adds it.
void
SetParameter(std::vector<RunSummary::Parameter>& parameters,
             const std::string& name,
             const std::string& value)
{
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) {
        return p.first == name;
    });
    if (found == parameters.end())
    {
        parameters.emplace_back(name, value);
    }
    else
    {
        found->second = value;
    }
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

void
LosslessStudy::AddSharedOptions()
{
    m_options.AddText("scheme", "One or several, separated by commas: " + SchemeList(), m_scheme);
    m_options.AddCount("seed", "Number of the replication, the same as ns-3's --RngRun", m_seed, 1);
    m_options.AddTime("stop", "Simulated time at which the run ends with flows unfinished", m_stop);
    m_options.AddCount("mtu", "Payload of a full data frame [B]", m_mtu, 1, MAXIMUM_PAYLOAD_BYTES);
    m_options.AddBytes("buffer",
                       "Packet buffer of a switch [B]; 0 for 16 MB for each 50 Gb/s of the fastest "
                       "host's link, or with --xoff just enough",
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

bool
LosslessStudy::IsThresholdStatic() const
{
    return m_xoff > 0 || IsSetByUser("ns3::EthernetSwitch", "Xoff");
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
    }
    return schemes;
}

void
LosslessStudy::CheckAttributes() const
{
    const std::pair<const char*, std::pair<const char*, const char*>> twice[] = {
        {"mtu", {"ns3::RdmaHw", "Mtu"}},
        {"buffer", {"ns3::EthernetSwitch", "BufferSize"}},
        {"xoff", {"ns3::EthernetSwitch", "Xoff"}},
        {"xon", {"ns3::EthernetSwitch", "Xon"}}};
    for (const auto& [option, attribute] : twice)
    {
        if (m_options.IsGiven(option) && IsSetByUser(attribute.first, attribute.second))
        {
            throw InputError(std::string("--") + option,
                             std::string("it beside ") + attribute.first + "::" + attribute.second,
                             "one of the two");
        }
    }
    if (m_options.IsGiven("seed") && m_options.IsAttributeGiven("", "RngRun"))
    {
        throw InputError("--seed", "it beside --RngRun", "one of the two");
    }
    // What the study itself decides for each object would silently win over these.
    const std::pair<std::pair<const char*, const char*>, const char*> decided[] = {
        {{"ns3::QbbNetDevice", "DataRate"}, "--link-rate or the topology's file"},
        {{"ns3::LosslessChannel", "Delay"}, "--link-delay or the topology's file"},
        {{"ns3::EthernetSwitch", "LosslessPriorities"}, "the priorities of the flows"},
        {{"ns3::ConstantRate", "Rate"}, "the study itself"},
        {{"ns3::RateErrorModel", "ErrorRate"}, "the topology's file"},
        {{"ns3::RateErrorModel", "ErrorUnit"}, "the topology's file"},
        {{"ns3::RdmaHw", "RateController"}, "--scheme"}};
    for (const auto& [attribute, instead] : decided)
    {
        if (m_options.IsAttributeGiven(attribute.first, attribute.second))
        {
            throw InputError(std::string("--") + attribute.first + "::" + attribute.second,
                             "it on the command line",
                             std::string(instead) + ", which decides it");
        }
        if (IsSetByUser(attribute.first, attribute.second))
        {
            throw InputError(std::string(attribute.first) + "::" + attribute.second,
                             "a default of it",
                             std::string(instead) + ", which decides it");
        }
    }
}

void
LosslessStudy::CheckClasses(const std::vector<Scheme>& schemes, const LosslessFabric& fabric) const
{
    std::set<std::string> inUse;
    const auto add = [&inUse](TypeId type) {
        for (; type != ObjectBase::GetTypeId(); type = type.GetParent())
        {
            inUse.insert(type.GetName());
        }
    };
    for (TypeId type : fabric.GetClasses())
    {
        add(type);
    }
    add(Node::GetTypeId());
    add(RdmaClient::GetTypeId());
    // A study that gives all hosts controllers of its own does so for each scheme.
    const bool ownControllers = !inUse.count(fabric.GetScheme().controller);
    for (Scheme scheme : schemes)
    {
        scheme.controller = ownControllers ? "" : scheme.controller;
        for (TypeId type : ClassesOf(scheme))
        {
            add(type);
        }
    }
    for (const char* global : {"SchedulerType", "SimulatorImplementationType"})
    {
        StringValue type;
        GlobalValue::GetValueByName(global, type);
        add(TypeId::LookupByName(type.Get()));
    }
    const auto check = [&inUse](const std::string& place, const AttributeDefault& attribute) {
        if (!attribute.type.empty() && !inUse.count(attribute.type))
        {
            std::string list;
            for (const std::string& name : inUse)
            {
                const bool has = TypeId::LookupByName(name).GetAttributeN() > 0;
                list += has ? (list.empty() ? "" : ", ") + name : "";
            }
            throw InputError(place + attribute.type + "::" + attribute.name,
                             "an attribute of a class that takes no part in the run",
                             "one of " + list);
        }
    };
    for (const AttributeDefault& attribute : ReadEnvironmentDefaults())
    {
        check("NS_ATTRIBUTE_DEFAULT, ", attribute);
    }
    for (const AttributeDefault& attribute : m_options.GetAttributes())
    {
        check("--", attribute);
    }
}

void
LosslessStudy::Configure(LosslessFabric& fabric) const
{
    const auto given = [](const std::string& attribute) {
        return IsSetByUser("ns3::EthernetSwitch", attribute);
    };
    if (!IsSetByUser("ns3::RdmaHw", "Mtu"))
    {
        fabric.SetRdmaAttribute("Mtu", UintegerValue(m_mtu));
    }
    const bool isStatic = IsThresholdStatic();
    if (!given("Threshold"))
    {
        fabric.SetSwitchAttribute("Threshold", StringValue(isStatic ? "Static" : "Dynamic"));
    }
    if (m_xoff > 0)
    {
        std::string text = std::to_string(m_xoff);
        if (!FindUserDefault("ns3::EthernetSwitch", "Xoff", text))
        {
            fabric.SetSwitchAttribute("Xoff", UintegerValue(m_xoff));
        }
        const uint64_t xoff = std::stoull(text);
        const uint64_t below = xoff > XON_BELOW_XOFF ? xoff - XON_BELOW_XOFF : 0;
        if (!given("Xon"))
        {
            fabric.SetSwitchAttribute("Xon", UintegerValue(m_xon > 0 ? m_xon : below));
        }
    }
    if (m_buffer > 0)
    {
        fabric.SetSwitchAttribute("BufferSize", UintegerValue(m_buffer));
    }
    else if (!isStatic && !given("BufferSize"))
    {
        const std::vector<uint64_t> rates = fabric.GetHostRatesBps();
        const double fastest =
            rates.empty() ? 0 : static_cast<double>(*std::max_element(rates.begin(), rates.end()));
        fabric.SetSwitchAttribute(
            "BufferSize",
            UintegerValue(static_cast<uint64_t>(BUFFER_BYTES * (fastest / BUFFER_RATE_BPS))));
    }
    fabric.SetLosslessPriorities(GetLosslessPriorities());
}

LaneSet
LosslessStudy::GetLosslessPriorities() const
{
    LaneSet priorities = 0;
    for (const FlowSpec& flow : m_flows)
    {
        priorities |= 1 << flow.priority;
    }
    return priorities;
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

void
LosslessStudy::CheckFlows(const LosslessFabric& fabric) const
{
    const auto empty = std::find_if(m_flows.begin(), m_flows.end(), [](const FlowSpec& flow) {
        return flow.bytes == 0;
    });
    if (empty != m_flows.end())
    {
        // Flows that are as long as the run may come to nothing.
        throw InputError("traffic",
                         "flow " + std::to_string(empty->id) + " of 0 bytes",
                         "at least 1: a longer time or a higher rate");
    }
    fabric.CheckFlows(m_flows);
}

double
LosslessStudy::GetOfferedLoad(const LosslessFabric& fabric) const
{
    const int64_t ns = (GetArrivalsEnd() - GetArrivalsStart()).GetNanoSeconds();
    return m_tellLoad && ns > 0 ? ArrivalProcess::OfferedLoad(m_flows, fabric.GetHostRatesBps(), ns)
                                : RunSummary::NONE;
}

void
LosslessStudy::Describe(RunSummary& summary,
                        const Scheme& scheme,
                        const LosslessFabric& fabric) const
{
    summary.study = m_name;
    summary.scheme = scheme.name;
    summary.seed = m_seed;
    summary.ns3Version = LOSSLESS_NS3_VERSION;
    summary.offeredLoad = GetOfferedLoad(fabric);
    for (const auto& parameter : m_options.GetParameters())
    {
        // Scheme and seed have fields of their own; where the files lie changes nothing.
        if (parameter.first != "scheme" && parameter.first != "seed" && parameter.first != "out")
        {
            summary.parameters.push_back(parameter);
        }
    }
    auto& parameters = summary.parameters;
    SetParameter(parameters, "mtu", std::to_string(fabric.GetRdma(0)->GetMtu()));
    if (!fabric.GetSwitches().empty())
    {
        for (const auto& [name, value] : fabric.GetSwitches().front()->GetSettings())
        {
            SetParameter(parameters, name, value);
        }
    }
    if (!scheme.detector.empty())
    {
        summary.groups.push_back(Record("detector", scheme.detector, scheme.detectorSettings));
    }
    summary.groups.push_back(Record("controller", scheme.controller, scheme.controllerSettings));
    summary.groups.push_back(Record("rdma", "ns3::RdmaHw", scheme.rdmaSettings));
    RunSummary::Group attributes;
    attributes.name = "attributes";
    std::vector<AttributeDefault> set = m_options.GetAttributes();
    for (const AttributeDefault& attribute : GetUserDefaults())
    {
        if (!m_options.IsAttributeGiven(attribute.type, attribute.name))
        {
            set.push_back(attribute);
        }
    }
    for (const AttributeDefault& attribute : set)
    {
        attributes.parameters.emplace_back((attribute.type.empty() ? "" : attribute.type + "::") +
                                               attribute.name,
                                           attribute.value);
    }
    for (const RunSummary::Group& group :
         {attributes, FindPorts(fabric), FindControllers(scheme, fabric)})
    {
        if (!group.parameters.empty())
        {
            summary.groups.push_back(group);
        }
    }
}

RunSummary::Group
LosslessStudy::FindControllers(const Scheme& scheme, const LosslessFabric& fabric)
{
    RunSummary::Group group;
    group.name = "other_controllers";
    for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
    {
        PointerValue controller;
        fabric.GetRdma(host)->GetAttribute("RateController", controller);
        const std::string type = controller.GetObject()->GetInstanceTypeId().GetName();
        if (type != scheme.controller)
        {
            group.parameters.emplace_back(fabric.GetName(fabric.GetHostIndex(host)), type);
        }
    }
    return group;
}

RunSummary::Group
LosslessStudy::FindPorts(const LosslessFabric& fabric) const
{
    RunSummary::Group group;
    group.name = "ports";
    for (const NamedPort& port : m_ports)
    {
        const auto found =
            fabric.GetPortsBetween(fabric.GetIndex(port.node), fabric.GetIndex(port.peer));
        NS_ABORT_MSG_IF(found.size() != 1, "port " << port.name << " is not one port");
        group.parameters.emplace_back(port.name,
                                      port.node + ',' +
                                          std::to_string(found.front()->GetIfIndex()));
    }
    return group;
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
        throw InputError("--scheme", "none", "one or several of " + SchemeList());
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

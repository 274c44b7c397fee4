// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-fabric.h"

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/far-time.h"
#include "ns3/input-error.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/pointer.h"
#include "ns3/quantity.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t FIRST_IPV4 = 0x0a000001; // 10.0.0.1

/// @returns the MAC address of an endpoint: locally administered, 02:00:00:00:00:01 + number
Mac48Address
EndpointMac(uint32_t endpoint)
{
    const uint64_t number = 0x020000000001ULL + endpoint;
    uint8_t bytes[6];
    for (int i = 0; i < 6; i++)
    {
        bytes[i] = static_cast<uint8_t>(number >> (40 - 8 * i));
    }
    Mac48Address mac;
    mac.CopyFrom(bytes);
    return mac;
}

} // namespace

LosslessFabric::LosslessFabric()
    : m_scheme(FindScheme("none"))
{
    SetLink(LinkTechnologies().front());
    m_rdmaFactory.SetTypeId("ns3::RdmaHw");
}

void
LosslessFabric::RequireUnbuilt(const std::string& call) const
{
    if (m_built)
    {
        throw InputError(call, "it after Build(), where it changes nothing", "it before Build()");
    }
}

void
LosslessFabric::RequireBuilt(const std::string& call) const
{
    if (!m_built)
    {
        throw InputError(call, "it before Build()", "it after Build()");
    }
}

uint32_t
LosslessFabric::AddVertex(const std::string& name, bool isSwitch)
{
    RequireUnbuilt(isSwitch ? "AddSwitch()" : "AddHost()");
    const auto index = static_cast<uint32_t>(m_vertices.size());
    if (!m_indexOf.emplace(name, index).second)
    {
        throw InputError("node", "a second one named '" + name + "'", "another name");
    }
    const auto hosts = static_cast<uint32_t>(m_hosts.size());
    m_vertices.push_back({name, isSwitch, isSwitch ? index - hosts : hosts});
    if (!isSwitch)
    {
        m_hosts.push_back(index);
    }
    return index;
}

uint32_t
LosslessFabric::AddHost(const std::string& name)
{
    return AddVertex(name, false);
}

uint32_t
LosslessFabric::AddSwitch(const std::string& name)
{
    return AddVertex(name, true);
}

void
LosslessFabric::AddLink(uint32_t a, uint32_t b, DataRate rate, Time delay, double errorRate)
{
    RequireUnbuilt("AddLink()");
    const auto nodes = static_cast<uint32_t>(m_vertices.size());
    if (a >= nodes || b >= nodes || a == b)
    {
        throw InputError("link",
                         "nodes " + std::to_string(a) + " and " + std::to_string(b),
                         "two different ones of the " + std::to_string(nodes) + " added");
    }
    const std::string name = "link " + m_vertices[a].name + " - " + m_vertices[b].name;
    if (rate.GetBitRate() < MINIMUM_RATE_BPS || rate.GetBitRate() > MAXIMUM_RATE_BPS)
    {
        throw InputError(name,
                         "a rate of " + RateText(rate.GetBitRate()),
                         RateText(MINIMUM_RATE_BPS) + " to " + RateText(MAXIMUM_RATE_BPS));
    }
    if (delay.IsStrictlyNegative())
    {
        throw InputError(name, "a negative delay", "0 or more");
    }
    if (delay > NanoSeconds(HORIZON_NS))
    {
        throw InputError(name,
                         "a delay of " + TimeText(delay.GetNanoSeconds()),
                         "at most " + TimeText(HORIZON_NS));
    }
    if (!(errorRate >= 0 && errorRate <= 1))
    {
        throw InputError(name, "error rate " + InputError::Text(errorRate), "0 to 1");
    }
    m_edges.push_back({a, b, rate, delay, errorRate});
    m_linked.insert({a, b});
    m_linked.insert({b, a});
}

void
LosslessFabric::Build()
{
    if (m_built)
    {
        throw InputError("Build()", "a second call", "one for each fabric");
    }
    if (m_hosts.empty())
    {
        throw InputError("topology", "no host", "at least one");
    }
    m_built = true;
    m_nodes.Create(m_vertices.size());
    ResolveScheme();
    if (HasSwitchAttribute("LosslessPriorities"))
    {
        m_switchFactory.Set("LosslessPriorities", UintegerValue(m_lossless));
    }
    if (HasSwitchAttribute("EndOnLosslessDrop") &&
        std::any_of(m_edges.begin(),
                    m_edges.end(),
                    [](const Edge& e) { return e.errorRate > 0; }) &&
        !m_switchSet.count("EndOnLosslessDrop") &&
        !IsSetByUser(m_link.switchType, "EndOnLosslessDrop"))
    {
        // Links that lose frames lose pauses too: a full buffer is then no defect. It is counted.
        m_switchFactory.Set("EndOnLosslessDrop", BooleanValue(false));
    }
    for (uint32_t i = 0; i < m_vertices.size(); i++)
    {
        if (m_vertices[i].isSwitch)
        {
            Ptr<LosslessSwitch> sw = m_switchFactory.Create<LosslessSwitch>();
            m_nodes.Get(i)->AggregateObject(sw);
            m_switches.push_back(sw);
        }
    }
    for (const auto& edge : m_edges)
    {
        BuildLink(edge);
    }
    // Endpoints in the order of hosts, then of their ports, whatever the order of the links.
    for (uint32_t index : m_hosts)
    {
        Ptr<Node> node = m_nodes.Get(index);
        if (node->GetNDevices() == 0)
        {
            throw InputError("topology",
                             "host '" + m_vertices[index].name + "' without a link",
                             "at least one");
        }
        m_engineOfHost.push_back(m_engines.size());
        for (uint32_t d = 0; d < node->GetNDevices(); d++)
        {
            BuildHostPort(DynamicCast<LosslessNetDevice>(node->GetDevice(d)));
        }
    }
    const auto unreachable = m_routing.Install(m_endpoints, m_switches);
    if (!unreachable.empty())
    {
        throw InputError("topology",
                         NameOf(unreachable.front()) + " unreachable from " + NameOf(0),
                         "links and switches that join all ports of hosts, which do not forward");
    }
    InstallStaticRoutes();
    const Time baseRtt = m_scheme.detector.empty() ? Time(0) : GetLargestBaseRtt();
    for (const auto& sw : m_switches)
    {
        BuildDetectors(sw, baseRtt);
    }
    if (m_scheme.controller.empty())
    {
        PointerValue controller;
        m_engines.front()->GetAttribute("RateController", controller);
        m_scheme.controller = controller.GetObject()->GetInstanceTypeId().GetName();
    }
    WatchDefaults();
}

void
LosslessFabric::BuildLink(const Edge& edge)
{
    m_qbb.SetDeviceAttribute("DataRate", DataRateValue(edge.rate));
    m_qbb.SetChannelAttribute("Delay", TimeValue(edge.delay));
    const NetDeviceContainer devices = m_qbb.Install(m_nodes.Get(edge.a), m_nodes.Get(edge.b));
    for (uint32_t i = 0; i < 2; i++)
    {
        Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(devices.Get(i));
        if (edge.errorRate > 0)
        {
            Ptr<RateErrorModel> model = CreateObject<RateErrorModel>();
            model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            model->SetRate(edge.errorRate);
            device->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        if (m_vertices[i == 0 ? edge.a : edge.b].isSwitch)
        {
            device->GetNode()->GetObject<LosslessSwitch>()->AddPort(device);
        }
    }
}

void
LosslessFabric::BuildHostPort(Ptr<LosslessNetDevice> device)
{
    const auto endpoint = static_cast<uint32_t>(m_engines.size());
    device->SetAddress(EndpointMac(endpoint));
    Ptr<RdmaHw> hw = m_rdmaFactory.Create<RdmaHw>();
    hw->Install(device, endpoint, Ipv4Address(FIRST_IPV4 + endpoint));
    if (!m_scheme.reactionPoint.empty())
    {
        hw->SetReactionPoint(MakeFactory(m_scheme.reactionPoint, m_scheme.reactionPointSettings)
                                 .Create<ReactionPoint>());
    }
    device->AggregateObject(hw);
    m_engines.push_back(hw);
    m_endpoints.push_back(device);
}

void
LosslessFabric::BuildDetectors(Ptr<LosslessSwitch> sw, Time baseRtt)
{
    UintegerValue mtu;
    m_engines.front()->GetAttribute("Mtu", mtu);
    BooleanValue telemetry;
    m_engines.front()->GetAttribute("Telemetry", telemetry);
    LosslessSwitch::Traffic traffic;
    traffic.mtuBytes = static_cast<uint32_t>(mtu.Get());
    traffic.dataFrameBytes = m_endpoints.front()->GetEncapsulation().GetDataBytes(traffic.mtuBytes,
                                                                                  true,
                                                                                  true,
                                                                                  telemetry.Get());
    if (Ptr<ReactionPoint> point = m_engines.front()->GetReactionPoint())
    {
        traffic.tagBytes = point->GetTagBytes();
    }
    traffic.baseRtt = baseRtt;
    sw->SetTraffic(traffic);
    sw->Configure();
    if (m_scheme.detector.empty() || sw->GetNPorts() == 0)
    {
        return;
    }
    ObjectFactory factory = MakeFactory(m_scheme.detector, m_scheme.detectorSettings);
    // Learns of impossible attributes now and not when the simulation starts.
    DetectorContext context = sw->MakeDetectorContext(0, 0);
    context.baseRtt = std::max(context.baseRtt, MicroSeconds(1));
    factory.Create<CongestionDetector>()->Attach(context);
    for (uint32_t port = 0; port < sw->GetNPorts(); port++)
    {
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            if (m_lossless >> p & 1)
            {
                sw->GetPort(port)->SetDetector(p, factory.Create<CongestionDetector>());
            }
        }
    }
}

void
LosslessFabric::InstallInternetStack()
{
    RequireBuilt("InstallInternetStack()");
    if (!m_switches.empty() && m_switches.front()->GetCutThroughBytes() > 0)
    {
        throw InputError("InstallInternetStack()",
                         "it over " + m_link.name,
                         "Ethernet: IP over InfiniBand is not modelled");
    }
    for (uint32_t e = 0; e < m_engines.size(); e++)
    {
        Ptr<Node> node = m_endpoints[e]->GetNode();
        if (!node->GetObject<Ipv4>())
        {
            InternetStackHelper().Install(node);
        }
        // Holds packets back while their priority is paused, instead of dropping them at the port.
        TrafficControlHelper control;
        control.SetRootQueueDisc("ns3::LosslessQueueDisc");
        control.Install(m_endpoints[e]);
        Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(m_endpoints[e]);
        ipv4->AddAddress(interface,
                         Ipv4InterfaceAddress(m_engines[e]->GetAddress(), Ipv4Mask("255.0.0.0")));
        ipv4->SetUp(interface);
    }
}

int64_t
LosslessFabric::AssignStreams(int64_t stream)
{
    RequireBuilt("AssignStreams()");
    int64_t used = 0;
    for (const auto& device : GetPorts())
    {
        used += device->AssignStreams(stream + used);
        PointerValue model;
        device->GetAttribute("ReceiveErrorModel", model);
        if (Ptr<RateErrorModel> errors = model.Get<RateErrorModel>())
        {
            used += errors->AssignStreams(stream + used);
        }
    }
    for (const auto& engine : m_engines)
    {
        if (Ptr<ReactionPoint> point = engine->GetReactionPoint())
        {
            used += point->AssignStreams(stream + used);
        }
    }
    return used;
}

uint32_t
LosslessFabric::GetNHosts() const
{
    return m_hosts.size();
}

std::vector<uint64_t>
LosslessFabric::GetHostRatesBps() const
{
    std::vector<uint64_t> rates(m_hosts.size(), 0);
    for (const Edge& edge : m_edges)
    {
        for (uint32_t index : {edge.a, edge.b})
        {
            const Vertex& vertex = m_vertices[index];
            if (!vertex.isSwitch && rates[vertex.number] == 0)
            {
                rates[vertex.number] = edge.rate.GetBitRate();
            }
        }
    }
    return rates;
}

const NodeContainer&
LosslessFabric::GetNodes() const
{
    return m_nodes;
}

uint32_t
LosslessFabric::GetIndex(const std::string& name, const std::string& place) const
{
    const auto found = m_indexOf.find(name);
    if (found != m_indexOf.end())
    {
        return found->second;
    }
    std::vector<std::string> names;
    for (const auto& vertex : m_vertices)
    {
        names.push_back(vertex.name);
    }
    const std::string nearest = NearestName(name, names);
    throw InputError(place,
                     "'" + name + "'",
                     nearest.empty() ? "the name of a node" : "a node such as '" + nearest + "'");
}

std::string
LosslessFabric::NameOf(uint32_t endpoint) const
{
    Ptr<LosslessNetDevice> device = m_endpoints[endpoint];
    Ptr<Node> node = device->GetNode();
    const std::string host =
        "host '" + m_vertices[node->GetId() - m_nodes.Get(0)->GetId()].name + "'";
    return node->GetNDevices() == 1
               ? host
               : "port " + std::to_string(device->GetIfIndex()) + " of " + host;
}

const std::string&
LosslessFabric::NodeNameOf(const LosslessNetDevice& port) const
{
    const uint32_t first = m_nodes.Get(0)->GetId();
    return m_vertices[port.GetNode()->GetId() - first].name;
}

std::string
LosslessFabric::GetPortName(const LosslessNetDevice& port) const
{
    return NodeNameOf(port) + "[port " + std::to_string(port.GetIfIndex()) + "] -> " +
           NodeNameOf(*port.GetPeer());
}

const std::string&
LosslessFabric::GetName(uint32_t index) const
{
    if (index >= m_vertices.size())
    {
        throw InputError("node",
                         std::to_string(index),
                         "less than " + std::to_string(m_vertices.size()) + ", their number");
    }
    return m_vertices[index].name;
}

uint32_t
LosslessFabric::GetHostIndex(uint32_t host) const
{
    if (host >= m_hosts.size())
    {
        throw InputError("host",
                         std::to_string(host),
                         "less than " + std::to_string(m_hosts.size()) + ", their number");
    }
    return m_hosts[host];
}

Ptr<RdmaHw>
LosslessFabric::GetRdma(uint32_t host) const
{
    RequireBuilt("GetRdma()");
    GetHostIndex(host);
    return m_engines.at(m_engineOfHost.at(host));
}

const std::vector<Ptr<RdmaHw>>&
LosslessFabric::GetRdmaEngines() const
{
    return m_engines;
}

const std::vector<Ptr<LosslessSwitch>>&
LosslessFabric::GetSwitches() const
{
    return m_switches;
}

std::vector<Ptr<LosslessNetDevice>>
LosslessFabric::GetPorts() const
{
    std::vector<Ptr<LosslessNetDevice>> ports;
    for (auto node = m_nodes.Begin(); node != m_nodes.End(); ++node)
    {
        for (uint32_t d = 0; d < (*node)->GetNDevices(); d++)
        {
            if (Ptr<LosslessNetDevice> device =
                    DynamicCast<LosslessNetDevice>((*node)->GetDevice(d)))
            {
                ports.push_back(device);
            }
        }
    }
    return ports;
}

std::vector<Ptr<LosslessNetDevice>>
LosslessFabric::GetPortsBetween(uint32_t from, uint32_t to) const
{
    RequireBuilt("GetPortsBetween()");
    GetName(std::max(from, to));
    std::vector<Ptr<LosslessNetDevice>> ports;
    Ptr<Node> node = m_nodes.Get(from);
    for (uint32_t d = 0; d < node->GetNDevices(); d++)
    {
        Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(node->GetDevice(d));
        if (device && device->GetPeer()->GetNode() == m_nodes.Get(to))
        {
            ports.push_back(device);
        }
    }
    return ports;
}

QbbHelper&
LosslessFabric::GetQbbHelper()
{
    return m_qbb;
}

} // namespace ns3

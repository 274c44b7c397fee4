// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-fabric.h"

#include "ns3/attribute-text.h"
#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/far-time.h"
#include "ns3/frame-format.h"
#include "ns3/input-error.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/link-time.h"
#include "ns3/path-timing.h"
#include "ns3/pointer.h"
#include "ns3/quantity.h"
#include "ns3/rdma-client.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

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

/// Tells, when the simulation starts, of a default that was set too late. A node's part, because
/// the start of a node is an event that there is anyway.
class DefaultsGuard : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LosslessDefaultsGuard")
                                .SetParent<Object>()
                                .SetGroupName("Lossless")
                                .HideFromDocumentation();
        return tid;
    }

    DefaultsSnapshot defaults; //!< of the classes in use

  private:
    void DoInitialize() override
    {
        defaults.Check();
        Object::DoInitialize();
    }
};

/// @throws InputError if a class does not take a value for one of its attributes
void
CheckSetting(const std::string& call,
             const std::string& type,
             const std::string& name,
             const AttributeValue& value)
{
    const auto info = FindAttribute(call, TypeId::LookupByName(type), name).info;
    const std::string place = call + ", " + type + "::" + name;
    if (const auto* text = dynamic_cast<const StringValue*>(&value))
    {
        CheckAttributeText(place, info.checker, text->Get());
    }
    else if (!info.checker->CreateValidValue(value))
    {
        throw InputError(place,
                         value.SerializeToString(info.checker),
                         "a value of " + (info.checker->HasUnderlyingTypeInformation()
                                              ? info.checker->GetUnderlyingTypeInformation()
                                              : info.checker->GetValueTypeName()));
    }
}

/// @returns a set of priorities as text, such as 3 or 0, 3
std::string
PriorityText(PrioritySet priorities)
{
    std::string text;
    for (uint8_t p = 0; p < PRIORITIES; p++)
    {
        if (priorities >> p & 1)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(p);
        }
    }
    return text.empty() ? "none" : text;
}

} // namespace

LosslessFabric::LosslessFabric()
    : m_scheme(FindScheme("none"))
{
    m_switchFactory.SetTypeId("ns3::EthernetSwitch");
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
LosslessFabric::SetScheme(const Scheme& scheme)
{
    RequireUnbuilt("SetScheme()");
    m_scheme = scheme;
}

const Scheme&
LosslessFabric::GetScheme() const
{
    return m_scheme;
}

void
LosslessFabric::SetLosslessPriorities(PrioritySet priorities)
{
    RequireUnbuilt("SetLosslessPriorities()");
    m_lossless = priorities;
}

void
LosslessFabric::SetLossyPriorities(PrioritySet priorities)
{
    RequireUnbuilt("SetLossyPriorities()");
    m_lossy = priorities;
}

void
LosslessFabric::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    RequireUnbuilt("SetSwitchAttribute(" + name + ")");
    if (name == "LosslessPriorities")
    {
        throw InputError("SetSwitchAttribute", name, "SetLosslessPriorities()");
    }
    if (name == "DataMtu")
    {
        throw InputError("SetSwitchAttribute", name, "SetRdmaAttribute() for Mtu");
    }
    CheckSetting("SetSwitchAttribute", "ns3::EthernetSwitch", name, value);
    m_switchFactory.Set(name, value);
    m_switchSet.insert(name);
}

void
LosslessFabric::SetRdmaAttribute(const std::string& name, const AttributeValue& value)
{
    RequireUnbuilt("SetRdmaAttribute(" + name + ")");
    CheckSetting("SetRdmaAttribute", "ns3::RdmaHw", name, value);
    m_rdmaFactory.Set(name, value);
    TypeId::AttributeInformation info;
    m_rdmaFactory.GetTypeId().LookupAttributeByName(name, &info);
    m_rdmaSet[name] = AttributeText(value, info.checker);
}

void
LosslessFabric::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    RequireUnbuilt("SetDeviceAttribute(" + name + ")");
    if (name == "DataRate")
    {
        throw InputError("SetDeviceAttribute", name, "a rate for each link by AddLink()");
    }
    CheckSetting("SetDeviceAttribute", "ns3::QbbNetDevice", name, value);
    m_qbb.SetDeviceAttribute(name, value);
}

void
LosslessFabric::CheckDecided() const
{
    // What is set for each object would silently win over these.
    std::vector<std::array<const char*, 3>> decided = {
        {"ns3::QbbNetDevice", "DataRate", "a rate for each link by AddLink()"},
        {"ns3::QbbChannel", "Delay", "a delay for each link by AddLink()"},
        {"ns3::EthernetSwitch", "LosslessPriorities", "SetLosslessPriorities()"},
        {"ns3::EthernetSwitch", "DataMtu", "ns3::RdmaHw::Mtu"},
    };
    if (std::any_of(m_edges.begin(), m_edges.end(), [](const Edge& e) { return e.errorRate > 0; }))
    {
        const char* instead = "an error rate for each link by AddLink()";
        decided.push_back({"ns3::RateErrorModel", "ErrorRate", instead});
        decided.push_back({"ns3::RateErrorModel", "ErrorUnit", instead});
    }
    for (const auto& [type, name, instead] : decided)
    {
        if (IsChangedByUser(type, name))
        {
            throw InputError(std::string(type) + "::" + name, "a default of it", instead);
        }
    }
}

void
LosslessFabric::ResolveScheme()
{
    ReadEnvironmentDefaults(); // wrong ones, too, are told now
    CheckDecided();
    CheckScheme(m_scheme);
    m_scheme = WithUserDefaults(m_scheme);
    for (auto& setting : m_scheme.rdmaSettings)
    {
        const auto set = m_rdmaSet.find(setting.attribute);
        if (set != m_rdmaSet.end())
        {
            setting.value = set->second;
        }
        else
        {
            m_rdmaFactory.Set(setting.attribute, StringValue(setting.value));
        }
    }
    if (m_rdmaSet.count("RateController") || IsSetByUser("ns3::RdmaHw", "RateController"))
    {
        m_scheme.controller.clear(); // the hosts have their own
        m_scheme.controllerSettings.clear();
    }
    else if (!m_scheme.controller.empty())
    {
        m_rdmaFactory.Set("RateController",
                          PointerValue(MakeFactory(m_scheme.controller, m_scheme.controllerSettings)
                                           .Create<RateController>()));
    }
}

ObjectFactory
LosslessFabric::MakeFactory(const std::string& typeId,
                            const std::vector<Scheme::Setting>& settings) const
{
    ObjectFactory factory(typeId);
    for (const auto& setting : settings)
    {
        factory.Set(setting.attribute, StringValue(setting.value));
    }
    return factory;
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
    m_switchFactory.Set("LosslessPriorities", UintegerValue(m_lossless));
    if (std::any_of(m_edges.begin(),
                    m_edges.end(),
                    [](const Edge& e) { return e.errorRate > 0; }) &&
        !m_switchSet.count("EndOnLosslessDrop") &&
        !IsSetByUser("ns3::EthernetSwitch", "EndOnLosslessDrop"))
    {
        // Links that lose frames lose pauses too: a full buffer is then no defect. It is counted.
        m_switchFactory.Set("EndOnLosslessDrop", BooleanValue(false));
    }
    for (uint32_t i = 0; i < m_vertices.size(); i++)
    {
        if (m_vertices[i].isSwitch)
        {
            Ptr<EthernetSwitch> sw = m_switchFactory.Create<EthernetSwitch>();
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
            BuildHostPort(DynamicCast<QbbNetDevice>(node->GetDevice(d)));
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
    m_defaults.Take(GetClasses());
    Ptr<DefaultsGuard> guard = CreateObject<DefaultsGuard>();
    guard->defaults = m_defaults;
    m_nodes.Get(0)->AggregateObject(guard);
}

void
LosslessFabric::BuildLink(const Edge& edge)
{
    m_qbb.SetDeviceAttribute("DataRate", DataRateValue(edge.rate));
    m_qbb.SetChannelAttribute("Delay", TimeValue(edge.delay));
    const NetDeviceContainer devices = m_qbb.Install(m_nodes.Get(edge.a), m_nodes.Get(edge.b));
    for (uint32_t i = 0; i < 2; i++)
    {
        Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>(devices.Get(i));
        if (edge.errorRate > 0)
        {
            Ptr<RateErrorModel> model = CreateObject<RateErrorModel>();
            model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            model->SetRate(edge.errorRate);
            device->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        if (m_vertices[i == 0 ? edge.a : edge.b].isSwitch)
        {
            device->GetNode()->GetObject<EthernetSwitch>()->AddPort(device);
        }
    }
}

void
LosslessFabric::BuildHostPort(Ptr<QbbNetDevice> device)
{
    const auto endpoint = static_cast<uint32_t>(m_engines.size());
    device->SetAddress(EndpointMac(endpoint));
    Ptr<RdmaHw> hw = m_rdmaFactory.Create<RdmaHw>();
    hw->Install(device, endpoint, Ipv4Address(FIRST_IPV4 + endpoint));
    device->AggregateObject(hw);
    m_engines.push_back(hw);
    m_endpoints.push_back(device);
}

void
LosslessFabric::BuildDetectors(Ptr<EthernetSwitch> sw, Time baseRtt)
{
    UintegerValue mtu;
    m_engines.front()->GetAttribute("Mtu", mtu);
    BooleanValue telemetry;
    m_engines.front()->GetAttribute("Telemetry", telemetry);
    const uint64_t largest = DataFrameBytes(mtu.Get(), true, true, telemetry.Get());
    UintegerValue frame;
    sw->GetAttribute("MaxFrameSize", frame);
    sw->SetAttribute("MaxFrameSize", UintegerValue(std::max<uint64_t>(frame.Get(), largest)));
    sw->SetAttribute("DataMtu", mtu);
    sw->ConfigureBuffer();
    if (m_scheme.detector.empty() || sw->GetNPorts() == 0)
    {
        return;
    }
    TimeValue baseRttAsSet;
    sw->GetAttribute("BaseRtt", baseRttAsSet);
    if (baseRttAsSet.Get().IsZero())
    {
        sw->SetAttribute("BaseRtt", TimeValue(baseRtt));
    }
    ObjectFactory factory = MakeFactory(m_scheme.detector, m_scheme.detectorSettings);
    // Learns of impossible attributes now and not when the simulation starts.
    DetectorContext context;
    context.rateBps = sw->GetPort(0)->GetDataRate().GetBitRate();
    context.baseRtt = MicroSeconds(1);
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

void
LosslessFabric::CheckFlows(const std::vector<FlowSpec>& flows) const
{
    std::vector<uint32_t> ids = m_flowIds;
    const bool buffers = m_hosts.size() < m_vertices.size(); // hosts side by side lose nothing
    for (const auto& flow : flows)
    {
        ids.push_back(flow.id);
        const auto fail = [&flow](const std::string& found, const std::string& expected) {
            throw InputError("flow " + std::to_string(flow.id), found, expected);
        };
        for (const auto& [end, host] : {std::pair<const char*, uint32_t>("source", flow.src),
                                        std::pair<const char*, uint32_t>("destination", flow.dst)})
        {
            if (host >= GetNHosts())
            {
                fail(end + (" host " + std::to_string(host)),
                     "0 to " + std::to_string(static_cast<int64_t>(GetNHosts()) - 1));
            }
        }
        if (flow.src == flow.dst)
        {
            fail("host " + std::to_string(flow.src) + " as source and destination",
                 "two different hosts");
        }
        if (flow.bytes == 0)
        {
            fail("0 bytes", "at least 1");
        }
        if (flow.priority >= PRIORITIES)
        {
            fail("priority " + std::to_string(flow.priority), "0 to 7");
        }
        if (buffers && !((m_lossless | m_lossy) >> flow.priority & 1))
        {
            fail("priority " + std::to_string(flow.priority) + ", which may lose frames",
                 "one of the lossless priorities (" + PriorityText(m_lossless) +
                     ", see SetLosslessPriorities()), or SetLossyPriorities() for it");
        }
        if (flow.startNs < 0 || flow.startNs > HORIZON_NS)
        {
            fail("a start at " + std::to_string(flow.startNs) + " ns",
                 "0 to " + TimeText(HORIZON_NS));
        }
        if (flow.after != FlowSpec::NONE &&
            (flow.after >= flow.id || flow.after >= flows.size() ||
             flows[flow.after].id != flow.after || flows[flow.after].src != flow.src))
        {
            fail("it to start after flow " + std::to_string(flow.after),
                 "an earlier flow of the same host");
        }
    }
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end())
    {
        throw InputError("flow " + std::to_string(*twice),
                         "a second flow of that number",
                         "each number once");
    }
}

void
LosslessFabric::InstallFlows(const std::vector<FlowSpec>& flows)
{
    RequireBuilt("InstallFlows()");
    m_defaults.Check();
    CheckFlows(flows);
    BooleanValue write;
    m_engines.front()->GetAttribute("RdmaWrite", write);
    std::vector<Ptr<RdmaClient>> clients(GetNHosts());
    for (const auto& flow : flows)
    {
        if (write.Get() && flow.bytes > std::numeric_limits<uint32_t>::max())
        {
            throw InputError("flow " + std::to_string(flow.id),
                             "an RDMA WRITE of " + std::to_string(flow.bytes) + " bytes",
                             "less than 4 GiB, the limit of its header");
        }
        Ptr<RdmaClient>& client = clients.at(flow.src);
        if (!client)
        {
            client = CreateObject<RdmaClient>();
            client->SetRdmaHw(GetRdma(flow.src));
            m_nodes.Get(m_hosts[flow.src])->AddApplication(client);
        }
        RdmaHw::Message message;
        message.flow = flow.id;
        message.bytes = flow.bytes;
        message.priority = flow.priority;
        message.udpSource = GetUdpSource(flow);
        message.baseRtt = GetBaseRtt(flow);
        client->AddMessage(GetRdma(flow.dst), message, NanoSeconds(flow.startNs), flow.after);
        m_flowIds.push_back(flow.id);
    }
    std::sort(m_flowIds.begin(), m_flowIds.end());
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
    Ptr<QbbNetDevice> device = m_endpoints[endpoint];
    Ptr<Node> node = device->GetNode();
    const std::string host =
        "host '" + m_vertices[node->GetId() - m_nodes.Get(0)->GetId()].name + "'";
    return node->GetNDevices() == 1
               ? host
               : "port " + std::to_string(device->GetIfIndex()) + " of " + host;
}

const std::string&
LosslessFabric::NodeNameOf(const QbbNetDevice& port) const
{
    const uint32_t first = m_nodes.Get(0)->GetId();
    return m_vertices[port.GetNode()->GetId() - first].name;
}

std::string
LosslessFabric::GetPortName(const QbbNetDevice& port) const
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

std::vector<TypeId>
LosslessFabric::GetClasses() const
{
    RequireBuilt("GetClasses()");
    std::set<TypeId> classes;
    const auto add = [&classes](Ptr<const Object> object) {
        for (TypeId type = object ? object->GetInstanceTypeId() : Object::GetTypeId();
             classes.insert(type).second;)
        {
            type = type.GetParent();
        }
    };
    for (const auto& sw : m_switches)
    {
        add(sw);
    }
    for (const auto& port : GetPorts())
    {
        add(port);
        add(port->GetChannel());
        add(port->GetScheduler());
        PointerValue model;
        port->GetAttribute("ReceiveErrorModel", model);
        add(model.GetObject());
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            add(port->GetDetector(p));
        }
    }
    for (const auto& engine : m_engines)
    {
        add(engine);
        PointerValue controller;
        engine->GetAttribute("RateController", controller);
        Ptr<const Object> object = controller.GetObject();
        add(object);
        for (TypeId inner : ClassesWithin(object))
        {
            classes.insert(inner);
        }
    }
    return {classes.begin(), classes.end()};
}

const std::vector<Ptr<RdmaHw>>&
LosslessFabric::GetRdmaEngines() const
{
    return m_engines;
}

const std::vector<Ptr<EthernetSwitch>>&
LosslessFabric::GetSwitches() const
{
    return m_switches;
}

std::vector<Ptr<QbbNetDevice>>
LosslessFabric::GetPorts() const
{
    std::vector<Ptr<QbbNetDevice>> ports;
    for (auto node = m_nodes.Begin(); node != m_nodes.End(); ++node)
    {
        for (uint32_t d = 0; d < (*node)->GetNDevices(); d++)
        {
            if (Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>((*node)->GetDevice(d)))
            {
                ports.push_back(device);
            }
        }
    }
    return ports;
}

std::vector<Ptr<QbbNetDevice>>
LosslessFabric::GetPortsBetween(uint32_t from, uint32_t to) const
{
    RequireBuilt("GetPortsBetween()");
    GetName(std::max(from, to));
    std::vector<Ptr<QbbNetDevice>> ports;
    Ptr<Node> node = m_nodes.Get(from);
    for (uint32_t d = 0; d < node->GetNDevices(); d++)
    {
        Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>(node->GetDevice(d));
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

uint16_t
LosslessFabric::GetUdpSource(const FlowSpec& flow)
{
    // The dynamic ports, as RoCEv2 NICs choose them.
    return 0xc000 | (flow.id & 0x3fff);
}

std::vector<Ptr<QbbNetDevice>>
LosslessFabric::GetPath(const FlowSpec& flow) const
{
    Ptr<RdmaHw> source = GetRdma(flow.src);
    Ptr<RdmaHw> destination = GetRdma(flow.dst);
    return m_routing.GetPath(source->GetEndpoint(),
                             destination->GetEndpoint(),
                             source->GetFlowHash(GetUdpSource(flow), destination));
}

Time
LosslessFabric::GetBaseRtt(const FlowSpec& flow) const
{
    FlowSpec frame = flow;
    frame.bytes = GetRdma(flow.src)->GetMtu();
    return GetIdealFct(frame);
}

Time
LosslessFabric::GetLargestBaseRtt() const
{
    RequireBuilt("GetLargestBaseRtt()");

    // What a data frame and an ACK take over one link, or over the longest of equal-cost paths. The
    // ACK of data goes by the paths back, which may be others.
    struct Ways
    {
        int64_t dataPs;
        int64_t ackPs;
    };

    // Hosts of one switch with equal links have equal paths, so one of them stands for all, unless
    // there are static routes to it.
    struct Group
    {
        Ptr<EthernetSwitch> home; // switch
        Ways up;                  // from the host
        Ways down;                // to the host
        uint32_t endpoint;        // of one of them
        uint32_t size;            // endpoints
    };

    const RdmaHw& hw = *m_engines.front();
    const uint32_t dataBytes = hw.GetDataFrameBytes(hw.GetMtu(), 0);
    const auto cross = [&](const QbbNetDevice& port) {
        return Ways{CrossingPs(port, dataBytes), CrossingPs(port, hw.GetAckFrameBytes())};
    };
    const auto equal = [](const Ways& a, const Ways& b) {
        return a.dataPs == b.dataPs && a.ackPs == b.ackPs;
    };
    const uint32_t firstNode = m_nodes.Get(0)->GetId();
    std::vector<Group> groups;
    for (uint32_t e = 0; e < m_endpoints.size(); e++)
    {
        Ptr<QbbNetDevice> peer = m_endpoints[e]->GetPeer();
        Ptr<EthernetSwitch> home = peer->GetNode()->GetObject<EthernetSwitch>();
        if (!home)
        {
            continue;
        }
        const Group fresh{home, cross(*m_endpoints[e]), cross(*peer), e, 1};
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
            return g.home == fresh.home && equal(g.up, fresh.up) && equal(g.down, fresh.down) &&
                   !m_isRouted[e] && !m_isRouted[g.endpoint];
        });
        if (found == groups.end())
        {
            groups.push_back(fresh);
        }
        else
        {
            found->size++;
        }
    }
    std::vector<std::vector<Ways>> ways; // by group that is the destination, then by source
    for (const Group& to : groups)
    {
        constexpr int64_t UNKNOWN = -1;
        std::vector<Ways> rests(m_vertices.size(), {UNKNOWN, UNKNOWN}); // by node, to the host `to`
        const std::function<Ways(Ptr<EthernetSwitch>)> find = [&](Ptr<EthernetSwitch> sw) {
            Ways& rest = rests[sw->GetObject<Node>()->GetId() - firstNode];
            if (rest.dataPs == UNKNOWN)
            {
                rest = {0, 0};
                for (uint32_t port : sw->GetRoutes(to.endpoint))
                {
                    Ptr<QbbNetDevice> device = sw->GetPort(port);
                    Ptr<EthernetSwitch> next =
                        device->GetPeer()->GetNode()->GetObject<EthernetSwitch>();
                    const Ways link = cross(*device);
                    const Ways beyond = next ? find(next) : Ways{0, 0};
                    rest.dataPs = std::max(rest.dataPs, link.dataPs + beyond.dataPs);
                    rest.ackPs = std::max(rest.ackPs, link.ackPs + beyond.ackPs);
                }
            }
            return rest;
        };
        ways.emplace_back();
        for (const Group& from : groups)
        {
            const Ways rest = find(from.home);
            ways.back().push_back({from.up.dataPs + rest.dataPs, from.up.ackPs + rest.ackPs});
        }
    }
    int64_t largestPs = 0;
    for (std::size_t to = 0; to < groups.size(); to++)
    {
        for (std::size_t from = 0; from < groups.size(); from++)
        {
            if (from != to || groups[to].size > 1)
            {
                largestPs = std::max(largestPs, ways[to][from].dataPs + ways[from][to].ackPs);
            }
        }
    }
    return EventTime(largestPs);
}

Time
LosslessFabric::GetIdealFct(const FlowSpec& flow) const
{
    Ptr<RdmaHw> source = GetRdma(flow.src);
    Ptr<RdmaHw> destination = GetRdma(flow.dst);
    const uint32_t packets = source->GetPackets(flow.bytes);
    // A RETH makes the first frame longer; those between first and last are alike.
    const FrameTrain::Sizes data{source->GetDataFrameBytes(flow.bytes, 0),
                                 source->GetDataFrameBytes(flow.bytes, packets > 2 ? 1 : 0),
                                 source->GetDataFrameBytes(flow.bytes, packets - 1)};
    // With several paths of equal length the acknowledgements may come back by another one.
    const PortPath ackPath =
        m_routing.GetPath(destination->GetEndpoint(),
                          source->GetEndpoint(),
                          destination->GetFlowHash(GetUdpSource(flow), source));
    const int64_t ps = MessageTimePs(GetPath(flow),
                                     ackPath,
                                     packets,
                                     data,
                                     source->GetAckInterval(),
                                     source->GetAckFrameBytes());
    if (ps / 1000 > HORIZON_NS)
    {
        throw InputError("flow " + std::to_string(flow.id),
                         std::to_string(flow.bytes) + " B, which take " +
                             std::to_string(ps / 1000000000000) + " s or more on its path",
                         "what ends within the " + std::to_string(HORIZON_NS / 1000000000) +
                             " s to which a run counts time");
    }
    return EventTime(ps);
}

} // namespace ns3

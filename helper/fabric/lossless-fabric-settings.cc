// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// What a LosslessFabric is set to: scheme, priorities, attributes, and what comes before what.

#include "lossless-fabric.h"

#include "ns3/attribute-text.h"
#include "ns3/channel.h"
#include "ns3/input-error.h"
#include "ns3/link-time.h"
#include "ns3/pointer.h"
#include "ns3/reusable-event.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <set>

namespace ns3
{

namespace
{

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

    DefaultsGuard()
        : m_report(this)
    {
    }

    DefaultsSnapshot defaults; //!< of the classes in use

  private:
    void DoInitialize() override
    {
        try
        {
            defaults.Check();
        }
        catch (const InputError&)
        {
            // Thrown here it would leak ns-3's event, and with it the node.
            m_report.Arm(NowPs(), NowPs());
        }
        Object::DoInitialize();
    }

    /// @throws InputError again
    void Report(int64_t)
    {
        defaults.Check();
    }

    ReusableEvent<DefaultsGuard, &DefaultsGuard::Report> m_report; //!< only of an error
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

} // namespace

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
LosslessFabric::SetLink(const LinkTechnology& link)
{
    RequireUnbuilt("SetLink()");
    if (!m_switchSet.empty() || m_deviceSet)
    {
        throw InputError("SetLink()",
                         "it after an attribute of " + m_link.name + "'s switches or ports",
                         "it before them");
    }
    m_link = link;
    m_qbb.SetDeviceType(link.deviceType);
    m_switchFactory.SetTypeId(link.switchType);
}

const LinkTechnology&
LosslessFabric::GetLink() const
{
    return m_link;
}

bool
LosslessFabric::HasSwitchAttribute(const std::string& name) const
{
    TypeId::AttributeInformation info;
    return m_switchFactory.GetTypeId().LookupAttributeByName(name, &info);
}

void
LosslessFabric::SetLosslessPriorities(LaneSet priorities)
{
    RequireUnbuilt("SetLosslessPriorities()");
    m_lossless = priorities;
}

void
LosslessFabric::SetLossyPriorities(LaneSet priorities)
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
    CheckSetting("SetSwitchAttribute", m_link.switchType, name, value);
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
    CheckSetting("SetDeviceAttribute", m_link.deviceType, name, value);
    m_qbb.SetDeviceAttribute(name, value);
    m_deviceSet = true;
}

void
LosslessFabric::CheckDecided() const
{
    // What is set for each object would silently win over these.
    std::vector<std::array<std::string, 3>> decided = {
        {m_link.deviceType, "DataRate", "a rate for each link by AddLink()"},
        {"ns3::LosslessChannel", "Delay", "a delay for each link by AddLink()"},
    };
    if (HasSwitchAttribute("LosslessPriorities"))
    {
        decided.push_back({m_link.switchType, "LosslessPriorities", "SetLosslessPriorities()"});
    }
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
            throw InputError(type + "::" + name, "a default of it", instead);
        }
    }
}

void
LosslessFabric::ResolveScheme()
{
    ReadEnvironmentDefaults(); // wrong ones, too, are told now
    CheckDecided();
    CheckScheme(m_scheme);
    if (!m_scheme.reactionPoint.empty() && m_link.deviceType != "ns3::QbbNetDevice")
    {
        throw InputError("scheme '" + m_scheme.name + "'",
                         "links of " + m_link.name,
                         "ethernet, whose frames its reaction point limits");
    }
    m_scheme = WithUserDefaults(m_scheme);
    CheckLink(m_scheme, m_link);
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
        add(engine->GetReactionPoint());
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

void
LosslessFabric::WatchDefaults()
{
    m_defaults.Take(GetClasses());
    Ptr<DefaultsGuard> guard = CreateObject<DefaultsGuard>();
    guard->defaults = m_defaults;
    m_nodes.Get(0)->AggregateObject(guard);
}

} // namespace ns3

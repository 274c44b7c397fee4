// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "user-defaults.h"

#include "ns3/attribute-text.h"
#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/json-writer.h"
#include "ns3/nstime.h"
#include "ns3/quantity.h"
#include "ns3/rate-controller.h"
#include "ns3/rdma-hw.h"
#include "ns3/reaction-point.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

const char* const VARIABLE = "NS_ATTRIBUTE_DEFAULT";

/// (class, attribute of it, its name, value): whether there is a value for it
using Lookup =
    std::function<bool(TypeId, const DeclaredAttribute&, const std::string&, std::string&)>;

/// @returns the parts of NS_ATTRIBUTE_DEFAULT, unchecked, with the class and the attribute in type
std::vector<AttributeDefault>
SplitEnvironment()
{
    std::vector<AttributeDefault> parts;
    const char* variable = std::getenv(VARIABLE);
    std::istringstream list(variable ? variable : "");
    for (std::string part; std::getline(list, part, ';');)
    {
        if (!part.empty())
        {
            const std::size_t equals = part.find('=');
            const bool hasValue = equals != std::string::npos;
            parts.push_back({part.substr(0, equals), "", hasValue ? part.substr(equals + 1) : ""});
        }
    }
    return parts;
}

bool
FindDefault(const DeclaredAttribute& attribute, const std::string& name, std::string& value)
{
    const std::string fullName = attribute.declares.GetName() + "::" + name;
    for (const AttributeDefault& part : SplitEnvironment())
    {
        if (part.type == fullName)
        {
            value = part.value;
            return true;
        }
    }
    const auto& info = attribute.info;
    if (info.initialValue == info.originalInitialValue)
    {
        return false;
    }
    value = AttributeText(*info.initialValue, info.checker);
    return true;
}

/// @returns whether two texts are the same value
bool
IsSame(const Ptr<const AttributeChecker>& checker, const std::string& a, const std::string& b)
{
    Ptr<AttributeValue> first = checker->CreateValidValue(StringValue(a));
    Ptr<AttributeValue> second = checker->CreateValidValue(StringValue(b));
    return first && second && AttributeText(*first, checker) == AttributeText(*second, checker);
}

void
Replace(const std::string& place,
        const std::string& typeName,
        std::vector<Scheme::Setting>& settings,
        const Lookup& lookup)
{
    TypeId type;
    if (typeName.empty() || !TypeId::LookupByNameFailSafe(typeName, &type))
    {
        return;
    }
    for (Scheme::Setting& setting : settings)
    {
        const DeclaredAttribute attribute = FindAttribute(place, type, setting.attribute);
        std::string value;
        if (lookup(type, attribute, setting.attribute, value) &&
            !IsSame(attribute.info.checker, setting.value, value))
        {
            setting.value = value;
        }
        // A controller within a controller
        std::string innerType;
        std::vector<Scheme::Setting> innerSettings;
        if (ReadFactory(setting.value, innerType, innerSettings))
        {
            Replace(place, innerType, innerSettings, lookup);
            setting.value = FactoryText(innerType, innerSettings);
        }
    }
}

Scheme
WithLookup(const Scheme& scheme, const Lookup& lookup)
{
    const std::string place = "scheme '" + scheme.name + "'";
    Scheme result = scheme;
    Replace(place, result.detector, result.detectorSettings, lookup);
    Replace(place, result.controller, result.controllerSettings, lookup);
    Replace(place, result.reactionPoint, result.reactionPointSettings, lookup);
    Replace(place, "ns3::RdmaHw", result.rdmaSettings, lookup);
    return result;
}

void
CheckSettings(const std::string& place, TypeId type, const std::vector<Scheme::Setting>& settings)
{
    for (const Scheme::Setting& setting : settings)
    {
        const DeclaredAttribute attribute = FindAttribute(place, type, setting.attribute);
        CheckAttributeText(place + ", " + attribute.declares.GetName() + "::" + setting.attribute,
                           attribute.info.checker,
                           setting.value);
    }
}

/// Adds a class and those that its settings name.
void
AddClasses(const std::string& typeName,
           const std::vector<Scheme::Setting>& settings,
           std::vector<TypeId>& classes)
{
    TypeId type;
    if (typeName.empty() || !TypeId::LookupByNameFailSafe(typeName, &type))
    {
        return;
    }
    classes.push_back(type);
    for (const Scheme::Setting& setting : settings)
    {
        std::string inner;
        std::vector<NamedText> attributes;
        const auto attribute = FindAttribute(typeName, type, setting.attribute);
        if (dynamic_cast<const ClassChecker*>(PeekPointer(attribute.info.checker)) &&
            ReadClassText(setting.value, inner, attributes))
        {
            AddClasses(inner, {}, classes);
        }
    }
}

} // namespace

std::string
AttributeText(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        const int64_t ns = time->Get().GetNanoSeconds();
        if (ns >= 0 && NanoSeconds(ns) == time->Get())
        {
            return TimeText(ns);
        }
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(&value))
    {
        // ns-3 knows no terabits.
        const uint64_t bps = rate->Get().GetBitRate();
        constexpr uint64_t GIGA = 1000000000;
        return bps == 0          ? "0b/s"
               : bps % GIGA == 0 ? std::to_string(bps / GIGA) + "Gb/s"
                                 : RateText(bps);
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return JsonWriter::Number(number->Get());
    }
    return value.SerializeToString(checker);
}

bool
FindUserDefault(const std::string& type, const std::string& name, std::string& value)
{
    return FindDefault(FindAttribute(type, TypeId::LookupByName(type), name), name, value);
}

bool
IsSetByUser(const std::string& type, const std::string& name)
{
    std::string value;
    return FindUserDefault(type, name, value);
}

bool
IsChangedByUser(const std::string& type, const std::string& name)
{
    const DeclaredAttribute attribute = FindAttribute(type, TypeId::LookupByName(type), name);
    const auto& info = attribute.info;
    std::string value;
    return FindDefault(attribute, name, value) &&
           !IsSame(info.checker, value, AttributeText(*info.originalInitialValue, info.checker));
}

std::vector<AttributeDefault>
GetUserDefaults()
{
    std::vector<AttributeDefault> defaults = ReadEnvironmentDefaults();
    const auto isKnown = [&defaults](const std::string& type, const std::string& name) {
        return std::any_of(defaults.begin(), defaults.end(), [&](const AttributeDefault& d) {
            return d.type == type && d.name == name;
        });
    };
    for (uint16_t t = 0; t < TypeId::GetRegisteredN(); t++)
    {
        const TypeId type = TypeId::GetRegistered(t);
        for (std::size_t i = 0; i < type.GetAttributeN(); i++)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            if (info.initialValue != info.originalInitialValue &&
                !isKnown(type.GetName(), info.name))
            {
                defaults.push_back(
                    {type.GetName(), info.name, AttributeText(*info.initialValue, info.checker)});
            }
        }
    }
    std::sort(defaults.begin(), defaults.end(), [](const auto& a, const auto& b) {
        return std::tie(a.type, a.name) < std::tie(b.type, b.name);
    });
    return defaults;
}

std::vector<AttributeDefault>
ReadEnvironmentDefaults()
{
    std::vector<AttributeDefault> defaults;
    for (const AttributeDefault& part : SplitEnvironment())
    {
        const std::string place = std::string(VARIABLE) + ", " + part.type;
        const std::size_t colons = part.type.rfind("::");
        TypeId type;
        if (colons == std::string::npos || colons == 0 ||
            !TypeId::LookupByNameFailSafe(part.type.substr(0, colons), &type))
        {
            std::vector<std::string> names;
            for (uint16_t t = 0; t < TypeId::GetRegisteredN(); t++)
            {
                names.push_back(TypeId::GetRegistered(t).GetName());
            }
            throw InputError(VARIABLE,
                             "'" + part.type + "'",
                             "ns3::Class::Attribute=value of a class that exists" +
                                 DidYouMean(part.type.substr(0, colons), names));
        }
        const std::string name = part.type.substr(colons + 2);
        const DeclaredAttribute attribute = FindAttribute(VARIABLE, type, name);
        if (attribute.declares != type)
        {
            throw InputError(VARIABLE,
                             "'" + part.type + "'",
                             "the class that declares it, " + attribute.declares.GetName());
        }
        CheckAttributeText(place, attribute.info.checker, part.value);
        defaults.push_back({type.GetName(), name, part.value});
    }
    return defaults;
}

void
CheckScheme(const Scheme& scheme)
{
    const std::string place = "scheme '" + scheme.name + "'";
    if (!scheme.detector.empty())
    {
        const TypeId type =
            FindClass(place + ", detector", scheme.detector, CongestionDetector::GetTypeId());
        CheckSettings(place, type, scheme.detectorSettings);
    }
    if (!scheme.controller.empty())
    {
        const TypeId type =
            FindClass(place + ", controller", scheme.controller, RateController::GetTypeId());
        CheckSettings(place, type, scheme.controllerSettings);
    }
    if (!scheme.reactionPoint.empty())
    {
        const TypeId type =
            FindClass(place + ", reaction point", scheme.reactionPoint, ReactionPoint::GetTypeId());
        CheckSettings(place, type, scheme.reactionPointSettings);
    }
    CheckSettings(place, RdmaHw::GetTypeId(), scheme.rdmaSettings);
}

Scheme
WithAttributes(const Scheme& scheme, const std::vector<AttributeDefault>& defaults)
{
    return WithLookup(
        scheme,
        [&](TypeId type, const DeclaredAttribute&, const std::string& name, std::string& value) {
            bool found = false;
            for (const AttributeDefault& given : defaults)
            {
                TypeId owner;
                if (given.name == name && TypeId::LookupByNameFailSafe(given.type, &owner) &&
                    (type == owner || type.IsChildOf(owner)))
                {
                    value = given.value; // the last of several
                    found = true;
                }
            }
            return found;
        });
}

Scheme
WithUserDefaults(const Scheme& scheme)
{
    return WithLookup(scheme,
                      [](TypeId,
                         const DeclaredAttribute& attribute,
                         const std::string& name,
                         std::string& value) { return FindDefault(attribute, name, value); });
}

std::vector<TypeId>
ClassesWithin(const Ptr<const Object>& object)
{
    std::vector<TypeId> classes;
    TypeId type = object->GetInstanceTypeId();
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); i++)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            ObjectFactoryValue value;
            if (dynamic_cast<const ClassChecker*>(PeekPointer(info.checker)) &&
                object->GetAttributeFailSafe(info.name, value))
            {
                TypeId inner = value.Get().GetTypeId();
                for (; inner != Object::GetTypeId(); inner = inner.GetParent())
                {
                    classes.push_back(inner);
                }
            }
        }
    }
    return classes;
}

std::vector<TypeId>
ClassesOf(const Scheme& scheme)
{
    std::vector<TypeId> classes;
    AddClasses(scheme.detector, scheme.detectorSettings, classes);
    AddClasses(scheme.controller, scheme.controllerSettings, classes);
    AddClasses(scheme.reactionPoint, scheme.reactionPointSettings, classes);
    return classes;
}

void
DefaultsSnapshot::Take(const std::vector<TypeId>& classes)
{
    m_entries.clear();
    std::set<TypeId> seen;
    for (TypeId type : classes)
    {
        for (; seen.insert(type).second; type = type.GetParent())
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); i++)
            {
                m_entries.push_back({type, i, type.GetAttribute(i).initialValue});
            }
        }
    }
}

void
DefaultsSnapshot::Check() const
{
    for (const Entry& entry : m_entries)
    {
        const TypeId::AttributeInformation info = entry.type.GetAttribute(entry.index);
        if (info.initialValue != entry.value && AttributeText(*info.initialValue, info.checker) !=
                                                    AttributeText(*entry.value, info.checker))
        {
            throw InputError(entry.type.GetName() + "::" + info.name,
                             "its default set to " +
                                 AttributeText(*info.initialValue, info.checker) +
                                 " after Build(), which made its objects",
                             "it before Build()");
        }
    }
}

} // namespace ns3

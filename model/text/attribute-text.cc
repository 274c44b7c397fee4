// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "attribute-text.h"

#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/quantity.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

/// ns-3 counts time in 64-bit nanoseconds.
constexpr double LARGEST_TIME_S = 9223372036;

/// A factory from text. ns-3's own reads past the end of some, and looks at no range.
class ClassValue : public ObjectFactoryValue
{
  public:
    Ptr<AttributeValue> Copy() const override
    {
        return ns3::Create<ClassValue>(*this);
    }

    // The factory's own text has but six digits of a number.
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override
    {
        return m_text.empty() ? ObjectFactoryValue::SerializeToString(checker) : m_text;
    }

    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override
    {
        const auto* classes = dynamic_cast<const ClassChecker*>(PeekPointer(checker));
        std::string type;
        std::vector<NamedText> attributes;
        if (!classes || !ReadClassText(text, type, attributes))
        {
            return false;
        }
        ObjectFactory factory;
        factory.SetTypeId(type);
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        Set(factory);
        m_text = text;
        return true;
    }

  private:
    std::string m_text; //!< as it was given
};

/// @returns the class and its parents, the class first
std::vector<TypeId>
Ancestry(TypeId type)
{
    std::vector<TypeId> line{type};
    while (line.back().HasParent())
    {
        line.push_back(line.back().GetParent());
    }
    return line;
}

bool
IsKindOf(TypeId type, TypeId base)
{
    return type == base || type.IsChildOf(base);
}

bool
IsWhole(double value)
{
    return std::abs(value - std::round(value)) < 1e-6;
}

/// @returns whether a text is a time that ns-3 holds without cutting it
bool
IsTime(const std::string& text)
{
    static const std::pair<const char*, double> units[] = {{"", 1},
                                                           {"y", 365 * 86400.0},
                                                           {"d", 86400},
                                                           {"h", 3600},
                                                           {"min", 60},
                                                           {"s", 1},
                                                           {"ms", 1e-3},
                                                           {"us", 1e-6},
                                                           {"ns", 1e-9},
                                                           {"ps", 1e-12},
                                                           {"fs", 1e-15}};
    double number = 0;
    std::string rest;
    if (!InputFile::SplitNumber(text, number, rest))
    {
        return false;
    }
    for (const auto& [unit, seconds] : units)
    {
        if (rest == unit)
        {
            return std::abs(number) * seconds <= LARGEST_TIME_S && std::abs(number) < 9e18 &&
                   (Time::GetResolution() != Time::NS || IsWhole(number * (seconds * 1e9)));
        }
    }
    return false;
}

/// @returns what a text should be instead, empty if ns-3 can be asked to read it
std::string
Expected(const std::string& valueType, const std::string& kind, const std::string& text)
{
    double number = 0;
    std::string rest;
    const bool isNumber = InputFile::SplitNumber(text, number, rest) && rest.empty();
    if (valueType == "ns3::UintegerValue" || valueType == "ns3::IntegerValue")
    {
        const bool isWhole = isNumber && text.find_first_of(".eE") == std::string::npos;
        return isWhole && (number >= 0 || valueType == "ns3::IntegerValue") ? "" : kind;
    }
    if (valueType == "ns3::DoubleValue")
    {
        return isNumber ? "" : kind;
    }
    if (valueType == "ns3::TimeValue")
    {
        return IsTime(text) ? "" : "a time with its unit, such as 10us";
    }
    if (valueType == "ns3::DataRateValue")
    {
        uint64_t bps = 0;
        const bool isZero = InputFile::SplitNumber(text, number, rest) && number == 0 &&
                            (rest.empty() || ParseRate("1" + rest, bps));
        return isZero || ParseRate(text, bps) ? "" : "a rate with its unit, such as 100Gb/s";
    }
    if (valueType == "ns3::EnumValue")
    {
        const std::string choices = kind.substr(kind.rfind(' ') + 1);
        return ("|" + choices + "|").find("|" + text + "|") != std::string::npos &&
                       text.find('|') == std::string::npos
                   ? ""
                   : kind;
    }
    if (valueType == "ns3::ObjectPtrContainerValue")
    {
        return "no value: it can only be read"; // as a node's DeviceList
    }
    if (valueType == "ns3::TypeIdValue")
    {
        TypeId tid;
        return TypeId::LookupByNameFailSafe(text, &tid) ? "" : kind;
    }
    const bool mayHaveSpaces = valueType == "ns3::StringValue" ||
                               valueType == "ns3::PointerValue" ||
                               valueType == "ns3::ObjectFactoryValue";
    // Of other values ns-3 reads a word, and ends the program if there is another.
    return mayHaveSpaces || text.find_first_of(" \t\n\v\f\r") == std::string::npos ? "" : kind;
}

} // namespace

bool
ReadClassText(const std::string& text, std::string& type, std::vector<NamedText>& attributes)
{
    const std::size_t open = text.find('[');
    const std::string name = text.substr(0, open);
    if (name.empty() || name.find_first_of("]|=") != std::string::npos)
    {
        return false;
    }
    std::vector<NamedText> found;
    if (open != std::string::npos)
    {
        if (text.find_first_of("[]", open + 1) != text.size() - 1 || text.back() != ']')
        {
            return false;
        }
        std::istringstream list(text.substr(open + 1, text.size() - open - 2));
        for (std::string part; std::getline(list, part, '|');)
        {
            const std::size_t equals = part.find('=');
            if (equals == std::string::npos || equals == 0)
            {
                return false;
            }
            found.emplace_back(part.substr(0, equals), part.substr(equals + 1));
        }
    }
    type = name;
    attributes = found;
    return true;
}

std::string
DidYouMean(const std::string& name, const std::vector<std::string>& candidates)
{
    const std::string nearest = NearestName(name, candidates);
    return nearest.empty() ? "" : ", did you mean " + nearest + "?";
}

std::string
DidYouMeanOrAll(const std::string& name, const std::vector<std::string>& attributes)
{
    const std::string meant = DidYouMean(name, attributes);
    if (!meant.empty())
    {
        return meant;
    }
    std::string list;
    for (const std::string& attribute : attributes)
    {
        list += (list.empty() ? "" : ", ") + attribute;
    }
    return ", which has " + (list.empty() ? "none" : list);
}

TypeId
FindClass(const std::string& place, const std::string& name, TypeId base)
{
    TypeId type;
    if (TypeId::LookupByNameFailSafe(name, &type) && IsKindOf(type, base) && type.HasConstructor())
    {
        return type;
    }
    // Without the namespace, by which all names are alike.
    const std::string space = "ns3::";
    const auto bare = [&space](const std::string& full) {
        return full.compare(0, space.size(), space) == 0 ? full.substr(space.size()) : full;
    };
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId candidate = TypeId::GetRegistered(i);
        if (IsKindOf(candidate, base) && candidate.HasConstructor())
        {
            names.push_back(bare(candidate.GetName()));
        }
    }
    const std::string nearest = NearestName(bare(name), names);
    const bool isOurs = TypeId::LookupByNameFailSafe(space + nearest, &type);
    throw InputError(
        place,
        "'" + name + "'",
        "a class derived from " + base.GetName() +
            (nearest.empty() ? "" : ", did you mean " + (isOurs ? space : "") + nearest + "?"));
}

DeclaredAttribute
FindAttribute(const std::string& place, TypeId type, const std::string& name)
{
    std::vector<std::string> names;
    for (TypeId declares : Ancestry(type))
    {
        for (std::size_t i = 0; i < declares.GetAttributeN(); i++)
        {
            const TypeId::AttributeInformation info = declares.GetAttribute(i);
            names.push_back(info.name);
            if (info.name == name && (info.flags & TypeId::ATTR_CONSTRUCT))
            {
                return {declares, info};
            }
        }
    }
    throw InputError(place,
                     "attribute '" + name + "'",
                     "one of " + type.GetName() + DidYouMeanOrAll(name, names));
}

void
CheckAttributeText(const std::string& place,
                   const Ptr<const AttributeChecker>& checker,
                   const std::string& text)
{
    const auto* classes = dynamic_cast<const ClassChecker*>(PeekPointer(checker));
    if (classes)
    {
        classes->CheckText(place, text);
        return;
    }
    // ns-3 names some of its values without their namespace.
    const std::string valueType = checker->GetValueTypeName();
    const std::string type = valueType.rfind("ns3::", 0) == 0 ? valueType : "ns3::" + valueType;
    const std::string kind = checker->HasUnderlyingTypeInformation()
                                 ? "a value of " + checker->GetUnderlyingTypeInformation()
                                 : "a value of " + type;
    if (type == "ns3::PointerValue" || type == "ns3::ObjectFactoryValue")
    {
        const auto* pointer = dynamic_cast<const PointerChecker*>(PeekPointer(checker));
        CheckClassText(place, text, pointer ? pointer->GetPointeeTypeId() : Object::GetTypeId());
        return;
    }
    const std::string expected = Expected(type, kind, text);
    if (!expected.empty() || !checker->CreateValidValue(StringValue(text)))
    {
        throw InputError(place, "'" + text + "'", expected.empty() ? kind : expected);
    }
}

TypeId
CheckClassText(const std::string& place, const std::string& text, TypeId base)
{
    std::string name;
    std::vector<NamedText> attributes;
    if (!ReadClassText(text, name, attributes))
    {
        throw InputError(place,
                         "'" + text + "'",
                         "a class as ns3::Class or ns3::Class[Name=value|Name=value]");
    }
    const TypeId type = FindClass(place, name, base);
    for (const auto& [attribute, value] : attributes)
    {
        CheckAttributeText(place + ", " + attribute,
                           FindAttribute(place, type, attribute).info.checker,
                           value);
    }
    return type;
}

ClassChecker::ClassChecker(const std::string& place, TypeId base, const std::string& except)
    : m_place(place),
      m_base(base),
      m_except(except)
{
}

void
ClassChecker::CheckKind(const std::string& place, TypeId type) const
{
    FindClass(place, type.GetName(), m_base);
    TypeId except;
    if (!m_except.empty() && TypeId::LookupByNameFailSafe(m_except, &except) &&
        IsKindOf(type, except))
    {
        throw InputError(place,
                         "'" + type.GetName() + "'",
                         "a class derived from " + m_base.GetName() + ", other than " + m_except +
                             " itself");
    }
}

void
ClassChecker::CheckText(const std::string& place, const std::string& text) const
{
    CheckKind(place, CheckClassText(place, text, m_base));
}

bool
ClassChecker::Check(const AttributeValue& value) const
{
    if (const auto* text = dynamic_cast<const StringValue*>(&value))
    {
        CheckText(m_place, text->Get());
        return false; // it is to be read first
    }
    const auto* factory = dynamic_cast<const ObjectFactoryValue*>(&value);
    if (factory)
    {
        CheckKind(m_place, factory->Get().GetTypeId());
    }
    return factory;
}

std::string
ClassChecker::GetValueTypeName() const
{
    return "ns3::ObjectFactoryValue";
}

bool
ClassChecker::HasUnderlyingTypeInformation() const
{
    return true;
}

std::string
ClassChecker::GetUnderlyingTypeInformation() const
{
    return m_base.GetName();
}

Ptr<AttributeValue>
ClassChecker::Create() const
{
    return ns3::Create<ClassValue>();
}

bool
ClassChecker::Copy(const AttributeValue& source, AttributeValue& destination) const
{
    const auto* from = dynamic_cast<const ObjectFactoryValue*>(&source);
    auto* to = dynamic_cast<ObjectFactoryValue*>(&destination);
    if (!from || !to)
    {
        return false;
    }
    to->Set(from->Get());
    return true;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "study-options.h"

#include "ns3/attribute.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/json-writer.h"
#include "ns3/quantity.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Options of ns-3's CommandLine that print something and end the program.
const char* const PRINTING[] = {"help",
                                "PrintHelp",
                                "version",
                                "PrintVersion",
                                "PrintGlobals",
                                "PrintGroup",
                                "PrintGroups",
                                "PrintTypeIds",
                                "PrintAttributes"};

bool
IsPrinting(const std::string& name)
{
    return std::find(std::begin(PRINTING), std::end(PRINTING), name) != std::end(PRINTING);
}

/// An argument, taken apart.
struct Argument
{
    explicit Argument(const std::string& text)
    {
        const std::size_t dashes = text.compare(0, 2, "--") == 0 ? 2 : text.compare(0, 1, "-") == 0;
        const std::size_t equals = text.find('=');
        isOption = dashes > 0;
        hasValue = equals != std::string::npos;
        name = text.substr(dashes, hasValue ? equals - dashes : equals);
        value = hasValue ? text.substr(equals + 1) : "";
    }

    bool isOption;     //!< begins with a dash
    bool hasValue;     //!< has an equals sign
    std::string name;  //!< between them
    std::string value; //!< after it
};

/// @returns ", did you mean X?" or nothing
std::string
DidYouMean(const std::string& name,
           const std::vector<std::string>& candidates,
           const std::string& prefix = "")
{
    const std::string nearest = NearestName(name, candidates);
    return nearest.empty() ? "" : ", did you mean " + prefix + nearest + "?";
}

std::vector<std::string>
TypeNames()
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    return names;
}

/**
 * Some of ns-3's attribute values abort on a bad text instead of refusing it.
 * @returns whether reading the text as such a value would abort
 */
bool
WouldAbort(const std::string& valueType, const std::string& text)
{
    double number = 0;
    std::string rest;
    const bool isNumber = InputFile::SplitNumber(text, number, rest);
    if (valueType == "ns3::UintegerValue" || valueType == "ns3::IntegerValue")
    {
        return !isNumber || !rest.empty() || number != std::floor(number) ||
               text.find_first_of(".eE") != std::string::npos;
    }
    if (valueType == "ns3::DoubleValue")
    {
        return !isNumber || !rest.empty();
    }
    if (valueType == "ns3::TimeValue")
    {
        static const char* const units[] =
            {"", "y", "d", "h", "min", "s", "ms", "us", "ns", "ps", "fs"};
        return !isNumber || std::find(std::begin(units), std::end(units), rest) == std::end(units);
    }
    if (valueType == "ns3::DataRateValue")
    {
        uint64_t bps = 0;
        return !(isNumber && number == 0) && !ParseRate(text, bps);
    }
    if (valueType == "ns3::PointerValue" || valueType == "ns3::ObjectFactoryValue" ||
        valueType == "ns3::TypeIdValue")
    {
        TypeId tid;
        return !TypeId::LookupByNameFailSafe(text.substr(0, text.find('[')), &tid);
    }
    return false;
}

/// @throws InputError if the text is no value that the checker accepts
void
CheckValue(const std::string& name, Ptr<const AttributeChecker> checker, const std::string& text)
{
    // ns-3 names some of its values without their namespace.
    const std::string valueType = checker->GetValueTypeName();
    const std::string type = valueType.rfind("ns3::", 0) == 0 ? valueType : "ns3::" + valueType;
    const std::string found = "'" + text + "'";
    if (WouldAbort(type, text))
    {
        if (type == "ns3::TimeValue")
        {
            throw InputError(name, found, "a time with its unit, such as 10us");
        }
        if (type == "ns3::DataRateValue")
        {
            throw InputError(name, found, "a rate with its unit, such as 100Gb/s");
        }
    }
    else if (checker->CreateValidValue(StringValue(text)))
    {
        return;
    }
    throw InputError(name,
                     found,
                     checker->HasUnderlyingTypeInformation()
                         ? "a value of " + checker->GetUnderlyingTypeInformation()
                         : "a value of " + type);
}

/// ns-3 trusts that these two name classes of the right kind. @throws InputError if they do not
void
CheckKind(const std::string& name, const std::string& text)
{
    const std::string parent = name == "SchedulerType"                 ? "ns3::Scheduler"
                               : name == "SimulatorImplementationType" ? "ns3::SimulatorImpl"
                                                                       : "";
    if (!parent.empty() && !TypeId::LookupByName(text).IsChildOf(TypeId::LookupByName(parent)))
    {
        throw InputError("--" + name, "'" + text + "'", "a class derived from " + parent);
    }
}

/// @returns the global value or nullptr
const GlobalValue*
FindGlobal(const std::string& name)
{
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        if ((*i)->GetName() == name)
        {
            return *i;
        }
    }
    return nullptr;
}

bool
ParseWhole(const std::string& text, uint64_t min, uint64_t max, uint64_t& value)
{
    if (text.empty() || text.size() > 18 ||
        text.find_first_not_of("0123456789") != std::string::npos)
    {
        return false;
    }
    value = std::stoull(text);
    return value >= min && value <= max;
}

} // namespace

StudyOptions::StudyOptions(const std::string& program, const std::string& usage)
    : m_commandLine(program),
      m_program(program)
{
    m_commandLine.Usage(usage);
}

void
StudyOptions::Add(const std::string& help, const Option& option)
{
    m_options.push_back(option);
    Option& kept = m_options.back();
    m_commandLine.AddValue(kept.name, help, kept.text);
}

void
StudyOptions::AddText(const std::string& name, const std::string& help, std::string& value)
{
    Option option;
    option.name = name;
    option.text = value;
    option.expected = "a text";
    option.assign = [&value](const std::string& text) {
        value = text;
        return !text.empty();
    };
    option.show = [&value]() { return value; };
    Add(help, option);
}

void
StudyOptions::AddChoice(const std::string& name,
                        const std::string& help,
                        std::string& value,
                        const std::vector<std::string>& choices)
{
    Option option;
    option.name = name;
    option.text = value;
    for (const std::string& choice : choices)
    {
        option.expected += (option.expected.empty() ? "one of " : ", ") + choice;
    }
    option.assign = [&value, choices](const std::string& text) {
        value = text;
        return std::find(choices.begin(), choices.end(), text) != choices.end();
    };
    option.show = [&value]() { return value; };
    Add(help, option);
}

void
StudyOptions::AddCount(const std::string& name,
                       const std::string& help,
                       uint32_t& value,
                       uint32_t min,
                       uint32_t max)
{
    Option option;
    option.name = name;
    option.text = std::to_string(value);
    option.expected =
        "a whole number, " + std::to_string(min) +
        (max == std::numeric_limits<uint32_t>::max() ? " or more" : " to " + std::to_string(max));
    option.assign = [&value, min, max](const std::string& text) {
        uint64_t number = 0;
        const bool good = ParseWhole(text, min, max, number);
        value = static_cast<uint32_t>(number);
        return good;
    };
    option.show = [&value]() { return std::to_string(value); };
    Add(help, option);
}

void
StudyOptions::AddBytes(const std::string& name,
                       const std::string& help,
                       uint64_t& value,
                       uint64_t min)
{
    Option option;
    option.name = name;
    option.text = std::to_string(value);
    option.expected = "bytes, " + std::to_string(min) + " or more, such as 2000000 or 2MB";
    option.assign = [&value, min](const std::string& text) {
        return ParseBytes(text, value) && value >= min;
    };
    option.show = [&value]() { return std::to_string(value); };
    Add(help, option);
}

void
StudyOptions::AddFraction(const std::string& name, const std::string& help, double& value)
{
    Option option;
    option.name = name;
    option.text = JsonWriter::Number(value);
    option.expected = "a number above 0 and at most 1";
    option.assign = [&value](const std::string& text) {
        std::string rest;
        return InputFile::SplitNumber(text, value, rest) && rest.empty() && value > 0 && value <= 1;
    };
    option.show = [&value]() { return JsonWriter::Number(value); };
    Add(help, option);
}

void
StudyOptions::AddTime(const std::string& name, const std::string& help, Time& value, bool zero)
{
    Option option;
    option.name = name;
    option.text = TimeText(value.GetNanoSeconds());
    option.expected = std::string("a time ") + (zero ? "of 0 or more" : "above 0") +
                      " in whole ns with its unit, such as 10us";
    option.assign = [&value, zero](const std::string& text) {
        int64_t ns = 0;
        const bool good = ParseTime(text, ns) && (zero || ns > 0);
        value = NanoSeconds(ns);
        return good;
    };
    option.show = [&value]() { return TimeText(value.GetNanoSeconds()); };
    Add(help, option);
}

void
StudyOptions::AddRate(const std::string& name, const std::string& help, DataRate& value)
{
    Option option;
    option.name = name;
    option.text = RateText(value.GetBitRate());
    option.expected = "a rate above zero with its unit, such as 100Gb/s";
    option.assign = [&value](const std::string& text) {
        uint64_t bps = 0;
        const bool good = ParseRate(text, bps);
        value = DataRate(bps);
        return good;
    };
    option.show = [&value]() { return RateText(value.GetBitRate()); };
    Add(help, option);
}

void
StudyOptions::Unknown(const std::string& name) const
{
    std::vector<std::string> names;
    for (const Option& option : m_options)
    {
        names.push_back(option.name);
    }
    names.insert(names.end(), std::begin(PRINTING), std::end(PRINTING));
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        names.push_back((*i)->GetName());
    }
    const std::string hint = DidYouMean(name, names, "--");
    throw OptionError("unknown option --" + name +
                      (hint.empty() ? "; " + m_program + " --help lists all" : hint));
}

void
StudyOptions::CheckAttribute(const std::string& name, const std::string& value)
{
    const std::size_t colons = name.rfind("::");
    const std::string type = name.substr(0, colons);
    const std::string attribute = name.substr(colons + 2);
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid))
    {
        throw OptionError("unknown class " + type + " in --" + name +
                          DidYouMean(type, TypeNames()));
    }
    std::vector<std::string> names;
    // ns-3 sets an attribute only by the class that declares it.
    for (TypeId declares = tid;; declares = declares.GetParent())
    {
        for (std::size_t i = 0; i < declares.GetAttributeN(); i++)
        {
            const TypeId::AttributeInformation info = declares.GetAttribute(i);
            names.push_back(info.name);
            if (info.name != attribute)
            {
                continue;
            }
            if (declares != tid)
            {
                throw OptionError("attribute " + attribute + " is declared by " +
                                  declares.GetName() + ": --" + declares.GetName() +
                                  "::" + attribute);
            }
            CheckValue("--" + name, info.checker, value);
            m_attributes.push_back({type, attribute, value});
            return;
        }
        if (declares.GetParent() == declares)
        {
            break;
        }
    }
    throw OptionError("unknown attribute " + attribute + " of " + type +
                      DidYouMean(attribute, names));
}

void
StudyOptions::Check(const std::string& text)
{
    const Argument argument(text);
    if (!argument.isOption)
    {
        throw OptionError("unknown argument '" + text + "', options are --name=value");
    }
    const std::string& name = argument.name;
    const auto option = std::find_if(m_options.begin(), m_options.end(), [&](const Option& o) {
        return o.name == name;
    });
    const GlobalValue* global = FindGlobal(name);
    const bool isAttribute = name.find("::") != std::string::npos;
    if (option == m_options.end() && !global && !isAttribute)
    {
        Unknown(name);
    }
    if (!argument.hasValue)
    {
        throw OptionError("option --" + name + " needs a value: --" + name + "=VALUE");
    }
    if (option != m_options.end())
    {
        option->given = true;
        if (!option->assign(argument.value))
        {
            throw InputError("--" + name, "'" + argument.value + "'", option->expected);
        }
    }
    else if (global)
    {
        CheckValue("--" + name, global->GetChecker(), argument.value);
        CheckKind(name, argument.value);
        m_attributes.push_back({"", name, argument.value});
    }
    else
    {
        CheckAttribute(name, argument.value);
    }
}

void
StudyOptions::Parse(int argc, char* argv[])
{
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const bool prints = std::any_of(arguments.begin(), arguments.end(), [](const auto& text) {
        const Argument argument(text);
        return argument.isOption && IsPrinting(argument.name);
    });
    if (!prints)
    {
        for (const std::string& argument : arguments)
        {
            Check(argument);
        }
    }
    m_commandLine.Parse(argc, argv);
}

bool
StudyOptions::IsGiven(const std::string& name) const
{
    return std::any_of(m_options.begin(), m_options.end(), [&](const Option& option) {
        return option.name == name && option.given;
    });
}

bool
StudyOptions::IsAttributeGiven(const std::string& type, const std::string& name) const
{
    return std::any_of(m_attributes.begin(), m_attributes.end(), [&](const Attribute& attribute) {
        return attribute.type == type && attribute.name == name;
    });
}

const std::vector<StudyOptions::Attribute>&
StudyOptions::GetAttributes() const
{
    return m_attributes;
}

std::vector<RunSummary::Parameter>
StudyOptions::GetParameters() const
{
    std::vector<RunSummary::Parameter> parameters;
    for (const Option& option : m_options)
    {
        if (!option.show().empty())
        {
            parameters.emplace_back(option.name, option.show());
        }
    }
    return parameters;
}

} // namespace ns3

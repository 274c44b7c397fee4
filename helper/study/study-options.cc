// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "study-options.h"

#include "ns3/attribute-text.h"
#include "ns3/far-time.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/json-writer.h"
#include "ns3/log.h"
#include "ns3/quantity.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>

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

/// ns-3 trusts some of its global values. @throws InputError if this one is not what it should be
void
CheckGlobal(const std::string& place, const GlobalValue& global, const std::string& text)
{
    const std::string name = global.GetName();
    if (name == "SchedulerType" || name == "SimulatorImplementationType")
    {
        FindClass(place,
                  text,
                  TypeId::LookupByName(name == "SchedulerType" ? "ns3::Scheduler"
                                                               : "ns3::SimulatorImpl"));
        return;
    }
    CheckAttributeText(place, global.GetChecker(), text);
    // The smaller modulus of ns-3's generator, MRG32k3a
    const double modulus = 4294944443;
    if (name == "RngSeed" && (std::stod(text) < 1 || std::stod(text) >= modulus))
    {
        throw InputError(place, "'" + text + "'", "1 to 4294944442");
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

/// ns-3 ignores names and values that it does not know. @throws InputError for the first of them
void
CheckGlobalsOfEnvironment()
{
    const char* variable = std::getenv("NS_GLOBAL_VALUE");
    std::istringstream list(variable ? variable : "");
    for (std::string part; std::getline(list, part, ';');)
    {
        const std::string name = part.substr(0, part.find('='));
        const GlobalValue* global = FindGlobal(name);
        if (!part.empty() && (!global || name == part))
        {
            std::vector<std::string> names;
            for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
            {
                names.push_back((*i)->GetName());
            }
            throw InputError("NS_GLOBAL_VALUE",
                             "'" + part + "'",
                             "Name=value of a global value" + DidYouMean(name, names));
        }
        if (global)
        {
            CheckGlobal("NS_GLOBAL_VALUE, " + name, *global, part.substr(name.size() + 1));
        }
    }
}

/// ns-3 ends the program with a list of all of them. @throws InputError for a wrong component or
/// level
void
CheckLogOfEnvironment()
{
    static const std::set<std::string> levels = {
        "error",       "warn",         "debug",
        "info",        "function",     "logic",
        "all",         "prefix_func",  "func",
        "prefix_time", "time",         "prefix_node",
        "node",        "prefix_level", "level",
        "prefix_all",  "level_error",  "level_warn",
        "level_debug", "level_info",   "level_function",
        "level_logic", "level_all",    "*",
        "**",
    };
    std::vector<std::string> components;
    for (const auto& component : *LogComponent::GetComponentList())
    {
        components.push_back(component.first);
    }
    std::sort(components.begin(), components.end());
    const char* variable = std::getenv("NS_LOG");
    std::istringstream list(variable ? variable : "");
    for (std::string part; std::getline(list, part, ':');)
    {
        const std::string name = part.substr(0, part.find('='));
        if (name != "*" && part != "***" &&
            !std::binary_search(components.begin(), components.end(), name))
        {
            throw InputError("NS_LOG",
                             "'" + name + "'",
                             "a log component, or * for all" + DidYouMean(name, components));
        }
        std::istringstream chosen(name == part ? "" : part.substr(name.size() + 1));
        for (std::string level; std::getline(chosen, level, '|');)
        {
            if (!levels.count(level))
            {
                throw InputError("NS_LOG",
                                 "level '" + level + "'",
                                 "one such as error, debug, info or level_all" +
                                     DidYouMean(level, {levels.begin(), levels.end()}));
            }
        }
    }
}

/**
 * @param text a number and a unit
 * @param one such a number as parse takes with every unit
 * @param parse of a quantity
 * @returns the number times what parse makes of `one` with that unit; also where the product is
 * beyond what parse takes, and 0 for what is no number with one of its units
 */
template <typename T>
double
NumberOf(const std::string& text, const std::string& one, bool (*parse)(const std::string&, T&))
{
    double number = 0;
    std::string unit;
    T value = 0;
    return InputFile::SplitNumber(text, number, unit) && parse(one + unit, value)
               ? number * static_cast<double>(value)
               : 0;
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

OptionError::OptionError(const std::string& message)
    : std::runtime_error(InputError::Shown(message))
{
}

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
        return text.find_first_not_of(" \t\r\n") != std::string::npos;
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
                       uint64_t min,
                       uint64_t max)
{
    Option option;
    option.name = name;
    option.text = std::to_string(value);
    option.expected =
        "bytes, " + std::to_string(min) +
        (max == std::numeric_limits<uint64_t>::max() ? " or more" : " to " + std::to_string(max)) +
        ", such as 2000000 or 2MB";
    option.assign = [&value, min, max](const std::string& text) {
        return ParseBytes(text, value) && value >= min && value <= max;
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
    option.assign = [&value, name, zero](const std::string& text) {
        if (NumberOf(text, "1000", &ParseTime) > 1000.0 * HORIZON_NS)
        {
            throw InputError("--" + name, "'" + text + "'", "at most " + TimeText(HORIZON_NS));
        }
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
    option.assign = [&value, name](const std::string& text) {
        uint64_t bps = 0;
        const bool good = ParseRate(text, bps);
        if ((good && bps < MINIMUM_RATE_BPS) || NumberOf(text, "1", &ParseRate) > MAXIMUM_RATE_BPS)
        {
            throw InputError("--" + name,
                             "'" + text + "'",
                             RateText(MINIMUM_RATE_BPS) + " to " + RateText(MAXIMUM_RATE_BPS));
        }
        value = DataRate(bps);
        return good;
    };
    option.show = [&value]() { return RateText(value.GetBitRate()); };
    Add(help, option);
}

void
StudyOptions::AddPrinting(const std::string& name,
                          const std::string& help,
                          const std::function<void(std::ostream&)>& print)
{
    Option option;
    option.name = name;
    option.show = []() { return std::string(); };
    option.print = print;
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
    const std::string nearest = NearestName(name, names);
    throw OptionError("unknown option --" + name +
                      (nearest.empty() ? "; " + m_program + " --help lists all"
                                       : ", did you mean --" + nearest + "?"));
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
            CheckAttributeText("--" + name, info.checker, value);
            m_attributes.push_back({type, attribute, value});
            return;
        }
        if (declares.GetParent() == declares)
        {
            break;
        }
    }
    throw OptionError("unknown attribute " + attribute + " of " + type +
                      DidYouMeanOrAll(attribute, names));
}

bool
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
    if (option != m_options.end() && option->print)
    {
        throw OptionError("option --" + name + " takes no value");
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
        CheckGlobal("--" + name, *global, argument.value);
        m_attributes.push_back({"", name, argument.value});
    }
    else
    {
        CheckAttribute(name, argument.value);
    }
    return option != m_options.end();
}

void
StudyOptions::Parse(int argc, char* argv[])
{
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const bool prints = std::any_of(arguments.begin(), arguments.end(), [](const auto& text) {
        const Argument argument(text);
        return argument.isOption && IsPrinting(argument.name);
    });
    if (prints)
    {
        m_commandLine.Parse(argc, argv);
        return;
    }
    for (const std::string& text : arguments)
    {
        const Argument argument(text);
        const auto option = std::find_if(m_options.begin(), m_options.end(), [&](const Option& o) {
            return o.print && argument.isOption && !argument.hasValue && o.name == argument.name;
        });
        if (option != m_options.end())
        {
            option->print(std::cout);
            std::exit(0);
        }
    }
    CheckLogOfEnvironment();
    CheckGlobalsOfEnvironment();
    const std::vector<AttributeDefault> environment = ReadEnvironmentDefaults();
    std::vector<std::string> others = {m_program};
    for (const std::string& argument : arguments)
    {
        // Options of the program have been read here; ns-3 takes no blank ones.
        if (!Check(argument))
        {
            others.push_back(argument);
        }
    }
    for (const Attribute& attribute : m_attributes)
    {
        for (const AttributeDefault& other : environment)
        {
            if (attribute.type == other.type && attribute.name == other.name &&
                attribute.value != other.value)
            {
                throw InputError("--" + attribute.type + "::" + attribute.name,
                                 "'" + attribute.value + "' and '" + other.value +
                                     "' in NS_ATTRIBUTE_DEFAULT, which ns-3 prefers",
                                 "one of the two");
            }
        }
    }
    m_commandLine.Parse(others);
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

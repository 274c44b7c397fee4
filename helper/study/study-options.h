// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef STUDY_OPTIONS_H
#define STUDY_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/run-summary.h"
#include "ns3/user-defaults.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

/// An argument that no option has; the message is complete. @ingroup lossless
class OptionError : public std::runtime_error
{
  public:
    /// @param message complete
    explicit OptionError(const std::string& message);
};

/**
 * The command line of a program, with one clear error for whatever is wrong in it.
 *
 * Options are bound to variables, whose values are the defaults, and are parsed by ns-3's
 * CommandLine, so that --help, --RngRun and --ns3::Class::Attribute work as everywhere. ns-3
 * answers a bad name with its help text and ends on a bad value without saying which, so both are
 * checked here first.
 * @ingroup lossless
 */
class StudyOptions
{
  public:
    /// An attribute that the user set, or a global value, which has no type.
    using Attribute = AttributeDefault;

    /**
     * @param program its name
     * @param usage first paragraph of --help
     */
    StudyOptions(const std::string& program, const std::string& usage);

    /**
     * @param name of the option
     * @param help one line
     * @param value any text
     */
    void AddText(const std::string& name, const std::string& help, std::string& value);

    /**
     * @param name of the option
     * @param help one line
     * @param value one of the choices
     * @param choices all
     */
    void AddChoice(const std::string& name,
                   const std::string& help,
                   std::string& value,
                   const std::vector<std::string>& choices);

    /**
     * @param name of the option
     * @param help one line
     * @param value whole number
     * @param min smallest
     * @param max largest
     */
    void AddCount(const std::string& name,
                  const std::string& help,
                  uint32_t& value,
                  uint32_t min = 0,
                  uint32_t max = std::numeric_limits<uint32_t>::max());

    /**
     * @param name of the option
     * @param help one line
     * @param value bytes, as 2000000 or 2MB
     * @param min smallest
     * @param max largest
     */
    void AddBytes(const std::string& name,
                  const std::string& help,
                  uint64_t& value,
                  uint64_t min = 0,
                  uint64_t max = std::numeric_limits<uint64_t>::max());

    /**
     * @param name of the option
     * @param help one line
     * @param value above 0 and at most 1
     */
    void AddFraction(const std::string& name, const std::string& help, double& value);

    /**
     * @param name of the option
     * @param help one line
     * @param value with unit, at most HORIZON_NS
     * @param zero whether 0 is legal
     */
    void AddTime(const std::string& name, const std::string& help, Time& value, bool zero = false);

    /**
     * @param name of the option
     * @param help one line
     * @param value with unit, from MINIMUM_RATE_BPS to MAXIMUM_RATE_BPS
     */
    void AddRate(const std::string& name, const std::string& help, DataRate& value);

    /**
     * An option without a value that prints something and ends the program, whatever else the
     * command line has, as --help does.
     * @param name of the option
     * @param help one line
     * @param print called with standard output
     */
    void AddPrinting(const std::string& name,
                     const std::string& help,
                     const std::function<void(std::ostream&)>& print);

    /**
     * Reads the command line; ends the program after --help and other printing options.
     * @param argc number of arguments
     * @param argv arguments
     * @throws OptionError or InputError for the first thing that is wrong, also in ns-3's
     * environment variables
     */
    void Parse(int argc, char* argv[]);

    /**
     * @param name of an option
     * @returns whether the command line has it
     */
    bool IsGiven(const std::string& name) const;

    /**
     * @param type name of a TypeId
     * @param name of its attribute
     * @returns whether the command line sets it
     */
    bool IsAttributeGiven(const std::string& type, const std::string& name) const;

    /// @returns the attributes and global values that the command line sets
    const std::vector<Attribute>& GetAttributes() const;

    /// @returns the options and their values, for the record, but for one that has no value
    std::vector<RunSummary::Parameter> GetParameters() const;

  private:
    /// One option.
    struct Option
    {
        std::string name;                               //!< without dashes
        std::string text;                               //!< value as CommandLine reads it
        std::string expected;                           //!< what the value should be, for errors
        std::function<bool(const std::string&)> assign; //!< takes the value over if it is good
        std::function<std::string()> show;              //!< the value, for the record
        std::function<void(std::ostream&)> print;       //!< what it prints, if it is such an option
        bool given{false};                              //!< the command line has it
    };

    /// Declares an option to CommandLine.
    void Add(const std::string& help, const Option& option);

    /**
     * @param argument one of the command line
     * @returns whether it is an option of the program
     * @throws OptionError or InputError
     */
    bool Check(const std::string& argument);

    /**
     * @param name of an attribute with its class
     * @param value its value
     * @throws OptionError or InputError
     */
    void CheckAttribute(const std::string& name, const std::string& value);

    /**
     * @param name that is no option
     * @throws OptionError naming the nearest
     */
    [[noreturn]] void Unknown(const std::string& name) const;

    CommandLine m_commandLine;           //!< ns-3's
    std::string m_program;               //!< its name
    std::list<Option> m_options;         //!< in the order added; CommandLine keeps references
    std::vector<Attribute> m_attributes; //!< given
};

} // namespace ns3

#endif // STUDY_OPTIONS_H

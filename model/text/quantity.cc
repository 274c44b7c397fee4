// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "quantity.h"

#include "ns3/input-file.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

// Whole numbers are exact in a double up to here.
constexpr double LARGEST = 9e15;

/// Reads a number with one of some units. @returns whether the text is one, 0 or more
template <typename Units>
bool
ParseWithUnit(const std::string& text, const Units& units, double& value)
{
    std::string unit;
    if (!InputFile::SplitNumber(text, value, unit) || value < 0)
    {
        return false;
    }
    for (const auto& [name, factor] : units)
    {
        if (unit == name)
        {
            value *= factor;
            return value <= LARGEST;
        }
    }
    return false;
}

/// @returns a number in the first of some units that leaves a whole number
template <typename Units>
std::string
TextWithUnit(uint64_t value, const Units& units)
{
    for (const auto& [name, factor] : units)
    {
        if (value % factor == 0)
        {
            return std::to_string(value / factor) + name;
        }
    }
    return std::to_string(value);
}

} // namespace

bool
ParseTime(const std::string& text, int64_t& ns)
{
    static const std::pair<const char*, double> units[] = {{"s", 1e9},
                                                           {"ms", 1e6},
                                                           {"us", 1e3},
                                                           {"ns", 1},
                                                           {"ps", 1e-3}};
    double value = 0;
    if (!ParseWithUnit(text, units, value))
    {
        return false;
    }
    ns = std::llround(value);
    // The product with 1e-3 may be off by a rounding error; anything more is no whole number.
    return std::abs(value - static_cast<double>(ns)) < 1e-6;
}

bool
ParseRate(const std::string& text, uint64_t& bps)
{
    static const std::pair<std::string, double> prefixes[] =
        {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
    for (const auto& [prefix, factor] : prefixes)
    {
        const std::pair<std::string, double> units[] = {{prefix + "b/s", factor},
                                                        {prefix + "bps", factor},
                                                        {prefix + "B/s", 8 * factor},
                                                        {prefix + "Bps", 8 * factor}};
        double value = 0;
        if (ParseWithUnit(text, units, value) && value >= 1)
        {
            bps = static_cast<uint64_t>(std::llround(value));
            return true;
        }
    }
    return false;
}

bool
ParseBytes(const std::string& text, uint64_t& bytes)
{
    static const std::pair<const char*, double> units[] = {{"", 1},
                                                           {"B", 1},
                                                           {"KB", 1e3},
                                                           {"MB", 1e6},
                                                           {"GB", 1e9}};
    double value = 0;
    if (!ParseWithUnit(text, units, value) || value != std::floor(value))
    {
        return false;
    }
    bytes = static_cast<uint64_t>(value);
    return true;
}

bool
ParseWhole(const std::string& text, uint32_t largest, uint32_t& number)
{
    const char* const end = text.data() + text.size();
    uint32_t value = 0;
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value > largest)
    {
        return false;
    }
    number = value;
    return true;
}

std::string
TimeText(int64_t ns)
{
    static const std::pair<const char*, uint64_t> units[] = {{"s", 1000000000},
                                                             {"ms", 1000000},
                                                             {"us", 1000},
                                                             {"ns", 1}};
    return TextWithUnit(static_cast<uint64_t>(ns), units);
}

std::string
RateText(uint64_t bps)
{
    static const std::pair<const char*, uint64_t> units[] = {{"Tb/s", 1000000000000},
                                                             {"Gb/s", 1000000000},
                                                             {"Mb/s", 1000000},
                                                             {"kb/s", 1000},
                                                             {"b/s", 1}};
    return bps == 0 ? "0b/s" : TextWithUnit(bps, units); // 0 is whole in every unit
}

} // namespace ns3

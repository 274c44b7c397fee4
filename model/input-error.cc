// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "input-error.h"

#include <algorithm>
#include <cctype>
#include <locale>
#include <sstream>

namespace ns3
{

namespace
{

std::string
PlaceInFile(const std::string& file, std::size_t line)
{
    return line > 0 ? file + ":" + std::to_string(line) : file;
}

std::string
LowerCase(std::string text)
{
    for (char& c : text)
    {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

/// Levenshtein distance, one row at a time.
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
    {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

InputError::InputError(const std::string& file,
                       std::size_t line,
                       const std::string& found,
                       const std::string& expected)
    : std::runtime_error(PlaceInFile(file, line) + ": found " + found + ", expected " + expected)
{
}

InputError::InputError(const std::string& name,
                       const std::string& found,
                       const std::string& expected)
    : InputError(name, 0, found, expected)
{
}

std::string
InputError::Text(double value)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << value;
    return text.str();
}

std::string
NearestName(const std::string& name, const std::vector<std::string>& candidates)
{
    std::string nearest;
    std::size_t nearestDistance = 0;
    const std::string wanted = LowerCase(name);
    for (const std::string& candidate : candidates)
    {
        const std::size_t distance = EditDistance(wanted, LowerCase(candidate));
        const std::size_t longer = std::max(name.size(), candidate.size());
        // A wholly different short name is also within 2 edits: it must share something.
        const bool near = distance <= std::max<std::size_t>(2, longer / 3) && distance < longer;
        if (near && (nearest.empty() || distance < nearestDistance))
        {
            nearest = candidate;
            nearestDistance = distance;
        }
    }
    return nearest;
}

} // namespace ns3

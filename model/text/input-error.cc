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
    : std::runtime_error(Shown(PlaceInFile(file, line)) + ": found " + Shown(found) +
                         ", expected " + expected)
{
}

InputError::InputError(const std::string& name,
                       const std::string& found,
                       const std::string& expected)
    : InputError(name, 0, found, expected)
{
}

std::string
InputError::Shown(const std::string& text)
{
    constexpr std::size_t LONGEST = 400;
    constexpr std::size_t END = 100;
    std::string shown;
    for (std::size_t i = 0; i < text.size(); i++)
    {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7f)
        {
            static const char digits[] = "0123456789abcdef";
            shown += std::string("\\x") + digits[c >> 4] + digits[c & 15];
        }
        else
        {
            shown += static_cast<char>(c);
        }
        if (shown.size() > LONGEST && text.size() - i > 2 * END)
        {
            // What was found ends with a quote or what else belongs around it.
            return shown + "... " + std::to_string(text.size()) + " bytes ..." +
                   Shown(text.substr(text.size() - END));
        }
    }
    return shown;
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
        const std::size_t longer = std::max(name.size(), candidate.size());
        const std::size_t shorter = std::min(name.size(), candidate.size());
        if (longer - shorter > std::max<std::size_t>(2, longer / 3))
        {
            continue; // the distance is no smaller; a very long name would take very long
        }
        const std::size_t distance = EditDistance(wanted, LowerCase(candidate));
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

void
ThrowUnknownName(const std::string& place,
                 const std::string& name,
                 const std::vector<std::string>& candidates)
{
    std::string list;
    for (const auto& candidate : candidates)
    {
        list += (list.empty() ? "" : ", ") + candidate;
    }
    const std::string nearest = NearestName(name, candidates);
    throw InputError(place,
                     "'" + name + "'",
                     "one of " + list +
                         (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
}

} // namespace ns3

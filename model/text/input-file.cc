// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "input-file.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <locale>
#include <sstream>

namespace ns3
{

InputFile::InputFile(const std::string& path, const std::string& content)
    : m_path(path),
      m_content(content)
{
    errno = 0;
    m_stream.open(path);
    // Opening a folder succeeds, reading from it does not.
    if (!m_stream.is_open() || (m_stream.peek() == EOF && m_stream.bad()))
    {
        const std::string reason = errno != 0 ? std::strerror(errno) : "it cannot be read";
        throw InputError(path, 0, "no readable file (" + reason + ")", content);
    }
    m_stream.clear();
}

bool
InputFile::NextLine()
{
    std::string text;
    while (std::getline(m_stream, text))
    {
        ++m_line;
        RequireText(text);
        text.erase(std::min(text.find('#'), text.size()));
        m_fields.clear();
        std::istringstream words(text);
        for (std::string word; words >> word;)
        {
            m_fields.push_back(word);
        }
        if (!m_fields.empty())
        {
            return true;
        }
    }
    m_fields.clear();
    return false;
}

void
InputFile::RequireText(const std::string& text) const
{
    if (m_line == 1 && text.compare(0, 2, "\x1f\x8b") == 0)
    {
        throw InputError(m_path, 0, "a file compressed by gzip", m_content + " as plain text");
    }
    const auto isControl = [](char c) {
        return (c >= 0 && c < ' ' && !std::isspace(static_cast<unsigned char>(c))) || c == 0x7f;
    };
    if (std::any_of(text.begin(), text.end(), isControl))
    {
        throw InputError(m_path,
                         0,
                         "a binary file (line " + std::to_string(m_line) + ")",
                         m_content + " as plain text");
    }
}

const std::vector<std::string>&
InputFile::GetFields() const
{
    return m_fields;
}

std::size_t
InputFile::GetLine() const
{
    return m_line;
}

void
InputFile::RequireFields(std::size_t count, const std::string& names) const
{
    if (m_fields.size() == count)
    {
        return;
    }
    std::string line;
    for (const std::string& field : m_fields)
    {
        line += (line.empty() ? "" : " ") + field;
    }
    Fail(std::to_string(m_fields.size()) + (m_fields.size() == 1 ? " field (" : " fields (") +
             line + ")",
         std::to_string(count) + (count == 1 ? " field: " : " fields: ") + names);
}

uint64_t
InputFile::GetWhole(std::size_t index, const std::string& name, uint64_t min, uint64_t max) const
{
    return ParseWhole(m_fields.at(index), name, min, max);
}

uint64_t
InputFile::ParseWhole(const std::string& field,
                      const std::string& name,
                      uint64_t min,
                      uint64_t max) const
{
    uint64_t value = 0;
    bool legal = !field.empty();
    for (char c : field)
    {
        const auto digit = static_cast<uint64_t>(c - '0');
        legal = legal && c >= '0' && c <= '9' && value <= (UINT64_MAX - digit) / 10;
        value = legal ? 10 * value + digit : 0;
    }
    if (!legal || value < min || value > max)
    {
        Fail(name + " " + "'" + field + "'",
             "a whole number " + (max == UINT64_MAX
                                      ? "of at least " + std::to_string(min)
                                      : std::to_string(min) + ".." + std::to_string(max)));
    }
    return value;
}

double
InputFile::GetReal(std::size_t index, const std::string& name, double min, double max) const
{
    const std::string& field = m_fields.at(index);
    double value = 0.0;
    std::string rest;
    if (!SplitNumber(field, value, rest) || !rest.empty() || value < min || value > max)
    {
        Fail(name + " " + "'" + field + "'",
             "a number " + InputError::Text(min) + ".." + InputError::Text(max));
    }
    return value;
}

void
InputFile::Fail(const std::string& found, const std::string& expected) const
{
    throw InputError(m_path, m_line, found, expected);
}

bool
InputFile::SplitNumber(const std::string& text, double& value, std::string& rest)
{
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    if (!(stream >> value) || !std::isfinite(value))
    {
        return false;
    }
    rest.clear();
    std::getline(stream, rest);
    return true;
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "json-writer.h"

#include <cmath>
#include <locale>
#include <sstream>

namespace ns3
{

namespace
{

/// Skips the digits from a position on. @returns whether there is one at least
bool
SkipDigits(const std::string& text, std::size_t& at)
{
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    {
        at++;
    }
    return at > start;
}

/// @returns whether a text is a number in JSON's grammar
bool
IsNumber(const std::string& text)
{
    std::size_t at = text.compare(0, 1, "-") == 0 ? 1 : 0;
    const std::size_t whole = at;
    if (!SkipDigits(text, at) || (text[whole] == '0' && at > whole + 1))
    {
        return false;
    }
    if (text.compare(at, 1, ".") == 0 && !SkipDigits(text, ++at))
    {
        return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E'))
    {
        at++;
        at += at < text.size() && (text[at] == '+' || text[at] == '-') ? 1 : 0;
        if (!SkipDigits(text, at))
        {
            return false;
        }
    }
    return at == text.size();
}

} // namespace

JsonWriter::JsonWriter(std::ostream& out)
    : m_out(out)
{
}

std::string
JsonWriter::Number(double value)
{
    if (!std::isfinite(value))
    {
        return "null";
    }
    std::string text;
    for (int digits = 15; digits <= 17; digits++)
    {
        std::ostringstream out;
        out.imbue(std::locale::classic());
        out.precision(digits);
        out << value;
        text = out.str();
        std::istringstream in(text);
        in.imbue(std::locale::classic());
        double back = 0;
        if (in >> back && back == value)
        {
            break;
        }
    }
    return text;
}

void
JsonWriter::Separate()
{
    if (m_afterKey)
    {
        m_afterKey = false;
        return;
    }
    if (m_counts.empty())
    {
        return;
    }
    m_out << (m_counts.back()++ > 0 ? ",\n" : "\n") << std::string(2 * m_counts.size(), ' ');
}

void
JsonWriter::Literal(const std::string& text)
{
    Separate();
    m_out << text;
    if (m_counts.empty())
    {
        m_out << '\n';
    }
}

void
JsonWriter::Begin(char bracket)
{
    Separate();
    m_out << bracket;
    m_counts.push_back(0);
}

void
JsonWriter::End(char bracket)
{
    const bool empty = m_counts.back() == 0;
    m_counts.pop_back();
    if (!empty)
    {
        m_out << '\n' << std::string(2 * m_counts.size(), ' ');
    }
    m_out << bracket;
    if (m_counts.empty())
    {
        m_out << '\n';
    }
}

void
JsonWriter::BeginObject()
{
    Begin('{');
}

void
JsonWriter::EndObject()
{
    End('}');
}

void
JsonWriter::BeginArray()
{
    Begin('[');
}

void
JsonWriter::EndArray()
{
    End(']');
}

void
JsonWriter::Quote(const std::string& text)
{
    static const char* const hex = "0123456789abcdef";
    m_out << '"';
    for (char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
        {
            m_out << '\\' << c;
        }
        else if (byte < 0x20)
        {
            m_out << "\\u00" << hex[byte >> 4] << hex[byte & 15];
        }
        else
        {
            m_out << c;
        }
    }
    m_out << '"';
}

void
JsonWriter::Key(const std::string& key)
{
    Separate();
    Quote(key);
    m_out << ": ";
    m_afterKey = true;
}

void
JsonWriter::Value(const std::string& value)
{
    Separate();
    Quote(value);
    if (m_counts.empty())
    {
        m_out << '\n';
    }
}

void
JsonWriter::Value(const char* value)
{
    Value(std::string(value));
}

void
JsonWriter::Null()
{
    Literal("null");
}

void
JsonWriter::ValueFromText(const std::string& text)
{
    if (text == "true" || text == "false" || IsNumber(text))
    {
        Literal(text);
    }
    else
    {
        Value(text);
    }
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_JSON_WRITER_H
#define LOSSLESS_JSON_WRITER_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * Writes JSON (RFC 8259), indented by two spaces. Numbers are JSON numbers that read back to the
 * same value, whatever the locale; a number that is not finite becomes null.
 *
 * The calls must follow JSON's grammar: within an object a Key() before each value.
 * @ingroup lossless
 */
class JsonWriter
{
  public:
    /// @param out where the text goes
    explicit JsonWriter(std::ostream& out);

    void BeginObject(); ///< starts an object
    void EndObject();   ///< ends it
    void BeginArray();  ///< starts an array
    void EndArray();    ///< ends it

    /// @param key of the next value
    void Key(const std::string& key);

    /// @param value a string
    void Value(const std::string& value);

    /// @param value a string
    void Value(const char* value);

    /// @param value a number or a bool
    template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
    void Value(T value)
    {
        if constexpr (std::is_same<T, bool>::value)
        {
            Literal(value ? "true" : "false");
        }
        else if constexpr (std::is_floating_point<T>::value)
        {
            Literal(Number(value));
        }
        else
        {
            Literal(std::to_string(value));
        }
    }

    /// Writes null.
    void Null();

    /// @param text written as number or bool if it reads as one, otherwise as string
    void ValueFromText(const std::string& text);

    /**
     * @param key of the member
     * @param value string, number or bool
     */
    template <typename T>
    void Member(const std::string& key, const T& value)
    {
        Key(key);
        Value(value);
    }

    /**
     * @param value a number
     * @returns the shortest of its decimal forms with 15 to 17 digits that reads back to the same
     * value; "null" if it is not finite
     */
    static std::string Number(double value);

  private:
    /// Comma, new line and indentation before a value or a key.
    void Separate();

    /// @param text written as it is
    void Literal(const std::string& text);

    /// @param bracket opens an object or an array
    void Begin(char bracket);

    /// @param bracket closes it
    void End(char bracket);

    /// @param text written as a JSON string
    void Quote(const std::string& text);

    std::ostream& m_out;               //!< where the text goes
    std::vector<std::size_t> m_counts; //!< members so far of each open object and array
    bool m_afterKey{false};            //!< the value of a key comes next
};

} // namespace ns3

#endif // LOSSLESS_JSON_WRITER_H

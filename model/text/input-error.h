// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_INPUT_ERROR_H
#define LOSSLESS_INPUT_ERROR_H

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * Wrong input from a user: a file or an option. The message says where, what was found and what
 * was expected, in one line: control characters are shown as \xNN, and the middle of a very long
 * text is left out. Programs print it as `error: MESSAGE` and exit with 1 before they simulate.
 */
class InputError : public std::runtime_error
{
  public:
    /**
     * A wrong place in a file; reads `FILE:LINE: found X, expected Y`.
     * @param file name of the file as the user gave it
     * @param line line number from 1; 0 for the file as a whole (then `FILE: found ...`)
     * @param found what is there
     * @param expected what should be there
     */
    InputError(const std::string& file,
               std::size_t line,
               const std::string& found,
               const std::string& expected);

    /**
     * A wrong option or argument; reads `NAME: found X, expected Y`.
     * @param name name of the option
     * @param found its value
     * @param expected what it should be
     */
    InputError(const std::string& name, const std::string& found, const std::string& expected);

    /**
     * @param value a number
     * @return its shortest readable form for a message: 1 and not 1.000000
     */
    static std::string Text(double value);

    /**
     * @param text of a user
     * @return it as one line that can be shown: control characters as \xNN, the middle of a very
     * long text left out
     */
    static std::string Shown(const std::string& text);
};

/**
 * @ingroup lossless
 * Finds the candidate a user probably meant, for "did you mean".
 * @param name the name that is not known
 * @param candidates the known names
 * @return the candidate with the smallest edit distance (upper and lower case taken as equal; the
 *         first of several), or an empty string when none is near: within 2 edits, or within a
 *         third of the longer name
 */
std::string NearestName(const std::string& name, const std::vector<std::string>& candidates);

/**
 * @param place what has a name of this kind, such as "scheme"
 * @param name that is none of them
 * @param candidates that there are
 * @throws InputError that lists them, with the nearest
 */
[[noreturn]] void ThrowUnknownName(const std::string& place,
                                   const std::string& name,
                                   const std::vector<std::string>& candidates);

} // namespace ns3

#endif // LOSSLESS_INPUT_ERROR_H

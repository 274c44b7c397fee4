// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_INPUT_FILE_H
#define LOSSLESS_INPUT_FILE_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * A text file of fields separated by white space, read line by line, with errors that name file
 * and line. Empty lines are skipped, and so is everything from `#` to the end of a line.
 */
class InputFile
{
  public:
    /**
     * Opens a file.
     * @param path the file
     * @param content what the file should hold, for the error, e.g. "a flow list"
     * @throws InputError if the file cannot be read
     */
    InputFile(const std::string& path, const std::string& content);

    /**
     * Goes to the next line that has fields.
     * @return false at the end of the file
     * @throws InputError if the file is no text, as a compressed one
     */
    bool NextLine();

    /// @return the fields of the current line
    const std::vector<std::string>& GetFields() const;

    /// @return the number of the current line, from 1; after the last one the number of lines
    std::size_t GetLine() const;

    /**
     * Checks the number of fields of the current line.
     * @param count the number it should have
     * @param names what the fields are, for the error, e.g. "size_bytes probability"
     * @throws InputError if a field is missing or too many
     */
    void RequireFields(std::size_t count, const std::string& names) const;

    /**
     * Reads a field of the current line as a whole number.
     * @param index index of the field
     * @param name what the field is, for the error
     * @param min smallest legal value
     * @param max largest legal value
     * @return the value
     * @throws InputError if it is not a whole number from min to max
     */
    uint64_t GetWhole(std::size_t index, const std::string& name, uint64_t min, uint64_t max) const;

    /**
     * Reads a part of the current line as a whole number.
     * @param text the part
     * @param name what it is, for the error
     * @param min smallest legal value
     * @param max largest legal value
     * @return the value
     * @throws InputError if it is not a whole number from min to max
     */
    uint64_t ParseWhole(const std::string& text,
                        const std::string& name,
                        uint64_t min,
                        uint64_t max) const;

    /**
     * Reads a field of the current line as a decimal number.
     * @param index index of the field
     * @param name what the field is, for the error
     * @param min smallest legal value
     * @param max largest legal value
     * @return the value
     * @throws InputError if it is not a number from min to max
     */
    double GetReal(std::size_t index, const std::string& name, double min, double max) const;

    /**
     * Makes the error for the current line.
     * @param found what is there
     * @param expected what should be there
     * @throws InputError always
     */
    [[noreturn]] void Fail(const std::string& found, const std::string& expected) const;

    /**
     * Reads the decimal number at the start of a text; independent of the locale.
     * @param text the text, e.g. "0.5us"
     * @param [out] value the number, e.g. 0.5
     * @param [out] rest what follows it, e.g. "us"
     * @return false if the text does not start with a finite number
     */
    static bool SplitNumber(const std::string& text, double& value, std::string& rest);

  private:
    /**
     * @param text the current line
     * @throws InputError if it is no text
     */
    void RequireText(const std::string& text) const;

    std::string m_path;                ///< name of the file
    std::string m_content;             ///< what it should hold
    std::ifstream m_stream;            ///< the open file
    std::size_t m_line{0};             ///< number of the current line
    std::vector<std::string> m_fields; ///< fields of the current line
};

} // namespace ns3

#endif // LOSSLESS_INPUT_FILE_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TEMPORARY_FILE_H
#define LOSSLESS_TEMPORARY_FILE_H

#include "ns3/input-error.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace ns3
{

/// A text file for one test, removed afterwards.
class TemporaryFile
{
  public:
    explicit TemporaryFile(const std::string& text)
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_path = testing::TempDir() + test->test_suite_name() + "-" + test->name() + ".txt";
        std::ofstream(m_path) << text;
    }

    ~TemporaryFile()
    {
        std::remove(m_path.c_str());
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& Path() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

/// @return the message of the InputError that the function throws, or "no error"
template <typename F>
std::string
MessageOf(F function)
{
    try
    {
        function();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "no error";
}

/// @return the message of the error from reading a text as a file, without the file's name
template <typename F>
std::string
MessageOfReading(const std::string& text, F read)
{
    const TemporaryFile file(text);
    const std::string message = MessageOf([&]() { read(file.Path()); });
    const bool named = message.compare(0, file.Path().size(), file.Path()) == 0;
    return named ? message.substr(file.Path().size()) : message;
}

} // namespace ns3

#endif // LOSSLESS_TEMPORARY_FILE_H

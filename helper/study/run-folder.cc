// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "run-folder.h"

#include "ns3/input-error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

const char* const LOCK = "/.lossless-run";
const char* const SUMMARY = "summary.json";
const char* const UNFINISHED = ".part";

/// What every run may leave, and its figures, whether they are listed or not.
const char* const KNOWN[] = {"flows.csv",
                             "pfc.csv",
                             "ports.csv",
                             "states.csv",
                             "rates.csv",
                             "slowdown.png",
                             "fct-cdf.png",
                             "queue.png",
                             "pauses.png"};

/**
 * @param path that cannot be changed
 * @param error of errno
 */
InputError
NotWritable(const std::string& path, int error)
{
    const std::string reason = error != 0 ? std::strerror(error) : "write error";
    return {"--out",
            "that " + path + " cannot be written (" + reason + ")",
            error == ENOSPC ? "room on the disk" : "a writable folder"};
}

/**
 * @param path of a file that may be missing
 * @throws InputError if it stays
 */
void
Remove(const std::string& path)
{
    if (unlink(path.c_str()) != 0 && errno != ENOENT)
    {
        throw InputError("--out",
                         "that " + path + " of an earlier run cannot be removed (" +
                             std::strerror(errno) + ")",
                         "a writable folder");
    }
}

} // namespace

RunFolder::RunFolder(const std::string& path, const std::vector<std::string>& parts)
    : m_path(path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error)
    {
        throw InputError("--out",
                         "that " + path + " cannot be made (" + error.message() + ")",
                         "a writable folder");
    }
    Lock();
    try
    {
        Clear();
        for (const std::string& part : parts)
        {
            Record(part + "/");
            m_parts[part] = std::make_unique<RunFolder>(path + "/" + part);
        }
    }
    catch (...)
    {
        close(m_lock);
        throw;
    }
}

RunFolder::~RunFolder()
{
    close(m_lock);
}

RunFolder&
RunFolder::GetPart(const std::string& name)
{
    return *m_parts.at(name);
}

void
RunFolder::Lock()
{
    const std::string path = m_path + LOCK;
    struct stat opened;
    struct stat found;
    do
    {
        if (m_lock >= 0)
        {
            close(m_lock);
        }
        m_lock = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (m_lock < 0)
        {
            throw NotWritable(path, errno);
        }
        // A file system without locks cannot be protected; all others are.
        if (flock(m_lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        {
            close(m_lock);
            throw InputError("--out",
                             m_path + " in use by another run or plot",
                             "a folder that no other uses now");
        }
        // A run into the folder above may have removed it meanwhile.
    } while (fstat(m_lock, &opened) != 0 || stat(path.c_str(), &found) != 0 ||
             opened.st_dev != found.st_dev || opened.st_ino != found.st_ino);
}

void
RunFolder::Clear()
{
    Remove(m_path + "/" + SUMMARY);
    std::vector<std::string> names(std::begin(KNOWN), std::end(KNOWN));
    names.emplace_back(SUMMARY);
    std::ifstream list(m_path + LOCK);
    for (std::string name; std::getline(list, name);)
    {
        names.push_back(name);
    }
    for (std::string name : names)
    {
        const bool isPart = !name.empty() && name.back() == '/';
        name.resize(name.size() - isPart);
        if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
        {
            continue; // no run writes such a line
        }
        if (isPart)
        {
            RemovePart(name);
            continue;
        }
        Remove(m_path + "/" + name);
        Remove(m_path + "/" + name + UNFINISHED);
    }
    if (ftruncate(m_lock, 0) != 0)
    {
        throw NotWritable(m_path + LOCK, errno);
    }
}

void
RunFolder::RemovePart(const std::string& name) const
{
    const std::string path = m_path + "/" + name;
    std::error_code ignored;
    if (!std::filesystem::exists(path + LOCK, ignored))
    {
        return;
    }
    const RunFolder former(path); // which clears it
    Remove(path + LOCK);
    rmdir(path.c_str()); // stays if the user has put something there
}

void
RunFolder::Record(const std::string& name) const
{
    const std::string line = name + "\n";
    errno = 0;
    if (write(m_lock, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    {
        throw NotWritable(m_path + LOCK, errno);
    }
}

std::string
RunFolder::Begin(const std::string& name)
{
    Record(name);
    const std::string path = m_path + "/" + name + UNFINISHED;
    // What writes it may not tell why it cannot: ns-3's capture aborts.
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
    {
        throw NotWritable(path, errno);
    }
    close(file);
    return path;
}

void
RunFolder::End(const std::string& name)
{
    const std::string path = m_path + "/" + name;
    if (rename((path + UNFINISHED).c_str(), path.c_str()) != 0)
    {
        throw NotWritable(path, errno);
    }
}

OutputFile::OutputFile(RunFolder& folder, const std::string& name)
    : m_folder(folder),
      m_name(name),
      m_path(folder.Begin(name)),
      m_stream(m_path, std::ios::binary)
{
    if (!m_stream)
    {
        throw NotWritable(m_path, errno);
    }
}

std::ostream&
OutputFile::Stream()
{
    return m_stream;
}

void
OutputFile::Close()
{
    errno = 0;
    m_stream.close();
    if (!m_stream)
    {
        throw NotWritable(m_path, errno);
    }
    m_folder.End(m_name);
}

} // namespace ns3

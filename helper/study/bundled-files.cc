// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "bundled-files.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ns3
{

BundledFiles::BundledFiles(const std::string& kind, const std::string& extension)
    : m_extension(extension)
{
    const char* data = std::getenv("LOSSLESS_DATA");
    m_folder = std::string(data && *data ? data : LOSSLESS_DATA_DIR) + "/" + kind;
}

std::vector<std::string>
BundledFiles::GetNames() const
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder, error))
    {
        if (entry.path().extension() == m_extension)
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string
BundledFiles::GetList() const
{
    std::string list;
    for (const std::string& name : GetNames())
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

std::string
BundledFiles::Find(const std::string& option, const std::string& name) const
{
    std::error_code error;
    const std::string bundled = m_folder + "/" + name + m_extension;
    if (name.find('/') == std::string::npos && std::filesystem::is_regular_file(bundled, error))
    {
        return bundled;
    }
    if (std::filesystem::is_regular_file(name, error))
    {
        return name;
    }
    const std::string nearest = NearestName(name, GetNames());
    throw InputError(option,
                     "'" + name + "'",
                     "the path of a file" + (GetNames().empty() ? "" : " or one of " + GetList()) +
                         (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
}

} // namespace ns3

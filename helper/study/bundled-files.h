// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef BUNDLED_FILES_H
#define BUNDLED_FILES_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * The input files that come with the module: examples/KIND/NAME.EXTENSION of its source folder, or
 * of the folder that the environment variable LOSSLESS_DATA names.
 * @ingroup lossless
 */
class BundledFiles
{
  public:
    /**
     * @param kind folder, such as "workloads"
     * @param extension of its files, such as ".cdf"
     */
    BundledFiles(const std::string& kind, const std::string& extension);

    /// @returns the names, in alphabetical order
    std::vector<std::string> GetNames() const;

    /// @returns the names, separated by commas
    std::string GetList() const;

    /**
     * @param option that asks, for errors @param name of a bundled file, or the path of a user's
     * own
     * @returns the path of the file
     * @throws InputError if there is neither; it tells the nearest name
     */
    std::string Find(const std::string& option, const std::string& name) const;

  private:
    std::string m_folder;    //!< where the files are
    std::string m_extension; //!< of their names
};

} // namespace ns3

#endif // BUNDLED_FILES_H

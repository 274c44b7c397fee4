// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <fstream>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The folder of a run's results, taken for the run alone. It passes as a whole run when it has a
 * summary.json, which is removed before anything else is and written last.
 *
 * The hidden file .lossless-run in it is locked as long as the run goes on, and lists what the run
 * writes, so that the next run into the folder can remove that, and no file of the user's own.
 * @ingroup lossless
 */
class RunFolder
{
  public:
    /**
     * Makes the folder, and removes what an earlier run left in it.
     * @param path of the folder
     * @param parts names of sub-folders that are taken too
     * @throws InputError if another run or plot uses one of them, which then loses nothing, or if
     * they cannot be written
     */
    explicit RunFolder(const std::string& path, const std::vector<std::string>& parts = {});
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /**
     * @param name of a sub-folder
     * @returns it
     */
    RunFolder& GetPart(const std::string& name);

    /**
     * A file that is there under its name when it is complete, and before that with ".part" behind.
     * @param name of the file
     * @returns where to write it until End()
     * @throws InputError if it cannot be written
     */
    std::string Begin(const std::string& name);

    /**
     * @param name of a file that is written to its end
     * @throws InputError if it cannot be renamed
     */
    void End(const std::string& name);

  private:
    /// Locks the folder for this process.
    void Lock();

    /// Removes what an earlier run left, summary.json first.
    void Clear();

    /// Removes what an earlier run left in a sub-folder, and that, if nothing else is in it.
    void RemovePart(const std::string& name) const;

    /// Adds a name to the list of what the run writes.
    void Record(const std::string& name) const;

    std::string m_path;                                        //!< of the folder
    int m_lock{-1};                                            //!< .lossless-run, open
    std::map<std::string, std::unique_ptr<RunFolder>> m_parts; //!< the sub-folders
};

/**
 * A file of a run's folder.
 * @ingroup lossless
 */
class OutputFile
{
  public:
    /**
     * @param folder gets the file
     * @param name its name
     * @throws InputError if it cannot be written
     */
    OutputFile(RunFolder& folder, const std::string& name);

    /// @returns where the content goes
    std::ostream& Stream();

    /// The file is complete. @throws InputError if it cannot be written, as on a full disk
    void Close();

  private:
    RunFolder& m_folder;    //!< where it is
    std::string m_name;     //!< its name there
    std::string m_path;     //!< where it is written
    std::ofstream m_stream; //!< the file
};

} // namespace ns3

#endif // RUN_FOLDER_H

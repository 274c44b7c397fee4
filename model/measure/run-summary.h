// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_RUN_SUMMARY_H
#define LOSSLESS_RUN_SUMMARY_H

#include "ns3/json-writer.h"
#include "ns3/mark-recorder.h"
#include "ns3/slowdown-statistics.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * What summary.json tells of a run of one scheme.
 *
 * All but cpuS, wallS, peakRssKb and hops for each CPU second is a function of parameters and seed.
 * @ingroup lossless
 */
struct RunSummary
{
    /// Name and value as text; text that reads as a number or bool is written as one.
    using Parameter = std::pair<std::string, std::string>;

    /// Parameters that belong together, written as an object.
    struct Group
    {
        std::string name;                  //!< key of the object
        std::vector<Parameter> parameters; //!< its members
    };

    /// Name and value of what one study alone measures: a share, 0 to 1.
    using Share = std::pair<std::string, double>;

    /// What the PFC watchdogs of the switches did.
    struct Watchdog
    {
        uint64_t detections{0}; //!< how often one began to act
        uint64_t drops{0};      //!< frames that they dropped, or sent to a buffer that was full
    };

    /// A number that does not exist, written as null.
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

    std::string study;                 //!< name of the program
    std::string scheme;                //!< name of the scheme
    uint64_t seed{0};                  //!< seed
    std::vector<Parameter> parameters; //!< options as resolved
    std::vector<Group> groups;         //!< values of the scheme and attributes set by the user
    std::string ns3Version;            //!< of the ns-3 that was used
    double simulatedS{0};              //!< length of the simulation [s]
    double cpuS{0};                    //!< CPU time of the event loop [s]
    double wallS{0};                   //!< wall-clock time of the same [s]
    uint64_t peakRssKb{0};             //!< largest resident memory of the process so far [KiB]
    uint64_t events{0};                //!< simulation events
    uint64_t packetHops{0};            //!< frames sent by any port, control frames of links aside
    uint64_t flows{0};                 //!< to be sent
    uint64_t flowsCompleted{0};        //!< of them
    /// Payload of all flows over what the host links can carry while flows start; NONE if all start
    /// together.
    double offeredLoad{NONE};
    /// Payload that completed flows delivered while flows still start, over the same, each flow
    /// taken as even over its completion time; until the last completes if all start together.
    double achievedLoad{NONE};
    uint64_t drops{0};                         //!< frames, all lanes and reasons
    std::string dropReasons;                   //!< the same by reason, for the table
    std::string link{"ethernet"};              //!< link technology, among the parameters too
    uint64_t pauseFrames{0};                   //!< control frames of links sent, as PFC's with
                                               //!< refreshes and resumes
    double pauseTimeS{0};                      //!< time OFF, sum over ports and lanes [s]
    uint64_t packetsCe{0};                     //!< data frames that arrived with CE
    uint64_t packetsUe{0};                     //!< and with UE
    uint64_t retransmitted{0};                 //!< data frames of completed flows sent again
    SlowdownStatistics::Bin all;               //!< slowdown of all completed flows
    std::vector<SlowdownStatistics::Bin> bins; //!< by size
    /// Marks that came of pauses alone, where they were counted.
    std::optional<MarkRecorder::Totals> victims;

    std::vector<Share> shares; //!< of a link's rate, say; not written if there are none

    /// Where switches have watchdogs; not written otherwise.
    std::optional<Watchdog> watchdog;

    /// @returns packet hops for each CPU second, NONE if no time was measured
    double GetHopsPerCpuSecond() const;

    /// @param json gets the summary as one object
    void Write(JsonWriter& json) const;
};

/**
 * @returns largest resident memory of this program so far [KiB], 0 if the system does not tell.
 * That of getrusage() would include the program that started this one.
 * @ingroup lossless
 */
uint64_t GetPeakMemoryKb();

} // namespace ns3

#endif // LOSSLESS_RUN_SUMMARY_H

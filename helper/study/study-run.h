// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef STUDY_RUN_H
#define STUDY_RUN_H

#include "ns3/fct-recorder.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/run-folder.h"
#include "ns3/run-summary.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * Runs flows over a fabric and writes the folder of the run: flows.csv and pfc.csv; if sampled
 * ports.csv, states.csv and rates.csv; and captures if wanted. The run ends when all flows have
 * completed and the network is empty, or at the stop time.
 * @ingroup lossless
 */
class StudyRun
{
  public:
    /// What is wanted of a run.
    struct Config
    {
        std::string label;                //!< for the progress line
        Time stop;                        //!< end of the run if flows have not completed by then
        Time arrivalsStart;               //!< when flows begin to start
        Time arrivalsEnd;                 //!< when flows cease to start
        bool tellLoad{true};              //!< the flows are a load on the hosts' links
        Time sample;                      //!< interval of ports.csv, 0 for none
        std::vector<std::string> sampled; //!< nodes of ports.csv and states.csv, empty for all
        std::vector<std::string> capture; //!< nodes whose ports are captured
        LaneSet lossless{0};              //!< priorities that are sampled
        bool countVictims{false};         //!< marks are told apart by MarkRecorder
        bool warn{true};                  //!< of cyclic buffer dependencies, on stderr
    };

    /**
     * @param config what is wanted
     * @param fabric built, with no flows yet
     * @param flows ids 0, 1, 2, ...; src and dst are host numbers
     * @throws InputError for a flow that cannot end
     */
    StudyRun(const Config& config, LosslessFabric& fabric, const std::vector<FlowSpec>& flows);

    /**
     * Simulates and writes the files; ns-3's simulator is as new afterwards.
     * @param folder gets the files
     * @param [out] summary gets what was measured; names, parameters and offered load are the
     * caller's
     * @throws InputError if a file cannot be written
     * @throws std::runtime_error if a lossless priority loses a frame, at a PFC deadlock, or if
     * buffers are not empty although all flows have completed
     */
    void Run(RunFolder& folder, RunSummary& summary);

  private:
    /// @returns see RunSummary::achievedLoad
    double GetAchievedLoad() const;

    LosslessFabric& m_fabric;             //!< built
    Config m_config;                      //!< what is wanted
    const std::vector<FlowSpec>& m_flows; //!< what is sent
    FctRecorder m_recorder;               //!< what became of it
};

/**
 * @param fabric described or built
 * @returns the number of each host in flows.csv: N if all are named hN, as in topologies from
 * files, or else as the fabric counts them
 * @ingroup lossless
 */
std::vector<uint32_t> HostNumbers(const LosslessFabric& fabric);

} // namespace ns3

#endif // STUDY_RUN_H

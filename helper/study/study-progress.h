// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef STUDY_PROGRESS_H
#define STUDY_PROGRESS_H

#include "ns3/fct-recorder.h"
#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * One line on a terminal that tells how far a run is; silent when stderr is no terminal.
 *
 * Looks at the clock from events of its own. They touch nothing but this object and do not change
 * the order of others, and GetEvents() tells how many they were, so that results stay the same.
 * @ingroup lossless
 */
class StudyProgress
{
  public:
    /**
     * @param label of the run
     * @param flows what is counted; lives as long as this
     */
    StudyProgress(const std::string& label, const FctRecorder& flows);

    /// Clears the line.
    ~StudyProgress();

    /// To be called before the simulation runs.
    void Start();

    /// @returns events of its own so far
    uint64_t GetEvents() const;

  private:
    using Clock = std::chrono::steady_clock;

    /// Looks at the clock, shows the line when it is time, and comes again.
    void Look();

    /// @param seconds since the start
    void Show(double seconds);

    std::string m_label;          //!< of the run
    const FctRecorder& m_flows;   //!< what is counted
    bool m_terminal;              //!< somebody looks
    bool m_shown{false};          //!< the line is there
    Clock::time_point m_start;    //!< of the run
    Clock::time_point m_last;     //!< when it looked last
    Clock::time_point m_lastShow; //!< when the line was written
    Time m_interval;              //!< to the next look, so that looks are some 50 ms apart
    uint64_t m_events{0};         //!< of its own
};

} // namespace ns3

#endif // STUDY_PROGRESS_H

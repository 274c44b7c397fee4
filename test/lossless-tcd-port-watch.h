// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TCD_PORT_WATCH_H
#define LOSSLESS_TCD_PORT_WATCH_H

#include "ns3/congestion-detector.h"
#include "ns3/frame.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mark-recorder.h"
#include "ns3/nstime.h"
#include "ns3/qbb-net-device.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * What the suites lossless-tcd-... share.
 */

namespace ns3
{
namespace losslesstest
{

// What TCD (SIGCOMM 2021), section 5.2.1, sets for PFC at 40 Gb/s.
constexpr uint64_t XOFF = 320000; //!< [B]
constexpr uint64_t XON = 318000;  //!< [B]

/**
 * Sets these static thresholds.
 *
 * @param fabric not yet built
 */
void SetThresholds(LosslessFabric& fabric);

/**
 * @param state of a port
 * @returns it as the paper writes it
 */
const char* Symbol(CongestionDetector::PortState state);

/// Follows a switch's port: its states, pauses, marks and queue.
class PortWatch
{
  public:
    /// A change of the state.
    struct Change
    {
        int64_t ns;                          //!< when [ns]
        CongestionDetector::PortState state; //!< the new one
    };

    /// @param port with its detector of priority 3
    explicit PortWatch(Ptr<LosslessNetDevice> port);

    PortWatch(const PortWatch&) = delete;
    PortWatch& operator=(const PortWatch&) = delete;

    /// @returns the states one after the other, from the first
    std::string States() const;

    /**
     * @returns States() without those that lasted for less than 5 us: a queue that passes the
     * threshold crosses it several times where frames of two ports arrive in between
     */
    std::string SteadyStates() const;

    /**
     * @param state one
     * @returns when the port took it first, -1 if never [ns]
     */
    int64_t First(CongestionDetector::PortState state) const;

    /**
     * @param code a mark
     * @returns frames that got it here
     */
    uint64_t Marks(CodePoint code) const;

    /// @returns CE marks here, and which of them came of pauses alone
    MarkRecorder::Totals GetVictims() const;

    /**
     * Writes all of it.
     *
     * @param out where to
     */
    void Print(std::ostream& out) const;

    std::vector<Change> changes;                              //!< in order
    std::map<std::pair<uint32_t, CodePoint>, uint64_t> marks; //!< by flow and mark
    uint32_t pauses{0};                                       //!< times that the port went OFF
    int64_t lastOnNs{-1};                                     //!< end of the last OFF [ns]
    uint64_t maxQueue{0};                                     //!< [B]

  private:
    void Marked(const Frame& frame);
    void Gate(uint8_t priority, bool off);
    void Enqueued(const Frame& frame);
    void Changed(Time now, CongestionDetector::PortState from, CongestionDetector::PortState state);

    Ptr<LosslessNetDevice> m_port; //!< the port
    MarkRecorder m_recorder;       //!< of the port
};

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_TCD_PORT_WATCH_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_PAUSE_WATCHDOG_H
#define LOSSLESS_PAUSE_WATCHDOG_H

#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/qbb-net-device.h"
#include "ns3/reusable-event.h"

#include <array>
#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * The PFC watchdog of one port of a switch, as data-center switches have it against pauses without
 * end (deadlocks, broken NICs).
 *
 * When a priority has been OFF for the detection time without interruption, and a frame has waited
 * in its egress queue for as long, the watchdog acts: DROP discards what waits and what comes,
 * FORWARD sends in spite of the pause, and the far end drops what it has no room for. It goes on
 * until the far end has not wanted a pause for the restoration time; then PFC has its effect again.
 *
 * Works from the changes of the gate and from events of its own, never for each frame, but for
 * those that come while it discards.
 * @ingroup lossless
 */
class PauseWatchdog
{
  public:
    /// What it does.
    enum Action
    {
        DROP,    //!< discard the queue
        FORWARD, //!< ignore the pause
    };

    /// When it does what.
    struct Config
    {
        Time detection;        //!< OFF for so long, more than zero
        Time restoration;      //!< no pause for so long
        Action action{DROP};   //!< what it does meanwhile
        LaneSet priorities{0}; //!< which are watched
    };

    /// Told of a priority's number and whether the watchdog begins (true) or ends to act.
    using Notify = std::function<void(uint8_t priority, bool acts)>;

    /**
     * @param port egress that is watched
     * @param config when it does what
     * @param notify called at each change
     */
    PauseWatchdog(Ptr<QbbNetDevice> port, const Config& config, Notify notify);
    ~PauseWatchdog();

    PauseWatchdog(const PauseWatchdog&) = delete;
    PauseWatchdog& operator=(const PauseWatchdog&) = delete;

    /// @returns how often it has begun to act
    uint64_t GetDetections() const;

    /// @returns frames that it has discarded
    uint64_t GetDrops() const;

  private:
    /**
     * A priority is OFF or ON.
     * @param priority 0..7
     * @param off which
     */
    void GateChanged(uint8_t priority, bool off);

    /// A frame joined a queue of the port. @param frame which
    void FrameEnqueued(const Frame& frame);

    /// Looks at the priorities whose time has come. @param nowPs present time [ps]
    void Check(int64_t nowPs);

    /// Empties the queues on which it acts. @param nowPs present time [ps]
    void DiscardNow(int64_t nowPs);

    /// A priority has been OFF for the detection time: acts if a frame has waited as long.
    void CheckOff(uint8_t priority, int64_t nowPs);

    /**
     * Goes on acting, or ends it.
     * @param priority 0..7
     * @param nowPs present time [ps]
     */
    void CheckRestoration(uint8_t priority, int64_t nowPs);

    Ptr<QbbNetDevice> m_port;                    //!< watched
    Config m_config;                             //!< when it does what
    Notify m_notify;                             //!< told of changes
    LaneSet m_acting{0};                         //!< priorities on which it acts
    std::array<int64_t, PRIORITIES> m_offPs{};   //!< since when OFF [ps]
    std::array<int64_t, PRIORITIES> m_checkPs{}; //!< when to look, NEVER_PS for not at all [ps]
    uint64_t m_detections{0};                    //!< GetDetections()
    uint64_t m_drops{0};                         //!< GetDrops()
    ReusableEvent<PauseWatchdog, &PauseWatchdog::Check> m_checkEvent;        //!< next m_checkPs
    ReusableEvent<PauseWatchdog, &PauseWatchdog::DiscardNow> m_discardEvent; //!< after an enqueue
};

} // namespace ns3

#endif // LOSSLESS_PAUSE_WATCHDOG_H

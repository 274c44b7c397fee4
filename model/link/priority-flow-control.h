// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PRIORITY_FLOW_CONTROL_H
#define PRIORITY_FLOW_CONTROL_H

#include "ns3/flow-control.h"
#include "ns3/nstime.h"
#include "ns3/pause-gate.h"
#include "ns3/reusable-event.h"

#include <cstdint>

namespace ns3
{

/**
 * Priority flow control, IEEE 802.1Qbb: PFC frames of the far end turn priorities OFF for a time,
 * and Hold() has PFC frames sent that do so there, repeated while it lasts.
 * @ingroup lossless
 */
class PriorityFlowControl : public FlowControl
{
  public:
    PriorityFlowControl();
    ~PriorityFlowControl() override;

    // inherited from FlowControl
    void LinkUp(uint32_t node) override;
    void Dispose() override;
    void Hold(uint8_t lane, bool hold) override;
    void ControlArrived(const Frame& frame) override;
    FramePtr MakeControl(int64_t nowPs) override;
    Time GetReactionDelay() const override;

    /**
     * From now on the far end's pauses of a priority have no effect.
     * @param priority 0..7
     * @param off whether it is OFF or ON meanwhile
     */
    void Override(uint8_t priority, bool off);

    /// Ends Override(): what the far end said last has its effect. @param priority 0..7
    void Follow(uint8_t priority);

    /**
     * @param priority 0..7
     * @returns until when the far end wants it to be OFF, or since when it does not [ps]
     */
    int64_t GetPausedUntilPs(uint8_t priority) const;

    /// @returns priorities that Override() has ever turned ON: the far end may have got more than
    /// it has room for
    LaneSet GetForced() const;

    /// @param quanta pause time to ask for [512 bit times]
    void SetPauseQuanta(uint16_t quanta);

    /// @returns pause time that is asked for [512 bit times]
    uint16_t GetPauseQuanta() const;

    /// @returns the same as a time
    Time GetPauseTime() const;

    /// @param interval at which a lasting pause is repeated; zero for half of the pause time
    void SetRefreshInterval(Time interval);

    /// @returns see SetRefreshInterval()
    Time GetRefreshInterval() const;

    /// @param delay from the arrival of a PFC frame to its effect
    void SetReactionDelay(Time delay);

  private:
    /// The far end must be told again before its timers end.
    void Refresh(int64_t nowPs);

    /// @param pause what a PFC frame said, acted upon now
    void Apply(Frame::Pause pause);

    /// Timers of paused priorities may have ended.
    void Expire(int64_t nowPs);

    /// @returns quanta * 512 bit times [ps]
    int64_t QuantaPs(uint16_t quanta) const;

    PauseGate m_gate;          //!< what the far end wants
    LaneSet m_pausing{0};      //!< priorities that this side holds OFF at the far end
    LaneSet m_changed{0};      //!< priorities of which the far end must be told
    LaneSet m_forced{0};       //!< GetForced()
    uint16_t m_pauseQuanta{0}; //!< pause time asked for
    Time m_refreshInterval;    //!< SetRefreshInterval()
    Time m_reactionDelay;      //!< SetReactionDelay()
    ReusableEvent<PriorityFlowControl, &PriorityFlowControl::Refresh> m_refreshEvent; //!< while
                                                                                      //!< pausing
    ReusableEvent<PriorityFlowControl, &PriorityFlowControl::Expire> m_expireEvent;   //!< while
                                                                                      //!< paused
};

} // namespace ns3

#endif // PRIORITY_FLOW_CONTROL_H

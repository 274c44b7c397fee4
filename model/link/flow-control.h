// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FLOW_CONTROL_H
#define LOSSLESS_FLOW_CONTROL_H

#include "ns3/frame.h"
#include "ns3/lane.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <limits>

namespace ns3
{

class LosslessNetDevice;

/**
 * Hop-by-hop flow control of one port, both ways: which of its lanes the far end allows to send
 * (ON, else OFF), and what this end tells the far one. A device class has one of its own.
 *
 * A subclass acts on control frames, timers and calls of the node that the port belongs to, and
 * turns lanes with Turn(). Where it also limits how much a lane may send, the lane is metered: the
 * base class counts what leaves and turns a lane OFF while the frame that would leave next has no
 * room, so that a port asks it nothing for a lane that is ON.
 * @ingroup lossless
 */
class FlowControl
{
  public:
    FlowControl();
    virtual ~FlowControl();

    FlowControl(const FlowControl&) = delete;
    FlowControl& operator=(const FlowControl&) = delete;

    /// @param port whose flow control it is
    void SetPort(LosslessNetDevice* port);

    /**
     * The port has got its link.
     * @param node id of the node it belongs to
     */
    virtual void LinkUp(uint32_t node);

    /// The port goes away: nothing is called from now on.
    virtual void Dispose();

    /**
     * This end cannot take more, or can again: the far end is to stop or to go on. Without effect
     * where the far end is not told so.
     * @param lane which
     * @param hold true to stop
     */
    virtual void Hold(uint8_t lane, bool hold);

    /// @param frame a control frame that has arrived
    virtual void ControlArrived(const Frame& frame);

    /**
     * A frame that is no control frame has arrived by a metered lane.
     * @param lane which
     * @param bytes of the frame [B]
     */
    virtual void FrameArrived(uint8_t lane, uint32_t bytes);

    /**
     * @param nowPs present time [ps]
     * @returns the control frame that RequestControl() asked to send, complete but for its times
     */
    virtual FramePtr MakeControl(int64_t nowPs);

    /// @returns the time in which a control frame takes effect after its arrival
    virtual Time GetReactionDelay() const;

    /**
     * Of a metered lane.
     * @param lane which
     * @param bytes of a frame [B]
     * @returns whether the far end has room for it
     */
    bool HasRoom(uint8_t lane, uint32_t bytes) const
    {
        return Blocks(bytes) <= m_limit[lane] - m_sent[lane];
    }

    /**
     * A frame leaves by a metered lane.
     * @param lane which
     * @param bytes of the frame [B]
     */
    void Count(uint8_t lane, uint32_t bytes)
    {
        m_sent[lane] += Blocks(bytes);
    }

    /**
     * The frame that would leave next by a metered lane has no room: the lane is OFF until it has.
     * @param lane which
     * @param bytes of the frame [B]
     */
    void Lack(uint8_t lane, uint32_t bytes);

  protected:
    /**
     * Turns a lane OFF or ON, of which the port tells its detectors and listeners: to be called for
     * changes only, and not for a metered lane.
     * @param lane which
     * @param off which
     */
    void Turn(uint8_t lane, bool off);

    /**
     * A lane was turned ON, or a control frame is to be sent: the port looks at what it can send.
     * @param nowPs present time [ps]
     */
    void Wake(int64_t nowPs);

    /// The port is to ask MakeControl() for a frame, before it sends anything else.
    void RequestControl();

    /**
     * Meters lanes from now on, of which none has sent yet: from LinkUp(). Nothing may be sent
     * before the first Grant().
     * @param lanes which
     * @param blockBytes unit of room that a frame takes a whole number of, a power of two [B]
     */
    void Meter(LaneSet lanes, uint32_t blockBytes);

    /**
     * The far end has told how much a metered lane may send.
     * @param lane which
     * @param blocks since the link came up, not less than before
     * @returns whether the lane was turned ON, which it is when what waits has room; Wake() is left
     * to the caller
     */
    bool Grant(uint8_t lane, uint64_t blocks);

    /**
     * @param lane a metered one
     * @returns blocks sent by it since the link came up
     */
    uint64_t GetSentBlocks(uint8_t lane) const
    {
        return m_sent[lane];
    }

    /// @returns the port
    LosslessNetDevice& Port() const
    {
        return *m_port;
    }

  private:
    /// @returns blocks that a frame takes
    uint64_t Blocks(uint32_t bytes) const
    {
        return (uint64_t(bytes) + m_blockBytes - 1) >> m_blockShift;
    }

    LosslessNetDevice* m_port{nullptr};      //!< whose it is
    uint32_t m_blockBytes{1};                //!< unit of room
    uint32_t m_blockShift{0};                //!< its logarithm
    std::array<uint64_t, LANES> m_sent{};    //!< metered: blocks sent
    std::array<uint64_t, LANES> m_limit{};   //!< metered: blocks that may be sent
    std::array<uint32_t, LANES> m_lacking{}; //!< metered and OFF: size of the next frame, else 0
};

} // namespace ns3

#endif // LOSSLESS_FLOW_CONTROL_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef REACTION_SOURCE_H
#define REACTION_SOURCE_H

#include "ns3/frame-sink.h"
#include "ns3/reaction-point.h"

#include <cstdint>

namespace ns3
{

class EgressQueues;

/**
 * A source of frames whose connections can be held back one by one, as a reaction point needs it.
 * @ingroup lossless
 */
class ConnectionSource : public FrameSource
{
  public:
    /**
     * @param lane one of those that GetReady() just named
     * @returns the flow of the frame that Pull() would give
     */
    virtual ReactionPoint::Flow GetHeadFlow(uint8_t lane) const = 0;

    /**
     * No frame of a connection is ready until Release().
     * @param connection Frame::sourceQueuePair of the frame that was just pulled
     */
    virtual void Hold(uint32_t connection) = 0;

    /**
     * A held connection may go on; one that has ended meanwhile has no effect.
     * @param connection that was held
     * @param nowPs present time [ps]
     */
    virtual void Release(uint32_t connection, int64_t nowPs) = 0;
};

/**
 * A reaction point between a host's source of frames and its port.
 *
 * Frames of flows that are not limited stay with their source until the port pulls them, as without
 * a reaction point. A frame of a limited flow is pulled into the limiter's queue, and its
 * connection is held until that frame has been sent: so each connection has at most one frame here,
 * it waits behind the others of its flow, and connections of other flows are not held up. What
 * waits is bounded by the number of connections.
 *
 * Unlimited frames have absolute priority over limited ones of their lane (Bergamasco 2007, section
 * 3.3), those in the port's own queue too: a frame that passed before its flow was limited is never
 * overtaken.
 * @ingroup lossless
 */
class ReactionSource : public FrameSource
{
  public:
    /**
     * @param source of the host
     * @param point of the port, which was started
     * @param queues of the port, nullptr if it has none
     */
    ReactionSource(ConnectionSource& source, ReactionPoint& point, const EgressQueues* queues);

    // inherited from FrameSource
    LaneSet GetReady(int64_t nowPs) override;
    int64_t GetNextReadyPs(LaneSet on) const override;
    FrameHead GetHead(uint8_t lane) const override;
    FramePtr Pull(uint8_t lane, int64_t startPs, int64_t nowPs) override;

  private:
    /// Takes frames of limited flows from the head of a lane of the source.
    void Absorb(uint8_t lane, int64_t nowPs);

    ConnectionSource& m_source;   //!< of the host
    ReactionPoint& m_point;       //!< of the port
    const EgressQueues* m_queues; //!< of the port
    LaneSet m_unlimited{0};       //!< lanes in which the source's own head comes next
};

} // namespace ns3

#endif // REACTION_SOURCE_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef FRAME_SINK_H
#define FRAME_SINK_H

#include "ns3/frame.h"
#include "ns3/lane.h"

namespace ns3
{

/**
 * What a port hands its arriving frames to: a switch, or a host's RDMA engine.
 * @ingroup lossless
 */
class FrameSink
{
  public:
    virtual ~FrameSink() = default;

    /**
     * A frame has arrived as a whole.
     * @param port the port's number in the sink
     * @param frame the frame
     */
    virtual void FrameArrived(uint32_t port, FramePtr frame) = 0;

    /// Transmission of a frame begins: its buffer is free. @param frame the frame
    virtual void FrameDeparted(const Frame& frame) = 0;
};

/// What a FrameSource tells of the frame that it would send next. @ingroup lossless
struct FrameHead
{
    uint32_t bytes{0};  //!< its size [B]
    int64_t readyPs{0}; //!< since when it is ready [ps]
};

/**
 * What a port pulls frames from when it can send: a host's RDMA engine. Pull, not push: nothing
 * waits in the NIC beyond the frame being serialised.
 * @ingroup lossless
 */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /**
     * @param nowPs present time [ps]
     * @returns lanes that have a frame to send now
     */
    virtual LaneSet GetReady(int64_t nowPs) = 0;

    /**
     * @param on lanes that may send
     * @returns when to ask again [ps]: 0 if a frame of those lanes is ready, NEVER_PS if none
     * is in sight
     */
    virtual int64_t GetNextReadyPs(LaneSet on) const = 0;

    /**
     * @param lane one of those that GetReady() just named
     * @returns the frame that Pull() would give
     */
    virtual FrameHead GetHead(uint8_t lane) const = 0;

    /**
     * @param lane one of those that GetReady() just named
     * @param startPs when the frame's transmission begins [ps]
     * @param nowPs present time [ps]
     * @returns the frame to send
     */
    virtual FramePtr Pull(uint8_t lane, int64_t startPs, int64_t nowPs) = 0;
};

} // namespace ns3

#endif // FRAME_SINK_H

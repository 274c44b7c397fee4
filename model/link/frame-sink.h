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
     * A frame has arrived: as a whole, or its header where the port was told to hand frames over
     * early (LosslessNetDevice::SetCutThrough()); then Frame::tailPs says when its last bit
     * arrives.
     * @param port the port's number in the sink
     * @param frame the frame
     */
    virtual void FrameArrived(uint32_t port, FramePtr frame) = 0;

    /**
     * A frame goes to the line.
     * @param port the port's number in the sink
     * @param frame the frame
     * @param endPs when the line will have sent it, preamble and gap included [ps]
     */
    virtual void FrameDeparted(uint32_t port, const Frame& frame, int64_t endPs) = 0;
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

/**
 * Decides which of the frames that wait in a port's queues may leave: a switch whose frames wait in
 * the buffers of its inputs, each of which can be read a limited number of times at once. Without
 * one a queue is a FIFO.
 * @ingroup lossless
 */
class FramePicker
{
  public:
    /// A frame in a queue.
    struct Place
    {
        Frame* frame{nullptr};    //!< nullptr for none
        Frame* previous{nullptr}; //!< the one before it, nullptr if it is the oldest
    };

    virtual ~FramePicker() = default;

    /**
     * @param port the port's number in the switch
     * @param lane of the queue
     * @param queue not empty
     * @returns the frame that may leave now
     */
    virtual Place Pick(uint32_t port, uint8_t lane, FrameQueue& queue) = 0;

    /**
     * What Pick() returned leaves now.
     * @param port the port's number in the switch
     * @param lane of the queue
     * @param queue with the frame still in it
     * @param place of the frame
     */
    virtual void Picked(uint32_t port, uint8_t lane, FrameQueue& queue, const Place& place) = 0;
};

} // namespace ns3

#endif // FRAME_SINK_H

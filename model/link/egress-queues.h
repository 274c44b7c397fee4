// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef EGRESS_QUEUES_H
#define EGRESS_QUEUES_H

#include "ns3/congestion-detector.h"
#include "ns3/egress-scheduler.h"
#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * The queues of an egress, one for each lane, each watched by a CongestionDetector where one is
 * set: what a port (LosslessNetDevice) and a queue disc (LosslessQueueDisc) have in common. One
 * call puts a frame in and one takes it out, and the detector sees both. "Priority" is the lane
 * here.
 * @ingroup lossless
 */
class EgressQueues
{
  public:
    EgressQueues() = default;
    EgressQueues(const EgressQueues&) = delete;
    EgressQueues& operator=(const EgressQueues&) = delete;

    /**
     * @param priority 0..15
     * @param detector watches its queue, nullptr for none
     */
    void SetDetector(uint8_t priority, Ptr<CongestionDetector> detector);

    /**
     * @param priority 0..15
     * @returns its detector or nullptr
     */
    Ptr<CongestionDetector> GetDetector(uint8_t priority) const;

    /**
     * @param stream first random stream
     * @returns how many the detectors use
     */
    int64_t AssignStreams(int64_t stream);

    /// Begins the ticks of the detectors that want some. @param node id of the node they belong to
    void StartTicks(uint32_t node);

    /// Gives the frames back to the pool and lets the detectors go.
    void Clear();

    /**
     * A priority is turned OFF or ON.
     * @param priority 0..15
     * @param off which
     * @param now present time
     */
    void NotifyGate(uint8_t priority, bool off, Time now);

    /**
     * @param priority 0..15
     * @returns its queue's state
     */
    QueueState GetState(uint8_t priority) const
    {
        const FrameQueue& frames = m_queues.at(priority).frames;
        return {frames.Bytes(), frames.Frames()};
    }

    /**
     * @param priority 0..15
     * @returns what waits in its queue
     */
    const FrameQueue& GetFrames(uint8_t priority) const
    {
        return m_queues.at(priority).frames;
    }

    /**
     * @param priority its number
     * @returns what waits in its queue, for who chooses a frame to Take()
     */
    FrameQueue& GetFrames(uint8_t priority)
    {
        return m_queues[priority].frames;
    }

    /// @returns priorities with a frame
    LaneSet GetWaiting() const
    {
        return m_waiting;
    }

    /**
     * A frame joins the queue of its priority.
     * @param frame any
     * @param nowPs present time [ps]
     */
    void Offer(FramePtr frame, int64_t nowPs)
    {
        const uint8_t priority = frame->priority;
        Queue& queue = m_queues[priority];
        NotifyEnqueue(queue, *frame, nowPs);
        queue.frames.Push(std::move(frame));
        m_waiting |= 1 << priority;
    }

    /**
     * The oldest frame of a priority leaves.
     * @param priority one of GetWaiting()
     * @param nowPs present time [ps]
     * @param [out] marked whether the detector marked it
     * @param previous the frame before the one that leaves, if that is not the oldest
     * @returns it
     */
    FramePtr Take(uint8_t priority, int64_t nowPs, bool& marked, Frame* previous = nullptr)
    {
        Queue& queue = m_queues[priority];
        FramePtr frame = queue.frames.Remove(previous);
        if (queue.frames.Frames() == 0)
        {
            m_waiting &= ~(1 << priority);
        }
        marked = NotifyDequeue(queue, *frame, nowPs);
        return frame;
    }

    /**
     * A frame joins an empty queue and leaves at once: Offer() and Take() in one.
     * @param frame any
     * @param nowPs present time [ps]
     * @returns whether the detector marked it
     */
    bool Pass(Frame& frame, int64_t nowPs)
    {
        const Queue& queue = m_queues[frame.priority];
        NotifyEnqueue(queue, frame, nowPs);
        return NotifyDequeue(queue, frame, nowPs);
    }

  private:
    /// One priority.
    struct Queue
    {
        FrameQueue frames;                     //!< waiting
        CongestionDetector* detector{nullptr}; //!< owned by m_detectors
    };

    /// Tells the detector of a frame that is about to join.
    static void NotifyEnqueue(const Queue& queue, const Frame& frame, int64_t nowPs)
    {
        if (queue.detector)
        {
            queue.detector->OnEnqueue(
                frame,
                {queue.frames.Bytes() + frame.bytes, queue.frames.Frames() + 1},
                NanoSeconds(nowPs / 1000));
        }
    }

    /// Tells the detector of a frame that has left. @returns whether it was marked
    static bool NotifyDequeue(const Queue& queue, Frame& frame, int64_t nowPs)
    {
        if (!queue.detector)
        {
            return false;
        }
        const CodePoint before = frame.codePoint;
        queue.detector->OnDequeue(frame,
                                  {queue.frames.Bytes(), queue.frames.Frames()},
                                  NanoSeconds(nowPs / 1000));
        return frame.codePoint != before;
    }

    /// Runs the ticks of the detector of one priority.
    void Tick(uint8_t priority);

    LaneSet m_waiting{0};                                   //!< priorities with a frame
    std::array<Queue, LANES> m_queues;                      //!< by priority
    std::array<Ptr<CongestionDetector>, LANES> m_detectors; //!< by priority
};

} // namespace ns3

#endif // EGRESS_QUEUES_H

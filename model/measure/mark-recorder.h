// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_MARK_RECORDER_H
#define LOSSLESS_MARK_RECORDER_H

#include "ns3/frame.h"
#include "ns3/lane.h"
#include "ns3/lossless-net-device.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * Counts CE marks and notifications, and tells those that pauses alone caused from the others,
 * whichever detector is at work. Fed by the traces Enqueue, Dequeue, Mark and Gate of
 * LosslessNetDevice and Notification of CongestionDetector.
 *
 * Beside each egress queue runs the *unpaused queue*: what the queue would be had flow control
 * never paused its lane at this port, turned it OFF, with the same arrivals. While the lane is ON
 * it gains and loses what the queue does, so that other lanes delay both alike; while the lane is
 * OFF it drains at line rate; and it is never below 0. So it is never longer than the queue, and
 * the same to the byte if there were no pauses. Frames count with preamble and gap in both, as
 * these take line time too.
 *
 * A mark or notification is *by pauses* if the unpaused queue is less than half of the queue at
 * that time. Both are as Enqueue and Dequeue have told them by then: a frame that is marked, or of
 * whose departure a source is notified, still counts; one of whose arrival a source is notified
 * does not yet.
 *
 * This is a measure and no second simulation:
 * - without pauses upstream ports and hosts would send at other times;
 * - the frame on the line when a pause begins delays the unpaused queue no longer, so that each
 *   pause makes it shorter by up to one frame;
 * - while its lane is OFF it has the line alone, even if other lanes send.
 *
 * Counts frames of kind DATA only. UE is not a mark of congestion and not counted, nor is a
 * notification while nothing is in the queue, as RoCC sends to tell a rate that has grown.
 * @ingroup lossless
 */
class MarkRecorder
{
  public:
    /// What was counted.
    struct Totals
    {
        uint64_t marks{0};                 //!< frames that a port marked CE
        uint64_t marksByPauses{0};         //!< of them
        uint64_t notifications{0};         //!< asked for by detectors with a queue
        uint64_t notificationsByPauses{0}; //!< of them
        uint64_t flowsMarked{0};           //!< flows with a mark or notification
        uint64_t victimFlowsMarked{0};     //!< of them, with none that was not by pauses
    };

    /// A queue and what it would be without pauses, with preamble and gap of each frame.
    struct Queue
    {
        uint64_t bytes{0};       //!< in the queue [B]
        double unpausedBytes{0}; //!< in the unpaused queue, up to drainedPs if OFF [B]
        int64_t drainedPs{0};    //!< while OFF: up to when the unpaused queue has drained [ps]
    };

    MarkRecorder() = default;
    MarkRecorder(const MarkRecorder&) = delete;
    MarkRecorder& operator=(const MarkRecorder&) = delete;

    /// @param device the port, with its detectors; without one it has no marks and is left alone
    void Connect(Ptr<LosslessNetDevice> device);

    /// @returns what was counted so far
    Totals GetTotals() const;

    /**
     * @param device connected before
     * @param lane 0..15
     * @returns its queue at present
     */
    Queue GetQueue(Ptr<const LosslessNetDevice> device, uint8_t lane) const;

  private:
    /// A port that is recorded.
    struct Port
    {
        MarkRecorder* recorder{nullptr};          //!< owner
        const LosslessNetDevice* device{nullptr}; //!< the port
        uint32_t overhead{0};                     //!< preamble and gap [B]
        LaneSet off{0};                           //!< lanes that are OFF
        double bytesPerPs{0};                     //!< line rate [B/ps]
        std::array<Queue, LANES> queues;          //!< by lane

        /**
         * Brings the unpaused queue of a lane up to date.
         * @param lane which
         * @returns it
         */
        Queue& Update(uint8_t lane);
    };

    /**
     * @param port at which
     * @param frame joined its queue
     */
    static void Enqueued(Port* port, const Frame& frame);

    /**
     * @param port at which
     * @param frame leaves its queue
     */
    static void Dequeued(Port* port, const Frame& frame);

    /**
     * @param port at which
     * @param frame was marked
     */
    static void Marked(Port* port, const Frame& frame);

    /**
     * @param port at which
     * @param lane changes
     * @param off to OFF or ON
     */
    static void GateChanged(Port* port, uint8_t lane, bool off);

    /**
     * @param port at which
     * @param lane whose detector notifies
     * @param frame whose source is notified
     * @param notification of what
     */
    static void Notified(Port* port,
                         uint8_t lane,
                         const Frame& frame,
                         const Notification& notification);

    /**
     * @param queue at which a frame was marked or its source notified
     * @param flow of the frame
     * @param [in,out] count of all such events
     * @param [in,out] byPauses count of those by pauses
     */
    void Count(const Queue& queue, uint32_t flow, uint64_t& count, uint64_t& byPauses);

    std::deque<Port> m_ports;     //!< in the order connected; traces keep their addresses
    std::vector<uint8_t> m_flows; //!< by flow number: which kinds of marks it has had
    Totals m_totals;              //!< without the flows
};

} // namespace ns3

#endif // LOSSLESS_MARK_RECORDER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_QUEUE_DISC_H
#define LOSSLESS_QUEUE_DISC_H

#include "ns3/congestion-detector.h"
#include "ns3/egress-queues.h"
#include "ns3/egress-scheduler.h"
#include "ns3/lossless-net-device.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3
{

/**
 * Holds the packets of ns-3's protocol stack above a LosslessNetDevice, by priority: what is paused
 * waits here instead of being dropped.
 *
 * Eight FIFO queues; a packet's priority is that of its SocketPriorityTag, else the device's
 * StackPriority. The ON/OFF gate is the device's own (LosslessNetDevice::GetOff()): nothing of a
 * priority that is OFF leaves, and the others are not held up by it. Install with
 * TrafficControlHelper.
 *
 * Pull, not push: the EgressScheduler chooses among the packets here, and its choice leaves when
 * the port has none of that priority waiting. So the queue builds up here, where its detectors see
 * it, and the scheduler's shares hold whatever the port's own scheduler is. That one still decides
 * between these packets and RDMA; where both are busy, give it the same class.
 *
 * A CongestionDetector for each priority sees enqueue, dequeue, OFF and ON, as those of a port do.
 * Its marks are written into the IPv4 header and counted by QueueDisc as CE_MARK and UE_MARK;
 * packets other than IPv4 count as not capable. DetectorContext::xoffBytes is 0: the far end's is
 * not known. Sizes that detectors see are those of Ethernet frames; MaxSize and QueueDisc's
 * statistics count IP packets.
 *
 * A packet that would make its queue exceed MaxSize is dropped for the reason FULL_DROP.
 * @ingroup lossless
 */
class LosslessQueueDisc : public QueueDisc
{
  public:
    static constexpr const char* FULL_DROP = "Queue of its priority full"; //!< before enqueue
    static constexpr const char* CE_MARK = "CE mark"; //!< congestion encountered
    static constexpr const char* UE_MARK = "UE mark"; //!< undetermined congestion encountered

    /// @returns the TypeId
    static TypeId GetTypeId();

    LosslessQueueDisc();
    ~LosslessQueueDisc() override;

    /**
     * @param priority 0..7
     * @param detector watches its queue, nullptr for none
     */
    void SetDetector(uint8_t priority, Ptr<CongestionDetector> detector);

    /**
     * @param priority 0..7
     * @returns its detector or nullptr
     */
    Ptr<CongestionDetector> GetDetector(uint8_t priority) const;

    /// @returns what chooses the priority
    Ptr<EgressScheduler> GetScheduler() const;

    /**
     * @param priority 0..7
     * @returns its queue, in sizes of Ethernet frames
     */
    QueueState GetQueueState(uint8_t priority) const;

    /**
     * @param stream first random stream
     * @returns how many the detectors use
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /// @param factory of the detectors of all priorities; of CongestionDetector itself for none
    void SetDetectors(ObjectFactory factory);

    /// @param factory of the scheduler
    void SetScheduler(ObjectFactory factory);

    /// Tells a detector which port it watches. @param priority 0..7
    void AttachDetector(uint8_t priority);

    /// The port took a frame from its queues, so there may be room for the next. @param frame which
    void PortDequeued(const Frame& frame);

    /**
     * The device's gate changed.
     * @param priority 0..7
     * @param off which
     */
    void GateChanged(uint8_t priority, bool off);

    /// Runs the queue disc when the present event has ended.
    void RunSoon();

    /// Runs the queue disc.
    void RunNow();

    Ptr<LosslessNetDevice> m_device;  //!< below
    Ptr<EgressScheduler> m_scheduler; //!< "Scheduler"
    EgressQueues m_queues;    //!< a frame for each item of the internal queues, for detectors
    bool m_runPending{false}; //!< RunNow() is scheduled
};

} // namespace ns3

#endif // LOSSLESS_QUEUE_DISC_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_NET_DEVICE_H
#define LOSSLESS_NET_DEVICE_H

#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/egress-queues.h"
#include "ns3/egress-scheduler.h"
#include "ns3/encapsulation.h"
#include "ns3/error-model.h"
#include "ns3/flow-control.h"
#include "ns3/frame-sink.h"
#include "ns3/frame.h"
#include "ns3/link-time.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/reusable-event.h"
#include "ns3/stack-adapter.h"
#include "ns3/traced-callback.h"

#include <memory>

namespace ns3
{

class LosslessChannel;

/**
 * A port of a lossless link, NIC of a host or port of a switch: what all link technologies have in
 * common. A subclass adds its FlowControl.
 *
 * Sending side: an egress queue for each lane, with a CongestionDetector where wanted; an
 * EgressScheduler chooses among the lanes that the FlowControl has ON. A host's RDMA engine is a
 * FrameSource that is pulled when the line is free. Control frames of the FlowControl go before
 * everything.
 * A frame occupies the line for its bytes plus InterFrameOverhead, and has arrived when that time
 * and the link's Delay have passed. A port that is idle sends at once and needs no event for the
 * end of the transmission until something else waits.
 *
 * Receiving side: control frames go to the FlowControl; other frames to the FrameSink, or as
 * ns3::Packet to the node's protocol stack, which uses the port as any other NetDevice.
 *
 * Not modelled: cut-through, auto-negotiation.
 * @ingroup lossless
 */
class LosslessNetDevice : public NetDevice
{
  public:
    /// Why a frame was dropped.
    enum DropReason
    {
        CORRUPTED,        //!< the receive error model said so
        QUEUE_FULL,       //!< a packet of the protocol stack met a full egress queue
        LINK_DOWN,        //!< no channel
        BUFFER_FULL,      //!< the switch's buffer had no room: for a lossless priority a violation
        NO_ROUTE,         //!< the switch does not know the destination
        UNKNOWN_RECEIVER, //!< nobody at the host wants the frame
        WATCHDOG,         //!< a PFC watchdog discarded it, or sent it to a buffer that was full
    };

    /// Signature of frame traces: the frame; simulation time and context are the simulator's.
    typedef void (*FrameTracedCallback)(const Frame& frame);
    /// Signature of the drop trace.
    typedef void (*DropTracedCallback)(const Frame& frame, DropReason reason);
    /// Signature of the gate trace: (lane, whether it is OFF now).
    typedef void (*GateTracedCallback)(uint8_t lane, bool off);

    /// @returns the TypeId
    static TypeId GetTypeId();

    ~LosslessNetDevice() override;

    /// @param channel the link
    void Attach(Ptr<LosslessChannel> channel);

    /// @returns the port at the link's other end, nullptr without a link
    Ptr<LosslessNetDevice> GetPeer() const;

    /**
     * @param sink where arriving frames go, nullptr for the protocol stack
     * @param port the number that the sink knows this port by
     */
    void SetSink(FrameSink* sink, uint32_t port);

    /// @param picker chooses among what waits in the queues, nullptr for the oldest
    void SetPicker(FramePicker* picker);

    /// Arriving frames are handed over early, when their header has come. @param bytes of it [B]
    void SetCutThrough(uint32_t bytes);

    /// @param source what is pulled when the line is free
    void SetSource(FrameSource* source);

    /// @param point whose limiters frames of the protocol stack wait for, nullptr for none; it is
    /// part of the source
    void SetReactionPoint(Ptr<ReactionPoint> point);

    /**
     * @param lane 0..15
     * @param detector watches that lane's egress queue
     */
    void SetDetector(uint8_t lane, Ptr<CongestionDetector> detector);

    /// Starts the ticks that detectors ask for; called once, after their Attach().
    void StartDetectorTicks();

    /// @returns the port's own scheduler, for its weights
    Ptr<EgressScheduler> GetScheduler() const;

    /**
     * @param lane 0..15
     * @returns its detector or nullptr
     */
    Ptr<CongestionDetector> GetDetector(uint8_t lane) const;

    /// @param frame joins the egress queue of its lane; its readyPs is the present event's
    /// exact time
    void Enqueue(FramePtr frame)
    {
        const int64_t nowPs = OnEventGrid(frame->readyPs);
        Enqueue(std::move(frame), nowPs);
    }

    /**
     * The same for a frame that may be sent from its readyPs on, which may lie ahead: if nothing
     * else is there to be sent, the line is its already.
     * @param frame joins the egress queue of its lane
     * @param nowPs present time [ps]
     */
    void Enqueue(FramePtr frame, int64_t nowPs);

    /// Something changed that a FramePicker goes by: sends what it can. @param nowPs present time
    /// [ps]
    void Retry(int64_t nowPs)
    {
        if (m_freePs <= nowPs)
        {
            TryTransmit(nowPs);
        }
    }

    /**
     * The source has, or will have, something to send.
     * @param ps when [ps]
     * @param nowPs present time [ps]
     */
    void NotifyReady(int64_t ps, int64_t nowPs);

    /// @returns how its frames look on the wire
    const Encapsulation& GetEncapsulation() const
    {
        return m_encapsulation;
    }

    /// @returns its flow control
    FlowControl& GetFlowControl() const
    {
        return *m_flowControl;
    }

    /**
     * Drops what waits in the egress queue of a lane, for the reason WATCHDOG.
     * @param lane 0..15
     * @returns number of frames
     */
    uint64_t Discard(uint8_t lane);

    /// A frame has arrived from the channel. @param frame the frame
    void Receive(FramePtr frame);

    /**
     * Fires the drop trace; the frame is gone.
     * @param frame the frame
     * @param reason why
     */
    void Drop(FramePtr frame, DropReason reason);

    /// @param frame given to the node's protocol stack
    void DeliverToStack(FramePtr frame);

    /// @returns what joins the port to the node's protocol stack
    const StackAdapter& GetStackAdapter() const
    {
        return m_stack;
    }

    /// @returns line rate
    DataRate GetDataRate() const;

    /// @returns preamble, start delimiter and inter-frame gap [B]
    uint32_t GetInterFrameOverhead() const;

    /// @returns propagation delay of the link, one way; zero without a link
    Time GetDelay() const;

    /**
     * @param lane whose queue is watched
     * @returns what the port knows of itself and its link for a detector; thresholds are left at 0
     */
    DetectorContext MakeDetectorContext(uint8_t lane) const;

    /**
     * @param bytes on the wire
     * @returns the time they take [ps]
     */
    int64_t GetByteTimePs(uint32_t bytes) const;

    /**
     * @param lane 0..15
     * @returns its egress queue
     */
    QueueState GetQueueState(uint8_t lane) const;

    /**
     * @param lane 0..15
     * @returns what waits in its egress queue, oldest first
     */
    const FrameQueue& GetFrames(uint8_t lane) const;

    /// @returns the egress queues
    const EgressQueues& GetQueues() const
    {
        return m_queues;
    }

    /// @returns lanes with a frame in their egress queue
    LaneSet GetWaiting() const;

    /// @returns lanes that the far end holds OFF
    LaneSet GetOff() const;

    /// @returns bytes sent, without preamble and gap [B]
    uint64_t GetSentBytes() const;

    /// @returns frames sent, control frames of the link not counted
    uint64_t GetSentFrames() const;

    /// @returns control frames of the link sent, as PFC's
    uint64_t GetSentControlFrames() const;

    /// @returns MAC address
    const Mac48Address& GetMac() const
    {
        return m_address;
    }

    /**
     * @param stream first random stream
     * @returns how many the detectors use
     */
    int64_t AssignStreams(int64_t stream);

    // inherited from NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    /**
     * @param flowControl of the device's class
     * @param encapsulation of the link technology, which outlives the device
     */
    LosslessNetDevice(std::unique_ptr<FlowControl> flowControl, const Encapsulation& encapsulation);

    /**
     * Adds the attributes that every class of ports has, under the class's own name.
     * @param tid of the class
     * @param overheadBytes default of InterFrameOverhead [B]
     * @param mtu default of Mtu [B]
     * @returns tid
     */
    static TypeId AddPortAttributes(TypeId tid, uint32_t overheadBytes, uint16_t mtu);

    void NotifyNewAggregate() override;
    void DoDispose() override;

  private:
    friend class FlowControl; // turns lanes and has its frames sent

    void SetDataRate(DataRate rate);

    /// @param factory of the scheduler
    void SetScheduler(ObjectFactory factory);

    void SetStackPriority(uint8_t priority);
    uint8_t GetDefaultStackPriority() const;
    void SetStackQueueBytes(uint32_t bytes);
    uint32_t GetStackQueueBytes() const;

    /// Sends the next frame if the line is free and one is ready, and arranges to be called again.
    void TryTransmit(int64_t nowPs);

    /**
     * Sends the next frame among the lanes that are ON.
     * @param nowPs present time
     * @returns whether there was one
     */
    bool TransmitNext(int64_t nowPs);

    /**
     * @param lane one that waits
     * @param previous the frame before it in its queue, nullptr for the oldest
     * @param nowPs present time [ps]
     * @returns the oldest frame of its queue, of whose leaving all have been told
     */
    FramePtr Take(uint8_t lane, int64_t nowPs, Frame* previous = nullptr);

    /// @returns those of some waiting lanes that a FramePicker lets send
    LaneSet GetPickable(LaneSet lanes);

    /**
     * Tells all listeners that a frame has left its queue.
     * @param frame which
     * @param marked whether the detector marked it
     */
    void NotifyDequeued(const Frame& frame, bool marked)
    {
        if (marked && !m_markTrace.IsEmpty())
        {
            m_markTrace(frame);
        }
        if (!m_dequeueTrace.IsEmpty())
        {
            m_dequeueTrace(frame);
        }
        if (frame.kind == FrameKind::PACKET)
        {
            m_stack.FrameDequeued(frame);
        }
    }

    /**
     * @param frame goes to the line
     * @param startPs when its transmission begins [ps]
     * @param nowPs present time [ps]
     */
    void Transmit(FramePtr frame, int64_t startPs, int64_t nowPs);

    /// Sends a control frame of the link.
    void TransmitControl(int64_t nowPs);

    /**
     * @param lane of a frame
     * @param bytes of the frame [B]
     * @returns whether the far end has room for it, as far as that is metered
     */
    bool HasRoom(uint8_t lane, uint32_t bytes) const
    {
        return !(m_metered >> lane & 1) || m_flowControl->HasRoom(lane, bytes);
    }

    /// A metered lane has a new oldest frame or less room: turns it OFF if they do not fit.
    void CheckRoom(uint8_t lane);

    /**
     * @param lane changes to OFF or ON
     * @param off which
     */
    void TurnLane(uint8_t lane, bool off);

    /// Fires the packet-level traces if they have a listener. @param frame sent or received
    void Sniff(const Frame& frame) const
    {
        if (!m_snifferTrace.IsEmpty() || !m_promiscSnifferTrace.IsEmpty())
        {
            SniffPacket(frame);
        }
    }

    /// Fires the packet-level traces. @param frame sent or received
    void SniffPacket(const Frame& frame) const;

    // What each frame touches, first.
    int64_t m_freePs{0};                   //!< when the line is free
    ByteTime m_byteTime;                   //!< at m_rate
    uint32_t m_overhead{0};                //!< preamble and gap [B]
    uint32_t m_end{0};                     //!< which end of the channel
    LosslessChannel* m_channel{nullptr};   //!< the link
    FrameSink* m_sink{nullptr};            //!< where frames go
    FramePicker* m_picker{nullptr};        //!< chooses within queues
    FrameSource* m_source{nullptr};        //!< what is pulled
    EgressScheduler* m_scheduler{nullptr}; //!< chooses the lane
    uint32_t m_sinkPort{0};                //!< this port's number in the sink
    LaneSet m_on;                          //!< lanes that the far end allows to send
    LaneSet m_metered{0};                  //!< lanes of which the flow control counts the frames
    bool m_controlWanted{false};           //!< the flow control has a frame to send
    bool m_sourceTurn{false};              //!< queue and source of one lane alternate
    uint64_t m_sentBytes{0};               //!< without preamble and gap
    uint64_t m_sentFrames{0};              //!< without control frames
    ReusableEvent<LosslessNetDevice, &LosslessNetDevice::TryTransmit>
        m_transmitEvent;   //!< line free or source ready
    EgressQueues m_queues; //!< with their detectors

    TracedCallback<const Frame&> m_enqueueTrace;             //!< "Enqueue"
    TracedCallback<const Frame&> m_dequeueTrace;             //!< "Dequeue"
    TracedCallback<const Frame&> m_markTrace;                //!< "Mark"
    TracedCallback<const Frame&> m_txTrace;                  //!< "Transmit"
    TracedCallback<const Frame&> m_rxTrace;                  //!< "FrameReceived"
    TracedCallback<const Frame&, DropReason> m_dropTrace;    //!< "Drop"
    TracedCallback<uint8_t, bool> m_gateTrace;               //!< "Gate"
    TracedCallback<Ptr<const Packet>> m_snifferTrace;        //!< "Sniffer"
    TracedCallback<Ptr<const Packet>> m_promiscSnifferTrace; //!< "PromiscSniffer"

    // The rest.
    std::unique_ptr<FlowControl> m_flowControl; //!< of the device's class
    const Encapsulation& m_encapsulation;       //!< of the link technology
    DataRate m_rate;                            //!< line rate
    uint64_t m_sentControlFrames{0};            //!< GetSentControlFrames()
    StackAdapter m_stack;                       //!< of the node's protocol stack
    Ptr<EgressScheduler> m_schedulerOwner;      //!< "Scheduler"
    Ptr<ErrorModel> m_errorModel;               //!< "ReceiveErrorModel"
    Ptr<LosslessChannel> m_channelOwner;        //!< the link
    Ptr<Node> m_node;                           //!< where it is
    Mac48Address m_address;                     //!< MAC
    uint32_t m_ifIndex{0};                      //!< number within the node
    uint16_t m_mtu{0};                          //!< of the protocol stack
    TracedCallback<> m_linkChange;              //!< when the link comes up
};

} // namespace ns3

#endif // LOSSLESS_NET_DEVICE_H

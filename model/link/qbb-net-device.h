// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef QBB_NET_DEVICE_H
#define QBB_NET_DEVICE_H

#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/egress-queues.h"
#include "ns3/egress-scheduler.h"
#include "ns3/error-model.h"
#include "ns3/frame-sink.h"
#include "ns3/frame.h"
#include "ns3/link-time.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/pause-gate.h"
#include "ns3/reusable-event.h"
#include "ns3/traced-callback.h"

#include <array>
#include <vector>

namespace ns3
{

class Ipv4Header;
class QbbChannel;

/**
 * A port of priority-flow-controlled (lossless) Ethernet: NIC of a host or port of a switch.
 *
 * Sending side: eight egress queues, each with an ON/OFF gate (IEEE 802.1Qbb) and, where wanted, a
 * CongestionDetector; an EgressScheduler chooses among those that are ON. A host's RDMA engine is a
 * FrameSource that is pulled when the line is free. PFC frames go before everything.
 * A frame occupies the line for its bytes plus InterFrameOverhead, and has arrived when that time
 * and the link's Delay have passed. A port that is idle sends at once and needs no event for the
 * end of the transmission until something else waits.
 *
 * Receiving side: PFC acts on the gates after PfcReactionDelay; other frames go to the FrameSink,
 * or as ns3::Packet to the node's protocol stack, which uses the port as any other NetDevice.
 *
 * Not modelled: cut-through, link-level PAUSE (802.3x), auto-negotiation.
 * @ingroup lossless
 */
class QbbNetDevice : public NetDevice
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
    /// Signature of the gate trace: (priority, whether it is OFF now).
    typedef void (*GateTracedCallback)(uint8_t priority, bool off);

    /// @returns the TypeId
    static TypeId GetTypeId();

    QbbNetDevice();
    ~QbbNetDevice() override;

    /// @param channel the link
    void Attach(Ptr<QbbChannel> channel);

    /// @returns the port at the link's other end, nullptr without a link
    Ptr<QbbNetDevice> GetPeer() const;

    /**
     * @param sink where arriving frames go, nullptr for the protocol stack
     * @param port the number that the sink knows this port by
     */
    void SetSink(FrameSink* sink, uint32_t port);

    /// @param source what is pulled when the line is free
    void SetSource(FrameSource* source);

    /**
     * @param priority 0..7
     * @param detector watches that priority's egress queue
     */
    void SetDetector(uint8_t priority, Ptr<CongestionDetector> detector);

    /// Starts the ticks that detectors ask for; called once, after their Attach().
    void StartDetectorTicks();

    /// @returns the port's own scheduler, for its weights
    Ptr<EgressScheduler> GetScheduler() const;

    /**
     * @param priority 0..7
     * @returns its detector or nullptr
     */
    Ptr<CongestionDetector> GetDetector(uint8_t priority) const;

    /// @param frame joins the egress queue of its priority; its readyPs is the present event's
    /// exact time
    void Enqueue(FramePtr frame);

    /**
     * The source has, or will have, something to send.
     * @param ps when [ps]
     * @param nowPs present time [ps]
     */
    void NotifyReady(int64_t ps, int64_t nowPs);

    /**
     * Pauses or resumes the far end; refreshed while it lasts.
     * @param priority 0..7
     * @param pause true for XOFF, false for XON
     */
    void SendPause(uint8_t priority, bool pause);

    /**
     * From now on the far end's pauses of a priority have no effect.
     * @param priority 0..7
     * @param off whether it is OFF or ON meanwhile
     */
    void OverridePause(uint8_t priority, bool off);

    /// Ends OverridePause(): what the far end said last has its effect. @param priority 0..7
    void FollowPause(uint8_t priority);

    /**
     * @param priority 0..7
     * @returns until when the far end wants it to be OFF, or since when it does not [ps]
     */
    int64_t GetPausedUntilPs(uint8_t priority) const;

    /// @returns priorities that OverridePause() has ever turned ON: the far end may have got more
    /// than it has room for
    PrioritySet GetForced() const;

    /**
     * Drops what waits in the egress queue of a priority, for the reason WATCHDOG.
     * @param priority 0..7
     * @returns number of frames
     */
    uint64_t Discard(uint8_t priority);

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

    /**
     * @param packet of the protocol stack
     * @returns priority by its SocketPriorityTag, else StackPriority
     */
    uint8_t GetStackPriority(Ptr<const Packet> packet) const;

    /**
     * @param packetBytes size of a packet of the local protocol stack [B]
     * @param etherType its protocol
     * @param priority 0..7
     * @param ipv4 its header if it is an IPv4 packet, else nullptr
     * @returns a frame of kind PACKET that is there now, without addresses and the packet itself
     */
    static FramePtr MakeStackFrame(uint32_t packetBytes,
                                   uint16_t etherType,
                                   uint8_t priority,
                                   const Ipv4Header* ipv4);

    /// @returns line rate
    DataRate GetDataRate() const;

    /// @returns how long a pause that this port asks for lasts at the far end, if not repeated
    Time GetPauseTime() const;

    /// @returns preamble, start delimiter and inter-frame gap [B]
    uint32_t GetInterFrameOverhead() const;

    /// @returns the time in which a received pause takes effect
    Time GetPfcReactionDelay() const;

    /**
     * @param bytes on the wire
     * @returns the time they take [ps]
     */
    int64_t GetByteTimePs(uint32_t bytes) const;

    /**
     * @param priority 0..7
     * @returns its egress queue
     */
    QueueState GetQueueState(uint8_t priority) const;

    /**
     * @param priority 0..7
     * @returns what waits in its egress queue, oldest first
     */
    const FrameQueue& GetFrames(uint8_t priority) const;

    /// @returns priorities with a frame in their egress queue
    PrioritySet GetWaiting() const;

    /// @returns priorities that the far end holds OFF
    PrioritySet GetOff() const;

    /// @returns bytes sent, without preamble and gap [B]
    uint64_t GetSentBytes() const;

    /// @returns frames sent, PFC frames not counted
    uint64_t GetSentFrames() const;

    /// @returns PFC frames sent
    uint64_t GetSentPauseFrames() const;

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
    void NotifyNewAggregate() override;
    void DoDispose() override;

  private:
    void SetDataRate(DataRate rate);

    /// @param factory of the scheduler
    void SetScheduler(ObjectFactory factory);

    /// Sends the next frame if the line is free and one is ready, and arranges to be called again.
    void TryTransmit(int64_t nowPs);

    /**
     * @param nowPs present time
     * @returns the next frame among the priorities that are ON, or nullptr
     */
    FramePtr Next(int64_t nowPs);

    /**
     * @param priority one that waits
     * @param nowPs present time [ps]
     * @returns the oldest frame of its queue, of whose leaving all have been told
     */
    FramePtr Take(uint8_t priority, int64_t nowPs);

    /**
     * Tells all listeners that a frame has left its queue.
     * @param frame which
     * @param marked whether the detector marked it
     */
    void NotifyDequeued(const Frame& frame, bool marked);

    /**
     * @param frame goes to the line
     * @param nowPs present time
     */
    void Transmit(FramePtr frame, int64_t nowPs);

    /// Sends one PFC frame for all priorities whose state the far end must learn.
    void TransmitPause(int64_t nowPs);

    /// The far end must be told again before its timers end.
    void Refresh(int64_t nowPs);

    /// @param pause what a PFC frame said, acted upon now
    void ApplyPause(Frame::Pause pause);

    /// Timers of paused priorities may have ended.
    void Expire(int64_t nowPs);

    /**
     * @param priority changes to OFF or ON
     * @param off which
     */
    void NotifyGate(uint8_t priority, bool off);

    /// @returns quanta * 512 bit times [ps]
    int64_t QuantaPs(uint16_t quanta) const;

    /// Fires the packet-level traces that have a listener. @param frame sent or received
    void Sniff(const Frame& frame) const;

    /// A packet of the local protocol stack left its queue. @param frame which
    void StackDequeued(const Frame& frame);

    // What each frame touches, first.
    int64_t m_freePs{0};                   //!< when the line is free
    ByteTime m_byteTime;                   //!< at m_rate
    uint32_t m_overhead{0};                //!< preamble and gap [B]
    uint32_t m_end{0};                     //!< which end of the channel
    QbbChannel* m_channel{nullptr};        //!< the link
    FrameSink* m_sink{nullptr};            //!< where frames go
    FrameSource* m_source{nullptr};        //!< what is pulled
    EgressScheduler* m_scheduler{nullptr}; //!< chooses the priority
    uint32_t m_sinkPort{0};                //!< this port's number in the sink
    PrioritySet m_pauseChanged{0};         //!< priorities whose pause state is to be sent
    bool m_sourceTurn{false};              //!< queue and source of one priority alternate
    PauseGate m_gate;                      //!< ON or OFF
    uint64_t m_sentBytes{0};               //!< without preamble and gap
    uint64_t m_sentFrames{0};              //!< without PFC
    ReusableEvent<QbbNetDevice, &QbbNetDevice::TryTransmit>
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
    DataRate m_rate;               //!< line rate
    PrioritySet m_pausing{0};      //!< priorities that this side holds OFF at the far end
    PrioritySet m_forced{0};       //!< GetForced()
    uint16_t m_pauseQuanta{0};     //!< PauseTime
    Time m_refreshInterval;        //!< RefreshInterval
    Time m_reactionDelay;          //!< PfcReactionDelay
    uint64_t m_sentPauseFrames{0}; //!< PFC
    ReusableEvent<QbbNetDevice, &QbbNetDevice::Refresh> m_refreshEvent; //!< while pausing
    ReusableEvent<QbbNetDevice, &QbbNetDevice::Expire> m_expireEvent;   //!< while paused
    Ptr<EgressScheduler> m_schedulerOwner;                              //!< "Scheduler"
    Ptr<ErrorModel> m_errorModel;                                       //!< "ReceiveErrorModel"
    uint32_t m_stackQueueBytes{0};                                      //!< "StackQueueSize"
    std::array<uint32_t, PRIORITIES> m_stackBytes{}; //!< of the local protocol stack, waiting
    uint8_t m_stackPriority{0};                      //!< "StackPriority"
    Ptr<NetDeviceQueueInterface> m_queueInterface;   //!< stops and wakes the queue disc above
    Ptr<QbbChannel> m_channelOwner;                  //!< the link
    Ptr<Node> m_node;                                //!< where it is
    Mac48Address m_address;                          //!< MAC
    uint32_t m_ifIndex{0};                           //!< number within the node
    uint16_t m_mtu{0};                               //!< of the protocol stack
    ReceiveCallback m_receiveCallback;               //!< protocol stack
    PromiscReceiveCallback m_promiscReceiveCallback; //!< protocol stack
    TracedCallback<> m_linkChange;                   //!< when the link comes up
};

} // namespace ns3

#endif // QBB_NET_DEVICE_H

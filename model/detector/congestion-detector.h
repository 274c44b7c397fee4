// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef CONGESTION_DETECTOR_H
#define CONGESTION_DETECTOR_H

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

namespace ns3
{

/// What a detector may know of the port it watches; given once, before the first frame.
/// @ingroup lossless
struct DetectorContext
{
    uint32_t node{0};       //!< node id
    uint32_t port{0};       //!< interface index of the port
    uint8_t priority{0};    //!< the queue's priority
    uint64_t rateBps{0};    //!< line rate [bit/s]
    Time delay;             //!< propagation delay of the link, one way
    uint32_t frameBytes{0}; //!< largest frame on the wire, with preamble and gap [B]
    uint32_t mtuBytes{0};   //!< user bytes of a full data frame, 0 if unknown [B]
    uint64_t xoffBytes{0};  //!< Xoff of the downstream ingress that may pause this port, 0 if none
    uint64_t xonBytes{0};   //!< Xon of the same
    uint64_t ownXoffBytes{0};  //!< static Xoff of this switch's own ingresses, 0 if none
    uint32_t overheadBytes{0}; //!< preamble and gap of each frame [B]
    Time baseRtt;              //!< largest base round-trip time of the network, 0 if unknown
    uint64_t bufferBytes{0}; //!< one lane's buffer of this switch's own input ports, 0 if none [B]
    Time creditPeriod;       //!< Tc, period of the downstream end's credits; 0: not by credits
    uint64_t queueCapacityBytes{0}; //!< bytes from which on its inputs may be paused, 0 if unknown
    uint8_t address[6]{};           //!< MAC address of the switch, zeros if it has none
};

/// State of the egress queue that a detector watches. @ingroup lossless
struct QueueState
{
    uint64_t bytes{0};  //!< waiting in the queue, the frame being serialised not included [B]
    uint32_t frames{0}; //!< number of frames waiting
};

/**
 * Detects congestion at one egress queue: one object for each port and priority.
 *
 * A subclass overrides the hooks it needs. Time is given to it; it never asks the simulator, so it
 * runs in a unit test without one. It knows nothing of switches, RDMA or other queues. Its own
 * random variables get their stream through AssignStreams().
 *
 * The order of calls is Attach(), then any of the others in time order. A frame that finds its
 * port idle passes OnEnqueue() and OnDequeue() at the same time.
 * @ingroup lossless
 */
class CongestionDetector : public Object
{
  public:
    /// State of the port as the ternary detectors tell it (TCD, section 3).
    enum PortState
    {
        NON_CONGESTION, //!< "0"
        CONGESTION,     //!< "1"
        UNDETERMINED,   //!< "/"
    };

    /**
     * @param state of a port
     * @returns its name in output files
     */
    static const char* GetStateName(PortState state);

    /// Signature of "State": (time, old, new).
    typedef void (*StateTracedCallback)(Time now, PortState oldState, PortState newState);
    /// Signature of "Notification": (frame whose source is notified, what it is told).
    typedef void (*NotificationTracedCallback)(const Frame& frame,
                                               const Notification& notification);

    /// @returns the TypeId
    static TypeId GetTypeId();

    /// @returns a factory of this class, which detects nothing
    static ObjectFactory GetFactory();

    /// Sends a notification to the source of a frame: (frame, notification).
    using Notify = Callback<void, const Frame&, const Notification&>;

    /// @param context the port that is watched from now on
    void Attach(const DetectorContext& context);

    /// @param notify what carries notifications to sources
    void SetNotify(Notify notify);

    /**
     * A frame joined the queue.
     * @param frame the frame
     * @param queue the queue with the frame in it
     * @param now present time
     */
    virtual void OnEnqueue(const Frame& frame, const QueueState& queue, Time now);

    /**
     * A frame is about to leave: it may be marked with Mark().
     * @param frame the frame
     * @param queue the queue without it
     * @param now present time
     */
    virtual void OnDequeue(Frame& frame, const QueueState& queue, Time now);

    /// The priority was paused: a transition, not each pause frame. @param now present time
    virtual void OnOff(Time now);

    /// The priority may send again, by a resume or an expired timer. @param now present time
    virtual void OnOn(Time now);

    /**
     * A frame on its way to the queue took its input port above Xoff: the switch pauses the port
     * that sent it. Comes before the frame's OnEnqueue(). The queue is that of the one frame,
     * whichever queues the input port's other bytes wait in.
     * @param now present time
     */
    virtual void OnUpstreamPause(Time now);

    /// The switch resumes a port of which OnUpstreamPause() told. @param now present time
    virtual void OnUpstreamResume(Time now);

    /// @returns whether OnInputFull() is wanted; no by default
    virtual bool SeesInputs() const;

    /**
     * The buffer of an input has become full, in an input-buffered switch, and some of its frames
     * wait in the queue. Comes after the frame that filled it had its chance to leave at once.
     * @param input port number
     * @param queue what waits, whichever inputs it came in by (Frame::ingressPort)
     * @param now present time
     */
    virtual void OnInputFull(uint32_t input, const FrameQueue& queue, Time now);

    /// @returns the interval at which OnTick() is wanted; zero for never (default)
    virtual Time GetTickInterval() const;

    /**
     * @param queue the queue now
     * @param now present time
     */
    virtual void OnTick(const QueueState& queue, Time now);

    /**
     * @param stream first number of the random streams to use
     * @returns how many were used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @returns the port's state
    PortState GetState() const;

    /**
     * Marks a frame. Numeric maximum: UE never overwrites CE, and 00 is never marked.
     * @param frame to be marked
     * @param code UNDETERMINED or CONGESTION
     * @returns whether the frame's code point changed
     */
    static bool Mark(Frame& frame, CodePoint code);

  protected:
    /// Called by Attach() when the context is known.
    virtual void DoAttach();

    /// @returns the port that is watched
    const DetectorContext& Context() const;

    /**
     * A threshold in proportion to the port's rate, lifted to at most a share of the switch's
     * static Xoff: one ingress port is paused before its part of the queue gets above that.
     * @param bytes at the reference rate [B]
     * @param referenceRate 0: the threshold is the same at every rate
     * @param xoffShare of Xoff; 0: no bound
     * @returns the threshold of this port [B]
     */
    uint64_t ScaledThreshold(uint64_t bytes, DataRate referenceRate, double xoffShare) const;

    /**
     * Changes the state and fires the trace.
     * @param state new state
     * @param now present time
     */
    void SetState(PortState state, Time now);

    /**
     * Sends a notification to a frame's source.
     * @param frame the frame
     * @param notification what to say
     */
    void NotifySource(const Frame& frame, const Notification& notification);

  private:
    DetectorContext m_context;                               //!< the port
    PortState m_state{NON_CONGESTION};                       //!< its state
    Notify m_notify;                                         //!< way to the sources
    TracedCallback<Time, PortState, PortState> m_stateTrace; //!< (time, old, new)
    TracedCallback<const Frame&, const Notification&>
        m_notificationTrace; //!< (frame, notification)
};

} // namespace ns3

#endif // CONGESTION_DETECTOR_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RDMA_HW_H
#define RDMA_HW_H

#include "ns3/frame-sink.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rate-controller.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/reusable-event.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{

/// What a sender knows of a message when its last byte has been acknowledged. @ingroup lossless
struct RdmaCompletion
{
    uint32_t flow{0};          //!< flow number
    uint64_t bytes{0};         //!< size of the message [B]
    Time start;                //!< when it was posted
    Time end;                  //!< when its last acknowledgement arrived
    uint32_t packets{0};       //!< data frames of the message
    uint32_t retransmitted{0}; //!< data frames sent again
    uint32_t cnpCe{0};         //!< CNPs received that said CE
    uint32_t cnpUe{0};         //!< and UE
};

/// What a receiver knows of a message. @ingroup lossless
struct RdmaReception
{
    uint32_t flow{0};      //!< flow number
    uint32_t packets{0};   //!< data frames received
    uint32_t packetsCe{0}; //!< of them marked CE
    uint32_t packetsUe{0}; //!< and UE
};

/**
 * The RDMA engine of one NIC: RoCEv2 reliable connections over a QbbNetDevice.
 *
 * Sender: each queue pair is paced at the rate of its own RateController, preamble and gap counted,
 * and limited by its window; those that may send take turns (round robin within a priority). The
 * port pulls frames when its line is free. Cumulative acknowledgement; go-back-N on a NACK or after
 * RetransmissionTimeout. A frame asks for an acknowledgement if it is the last of AckInterval or
 * fills the window. Should the window shrink later, so that it is full of frames that did not ask,
 * one more is sent, which asks: nothing else would open it again.
 *
 * Receiver: acknowledges when the sender asks (each AckInterval frames and at the end), sends one
 * NACK for a gap, and is the notification point, by one of two rules (CnpRule):
 *   - MARKS, that of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1): a mark is answered by a CNP, at
 *     most one for each CnpInterval and kind of mark;
 *   - RECEIVE_RATE, that of PCN (Cheng et al., NSDI 2020): each CnpInterval a CNP tells the rate at
 *     which the flow's frames arrived, and CE (else 01) if at least MarkedShare of them had CE.
 *     A period begins with the arrival of a frame and ends with that of the first frame at least
 *     CnpInterval later, so that one gap longer than CnpInterval is a period. It counts the frames
 *     after the first up to the last with preamble and gap, as the sender's rate counts them. The
 *     rate is told in units of 10 Mb/s, to the nearest and at least one.
 *
 * Connect() stands for the connection manager, which works out of band: it may be called before the
 * simulation starts. State of a message exists from Send() to its end; a finished connection keeps
 * one table entry.
 * @ingroup lossless
 */
class RdmaHw : public Object, public FrameSink, public FrameSource
{
  public:
    /// When the receiver sends a CNP and what it says.
    enum CnpRule
    {
        MARKS,        //!< a mark, at most once for each CnpInterval
        RECEIVE_RATE, //!< each CnpInterval, the rate and whether it was marked
    };

    /// A connection's queue pair numbers.
    struct Connection
    {
        uint32_t local{0};  //!< sending half
        uint32_t remote{0}; //!< receiving half
    };

    /// What Send() needs to know.
    struct Message
    {
        uint32_t flow{0};      //!< number for traces
        uint64_t bytes{0};     //!< size, at least 1 [B]
        uint8_t priority{3};   //!< 802.1p
        uint16_t udpSource{0}; //!< entropy for ECMP
        Time baseRtt;          //!< of the path, for controllers that want it; zero if unknown
    };

    /// Signature of "MessageCompleted".
    typedef void (*CompletionTracedCallback)(const RdmaCompletion& completion);
    /// Signature of "MessageReceived".
    typedef void (*ReceptionTracedCallback)(const RdmaReception& reception);
    /// Signature of "Rate": (flow number, bit/s).
    typedef void (*RateTracedCallback)(uint32_t flow, double rateBps);

    /// @returns the TypeId
    static TypeId GetTypeId();

    RdmaHw();
    ~RdmaHw() override;

    /**
     * @param device the NIC
     * @param endpoint its number in the fabric
     * @param address its IPv4 address
     */
    void Install(Ptr<QbbNetDevice> device, uint32_t endpoint, Ipv4Address address);

    /// @param remote the other end @returns the numbers of a new connection from here to there
    Connection Connect(Ptr<RdmaHw> remote);

    /**
     * Posts a message on a connection that has not carried one.
     * @param connection from Connect()
     * @param remote the other end
     * @param message what to send
     */
    void Send(Connection connection, Ptr<const RdmaHw> remote, const Message& message);

    /// @returns the NIC
    Ptr<QbbNetDevice> GetDevice() const;

    /// @returns endpoint number in the fabric
    uint32_t GetEndpoint() const;

    /// @returns IPv4 address
    Ipv4Address GetAddress() const;

    /// @returns user bytes of a full frame
    uint32_t GetMtu() const;

    /// @returns data frames for each acknowledgement
    uint32_t GetAckInterval() const;

    /// @returns priority of its ACK and NACK, -1 for that of the data
    int8_t GetAckPriority() const;

    /// @returns priority of its CNPs
    uint8_t GetCnpPriority() const;

    /**
     * @param bytes of a message
     * @returns the data frames it takes
     * @throws InputError for more than 2^32 - 1, up to which they are numbered
     */
    uint32_t GetPackets(uint64_t bytes) const;

    /// @param bytes of a message @param psn of one of its frames @returns that frame's size with
    /// FCS, without an INT block: the measure of every scheme [B]
    uint32_t GetDataFrameBytes(uint64_t bytes, uint32_t psn) const;

    /// @returns size of an ACK with FCS, without an INT block [B]
    uint32_t GetAckFrameBytes() const;

    /// @param udpSource entropy @param remote other end @returns the flow's hash
    uint32_t GetFlowHash(uint16_t udpSource, Ptr<const RdmaHw> remote) const;

    /// @returns messages being sent
    uint32_t GetActiveMessages() const;

    /// @returns messages of which a part has arrived; looks at every connection
    uint32_t GetIncomingMessages() const;

    /// @returns what has arrived so far of messages that are not complete
    std::vector<RdmaReception> GetReceptions() const;

    // inherited from FrameSink and FrameSource
    void FrameArrived(uint32_t port, FramePtr frame) override;
    void FrameDeparted(const Frame& frame) override;
    PrioritySet GetReady(int64_t nowPs) override;
    int64_t GetNextReadyPs(PrioritySet on) const override;
    FramePtr Pull(uint8_t priority, int64_t freePs, int64_t nowPs) override;

  protected:
    void DoDispose() override;

  private:
    using Paced =
        boost::intrusive::set<RdmaQueuePair,
                              boost::intrusive::member_hook<RdmaQueuePair,
                                                            boost::intrusive::set_member_hook<>,
                                                            &RdmaQueuePair::pacedHook>>;
    using Round =
        boost::intrusive::list<RdmaQueuePair,
                               boost::intrusive::member_hook<RdmaQueuePair,
                                                             boost::intrusive::list_member_hook<>,
                                                             &RdmaQueuePair::readyHook>>;
    using Outstanding =
        boost::intrusive::list<RdmaQueuePair,
                               boost::intrusive::member_hook<RdmaQueuePair,
                                                             boost::intrusive::list_member_hook<>,
                                                             &RdmaQueuePair::outstandingHook>>;

    /// Numbers 0 and 1 are those of InfiniBand's management queue pairs.
    static constexpr std::size_t FIRST_QUEUE_PAIR = 2;

    /// Table entry of a receiving half.
    struct ReceiverSlot
    {
        std::unique_ptr<RdmaReceiver> receiver; //!< while its message arrives
        uint32_t finishedPackets{0};            //!< of a message that has arrived
    };

    /// @param receiver of a message @returns what it knows
    static RdmaReception Describe(const RdmaReceiver& receiver);

    /// Calls the controller for each of its deadlines up to now.
    static void RunTimers(RdmaQueuePair& qp, int64_t nowPs);

    /// @returns largest data frame on the wire, preamble and gap included [B]
    uint32_t GetLargestWireBytes() const;

    /// Takes a queue pair out of the container of its state.
    void Unlink(RdmaQueuePair& qp);

    /// Puts a queue pair, which is in no container, where it belongs. @returns when it may send,
    /// NEVER_PS if that is not known
    int64_t Link(RdmaQueuePair& qp);

    /// @returns time from the start of the last frame to that of the next at the present rate [ps]
    static int64_t GapPs(const RdmaQueuePair& qp);

    /// Takes over the controller's rate. @returns whether it changed
    bool NoteRate(RdmaQueuePair& qp) const;

    /// The controller or the acknowledgements may have changed what a queue pair may do. @param qp
    /// it @param nowPs present time [ps]
    void Update(RdmaQueuePair& qp, int64_t nowPs);

    /// @returns whether the window has room for one more frame
    bool IsWindowOpen(const RdmaQueuePair& qp) const;

    /// @returns whether the window, or the lack of an acknowledgement to come, allows one more
    /// frame
    bool MaySend(const RdmaQueuePair& qp) const;

    /// All from the first unacknowledged frame on is sent again.
    static void GoBack(RdmaQueuePair& qp);

    void ReceiveData(FramePtr frame);
    void ReceiveAck(const Frame& frame);
    void ReceiveCnp(const Frame& frame);

    /// @returns a frame from a receiving half to its sender
    FramePtr MakeReply(const RdmaReceiver& receiver, const Frame& data, FrameKind kind) const;

    /// Acknowledges all below receiver.expected, or says that this is missing; takes the INT block
    /// of the data.
    void Acknowledge(RdmaReceiver& receiver, Frame& data, FrameKind kind);

    /// CnpRule MARKS: a marked frame came.
    void AnswerMark(RdmaReceiver& receiver, const Frame& data);

    /// CnpRule RECEIVE_RATE: a frame came.
    void MeasureRate(RdmaReceiver& receiver, const Frame& data);

    /// Sends a CNP.
    void NotifySender(const RdmaReceiver& receiver,
                      const Frame& data,
                      const Frame::Feedback& feedback);

    /// Sends again what was not acknowledged in time.
    void CheckTimeouts(int64_t nowPs);

    /// A message is acknowledged to its end.
    void Complete(RdmaQueuePair& qp);

    QbbNetDevice* m_device{nullptr};        //!< the NIC, which the node owns
    uint32_t m_endpoint{UNKNOWN_ENDPOINT};  //!< its number
    uint32_t m_overhead{0};                 //!< preamble and gap [B]
    PrioritySet m_ready{0};                 //!< priorities with a queue pair whose turn it may be
    Paced m_paced;                          //!< by time
    std::array<Round, PRIORITIES> m_rounds; //!< by turn
    Outstanding m_outstanding;              //!< frames in flight, oldest progress first
    std::vector<std::unique_ptr<RdmaQueuePair>> m_senders; //!< by number
    std::vector<ReceiverSlot> m_receivers;                 //!< by number
    uint32_t m_active{0};                                  //!< messages being sent
    ReusableEvent<RdmaHw, &RdmaHw::CheckTimeouts>
        m_timeoutEvent; //!< of the oldest in m_outstanding

    Ipv4Address m_address;            //!< IPv4
    uint32_t m_mtu{0};                //!< "Mtu"
    uint32_t m_ackInterval{0};        //!< "AckInterval"
    int8_t m_ackPriority{0};          //!< "AckPriority"
    uint8_t m_cnpPriority{0};         //!< "CnpPriority"
    bool m_sendCnp{true};             //!< "SendCnp"
    Time m_cnpInterval;               //!< "CnpInterval"
    CnpRule m_cnpRule{MARKS};         //!< "CnpRule"
    double m_markedShare{0};          //!< "MarkedShare"
    bool m_write{false};              //!< "RdmaWrite"
    bool m_tagged{false};             //!< "VlanTag"
    bool m_capable{true};             //!< "EcnCapable"
    bool m_telemetry{false};          //!< "Telemetry"
    Time m_timeout;                   //!< "RetransmissionTimeout"
    Ptr<RateController> m_controller; //!< "RateController"

    TracedCallback<const RdmaCompletion&> m_completedTrace; //!< "MessageCompleted"
    TracedCallback<const RdmaReception&> m_receivedTrace;   //!< "MessageReceived"
    TracedCallback<uint32_t, double> m_rateTrace;           //!< "Rate"
};

} // namespace ns3

#endif // RDMA_HW_H

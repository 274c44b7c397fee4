// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RDMA_HW_H
#define RDMA_HW_H

#include "ns3/frame-sink.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-net-device.h"
#include "ns3/notification-point.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rate-controller.h"
#include "ns3/rdma-receiver.h"
#include "ns3/rdma-sender.h"
#include "ns3/reaction-point.h"
#include "ns3/reaction-source.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * The RDMA engine of one NIC: RoCEv2 reliable connections over a LosslessNetDevice.
 *
 * RdmaSender has the sending halves of its connections, RdmaReceiver the receiving ones; a
 * NotificationPoint (CnpRule) decides which CNPs a receiver sends. What users see of all of them is
 * here: attributes, traces, connections and messages.
 *
 * Connect() stands for the connection manager, which works out of band: it may be called before the
 * simulation starts. State of a message exists from Send() to its end; a finished connection keeps
 * one table entry.
 * @ingroup lossless
 */
class RdmaHw : public Object, public FrameSink
{
  public:
    /// When the receiver sends a CNP and what it says.
    enum CnpRule
    {
        MARKS,        //!< see MarkNotificationPoint
        RECEIVE_RATE, //!< see RateNotificationPoint
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
    void Install(Ptr<LosslessNetDevice> device, uint32_t endpoint, Ipv4Address address);

    /**
     * Puts rate limiters between the port and what it sends: this engine's frames and those of the
     * node's protocol stack. After Install().
     * @param point of this port alone; it is started
     * @throws InputError if its attributes are impossible
     */
    void SetReactionPoint(Ptr<ReactionPoint> point);

    /// @returns the port's rate limiters, nullptr if it has none
    Ptr<ReactionPoint> GetReactionPoint() const;

    /**
     * @param remote the other end
     * @returns the numbers of a new connection from here to there
     */
    Connection Connect(Ptr<RdmaHw> remote);

    /**
     * Posts a message on a connection that has not carried one.
     * @param connection from Connect()
     * @param remote the other end
     * @param message what to send
     */
    void Send(Connection connection, Ptr<const RdmaHw> remote, const Message& message);

    /// @returns the NIC
    Ptr<LosslessNetDevice> GetDevice() const;

    /// @returns endpoint number in the fabric
    uint32_t GetEndpoint() const
    {
        return m_endpoint;
    }

    /// @returns IPv4 address
    Ipv4Address GetAddress() const;

    /// @returns user bytes of a full frame
    uint32_t GetMtu() const
    {
        return m_mtu;
    }

    /// @returns data frames for each acknowledgement
    uint32_t GetAckInterval() const
    {
        return m_ackInterval;
    }

    /**
     * @param bytes of a message
     * @returns the data frames it takes
     * @throws InputError for more than 2^32 - 1, up to which they are numbered
     */
    uint32_t GetPackets(uint64_t bytes) const;

    /**
     * @param bytes of a message
     * @param psn of one of its frames
     * @returns that frame's size with FCS, without an INT block: the measure of every scheme [B]
     */
    uint32_t GetDataFrameBytes(uint64_t bytes, uint32_t psn) const;

    /// @returns size of an ACK with FCS, without an INT block [B]
    uint32_t GetAckFrameBytes() const;

    /**
     * @param udpSource entropy
     * @param remote other end
     * @returns the flow's hash
     */
    uint32_t GetFlowHash(uint16_t udpSource, Ptr<const RdmaHw> remote) const;

    /// @returns messages being sent
    uint32_t GetActiveMessages() const;

    /// @returns messages of which a part has arrived; looks at every connection
    uint32_t GetIncomingMessages() const;

    /// @returns what has arrived so far of messages that are not complete
    std::vector<RdmaReception> GetReceptions() const;

    /// @name What sender and receiver ask
    //@{

    /// @returns whether data can be marked
    bool IsEcnCapable() const
    {
        return m_capable;
    }

    /// @returns whether messages are RDMA WRITEs
    bool IsWrite() const
    {
        return m_write;
    }

    /// @returns whether frames have an 802.1Q tag
    bool IsTagged() const
    {
        return m_tagged;
    }

    /// @returns whether data carry an INT block
    bool HasTelemetry() const
    {
        return m_telemetry;
    }

    /// @returns time without progress after which all is sent again
    Time GetRetransmissionTimeout() const
    {
        return m_timeout;
    }

    /**
     * @param data priority of the data
     * @returns priority of ACKs and NACKs for them
     */
    uint8_t GetAckPriority(uint8_t data) const
    {
        return m_ackPriority < 0 ? data : m_ackPriority;
    }

    /// @returns priority of CNPs
    uint8_t GetCnpPriority() const
    {
        return m_cnpPriority;
    }

    /**
     * @param marked whether a data frame has UE or CE
     * @returns whether the notification point is to see it
     */
    bool WantsNotice(bool marked) const
    {
        return m_sendCnp && (marked || m_cnpRule == RECEIVE_RATE);
    }

    /// @returns a notification point as CnpRule says
    std::unique_ptr<NotificationPoint> MakeNotificationPoint() const;

    /// Tells the listeners of "MessageCompleted". @param completion what
    void NotifyCompleted(const RdmaCompletion& completion) const;

    /// Tells the listeners of "MessageReceived". @param reception what
    void NotifyReceived(const RdmaReception& reception) const;

    /**
     * Tells the listeners of "Rate".
     * @param flow number
     * @param rateBps new rate [bit/s]
     */
    void NotifyRate(uint32_t flow, double rateBps) const
    {
        if (!m_rateTrace.IsEmpty())
        {
            m_rateTrace(flow, rateBps);
        }
    }

    //@}

    // inherited from FrameSink
    void FrameArrived(uint32_t port, FramePtr frame) override;
    void FrameDeparted(uint32_t port, const Frame& frame, int64_t endPs) override;

  protected:
    void DoDispose() override;

  private:
    /// @returns largest data frame on the wire, preamble and gap included [B]
    uint32_t GetLargestWireBytes() const;

    /// A notification has come. @param frame which
    void ReceiveNotification(const Frame& frame);

    LosslessNetDevice* m_device{nullptr};             //!< the NIC, which the node owns
    uint32_t m_endpoint{UNKNOWN_ENDPOINT};            //!< its number
    RdmaSender m_sender;                              //!< sending halves
    RdmaReceiver m_receiver;                          //!< receiving halves
    Ptr<ReactionPoint> m_reactionPoint;               //!< SetReactionPoint()
    std::unique_ptr<ReactionSource> m_reactionSource; //!< between sender and port, with the same

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

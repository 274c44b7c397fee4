// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RDMA_RECEIVER_H
#define RDMA_RECEIVER_H

#include "ns3/frame.h"
#include "ns3/lossless-net-device.h"
#include "ns3/notification-point.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class RdmaHw;

/// What a receiver knows of a message. @ingroup lossless
struct RdmaReception
{
    uint32_t flow{0};      //!< flow number
    uint32_t packets{0};   //!< data frames received
    uint32_t packetsCe{0}; //!< of them marked CE
    uint32_t packetsUe{0}; //!< and UE
};

/**
 * The receiving halves of the connections of an RdmaHw. Acknowledges when the sender asks (each
 * AckInterval frames and at the end), sends one NACK for a gap, and lets a NotificationPoint decide
 * which CNPs to send.
 * @ingroup lossless
 */
class RdmaReceiver
{
  public:
    /// @param hw whose part it is, and whose attributes it follows
    explicit RdmaReceiver(const RdmaHw& hw);

    RdmaReceiver(const RdmaReceiver&) = delete;
    RdmaReceiver& operator=(const RdmaReceiver&) = delete;

    /// Replies by the port of its RdmaHw.
    void Install();

    /// Forgets all queue pairs.
    void Dispose();

    /// @returns the number of a new receiving half
    uint32_t AddQueuePair();

    /**
     * @param number from AddQueuePair()
     * @returns whether a message has arrived there
     */
    bool IsFinished(uint32_t number) const;

    /// @returns messages of which a part has arrived; looks at every connection
    uint32_t GetIncomingMessages() const;

    /// @returns what has arrived so far of messages that are not complete
    std::vector<RdmaReception> GetReceptions() const;

    /// A data frame has come. @param frame which
    void ReceiveData(FramePtr frame);

  private:
    /// State of a message while it arrives.
    struct Incoming
    {
        uint32_t source{0};                       //!< endpoint of the sender
        uint32_t remoteNumber{0};                 //!< the sending half's queue pair number
        uint32_t hash{0};                         //!< of ACKs and CNPs
        FrameAddresses addresses;                 //!< of ACKs and CNPs
        uint32_t expected{0};                     //!< PSN expected next
        bool nacked{false};                       //!< a NACK for `expected` is out
        CodePoint echo{CodePoint::NOT_CAPABLE};   //!< highest mark since the last ACK
        RdmaReception counts;                     //!< repeated frames too
        std::unique_ptr<NotificationPoint> point; //!< from the first frame that it wants on
    };

    /// A receiving half.
    struct QueuePair
    {
        std::unique_ptr<Incoming> incoming; //!< while its message arrives
        uint32_t finishedPackets{0};        //!< of a message that has arrived
    };

    /**
     * @param frame first of a message, or repeated
     * @returns the state of its message
     */
    static std::unique_ptr<Incoming> MakeIncoming(const Frame& frame);

    /**
     * Lets the notification point see a frame.
     * @param incoming its message
     * @param frame which
     */
    void Notice(Incoming& incoming, const Frame& frame);

    /// @returns a frame from a receiving half to its sender
    FramePtr MakeReply(const Incoming& incoming, const Frame& data, FrameKind kind) const;

    /// Acknowledges all below incoming.expected, or says that this is missing; takes the INT block
    /// of the data.
    void Acknowledge(Incoming& incoming, Frame& data, FrameKind kind);

    const RdmaHw& m_hw;                   //!< whose part it is
    LosslessNetDevice* m_device{nullptr}; //!< the NIC
    std::vector<QueuePair> m_queuePairs;  //!< by number
};

} // namespace ns3

#endif // RDMA_RECEIVER_H

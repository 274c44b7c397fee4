// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_STACK_ADAPTER_H
#define LOSSLESS_STACK_ADAPTER_H

#include "ns3/frame.h"
#include "ns3/lane.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/reaction-point.h"

#include <array>
#include <cstdint>

namespace ns3
{

class Ipv4Header;
class LosslessNetDevice;

/**
 * What joins a port to the protocol stack of its node: packets become frames of kind PACKET, which
 * wait in the port's queues beside those of RDMA, and frames that arrive become packets again. Of
 * each priority a bounded number of bytes may wait in the port; a queue disc above is stopped
 * before that and woken after.
 *
 * Where the port has a reaction point, packets of a limited flow wait for its limiter instead; one
 * that finds the limiter's queue full is lost.
 * @ingroup lossless
 */
class StackAdapter
{
  public:
    /// @param port whose part it is
    explicit StackAdapter(LosslessNetDevice& port);

    StackAdapter(const StackAdapter&) = delete;
    StackAdapter& operator=(const StackAdapter&) = delete;

    /// Forgets stack and queue disc.
    void Dispose();

    /// @param interface of the port, by which a queue disc is stopped and woken; or nullptr
    void SetQueueInterface(Ptr<NetDeviceQueueInterface> interface);

    /// @param point whose limiters packets wait for, nullptr for none
    void SetReactionPoint(Ptr<ReactionPoint> point);

    /// @param cb told of packets to this node
    void SetReceiveCallback(NetDevice::ReceiveCallback cb);

    /// @param cb told of all packets
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb);

    /// @param priority of packets without a SocketPriorityTag
    void SetDefaultPriority(uint8_t priority);

    /// @returns see SetDefaultPriority()
    uint8_t GetDefaultPriority() const;

    /// @param bytes of each priority that may wait in the port [B]
    void SetQueueBytes(uint32_t bytes);

    /// @returns see SetQueueBytes()
    uint32_t GetQueueBytes() const;

    /**
     * @param packet of the protocol stack
     * @returns priority by its SocketPriorityTag, else the default
     */
    uint8_t GetPriority(Ptr<const Packet> packet) const;

    /**
     * The protocol stack sends a packet.
     * @param packet without a link header
     * @param source address
     * @param dest address
     * @param protocol EtherType
     * @returns whether the port took it
     */
    bool Send(Ptr<Packet> packet, const Address& source, const Address& dest, uint16_t protocol);

    /// A frame of kind PACKET left its queue in the port. @param frame which
    void FrameDequeued(const Frame& frame);

    /// @param frame given to the protocol stack
    void Deliver(FramePtr frame);

    /**
     * @param packetBytes size of a packet of the local protocol stack [B]
     * @param etherType its protocol
     * @param priority 0..7
     * @param ipv4 its header if it is an IPv4 packet, else nullptr
     * @returns a frame of kind PACKET that is there now, without addresses and the packet itself
     */
    static FramePtr MakeFrame(uint32_t packetBytes,
                              uint16_t etherType,
                              uint8_t priority,
                              const Ipv4Header* ipv4);

  private:
    /**
     * Offers a frame to the reaction point.
     * @param frame taken unless its flow is not limited
     * @returns whether it waits for a limiter; if not, it was lost, or is still the caller's
     */
    bool WaitsForLimiter(FramePtr& frame);

    /// @returns whether a largest packet would be too much beside so many bytes that wait
    bool IsFull(uint32_t waiting) const;

    LosslessNetDevice& m_port;                       //!< whose part it is
    uint32_t m_queueBytes{0};                        //!< SetQueueBytes()
    uint8_t m_defaultPriority{0};                    //!< SetDefaultPriority()
    std::array<uint32_t, PRIORITIES> m_waiting{};    //!< bytes in the port, by priority
    Ptr<ReactionPoint> m_reactionPoint;              //!< SetReactionPoint()
    Ptr<NetDeviceQueueInterface> m_interface;        //!< stops and wakes the queue disc above
    NetDevice::ReceiveCallback m_receive;            //!< packets to this node
    NetDevice::PromiscReceiveCallback m_promiscuous; //!< all packets
};

} // namespace ns3

#endif // LOSSLESS_STACK_ADAPTER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_SWITCH_H
#define LOSSLESS_SWITCH_H

#include "ns3/congestion-detector.h"
#include "ns3/forwarding-table.h"
#include "ns3/frame-sink.h"
#include "ns3/lossless-net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A switch of lossless links, aggregated to a Node whose devices are its ports: what all link
 * technologies have in common. It routes a frame by its destination endpoint, over one of the
 * equal-cost ports that its flow hash chooses, tells the detectors of its ports what they watch,
 * and sends their notifications. A subclass has the buffer and gives the flow control its meaning.
 * @ingroup lossless
 */
class LosslessSwitch : public Object, public FrameSink
{
  public:
    /// What the network's traffic is like, for detectors.
    struct Traffic
    {
        uint32_t mtuBytes{0};       //!< user bytes of a full RDMA frame, 0 for unknown [B]
        uint32_t dataFrameBytes{0}; //!< largest RDMA frame without preamble and gap [B]
        uint32_t tagBytes{0}; //!< most that a tag of congestion management adds to a frame [B]
        Time baseRtt;         //!< largest round-trip time of two hosts without queueing; 0 for
                              //!< unknown
    };

    /// @returns the TypeId
    static TypeId GetTypeId();

    LosslessSwitch();
    ~LosslessSwitch() override;

    /// @param device becomes a port, numbered by the order of the calls, which is its interface
    /// index
    void AddPort(Ptr<LosslessNetDevice> device);

    /// @returns the number of ports
    uint32_t GetNPorts() const;

    /**
     * @param port number
     * @returns its device
     */
    Ptr<LosslessNetDevice> GetPort(uint32_t port) const;

    /// @returns where it sends what, for who sets the routes
    ForwardingTable& GetForwardingTable();

    /// @returns where it sends what
    const ForwardingTable& GetForwardingTable() const;

    /// @param traffic what the detectors may know of it; before the simulation starts
    void SetTraffic(const Traffic& traffic);

    /// @returns see SetTraffic()
    const Traffic& GetTraffic() const;

    /// Sizes the buffer; called at the start of the simulation, or earlier to learn of errors.
    /// @throws InputError with the numbers
    void Configure();

    /**
     * @param port number
     * @param lane of the port
     * @returns what a detector of that lane is told of its place
     */
    DetectorContext MakeDetectorContext(uint32_t port, uint8_t lane) const;

    /// @returns frames dropped
    virtual uint64_t GetDrops() const;

    /// @returns bytes of a frame that must have arrived before it can be sent on [B]; 0 for all
    virtual uint32_t GetCutThroughBytes() const;

    /// @returns from then until it can be sent on
    virtual Time GetForwardingDelay() const;

    /// @returns bytes that its buffers hold [B]
    virtual uint64_t GetUsedBytes() const = 0;

    /// @returns name and value of what a run's summary tells of its buffers
    virtual std::vector<std::pair<std::string, std::string>> GetSettings() const = 0;

    // inherited from FrameSink
    void FrameArrived(uint32_t port, FramePtr frame) override;

  protected:
    /**
     * A frame's way is known.
     * @param port it came in by
     * @param out it is to leave by
     * @param frame the frame
     */
    virtual void Forward(uint32_t port, uint32_t out, FramePtr frame) = 0;

    /// Sizes the buffer, once. @throws InputError with the numbers
    virtual void DoConfigure() = 0;

    /**
     * Adds what the detectors of a port may know of the switch's buffer and of the far end's.
     * @param port number
     * @param context of which the port's own part is set
     */
    virtual void DescribePort(uint32_t port, DetectorContext& context) const = 0;

    /// @returns lane of the notifications that the switch sends
    virtual uint8_t GetNotificationLane() const = 0;

    /**
     * @param port it came in by
     * @param frame lost
     * @param reason why
     */
    virtual void Drop(uint32_t port, FramePtr frame, LosslessNetDevice::DropReason reason);

    /// @returns id of the node
    uint32_t GetNodeId() const
    {
        return m_nodeId;
    }

    void NotifyNewAggregate() override;
    void DoInitialize() override;
    void DoDispose() override;

    std::vector<LosslessNetDevice*> m_ports; //!< owned by the node

  private:
    /**
     * @param port came in by
     * @param frame to all ports of the spanning tree but that one
     */
    void Flood(uint32_t port, FramePtr frame);

    /// Tells a port's detectors what they watch.
    void AttachDetectors(uint32_t port);

    /**
     * Sends a notification to a frame's source.
     * @param frame the frame
     * @param notification what it says
     */
    void NotifySource(const Frame& frame, const Notification& notification);

    ForwardingTable m_table;  //!< GetForwardingTable()
    uint32_t m_nodeId{0};     //!< node id
    uint64_t m_drops{0};      //!< Drop()
    Traffic m_traffic;        //!< SetTraffic()
    Ptr<Node> m_node;         //!< where it is
    bool m_configured{false}; //!< DoConfigure() was called
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ETHERNET_SWITCH_H
#define ETHERNET_SWITCH_H

#include "ns3/congestion-detector.h"
#include "ns3/frame-sink.h"
#include "ns3/ingress-buffer.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pause-watchdog.h"
#include "ns3/qbb-net-device.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// Endpoint numbers by MAC address (as a 48-bit number), for frames of the protocol stack.
using AddressTable = std::unordered_map<uint64_t, uint32_t>;

/**
 * @param mac six bytes
 * @returns them as a number
 */
uint64_t MacNumber(const uint8_t mac[6]);

/**
 * A store-and-forward Ethernet switch with a shared buffer and PFC; aggregated to a Node whose
 * devices are its ports.
 *
 * A frame is routed by its destination endpoint, over one of the equal-cost ports that its flow
 * hash, salted with the node id, chooses; admitted into the IngressBuffer; and joins the egress
 * queue of its priority. Its buffer is free when its transmission begins. Zero forwarding delay.
 *
 * In a lossless priority a frame without room is a defect of the configuration: by default a
 * std::runtime_error with the numbers ends the simulation. What a PauseWatchdog drops, here or at
 * the next switch, is none: the user asked for it.
 * @ingroup lossless
 */
class EthernetSwitch : public Object, public FrameSink
{
  public:
    /// How Xoff is found.
    enum ThresholdMode
    {
        STATIC,  //!< the attributes Xoff and Xon
        DYNAMIC, //!< Alpha x free shared bytes
    };

    /// Signature of the watchdog trace: (port, priority, whether the watchdog begins to act).
    typedef void (*WatchdogTracedCallback)(uint32_t port, uint8_t priority, bool acts);

    /// @returns the TypeId
    static TypeId GetTypeId();

    EthernetSwitch();
    ~EthernetSwitch() override;

    /// @param device becomes a port, numbered by the order of the calls, which is its interface
    /// index
    void AddPort(Ptr<QbbNetDevice> device);

    /// @returns the number of ports
    uint32_t GetNPorts() const;

    /**
     * @param port number
     * @returns its device
     */
    Ptr<QbbNetDevice> GetPort(uint32_t port) const;

    /**
     * @param destination endpoint number
     * @param ports the equal-cost ports that lead to it, empty for none
     */
    void SetRoute(uint32_t destination, const std::vector<uint32_t>& ports);

    /**
     * @param destination endpoint number
     * @returns the equal-cost ports that lead to it
     */
    std::vector<uint32_t> GetRoutes(uint32_t destination) const;

    /**
     * @param destination endpoint number
     * @param hash of the flow
     * @returns the port, or GetNPorts() without a route
     */
    uint32_t Route(uint32_t destination, uint32_t hash) const;

    /**
     * @param table for frames whose endpoint the sender did not know
     * @param floodPorts ports of the spanning tree
     */
    void SetAddressTable(std::shared_ptr<const AddressTable> table, std::vector<bool> floodPorts);

    /// Sizes the buffer; called at the start of the simulation, or earlier to learn of errors.
    /// @throws InputError with the numbers
    void ConfigureBuffer();

    /// @returns the buffer and its accounts
    const IngressBuffer& GetBuffer() const;

    /// @returns frames dropped, all priorities
    uint64_t GetDrops() const;

    /// @returns for how long a priority is OFF before a port's watchdog acts, zero without
    /// watchdogs
    Time GetWatchdogDetection() const;

    /// @returns how often the ports' watchdogs have begun to act
    uint64_t GetWatchdogDetections() const;

    /// @returns static Xoff, 0 with a dynamic threshold [B]
    uint64_t GetXoff() const;

    /// @returns static Xon, 0 with a dynamic threshold [B]
    uint64_t GetXon() const;

    // inherited from FrameSink
    void FrameArrived(uint32_t port, FramePtr frame) override;
    void FrameDeparted(const Frame& frame) override;

  protected:
    void NotifyNewAggregate() override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Equal-cost ports, a slice of m_choices.
    struct Group
    {
        uint32_t first{0}; //!< index of the first
        uint32_t count{0}; //!< how many
    };

    /**
     * @param port it came in by
     * @param out it is to leave by
     * @param frame the frame
     */
    void Forward(uint32_t port, uint32_t out, FramePtr frame);

    /**
     * @param frame has no room
     * @param port it came in by
     */
    void Refuse(uint32_t port, FramePtr frame);

    /**
     * @param port came in by
     * @param frame to all ports of the spanning tree but that one
     */
    void Flood(uint32_t port, FramePtr frame);

    /// Makes the ports' watchdogs, if they are wanted.
    void StartWatchdogs();

    /// Tells a port's detectors what they watch.
    void AttachDetectors(uint32_t port);

    /**
     * Sends a CNP to a frame's source.
     * @param frame the frame
     * @param notification what it says
     */
    void NotifySource(const Frame& frame, const Notification& notification);

    std::vector<QbbNetDevice*> m_ports; //!< owned by the node
    std::vector<uint32_t> m_groupOf;    //!< group by destination
    /// By port and priority: the egress port whose frame had that port's upstream paused.
    std::vector<std::array<uint32_t, PRIORITIES>> m_pausedFor;
    std::vector<Group> m_groups;                             //!< number 0 is "no route"
    std::vector<uint32_t> m_choices;                         //!< ports of all groups
    uint32_t m_nodeId{0};                                    //!< node id
    IngressBuffer m_buffer;                                  //!< MMU
    uint64_t m_drops{0};                                     //!< all priorities
    std::shared_ptr<const AddressTable> m_addresses;         //!< by MAC
    std::vector<bool> m_floodPorts;                          //!< spanning tree
    Ptr<Node> m_node;                                        //!< where it is
    bool m_configured{false};                                //!< buffer has been sized
    std::vector<std::unique_ptr<PauseWatchdog>> m_watchdogs; //!< by port, or none

    uint64_t m_bufferSize{0};                                    //!< "BufferSize"
    uint8_t m_lossless{0};                                       //!< "LosslessPriorities"
    ThresholdMode m_mode{STATIC};                                //!< "Threshold"
    uint64_t m_xoff{0};                                          //!< "Xoff"
    uint64_t m_xon{0};                                           //!< "Xon"
    double m_alpha{0};                                           //!< "Alpha"
    uint64_t m_xonOffset{0};                                     //!< "XonOffset"
    uint64_t m_headroom{0};                                      //!< "Headroom"
    uint32_t m_maxFrame{0};                                      //!< "MaxFrameSize"
    uint32_t m_dataMtu{0};                                       //!< "DataMtu"
    Time m_baseRtt;                                              //!< "BaseRtt"
    uint8_t m_controlPriority{0};                                //!< "ControlPriority"
    bool m_endOnLoss{true};                                      //!< "EndOnLosslessDrop"
    Time m_watchdogDetection;                                    //!< "WatchdogDetection"
    Time m_watchdogRestoration;                                  //!< "WatchdogRestoration"
    PauseWatchdog::Action m_watchdogAction{PauseWatchdog::DROP}; //!< "WatchdogAction"

    TracedCallback<uint32_t, uint8_t, bool> m_watchdogTrace; //!< "Watchdog"
};

} // namespace ns3

#endif // ETHERNET_SWITCH_H

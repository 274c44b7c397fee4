// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FABRIC_H
#define LOSSLESS_FABRIC_H

#include "ns3/data-rate.h"
#include "ns3/flow-spec.h"
#include "ns3/link-technology.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-switch.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/qbb-helper.h"
#include "ns3/rdma-hw.h"
#include "ns3/scheme-presets.h"
#include "ns3/shortest-path-routing.h"
#include "ns3/user-defaults.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A lossless network: hosts with RDMA engines, switches, links, addresses and routes.
 *
 * Add nodes and links (or let FatTreeHelper, LeafSpineHelper, DumbbellHelper, FileTopologyHelper do
 * it), choose a scheme, then Build(). Each host port is an endpoint with a number, an IPv4 address
 * 10.0.0.1 + number and a MAC address 02:00:00:00:00:01 + number. Hosts are numbered in the order
 * added; a host of several ports sends by the first.
 * @ingroup lossless
 */
class LosslessFabric
{
  public:
    LosslessFabric();

    /**
     * @param name unique
     * @returns the node's index in this fabric
     */
    uint32_t AddHost(const std::string& name);

    /**
     * @param name unique
     * @returns the node's index in this fabric
     */
    uint32_t AddSwitch(const std::string& name);

    /**
     * @param a node index
     * @param b node index
     * @param rate line rate
     * @param delay one way
     * @param errorRate probability that a frame is lost, 0..1
     */
    void AddLink(uint32_t a, uint32_t b, DataRate rate, Time delay, double errorRate = 0);

    /**
     * Static routes take the place of the shortest paths at one switch to one host.
     * @param sw node index of the switch
     * @param host node index of the host
     * @param next node indices, linked to the switch, to which its frames for the host go: one of
     * the ports to them is chosen by the flow's hash
     * @param place where the user wrote it, for errors, such as "ring.txt:14"
     * @throws InputError for nodes that cannot be these, and by Build() for a loop
     */
    void AddRoute(uint32_t sw,
                  uint32_t host,
                  const std::vector<uint32_t>& next,
                  const std::string& place = "");

    /**
     * @param scheme detector of the switches, controller and notification of the hosts. What the
     * user set as a default (Config::SetDefault() and the like, before Build()) comes before its
     * values, and SetRdmaAttribute() before both.
     */
    void SetScheme(const Scheme& scheme);

    /// @returns the scheme; after Build() with the values that came before its own
    const Scheme& GetScheme() const;

    /// @param link what links and switches are made of, Ethernet by default; before attributes of
    /// switches and ports are set
    void SetLink(const LinkTechnology& link);

    /// @returns what links and switches are made of
    const LinkTechnology& GetLink() const;

    /// @param priorities that lose no frames, under PFC on Ethernet, each watched by a detector of
    /// its own; priority 3 alone by default
    void SetLosslessPriorities(LaneSet priorities);

    /// @param priorities not among those that flows may have: their frames are dropped when a
    /// buffer is full. None by default, because such flows are more often an oversight
    void SetLossyPriorities(LaneSet priorities);

    /**
     * @param name of an attribute of the switches' class, such as EthernetSwitch
     * @param value of all switches
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param name of a RdmaHw attribute
     * @param value of all hosts, instead of the scheme's
     */
    void SetRdmaAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param name of an attribute of the ports' class, such as QbbNetDevice
     * @param value of all ports
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Makes devices, switches, RDMA engines, detectors, addresses and routes, and checks scheme and
     * buffers.
     * @throws InputError for what cannot work, such as an unreachable host or a class that is no
     * controller
     */
    void Build();

    /// Installs ns-3's Internet stack on the hosts, over the same ports and addresses; after
    /// Build().
    void InstallInternetStack();

    /**
     * Gives the hosts the flows to send; after Build().
     * @param flows src and dst are host numbers
     * @throws InputError as CheckFlows(), for a number that an earlier call had, and if a default
     * of a class in use was set after Build()
     */
    void InstallFlows(const std::vector<FlowSpec>& flows);

    /**
     * @param flows to be checked, also before Build()
     * @throws InputError for a host that there is not, 0 bytes, a time before 0, a priority that
     * loses frames, a number twice, or a flow that waits for none before it
     */
    void CheckFlows(const std::vector<FlowSpec>& flows) const;

    /**
     * @param stream first random stream
     * @returns how many the detectors and reaction points use
     */
    int64_t AssignStreams(int64_t stream);

    /// @returns number of hosts
    uint32_t GetNHosts() const;

    /// @returns all nodes, by index
    const NodeContainer& GetNodes() const;

    /**
     * @param name of a node
     * @param place where the name is from, for the error, such as --pcap
     * @returns its index
     * @throws InputError if there is none, naming the nearest
     */
    uint32_t GetIndex(const std::string& name, const std::string& place = "node") const;

    /**
     * @param index of a node
     * @returns its name
     */
    const std::string& GetName(uint32_t index) const;

    /**
     * @param port of a built fabric
     * @returns its node, its number and the node at the other end, such as "s0[port 2] -> s1"
     */
    std::string GetPortName(const LosslessNetDevice& port) const;

    /// @returns line rate of each host's first link [bit/s]; also before Build(), 0 for a host
    /// without one
    std::vector<uint64_t> GetHostRatesBps() const;

    /**
     * @param host number
     * @returns its node's index
     */
    uint32_t GetHostIndex(uint32_t host) const;

    /**
     * @param host number
     * @returns its (first) RDMA engine
     */
    Ptr<RdmaHw> GetRdma(uint32_t host) const;

    /// @returns all RDMA engines, by endpoint
    const std::vector<Ptr<RdmaHw>>& GetRdmaEngines() const;

    /// @returns the classes whose attributes matter to what Build() made, parents included
    std::vector<TypeId> GetClasses() const;

    /// @returns all switches, in the order added
    const std::vector<Ptr<LosslessSwitch>>& GetSwitches() const;

    /// @returns all ports, hosts and switches, by node and interface
    std::vector<Ptr<LosslessNetDevice>> GetPorts() const;

    /**
     * @param from node index
     * @param to node index
     * @returns the ports of `from` that are linked to `to`
     */
    std::vector<Ptr<LosslessNetDevice>> GetPortsBetween(uint32_t from, uint32_t to) const;

    /// @returns for capturing ports and for devices of one's own
    QbbHelper& GetQbbHelper();

    /**
     * @param flow its id decides the UDP source port
     * @returns the sending port of each link of its path
     */
    std::vector<Ptr<LosslessNetDevice>> GetPath(const FlowSpec& flow) const;

    /**
     * @param flow whose path is meant
     * @returns time of a full data frame there and its ACK back, without queueing
     */
    Time GetBaseRtt(const FlowSpec& flow) const;

    /**
     * @returns the largest GetBaseRtt() over all pairs of hosts and all of their equal-cost paths,
     * for detectors; after Build(), zero without a switch
     */
    Time GetLargestBaseRtt() const;

    /**
     * @param flow whose path and size are meant
     * @returns flow completion time of the flow alone in the network at line rate, from posting to
     * the last acknowledgement: exact for store-and-forward over its path and that of its
     * acknowledgements, the same for every scheme
     * @throws InputError for a flow that takes longer than a run can last
     */
    Time GetIdealFct(const FlowSpec& flow) const;

    /**
     * @param flow by id
     * @returns the UDP source port its frames carry
     */
    static uint16_t GetUdpSource(const FlowSpec& flow);

  private:
    /// A node to be made.
    struct Vertex
    {
        std::string name; //!< unique
        bool isSwitch;    //!< or a host
        uint32_t number;  //!< among the hosts or among the switches
    };

    /// A link to be made.
    struct Edge
    {
        uint32_t a;       //!< node index
        uint32_t b;       //!< node index
        DataRate rate;    //!< line rate
        Time delay;       //!< one way
        double errorRate; //!< loss
    };

    /// A static route to a host at a switch.
    struct StaticRoute
    {
        std::vector<uint32_t> next; //!< node indices
        std::string place;          //!< for errors
    };

    /**
     * @param call that comes too late after Build()
     * @throws InputError then
     */
    void RequireUnbuilt(const std::string& call) const;

    /**
     * @param call that comes too early before Build()
     * @throws InputError then
     */
    void RequireBuilt(const std::string& call) const;

    /// Takes over what comes before the scheme's values, and checks both. @throws InputError
    void ResolveScheme();

    /// @throws InputError for defaults of what the fabric decides for each object
    void CheckDecided() const;

    /// A default that is set from now on is an error when the simulation starts.
    void WatchDefaults();

    uint32_t AddVertex(const std::string& name, bool isSwitch);
    void BuildLink(const Edge& edge);
    /// @returns the host, and which of its ports if it has several
    std::string NameOf(uint32_t endpoint) const;
    /// @returns the name of a port's node
    const std::string& NodeNameOf(const LosslessNetDevice& port) const;
    /// Puts the static routes into the switches' tables. @throws InputError for a loop
    void InstallStaticRoutes();
    /**
     * @param from switches with a static route
     * @param endpoint to it
     * @throws InputError for a loop
     */
    void CheckLoop(const std::vector<Ptr<LosslessSwitch>>& from, uint32_t endpoint) const;
    bool HasSwitchAttribute(const std::string& name) const;
    void BuildHostPort(Ptr<LosslessNetDevice> device);
    void BuildDetectors(Ptr<LosslessSwitch> sw, Time baseRtt);
    ObjectFactory MakeFactory(const std::string& typeId,
                              const std::vector<Scheme::Setting>& settings) const;

    std::vector<Vertex> m_vertices;                                //!< by index
    std::map<std::string, uint32_t> m_indexOf;                     //!< by name
    std::vector<Edge> m_edges;                                     //!< as added
    std::set<std::pair<uint32_t, uint32_t>> m_linked;              //!< both ends of all of them
    std::map<std::pair<uint32_t, uint32_t>, StaticRoute> m_routes; //!< by host and switch
    std::vector<bool> m_isRouted;  //!< by endpoint, whether there is a static route to it
    NodeContainer m_nodes;         //!< by index
    std::vector<uint32_t> m_hosts; //!< node index by host number
    std::vector<Ptr<LosslessSwitch>> m_switches;     //!< as added
    std::vector<Ptr<RdmaHw>> m_engines;              //!< by endpoint
    std::vector<uint32_t> m_engineOfHost;            //!< first endpoint by host number
    std::vector<Ptr<LosslessNetDevice>> m_endpoints; //!< by endpoint
    ShortestPathRouting m_routing;                   //!< paths
    QbbHelper m_qbb;                                 //!< links
    LinkTechnology m_link;                           //!< SetLink()
    ObjectFactory m_switchFactory;                   //!< of the link technology
    ObjectFactory m_rdmaFactory;                     //!< RdmaHw
    Scheme m_scheme;                                 //!< congestion control
    std::map<std::string, std::string> m_rdmaSet;    //!< SetRdmaAttribute(), values as text
    std::set<std::string> m_switchSet;               //!< SetSwitchAttribute(), names
    bool m_deviceSet{false};                         //!< SetDeviceAttribute() was called
    std::vector<uint32_t> m_flowIds;                 //!< of InstallFlows(), sorted
    DefaultsSnapshot m_defaults;                     //!< of the classes in use
    LaneSet m_lossless{1 << 3};                      //!< that lose no frames
    LaneSet m_lossy{0};                              //!< of flows that may lose frames
    bool m_built{false};                             //!< Build() was called
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_H

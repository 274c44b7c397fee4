// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

/**
 * @file
 * Random networks without cyclic buffer dependencies, schemes and flows. Each is run three times,
 * the last time with another event queue, and must give the same events. What holds for all: a
 * lossless priority drops nothing, all flows complete, no network holds or loses a byte at the end,
 * no flow is faster than its ideal, and where nothing was dropped nothing is sent again.
 */

#include "fuzz.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ethernet-switch.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/lossless-fabric.h"
#include "ns3/quantity.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/scheme-presets.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslessfuzz;

namespace
{

/// How often, and how many times, the network is looked at after the last flow has completed.
constexpr int64_t DRAIN_STEP_NS = 100000;
constexpr int DRAIN_STEPS = 1000;

/// Headers, checksums, preamble and gap of a data frame, at most; more than an acknowledgement.
constexpr uint64_t ENVELOPE_BYTES = 150;

/// A link to be.
struct LinkPlan
{
    uint32_t a{0};
    uint32_t b{0};
    uint64_t rateBps{0};
    int64_t delayNs{0};
    double errorRate{0};
};

/// All of a case; running it twice must not depend on anything else.
struct Plan
{
    std::string shape;
    std::vector<bool> isSwitch; // by node
    std::vector<LinkPlan> links;
    std::string scheme;
    LaneSet lossless{0};
    std::vector<std::pair<std::string, std::string>> switchSettings;
    std::vector<std::pair<std::string, std::string>> rdmaSettings;
    std::vector<std::pair<std::string, std::string>> deviceSettings;
    std::vector<FlowSpec> flows;
    bool loses{false};    // a link with an error rate
    bool noPauses{false}; // buffers too large for one
    uint32_t mtu{0};
    uint32_t ackInterval{0};
    Time timeout;
};

/// What a run gives.
struct Outcome
{
    uint64_t digest{0xcbf29ce484222325};     // of all that was sent and completed, in order
    std::map<uint32_t, RdmaCompletion> ends; // by flow
    std::vector<int64_t> idealNs;            // by flow
    uint64_t drops{0};
    uint64_t pauses{0};
    uint64_t transmitted{0}; // frames put on a line
    uint64_t received{0};    // frames taken from a line
    int64_t fromHosts{0};    // data and acknowledgements
    int64_t toHosts{0};
    int64_t droppedBetween{0}; // by switches
    std::string failure;       // Build() or Run() threw
    bool refused{false};       // Build() threw an InputError
};

// ------------------------------------------------------------------------------ the plan --

uint64_t
PickRate(Random& random)
{
    return random.Chance(0.8) ? random.Choose<uint64_t>(10, 25, 40, 100, 200, 400) * 1000000000
                              : random.Size(100000000, 800000000000);
}

int64_t
PickDelay(Random& random)
{
    return random.Chance(0.7) ? random.Choose<int64_t>(0, 1, 500, 1000, 1000, 5000)
                              : static_cast<int64_t>(random.Size(1, 100000));
}

/// Draws the rates and delays of the links of one layer, equal or each of its own.
class Layer
{
  public:
    explicit Layer(Random& random)
        : m_random(random),
          m_equal(random.Chance(0.5)),
          m_rate(PickRate(random)),
          m_delay(PickDelay(random))
    {
    }

    /**
     * @param plan gets the link
     * @param a node
     * @param b node
     */
    void Add(Plan& plan, uint32_t a, uint32_t b)
    {
        LinkPlan link;
        link.a = a;
        link.b = b;
        link.rateBps = m_equal ? m_rate : PickRate(m_random);
        link.delayNs = m_equal ? m_delay : PickDelay(m_random);
        plan.links.push_back(link);
    }

  private:
    Random& m_random;
    bool m_equal;
    uint64_t m_rate;
    int64_t m_delay;
};

uint32_t
AddNode(Plan& plan, bool isSwitch)
{
    plan.isSwitch.push_back(isSwitch);
    return static_cast<uint32_t>(plan.isSwitch.size() - 1);
}

std::vector<uint32_t>
AddNodes(Plan& plan, uint64_t count, bool isSwitch)
{
    std::vector<uint32_t> nodes;
    for (; count > 0; count--)
    {
        nodes.push_back(AddNode(plan, isSwitch));
    }
    return nodes;
}

void
AddHosts(Plan& plan, Random& random, const std::vector<uint32_t>& switches, uint64_t least)
{
    Layer layer(random);
    for (uint32_t sw : switches)
    {
        for (uint64_t hosts = random.Whole(least, 4); hosts > 0; hosts--)
        {
            layer.Add(plan, AddNode(plan, false), sw);
        }
    }
    while (std::count(plan.isSwitch.begin(), plan.isSwitch.end(), false) < 2)
    {
        layer.Add(plan, AddNode(plan, false), switches.front());
    }
}

void
PlanTree(Plan& plan, Random& random)
{
    const std::vector<uint32_t> switches = AddNodes(plan, random.Whole(1, 5), true);
    Layer layer(random);
    const bool chain = random.Chance(0.3);
    for (std::size_t i = 1; i < switches.size(); i++)
    {
        const uint32_t parent = switches[chain ? i - 1 : random.Whole(0, i - 1)];
        // Parallel links are one hop, so they make no cycle.
        for (uint64_t links = random.Chance(0.2) ? 2 : 1; links > 0; links--)
        {
            layer.Add(plan, switches[i], parent);
        }
    }
    AddHosts(plan, random, switches, 0);
}

void
PlanLeafSpine(Plan& plan, Random& random)
{
    const auto leaves = AddNodes(plan, random.Whole(1, 4), true);
    const auto spines = AddNodes(plan, random.Whole(1, 4), true);
    Layer layer(random);
    for (uint32_t leaf : leaves)
    {
        for (uint32_t spine : spines)
        {
            layer.Add(plan, leaf, spine);
        }
    }
    AddHosts(plan, random, leaves, 1);
}

void
PlanFatTree(Plan& plan, Random& random)
{
    const uint64_t pods = random.Whole(2, 3);
    const uint64_t width = random.Whole(1, 2);
    const uint64_t share = random.Whole(1, 2);
    const auto cores = AddNodes(plan, width * share, true);
    std::vector<uint32_t> allEdges;
    Layer edgeLayer(random);
    Layer coreLayer(random);
    for (uint64_t pod = 0; pod < pods; pod++)
    {
        const auto edges = AddNodes(plan, width, true);
        const auto aggregations = AddNodes(plan, width, true);
        for (std::size_t a = 0; a < aggregations.size(); a++)
        {
            for (uint32_t edge : edges)
            {
                edgeLayer.Add(plan, edge, aggregations[a]);
            }
            for (std::size_t c = a * share; c < (a + 1) * share; c++)
            {
                coreLayer.Add(plan, aggregations[a], cores[c]);
            }
        }
        allEdges.insert(allEdges.end(), edges.begin(), edges.end());
    }
    AddHosts(plan, random, allEdges, 1);
}

/// Shortest paths of any graph may depend on each other in a ring, so here nothing is paused.
void
PlanGraph(Plan& plan, Random& random)
{
    PlanTree(plan, random);
    const auto switches =
        static_cast<uint64_t>(std::count(plan.isSwitch.begin(), plan.isSwitch.end(), true));
    Layer layer(random);
    for (uint64_t more = random.Whole(1, 5); more > 0 && switches > 1; more--)
    {
        const auto a = static_cast<uint32_t>(random.Whole(0, switches - 1));
        const auto b = static_cast<uint32_t>(random.Whole(0, switches - 1));
        if (a != b)
        {
            layer.Add(plan, a, b);
        }
    }
    plan.noPauses = true;
}

/// Two hosts, no switch
void
PlanCable(Plan& plan, Random& random)
{
    const auto hosts = AddNodes(plan, 2, false);
    Layer(random).Add(plan, hosts[0], hosts[1]);
}

/// The timeout is longer than all flows one after the other over the slowest link take, twice, so
/// that without loss it ends no wait but an endless one.
void
PlanTimeout(Plan& plan)
{
    uint64_t bits = 0;
    for (const FlowSpec& flow : plan.flows)
    {
        const uint64_t packets = (flow.bytes + plan.mtu - 1) / plan.mtu;
        bits += 8 * (flow.bytes + packets * 2 * ENVELOPE_BYTES);
    }
    double slowest = 1e12;
    double delays = 0;
    for (const LinkPlan& link : plan.links)
    {
        slowest = std::min(slowest, static_cast<double>(link.rateBps));
        delays += 2e-9 * static_cast<double>(link.delayNs);
    }
    const double all = 2 * (static_cast<double>(bits) / slowest + delays);
    plan.timeout = plan.loses ? MilliSeconds(5) : Seconds(1);
    plan.timeout = std::max(plan.timeout, NanoSeconds(static_cast<int64_t>(all * 1e9)));
    plan.rdmaSettings.emplace_back("RetransmissionTimeout",
                                   TimeText(plan.timeout.GetNanoSeconds()));
}

void
PlanBuffers(Plan& plan, Random& random)
{
    auto& settings = plan.switchSettings;
    uint64_t bytes = 0;
    for (const FlowSpec& flow : plan.flows)
    {
        bytes += flow.bytes;
    }
    if (plan.noPauses)
    {
        // All data with all headers, even if each frame has but one byte
        const std::string xoff = std::to_string(200 * bytes + 1000000);
        settings.insert(settings.end(), {{"Threshold", "Static"}, {"Xoff", xoff}, {"Xon", "0"}});
        return;
    }
    if (random.Chance(0.5))
    {
        const uint64_t xoff = random.Size(1000, 1000000);
        const uint64_t xon = xoff - std::min(xoff, random.Size(1, 100000));
        settings.insert(settings.end(),
                        {{"Threshold", "Static"},
                         {"Xoff", std::to_string(xoff)},
                         {"Xon", std::to_string(xon)}});
        if (random.Chance(0.3))
        {
            settings.emplace_back("BufferSize", std::to_string(random.Size(100000, 100000000)));
        }
        return;
    }
    settings.insert(settings.end(),
                    {{"Threshold", "Dynamic"},
                     {"Alpha", random.Choose<std::string>("0.0078125", "0.125", "1", "8")},
                     {"BufferSize", std::to_string(random.Size(1000000, 64000000))}});
    if (random.Chance(0.3))
    {
        settings.emplace_back("XonOffset", std::to_string(random.Size(1, 100000)));
    }
}

void
PlanTransport(Plan& plan, Random& random)
{
    const auto flag = [&](const std::string& name, double probability) {
        if (random.Chance(probability))
        {
            plan.rdmaSettings.emplace_back(name, "true");
        }
    };
    plan.mtu = random.Choose<uint32_t>(1000, 1000, 1000, 1024, 4096, 256, 9000, 77);
    plan.ackInterval = random.Chance(0.5) ? 1 : static_cast<uint32_t>(random.Whole(1, 16));
    auto& settings = plan.rdmaSettings;
    settings.emplace_back("Mtu", std::to_string(plan.mtu));
    settings.emplace_back("AckInterval", std::to_string(plan.ackInterval));
    if (random.Chance(0.3))
    {
        settings.emplace_back("AckPriority",
                              std::to_string(static_cast<int>(random.Whole(0, 8)) - 1));
    }
    if (random.Chance(0.3))
    {
        settings.emplace_back("CnpPriority", std::to_string(random.Whole(0, 7)));
    }
    flag("RdmaWrite", 0.2);
    flag("VlanTag", 0.2);
    if (random.Chance(0.2))
    {
        plan.deviceSettings.emplace_back("PfcReactionDelay",
                                         std::to_string(random.Size(1, 5000)) + "ns");
    }
    if (random.Chance(0.2))
    {
        plan.deviceSettings.emplace_back("PauseTime", std::to_string(random.Size(50, 65535)));
    }
    if (random.Chance(0.3))
    {
        plan.deviceSettings.emplace_back(
            "Scheduler",
            random.Choose<std::string>("ns3::EgressScheduler",
                                       "ns3::DeficitRoundRobin",
                                       "ns3::DeficitRoundRobin[Quantum=9000]"));
    }
}

void
PlanFlows(Plan& plan, Random& random)
{
    const auto hosts =
        static_cast<uint32_t>(std::count(plan.isSwitch.begin(), plan.isSwitch.end(), false));
    std::vector<uint8_t> priorities;
    for (uint64_t count = random.Chance(0.7) ? 1 : random.Whole(2, 3); count > 0; count--)
    {
        priorities.push_back(static_cast<uint8_t>(random.Chance(0.7) ? 3 : random.Whole(0, 7)));
        plan.lossless |= 1 << priorities.back();
    }
    const uint64_t count = random.Chance(0.25) ? 1 : random.Whole(2, 10);
    const bool together = random.Chance(0.5);
    const bool incast = random.Chance(0.5);
    const auto receiver = static_cast<uint32_t>(random.Whole(0, hosts - 1));
    for (uint32_t i = 0; i < count; i++)
    {
        FlowSpec flow;
        flow.id = i;
        flow.src = static_cast<uint32_t>(random.Whole(0, hosts - 1));
        flow.dst = incast ? receiver : static_cast<uint32_t>(random.Whole(0, hosts - 1));
        if (flow.src == flow.dst)
        {
            flow.src = (flow.dst + 1) % hosts;
        }
        flow.priority = random.Pick(priorities);
        flow.bytes = random.Size(1, std::min<uint64_t>(200000, 300ULL * plan.mtu));
        flow.startNs = together ? 0 : static_cast<int64_t>(random.Size(1, 200000));
        plan.flows.push_back(flow);
    }
    std::sort(plan.flows.begin(), plan.flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
        return std::make_pair(a.startNs, a.id) < std::make_pair(b.startNs, b.id);
    });
    for (uint32_t i = 0; i < count; i++)
    {
        plan.flows[i].id = i;
        if (i > 0 && plan.flows[i - 1].src == plan.flows[i].src && random.Chance(0.3))
        {
            plan.flows[i].after = i - 1;
        }
    }
}

Plan
MakePlan(Random& random, const std::string& onlyScheme)
{
    Plan plan;
    const std::pair<const char*, void (*)(Plan&, Random&)> shapes[] = {
        {"tree", &PlanTree},
        {"leaf-spine", &PlanLeafSpine},
        {"fat-tree", &PlanFatTree},
        {"graph", &PlanGraph},
        {"cable", &PlanCable}};
    const auto& [name, shape] = shapes[random.Whole(0, random.Chance(0.1) ? 4 : 3)];
    plan.shape = name;
    shape(plan, random);
    plan.loses = random.Chance(0.15);
    for (LinkPlan& link : plan.links)
    {
        if (plan.loses && random.Chance(0.5))
        {
            link.errorRate = random.Choose(0.0001, 0.01, 0.1);
        }
    }
    plan.scheme = onlyScheme.empty() ? random.Pick(Schemes()).name : onlyScheme;
    PlanTransport(plan, random);
    PlanFlows(plan, random);
    PlanTimeout(plan);
    PlanBuffers(plan, random);
    return plan;
}

std::string
Describe(const Plan& plan)
{
    std::ostringstream text;
    text << plan.shape << ", " << plan.scheme << ", priorities " << +plan.lossless;
    for (const auto* settings : {&plan.switchSettings, &plan.rdmaSettings, &plan.deviceSettings})
    {
        for (const auto& [name, value] : *settings)
        {
            text << ' ' << name << '=' << value;
        }
    }
    text << '\n' << plan.isSwitch.size() << " nodes, switches";
    for (std::size_t i = 0; i < plan.isSwitch.size(); i++)
    {
        text << (plan.isSwitch[i] ? " " + std::to_string(i) : "");
    }
    for (const LinkPlan& link : plan.links)
    {
        text << "\nlink " << link.a << ' ' << link.b << ' ' << RateText(link.rateBps) << ' '
             << TimeText(link.delayNs) << ' ' << link.errorRate;
    }
    for (const FlowSpec& flow : plan.flows)
    {
        text << "\nflow " << flow.id << ": host " << flow.src << " to " << flow.dst << ' '
             << flow.bytes << " B, priority " << +flow.priority << ", at " << flow.startNs << " ns";
        if (flow.after != FlowSpec::NONE)
        {
            text << ", after " << flow.after;
        }
    }
    return text.str();
}

// ------------------------------------------------------------------------------- the run --

/// Runs a plan once.
class Run
{
  public:
    Run(const Plan& plan, const std::string& scheduler)
        : m_plan(plan)
    {
        GlobalValue::Bind("SchedulerType", StringValue(scheduler));
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    ~Run()
    {
        Simulator::Destroy();
    }

    Outcome Do()
    {
        try
        {
            Build();
        }
        catch (const InputError& error)
        {
            m_outcome.refused = true;
            m_outcome.failure = error.what();
            return m_outcome;
        }
        Connect();
        for (const FlowSpec& flow : m_plan.flows)
        {
            m_outcome.idealNs.push_back(m_fabric.GetIdealFct(flow).GetNanoSeconds());
        }
        m_fabric.InstallFlows(m_plan.flows);
        Simulator::Stop(Seconds(20));
        try
        {
            Simulator::Run();
        }
        catch (const std::exception& error)
        {
            m_outcome.failure = error.what();
        }
        for (const auto& port : m_fabric.GetPorts())
        {
            m_outcome.pauses += port->GetSentControlFrames();
        }
        return m_outcome;
    }

    /// @returns bytes in buffers and queues
    uint64_t GetBytesInside() const
    {
        uint64_t bytes = 0;
        for (const auto& sw : EthernetSwitch::Among(m_fabric.GetSwitches()))
        {
            bytes += sw->GetBuffer().GetUsedBytes();
            for (uint32_t port = 0; port < sw->GetNPorts(); port++)
            {
                for (uint8_t p = 0; p < PRIORITIES; p++)
                {
                    bytes += sw->GetBuffer().GetUsedBytes(port, p);
                }
            }
        }
        for (const auto& port : m_fabric.GetPorts())
        {
            for (uint8_t p = 0; p < PRIORITIES; p++)
            {
                bytes += port->GetQueueState(p).bytes;
            }
        }
        return bytes;
    }

    /// @returns what the engines still have of messages
    uint64_t GetMessagesInside() const
    {
        uint64_t messages = 0;
        for (const auto& hw : m_fabric.GetRdmaEngines())
        {
            messages += hw->GetActiveMessages() + hw->GetIncomingMessages();
        }
        return messages;
    }

    /// @returns ports that are still held OFF
    uint32_t GetPortsOff() const
    {
        uint32_t off = 0;
        for (const auto& port : m_fabric.GetPorts())
        {
            off += port->GetOff() != 0;
        }
        return off;
    }

  private:
    void Build()
    {
        for (std::size_t i = 0; i < m_plan.isSwitch.size(); i++)
        {
            const std::string number = std::to_string(i);
            m_plan.isSwitch[i] ? m_fabric.AddSwitch("s" + number) : m_fabric.AddHost("h" + number);
        }
        for (const LinkPlan& link : m_plan.links)
        {
            m_fabric.AddLink(link.a,
                             link.b,
                             DataRate(link.rateBps),
                             NanoSeconds(link.delayNs),
                             link.errorRate);
        }
        for (const auto& [name, value] : m_plan.switchSettings)
        {
            m_fabric.SetSwitchAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : m_plan.rdmaSettings)
        {
            m_fabric.SetRdmaAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : m_plan.deviceSettings)
        {
            m_fabric.SetDeviceAttribute(name, StringValue(value));
        }
        m_fabric.SetLosslessPriorities(m_plan.lossless);
        m_fabric.SetScheme(FindScheme(m_plan.scheme));
        m_fabric.Build();
        m_fabric.AssignStreams(1000);
    }

    void Connect()
    {
        uint32_t number = 0;
        for (const auto& port : m_fabric.GetPorts())
        {
            const bool host = !port->GetNode()->GetObject<EthernetSwitch>();
            m_observers.push_back(std::make_unique<Observer>(Observer{this, number++, host}));
            Observer* observer = m_observers.back().get();
            port->TraceConnectWithoutContext("Transmit",
                                             MakeCallback(&Observer::Transmitted, observer));
            port->TraceConnectWithoutContext("FrameReceived",
                                             MakeCallback(&Observer::Received, observer));
            port->TraceConnectWithoutContext("Drop", MakeCallback(&Observer::Dropped, observer));
        }
        for (const auto& hw : m_fabric.GetRdmaEngines())
        {
            hw->TraceConnectWithoutContext("MessageCompleted", MakeCallback(&Run::Completed, this));
        }
    }

    /// Listens to one port.
    struct Observer
    {
        Run* run;
        uint32_t port;
        bool host;

        static bool IsEndToEnd(const Frame& frame)
        {
            return frame.kind == FrameKind::DATA || frame.kind == FrameKind::ACK ||
                   frame.kind == FrameKind::NACK;
        }

        void Transmitted(const Frame& frame)
        {
            run->m_outcome.transmitted++;
            run->m_outcome.fromHosts += host && IsEndToEnd(frame);
            run->Mix(port, frame);
        }

        void Received(const Frame& frame)
        {
            run->m_outcome.received++;
            run->m_outcome.toHosts += host && IsEndToEnd(frame);
        }

        void Dropped(const Frame& frame, LosslessNetDevice::DropReason reason)
        {
            run->m_outcome.drops++;
            run->m_outcome.droppedBetween += !host && IsEndToEnd(frame);
            run->Mix(100000 + reason, frame);
        }
    };

    void Mix(uint64_t number)
    {
        m_outcome.digest = (m_outcome.digest ^ number) * 0x100000001b3;
    }

    void Mix(uint64_t what, const Frame& frame)
    {
        Mix(what);
        Mix(static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()));
        Mix(static_cast<uint64_t>(frame.readyPs));
        Mix(static_cast<uint64_t>(frame.kind) << 32 | frame.psn);
        Mix(static_cast<uint64_t>(frame.codePoint) << 32 | frame.bytes);
        const Cnp* cnp =
            frame.kind == FrameKind::NOTIFICATION ? std::get_if<Cnp>(&frame.notification) : nullptr;
        Mix(static_cast<uint64_t>(frame.flow) << 32 | (cnp ? cnp->windowBytes : 0));
    }

    void Completed(const RdmaCompletion& completion)
    {
        Mix(completion.flow);
        Mix(static_cast<uint64_t>(completion.end.GetNanoSeconds()));
        Mix(static_cast<uint64_t>(completion.cnpCe) << 32 | completion.retransmitted);
        if (!m_outcome.ends.emplace(completion.flow, completion).second)
        {
            m_outcome.failure = "flow " + std::to_string(completion.flow) + " completed twice";
        }
        if (m_outcome.ends.size() == m_plan.flows.size())
        {
            Simulator::Schedule(NanoSeconds(1), &Run::Drain, this, DRAIN_STEPS);
        }
    }

    /// Ends the run when nothing is on its way, or after a while anyway.
    void Drain(int steps)
    {
        const bool empty = GetBytesInside() == 0 && GetPortsOff() == 0 &&
                           m_outcome.transmitted == m_outcome.received;
        if (empty || steps == 0)
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(NanoSeconds(DRAIN_STEP_NS), &Run::Drain, this, steps - 1);
    }

    const Plan& m_plan;
    LosslessFabric m_fabric;
    Outcome m_outcome;
    std::vector<std::unique_ptr<Observer>> m_observers;
};

// ------------------------------------------------------------------------- the properties --

void
CheckOutcome(const Plan& plan, const Outcome& outcome, const Run& run)
{
    Require(outcome.failure.empty(), "the run failed: ", outcome.failure);
    Require(outcome.ends.size() == plan.flows.size(),
            outcome.ends.size(),
            " of ",
            plan.flows.size(),
            " flows completed");
    Require(run.GetBytesInside() == 0, run.GetBytesInside(), " bytes left inside");
    Require(outcome.transmitted == outcome.received,
            outcome.transmitted,
            " frames sent, ",
            outcome.received,
            " received");
    Require(outcome.fromHosts == outcome.toHosts + outcome.droppedBetween,
            outcome.fromHosts,
            " frames sent by hosts, ",
            outcome.toHosts,
            " received, ",
            outcome.droppedBetween,
            " dropped");
    Require(run.GetPortsOff() == 0, run.GetPortsOff(), " ports still OFF");
    Require(!plan.noPauses || outcome.pauses == 0, outcome.pauses, " pauses");
    for (const auto& [id, end] : outcome.ends)
    {
        const int64_t fct = (end.end - end.start).GetNanoSeconds();
        const int64_t ideal = outcome.idealNs[id];

        // An acknowledgement that was lost keeps the last one waiting no longer.
        Require(fct >= ideal || outcome.drops > 0,
                "flow ",
                id,
                " took ",
                fct,
                " ns, ideal ",
                ideal);
        Require(end.bytes == plan.flows[id].bytes, "bytes of flow ", id);
        if (outcome.drops == 0)
        {
            Require(end.retransmitted == 0,
                    "nothing was dropped, but flow ",
                    id,
                    " sent ",
                    end.retransmitted,
                    " frames again");
            Require(fct < plan.timeout.GetNanoSeconds(), "flow ", id, " took ", fct, " ns");
        }
    }
    if (plan.flows.size() == 1 && plan.scheme == "none" && outcome.drops + outcome.pauses == 0)
    {
        const RdmaCompletion& end = outcome.ends.at(0);
        const int64_t fct = (end.end - end.start).GetNanoSeconds();

        Require(fct == outcome.idealNs[0], "alone in ", fct, " ns, ideal ", outcome.idealNs[0]);
    }
    Require(plan.loses || run.GetMessagesInside() == 0, run.GetMessagesInside(), " messages left");
}

Outcome
RunOnce(const Plan& plan, const std::string& scheduler, bool check)
{
    Run run(plan, scheduler);
    const Outcome outcome = run.Do();
    if (check && !outcome.refused)
    {
        CheckOutcome(plan, outcome, run);
    }
    return outcome;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string scheme;
    std::string show = "false";
    Fuzzer fuzzer("lossless-fuzz-fabrics", "Runs random fabrics.", [&](Random& random) {
        const Plan plan = MakePlan(random, scheme);
        if (show == "true")
        {
            std::cout << Describe(plan) << std::endl;
        }
        const Outcome first = RunOnce(plan, "ns3::PriorityQueueScheduler", true);
        if (first.refused)
        {
            Require(first.failure.find(", expected ") != std::string::npos &&
                        first.failure.find('\n') == std::string::npos,
                    "refused as: ",
                    first.failure);
            return std::string("fabrics refused");
        }
        const Outcome second = RunOnce(plan, "ns3::PriorityQueueScheduler", false);
        Require(first.digest == second.digest, "a second run differs");
        const Outcome third = RunOnce(plan, "ns3::MapScheduler", false);
        Require(first.digest == third.digest, "MapScheduler gives another run");
        return std::string("fabrics run, ") + (first.pauses ? "with pauses" : "without pauses");
    });
    fuzzer.GetOptions().AddText("scheme", "Only this one", scheme);
    fuzzer.GetOptions().AddChoice("show", "Print each fabric", show, {"false", "true"});
    return fuzzer.Main(argc, argv);
}

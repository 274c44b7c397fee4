// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/dumbbell-helper.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/file-topology-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/input-error.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/object-factory.h"
#include "ns3/packet-sink.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/star-helper.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/test.h"
#include "ns3/type-id.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// @returns the switch of a name
Ptr<EthernetSwitch>
Switch(const LosslessFabric& fabric, const std::string& name)
{
    return fabric.GetNodes().Get(fabric.GetIndex(name))->GetObject<EthernetSwitch>();
}

/// @returns how many ports of a switch flows to a host may leave by
std::size_t
EqualCostPorts(const LosslessFabric& fabric, const std::string& name, uint32_t host)
{
    Ptr<EthernetSwitch> sw = Switch(fabric, name);
    std::set<uint32_t> ports;
    for (uint32_t hash = 0; hash < 1000; hash++)
    {
        ports.insert(sw->Route(fabric.GetRdma(host)->GetEndpoint(), hash));
    }
    ports.erase(sw->GetNPorts()); // "no route"
    return ports.size();
}

/// @returns the numbers of ports of each rate, in Gb/s, of a switch
std::map<uint64_t, uint32_t>
PortsByRate(const LosslessFabric& fabric, const std::string& name)
{
    std::map<uint64_t, uint32_t> ports;
    Ptr<EthernetSwitch> sw = Switch(fabric, name);
    for (uint32_t port = 0; port < sw->GetNPorts(); port++)
    {
        ports[sw->GetPort(port)->GetDataRate().GetBitRate() / 1000000000]++;
    }
    return ports;
}

/// @returns the message of the exception that a call throws, empty if it throws none
std::string
ErrorOf(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
    return "";
}

/// @returns whether counts are compatible with equal shares: chi-square at p = 1e-6
bool
IsSpread(const std::map<std::string, uint32_t>& counts, std::size_t choices)
{
    if (choices == 1)
    {
        return counts.size() == 1;
    }
    double total = 0;
    for (const auto& entry : counts)
    {
        total += entry.second;
    }
    const double mean = total / choices;
    // Choices that nobody made count as well: each adds mean^2 / mean.
    double chiSquare = (choices - counts.size()) * mean;
    for (const auto& entry : counts)
    {
        chiSquare += (entry.second - mean) * (entry.second - mean) / mean;
    }
    // Quantile by Wilson and Hilferty; 4.75 is that of the normal distribution for p = 1e-6. The
    // hash is a fixed function, so the outcome is the same in each run: a good one passes for good,
    // while a layer that repeats the choice of the one below leaves cores empty and is far beyond.
    const double freedom = choices - 1;
    const double bound =
        freedom * std::pow(1 - 2 / (9 * freedom) + 4.75 * std::sqrt(2 / (9 * freedom)), 3);
    return chiSquare < bound;
}

/// @returns the core that a flow's path crosses, which is in the middle of its six links
std::string
CoreOf(const LosslessFabric& fabric, const FlowSpec& flow)
{
    return fabric.GetName(fabric.GetPath(flow).at(3)->GetNode()->GetId());
}

/// Counts what the RDMA engines of a fabric complete.
class Completions
{
  public:
    /// @param fabric whose flows are counted
    explicit Completions(const LosslessFabric& fabric)
    {
        for (const auto& engine : fabric.GetRdmaEngines())
        {
            engine->TraceConnectWithoutContext("MessageCompleted",
                                               MakeCallback(&Completions::Add, this));
        }
    }

    std::map<uint32_t, Time> fct; //!< by flow

  private:
    void Add(const RdmaCompletion& done)
    {
        fct[done.flow] = done.end - done.start;
    }
};

} // namespace

/// Base of the cases below: the simulator starts afresh after each.
class TopologyTestCase : public TestCase
{
  public:
    explicit TopologyTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    void DoTeardown() override
    {
        Simulator::Destroy();
    }

    /// Every pair of hosts has a path whose number of links is the expected one.
    void CheckAllPairs(const LosslessFabric& fabric,
                       const std::function<std::size_t(uint32_t, uint32_t)>& links)
    {
        uint32_t wrong = 0;
        for (uint32_t src = 0; src < fabric.GetNHosts(); src++)
        {
            for (uint32_t dst = 0; dst < fabric.GetNHosts(); dst++)
            {
                if (src != dst)
                {
                    const auto path = fabric.GetPath(MakeFlow(src * 7 + dst, src, dst, 1000));
                    wrong += path.size() != links(src, dst);
                    wrong += path.back()->GetPeer() != fabric.GetRdma(dst)->GetDevice();
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "pairs without their shortest path");
    }

    /// A flow alone in the network takes its ideal time, which is also given as a number.
    void CheckFctAlone(LosslessFabric& fabric, const FlowSpec& flow, int64_t expectedNs)
    {
        NS_TEST_EXPECT_MSG_EQ(fabric.GetIdealFct(flow).GetNanoSeconds(), expectedNs, "ideal FCT");
        Completions completions(fabric);
        fabric.InstallFlows({flow});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(completions.fct.count(flow.id), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(completions.fct[flow.id].GetNanoSeconds(),
                              expectedNs,
                              "simulated FCT");
    }
};

/// The k-ary fat-tree: counts, degrees, reachability.
class FatTreeArityTestCase : public TopologyTestCase
{
  public:
    explicit FatTreeArityTestCase(uint32_t k)
        : TopologyTestCase("fat-tree of k = " + std::to_string(k)),
          m_k(k)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t half = m_k / 2;
        FatTreeHelper tree;
        tree.SetArity(m_k);
        LosslessFabric fabric;
        tree.Build(fabric);
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), m_k * m_k * m_k / 4, "k^3/4 hosts");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitches().size(),
                              m_k * m_k + half * half,
                              "k^2 edges and aggregations, (k/2)^2 cores");
        NS_TEST_EXPECT_MSG_EQ(tree.GetNHosts(), fabric.GetNHosts(), "hosts as announced");
        NS_TEST_EXPECT_MSG_EQ(tree.GetNSwitches(),
                              fabric.GetSwitches().size(),
                              "switches as announced");
        for (const auto& sw : fabric.GetSwitches())
        {
            NS_TEST_EXPECT_MSG_EQ(sw->GetNPorts(), m_k, "each switch has k ports");
        }
        const uint32_t last = fabric.GetNHosts() - 1;
        const std::string top = "core" + std::to_string(half * half - 1);
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "edge0-0", 0), 1, "edge, its own host");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "edge0-0", last), half, "edge, another pod");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "agg0-0", 0), 1, "aggregation, down");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "agg0-0", last), half, "aggregation, up");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, top, last), 1, "core");
        CheckAllPairs(fabric, [half](uint32_t src, uint32_t dst) -> std::size_t {
            if (src / half == dst / half)
            {
                return 2;
            }
            return src / (half * half) == dst / (half * half) ? 4 : 6;
        });

        // Many flows of one pair, and one flow of each of many pairs.
        std::map<std::string, uint32_t> ofOnePair;
        for (uint32_t id = 0; id < 10000; id++)
        {
            ofOnePair[CoreOf(fabric, MakeFlow(id, 0, last, 1000))]++;
        }
        NS_TEST_EXPECT_MSG_EQ(IsSpread(ofOnePair, half * half), true, "flows of one pair");
        std::map<std::string, uint32_t> ofManyPairs;
        for (uint32_t src = 0; src < half * half; src++)
        {
            for (uint32_t dst = half * half; dst <= last; dst++)
            {
                ofManyPairs[CoreOf(fabric, MakeFlow(0, src, dst, 1000))]++;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(IsSpread(ofManyPairs, half * half), true, "pairs of hosts");
    }

    uint32_t m_k; //!< arity
};

/// k = 4 in full: wiring, endpoints, base round-trip times and flow completion times by hand.
class FatTreeFourTestCase : public TopologyTestCase
{
  public:
    FatTreeFourTestCase()
        : TopologyTestCase("wiring and times of the fat-tree of k = 4")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 16, "hosts of the default");
        const std::vector<std::pair<std::string, std::string>> links = {
            {"h0", "edge0-0"},
            {"h3", "edge0-1"},
            {"h15", "edge3-1"},
            {"edge2-1", "agg2-0"},
            {"edge2-1", "agg2-1"},
            {"agg0-0", "core0"},
            {"agg0-0", "core1"},
            {"agg3-1", "core2"},
            {"agg3-1", "core3"},
        };
        for (const auto& link : links)
        {
            NS_TEST_EXPECT_MSG_EQ(Links(fabric, link.first, link.second),
                                  1,
                                  link.first << " to " << link.second);
        }
        NS_TEST_EXPECT_MSG_EQ(Links(fabric, "agg0-0", "core2"),
                              0,
                              "cores of the other aggregation");
        NS_TEST_EXPECT_MSG_EQ(Links(fabric, "edge0-0", "agg1-0"), 0, "another pod's aggregation");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(15)->GetAddress(), "10.0.0.16", "address of host 15");

        // A full frame of 1000 B has 1062 B, its ACK 66 B; with preamble and gap 1082 and 86 B,
        // at 100 Gb/s (80 ps/B) 86.56 and 6.88 ns. Each link adds 1 us each way:
        // 2 links 4186.88 ns, 4 links 8373.76 ns, 6 links 12560.64 ns, as events 1 ns later at
        // most.
        NS_TEST_EXPECT_MSG_EQ(fabric.GetBaseRtt(MakeFlow(0, 0, 1, 1000)),
                              NanoSeconds(4187),
                              "same edge");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetBaseRtt(MakeFlow(0, 0, 2, 1000)),
                              NanoSeconds(8374),
                              "same pod");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetBaseRtt(MakeFlow(0, 0, 15, 1000)),
                              NanoSeconds(12561),
                              "other pod");
        // 1 MB is 999 frames more: 12560.64 + 999 x 86.56 = 99034.08 ns.
        CheckFctAlone(fabric, MakeFlow(5, 0, 15, 1000000), 99035);
    }

    static std::size_t Links(const LosslessFabric& fabric,
                             const std::string& from,
                             const std::string& to)
    {
        return fabric.GetPortsBetween(fabric.GetIndex(from), fabric.GetIndex(to)).size();
    }
};

/// The 320-host fat-tree of HPCC and Mercury (mix/fat.txt): node numbers, links, rates, times.
class MercuryTestCase : public TopologyTestCase
{
  public:
    MercuryTestCase()
        : TopologyTestCase("the 320-host fat-tree")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        FatTreeHelper::Mercury().Build(fabric);
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNodes().GetN(), 376, "nodes");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 320, "hosts");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPorts().size(), 2 * 480, "ports of 480 links");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetIndex("edge0-0"), 320, "first ToR");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetIndex("agg0-0"), 340, "first aggregation");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetIndex("core0"), 360, "first core");
        for (uint32_t tor = 320; tor < 340; tor++)
        {
            const uint32_t firstHost = 16 * (tor - 320);
            for (uint32_t host = firstHost; host < firstHost + 16; host++)
            {
                NS_TEST_EXPECT_MSG_EQ(fabric.GetPortsBetween(tor, host).size(), 1, "ToR to host");
            }
            const uint32_t firstAgg = 340 + (tor - 320) / 4 * 4;
            for (uint32_t agg = firstAgg; agg < firstAgg + 4; agg++)
            {
                NS_TEST_EXPECT_MSG_EQ(fabric.GetPortsBetween(tor, agg).size(), 1, "ToR to agg");
            }
        }
        for (uint32_t agg = 340; agg < 360; agg++)
        {
            const uint32_t firstCore = 360 + (agg - 340) % 4 * 4;
            for (uint32_t core = firstCore; core < firstCore + 4; core++)
            {
                NS_TEST_EXPECT_MSG_EQ(fabric.GetPortsBetween(agg, core).size(), 1, "agg to core");
            }
        }
        const std::map<uint64_t, uint32_t> edge = {{100, 16}, {400, 4}};
        const std::map<uint64_t, uint32_t> aggregation = {{400, 8}};
        const std::map<uint64_t, uint32_t> core = {{400, 5}};
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "edge4-3") == edge), true, "rates of a ToR");
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "agg4-3") == aggregation), true, "of an agg");
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "core15") == core), true, "of a core");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "edge0-0", 319), 4, "a ToR's uplinks");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "agg0-0", 319), 4, "an aggregation's uplinks");
        CheckAllPairs(fabric, [](uint32_t src, uint32_t dst) -> std::size_t {
            return src / 16 == dst / 16 ? 2 : (src / 64 == dst / 64 ? 4 : 6);
        });

        // Frames as above: two links at 100 Gb/s (86.56 + 6.88 ns) and four at 400 Gb/s (21.64 +
        // 1.72 ns), 12 us of propagation: 12280.32 ns.
        NS_TEST_EXPECT_MSG_EQ(fabric.GetBaseRtt(MakeFlow(0, 0, 319, 1000)),
                              NanoSeconds(12281),
                              "base RTT between pods");
        // 999 frames more at the slowest link: 12280.32 + 999 x 86.56 = 98753.76 ns.
        CheckFctAlone(fabric, MakeFlow(0, 0, 319, 1000000), 98754);
    }
};

/// Leaf-spine: counts, oversubscription, equal-cost ports.
class LeafSpineTestCase : public TopologyTestCase
{
  public:
    LeafSpineTestCase()
        : TopologyTestCase("leaf-spine")
    {
    }

  private:
    void DoRun() override
    {
        LeafSpineHelper leafSpine;
        NS_TEST_EXPECT_MSG_EQ(leafSpine.GetOversubscription(), 1.0, "of the default");
        leafSpine.SetShape(5, 3, 12);
        leafSpine.SetHostLink(DataRate("25Gb/s"), MicroSeconds(1));
        leafSpine.SetUplink(DataRate("50Gb/s"), MicroSeconds(2));
        // 12 x 25 over 3 x 50 Gb/s
        NS_TEST_EXPECT_MSG_EQ(leafSpine.GetOversubscription(), 2.0, "2:1");
        LosslessFabric fabric;
        leafSpine.Build(fabric);
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 60, "hosts");
        NS_TEST_EXPECT_MSG_EQ(leafSpine.GetNHosts(), 60, "hosts as announced");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitches().size(), 8, "switches");
        const std::map<uint64_t, uint32_t> leaf = {{25, 12}, {50, 3}};
        const std::map<uint64_t, uint32_t> spine = {{50, 5}};
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "leaf4") == leaf), true, "rates of a leaf");
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "spine2") == spine), true, "rates of a spine");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "leaf0", 59), 3, "uplinks");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "spine0", 59), 1, "down");
        CheckAllPairs(fabric, [](uint32_t src, uint32_t dst) -> std::size_t {
            return src / 12 == dst / 12 ? 2 : 4;
        });
        // 320 and 160 ps/B. 1082 B: 346.24 + 173.12 ns; ACK of 86 B: 27.52 + 13.76 ns; each twice,
        // and 12 us of propagation.
        NS_TEST_EXPECT_MSG_EQ(fabric.GetBaseRtt(MakeFlow(0, 0, 59, 1000)),
                              NanoSeconds(13122), // 13121.28
                              "base RTT");
    }
};

/// Star and dumbbell, with a flow whose last frame is shorter.
class DumbbellTestCase : public TopologyTestCase
{
  public:
    DumbbellTestCase()
        : TopologyTestCase("star and dumbbell")
    {
    }

  private:
    void DoRun() override
    {
        StarHelper star;
        star.SetHosts(17);
        star.SetLink(DataRate("40Gb/s"), MicroSeconds(4));
        LosslessFabric starFabric;
        star.Build(starFabric);
        starFabric.Build();
        const std::map<uint64_t, uint32_t> center = {{40, 17}};
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(starFabric, "switch") == center), true, "the switch");
        CheckAllPairs(starFabric, [](uint32_t, uint32_t) -> std::size_t { return 2; });
        // 1082 and 86 B at 200 ps/B: 216.4 and 17.2 ns, twice each, and 16 us.
        NS_TEST_EXPECT_MSG_EQ(starFabric.GetBaseRtt(MakeFlow(0, 16, 0, 1000)),
                              NanoSeconds(16468), // 16467.2
                              "base RTT");

        DumbbellHelper dumbbell;
        dumbbell.SetShape(3, 2);
        dumbbell.SetBottleneck(DataRate("40Gb/s"), MicroSeconds(3));
        LosslessFabric fabric;
        dumbbell.Build(fabric);
        fabric.Build();
        const std::map<uint64_t, uint32_t> left = {{100, 3}, {40, 1}};
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "left") == left), true, "left switch");
        CheckAllPairs(fabric, [](uint32_t src, uint32_t dst) -> std::size_t {
            return src / 3 == dst / 3 ? 2 : 3;
        });
        // 1500 B are frames of 1082 B (86.56 ns, bottleneck 216.4 ns) and 582 B (46.56, 116.4 ns).
        // The first leaves the bottleneck at 86.56 + 1000 + 216.4 = 1302.96 ns, the second then at
        // 1419.36 ns; it arrives after 3000 + 46.56 + 1000 ns at 5465.92 ns. Its ACK takes
        // 2 x 6.88 + 17.2 + 5000 ns more: 10496.88 ns.
        CheckFctAlone(fabric, MakeFlow(0, 0, 4, 1500), 10497);
    }
};

/// Topologies from file: numbering, parallel links, wrong files.
class FileTopologyTestCase : public TopologyTestCase
{
  public:
    FileTopologyTestCase()
        : TopologyTestCase("topology from file")
    {
    }

  private:
    void DoRun() override
    {
        RunParallelLinks();
        Simulator::Destroy();
        RunErrors();
    }

    /// @returns path of a new file with the text
    std::string Write(const std::string& text)
    {
        const std::string path = CreateTempDirFilename("topology.txt");
        std::ofstream(path) << text;
        return path;
    }

    void RunParallelLinks()
    {
        // Switches first and between the hosts; four parallel links between them.
        const std::string path = Write("6 2 8\n"
                                       "0 3\n"
                                       "1 0 100Gbps 1us 0\n"
                                       "2 0 100Gbps 1us 0\n"
                                       "3 4 100Gbps 1us 0\n"
                                       "3 5 100Gbps 1us 0\n"
                                       "0 3 25Gbps 1us 0\n"
                                       "0 3 25Gbps 1us 0\n"
                                       "3 0 25Gbps 1us 0\n"
                                       "0 3 25Gbps 1us 0\n");
        const FileTopologyHelper file(path);
        LosslessFabric fabric;
        file.Build(fabric);
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(file.GetNHosts(), 4, "hosts");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 4, "hosts of the fabric");
        NS_TEST_EXPECT_MSG_EQ(file.GetHost(1), 0, "first host");
        NS_TEST_EXPECT_MSG_EQ(file.GetHost(5), 3, "last host");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetHostIndex(file.GetHost(4)), 4, "index is the node id");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetName(4), "h4", "a host's name");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetName(3), "s3", "a switch's name");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPortsBetween(0, 3).size(), 4, "parallel links");
        NS_TEST_EXPECT_MSG_EQ(EqualCostPorts(fabric, "s0", 3), 4, "parallel links are used");
        const std::map<uint64_t, uint32_t> rates = {{100, 2}, {25, 4}};
        NS_TEST_EXPECT_MSG_EQ((PortsByRate(fabric, "s3") == rates), true, "rates");

        std::map<std::string, uint32_t> chosen;
        for (uint32_t id = 0; id < 4000; id++)
        {
            chosen[std::to_string(fabric.GetPath(MakeFlow(id, 0, 3, 1000)).at(1)->GetIfIndex())]++;
        }
        NS_TEST_EXPECT_MSG_EQ(IsSpread(chosen, 4), true, "flows over parallel links");

        // Frames go where GetPath() says: each link's port sends exactly its flows' data.
        std::vector<FlowSpec> flows;
        std::map<Ptr<QbbNetDevice>, uint64_t> expected;
        for (uint32_t id = 0; id < 32; id++)
        {
            flows.push_back(MakeFlow(id, id % 2, 2 + id / 2 % 2, 10000));
            expected[fabric.GetPath(flows.back()).at(1)] += 10; // frames of 1000 B
        }
        Completions completions(fabric);
        fabric.InstallFlows(flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(completions.fct.size(), 32, "flows completed");
        for (const auto& port : fabric.GetPortsBetween(0, 3))
        {
            NS_TEST_EXPECT_MSG_EQ(port->GetSentFrames(), expected[port], "frames of a link");
        }
    }

    void RunErrors()
    {
        const std::string path = Write("4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n"
                                       "2 3 100Gbps 1us 0\n");
        const FileTopologyHelper file(path);
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { file.GetHost(3); }),
                              path + ": found node 3, a switch of " + path + ", expected a host",
                              "a switch is no host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { file.GetHost(4); }),
                              path + ": found node 4, which " + path +
                                  " does not have, expected a node from 0 to 3",
                              "no such node");

        // The parser's own errors are tested with it; one shows that they come through.
        const std::string missing = Write("3 1 2\n2\n0 2 100Gbps 1us 0\n3 2 100Gbps 1us 0\n");
        NS_TEST_EXPECT_MSG_NE(
            ErrorOf([&] { FileTopologyHelper bad(missing); }).find(missing + ":4: "),
            std::string::npos,
            "a missing node, by line");
        const std::string fine = Write("3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 0.5ns 0\n");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { FileTopologyHelper bad(fine); }),
                              fine + ":4: found delay '0.5ns', expected a delay of 0 or more whole "
                                     "nanoseconds with its unit, e.g. 1us",
                              "a delay finer than simulation time");

        const std::string islands = Write("6 2 4\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n"
                                          "2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n");
        NS_TEST_EXPECT_MSG_NE(BuildError(islands).find("unreachable"),
                              std::string::npos,
                              "two islands: " << BuildError(islands));
        const std::string lonely = Write("4 1 2\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n");
        NS_TEST_EXPECT_MSG_EQ(BuildError(lonely),
                              "topology: found host 'h2' without a link, expected at least one",
                              "a host without a link");
    }

    /// @returns what Build() of a file's fabric says
    static std::string BuildError(const std::string& path)
    {
        const std::string error = ErrorOf([&] {
            LosslessFabric fabric;
            FileTopologyHelper(path).Build(fabric);
            fabric.Build();
        });
        Simulator::Destroy();
        return error;
    }
};

/// Values that cannot work are told with what was expected.
class TopologyErrorsTestCase : public TopologyTestCase
{
  public:
    TopologyErrorsTestCase()
        : TopologyTestCase("impossible values")
    {
    }

  private:
    void DoRun() override
    {
        FatTreeHelper tree;
        for (uint32_t k : {0, 1, 3, 5})
        {
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { tree.SetArity(k); }),
                                  "k: found " + std::to_string(k) +
                                      ", expected an even number, 2 or more",
                                  "odd or too small");
        }
        NS_TEST_EXPECT_MSG_NE(ErrorOf([&] { tree.SetArity(160); }), "", "1 024 000 hosts");
        NS_TEST_EXPECT_MSG_NE(ErrorOf([&] { tree.SetArity(4294967294U); }), "", "overflow");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { tree.SetShape(5, 4, 4, 15, 16); }),
                              "cores: found 15, expected a multiple of the 4 aggregations of a pod",
                              "cores");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { tree.SetShape(0, 4, 4, 16, 16); }),
                              "pods: found 0, expected 1 to 1000000",
                              "no pod");
        NS_TEST_EXPECT_MSG_NE(ErrorOf([&] { tree.SetShape(5, 4, 0, 16, 16); }),
                              "",
                              "no aggregation");
        NS_TEST_EXPECT_MSG_EQ(tree.GetNHosts(), 16, "a wrong value changes nothing");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { tree.SetCoreLink(DataRate(0), Seconds(0)); }),
                              "core link: found a rate of 0, expected a rate above 0, e.g. 100Gb/s",
                              "rate");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { tree.SetEdgeLink(DataRate("1Gb/s"), NanoSeconds(-1)); }),
            "edge link: found a delay of -1ns, expected a delay of 0 or more, e.g. 1us",
            "delay");
        NS_TEST_EXPECT_MSG_NE(ErrorOf([] { LeafSpineHelper().SetShape(2, 0, 4); }), "", "no spine");
        NS_TEST_EXPECT_MSG_NE(ErrorOf([] { StarHelper().SetHosts(0); }), "", "no host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([] {
                                  LosslessFabric fabric;
                                  fabric.AddSwitch("s");
                                  fabric.Build();
                              }),
                              "topology: found no host, expected at least one",
                              "no host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([] {
                                  LosslessFabric().SetSwitchAttribute("LosslessPriorities",
                                                                      UintegerValue(1));
                              }),
                              "SetSwitchAttribute: found LosslessPriorities, expected "
                              "SetLosslessPriorities()",
                              "decided elsewhere");
        NS_TEST_EXPECT_MSG_NE(ErrorOf([] { DumbbellHelper().SetShape(0, 4); }), "", "no left host");
    }
};

/// Flows of ns-3's own stack take equal-cost paths by their ports, as RDMA's do.
class StackEcmpTestCase : public TopologyTestCase
{
  public:
    StackEcmpTestCase()
        : TopologyTestCase("flows of the protocol stack spread over the cores")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        fabric.InstallInternetStack();
        for (uint32_t core = 0; core < 4; core++)
        {
            Ptr<EthernetSwitch> sw = Switch(fabric, "core" + std::to_string(core));
            for (uint32_t port = 0; port < sw->GetNPorts(); port++)
            {
                sw->GetPort(port)->TraceConnect("FrameReceived",
                                                std::to_string(core),
                                                MakeCallback(&StackEcmpTestCase::Received, this));
            }
        }
        // 32 UDP flows of one pair of hosts in different pods, three packets each.
        std::vector<Ptr<Socket>> sockets;
        for (uint16_t port = 0; port < 32; port++)
        {
            Ptr<Node> node = fabric.GetNodes().Get(fabric.GetHostIndex(0));
            Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000 + port));
            socket->Connect(InetSocketAddress(fabric.GetRdma(15)->GetAddress(), 9));
            for (int64_t i = 1; i <= 3; i++)
            {
                CallAt(
                    MilliSeconds(50 * i), // ns-3 delays its ARP requests by up to 10 ms
                    [socket]() { socket->Send(Create<Packet>(100)); },
                    node->GetId());
            }
            sockets.push_back(socket);
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_coresOf.size(), 32, "flows seen by the cores");
        std::set<std::string> used;
        for (const auto& [hash, cores] : m_coresOf)
        {
            NS_TEST_EXPECT_MSG_EQ(cores.size(), 1, "a flow keeps to one path");
            used.insert(cores.begin(), cores.end());
        }
        // 32 flows miss one of 4 cores with a probability of 4 x 0.75^32 = 4e-4; fixed by the
        // ports.
        NS_TEST_EXPECT_MSG_EQ(used.size(), 4, "cores used");
    }

    void Received(std::string core, const Frame& frame)
    {
        if (frame.etherType == 0x0800 && frame.bytes > 100)
        {
            m_coresOf[frame.hash].insert(core);
        }
    }

    std::map<uint32_t, std::set<std::string>> m_coresOf; //!< by flow hash
};

/// ns-3's own protocols over the fabric: a broadcast reaches each host once, an answer comes back.
class BroadcastTestCase : public TopologyTestCase
{
  public:
    BroadcastTestCase()
        : TopologyTestCase("broadcast, ARP and UDP over a fat-tree")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        fabric.InstallInternetStack();
        for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
        {
            fabric.GetRdma(host)->GetDevice()->TraceConnect(
                "FrameReceived",
                std::to_string(host),
                MakeCallback(&BroadcastTestCase::Received, this));
        }
        Ptr<Socket> server = MakeSocket(fabric, 15);
        server->Bind(InetSocketAddress(Ipv4Address::GetAny(), 7));
        server->SetRecvCallback(MakeCallback(&BroadcastTestCase::Echo, this));
        Ptr<Socket> client = MakeSocket(fabric, 0);
        client->Connect(InetSocketAddress(fabric.GetRdma(15)->GetAddress(), 7));
        client->SetRecvCallback(MakeCallback(&BroadcastTestCase::Answered, this));
        CallAt(MilliSeconds(1), [client]() { client->Send(Create<Packet>(100)); });
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        // ns-3's ARP does not learn from requests: host 0 asks for host 15, then 15 for 0.
        for (uint32_t sender : {0u, 15u})
        {
            for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
            {
                const uint32_t expected = host == sender ? 0 : 1;
                NS_TEST_EXPECT_MSG_EQ(m_broadcasts[std::make_pair(sender, host)],
                                      expected,
                                      "broadcasts of host " << sender << " at host " << host);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_broadcasts.size(), 2 * 16, "no other broadcast");
        NS_TEST_EXPECT_MSG_EQ(m_echoes, 1, "packets at the server");
        NS_TEST_EXPECT_MSG_EQ(m_answerBytes, 100, "bytes that came back");
    }

    static Ptr<Socket> MakeSocket(const LosslessFabric& fabric, uint32_t host)
    {
        return Socket::CreateSocket(fabric.GetNodes().Get(fabric.GetHostIndex(host)),
                                    UdpSocketFactory::GetTypeId());
    }

    void Received(std::string host, const Frame& frame)
    {
        if (frame.destination == BROADCAST_ENDPOINT)
        {
            // A host's address ends with its number + 1.
            const uint32_t sender = frame.addresses.sourceMac[5] - 1;
            m_broadcasts[std::make_pair(sender, static_cast<uint32_t>(std::stoul(host)))]++;
        }
    }

    void Echo(Ptr<Socket> socket)
    {
        Address from;
        Ptr<Packet> packet = socket->RecvFrom(from);
        m_echoes++;
        socket->SendTo(packet, 0, from);
    }

    void Answered(Ptr<Socket> socket)
    {
        m_answerBytes += socket->Recv()->GetSize();
    }

    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_broadcasts; //!< by sender and receiver
    uint32_t m_echoes{0};                                           //!< at the server
    uint32_t m_answerBytes{0};                                      //!< at the client
};

/// TCP and RDMA between the same two hosts, each in its priority.
class TcpNextToRdmaTestCase : public TopologyTestCase
{
  public:
    TcpNextToRdmaTestCase()
        : TopologyTestCase("TCP next to RDMA")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t tcpBytes = 2000000;
        LosslessFabric fabric;
        FatTreeHelper().Build(fabric);
        fabric.Build();
        fabric.InstallInternetStack();
        const InetSocketAddress server(fabric.GetRdma(15)->GetAddress(), 5000);

        ObjectFactory sinkFactory("ns3::PacketSink");
        sinkFactory.Set("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sinkFactory.Set("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 5000)));
        Ptr<PacketSink> sink = sinkFactory.Create<PacketSink>();
        fabric.GetNodes().Get(fabric.GetHostIndex(15))->AddApplication(sink);
        ObjectFactory sourceFactory("ns3::BulkSendApplication");
        sourceFactory.Set("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sourceFactory.Set("Remote", AddressValue(server));
        sourceFactory.Set("MaxBytes", UintegerValue(tcpBytes));
        Ptr<Application> source = sourceFactory.Create<Application>();
        fabric.GetNodes().Get(fabric.GetHostIndex(0))->AddApplication(source);

        // Starts when TCP has had the time to resolve the address and to be under way.
        Completions completions(fabric);
        FlowSpec flow = MakeFlow(0, 0, 15, 1000000);
        flow.startNs = 20000000;
        fabric.InstallFlows({flow});
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), tcpBytes, "bytes by TCP");
        NS_TEST_ASSERT_MSG_EQ(completions.fct.size(), 1, "the RDMA flow");
        // Priority 3 before priority 0: at most the frame on the line, of 1518 + 20 B (123.04 ns),
        // is before each of the flow's frames, at each of 6 links; the ACKs' way back, too.
        const Time late = completions.fct[0] - fabric.GetIdealFct(flow);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(late, NanoSeconds(2 * 6 * 124), "RDMA has priority");
        for (const auto& sw : fabric.GetSwitches())
        {
            NS_TEST_EXPECT_MSG_EQ(sw->GetDrops(), 0, "drops");
            NS_TEST_EXPECT_MSG_EQ(sw->GetBuffer().GetUsedBytes(), 0, "buffer in use at the end");
        }
    }
};

/// Flows that start when another of the same host has completed.
class ClosedLoopTestCase : public TopologyTestCase
{
  public:
    ClosedLoopTestCase()
        : TopologyTestCase("closed loop")
    {
    }

  private:
    void DoRun() override
    {
        // Flow 1 waits for flow 0, flow 2 for flow 1 and its own time, which is later; flow 3 has
        // no part in it.
        const int64_t later = 5000000;
        std::vector<FlowSpec> flows = {MakeFlow(0, 0, 1, 1000000, 1000),
                                       MakeFlow(1, 0, 1, 500000, 0),
                                       MakeFlow(2, 0, 1, 500000, later),
                                       MakeFlow(3, 0, 1, 1000, 2 * later)};
        flows[1].after = 0;
        flows[2].after = 1;
        LosslessFabric fabric;
        AddChain(fabric, {"100Gb/s", "100Gb/s"}, MicroSeconds(1));
        fabric.Build();
        CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        Simulator::Run();
        const auto& done = recorder.completions;
        NS_TEST_ASSERT_MSG_EQ(done.size(), 4, "completed flows");
        NS_TEST_EXPECT_MSG_EQ(done.at(0).start, NanoSeconds(1000), "start of the first");
        NS_TEST_EXPECT_MSG_EQ(done.at(1).start, done.at(0).end, "start of the second");
        NS_TEST_EXPECT_MSG_EQ(done.at(2).start, NanoSeconds(later), "start of the third");
        NS_TEST_EXPECT_MSG_EQ(done.at(3).start, NanoSeconds(2 * later), "start of the fourth");
        // Each is alone in the network.
        for (const FlowSpec& flow : flows)
        {
            NS_TEST_EXPECT_MSG_EQ(done.at(flow.id).end - done.at(flow.id).start,
                                  fabric.GetIdealFct(flow),
                                  "completion time of flow " << flow.id);
        }
        Simulator::Destroy();
        ExpectStopped();
        ExpectRefused(MakeFlow(1, 1, 0, 1000), 0); // of another host
        ExpectRefused(MakeFlow(1, 0, 1, 1000), 1); // itself
    }

    /// A client that is stopped posts nothing any more, although what is under way completes.
    void ExpectStopped()
    {
        std::vector<FlowSpec> flows = {MakeFlow(0, 0, 1, 1000000),
                                       MakeFlow(1, 0, 1, 1000),
                                       MakeFlow(2, 0, 1, 1000, 1000000)};
        flows[1].after = 0;
        LosslessFabric fabric;
        AddChain(fabric, {"100Gb/s", "100Gb/s"}, MicroSeconds(1));
        fabric.Build();
        CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        fabric.GetNodes()
            .Get(fabric.GetHostIndex(0))
            ->GetApplication(0)
            ->SetStopTime(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 1, "the first alone");
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.count(0), 1, "the first alone");
        Simulator::Destroy();
    }

    /// @param flow number 1 @param after the flow it is to wait for, which cannot be
    void ExpectRefused(FlowSpec flow, uint32_t after)
    {
        flow.after = after;
        LosslessFabric fabric;
        AddChain(fabric, {"100Gb/s", "100Gb/s"}, MicroSeconds(1));
        fabric.Build();
        std::string error;
        try
        {
            fabric.InstallFlows({MakeFlow(0, 0, 1, 1000), flow});
        }
        catch (const InputError& e)
        {
            error = e.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "flow 1: found it to start after flow " + std::to_string(after) +
                                  ", expected an earlier flow of the same host",
                              "the error");
        Simulator::Destroy();
    }
};

/// The suite `lossless-topology`.
class LosslessTopologyTestSuite : public TestSuite
{
  public:
    LosslessTopologyTestSuite()
        : TestSuite("lossless-topology", Type::UNIT)
    {
        for (uint32_t k : {2, 4, 6, 10, 16})
        {
            AddTestCase(new FatTreeArityTestCase(k));
        }
        AddTestCase(new FatTreeFourTestCase);
        AddTestCase(new MercuryTestCase);
        AddTestCase(new LeafSpineTestCase);
        AddTestCase(new DumbbellTestCase);
        AddTestCase(new FileTopologyTestCase);
        AddTestCase(new TopologyErrorsTestCase);
        AddTestCase(new StackEcmpTestCase);
        AddTestCase(new BroadcastTestCase);
        AddTestCase(new TcpNextToRdmaTestCase);
        AddTestCase(new ClosedLoopTestCase);
    }
};

static LosslessTopologyTestSuite g_losslessTopologyTestSuite; //!< registers the suite

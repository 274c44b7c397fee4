// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Fat-trees, leaf-spines and dumbbells: wiring, names, routes, base RTT and ideal FCT.

#include "lossless-test-harness.h"
#include "lossless-topology-test-case.h"

#include "ns3/dumbbell-helper.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/star-helper.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// @returns the core that a flow's path crosses, which is in the middle of its six links
std::string
CoreOf(const LosslessFabric& fabric, const FlowSpec& flow)
{
    return fabric.GetName(fabric.GetPath(flow).at(3)->GetNode()->GetId());
}

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

/// The suite `lossless-topology-shape`.
class LosslessTopologyShapeTestSuite : public TestSuite
{
  public:
    LosslessTopologyShapeTestSuite()
        : TestSuite("lossless-topology-shape", Type::UNIT)
    {
        for (uint32_t k : {2, 4, 6, 10, 16})
        {
            AddTestCase(new FatTreeArityTestCase(k));
        }
        AddTestCase(new FatTreeFourTestCase);
        AddTestCase(new MercuryTestCase);
        AddTestCase(new LeafSpineTestCase);
        AddTestCase(new DumbbellTestCase);
    }
};

LosslessTopologyShapeTestSuite g_losslessTopologyShapeTestSuite; //!< registers itself

} // namespace

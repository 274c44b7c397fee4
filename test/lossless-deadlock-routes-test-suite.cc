// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Routes: which ones can deadlock, and those that a user sets.

#include "lossless-deadlock-ring.h"
#include "lossless-test-harness.h"

#include "ns3/bundled-files.h"
#include "ns3/deadlock-watch.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/file-topology-helper.h"
#include "ns3/flow-list-file.h"
#include "ns3/integer.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/test.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// @returns flows between all pairs of hosts, several for each
std::vector<FlowSpec>
AllPairs(const LosslessFabric& fabric, uint32_t each)
{
    std::vector<FlowSpec> flows;
    for (uint32_t src = 0; src < fabric.GetNHosts(); src++)
    {
        for (uint32_t dst = 0; dst < fabric.GetNHosts(); dst++)
        {
            for (uint32_t i = 0; i < each && src != dst; i++)
            {
                flows.push_back(MakeFlow(flows.size(), src, dst, 1000));
            }
        }
    }
    return flows;
}

/// What has no cyclic dependency: trees, and the ring with the bundled static routes.
class DependencyTestCase : public LosslessTestCase
{
  public:
    DependencyTestCase()
        : LosslessTestCase("Which networks have cyclic buffer dependencies")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric tree;
        FatTreeHelper fatTree;
        fatTree.SetArity(4);
        fatTree.Build(tree);
        Check(tree, "fat-tree", true);
        LosslessFabric leaves;
        LeafSpineHelper leafSpine;
        leafSpine.SetShape(4, 4, 2);
        leafSpine.Build(leaves);
        Check(leaves, "leaf-spine", true);
        const BundledFiles files("topologies", ".txt");
        LosslessFabric racks;
        FileTopologyHelper(files.Find("topology", "two-racks")).Build(racks);
        Check(racks, "two-racks", true);
        LosslessFabric acyclic;
        FileTopologyHelper(files.Find("topology", "ring-acyclic")).Build(acyclic);
        acyclic.Build();
        const auto flows =
            ReadFlowListFile(BundledFiles("flows", ".txt").Find("flows", "ring")).flows;
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(acyclic, flows, 1 << 3), "", "ring-acyclic");
        LosslessFabric ring;
        FileTopologyHelper(files.Find("topology", "ring")).Build(ring);
        Check(ring, "ring", false);
        // Two switches cannot make a cycle without a way back over the same link.
        LosslessFabric pair;
        AddRing(pair, 2, 2);
        Check(pair, "two switches with two links", true);
        LosslessFabric four;
        AddRing(four, 4, 1);
        Check(four, "four switches, both ways of two links", false);
        CheckReplies();
    }

    /// Data takes the short way, replies to it go around: only in a lossless priority they count.
    void CheckReplies()
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.SetRdmaAttribute("AckPriority", IntegerValue(5));
        fabric.Build();
        const std::vector<FlowSpec> flows = {MakeFlow(0, 2, 0, 1000),
                                             MakeFlow(1, 0, 1, 1000),
                                             MakeFlow(2, 1, 2, 1000)};
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(fabric, flows, 1 << 3), "", "lossy ACKs");
        const std::string text = DescribeCyclicDependency(fabric, flows, 1 << 3 | 1 << 5);
        NS_TEST_EXPECT_MSG_NE(text.find("cyclic buffer dependency in priority 5"),
                              std::string::npos,
                              text);
    }

    void Check(LosslessFabric& fabric, const std::string& name, bool acyclic)
    {
        fabric.Build();
        const auto flows = AllPairs(fabric, 4);
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(fabric, flows, 1 << 3).empty(),
                              acyclic,
                              name);
        NS_TEST_EXPECT_MSG_EQ(DescribeCyclicDependency(fabric, flows, 1 << 4), "", name);
    }
};

/// Static routes: paths, ideal FCT and base RTT follow them; what cannot be is an error.
class StaticRouteTestCase : public LosslessTestCase
{
  public:
    StaticRouteTestCase()
        : LosslessTestCase("Static routes")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddTriangle(fabric);
        fabric.Build();
        const FlowSpec flow = MakeFlow(0, 0, 2, 1000);
        const std::vector<std::string> way = {"h0[port 0] -> s0",
                                              "s0[port 1] -> s1",
                                              "s1[port 2] -> s2",
                                              "s2[port 0] -> h2"};
        std::vector<std::string> path;
        for (const auto& port : fabric.GetPath(flow))
        {
            path.push_back(fabric.GetPortName(*port));
        }
        NS_TEST_EXPECT_MSG_EQ((path == way), true, "path");
        // The way back is the shortest: three links.
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPath(MakeFlow(1, 2, 0, 1000)).size(), 3U, "other flow");

        // Several next nodes: flows spread over them.
        LosslessFabric spread;
        AddRing(spread, 3, 1);
        spread.AddRoute(0, spread.GetHostIndex(2), {1, 2});
        spread.Build();
        std::set<std::size_t> lengths;
        for (uint32_t id = 0; id < 64; id++)
        {
            lengths.insert(spread.GetPath(MakeFlow(id, 0, 2, 1000)).size());
        }
        NS_TEST_EXPECT_MSG_EQ((lengths == std::set<std::size_t>{3, 4}), true, "both ways");

        CheckErrors();
    }

    /**
     * @param add adds routes to a ring of three
     * @returns the error, of AddRoute() or Build()
     */
    static std::string ErrorOfRoutes(const std::function<void(LosslessFabric&)>& add)
    {
        LosslessFabric fabric;
        AddRing(fabric, 3, 1);
        return ErrorOf([&] {
            add(fabric);
            fabric.Build();
        });
    }

    void CheckErrors()
    {
        // Nodes 0 to 2 are switches, 3 to 5 hosts h0 to h2.
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(3, 4, {0}); }),
                              "route: found a route at 'h0', expected one at a switch",
                              "at a host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 1, {1}); }),
                              "route: found a route to 's1', expected one to a host",
                              "to a switch");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 9, {1}); }),
                              "route: found a route to node 9, expected one to a host",
                              "unknown");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 5, {4}, "ring.txt:9"); }),
            "ring.txt:9: found next node 'h1' without a link to 's0', expected nodes at the other "
            "end of its links",
            "not linked");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 5, {3}); }),
                              "route: found next node 'h0', another host, expected switches or "
                              "the destination: hosts do not forward",
                              "another host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 5, {1, 1});
                              }),
                              "route: found next node 's1' twice, expected each once",
                              "twice");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 5, {}); }),
                              "route: found a route without a next node, expected at least one",
                              "none");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 5, {1});
                                  f.AddRoute(0, 5, {2});
                              }),
                              "route: found a second route at 's0' to 'h2', expected one, with all "
                              "of its next nodes",
                              "second");
        // s1's way to h0 is the link to s0; if s0 sends frames for h0 to s1, they go around.
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOfRoutes([](LosslessFabric& f) { f.AddRoute(0, 3, {1}, "ring.txt:9"); }),
            "ring.txt:9: found a routing loop to host 'h0': s0 -> s1 -> s0, expected next nodes "
            "that lead to the host",
            "loop of two");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 3, {3, 1}, "a:1");
                                  f.AddRoute(1, 3, {2}, "a:2");
                              }),
                              "a:1: found a routing loop to host 'h0': s0 -> s1 -> s2 -> s0, "
                              "expected next nodes that lead to the host",
                              "loop of three, as one of several ways");
        NS_TEST_EXPECT_MSG_EQ(ErrorOfRoutes([](LosslessFabric& f) {
                                  f.AddRoute(0, 3, {3});
                                  f.AddRoute(1, 3, {2});
                              }),
                              "",
                              "no loop");
    }
};

/// The suite `lossless-deadlock-routes`.
class LosslessDeadlockRoutesTestSuite : public TestSuite
{
  public:
    LosslessDeadlockRoutesTestSuite()
        : TestSuite("lossless-deadlock-routes", Type::SYSTEM)
    {
        AddTestCase(new DependencyTestCase);
        AddTestCase(new StaticRouteTestCase);
    }
};

LosslessDeadlockRoutesTestSuite g_losslessDeadlockRoutesTestSuite; //!< registers itself

} // namespace

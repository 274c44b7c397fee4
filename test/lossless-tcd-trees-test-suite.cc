// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Congestion trees: which ports are congested and which undetermined.

#include "lossless-tcd-port-watch.h"
#include "lossless-test-harness.h"

#include "ns3/congestion-detector.h"
#include "ns3/congestion-tree-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/simulator.h"
#include "ns3/tcd-detector.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// The cases of section 3.2.2.
class CongestionTreesTestCase : public LosslessTestCase
{
  public:
    /**
     * @param which case
     * @param name of it
     */
    CongestionTreesTestCase(CongestionTreeHelper::Case which, const std::string& name)
        : LosslessTestCase("congestion trees, " + name),
          m_case(which)
    {
    }

  private:
    void DoRun() override
    {
        const CongestionTreeHelper trees(m_case);
        LosslessFabric fabric;
        SetThresholds(fabric);
        trees.Build(fabric);
        Scheme scheme = FindScheme("none");
        scheme.detector = "ns3::TcdDetector";
        fabric.SetScheme(scheme);
        fabric.Build();
        fabric.AssignStreams(1000);
        std::map<std::string, std::unique_ptr<PortWatch>> watches;
        for (const auto& port : trees.GetPorts())
        {
            const auto devices =
                fabric.GetPortsBetween(fabric.GetIndex(port.node), fabric.GetIndex(port.peer));
            watches[port.name] = std::make_unique<PortWatch>(devices.at(0));
        }
        CompletionRecorder completions(fabric);
        const std::vector<FlowSpec> flows = trees.GetFlows();
        fabric.InstallFlows(flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(completions.completions.size(), flows.size(), "completed flows");
        for (const auto& port : trees.GetPorts())
        {
            std::string expected;
            for (CongestionDetector::PortState state : port.states)
            {
                expected += Symbol(state);
            }
            const PortWatch& watch = *watches[port.name];
            NS_TEST_EXPECT_MSG_EQ(watch.SteadyStates(), expected, "states of " << port.name);
            // A port that never becomes a root never says so.
            if (expected.find('1') == std::string::npos)
            {
                NS_TEST_EXPECT_MSG_EQ(watch.Marks(CodePoint::CONGESTION), 0, "CE at " << port.name);
            }
        }
        ExpectOrder(watches);
    }

    /**
     * What the trees do to each other in time.
     *
     * @param watches by name of the port
     */
    void ExpectOrder(const std::map<std::string, std::unique_ptr<PortWatch>>& watches)
    {
        const auto end = [&](const std::string& port) {
            return watches.at(port)->changes.back().ns;
        };
        switch (m_case)
        {
        case CongestionTreeHelper::ISOLATED:
            NS_TEST_EXPECT_MSG_LT(end("leaf a"), end("leaf b") - 1000000, "a first");
            NS_TEST_EXPECT_MSG_LT(end("root a"), end("root b") - 1000000, "a first");
            break;
        case CongestionTreeHelper::OVERLAPPED:
            // The leaf of both is undetermined from the first tree to the end of the second.
            NS_TEST_EXPECT_MSG_LT(end("leaf a"), end("leaf a and b") - 1000000, "a first");
            NS_TEST_EXPECT_MSG_LT(end("root a"), end("leaf a and b") - 1000000, "a first");
            NS_TEST_EXPECT_MSG_LT(end("leaf b") - 200000, end("leaf a and b"), "with b");
            break;
        case CongestionTreeHelper::COVERED: {
            const int64_t emerged =
                watches.at("root b, leaf a")->First(CongestionDetector::CONGESTION);
            NS_TEST_EXPECT_MSG_LT(watches.at("root b, leaf a")->lastOnNs, emerged, "after a");
            break;
        }
        }
    }

    CongestionTreeHelper::Case m_case; //!< which
};

/// The suite `lossless-tcd-trees`.
class LosslessTcdTreesTestSuite : public TestSuite
{
  public:
    LosslessTcdTreesTestSuite()
        : TestSuite("lossless-tcd-trees", Type::UNIT)
    {
        AddTestCase(new CongestionTreesTestCase(CongestionTreeHelper::ISOLATED, "isolated"));
        AddTestCase(new CongestionTreesTestCase(CongestionTreeHelper::OVERLAPPED, "overlapped"));
        AddTestCase(new CongestionTreesTestCase(CongestionTreeHelper::COVERED, "covered"));
    }
};

LosslessTcdTreesTestSuite g_losslessTcdTreesTestSuite; //!< registers itself

} // namespace

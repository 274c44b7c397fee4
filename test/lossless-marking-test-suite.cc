// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Congestion spreading in the network of Santos, Turner and Janakiraman (GLOBECOM 2002), figure 1,
// and their markings against it.

#include "lossless-test-harness.h"

#include "ns3/flow-spec.h"
#include "ns3/input-error.h"
#include "ns3/lossless-fabric.h"
#include "ns3/marking-unit-helper.h"
#include "ns3/nstime.h"
#include "ns3/port-shares.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

constexpr uint32_t MTU = 2042; // a packet has 2068 B
constexpr uint32_t FLOWS = 10; // local ones, and remote ones

/// What flows take of the two links while the victim is active.
struct Shares
{
    double root{0};        //!< of the root link, all flows
    double local{0};       //!< local flows
    double remote{0};      //!< remote flows
    double interSwitch{0}; //!< of the inter-switch link, all flows
    double victim{0};      //!< of the same
};

/**
 * Runs the scenario of figure 1, with the victim from 40 ms on.
 *
 * @param scheme to run; none has LIPD's window and is never marked
 * @param packets that a buffer has room for
 * @param outputThreshold instead of the scheme's, if it has one [packets]
 * @returns shares of the 20 ms from then on
 */
Shares
RunScenario(const std::string& scheme, uint32_t packets, uint32_t outputThreshold = 8)
{
    LosslessFabric fabric;
    fabric.SetLink(FindLinkTechnology("infiniband"));
    MarkingUnitHelper unit;
    MarkingUnitHelper::SetBuffers(packets, MTU, fabric);
    fabric.SetRdmaAttribute("Mtu", UintegerValue(MTU));
    unit.Build(fabric);
    Scheme used = FindScheme(scheme);
    if (scheme == "none")
    {
        used.controller = "ns3::Lipd";
    }
    for (Scheme::Setting& setting : used.detectorSettings)
    {
        if (setting.attribute == "OutputThreshold")
        {
            setting.value = std::to_string(outputThreshold);
        }
    }
    fabric.SetScheme(used);
    fabric.Build();
    const Time start = MilliSeconds(40);
    const Time end = MilliSeconds(60);
    std::vector<FlowSpec> flows;
    unit.AddFlows(fabric, MicroSeconds(100), end, start, end - start, flows);
    fabric.InstallFlows(flows);
    const auto port = [&](const char* node, const char* peer) {
        return fabric.GetPortsBetween(fabric.GetIndex(node), fabric.GetIndex(peer)).at(0);
    };
    PortShares root(port("B", "B_C"), start, end);
    PortShares interSwitch(port("A", "B"), start, end);
    Simulator::Stop(end);
    Simulator::Run();
    Shares shares;
    shares.root = root.Get(0, 2 * FLOWS);
    shares.local = root.Get(0, FLOWS);
    shares.remote = root.Get(FLOWS, FLOWS);
    shares.interSwitch = interSwitch.Get(FLOWS, FLOWS + 1);
    shares.victim = interSwitch.Get(2 * FLOWS, 1);
    Simulator::Destroy();
    return shares;
}

/// Figure 1.
class UnitShapeTest : public LosslessTestCase
{
  public:
    UnitShapeTest()
        : LosslessTestCase("shape of the unit")
    {
    }

  private:
    void DoRun() override
    {
        MarkingUnitHelper unit;
        unit.SetFlowsPerSide(3);
        LosslessFabric fabric;
        unit.Build(fabric);
        std::vector<FlowSpec> flows;
        const Time end = MilliSeconds(50);
        unit.AddFlows(fabric, MicroSeconds(100), end, MilliSeconds(40), MilliSeconds(5), flows);
        fabric.Build();
        LOSSLESS_TEST_REQUIRE(flows.size(), 7, "flows");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 3 + 1 + 3 + 2, "hosts");
        const auto from = [&](uint32_t flow) {
            return fabric.GetName(fabric.GetHostIndex(flows[flow].src));
        };
        const auto to = [&](uint32_t flow) {
            return fabric.GetName(fabric.GetHostIndex(flows[flow].dst));
        };
        NS_TEST_EXPECT_MSG_EQ(from(0) + ">" + to(0), "B_1>B_C", "first local flow");
        NS_TEST_EXPECT_MSG_EQ(from(3) + ">" + to(3), "A_1>B_C", "first remote flow");
        NS_TEST_EXPECT_MSG_EQ(from(6) + ">" + to(6), "A_V>B_V", "victim");
        NS_TEST_EXPECT_MSG_EQ(flows[5].startNs, 500000, "start of the last remote flow");
        NS_TEST_EXPECT_MSG_EQ(flows[6].bytes, 5000000, "5 ms of 1 GB/s");
        const auto isOn = [&](uint32_t flow, const MarkingUnitHelper::Port& port) {
            for (const auto& device : fabric.GetPath(flows[flow]))
            {
                if (fabric.GetName(device->GetNode()->GetId() -
                                   fabric.GetNodes().Get(0)->GetId()) == port.node &&
                    fabric.GetName(device->GetPeer()->GetNode()->GetId() -
                                   fabric.GetNodes().Get(0)->GetId()) == port.peer)
                {
                    return true;
                }
            }
            return false;
        };
        const auto ports = MarkingUnitHelper::GetPorts();
        LOSSLESS_TEST_REQUIRE(ports.size(), 2, "ports");
        const bool passes[2][3] = {{false, true, true}, {true, true, false}};
        for (uint32_t port = 0; port < 2; port++)
        {
            for (uint32_t kind = 0; kind < 3; kind++)
            {
                NS_TEST_EXPECT_MSG_EQ(isOn(3 * kind, ports[port]),
                                      passes[port][kind],
                                      "flow " << 3 * kind << " at " << ports[port].name);
            }
        }
    }
};

/// Without marks. Local flows hold one packet each in switch B and the inter-switch link four, one
/// of which is now and then the victim's: 16/49 of its rate, and 2/49 for the victim.
class SpreadingTest : public LosslessTestCase
{
  public:
    SpreadingTest()
        : LosslessTestCase("congestion spreads")
    {
    }

  private:
    void DoRun() override
    {
        const Shares shares = RunScenario("none", 4);
        NS_TEST_EXPECT_MSG_EQ_TOL(shares.interSwitch, 16. / 49, 0.01, "inter-switch link");
        NS_TEST_EXPECT_MSG_EQ_TOL(shares.victim, 2. / 49, 0.0055, "victim");
        NS_TEST_EXPECT_MSG_EQ_TOL(shares.remote, 4. / 14, 0.01, "remote flows");
        NS_TEST_EXPECT_MSG_GT(shares.root, 0.98, "root link");
    }
};

/// The same with marks: the victim gets a good part of what its link has left, and who is marked
/// decides what the others get.
class MarkingTest : public LosslessTestCase
{
  public:
    MarkingTest()
        : LosslessTestCase("markings against spreading congestion")
    {
    }

  private:
    void DoRun() override
    {
        const Shares naive = RunScenario("naive+lipd", 4);
        const Shares input = RunScenario("input+lipd", 4);
        const Shares eight = RunScenario("input-output+lipd", 4);
        const Shares four = RunScenario("input-output+lipd", 4, 4);
        for (const Shares& shares : {naive, input, eight, four})
        {
            NS_TEST_EXPECT_MSG_GT(shares.victim, 0.35, "the victim does not suffer");
            NS_TEST_EXPECT_MSG_GT(shares.interSwitch, 0.75, "its link is in use");
        }
        NS_TEST_EXPECT_MSG_GT(naive.local / naive.root, 0.86, "local flows are never marked");
        NS_TEST_EXPECT_MSG_LT(naive.local / naive.root, 0.93, "but others have something");
        NS_TEST_EXPECT_MSG_GT(input.remote, 1.5 * naive.remote, "fairer");
        NS_TEST_EXPECT_MSG_GT(input.root, 0.95, "root link");
        NS_TEST_EXPECT_MSG_GT(eight.remote / eight.local, input.remote / input.local, "fairer");
        NS_TEST_EXPECT_MSG_GT(four.remote / four.local, eight.remote / eight.local, "fairer");
        NS_TEST_EXPECT_MSG_LT(four.root, eight.root - 0.03, "but marks too often");
    }
};

/// From 12 packets on the eleven flows of the inter-switch link never fill its buffer, each having
/// one packet: its size makes no difference.
class LargeBufferTest : public LosslessTestCase
{
  public:
    LargeBufferTest()
        : LosslessTestCase("buffers that are never full")
    {
    }

  private:
    void DoRun() override
    {
        const Shares twelve = RunScenario("input-output+lipd", 12);
        const Shares sixteen = RunScenario("input-output+lipd", 16);
        NS_TEST_EXPECT_MSG_EQ(twelve.local, sixteen.local, "local flows");
        NS_TEST_EXPECT_MSG_EQ(twelve.remote, sixteen.remote, "remote flows");
        NS_TEST_EXPECT_MSG_EQ(twelve.victim, sixteen.victim, "victim");
    }
};

/// Nobody would tell the detectors of full inputs.
class NoInputBuffersTest : public LosslessTestCase
{
  public:
    NoInputBuffersTest()
        : LosslessTestCase("switches without buffers at their inputs")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string marking : {"naive", "input", "input-output"})
        {
            MarkingUnitHelper unit;
            LosslessFabric fabric;
            unit.Build(fabric);
            fabric.SetScheme(FindScheme(marking + "+lipd"));
            std::string error;
            try
            {
                fabric.Build();
            }
            catch (const InputError& e)
            {
                error = e.what();
            }
            NS_TEST_EXPECT_MSG_EQ((error.find("scheme " + marking + "+lipd: found") == 0),
                                  true,
                                  "told: " << error);
        }
    }
};

/// All tests of the 2002 markings in a network.
class LosslessMarkingTestSuite : public TestSuite
{
  public:
    LosslessMarkingTestSuite()
        : TestSuite("lossless-marking", Type::UNIT)
    {
        AddTestCase(new UnitShapeTest);
        AddTestCase(new SpreadingTest);
        AddTestCase(new MarkingTest);
        AddTestCase(new LargeBufferTest);
        AddTestCase(new NoInputBuffersTest);
    }
};

static LosslessMarkingTestSuite g_losslessMarkingTestSuite; //!< registers the suite

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Topologies from files, and what is said of wrong ones.

#include "lossless-test-harness.h"
#include "lossless-topology-test-case.h"

#include "ns3/dumbbell-helper.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/file-topology-helper.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/simulator.h"
#include "ns3/star-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

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
        std::map<Ptr<LosslessNetDevice>, uint64_t> expected;
        for (uint32_t id = 0; id < 32; id++)
        {
            flows.push_back(MakeFlow(id, id % 2, 2 + id / 2 % 2, 10000));
            expected[fabric.GetPath(flows.back()).at(1)] += 10; // frames of 1000 B
        }
        CompletionRecorder recorder(fabric);
        fabric.InstallFlows(flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 32, "flows completed");
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

/// The suite `lossless-topology-file`.
class LosslessTopologyFileTestSuite : public TestSuite
{
  public:
    LosslessTopologyFileTestSuite()
        : TestSuite("lossless-topology-file", Type::UNIT)
    {
        AddTestCase(new FileTopologyTestCase);
        AddTestCase(new TopologyErrorsTestCase);
    }
};

LosslessTopologyFileTestSuite g_losslessTopologyFileTestSuite; //!< registers itself

} // namespace

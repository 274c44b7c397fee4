// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A topology from a file, with flows from a file or from a workload.
//
// The formats are those of the HPCC simulator, which many others read and write: see
// examples/topologies and examples/flows.

#include "ns3/bundled-files.h"
#include "ns3/file-topology-helper.h"
#include "ns3/flow-list-file.h"
#include "ns3/lossless-study.h"

using namespace ns3;

namespace
{

/// @returns the flows of a file, between hosts by their numbers; its own errors name file and line
std::vector<FlowSpec>
ReadFlows(const std::string& path, const FileTopologyHelper& topology)
{
    FlowList list = ReadFlowListFile(path);
    for (std::size_t i = 0; i < list.flows.size(); i++)
    {
        FlowSpec& flow = list.flows[i];
        flow.src = topology.GetHost(flow.src, path, list.lines[i]);
        flow.dst = topology.GetHost(flow.dst, path, list.lines[i]);
    }
    return list.flows;
}

} // namespace

int
main(int argc, char* argv[])
{
    LosslessStudy study("from-file",
                        "A topology from a file, with flows from a file or from a workload.");
    const BundledFiles topologies("topologies", ".txt");
    const BundledFiles flowLists("flows", ".txt");
    std::string topologyName = "two-racks";
    std::string flowsName;
    study.GetOptions().AddText("topology",
                               "File of the network, or one of " + topologies.GetList() +
                                   ": line 1 'nodes switches links', line 2 the switches, then "
                                   "'src dst rate delay error-rate', then, if wanted, static "
                                   "routes 'route switch host next[,next...]'",
                               topologyName);
    study.GetOptions().AddText("flows",
                               "File of the flows, or one of " + flowLists.GetList() +
                                   ": line 1 their number, then 'src dst priority port bytes "
                                   "start_s'; without it a workload",
                               flowsName);
    study.AddWorkloadOptions("WebSearch", 0.3, MilliSeconds(10));

    study.SetTopology([&](LosslessFabric& fabric) {
        FileTopologyHelper(topologies.Find("--topology", topologyName)).Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        if (flowsName.empty())
        {
            return study.GenerateWorkload(fabric);
        }
        const FileTopologyHelper topology(topologies.Find("--topology", topologyName));
        return ReadFlows(flowLists.Find("--flows", flowsName), topology);
    });
    return study.Main(argc, argv);
}

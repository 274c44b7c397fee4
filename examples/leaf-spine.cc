// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A data-centre workload over a leaf-spine fabric, oversubscribed or not.
//
// Every leaf is linked to every spine. With the defaults each leaf has 8 hosts and 4 uplinks of
// the same rate: 2:1 oversubscribed.

#include "ns3/leaf-spine-helper.h"
#include "ns3/lossless-study.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("leaf-spine",
                        "A data-centre workload over a leaf-spine fabric of lossless switches.");
    uint32_t leaves = 4;
    uint32_t spines = 4;
    uint32_t hosts = 8;
    DataRate uplink("100Gb/s");
    study.GetOptions().AddCount("leaves", "Number of leaf switches", leaves, 1);
    study.GetOptions().AddCount("spines", "Number of spine switches", spines, 1);
    study.GetOptions().AddCount("hosts", "Hosts on each leaf", hosts, 1);
    study.GetOptions().AddRate("uplink-rate", "Line rate of each link of leaf and spine", uplink);
    study.AddLinkOptions(DataRate("100Gb/s"), MicroSeconds(1));
    study.AddWorkloadOptions("WebSearch", 0.3, MilliSeconds(10));

    study.SetTopology([&](LosslessFabric& fabric) {
        LeafSpineHelper topology;
        topology.SetShape(leaves, spines, hosts);
        topology.SetHostLink(study.GetLinkRate(), study.GetLinkDelay());
        topology.SetUplink(uplink, study.GetLinkDelay());
        topology.Build(fabric);
    });
    return study.Main(argc, argv);
}

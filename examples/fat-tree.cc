// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A data-centre workload over a fat-tree of lossless switches.
//
// The hosts send each other flows whose sizes follow a published distribution and whose starts are
// Poisson arrivals. The table and the figures show the slowdown of the flows by their size.

#include "ns3/fat-tree-helper.h"
#include "ns3/input-error.h"
#include "ns3/lossless-study.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("fat-tree", "A data-centre workload over a fat-tree of lossless switches.");
    std::string shape = "k-ary";
    uint32_t k = 4;
    study.GetOptions().AddChoice(
        "shape",
        "k-ary, or mercury: 320 hosts, switches linked at 4 times the hosts' rate",
        shape,
        {"k-ary", "mercury"});
    study.GetOptions().AddCount("k", "Ports of each switch, even; k^3/4 hosts", k);
    study.AddLinkOptions(DataRate("100Gb/s"), MicroSeconds(1));
    study.AddWorkloadOptions("WebSearch", 0.5, MilliSeconds(10));

    study.SetTopology([&](LosslessFabric& fabric) {
        const DataRate rate = study.GetLinkRate();
        const Time delay = study.GetLinkDelay();
        FatTreeHelper tree;
        if (shape == "mercury")
        {
            if (study.GetOptions().IsGiven("k"))
            {
                throw InputError("--k", "it with --shape=mercury", "one of the two");
            }
            const DataRate fast(4 * rate.GetBitRate());
            tree = FatTreeHelper::Mercury();
            tree.SetEdgeLink(fast, delay);
            tree.SetCoreLink(fast, delay);
        }
        else
        {
            tree.SetArity(k);
            tree.SetEdgeLink(rate, delay);
            tree.SetCoreLink(rate, delay);
        }
        tree.SetHostLink(rate, delay);
        tree.Build(fabric);
    });
    return study.Main(argc, argv);
}

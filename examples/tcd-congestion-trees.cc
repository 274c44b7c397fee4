// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Two congestion trees: section 3.2.2 of TCD (SIGCOMM 2021).
//
// Roots are congested (1), leaves undetermined (/). Tree a disappears first, after about 1.5 ms.
//   isolated:   nothing in common. Leaf and root of a become non-congested (0), those of b later.
//               Leaves 0 / 0, roots 0 1 0.
//   overlapped: a leaf in common, which remains undetermined until tree b is gone, too; the other
//               leaf of a becomes non-congested when a is gone. Leaves 0 / 0, roots 0 1 0.
//   covered:    the root of b is a leaf of a, and emerges as congested when a is gone.
//               Root of b 0 / 1 0, its leaves 0 / until they have sent all, root of a 0 1 0.
// CongestionTreeHelper says which hosts and flows make them. No flow is controlled.

#include "ns3/congestion-tree-helper.h"
#include "ns3/lossless-study.h"
#include "ns3/pointer.h"
#include "ns3/rate-controller.h"

using namespace ns3;

namespace
{

/// @param name of a case @returns its network
CongestionTreeHelper
Trees(const std::string& name)
{
    return CongestionTreeHelper(name == "isolated"     ? CongestionTreeHelper::ISOLATED
                                : name == "overlapped" ? CongestionTreeHelper::OVERLAPPED
                                                       : CongestionTreeHelper::COVERED);
}

} // namespace

int
main(int argc, char* argv[])
{
    LosslessStudy study("tcd-congestion-trees",
                        "Two congestion trees of which one disappears first: section 3.2.2 of TCD "
                        "(SIGCOMM 2021). Nothing but the scheme's detector is used.");
    std::string trees = "isolated";
    study.GetOptions().AddChoice("case",
                                 "isolated: nothing in common; overlapped: a leaf in common; "
                                 "covered: the root of one is a leaf of the other",
                                 trees,
                                 {"isolated", "overlapped", "covered"});
    study.SetDefaultScheme("dcqcn+tcd");
    study.OmitLoad();
    study.SetDefaultThreshold(320000, 318000);
    study.SetDefaultSample(MicroSeconds(5), "all");

    study.SetTopology([&](LosslessFabric& fabric) {
        const CongestionTreeHelper helper = Trees(trees);
        for (const CongestionTreeHelper::Port& port : helper.GetPorts())
        {
            study.NamePort(port.name, port.node, port.peer);
        }
        helper.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric&) { return Trees(trees).GetFlows(); });
    study.SetPreparation([](LosslessFabric& fabric) {
        for (const auto& hw : fabric.GetRdmaEngines())
        {
            hw->SetAttribute("RateController", PointerValue(CreateObject<RateController>()));
        }
    });
    return study.Main(argc, argv);
}

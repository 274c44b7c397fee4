// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Victims of congestion spreading: section 5.1.3 of TCD (Zhang et al., SIGCOMM 2021).
//
// The unit of figure 2 with links of 20 Gb/s from S0 and S1 to T0, all others 40 Gb/s, every link
// 4 us; S2 is idle. S0 sends to R0, S1 and A0..A14 send to R1. The hosts A send at the same times,
// so that their bursts congest P3 and its pauses spread to P2 and P0. What S0 and S1 send together
// never exceeds P0, P2 or the link to R0: the flows of S0 (host 0) only suffer from pauses, and
// every one that is marked CE is a victim taken for a culprit.
//
// The paper does not give loads. Here S0 and S1 offer --load of their links, each at Poisson times,
// and the hosts A send at Poisson times with a mean of --burst-interval. The defaults are the 60 %
// that the paper uses with the same workload in its fat-tree: of the links of S0 and S1, and, by
// the hosts A, of the link to R1. Bursts of 250 KB, which the paper calls medium, overload it.

#include "ns3/arrival-process.h"
#include "ns3/bundled-files.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/lossless-study.h"
#include "ns3/tcd-unit-helper.h"

#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("tcd-victims",
                        "Flows that only suffer from congestion spreading, and how they are marked "
                        "(TCD, SIGCOMM 2021, section 5.1.3).");
    const BundledFiles workloads("workloads", ".cdf");
    std::string workload = "Hadoop";
    double load = 0.6;
    Time interval = MicroSeconds(600);
    uint64_t burstBytes = 0;
    Time duration = MilliSeconds(100);
    DataRate sourceRate("20Gb/s");
    study.GetOptions().AddText("workload",
                               "Flow sizes: " + workloads.GetList() +
                                   ", or a file of lines 'size_bytes probability'",
                               workload);
    study.GetOptions().AddFraction("load", "Payload that S0 and S1 offer, of their links", load);
    study.GetOptions().AddTime("burst-interval",
                               "Mean time from one round of the hosts A to the next",
                               interval);
    study.GetOptions().AddBytes("burst-bytes",
                                "Size of each flow of the hosts A [B]; 0 for that of the workload",
                                burstBytes);
    study.GetOptions().AddTime("duration", "Length of the arrivals", duration);
    study.GetOptions().AddRate("source-rate", "Line rate of S0 - T0 and S1 - T0", sourceRate);
    study.AddLinkOptions(DataRate("40Gb/s"), MicroSeconds(4));
    study.SetDefaultScheme("dcqcn:tcd21");
    study.SetDefaultThreshold(320000, 318000);

    TcdUnitHelper unit;
    study.SetTopology([&](LosslessFabric& fabric) {
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.SetSourceRate(sourceRate);
        unit.SetSecondBranch(false);
        unit.Build(fabric);
    });
    for (const TcdUnitHelper::Port& port : TcdUnitHelper().GetPorts())
    {
        if (port.name != "P1")
        {
            study.NamePort(port.name, port.node, port.peer);
        }
    }

    study.SetTraffic([&](const LosslessFabric& fabric) {
        const auto sizes = FlowSizeDistribution::FromFile(workloads.Find("--workload", workload));
        // Each source draws from streams of its own: another load or burst keeps the others.
        int64_t stream = 1;
        const auto send = [&](const std::vector<uint32_t>& senders,
                              const std::string& receiver,
                              double intervalNs,
                              const FlowSizeDistribution& distribution) {
            SynchronousTraffic traffic;
            traffic.senders = senders;
            traffic.receiver = TcdUnitHelper::GetHost(fabric, receiver);
            traffic.intervalNs = intervalNs;
            traffic.durationNs = duration.GetNanoSeconds();
            ArrivalProcess arrivals;
            stream += arrivals.AssignStreams(stream);
            return arrivals.Synchronous(traffic, distribution);
        };
        const double bytesPerNs = load * static_cast<double>(sourceRate.GetBitRate()) / 8e9;
        std::vector<uint32_t> bursts;
        for (uint32_t a = 0; a < 15; a++)
        {
            bursts.push_back(TcdUnitHelper::GetHost(fabric, "A" + std::to_string(a)));
        }
        const auto burstSizes = burstBytes > 0 ? FlowSizeDistribution::FromSize(burstBytes) : sizes;
        const auto victims =
            send({TcdUnitHelper::GetHost(fabric, "S0")}, "R0", sizes.Mean() / bytesPerNs, sizes);
        const auto culprits =
            send({TcdUnitHelper::GetHost(fabric, "S1")}, "R1", sizes.Mean() / bytesPerNs, sizes);
        const auto rounds =
            send(bursts, "R1", static_cast<double>(interval.GetNanoSeconds()), burstSizes);
        return ArrivalProcess::Merge({victims, culprits, rounds});
    });
    return study.Main(argc, argv);
}

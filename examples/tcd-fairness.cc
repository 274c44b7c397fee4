// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Are undetermined flows treated alike? Figure 20 of TCD (SIGCOMM 2021).
//
// The network of figure 2, with four more hosts, B0 to B3, on L0. F1, from S1 to R1, sends when
// A0 to A14 begin to send bursts to R1 for about 3 ms, and B0 to B3 one long-lived flow each to R0.
// While the congestion of P3 spreads to P2, the B flows are undetermined. When it is gone, P2 is
// congested by F1 and them, and each should come to a fifth of its 40 Gb/s.

#include "ns3/data-rate.h"
#include "ns3/lossless-study.h"
#include "ns3/tcd-unit-helper.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("tcd-fairness",
                        "Shares of four flows through an undetermined port: figure 20 of TCD "
                        "(SIGCOMM 2021). Flow 0 is F1, flows 1 to 4 are those of B0 to B3, the "
                        "others are the bursts. The first five do not end before the run does.");
    Time burstStart = MilliSeconds(1);
    uint32_t messages = 15;
    std::string bursts = "at-once";
    uint64_t burstBytes = 64000;
    uint32_t hosts = 4;
    StudyOptions& options = study.GetOptions();
    options.AddTime("burst-start", "When the bursts and the B flows start", burstStart);
    options.AddCount("messages",
                     "Messages that each host A sends; 15 take about 3 ms",
                     messages,
                     1);
    options.AddChoice("bursts",
                      "at-once: a host A begins all its messages together; in-turn: each when the "
                      "one before has completed",
                      bursts,
                      {"at-once", "in-turn"});
    options.AddBytes("burst-bytes", "Size of each message [B]", burstBytes, 1);
    options.AddCount("senders", "Hosts B", hosts, 1);
    study.AddLinkOptions(DataRate("40Gb/s"), MicroSeconds(4));
    study.SetDefaultScheme("dcqcn+tcd");
    study.OmitLoad();
    study.SetDefaultThreshold(320000, 318000);
    study.SetDefaultStop(MilliSeconds(30));
    study.SetDefaultSample(MicroSeconds(20), "all");

    TcdUnitHelper unit;
    for (const TcdUnitHelper::Port& port : unit.GetPorts())
    {
        study.NamePort(port.name, port.node, port.peer);
    }
    study.SetTopology([&](LosslessFabric& fabric) {
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.SetLeafHosts(hosts);
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        const auto longLived = static_cast<uint64_t>(study.GetLinkRate() * study.GetStop() / 8);
        std::vector<FlowSpec> flows;
        TcdUnitHelper::AddFlow(fabric, "S1", "R1", longLived, Time(0), flows);
        for (uint32_t host = 0; host < hosts; host++)
        {
            const std::string name = "B" + std::to_string(host);
            TcdUnitHelper::AddFlow(fabric, name, "R0", longLived, burstStart, flows);
        }
        unit.AddBursts(fabric, burstBytes, messages, bursts == "in-turn", burstStart, flows);
        return flows;
    });
    return study.Main(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A victim of congestion spreading: figures 3 and 9 of Mercury (He et al., 2024).
//
// The chain of figure 2 with links of 20 Gb/s from H1 and H2 to S1, all others 40 Gb/s, every link
// 4 us. F1, from H1 to R1, and F2, from H2 to R2, send without end. 3 ms later B1 to B8 send bursts
// to R2 for about 500 us: port P3 is congested, and its pauses spread to P2 and P1. F1 and F2
// together never exceed P1 or P2, so F1 only suffers from the pauses.
//
// One message of 50 KB of each host B takes P3 80 us. That the bursts last for 500 us is read as 6
// messages of each, which take it 480 us and F2's share longer: all at once, so that no controller
// stops them, or each when the one before has completed.

#include "ns3/data-rate.h"
#include "ns3/lossless-study.h"
#include "ns3/mercury-unit-helper.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("mercury-victim",
                        "A flow that only suffers from congestion spreading: figures 3 and 9 of "
                        "Mercury (2024). Flow 0 is F1, the victim, flow 1 is F2, the others are "
                        "the bursts. The first two do not end before the run does.");
    Time burstStart = MilliSeconds(3);
    uint32_t messages = 6;
    std::string bursts = "at-once";
    uint64_t burstBytes = 50000;
    DataRate senderRate("20Gb/s");
    StudyOptions& options = study.GetOptions();
    options.AddTime("burst-start", "When the bursts start", burstStart);
    options.AddCount("messages",
                     "Messages that each host B sends; 6 take about 500 us",
                     messages,
                     1);
    options.AddChoice("bursts",
                      "at-once: a host B begins all its messages together; in-turn: each when the "
                      "one before has completed",
                      bursts,
                      {"at-once", "in-turn"});
    options.AddBytes("burst-bytes", "Size of each message [B]", burstBytes, 1);
    options.AddRate("sender-rate", "Line rate of H1 - S1 and H2 - S1", senderRate);
    study.AddLinkOptions(DataRate("40Gb/s"), MicroSeconds(4));
    study.SetDefaultScheme("mercury");
    study.SetDefaultThreshold(320000, 318000);
    study.SetDefaultStop(MilliSeconds(6));
    study.SetDefaultSample(MicroSeconds(2), "H1,H2,S1,S2,S3");

    MercuryUnitHelper unit;
    for (const MercuryUnitHelper::Port& port : MercuryUnitHelper::GetPorts())
    {
        study.NamePort(port.name, port.node, port.peer);
    }
    study.SetTopology([&](LosslessFabric& fabric) {
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.SetSenderRate(senderRate);
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        const auto longLived = static_cast<uint64_t>(senderRate * study.GetStop() / 8);
        std::vector<FlowSpec> flows;
        MercuryUnitHelper::AddFlow(fabric, "H1", "R1", longLived, Time(0), flows);
        MercuryUnitHelper::AddFlow(fabric, "H2", "R2", longLived, Time(0), flows);
        unit.AddBursts(fabric, burstBytes, messages, bursts == "in-turn", burstStart, flows);
        return flows;
    });
    return study.Main(argc, argv);
}

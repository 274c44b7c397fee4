// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A burst beside a long flow at the first switch: figure 4 of Mercury (He et al., 2024).
//
// The chain of figure 2 with nine hosts on S1 and none on S3 but the receivers, every link 40 Gb/s
// and 4 us. H1 sends to R1 without end. After 600 us H2 to H9 send 120 KB each to R1: less than
// what the path holds, so that all of it is on its way before any signal can return. Port P1, from
// S1 to S2, is congested.

#include "ns3/data-rate.h"
#include "ns3/lossless-study.h"
#include "ns3/mercury-unit-helper.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("mercury-incast",
                        "A burst beside a long flow at the first switch: figure 4 of Mercury "
                        "(2024). Flow 0 is the long one, which does not end before the run does, "
                        "the others are the burst.");
    Time burstStart = MicroSeconds(600);
    uint64_t burstBytes = 120000;
    uint32_t senders = 8;
    StudyOptions& options = study.GetOptions();
    options.AddTime("burst-start", "When the burst starts", burstStart);
    options.AddBytes("burst-bytes", "Size of each flow of the burst [B]", burstBytes, 1);
    options.AddCount("senders", "Hosts that send the burst", senders, 1);
    study.AddLinkOptions(DataRate("40Gb/s"), MicroSeconds(4));
    study.SetDefaultScheme("mercury");
    study.SetDefaultThreshold(320000, 318000);
    study.SetDefaultStop(MilliSeconds(3));
    study.SetDefaultSample(MicroSeconds(1), "H1,S1");

    study.NamePort("P1", "S1", "S2");
    study.SetTopology([&](LosslessFabric& fabric) {
        MercuryUnitHelper unit;
        unit.SetSenders(senders + 1);
        unit.SetBurstHosts(0);
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        const auto longLived = static_cast<uint64_t>(study.GetLinkRate() * study.GetStop() / 8);
        std::vector<FlowSpec> flows;
        MercuryUnitHelper::AddFlow(fabric, "H1", "R1", longLived, Time(0), flows);
        for (uint32_t host = 2; host < senders + 2; host++)
        {
            const std::string name = "H" + std::to_string(host);
            MercuryUnitHelper::AddFlow(fabric, name, "R1", burstBytes, burstStart, flows);
        }
        return flows;
    });
    return study.Main(argc, argv);
}

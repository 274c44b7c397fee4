// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// One congestion point, or two: figures 3, 4, 12 and 13 of TCD (SIGCOMM 2021).
//
// F1, from S1 to R1, has the network of figure 2 to itself and sends at 40 Gb/s. Then A0 to A14
// send bursts to R1 for about 3 ms: port P3 is congested, and the congestion spreads to P2, P1 and
// P0. When F1 has slowed down, F0 and F2, from S0 and S2 to R0, begin to send at a constant rate:
// 5 Gb/s each, so that P3 remains the only congestion point, or 25 Gb/s each, so that P2 is
// another.
//
// The paper does not say how bursts of 64 KB last for 3 ms. 15 messages of each host A are 14.4 MB,
// which take P3 2.9 ms. If they begin at once, no controller stops them and P3 pauses P2 for 2 ms;
// if they come in turn, their 0.96 MB under way pause P2 for 0.5 ms, against the paper's 1.6 ms.
// Detectors are compared with sources that are the same: DCQCN's alpha starts at 0.5 with each of
// them. (With TCD's 1.2, of section 5.2.1, F1 slows down before any port is paused.)
// F0 and F2 start when F1 has come below 15 Gb/s under DCQCN, 0.2 ms after the bursts.

#include "ns3/data-rate.h"
#include "ns3/lossless-study.h"
#include "ns3/tcd-unit-helper.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study(
        "tcd-congestion-points",
        "One congestion point, or two: figures 3, 4, 12 and 13 of TCD (SIGCOMM "
        "2021). Flow 0 is F1, flow 1 is F0, flow 2 is F2, the others are the "
        "bursts. The first three do not end before the run does. DCQCN's initial alpha is "
        "0.5 with every scheme unless --ns3::Dcqcn::InitialAlpha says otherwise.");
    std::string points = "single";
    Time burstStart = MilliSeconds(1);
    uint32_t messages = 15;
    std::string bursts = "at-once";
    uint64_t burstBytes = 64000;
    Time othersStart = MicroSeconds(200);
    StudyOptions& options = study.GetOptions();
    options.AddChoice("case",
                      "single: F0 and F2 send at 5 Gb/s, P3 is the only congestion point; "
                      "multiple: at 25 Gb/s, P2 is another",
                      points,
                      {"single", "multiple"});
    options.AddTime("burst-start", "When the bursts start", burstStart);
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
    options.AddTime("others-start", "When F0 and F2 start, after the bursts", othersStart, true);
    study.AddLinkOptions(DataRate("40Gb/s"), MicroSeconds(4));
    study.SetDefaultScheme("dcqcn:tcd21");
    study.SetDefaultAttribute("ns3::Dcqcn", "InitialAlpha", "0.5");
    study.OmitLoad();
    study.SetDefaultThreshold(320000, 318000);
    study.SetDefaultStop(MilliSeconds(7));
    study.SetDefaultSample(MicroSeconds(2), "T0,T1,L0,T2");

    TcdUnitHelper unit;
    for (const TcdUnitHelper::Port& port : unit.GetPorts())
    {
        study.NamePort(port.name, port.node, port.peer);
    }
    study.SetTopology([&](LosslessFabric& fabric) {
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        const auto longLived = static_cast<uint64_t>(study.GetLinkRate() * study.GetStop() / 8);
        std::vector<FlowSpec> flows;
        TcdUnitHelper::AddFlow(fabric, "S1", "R1", longLived, Time(0), flows);
        TcdUnitHelper::AddFlow(fabric, "S0", "R0", longLived, burstStart + othersStart, flows);
        TcdUnitHelper::AddFlow(fabric, "S2", "R0", longLived, burstStart + othersStart, flows);
        unit.AddBursts(fabric, burstBytes, messages, bursts == "in-turn", burstStart, flows);
        return flows;
    });
    study.SetPreparation([&](LosslessFabric& fabric) {
        const DataRate rate(points == "single" ? "5Gb/s" : "25Gb/s");
        for (const char* host : {"S0", "S2"})
        {
            TcdUnitHelper::SetConstantRate(fabric, host, rate);
        }
    });
    return study.Main(argc, argv);
}

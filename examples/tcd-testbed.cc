// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// TCD on a testbed: section 5.1.1 and figure 11 of TCD (SIGCOMM 2021).
//
// The compact form of figure 2 at 10 Gb/s: S0 and S1 on T0; R0, R1 and A0 on T2. F0, from S0 to
// R0, sends at 1 Gb/s, F1, from S1 to R1, at 8 Gb/s. Then A0 sends to R1 at line rate for a time:
// the port of R1 is congested, and P0, from T0 to T2, is undetermined. No flow is controlled.
//
// F0 and F1 are sequences of messages that take as long as the paper's bins of 100 ms: flows.csv
// says how many packets of each arrived marked. The testbed's response time tau, about 20 us, is
// made of two frames of 1000 B (1.6 us) and two propagation delays of 9.2 us.

#include "ns3/arrival-process.h"
#include "ns3/data-rate.h"
#include "ns3/input-error.h"
#include "ns3/lossless-study.h"
#include "ns3/tcd-unit-helper.h"

#include <algorithm>

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study(
        "tcd-testbed",
        "Marks of two flows through an undetermined port: figure 11 of TCD (SIGCOMM "
        "2021). The flows from host 0 to host 2 are F0, those from host 1 to host 3 "
        "are F1, one for each bin.");
    Time burstStart = Seconds(1);
    Time burstDuration = MilliSeconds(500);
    Time duration = Seconds(3);
    Time bin = MilliSeconds(100);
    DataRate f0("1Gb/s");
    DataRate f1("8Gb/s");
    StudyOptions& options = study.GetOptions();
    options.AddTime("burst-start", "When A0 starts", burstStart);
    options.AddTime("burst-duration",
                    "How long A0 would send if it were alone; next to F1 it takes twice as long",
                    burstDuration);
    options.AddTime("duration", "How long F0 and F1 send", duration);
    options.AddTime("bin", "Time of one message of F0 and F1", bin);
    options.AddRate("f0-rate", "Rate of F0", f0);
    options.AddRate("f1-rate", "Rate of F1", f1);
    study.AddLinkOptions(DataRate("10Gb/s"), NanoSeconds(9200));
    study.SetDefaultScheme("dcqcn+tcd");
    study.SetDefaultAttribute("ns3::TcdDetector", "Epsilon", "0.04");
    study.OmitLoad();
    study.SetDefaultThreshold(800000, 770000);

    TcdUnitHelper unit;
    unit.SetCompact();
    for (const TcdUnitHelper::Port& port : unit.GetPorts())
    {
        study.NamePort(port.name, port.node, port.peer);
    }
    study.SetTopology([&](LosslessFabric& fabric) {
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        const double count = duration.GetDouble() / bin.GetDouble() + 0.5;
        ArrivalProcess::CheckNumber("--bin", "its number within --duration", count);
        const auto bins = static_cast<uint32_t>(count);
        const auto bytes = [](DataRate rate, Time time) {
            return std::max<uint64_t>(1, static_cast<uint64_t>(rate * time / 8 + 0.5));
        };
        if (bins == 0)
        {
            throw InputError("--duration", "less than a --bin", "at least one");
        }
        std::vector<FlowSpec> flows;
        TcdUnitHelper::AddClosedLoop(fabric, "S0", "R0", bytes(f0, bin), bins, Time(0), flows);
        TcdUnitHelper::AddClosedLoop(fabric, "S1", "R1", bytes(f1, bin), bins, Time(0), flows);
        const uint64_t burst = bytes(study.GetLinkRate(), burstDuration);
        TcdUnitHelper::AddFlow(fabric, "A0", "R1", burst, burstStart, flows);
        return flows;
    });
    study.SetPreparation([&](LosslessFabric& fabric) {
        TcdUnitHelper::SetConstantRate(fabric, "S0", f0);
        TcdUnitHelper::SetConstantRate(fabric, "S1", f1);
        TcdUnitHelper::SetConstantRate(fabric, "A0", study.GetLinkRate());
    });
    return study.Main(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Congestion that spreads over input-buffered switches, and markings against it: figures 1 to 4 of
// Santos, Turner and Janakiraman, "Evaluation of Congestion Detection Mechanisms for InfiniBand
// Switches", GLOBECOM 2002.
//
// Local and remote flows send to B_C over the root link, the victim shares the inter-switch link
// with the remote ones. Local flows start first, one each 100 us, then the remote ones; the victim
// is there from 40 ms on.
//
// A packet is 2068 B as in the paper, by a payload of 2042 B and 26 B of headers where the paper
// has 2048 and 20; an acknowledgement is 30 B, not 20, and has a virtual lane of its own. The paper
// says nothing of propagation delays: there are none. Its victim ceases at 60 ms; here it has 20 ms
// of line rate to send, and takes as long as it needs. Results are of these 20 ms.
//
// Without congestion control the paper's window is one packet, too: scheme none has sources with a
// source response, LIPD, which without marks stays at line rate.

#include "ns3/data-rate.h"
#include "ns3/input-error.h"
#include "ns3/lipd.h"
#include "ns3/lossless-study.h"
#include "ns3/marking-unit-helper.h"
#include "ns3/pointer.h"
#include "ns3/port-shares.h"

#include <memory>

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("marking-spreading",
                        "Congestion that spreads over input-buffered switches, and markings "
                        "against it: figures 1 to 4 of Santos et al. (GLOBECOM 2002). The first "
                        "flows are the local ones, then come the remote ones and the victim.");
    uint32_t packets = 4;
    uint32_t flowsPerSide = 10;
    Time interval = MicroSeconds(100);
    Time victimStart = MilliSeconds(40);
    Time victimTime = MilliSeconds(20);
    StudyOptions& options = study.GetOptions();
    options.AddCount("buffer-packets", "Packets that an input has room for", packets, 1, 500);
    options.AddCount("flows-per-side", "Local flows, and remote ones", flowsPerSide, 1, 1000);
    options.AddTime("interval", "Between the starts of two flows", interval);
    options.AddTime("victim-start", "When the victim starts, and the results begin", victimStart);
    options.AddTime("victim-time",
                    "Line rate that the victim has to send, and the length of what results are of",
                    victimTime);
    study.AddLinkOptions(DataRate("8Gb/s"), Time(0));
    study.SetDefaultLink("infiniband");
    study.SetDefaultMtu(2042);
    study.SetDefaultScheme("none,naive+lipd,input+lipd,input-output+lipd");
    study.OmitLoad();
    study.SetDefaultStop(MilliSeconds(100));
    study.SetDefaultSample(MicroSeconds(20), "A,B");

    for (const MarkingUnitHelper::Port& port : MarkingUnitHelper::GetPorts())
    {
        study.NamePort(port.name, port.node, port.peer);
    }
    study.SetTopology([&](LosslessFabric& fabric) {
        if (fabric.GetLink().name != "infiniband")
        {
            throw InputError("--link", fabric.GetLink().name, "infiniband, for buffers at inputs");
        }
        MarkingUnitHelper::SetBuffers(packets, study.GetMtu(), fabric);
        MarkingUnitHelper unit;
        unit.SetFlowsPerSide(flowsPerSide);
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        unit.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric& fabric) {
        MarkingUnitHelper unit;
        unit.SetFlowsPerSide(flowsPerSide);
        unit.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        std::vector<FlowSpec> flows;
        unit.AddFlows(fabric, interval, study.GetStop(), victimStart, victimTime, flows);
        return flows;
    });
    std::unique_ptr<PortShares> root;
    std::unique_ptr<PortShares> interSwitch;
    study.SetPreparation([&](LosslessFabric& fabric) {
        if (fabric.GetScheme().controller == "ns3::RateController")
        {
            for (const auto& engine : fabric.GetRdmaEngines())
            {
                engine->SetAttribute("RateController", PointerValue(CreateObject<Lipd>()));
            }
        }
        const auto watch = [&](const char* node, const char* peer) {
            const auto port =
                fabric.GetPortsBetween(fabric.GetIndex(node), fabric.GetIndex(peer)).at(0);
            return std::make_unique<PortShares>(port, victimStart, victimStart + victimTime);
        };
        root = watch("B", "B_C");
        interSwitch = watch("A", "B");
    });
    study.SetShares([&] {
        const uint32_t n = flowsPerSide;
        return std::vector<RunSummary::Share>{{"root", root->Get(0, 2 * n)},
                                              {"local", root->Get(0, n)},
                                              {"remote", root->Get(n, n)},
                                              {"inter-switch", interSwitch->Get(n, n + 1)},
                                              {"victim", interSwitch->Get(2 * n, 1)}};
    });
    return study.Main(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Two senders, one receiver, one switch. Together the senders bring twice what the receiver's link
// takes; the switch pauses them (PFC) instead of dropping frames.
// In an ns-3 tree that has the module: copy to scratch/, then ./ns3 run scratch/first-lossless

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

void // The far end has paused a sender's port, or lets it send again.
GateChanged(std::string sender, uint8_t priority, bool off)
{
    std::cout << Simulator::Now().As(Time::US) << "  " << sender << ", priority " << +priority
              << (off ? ": paused\n" : ": resumed\n");
}

void // All bytes of a flow have been acknowledged.
FlowCompleted(const RdmaCompletion& done)
{
    std::cout << Simulator::Now().As(Time::US) << "  flow " << done.flow << ": " << done.bytes
              << " B in " << (done.end - done.start).As(Time::US) << "\n";
}

int
main(int argc, char* argv[])
{
    uint64_t bytes = 1000000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("bytes", "size of each flow [B]", bytes);
    cmd.Parse(argc, argv);

    LosslessFabric fabric;
    const uint32_t hub = fabric.AddSwitch("switch");
    for (std::string name : {"sender0", "sender1", "receiver"}) // hosts 0, 1 and 2
    {
        fabric.AddLink(fabric.AddHost(name), hub, DataRate("100Gb/s"), MicroSeconds(1));
    }
    fabric.SetSwitchAttribute("Xoff", UintegerValue(100000)); // ask for a pause above this ...
    fabric.SetSwitchAttribute("Xon", UintegerValue(80000));   // ... until as little is left [B]
    fabric.SetScheme(FindScheme("none"));                     // no rate control: PFC alone
    fabric.Build();

    std::vector<FlowSpec> flows(2);
    for (uint32_t i = 0; i < 2; i++)
    {
        flows[i].id = flows[i].src = i;
        flows[i].dst = 2;
        flows[i].bytes = bytes;
        Ptr<RdmaHw> nic = fabric.GetRdma(i);
        nic->TraceConnectWithoutContext("MessageCompleted", MakeCallback(&FlowCompleted));
        nic->GetDevice()->TraceConnect("Gate", fabric.GetName(1 + i), MakeCallback(&GateChanged));
    }
    fabric.InstallFlows(flows);
    Simulator::Run();
    Simulator::Destroy();
}

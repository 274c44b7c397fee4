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
    StarHelper().Build(fabric); // hosts 0, 1 and 2 on a switch; links of 100 Gb/s and 1 us
    fabric.SetSwitchAttribute("Xoff", UintegerValue(100000)); // ask for a pause above this ...
    fabric.SetSwitchAttribute("Xon", UintegerValue(80000));   // ... until as little is left [B]
    fabric.SetScheme(FindScheme("none"));                     // no rate control: PFC alone
    fabric.Build();

    std::vector<FlowSpec> flows(2);
    for (uint32_t sender : {0, 1})
    {
        flows[sender].id = sender;
        flows[sender].src = sender;
        flows[sender].dst = 2;
        flows[sender].bytes = bytes;
        Ptr<RdmaHw> nic = fabric.GetRdma(sender);
        nic->TraceConnectWithoutContext("MessageCompleted", MakeCallback(&FlowCompleted));
        const std::string name = "host " + std::to_string(sender);
        nic->GetDevice()->TraceConnect("Gate", name, MakeCallback(&GateChanged));
    }
    fabric.InstallFlows(flows);
    Simulator::Run();
    Simulator::Destroy();
}

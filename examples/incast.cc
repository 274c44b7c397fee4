// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Many hosts send to one through one switch, all at the same time.
//
// The switch's buffer fills, and PFC pauses the senders until the receiver's link has taken what
// is there: nothing is lost.

#include "ns3/arrival-process.h"
#include "ns3/lossless-study.h"
#include "ns3/star-helper.h"

#include <numeric>

using namespace ns3;

int
main(int argc, char* argv[])
{
    LosslessStudy study("incast", "Many hosts send to one at the same time.");
    uint32_t senders = 16;
    uint64_t bytes = 1000000;
    uint32_t bursts = 1;
    Time interval = MilliSeconds(2);
    study.GetOptions().AddCount("senders", "Hosts that send", senders, 1);
    study.GetOptions().AddBytes("bytes", "Size of each flow [B]", bytes, 1);
    study.GetOptions().AddCount("bursts", "How often all of them send a flow", bursts, 1);
    study.GetOptions().AddTime("interval", "From one burst to the next", interval);
    study.AddLinkOptions(DataRate("100Gb/s"), MicroSeconds(1));

    study.SetTopology([&](LosslessFabric& fabric) {
        StarHelper star;
        star.SetHosts(senders + 1);
        star.SetLink(study.GetLinkRate(), study.GetLinkDelay());
        star.Build(fabric);
    });
    study.SetTraffic([&](const LosslessFabric&) {
        IncastTraffic incast;
        incast.receiver = senders; // the last host
        incast.senders.resize(senders);
        std::iota(incast.senders.begin(), incast.senders.end(), 0);
        incast.bytes = bytes;
        incast.bursts = bursts;
        incast.intervalNs = interval.GetNanoSeconds();
        return ArrivalProcess::Incast(incast);
    });
    return study.Main(argc, argv);
}

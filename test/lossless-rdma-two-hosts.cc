// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-rdma-two-hosts.h"

#include "ns3/pointer.h"

namespace ns3
{
namespace losslesstest
{

int64_t
Ceil(int64_t ps)
{
    return (ps + 999) / 1000;
}

TwoHosts::TwoHosts(const std::vector<FlowSpec>& flows,
                   Ptr<RateController> controller,
                   const std::function<void(LosslessFabric&)>& prepare)
{
    AddChain(fabric, {"100Gbps"}, MicroSeconds(1));
    if (controller)
    {
        fabric.SetScheme(SchemeOf(fabric, controller));
    }
    if (prepare)
    {
        prepare(fabric);
    }
    fabric.Build();
    fabric.InstallFlows(flows);
    messages = std::make_unique<CompletionRecorder>(fabric);
    for (uint32_t h = 0; h < 2; h++)
    {
        port[h] = std::make_unique<PortRecorder>(fabric.GetRdma(h)->GetDevice());
    }
}

void
TwoHosts::Lose(uint32_t host, const std::set<uint32_t>& places, bool data)
{
    Ptr<ListedFrameErrorModel> errors = CreateObject<ListedFrameErrorModel>();
    errors->places = places;
    // Without FCS an ACK has 62 B, a full data frame 1058 B.
    (data ? errors->minimumBytes : errors->maximumBytes) = 100;
    fabric.GetRdma(host)->GetDevice()->SetAttribute("ReceiveErrorModel", PointerValue(errors));
}

std::vector<int64_t>
TwoHosts::Starts() const
{
    std::vector<int64_t> starts;
    for (const auto& entry : port[1]->Of(PortRecorder::RECEIVED, FrameKind::DATA))
    {
        starts.push_back(entry.readyPs - ONE_WAY_PS);
    }
    return starts;
}

} // namespace losslesstest
} // namespace ns3

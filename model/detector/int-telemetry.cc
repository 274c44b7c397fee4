// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "int-telemetry.h"

#include "ns3/input-error.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IntTelemetry);

TypeId
IntTelemetry::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IntTelemetry")
                            .SetParent<CongestionDetector>()
                            .SetGroupName("Lossless")
                            .AddConstructor<IntTelemetry>();
    return tid;
}

void
IntTelemetry::OnDequeue(Frame& frame, const QueueState& queue, Time now)
{
    if (frame.kind == FrameKind::DATA && frame.telemetry)
    {
        IntHop port;
        port.rateBps = Context().rateBps;
        port.timeNs = now.GetNanoSeconds();
        port.txBytes = m_txBytes;
        port.queueBytes = queue.bytes;
        if (!frame.telemetry->Push(port))
        {
            throw InputError("ns3::IntTelemetry at switch " + std::to_string(Context().node),
                             "a frame with " + std::to_string(IntBlock::MAX_HOPS) +
                                 " hops in its INT block",
                             "paths of at most as many switches");
        }
    }
    m_txBytes += frame.bytes + Context().overheadBytes;
}

} // namespace ns3

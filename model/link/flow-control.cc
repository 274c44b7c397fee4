// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "flow-control.h"

#include "lossless-net-device.h"

#include "ns3/abort.h"

namespace ns3
{

FlowControl::FlowControl() = default;
FlowControl::~FlowControl() = default;

void
FlowControl::SetPort(LosslessNetDevice* port)
{
    m_port = port;
}

void
FlowControl::LinkUp(uint32_t)
{
}

void
FlowControl::Dispose()
{
}

void
FlowControl::Hold(uint8_t, bool)
{
}

void
FlowControl::ControlArrived(const Frame&)
{
}

void
FlowControl::FrameArrived(uint8_t, uint32_t)
{
}

FramePtr
FlowControl::MakeControl(int64_t)
{
    NS_ABORT_MSG("a flow control that asks to send control frames must make them");
    return nullptr;
}

Time
FlowControl::GetReactionDelay() const
{
    return Time(0);
}

void
FlowControl::Turn(uint8_t lane, bool off)
{
    m_port->TurnLane(lane, off);
}

void
FlowControl::Wake(int64_t nowPs)
{
    m_port->TryTransmit(nowPs);
}

void
FlowControl::RequestControl()
{
    m_port->m_controlWanted = true;
}

void
FlowControl::Meter(LaneSet lanes, uint32_t blockBytes)
{
    NS_ABORT_MSG_IF(blockBytes == 0 || (blockBytes & (blockBytes - 1)),
                    "blocks of " << blockBytes << " B, expected a power of two");
    m_blockBytes = blockBytes;
    m_blockShift = 0;
    while (blockBytes >> (m_blockShift + 1))
    {
        m_blockShift++;
    }
    m_port->m_metered = lanes;
}

bool
FlowControl::Grant(uint8_t lane, uint64_t blocks)
{
    NS_ABORT_MSG_IF(blocks < m_limit[lane], "lane " << +lane << " may send less than before");
    m_limit[lane] = blocks;
    if (m_lacking[lane] == 0 || !HasRoom(lane, m_lacking[lane]))
    {
        return false;
    }
    // What came to wait behind a source's frame may be larger: what waits in the queue of a lane
    // that is ON has room.
    const Frame* head = m_port->GetFrames(lane).Head();
    m_lacking[lane] = head && !HasRoom(lane, head->bytes) ? head->bytes : 0;
    if (m_lacking[lane] > 0)
    {
        return false;
    }
    Turn(lane, false);
    return true;
}

void
FlowControl::Lack(uint8_t lane, uint32_t bytes)
{
    m_lacking[lane] = bytes;
    Turn(lane, true);
}

} // namespace ns3

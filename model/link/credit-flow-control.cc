// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "credit-flow-control.h"

#include "lossless-net-device.h"

#include "ns3/abort.h"
#include "ns3/infiniband-format.h"
#include "ns3/link-time.h"

#include <algorithm>

namespace ns3
{

CreditFlowControl::CreditFlowControl()
    : m_updateEvent(this)
{
}

CreditFlowControl::~CreditFlowControl() = default;

void
CreditFlowControl::Configure(uint32_t bits, Time period, bool opportunistic)
{
    m_counter = CreditCounter(bits);
    m_period = period;
    m_opportunistic = opportunistic;
}

void
CreditFlowControl::SetBufferBytes(uint64_t bytes)
{
    m_bufferBytes = bytes;
}

uint64_t
CreditFlowControl::GetBufferBytes() const
{
    return m_bufferBytes;
}

void
CreditFlowControl::KeepFrames()
{
    m_keepFrames = true;
}

uint64_t
CreditFlowControl::GetUsedBytes(uint8_t lane) const
{
    return uint64_t(m_receivers.at(lane).GetOccupied()) * CREDIT_BLOCK_BYTES;
}

Time
CreditFlowControl::GetPeriod() const
{
    return m_period;
}

void
CreditFlowControl::LinkUp(uint32_t node)
{
    m_updateEvent.SetContext(node);
    if (m_period.IsZero())
    {
        constexpr uint64_t BITS = uint64_t(SYMBOL_TIMES) * SYMBOL_BITS;
        m_period = NanoSeconds(BITS * 1000000000 / Port().GetDataRate().GetBitRate());
    }
    m_periodPs = ToPs(m_period);
    m_blocks = static_cast<uint32_t>(m_bufferBytes / CREDIT_BLOCK_BYTES);
    m_receivers.fill(CreditReceiver(m_counter, m_blocks));
    Meter(DATA_LANES, CREDIT_BLOCK_BYTES);
    if (Ptr<LosslessNetDevice> peer = Port().GetPeer())
    {
        auto* far = dynamic_cast<CreditFlowControl*>(&peer->GetFlowControl());
        NS_ABORT_MSG_IF(!far, "a port with credits is linked to one without");
        Initialise(*far);
        far->Initialise(*this);
    }
}

void
CreditFlowControl::Initialise(const CreditFlowControl& peer)
{
    NS_ABORT_MSG_IF(m_counter.GetHalf() != peer.m_counter.GetHalf(),
                    "credit counters of different widths at the ends of a link");
    for (uint8_t lane = 0; lane < MANAGEMENT_LANE; lane++)
    {
        Grant(lane, m_counter.Unwrap(peer.m_receivers[lane].GetLimit(), GetSentBlocks(lane)));
    }
}

void
CreditFlowControl::Dispose()
{
    m_updateEvent.Disarm();
}

void
CreditFlowControl::Activate(uint8_t lane, int64_t nowPs)
{
    if (!m_active)
    {
        m_updateEvent.Arm(nowPs + m_periodPs, nowPs);
    }
    m_active |= 1 << lane;
}

void
CreditFlowControl::FrameArrived(uint8_t lane, uint32_t bytes)
{
    m_receivers[lane].Receive(CreditBlocks(bytes));
    if (!(m_active >> lane & 1))
    {
        Activate(lane, NowPs());
    }
    if (!m_keepFrames)
    {
        Free(lane, bytes, NowPs());
    }
}

void
CreditFlowControl::Free(uint8_t lane, uint32_t bytes, int64_t nowPs)
{
    m_receivers[lane].Free(CreditBlocks(bytes));
    if (m_opportunistic)
    {
        m_due |= 1 << lane;
        RequestControl();
        Port().Retry(nowPs);
    }
}

void
CreditFlowControl::Update(int64_t nowPs)
{
    m_updateEvent.Arm(nowPs + m_periodPs, nowPs);
    m_due |= m_active;
    RequestControl();
    Wake(nowPs);
}

FramePtr
CreditFlowControl::MakeControl(int64_t)
{
    uint8_t lane = 0;
    while (!(m_due >> lane & 1))
    {
        lane++;
    }
    m_due &= ~(1 << lane);
    if (m_due)
    {
        RequestControl();
    }
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::CREDITS;
    frame->bytes = CREDIT_UPDATE_BYTES;
    frame->priority = lane;
    CreditUpdate update;
    update.totalBlocksSent = m_counter.Wrap(GetSentBlocks(lane));
    update.creditLimit = m_receivers[lane].GetLimit();
    update.lane = lane;
    frame->credits = update;
    return frame;
}

void
CreditFlowControl::ControlArrived(const Frame& frame)
{
    const CreditUpdate& update = frame.credits;
    const int64_t nowPs = OnEventGrid(frame.readyPs);
    m_receivers[update.lane].Adjust(update.totalBlocksSent);
    if (!(m_active >> update.lane & 1))
    {
        Activate(update.lane, nowPs);
    }
    const uint64_t sent = GetSentBlocks(update.lane);
    if (Grant(update.lane, m_counter.Unwrap(update.creditLimit, sent)))
    {
        Wake(nowPs);
    }
}

} // namespace ns3

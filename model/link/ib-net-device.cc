// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ib-net-device.h"

#include "ns3/boolean.h"
#include "ns3/infiniband-encapsulation.h"
#include "ns3/link-time.h"
#include "ns3/uinteger.h"

#include <memory>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IbNetDevice);

TypeId
IbNetDevice::GetTypeId()
{
    static TypeId tid =
        AddPortAttributes(TypeId("ns3::IbNetDevice")
                              .SetParent<LosslessNetDevice>()
                              .SetGroupName("Lossless")
                              .AddConstructor<IbNetDevice>(),
                          0,
                          2044)
            .AddAttribute("BufferSize",
                          "Room for arriving packets of each data VL; what counters of CreditBits "
                          "cannot tell of it is not used [B]",
                          UintegerValue(280000),
                          MakeUintegerAccessor(&IbNetDevice::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>(CREDIT_BLOCK_BYTES, 1 << 30))
            .AddAttribute("CreditBits",
                          "Width of the credit counters, in blocks of 64 B; the specification's 12 "
                          "tell of at most 128 KiB",
                          UintegerValue(CreditCounter::DEFAULT_BITS),
                          MakeUintegerAccessor(&IbNetDevice::m_counterBits),
                          MakeUintegerChecker<uint32_t>(8, CreditCounter::MAXIMUM_BITS))
            .AddAttribute(
                "UpdatePeriod",
                "Between two flow-control packets of a VL (Tc); 0 for 65 536 symbol times, "
                "the specification's longest, of four lanes: 65.536 us at 32 Gb/s",
                TimeValue(Time(0)),
                MakeTimeAccessor(&IbNetDevice::m_period),
                MakeTimeChecker(Time(0), NanoSeconds(HORIZON_NS)))
            .AddAttribute("OpportunisticUpdates",
                          "Tell of room that was freed as soon as the line is free, too",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IbNetDevice::m_opportunistic),
                          MakeBooleanChecker());
    return tid;
}

IbNetDevice::IbNetDevice()
    : LosslessNetDevice(std::make_unique<CreditFlowControl>(), InfinibandEncapsulation::Get())
{
}

IbNetDevice::~IbNetDevice() = default;

void
IbNetDevice::NotifyConstructionCompleted()
{
    LosslessNetDevice::NotifyConstructionCompleted();
    GetCredits().SetBufferBytes(m_bufferBytes);
    GetCredits().Configure(m_counterBits, m_period, m_opportunistic);
}

CreditFlowControl&
IbNetDevice::GetCredits() const
{
    return static_cast<CreditFlowControl&>(GetFlowControl()); // the constructor's
}

} // namespace ns3

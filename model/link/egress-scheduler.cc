// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "egress-scheduler.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EgressScheduler);
NS_OBJECT_ENSURE_REGISTERED(DeficitRoundRobin);

TypeId
EgressScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EgressScheduler")
                            .SetParent<Object>()
                            .SetGroupName("Lossless")
                            .AddConstructor<EgressScheduler>();
    return tid;
}

ObjectFactory
EgressScheduler::GetFactory()
{
    ObjectFactory factory;
    factory.SetTypeId(GetTypeId());
    return factory;
}

Ptr<EgressScheduler>
EgressScheduler::Make(ObjectFactory factory)
{
    Ptr<EgressScheduler> scheduler = factory.Create<EgressScheduler>();
    NS_ABORT_MSG_IF(!scheduler,
                    "Scheduler: found class " << factory.GetTypeId().GetName()
                                              << ", expected an ns3::EgressScheduler");
    return scheduler;
}

uint8_t
EgressScheduler::Select(LaneSet ready)
{
    return Highest(ready);
}

void
EgressScheduler::Sent(uint8_t, uint32_t)
{
}

TypeId
DeficitRoundRobin::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DeficitRoundRobin")
                            .SetParent<EgressScheduler>()
                            .SetGroupName("Lossless")
                            .AddConstructor<DeficitRoundRobin>()
                            .AddAttribute("Quantum",
                                          "Bytes that a priority of weight 1 may send in one round",
                                          UintegerValue(1600),
                                          MakeUintegerAccessor(&DeficitRoundRobin::m_quantum),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("StrictFrom",
                                          "This priority and those above it are served first, "
                                          "highest first; a number above all lanes in use for none",
                                          UintegerValue(6),
                                          MakeUintegerAccessor(&DeficitRoundRobin::m_strictFrom),
                                          MakeUintegerChecker<uint8_t>(0, LANES));
    return tid;
}

DeficitRoundRobin::DeficitRoundRobin()
{
    m_weight.fill(1);
}

uint8_t
DeficitRoundRobin::Select(LaneSet ready)
{
    const LaneSet strict = ready >> m_strictFrom << m_strictFrom;
    if (strict)
    {
        return Highest(strict);
    }
    // A priority that ran empty loses its credit, as in DRR; one with debts keeps them.
    for (uint8_t p = 0; p < LANES; p++)
    {
        if (!(ready >> p & 1) && m_deficit[p] > 0)
        {
            m_deficit[p] = 0;
        }
    }
    while (!(ready >> m_current & 1) || m_deficit[m_current] <= 0)
    {
        m_current = (m_current + 1) % LANES;
        if (ready >> m_current & 1)
        {
            m_deficit[m_current] += static_cast<int64_t>(m_weight[m_current]) * m_quantum;
        }
    }
    return m_current;
}

void
DeficitRoundRobin::Sent(uint8_t priority, uint32_t bytes)
{
    if (priority < m_strictFrom)
    {
        m_deficit[priority] -= bytes;
    }
}

void
DeficitRoundRobin::SetWeight(uint8_t priority, uint32_t weight)
{
    NS_ABORT_MSG_IF(priority >= LANES, "priority " << +priority << ", expected 0..15");
    NS_ABORT_MSG_IF(weight == 0, "weight 0 for priority " << +priority << ", expected at least 1");
    m_weight[priority] = weight;
}

} // namespace ns3

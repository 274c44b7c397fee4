// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "constant-rate.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ConstantRate);

TypeId
ConstantRate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ConstantRate")
                            .SetParent<RateController>()
                            .SetGroupName("Lossless")
                            .AddConstructor<ConstantRate>()
                            .AddAttribute("Rate",
                                          "Sending rate, preamble and gap included",
                                          DataRateValue(DataRate("1Gb/s")),
                                          MakeDataRateAccessor(&ConstantRate::m_rate),
                                          MakeDataRateChecker());
    return tid;
}

Ptr<RateController>
ConstantRate::Fork() const
{
    return CopyObject<ConstantRate>(Ptr<const ConstantRate>(this));
}

void
ConstantRate::DoStart(Time)
{
    if (m_rate.GetBitRate() == 0)
    {
        throw InputError("ns3::ConstantRate::Rate", "0", "more");
    }
    m_rateBps = static_cast<double>(std::min(m_rate.GetBitRate(), m_lineRateBps));
}

} // namespace ns3

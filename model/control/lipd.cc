// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lipd.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Lipd);

TypeId
Lipd::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Lipd")
                            .SetParent<SourceResponse>()
                            .SetGroupName("Lossless")
                            .AddConstructor<Lipd>();
    return tid;
}

Ptr<RateController>
Lipd::Fork() const
{
    return CopyObject<Lipd>(Ptr<const Lipd>(this));
}

double
Lipd::Decrease(double rateBps) const
{
    return rateBps / (1 + rateBps / GetMaxRateBps());
}

double
Lipd::Increase(double rateBps) const
{
    return rateBps / (1 - GetMinRateBps() / GetMaxRateBps());
}

} // namespace ns3

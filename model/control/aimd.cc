// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "aimd.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Aimd);

TypeId
Aimd::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Aimd")
                            .SetParent<MultiplicativeDecrease>()
                            .SetGroupName("Lossless")
                            .AddConstructor<Aimd>();
    return tid;
}

Ptr<RateController>
Aimd::Fork() const
{
    return CopyObject<Aimd>(Ptr<const Aimd>(this));
}

double
Aimd::Increase(double rateBps) const
{
    return rateBps + (GetFactor() - 1) * GetMinRateBps();
}

} // namespace ns3

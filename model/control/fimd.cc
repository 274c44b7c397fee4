// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "fimd.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Fimd);

TypeId
Fimd::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Fimd")
                            .SetParent<MultiplicativeDecrease>()
                            .SetGroupName("Lossless")
                            .AddConstructor<Fimd>();
    return tid;
}

Ptr<RateController>
Fimd::Fork() const
{
    return CopyObject<Fimd>(Ptr<const Fimd>(this));
}

double
Fimd::Increase(double rateBps) const
{
    return rateBps * std::pow(GetFactor(), GetMinRateBps() / rateBps);
}

} // namespace ns3

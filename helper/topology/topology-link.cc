// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "topology-link.h"

#include "ns3/input-error.h"

#include <sstream>

namespace ns3
{

void
TopologyLink::Set(const std::string& name, DataRate newRate, Time newDelay)
{
    if (newRate.GetBitRate() == 0)
    {
        throw InputError(name, "a rate of 0", "a rate above 0, e.g. 100Gb/s");
    }
    if (newDelay.IsStrictlyNegative())
    {
        std::ostringstream found;
        found << "a delay of " << newDelay.As(Time::NS);
        throw InputError(name, found.str(), "a delay of 0 or more, e.g. 1us");
    }
    rate = newRate;
    delay = newDelay;
}

uint32_t
CheckNodeCount(const std::string& name, uint64_t count)
{
    const uint32_t most = 1000000;
    if (count < 1 || count > most)
    {
        throw InputError(name, std::to_string(count), "1 to " + std::to_string(most));
    }
    return static_cast<uint32_t>(count);
}

} // namespace ns3

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_RATE_RECORDER_H
#define LOSSLESS_RATE_RECORDER_H

#include "ns3/ptr.h"
#include "ns3/rdma-hw.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * When which flow's controller changed its sending rate, from the trace Rate of RdmaHw. Writes
 * rates.csv row by row: `time_s,flow,rate_bps`. Rates count preamble and gap; a flow that never
 * changes its rate has no row.
 * @ingroup lossless
 */
class RateRecorder
{
  public:
    /// @param out gets rates.csv with its header; lives as long as engines are recorded
    explicit RateRecorder(std::ostream& out);

    /// @param hw whose flows are recorded
    void Connect(Ptr<RdmaHw> hw);

  private:
    /**
     * @param flow its number
     * @param rateBps its new rate [bit/s]
     */
    void Changed(uint32_t flow, double rateBps);

    std::ostream& m_out; //!< rates.csv
};

} // namespace ns3

#endif // LOSSLESS_RATE_RECORDER_H

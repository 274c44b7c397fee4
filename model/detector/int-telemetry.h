// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef INT_TELEMETRY_H
#define INT_TELEMETRY_H

#include "ns3/congestion-detector.h"

#include <cstdint>

namespace ns3
{

/**
 * In-band network telemetry of HPCC: writes the port's state into each data frame that carries an
 * INT block (RdmaHw's attribute Telemetry). It marks nothing.
 *
 * Source: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, section 3.1. When a
 * data frame leaves the queue, its block gets the line rate, the time, the bytes that the port had
 * sent before, and the queue behind it. An acknowledgement carries the block of its data back, so
 * that it passes ports without being written to.
 *
 * Bytes sent are those of this queue: a detector watches one priority. All its frames count, data
 * and acknowledgements, with preamble and gap, as the line rate has them. Frames of other
 * priorities and pauses do not; so the acknowledgements belong into the priority of the data
 * (RdmaHw's AckPriority -1), as HPCC has it.
 *
 * A frame whose block is full, that is with more than IntBlock::MAX_HOPS switch ports on its path,
 * ends the program: HPCC would not see the rest of the path.
 * @ingroup lossless
 */
class IntTelemetry : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    void OnDequeue(Frame& frame, const QueueState& queue, Time now) override;

  private:
    uint64_t m_txBytes{0}; //!< of the frames that have left, overhead included [B]
};

} // namespace ns3

#endif // INT_TELEMETRY_H

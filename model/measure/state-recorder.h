// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_STATE_RECORDER_H
#define LOSSLESS_STATE_RECORDER_H

#include "ns3/congestion-detector.h"
#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * When which detector changed its port's state, from the trace State of CongestionDetector. Writes
 * states.csv row by row: `time_s,node,port,priority,old,new`, where
 * a lane is called priority, as on Ethernet.
 * @ingroup lossless
 */
class StateRecorder
{
  public:
    /// @param out gets states.csv with its header; lives as long as detectors are recorded
    explicit StateRecorder(std::ostream& out);

    /**
     * @param device whose detectors are recorded
     * @param node its node's name
     * @param port its number within the node
     */
    void Connect(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port);

  private:
    /**
     * @param recorder the recorder
     * @param queue index in m_labels
     * @param now present time
     * @param before old state
     * @param after new state
     */
    static void Changed(StateRecorder* recorder,
                        std::size_t queue,
                        Time now,
                        CongestionDetector::PortState before,
                        CongestionDetector::PortState after);

    std::ostream& m_out;               //!< states.csv
    std::vector<std::string> m_labels; //!< "node,port,priority" in the order connected
};

} // namespace ns3

#endif // LOSSLESS_STATE_RECORDER_H

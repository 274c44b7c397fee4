// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_PAUSE_RECORDER_H
#define LOSSLESS_PAUSE_RECORDER_H

#include "ns3/egress-scheduler.h"
#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * When PFC turned which priority of which port OFF and ON, from the trace Gate of
 * LosslessNetDevice. The port is the one that may not send. Writes pfc.csv row by row and sums up.
 * @ingroup lossless
 */
class PauseRecorder
{
  public:
    /// @param out gets pfc.csv with its header; lives as long as ports are recorded
    explicit PauseRecorder(std::ostream& out);

    /**
     * @param device the port
     * @param node its node's name
     * @param port its number within the node
     */
    void Connect(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port);

    /**
     * @param now present time
     * @returns time that priorities of ports have been OFF, summed up
     */
    Time GetPauseTime(Time now) const;

  private:
    /// A port that is recorded.
    struct Port
    {
        std::string label;                     //!< "node,port"
        std::array<Time, PRIORITIES> offSince; //!< while OFF
        LaneSet off{0};                        //!< priorities that are OFF
    };

    /**
     * @param recorder the recorder
     * @param port index in m_ports
     * @param priority changes
     * @param off to OFF or ON
     */
    static void Changed(PauseRecorder* recorder, std::size_t port, uint8_t priority, bool off);

    std::ostream& m_out;       //!< pfc.csv
    std::vector<Port> m_ports; //!< in the order connected
    Time m_ended;              //!< length of the pauses that have ended
};

} // namespace ns3

#endif // LOSSLESS_PAUSE_RECORDER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_GATE_RECORDER_H
#define LOSSLESS_GATE_RECORDER_H

#include "ns3/lane.h"
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
 * When flow control turned which lane of which port OFF and ON, from the trace Gate of
 * LosslessNetDevice. The port is the one that may not send. Writes pfc.csv row by row and sums up;
 * a lane is called priority there, as on Ethernet.
 * @ingroup lossless
 */
class GateRecorder
{
  public:
    /// @param out gets pfc.csv with its header; lives as long as ports are recorded
    explicit GateRecorder(std::ostream& out);

    /**
     * @param device the port
     * @param node its node's name
     * @param port its number within the node
     */
    void Connect(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port);

    /**
     * @param now present time
     * @returns time that lanes of ports have been OFF, summed up
     */
    Time GetOffTime(Time now) const;

  private:
    /// A port that is recorded.
    struct Port
    {
        std::string label;                //!< "node,port"
        std::array<Time, LANES> offSince; //!< while OFF
        LaneSet off{0};                   //!< lanes that are OFF
    };

    /**
     * @param recorder the recorder
     * @param port index in m_ports
     * @param lane changes
     * @param off to OFF or ON
     */
    static void Changed(GateRecorder* recorder, std::size_t port, uint8_t lane, bool off);

    std::ostream& m_out;       //!< pfc.csv
    std::vector<Port> m_ports; //!< in the order connected
    Time m_ended;              //!< OFF times that have ended
};

} // namespace ns3

#endif // LOSSLESS_GATE_RECORDER_H

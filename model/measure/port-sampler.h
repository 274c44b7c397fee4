// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_PORT_SAMPLER_H
#define LOSSLESS_PORT_SAMPLER_H

#include "ns3/lane.h"
#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Writes the state of egress queues of ports at an interval, as ports.csv: bytes waiting, bytes
 * that the whole port has sent since the start, the detector's port state (empty without a
 * detector), whether the lane is paused, which is OFF, and how many frames this port has marked CE
 * and UE since the start. A lane is called priority there, as on Ethernet.
 * @ingroup lossless
 */
class PortSampler
{
  public:
    /**
     * @param out gets ports.csv with its header; lives as long as ports are sampled
     * @param interval of the samples, above zero; the first is one interval after Start()
     * @param lanes that are sampled
     */
    PortSampler(std::ostream& out, Time interval, LaneSet lanes);

    /**
     * @param device the port
     * @param node its node's name
     * @param port its number within the node
     */
    void AddPort(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port);

    /// Samples from now on, until the simulation ends.
    void Start();

  private:
    /// A port that is sampled.
    struct Port
    {
        Ptr<LosslessNetDevice> device;          //!< the port
        std::string label;                      //!< "node,port"
        std::array<uint64_t, LANES> markedCe{}; //!< frames that it marked CE
        std::array<uint64_t, LANES> markedUe{}; //!< and UE
    };

    /**
     * @param sampler the sampler
     * @param port index in m_ports
     * @param frame was marked there
     */
    static void Marked(PortSampler* sampler, std::size_t port, const Frame& frame);

    /// Writes a row for each queue and comes again.
    void Sample();

    std::ostream& m_out;       //!< ports.csv
    Time m_interval;           //!< of the samples
    LaneSet m_lanes;           //!< that are sampled
    std::vector<Port> m_ports; //!< in the order added
};

} // namespace ns3

#endif // LOSSLESS_PORT_SAMPLER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef CONGESTION_TREE_HELPER_H
#define CONGESTION_TREE_HELPER_H

#include "ns3/congestion-detector.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Two congestion trees, a and b, of which a disappears first: the typical cases of Zhang et al.,
 * "TCD", SIGCOMM 2021, section 3.2.2 and figure 5, each as the smallest network that shows it, with
 * the states that each port must take one after the other.
 *
 * The drawing of figure 5 is lost; the networks here are made from the text. Switches E0, E1 and E2
 * send to X, and X to Y where there is one. Hosts S send steadily, at their links' 15 Gb/s, to
 * receivers R; hosts A and B send all they can to the root of their tree for a time. All links but
 * those of S are 40 Gb/s, every link 4 us. The sources are meant not to be controlled, so that
 * nothing but the detectors acts.
 *
 *   - ISOLATED: A0..A7 and S0 (on E0) to R0, B0..B7 and S1 (on E1) to R1, all receivers on X. The
 *     roots are X->R0 and X->R1, the leaves E0->X and E1->X.
 *   - OVERLAPPED: as before, with S0 (on E0) to R0 and S1 (on E1) to R0, S2 (on E0) and S3 (on E2)
 *     to R1: E0->X is a leaf of both trees, E1->X one of a, E2->X one of b.
 *   - COVERED: A0..A7 (on Y) and S0 (on E0) to R0 (on Y) make tree a with root Y->R0; S1 (on E0) to
 *     R1 and S2, S3 (on E1) to R2 give X->Y more than it can carry, until S1 and S3 end: the root
 * of b is a leaf of a.
 * @ingroup lossless
 */
class CongestionTreeHelper
{
  public:
    /// How the trees lie to each other.
    enum Case
    {
        ISOLATED,   //!< no port in common
        OVERLAPPED, //!< a leaf in common, different roots
        COVERED,    //!< the root of b is a leaf of a
    };

    /// A port of a tree and what it goes through.
    struct Port
    {
        std::string name;                                  //!< its part, as "root a"
        std::string node;                                  //!< name of the node that sends
        std::string peer;                                  //!< name of the node at the other end
        std::vector<CongestionDetector::PortState> states; //!< one after the other
    };

    /// @param which case
    explicit CongestionTreeHelper(Case which);

    /// Adds the nodes and links. @param fabric that gets them; its Build() is left to the caller
    void Build(LosslessFabric& fabric) const;

    /// @returns the flows, for a fabric that has the hosts of Build() alone
    std::vector<FlowSpec> GetFlows() const;

    /// @returns the ports of both trees
    const std::vector<Port>& GetPorts() const;

  private:
    /// A host, which sends one message if it has somebody to send to.
    struct Host
    {
        std::string name; //!< of the host
        std::string at;   //!< its switch
        uint64_t gbps;    //!< rate of its link [Gb/s]
        std::string to;   //!< name of the receiver, empty for none
        uint64_t bytes;   //!< what it sends
        int64_t startNs;  //!< when [ns]
    };

    /**
     * A host that sends all the time.
     * @param name its name
     * @param at its switch
     * @param to receiver
     * @param startNs when it begins [ns]
     */
    void AddSource(const std::string& name,
                   const std::string& at,
                   const std::string& to,
                   int64_t startNs = 0);

    /**
     * Eight hosts that send as much as they can and overload the receiver's port.
     * @param letter of their names
     * @param at their switch
     * @param to receiver
     * @param bytes of each
     */
    void AddBurst(const std::string& letter,
                  const std::string& at,
                  const std::string& to,
                  uint64_t bytes);

    /**
     * @param name of the receiver
     * @param at its switch
     */
    void AddReceiver(const std::string& name, const std::string& at);

    std::vector<std::string> m_switches; //!< but X; each is linked to X
    std::vector<Host> m_hosts;           //!< in the order added
    std::vector<Port> m_ports;           //!< of both trees
};

} // namespace ns3

#endif // CONGESTION_TREE_HELPER_H

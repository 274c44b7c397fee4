// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef SCHEME_PRESETS_H
#define SCHEME_PRESETS_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A congestion-control scheme as users name it: a detector for each egress queue, a controller for
 * each queue pair, a reaction point for each host's port, what the receiver does with marks, and
 * the values of their attributes. It is data: every value can be overridden by attribute
 * afterwards.
 * @ingroup lossless
 */
struct Scheme
{
    /// One attribute and its value as text.
    struct Setting
    {
        std::string attribute; //!< name of the attribute
        std::string value;     //!< value in ns-3's textual form
    };

    std::string name;        //!< as on the command line
    std::string aliasOf;     //!< name of the preset that is the same, empty for none
    std::string description; //!< one line for --list-schemes
    std::string detector;    //!< TypeId name of the CongestionDetector, empty for none
    std::vector<Setting> detectorSettings;   //!< its attributes
    std::string controller;                  //!< TypeId name of the RateController
    std::vector<Setting> controllerSettings; //!< its attributes
    std::string reactionPoint; //!< TypeId name of the ReactionPoint, empty for none; Ethernet only
    std::vector<Setting> reactionPointSettings; //!< its attributes
    std::vector<Setting> rdmaSettings;          //!< attributes of RdmaHw
};

/**
 * @param type name of a class
 * @param settings attributes of it
 * @returns both as the value of an attribute that takes a factory, `type[name=value|name=value]`
 * @ingroup lossless
 */
std::string FactoryText(const std::string& type, const std::vector<Scheme::Setting>& settings);

/**
 * The inverse of FactoryText().
 * @param text value of an attribute
 * @param type becomes the name of the class
 * @param settings become its attributes
 * @returns whether the text has this form; if not, nothing changes
 * @ingroup lossless
 */
bool ReadFactory(const std::string& text,
                 std::string& type,
                 std::vector<Scheme::Setting>& settings);

/**
 * The presets:
 *   - `none`: line rate, no marks; hop-by-hop flow control alone.
 *   - `dcqcn:sigcomm15`: values of Zhu et al., SIGCOMM 2015, which TCD and the small scale of
 *     Mercury use at 40 Gb/s. They are the same at every rate. The paper gives neither R_HAI nor a
 *     lowest rate: 200 Mb/s and 100 Mb/s are ours, those of the simulator that TCD is based on.
 *   - `dcqcn:hpcc`: values of HPCC's public simulator, script run.py, column `dcqcn`.
 *     Thresholds and increases are given for 25 Gb/s and scaled to each port's and NIC's rate.
 *     There the reaction point paces (DecreaseInterval, 4 us) while every acknowledgement of a
 *     marked frame is a CNP; here the receiver sends at most two CNPs for each period of alpha
 *     (1 us), so that none of a marked flow's periods is without.
 *   - `dcqcn`: the same as `dcqcn:sigcomm15`, which is an alias of it.
 *   - `dcqcn:tcd21`: what the evaluation of TCD (Zhang et al., SIGCOMM 2021) compares with: initial
 *     alpha 0.5, and raised before the cut, as the simulator that it is based on has it.
 *   - `dcqcn+tcd`: TcdDetector, UE holds the rate, and "the rate reduction factor from 0.5 to 1.2"
 *     (TCD, section 5.2.1) read as the initial alpha. The other reading is
 *     ReductionCoefficient 1.2 with InitialAlpha 0.5.
 *   - `dcqcn+npecn`: `dcqcn:tcd21` with NpEcnDetector, to compare detectors alone.
 *   - `pcn`: Cheng et al., NSDI 2020: NpEcnDetector, the receiver's rate in each CNP, Pcn.
 *   - `timely`: Mittal et al., SIGCOMM 2015, with the paper's values; the additive step of 10 Mb/s
 *     is for 10 Gb/s and scaled with the NIC's rate, and no update cuts more than half, as in the
 *     authors' snippet. The lowest rate, 100 Mb/s, is ours.
 *   - `timely:snippet`: the values that the snippet recommends: EWMA 0.02, T_high 1 ms, steps in
 *     proportion to the time since the last, and the minimum RTT that of the path.
 *   - `timely:patched`: patched TIMELY of Zhu et al., CoNEXT 2016.
 *   - `timely+tcd`: `timely` with TcdDetector, UE holds the rate where the gradient would cut it;
 *     beta 1.6 (TCD, section 5.2.3).
 *   - `ibcc`: InfiniBand's congestion control, annex A10: FecnDetector with the threshold of TCD's
 *     evaluation (50 KB), IbCc with the values of Gran et al., IPDPS 2010; acknowledgements bring
 *     BECN back.
 *   - `ibcc+tcd`: `ibcc` with TcdDetector, UE holds, "rate reduction step from default 1 to 2"
 * (TCD, section 5.2.2) read as CCTI_Increase.
 *   - `mercury`: He et al., 2024: MercuryDetector, whose CNPs carry windows, and MercuryWindow over
 *     `dcqcn:sigcomm15`. Threshold, pacing of the CNPs and RestoreInterval are ours, see there.
 *   - `mercury+timely`, `mercury+hpcc`: the same over `timely` and `hpcc`.
 *   - `pacc`: Zhong et al., INFOCOM 2022: PaccDetector and the reaction point of `dcqcn`. Its gains
 *     and its rule for CNPs are not public: those here are ours.
 *   - `rocc`: Taheri et al., CoNEXT 2020: RoccDetector, thresholds by the line rate, and Rocc.
 *   - `ecm`: Bergamasco 2007: EcmDetector, and EcmReactionPoint at the hosts, whose connections
 *     send at line rate. The document gives no gains: those of the reaction point follow from
 *     Alpha, Beta, W, Qeq and the port's rate, see there. What is in bytes is for 10 Gb/s and not
 *     scaled: Qeq of detector and reaction point, W of both, are to be changed together.
 *   - `qcn`: IEEE 802.1Qau with the defaults of its MIB, which are for 10 Gb/s and not scaled:
 *     QcnDetector and QcnReactionPoint.
 *   - `hpcc`: Li et al., SIGCOMM 2019, with the paper's values: eta 0.95, five additive stages, and
 *     the step that it recommends for 100 flows on a link (81 B at 100 Gb/s and 13 us, where
 *     it has 80 B). T is the path's; HPCC's simulator takes the longest of all pairs
 *     (ns3::Hpcc::BaseRtt). Its lowest rate, 100 Mb/s, is the simulator's.
 *   - `hpcc:simulator`: the same with the window changed by the factor each RTT, as the scripts of
 *     HPCC's public simulator have it (MI_THRESH 0).
 * @returns all of them
 * @ingroup lossless
 */
const std::vector<Scheme>& Schemes();

/**
 * @returns the names of the presets, separated by commas
 * @ingroup lossless
 */
std::string SchemeNames();

/**
 * @param name name of a preset
 * @returns the preset
 * @throws InputError when there is none of that name; it tells the nearest
 * @ingroup lossless
 */
const Scheme& FindScheme(const std::string& name);

/**
 * @param scheme any
 * @returns whether its detector marks by the buffers of inputs, which InfiniBand's switches have
 * @ingroup lossless
 */
bool NeedsInputBuffers(const Scheme& scheme);

/**
 * Writes the presets as JSON, for programs that read them instead of having a list of their own: a
 * list of objects with name, alias_of, description, input_buffers (see NeedsInputBuffers()),
 * detector, controller, reaction_point and rdma. The last four have the attributes with their
 * values, the first three of them the class as "type" too; what a scheme lacks is null.
 * @param out where the text goes
 * @ingroup lossless
 */
void WriteSchemes(std::ostream& out);

} // namespace ns3

#endif // SCHEME_PRESETS_H

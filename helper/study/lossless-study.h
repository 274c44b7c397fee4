// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_STUDY_H
#define LOSSLESS_STUDY_H

#include "ns3/data-rate.h"
#include "ns3/flow-spec.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/run-folder.h"
#include "ns3/run-summary.h"
#include "ns3/scheme-presets.h"
#include "ns3/study-options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A study: a program that runs the same flows over the same network with one or several schemes,
 * prints a table for each and writes the folder that the figures are drawn from.
 *
 * A program says what its network and its flows are, and calls Main():
 * @code
 *   LosslessStudy study("incast", "Many senders, one receiver.");
 *   uint32_t senders = 16;
 *   study.GetOptions().AddCount("senders", "Number of senders", senders, 1);
 *   study.SetTopology([&](LosslessFabric& fabric) { ... });
 *   study.SetTraffic([&](const LosslessFabric& fabric) { ... });
 *   return study.Main(argc, argv);
 * @endcode
 *
 * With one scheme the files are in the folder of --out; with several, in a sub-folder for each,
 * named after the scheme with `-` for `:`, and summary.json is a list.
 * @ingroup lossless
 */
class LosslessStudy
{
  public:
    /// Adds nodes and links to an empty fabric; Build() is left to the study.
    using Topology = std::function<void(LosslessFabric&)>;
    /// @returns the flows for a fabric that has its nodes and links, but is not built
    using Traffic = std::function<std::vector<FlowSpec>(const LosslessFabric&)>;
    /// Changes a built fabric before it gets its flows, as a host's RateController.
    using Preparation = std::function<void(LosslessFabric&)>;
    /// @returns what the study alone measures
    using Shares = std::function<std::vector<RunSummary::Share>()>;

    /**
     * @param name of the study
     * @param description first paragraph of --help
     */
    LosslessStudy(const std::string& name, const std::string& description);

    /// @returns the options, for those of this study alone; before Main()
    StudyOptions& GetOptions();

    /**
     * Adds --link-rate and --link-delay.
     * @param rate default
     * @param delay default
     */
    void AddLinkOptions(DataRate rate, Time delay);

    /// @returns --link-rate
    DataRate GetLinkRate() const;

    /// @returns --link-delay
    Time GetLinkDelay() const;

    /**
     * Adds --workload, --load, --duration and --flows-max, and makes GenerateWorkload() the
     * traffic.
     * @param workload default
     * @param load default
     * @param duration default
     */
    void AddWorkloadOptions(const std::string& workload, double load, Time duration);

    /**
     * @param fabric with nodes and links
     * @returns Poisson arrivals as the workload options want them
     */
    std::vector<FlowSpec> GenerateWorkload(const LosslessFabric& fabric);

    /// @param topology makes the network
    void SetTopology(Topology topology);

    /// @param traffic makes the flows, once for all schemes
    void SetTraffic(Traffic traffic);

    /// @param prepare called for each scheme
    void SetPreparation(Preparation prepare);

    /**
     * Gives a port a name for those who read the results: summary.json has it under "ports".
     * A name given before is given anew.
     * @param name such as P2
     * @param node name of the node that sends
     * @param peer name of the node at the other end, to which there is one link
     */
    void NamePort(const std::string& name, const std::string& node, const std::string& peer);

    /// The flows are no load on the hosts' links, as where some never end: none is told.
    void OmitLoad();

    /// @param scheme default of --scheme
    void SetDefaultScheme(const std::string& scheme);

    /// @param stop default of --stop
    void SetDefaultStop(Time stop);

    /// @returns --stop
    Time GetStop() const;

    /**
     * Changes what a scheme sets, unless the user does (see WithUserDefaults()); schemes that do
     * not set it are left alone.
     * @param type name of the TypeId that declares the attribute
     * @param name of the attribute
     * @param value as text
     */
    void SetDefaultAttribute(const std::string& type,
                             const std::string& name,
                             const std::string& value);

    /// @param link default of --link
    void SetDefaultLink(const std::string& link);

    /// @param bytes default of --mtu [B]
    void SetDefaultMtu(uint32_t bytes);

    /// @returns --mtu [B]
    uint32_t GetMtu() const;

    /// @param shares called after each scheme's run for what the study alone measures, which the
    /// table and summary.json get
    void SetShares(Shares shares);

    /**
     * @param xoff default of --xoff [B]
     * @param xon default of --xon [B]
     */
    void SetDefaultThreshold(uint64_t xoff, uint64_t xon);

    /**
     * @param interval default of --sample
     * @param nodes default of --sample-nodes
     */
    void SetDefaultSample(Time interval, const std::string& nodes);

    /**
     * Reads the command line, runs and reports.
     * @param argc number of arguments
     * @param argv arguments
     * @returns the program's exit code: 1 after an error, which has been printed on stderr
     */
    int Main(int argc, char* argv[]);

  private:
    /// Adds the options that every study has.
    void AddSharedOptions();

    /**
     * Everything between the command line and the exit code.
     * @throws std::runtime_error for what is wrong, or goes wrong
     */
    void Run();

    /// @returns the schemes of --scheme, with what the user set by attribute
    std::vector<Scheme> GetSchemes() const;

    /**
     * Sets what the options say of switches and hosts.
     * @param fabric not yet built
     */
    void Configure(LosslessFabric& fabric) const;

    /// @returns whether --link's switches have thresholds for pauses
    bool HasThresholds() const;

    /// Sets buffer and thresholds of the switches. @param fabric that is not built
    void ConfigureThresholds(LosslessFabric& fabric) const;

    /// A port with a name.
    struct NamedPort
    {
        std::string name; //!< such as P2
        std::string node; //!< that sends
        std::string peer; //!< at the other end
    };

    /**
     * @param scheme that runs
     * @param fabric built and prepared
     * @returns the hosts whose controller is not the scheme's, and which it is
     */
    static RunSummary::Group FindControllers(const Scheme& scheme, const LosslessFabric& fabric);

    /**
     * @param fabric built
     * @returns the named ports as "node,port"
     */
    RunSummary::Group FindPorts(const LosslessFabric& fabric) const;

    /// @throws InputError for an attribute that the study decides itself
    void CheckAttributes() const;

    /**
     * @param schemes of the run
     * @param fabric built and prepared
     * @throws InputError for an attribute of a class of which neither has an object
     */
    void CheckClasses(const std::vector<Scheme>& schemes, const LosslessFabric& fabric) const;

    /**
     * @param fabric described and configured
     * @throws InputError for flows that cannot be sent
     */
    void CheckFlows(const LosslessFabric& fabric) const;

    /// @returns priorities of the flows, or what the attribute says
    LaneSet GetLosslessPriorities() const;

    /**
     * @param schemes of the run
     * @param scheme what to run now
     * @param part see TakeFolder()
     * @returns what was measured
     */
    RunSummary RunScheme(const std::vector<Scheme>& schemes,
                         const Scheme& scheme,
                         const std::string& part);

    /**
     * Takes the folders of the results, when called for the first time.
     * @param part a scheme's sub-folder, empty for the folder of --out
     * @returns it
     * @throws InputError if they cannot be taken
     */
    RunFolder& TakeFolder(const std::string& part = "");

    /**
     * Fills in what is known without running.
     * @param [out] summary gets it
     * @param scheme that runs
     * @param fabric built
     */
    void Describe(RunSummary& summary, const Scheme& scheme, const LosslessFabric& fabric) const;

    /// @returns whether --xoff, or the attribute, chooses the static threshold
    bool IsThresholdStatic() const;

    /// @returns when flows begin to start
    Time GetArrivalsStart() const;

    /// @returns when flows cease to start
    Time GetArrivalsEnd() const;

    /**
     * @param fabric with nodes and links
     * @returns payload offered over what its host links can carry
     */
    double GetOfferedLoad(const LosslessFabric& fabric) const;

    std::string m_name;                              //!< of the study
    StudyOptions m_options;                          //!< command line
    Topology m_topology;                             //!< makes the network
    Traffic m_traffic;                               //!< makes the flows
    Preparation m_preparation;                       //!< changes the built network
    Shares m_shares;                                 //!< what the study alone measures
    std::vector<NamedPort> m_ports;                  //!< in the order named
    std::vector<StudyOptions::Attribute> m_defaults; //!< SetDefaultAttribute()
    std::vector<FlowSpec> m_flows;                   //!< the same for all schemes
    bool m_flowsMade{false};                         //!< m_traffic was called
    bool m_warned{false};                            //!< of what holds for all schemes
    bool m_tellLoad{true};                           //!< unless OmitLoad() was called
    Time m_arrivals; //!< length of the arrivals, 0 for from the first flow to the last

    DataRate m_linkRate;              //!< --link-rate
    Time m_linkDelay;                 //!< --link-delay
    std::string m_workload;           //!< --workload
    double m_load{0.5};               //!< --load
    Time m_duration;                  //!< --duration
    uint32_t m_flowsMax{0};           //!< --flows-max
    std::string m_link{"ethernet"};   //!< --link
    std::string m_scheme{"dcqcn"};    //!< --scheme
    uint32_t m_seed{1};               //!< --seed
    Time m_stop;                      //!< --stop
    uint32_t m_mtu{1000};             //!< --mtu
    uint64_t m_buffer{0};             //!< --buffer
    uint64_t m_xoff{0};               //!< --xoff
    uint64_t m_xon{0};                //!< --xon
    Time m_sample;                    //!< --sample
    std::string m_sampleNodes{"all"}; //!< --sample-nodes
    std::string m_victims{"false"};   //!< --count-victims
    std::string m_pcap;               //!< --pcap
    std::string m_out;                //!< --out

    std::vector<std::string> m_parts;    //!< sub-folders of the schemes, if there are several
    std::unique_ptr<RunFolder> m_folder; //!< of the results, once all input was found good
};

} // namespace ns3

#endif // LOSSLESS_STUDY_H

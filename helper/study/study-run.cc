// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "study-run.h"

#include "ns3/deadlock-watch.h"
#include "ns3/drop-recorder.h"
#include "ns3/gate-recorder.h"
#include "ns3/input-error.h"
#include "ns3/mark-recorder.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/port-sampler.h"
#include "ns3/qbb-helper.h"
#include "ns3/rate-recorder.h"
#include "ns3/simulator.h"
#include "ns3/state-recorder.h"
#include "ns3/study-progress.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3
{

namespace
{

/// How often, and how many times, buffers are looked at after the last flow has completed: what is
/// left then are acknowledgements and notifications, which cross a network within this time.
constexpr int64_t DRAIN_STEP_NS = 10000;
constexpr int DRAIN_STEPS = 1000;

/**
 * @param clock CPU or wall-clock
 * @returns its time [s]
 */
double
ClockSeconds(clockid_t clock)
{
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The time series of a run: ports.csv, states.csv and rates.csv.
class TimeSeries
{
  public:
    /**
     * @param folder gets the files
     * @param interval of ports.csv
     * @param priorities sampled
     */
    TimeSeries(RunFolder& folder, Time interval, LaneSet priorities)
        : m_files{OutputFile(folder, "ports.csv"),
                  OutputFile(folder, "states.csv"),
                  OutputFile(folder, "rates.csv")},
          m_sampler(m_files[0].Stream(), interval, priorities),
          m_states(m_files[1].Stream()),
          m_rates(m_files[2].Stream())
    {
    }

    /**
     * @param device the port
     * @param node its node's name
     * @param port its number within the node
     */
    void AddPort(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port)
    {
        m_sampler.AddPort(device, node, port);
        m_states.Connect(device, node, port);
    }

    /// @param engines whose flows' rates are recorded
    void Start(const std::vector<Ptr<RdmaHw>>& engines)
    {
        for (const auto& hw : engines)
        {
            m_rates.Connect(hw);
        }
        m_sampler.Start();
    }

    /// @throws InputError if a file cannot be written to its end
    void Close()
    {
        for (OutputFile& file : m_files)
        {
            file.Close();
        }
    }

  private:
    std::array<OutputFile, 3> m_files; //!< ports, states, rates
    PortSampler m_sampler;             //!< writes the first
    StateRecorder m_states;            //!< the second
    RateRecorder m_rates;              //!< the third
};

/// The captures of a run, a file for each port.
class Captures
{
  public:
    /// @param gets the files
    explicit Captures(RunFolder& folder)
        : m_folder(folder)
    {
    }

    /**
     * @param device the port
     * @param node its node's name
     * @param port its number within the node
     */
    void AddPort(Ptr<LosslessNetDevice> device, const std::string& node, uint32_t port)
    {
        const std::string name = node + "-" + std::to_string(port) + ".pcap";
        m_files.emplace_back(name, QbbHelper::Capture(m_folder.Begin(name), device, false));
    }

    /// @throws InputError if a file cannot be written to its end
    void Close()
    {
        for (const auto& [name, file] : m_files)
        {
            file->Close();
            if (file->Fail())
            {
                throw InputError("--pcap",
                                 "that " + name + " cannot be written",
                                 "room on the disk");
            }
            m_folder.End(name);
        }
    }

  private:
    RunFolder& m_folder;                                               //!< gets the files
    std::vector<std::pair<std::string, Ptr<PcapFileWrapper>>> m_files; //!< by name
};

/// @returns whether names has a name
bool
Contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Leaves ns-3's simulator as new, however a run ends.
struct SimulatorEnd
{
    ~SimulatorEnd()
    {
        Simulator::Destroy();
    }
};

/// @returns bytes in switches' buffers and in ports' egress queues
uint64_t
BytesInside(const LosslessFabric& fabric)
{
    uint64_t bytes = 0;
    for (const auto& sw : fabric.GetSwitches())
    {
        bytes += sw->GetUsedBytes();
    }
    for (const auto& port : fabric.GetPorts())
    {
        for (uint8_t p = 0; p < PRIORITIES; p++)
        {
            bytes += port->GetQueueState(p).bytes;
        }
    }
    return bytes;
}

/// Ends the simulation when the network is empty, or after a while anyway.
void
StopWhenEmpty(const LosslessFabric* fabric, int steps)
{
    if (steps == 0 || BytesInside(*fabric) == 0)
    {
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(NanoSeconds(DRAIN_STEP_NS), &StopWhenEmpty, fabric, steps - 1);
}

/**
 * @param drops of all ports
 * @returns what the PFC watchdogs did, if there are any
 */
std::optional<RunSummary::Watchdog>
CountWatchdogs(const LosslessFabric& fabric, const DropRecorder& drops)
{
    std::optional<RunSummary::Watchdog> watchdog;
    for (const auto& sw : EthernetSwitch::Among(fabric.GetSwitches()))
    {
        if (sw->GetWatchdogDetection().IsStrictlyPositive())
        {
            watchdog = watchdog.value_or(RunSummary::Watchdog());
            watchdog->detections += sw->GetWatchdogDetections();
        }
    }
    if (watchdog)
    {
        watchdog->drops = drops.GetNDrops(LosslessNetDevice::WATCHDOG);
    }
    return watchdog;
}

void
AddFlows(FctRecorder& recorder, const LosslessFabric& fabric, const std::vector<FlowSpec>& flows)
{
    const std::vector<uint32_t> numbers = HostNumbers(fabric);
    for (const FlowSpec& flow : flows)
    {
        FctRecorder::FlowInfo info;
        info.flow = flow;
        info.source = numbers.at(flow.src);
        info.destination = numbers.at(flow.dst);
        info.idealNs = fabric.GetIdealFct(flow).GetNanoSeconds();
        info.packets = fabric.GetRdma(flow.src)->GetPackets(flow.bytes);
        info.pathHops = static_cast<uint32_t>(fabric.GetPath(flow).size());
        recorder.AddFlow(info);
    }
}

} // namespace

std::vector<uint32_t>
HostNumbers(const LosslessFabric& fabric)
{
    std::vector<uint32_t> counted;
    std::vector<uint32_t> named;
    for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
    {
        counted.push_back(host);
        const std::string& name = fabric.GetName(fabric.GetHostIndex(host));
        if (name.size() > 1 && name.size() < 10 && name[0] == 'h' &&
            name.find_first_not_of("0123456789", 1) == std::string::npos)
        {
            named.push_back(static_cast<uint32_t>(std::stoul(name.substr(1))));
        }
    }
    return named.size() == counted.size() ? named : counted;
}

StudyRun::StudyRun(const Config& config, LosslessFabric& fabric, const std::vector<FlowSpec>& flows)
    : m_fabric(fabric),
      m_config(config),
      m_flows(flows)
{
    AddFlows(m_recorder, fabric, flows);
}

double
StudyRun::GetAchievedLoad() const
{
    const int64_t startNs = m_config.arrivalsStart.GetNanoSeconds();
    int64_t endNs = m_config.arrivalsEnd.GetNanoSeconds();
    if (!m_config.tellLoad)
    {
        return RunSummary::NONE;
    }
    if (endNs <= startNs)
    {
        // All flows start together.
        endNs = m_recorder.GetTotals().lastEndNs;
    }
    if (endNs <= startNs)
    {
        return RunSummary::NONE;
    }
    double bitsPerNs = 0;
    for (uint64_t rate : m_fabric.GetHostRatesBps())
    {
        bitsPerNs += static_cast<double>(rate) * 1e-9;
    }
    return 8 * m_recorder.GetBytesBy(endNs) / (bitsPerNs * static_cast<double>(endNs - startNs));
}

void
StudyRun::Run(RunFolder& folder, RunSummary& summary)
{
    OutputFile pfc(folder, "pfc.csv");
    Captures captures(folder);
    GateRecorder gates(pfc.Stream());
    DropRecorder drops;
    MarkRecorder marks;
    StudyProgress progress(m_config.label, m_recorder);
    std::unique_ptr<TimeSeries> series;
    if (m_config.sample.IsStrictlyPositive())
    {
        series = std::make_unique<TimeSeries>(folder, m_config.sample, m_config.lossless);
    }
    // Before the recorders in the order of destruction: nothing fires a trace after them.
    const SimulatorEnd end;

    for (uint32_t index = 0; index < m_fabric.GetNodes().GetN(); index++)
    {
        Ptr<Node> node = m_fabric.GetNodes().Get(index);
        const std::string& name = m_fabric.GetName(index);
        const bool captured = Contains(m_config.capture, name);
        const bool sampled =
            series && (m_config.sampled.empty() || Contains(m_config.sampled, name));
        for (uint32_t port = 0; port < node->GetNDevices(); port++)
        {
            Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(node->GetDevice(port));
            if (!device)
            {
                continue;
            }
            gates.Connect(device, name, port);
            drops.Connect(device);
            if (m_config.countVictims)
            {
                marks.Connect(device);
            }
            if (sampled)
            {
                series->AddPort(device, name, port);
            }
            if (captured)
            {
                captures.AddPort(device, name, port);
            }
        }
    }
    const std::string cycle =
        m_config.warn ? DescribeCyclicDependency(m_fabric, m_flows, m_config.lossless) : "";
    if (!cycle.empty())
    {
        std::cerr << "warning: " << cycle << std::endl;
    }
    for (const auto& hw : m_fabric.GetRdmaEngines())
    {
        m_recorder.Connect(hw);
    }
    m_recorder.SetAllCompleted(
        [this]() { Simulator::Schedule(Time(0), &StopWhenEmpty, &m_fabric, DRAIN_STEPS); });
    m_fabric.InstallFlows(m_flows);
    if (series)
    {
        series->Start(m_fabric.GetRdmaEngines());
    }
    progress.Start();
    DeadlockWatch deadlock(m_fabric);
    deadlock.Start(m_config.stop);
    Simulator::Stop(m_config.stop);

    const double cpuStart = ClockSeconds(CLOCK_PROCESS_CPUTIME_ID);
    const double wallStart = ClockSeconds(CLOCK_MONOTONIC);
    Simulator::Run();
    summary.cpuS = ClockSeconds(CLOCK_PROCESS_CPUTIME_ID) - cpuStart;
    summary.wallS = ClockSeconds(CLOCK_MONOTONIC) - wallStart;

    for (const auto& hw : m_fabric.GetRdmaEngines())
    {
        m_recorder.AddReceptions(hw);
    }
    const FctRecorder::Totals totals = m_recorder.GetTotals();
    if (totals.flows < m_flows.size())
    {
        deadlock.Finish();
    }
    summary.simulatedS = Simulator::Now().GetSeconds();
    summary.events = Simulator::GetEventCount() - progress.GetEvents() - deadlock.GetEvents();
    for (const auto& port : m_fabric.GetPorts())
    {
        summary.packetHops += port->GetSentFrames();
        summary.pauseFrames += port->GetSentControlFrames();
    }
    summary.flows = m_flows.size();
    summary.flowsCompleted = totals.flows;
    summary.drops = drops.GetNDrops();
    summary.dropReasons = drops.GetText();
    summary.pauseTimeS = gates.GetOffTime(Simulator::Now()).GetSeconds();
    summary.packetsCe = totals.packetsCe;
    summary.packetsUe = totals.packetsUe;
    summary.retransmitted = totals.retransmitted;
    if (m_config.countVictims)
    {
        summary.victims = marks.GetTotals();
    }
    summary.watchdog = CountWatchdogs(m_fabric, drops);
    const SlowdownStatistics slowdown = m_recorder.GetSlowdown();
    summary.all = slowdown.GetAll();
    summary.bins = slowdown.GetBins();
    summary.achievedLoad = GetAchievedLoad();
    summary.peakRssKb = GetPeakMemoryKb();

    OutputFile table(folder, "flows.csv");
    m_recorder.WriteCsv(table.Stream());
    table.Close();
    pfc.Close();
    captures.Close();
    if (series)
    {
        series->Close();
    }
    if (!deadlock.GetDeadlock().empty())
    {
        throw std::runtime_error(deadlock.GetDeadlock() + "\n  " + std::to_string(totals.flows) +
                                 " of " + std::to_string(m_flows.size()) + " flows had completed");
    }
    const uint64_t left = BytesInside(m_fabric);
    // At --stop the last acknowledgements may still be under way.
    if (totals.flows == m_flows.size() && left > 0 && Simulator::Now() < m_config.stop)
    {
        throw std::runtime_error("all flows have completed, but " + std::to_string(left) +
                                 " bytes are still in the network's buffers at " +
                                 SecondsText(Simulator::Now().GetNanoSeconds()) + " s");
    }
}

} // namespace ns3

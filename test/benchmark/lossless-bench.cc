// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

/**
 * @file
 * Speed and memory on the two workloads that peers were measured on, beside a bare event loop
 * measured in the same run, so that the ratio means the same on every machine.
 *
 * Each measurement runs in a process of its own: peak memory is that workload's, and no run finds
 * the heap or the frame pool of another.
 */

#include "ns3/arrival-process.h"
#include "ns3/core-module.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/lossless-fabric.h"
#include "ns3/run-summary.h"
#include "ns3/scheme-presets.h"
#include "ns3/standard-output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/// What one process measured.
struct Measurement
{
    double work{0};       //!< packet hops, or events of the bare loop
    double events{0};     //!< events executed
    double cpuSeconds{0}; //!< of Simulator::Run
    long peakKb{0};       //!< resident set
};

double
CpuSeconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

void
UsePriorityQueue()
{
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
}

/// Ten thousand pending events, each of which schedules itself again after a uniform delay.
class BareLoop
{
  public:
    Measurement Run()
    {
        UsePriorityQueue();
        RngSeedManager::SetSeed(1);
        m_delay->SetStream(1);
        // The delays are drawn beforehand: the loop measures events, not random numbers.
        for (int i = 0; i < 65536; i++)
        {
            m_delays.push_back(NanoSeconds(m_delay->GetInteger(1, 20000)));
        }
        for (int i = 0; i < 10000; i++)
        {
            Simulator::Schedule(Next(), &BareLoop::Event, this);
        }
        Measurement result;
        const double start = CpuSeconds();
        Simulator::Run();
        result.cpuSeconds = CpuSeconds() - start;
        result.work = EVENTS;
        result.events = EVENTS;
        Simulator::Destroy();
        return result;
    }

  private:
    static constexpr uint64_t EVENTS = 3000000;

    Time Next()
    {
        return m_delays[m_drawn++ % m_delays.size()];
    }

    void Event()
    {
        if (++m_count == EVENTS)
        {
            Simulator::Stop();
        }
        Simulator::Schedule(Next(), &BareLoop::Event, this);
    }

    Ptr<UniformRandomVariable> m_delay{CreateObject<UniformRandomVariable>()};
    std::vector<Time> m_delays;
    std::size_t m_drawn{0};
    uint64_t m_count{0};
};

/// DCQCN over PFC, with the parameters of HPCC's public simulator.
Measurement
RunFabric(const FatTreeHelper& topology,
          const std::string& cdf,
          double load,
          Time duration,
          uint64_t hostRateBps)
{
    UsePriorityQueue();
    RngSeedManager::SetSeed(1);
    LosslessFabric fabric;
    topology.Build(fabric);
    fabric.SetScheme(FindScheme("dcqcn:hpcc"));
    // HPCC's run.py: 16 MB of buffer at 50 Gb/s, in proportion to the host links.
    fabric.SetSwitchAttribute("Threshold", StringValue("Dynamic"));
    fabric.SetSwitchAttribute("BufferSize", UintegerValue(hostRateBps / 50000 * 16));
    fabric.Build();
    fabric.AssignStreams(1000);
    ArrivalProcess arrivals;
    arrivals.AssignStreams(1);
    PoissonTraffic traffic;
    traffic.hostRatesBps.assign(fabric.GetNHosts(), hostRateBps);
    traffic.load = load;
    traffic.durationNs = duration.GetNanoSeconds();
    const auto flows =
        arrivals.Poisson(traffic,
                         FlowSizeDistribution::FromFile(std::string(LOSSLESS_DATA_DIR) +
                                                        "/workloads/" + cdf + ".cdf"));
    fabric.InstallFlows(flows);
    Measurement result;
    const double start = CpuSeconds();
    Simulator::Run();
    result.cpuSeconds = CpuSeconds() - start;
    result.events = Simulator::GetEventCount();
    for (const auto& port : fabric.GetPorts())
    {
        result.work += port->GetSentFrames();
    }
    for (const auto& engine : fabric.GetRdmaEngines())
    {
        NS_ABORT_MSG_IF(engine->GetActiveMessages() != 0, "flows did not complete");
    }
    Simulator::Destroy();
    return result;
}

Measurement
RunWorkload(const std::string& name)
{
    if (name == "bare")
    {
        return BareLoop().Run();
    }
    if (name == "hadoop-320")
    {
        return RunFabric(FatTreeHelper::Mercury(), "Hadoop", 0.3, MilliSeconds(1), 100000000000);
    }
    FatTreeHelper topology;
    topology.SetArity(4);
    topology.SetHostLink(DataRate("100Gbps"), MicroSeconds(1));
    topology.SetEdgeLink(DataRate("100Gbps"), MicroSeconds(1));
    topology.SetCoreLink(DataRate("100Gbps"), MicroSeconds(1));
    return RunFabric(topology, "WebSearch", 0.5, MilliSeconds(10), 100000000000);
}

/// Runs in a child process, so that its peak memory is its own.
Measurement
MeasureInChild(const std::string& name)
{
    int ends[2];
    NS_ABORT_MSG_IF(pipe(ends) != 0, "no pipe");
    const pid_t child = fork();
    if (child == 0)
    {
        Measurement result = RunWorkload(name);
        result.peakKb = GetPeakMemoryKb();
        const bool written = write(ends[1], &result, sizeof(result)) == sizeof(result);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    Measurement result;
    const bool complete = read(ends[0], &result, sizeof(result)) == sizeof(result);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    NS_ABORT_MSG_IF(!complete || status != 0, "workload " << name << " failed");
    return result;
}

/// @returns the measurement of median speed
Measurement
Median(std::vector<Measurement> runs)
{
    std::sort(runs.begin(), runs.end(), [](const Measurement& a, const Measurement& b) {
        return a.work / a.cpuSeconds < b.work / b.cpuSeconds;
    });
    return runs[runs.size() / 2];
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t repeat = 3;
    std::string out;
    std::string only;
    try
    {
        GuardStandardOutput();
    }
    catch (const std::runtime_error& error)
    {
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
    CommandLine cmd(__FILE__);
    cmd.AddValue("repeat", "Runs of each workload; the one of median speed is reported", repeat);
    cmd.AddValue("only", "One workload: websearch-k4 or hadoop-320; both if empty", only);
    cmd.AddValue("out", "Folder for bench.json; none is written if empty", out);
    cmd.Parse(argc, argv);
    if (!only.empty() && only != "websearch-k4" && only != "hadoop-320")
    {
        std::cerr << "error: only: found '" << only << "', expected websearch-k4 or hadoop-320\n";
        return 1;
    }

    std::ostringstream json;
    std::printf("%-14s %12s %10s %8s %12s %12s %7s %10s\n",
                "workload",
                "packet_hops",
                "events",
                "cpu_s",
                "hops/cpu_s",
                "bare ev/s",
                "ratio",
                "peak_kb");
    for (const std::string name : {"websearch-k4", "hadoop-320"})
    {
        if (!only.empty() && only != name)
        {
            continue;
        }
        std::vector<Measurement> runs;
        std::vector<Measurement> bare;
        for (uint32_t i = 0; i < std::max(repeat, 1U); i++)
        {
            // In turns, so that a change of the machine's speed meets both.
            bare.push_back(MeasureInChild("bare"));
            runs.push_back(MeasureInChild(name));
        }
        const Measurement run = Median(runs);
        const Measurement loop = Median(bare);
        const double hops = run.work / run.cpuSeconds;
        const double events = loop.work / loop.cpuSeconds;
        std::printf("%-14s %12.0f %10.0f %8.3f %12.0f %12.0f %7.3f %10ld\n",
                    name.c_str(),
                    run.work,
                    run.events,
                    run.cpuSeconds,
                    hops,
                    events,
                    hops / events,
                    run.peakKb);
        char line[512];
        std::snprintf(line,
                      sizeof(line),
                      "%s  {\"workload\": \"%s\", \"packet_hops\": %.0f, \"cpu_s\": %.6f, "
                      "\"hops_per_cpu_s\": %.0f, \"bare_events_per_cpu_s\": %.0f, "
                      "\"ratio\": %.4f, \"peak_rss_kb\": %ld}",
                      json.str().empty() ? "" : ",\n",
                      name.c_str(),
                      run.work,
                      run.cpuSeconds,
                      hops,
                      events,
                      hops / events,
                      run.peakKb);
        json << line;
    }
    if (!out.empty())
    {
        std::error_code failed; // is told of by the file that cannot be written
        std::filesystem::create_directories(out, failed);
        const std::string path = out + "/bench.json";
        errno = 0;
        std::ofstream file(path);
        file << "[\n" << json.str() << "\n]\n";
        file.close();
        if (!file)
        {
            std::cerr << "error: --out: found that " << path << " cannot be written ("
                      << std::strerror(errno) << "), expected a writable folder" << std::endl;
            return 1;
        }
    }
    return 0;
}

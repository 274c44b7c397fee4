// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "study-table.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

namespace ns3
{

namespace
{

/// @returns bytes as 10 KB, 1 MB, ...; a decade of 1 KB or more
std::string
Size(uint64_t bytes)
{
    static const char* const units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
    uint64_t value = bytes / 1000;
    std::size_t unit = 0;
    while (value >= 1000)
    {
        value /= 1000;
        unit++;
    }
    return std::to_string(value) + " " + units[unit];
}

std::string
SizeRange(const SlowdownStatistics::Bin& bin)
{
    return bin.lo == 0 ? "up to " + Size(bin.hi) : Size(bin.lo) + " - " + Size(bin.hi);
}

/// @returns a number with some digits after the point
std::string
Fixed(double value, int digits)
{
    std::ostringstream out;
    out << std::fixed << std::setprecision(digits) << value;
    return out.str();
}

/// @returns a number with a prefix: 4.21 M
std::string
Large(double value)
{
    if (value >= 1e6)
    {
        return Fixed(value / 1e6, 2) + " M";
    }
    return value >= 1e3 ? Fixed(value / 1e3, 2) + " k" : Fixed(value, 0);
}

std::string
Load(double load)
{
    return std::isnan(load) ? "-" : Fixed(100 * load, 1) + " %";
}

void
PrintBin(std::ostream& out, const std::string& name, const SlowdownStatistics::Bin& bin)
{
    out << "  " << std::left << std::setw(18) << name << std::right << std::setw(9) << bin.n;
    for (double value : {bin.mean, bin.p50, bin.p95, bin.p99})
    {
        out << std::setw(10) << (bin.n ? Fixed(value, 2) : "-");
    }
    out << '\n';
}

} // namespace

void
PrintTable(std::ostream& out, const RunSummary& summary)
{
    out << summary.study << ", scheme " << summary.scheme << ", seed " << summary.seed << "\n\n";
    out << "  FCT slowdown" << std::string(15, ' ') << "flows" << std::setw(10) << "mean"
        << std::setw(10) << "p50" << std::setw(10) << "p95" << std::setw(10) << "p99" << '\n';
    for (const auto& bin : summary.bins)
    {
        PrintBin(out, SizeRange(bin), bin);
    }
    PrintBin(out, "all sizes", summary.all);
    out << '\n';
    out << "  flows       " << summary.flowsCompleted << " of " << summary.flows << " completed in "
        << Fixed(summary.simulatedS * 1e3, 3) << " ms simulated\n";
    out << "  load        offered " << Load(summary.offeredLoad) << ", achieved "
        << Load(summary.achievedLoad) << " of the host links\n";
    for (const auto& [name, share] : summary.shares)
    {
        out << (&name == &summary.shares.front().first ? "  shares      " : ", ") << name << ' '
            << Fixed(100 * share, 2) << " %";
    }
    out << (summary.shares.empty() ? "" : "\n");
    const bool credits = summary.link == "infiniband";
    out << (credits ? "  credits     " : "  PFC         ") << summary.pauseFrames
        << (credits ? " updates, ports without enough for " : " pause frames, ports paused for ")
        << Fixed(summary.pauseTimeS * 1e3, 3) << " ms in all\n";
    if (summary.watchdog)
    {
        out << "  watchdog    acted " << summary.watchdog->detections << " times, dropped "
            << summary.watchdog->drops << " frames\n";
    }
    out << "  marks       " << summary.packetsCe << " data frames arrived with CE, "
        << summary.packetsUe << " with UE\n";
    if (summary.victims)
    {
        const MarkRecorder::Totals& victims = *summary.victims;
        out << "  victims     " << victims.marksByPauses << " of " << victims.marks << " marks and "
            << victims.notificationsByPauses << " of " << victims.notifications
            << " notifications came of pauses alone; " << victims.victimFlowsMarked << " of "
            << victims.flowsMarked << " marked flows are victims\n";
    }
    out << "  drops       " << summary.drops;
    if (summary.drops > 0)
    {
        out << " (" << summary.dropReasons << "), " << summary.retransmitted
            << " data frames sent again";
    }
    out << '\n';
    out << "  speed       " << Large(static_cast<double>(summary.packetHops)) << " packet hops in "
        << Fixed(summary.cpuS, 2) << " s of CPU time (" << Large(summary.GetHopsPerCpuSecond())
        << "/s), " << Large(static_cast<double>(summary.events)) << " events, peak "
        << Fixed(static_cast<double>(summary.peakRssKb) / 1024, 0) << " MiB\n";
}

} // namespace ns3

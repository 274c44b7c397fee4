// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "run-summary.h"

#include <fstream>
#include <string>

namespace ns3
{

namespace
{

void
WriteStatistics(JsonWriter& json, const SlowdownStatistics::Bin& bin)
{
    json.Member("n", bin.n);
    json.Member("mean", bin.n ? bin.mean : RunSummary::NONE);
    json.Member("p50", bin.n ? bin.p50 : RunSummary::NONE);
    json.Member("p95", bin.n ? bin.p95 : RunSummary::NONE);
    json.Member("p99", bin.n ? bin.p99 : RunSummary::NONE);
}

void
WriteParameters(JsonWriter& json, const std::vector<RunSummary::Parameter>& parameters)
{
    for (const auto& [name, value] : parameters)
    {
        json.Key(name);
        json.ValueFromText(value);
    }
}

void
WriteVictims(JsonWriter& json, const std::optional<MarkRecorder::Totals>& victims)
{
    if (!victims)
    {
        json.Null();
        return;
    }
    json.BeginObject();
    json.Member("marks", victims->marks);
    json.Member("marks_by_pauses", victims->marksByPauses);
    json.Member("notifications", victims->notifications);
    json.Member("notifications_by_pauses", victims->notificationsByPauses);
    json.Member("flows_marked", victims->flowsMarked);
    json.Member("victim_flows_marked", victims->victimFlowsMarked);
    json.EndObject();
}

} // namespace

double
RunSummary::GetHopsPerCpuSecond() const
{
    return cpuS > 0 ? static_cast<double>(packetHops) / cpuS : NONE;
}

void
RunSummary::Write(JsonWriter& json) const
{
    json.BeginObject();
    json.Member("study", study);
    json.Member("scheme", scheme);
    json.Member("seed", seed);
    json.Key("parameters");
    json.BeginObject();
    WriteParameters(json, parameters);
    for (const Group& group : groups)
    {
        json.Key(group.name);
        json.BeginObject();
        WriteParameters(json, group.parameters);
        json.EndObject();
    }
    json.EndObject();
    json.Member("ns3_version", ns3Version);
    json.Member("simulated_s", simulatedS);
    json.Member("cpu_s", cpuS);
    json.Member("wall_s", wallS);
    json.Member("peak_rss_kb", peakRssKb);
    json.Member("events", events);
    json.Member("packet_hops", packetHops);
    json.Member("hops_per_cpu_s", GetHopsPerCpuSecond());
    json.Member("flows", flows);
    json.Member("flows_completed", flowsCompleted);
    json.Member("offered_load", offeredLoad);
    json.Member("achieved_load", achievedLoad);
    if (!shares.empty())
    {
        json.Key("shares");
        json.BeginObject();
        for (const auto& [name, share] : shares)
        {
            json.Member(name, share);
        }
        json.EndObject();
    }
    json.Member("drops", drops);
    if (watchdog)
    {
        json.Key("watchdog");
        json.BeginObject();
        json.Member("detections", watchdog->detections);
        json.Member("drops", watchdog->drops);
        json.EndObject();
    }
    json.Member("pause_frames", pauseFrames);
    json.Member("pause_time_s", pauseTimeS);
    json.Member("packets_ce", packetsCe);
    json.Member("packets_ue", packetsUe);
    json.Member("packets_retransmitted", retransmitted);
    json.Key("victims");
    WriteVictims(json, victims);
    json.Key("slowdown");
    json.BeginObject();
    json.Key("all");
    json.BeginObject();
    WriteStatistics(json, all);
    json.EndObject();
    json.Key("bins");
    json.BeginArray();
    for (const auto& bin : bins)
    {
        json.BeginObject();
        json.Member("lo", bin.lo);
        json.Member("hi", bin.hi);
        WriteStatistics(json, bin);
        json.EndObject();
    }
    json.EndArray();
    json.EndObject();
    json.EndObject();
}

uint64_t
GetPeakMemoryKb()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
    {
        uint64_t kb = 0;
        if (word == "VmHWM:" && status >> kb)
        {
            return kb;
        }
    }
    return 0;
}

} // namespace ns3

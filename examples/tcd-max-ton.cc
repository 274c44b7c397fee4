// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// How long is an ON period? Equations 2 and 3 and figure 8 of TCD (SIGCOMM 2021). No simulation.
//
// ton.csv has Ton by equation 2 over the congestion degree epsilon and the rate Rd at which the
// downstream ingress is drained, as a share of C, up to the 1/2 of equation 3. max-ton.csv has
// max(Ton) for the links of section 4.3, with a delay of 1 us, and for those of the paper's
// simulations, with 4 us.

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/run-folder.h"
#include "ns3/scheme-presets.h"
#include "ns3/standard-output.h"
#include "ns3/study-options.h"
#include "ns3/tcd-detector.h"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/// @param table gets a row @param format of printf() @param values of the row
template <class... Values>
void
Row(OutputFile& table, const char* format, Values... values)
{
    char row[200];
    std::snprintf(row, sizeof row, format, values...);
    table.Stream() << row << '\n';
}

/// @returns [us]
double
Microseconds(Time time)
{
    return static_cast<double>(time.GetNanoSeconds()) / 1000;
}

} // namespace

int
main(int argc, char* argv[])
{
    DataRate rate("40Gb/s");
    Time tau = MicroSeconds(8);
    uint64_t hysteresis = 2000;
    uint32_t mtu = 1000;
    std::string out = "results/tcd-max-ton";
    try
    {
        GuardStandardOutput();
        StudyOptions options("lossless-tcd-max-ton",
                             "The length of ON periods by TCD's equations (SIGCOMM 2021, figure 8)."
                             " Nothing is simulated.");
        options.AddRate("link-rate", "C, line rate of ton.csv", rate);
        options.AddTime("tau", "Time until a pause or its end takes effect, of ton.csv", tau, true);
        options.AddBytes("hysteresis", "B1 - B0 = Xoff - Xon [B]", hysteresis);
        options.AddCount("mtu", "MTU of max-ton.csv [B]", mtu, 1);
        options.AddText("out", "Folder of the results", out);
        options.AddPrinting("list-schemes", "Print the schemes as JSON, and end", &WriteSchemes);
        options.Parse(argc, argv);

        RunFolder folder(out);
        OutputFile surface(folder, "ton.csv");
        Row(surface, "%s", "epsilon,drain_share,ton_us");
        for (int percent = 1; percent <= 30; percent++)
        {
            for (int twentieth = 0; twentieth <= 10; twentieth++)
            {
                const double epsilon = percent / 100.0;
                const double share = twentieth / 20.0;
                const auto drain =
                    static_cast<uint64_t>(share * static_cast<double>(rate.GetBitRate()) + 0.5);
                const Time ton =
                    TcdDetector::Ton(rate.GetBitRate(), drain, hysteresis, tau, epsilon);
                Row(surface, "%.2f,%.2f,%.3f", epsilon, share, Microseconds(ton));
            }
        }
        OutputFile typical(folder, "max-ton.csv");
        Row(typical, "%s", "rate_gbps,delay_us,epsilon,max_ton_us");
        std::printf("max(Ton) [us]     MTU %u B, Xoff - Xon %llu B\n\n  C [Gb/s]  delay [us]",
                    mtu,
                    static_cast<unsigned long long>(hysteresis));
        const double epsilons[] = {0.04, 0.05, 0.1};
        for (double epsilon : epsilons)
        {
            std::printf("   eps %.2f", epsilon);
        }
        std::printf("\n");
        for (int delay : {1, 4})
        {
            for (int gbps : {40, 100, 200, 400})
            {
                std::printf("  %8d  %10d", gbps, delay);
                for (double epsilon : epsilons)
                {
                    const Time maxTon = TcdDetector::MaxTon(gbps * 1000000000ULL,
                                                            mtu,
                                                            hysteresis,
                                                            0,
                                                            MicroSeconds(delay),
                                                            epsilon);
                    Row(typical, "%d,%d,%.2f,%.3f", gbps, delay, epsilon, Microseconds(maxTon));
                    std::printf("  %9.2f", Microseconds(maxTon));
                }
                std::printf("\n");
            }
        }
        surface.Close();
        typical.Close();
        std::printf("\nresults in %s\n", out.c_str());
        return 0;
    }
    catch (const std::exception& error)
    {
        std::cout << std::flush;
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
}

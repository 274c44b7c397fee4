// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

/**
 * @file
 * Input files and quantities: each text is accepted, and then what was read keeps its promises, or
 * it is refused with one error that names file and line.
 */

#include "fuzz.h"

#include "ns3/bundled-files.h"
#include "ns3/file-topology-helper.h"
#include "ns3/flow-list-file.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/input-error.h"
#include "ns3/lossless-fabric.h"
#include "ns3/quantity.h"
#include "ns3/scheme-presets.h"
#include "ns3/simulator.h"
#include "ns3/topology-file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslessfuzz;

namespace
{

constexpr std::size_t LONGEST_MESSAGE = 1000; // a longer one buries what it says

/// Fields that have made parsers fall.
const std::vector<std::string> ODD = {"",
                                      "-1",
                                      "0",
                                      "1",
                                      "2",
                                      "-0",
                                      "+1",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "1e308",
                                      "1e-308",
                                      "1e400",
                                      "0x10",
                                      "4294967295",
                                      "4294967296",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "1e6",
                                      "1.5",
                                      ".5",
                                      "5.",
                                      "1,5",
                                      "1e",
                                      "--1",
                                      "100Gbps",
                                      "100Gb/s",
                                      "1kb/s",
                                      "0Gbps",
                                      "-1Gbps",
                                      "100",
                                      "Gbps",
                                      "1us",
                                      "0ns",
                                      "0.5ns",
                                      "-1us",
                                      "1e9s",
                                      "9000000s",
                                      "1fs",
                                      "#",
                                      "\xef\xbb\xbf",
                                      "\xc2\xb5s",
                                      "\xff",
                                      "%s%n",
                                      "[",
                                      "]",
                                      "|",
                                      "=",
                                      "1\t1",
                                      "1 1",
                                      "\x1b[2J",
                                      "9007199254740993",
                                      "0.9999999999999999",
                                      "1.0000000000000002"};

std::string
ReadAll(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/**
 * @param folder of examples/
 * @param extension of the names
 * @returns the bundled files of a kind
 */
std::vector<std::string>
Bundled(const std::string& folder, const std::string& extension)
{
    const BundledFiles files(folder, extension);
    std::vector<std::string> texts;
    for (const std::string& name : files.GetNames())
    {
        texts.push_back(ReadAll(files.Find("", name)));
    }
    return texts;
}

std::vector<std::string>
SplitLines(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

std::string
Odd(Random& random)
{
    if (random.Chance(0.02))
    {
        return std::string(random.Size(1, 100000), static_cast<char>(random.Whole(1, 255)));
    }
    return random.Pick(ODD);
}

/// @returns a line with one field changed, added or left out
std::string
ChangeField(Random& random, const std::string& line)
{
    std::vector<std::string> fields;
    std::istringstream words(line);
    for (std::string word; words >> word;)
    {
        fields.push_back(word);
    }
    const std::size_t at = random.Whole(0, fields.size());
    const auto place = fields.begin() + static_cast<std::ptrdiff_t>(at);
    if (at == fields.size() || random.Chance(0.1))
    {
        fields.insert(place, Odd(random));
    }
    else if (random.Chance(0.1))
    {
        fields.erase(place);
    }
    else
    {
        *place = random.Chance(0.7) ? Odd(random) : std::to_string(random.Whole(0, 20));
    }
    std::string changed;
    for (const std::string& field : fields)
    {
        changed += (changed.empty() ? "" : " ") + field;
    }
    return changed;
}

/// @returns a text with some lines, fields or bytes changed
std::string
Mutate(Random& random, const std::string& original)
{
    std::vector<std::string> lines = SplitLines(original);
    for (uint64_t changes = random.Whole(0, 3); changes > 0 && !lines.empty(); changes--)
    {
        const std::size_t at = random.Whole(0, lines.size() - 1);
        const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
        switch (random.Whole(0, 5))
        {
        case 0:
            lines.erase(place);
            break;
        case 1:
            lines.insert(place, random.Pick(lines));
            break;
        case 2:
            std::swap(*place, lines[random.Whole(0, lines.size() - 1)]);
            break;
        default:
            *place = ChangeField(random, *place);
        }
    }
    const std::string end = random.Chance(0.1) ? "\r\n" : "\n";
    std::string text;
    for (const std::string& line : lines)
    {
        text += line + end;
    }
    for (uint64_t bytes = random.Chance(0.2) ? random.Whole(1, 4) : 0; bytes > 0 && !text.empty();
         bytes--)
    {
        text[random.Whole(0, text.size() - 1)] = static_cast<char>(random.Bits());
    }
    if (random.Chance(0.1))
    {
        text.resize(random.Whole(0, text.size()));
    }
    return text;
}

/// @returns a legal topology: every node on one that came before it
std::string
MakeTopology(Random& random)
{
    const uint64_t nodes = random.Whole(2, 20);
    const uint64_t switches = random.Whole(1, nodes - 1);
    std::ostringstream text;
    const uint64_t more = random.Whole(0, 3);
    text << nodes << ' ' << switches << ' ' << nodes - 1 + more << '\n';
    for (uint64_t i = 0; i < switches; i++)
    {
        text << i << ' ';
    }
    text << '\n';
    for (uint64_t i = 1; i < nodes + more; i++)
    {
        const uint64_t a = i < nodes ? i : random.Whole(1, nodes - 1);
        text << a << ' ' << random.Whole(0, std::min(a, switches) - 1) << ' '
             << random.Size(1, 800000) << random.Choose<std::string>("Mbps", "Mb/s", "kbps", "MBps")
             << ' ' << random.Whole(0, 9000)
             << random.Choose<std::string>("ns", "us", "000ps", "ms") << ' '
             << random.Choose<std::string>("0", "0.1", "1", "1e-9") << '\n';
    }
    return text.str();
}

std::string
MakeFlows(Random& random)
{
    const uint64_t flows = random.Whole(1, 10);
    std::ostringstream text;
    text << flows << '\n';
    for (uint64_t i = 0; i < flows; i++)
    {
        const uint64_t src = random.Whole(0, 10);
        text << src << ' ' << src + random.Whole(1, 5) << ' ' << random.Whole(0, 7) << ' '
             << random.Whole(1, 65535) << ' ' << random.Size(1, ~0ULL) << ' '
             << random.Whole(0, 9000000) << '.' << random.Whole(0, 999999999) << '\n';
    }
    return text.str();
}

std::string
MakeCdf(Random& random)
{
    std::ostringstream text;
    text.precision(17);
    double bytes = 0;
    double probability = 0;
    for (uint64_t points = random.Whole(0, 6); points > 0; points--)
    {
        bytes += random.Chance(0.2) ? 0 : static_cast<double>(random.Size(1, 1ULL << 40));
        probability += random.Chance(0.2) ? 0 : (1 - probability) * random.Real();
        text << bytes << ' ' << probability << '\n';
    }
    text << bytes + static_cast<double>(random.Size(1, 1000)) << " 1\n";
    return text.str();
}

/**
 * @param error of a file
 * @param path that file
 * @param text its content
 */
void
RequireGoodError(const std::string& error, const std::string& path, const std::string& text)
{
    const std::string shown = error.substr(0, 300);
    Require(error.rfind(path + ":", 0) == 0, "an error that does not name the file: ", shown);
    for (unsigned char c : error)
    {
        Require(c >= 0x20 && c != 0x7f, "a control character in: ", shown);
    }
    Require(error.size() < LONGEST_MESSAGE + path.size(), "a message of ", error.size(), " bytes");
    const std::size_t found = error.find(" found ", path.size());
    const std::size_t expected = error.find(", expected ", path.size());
    Require(found != std::string::npos && expected != std::string::npos && found < expected,
            "an error without found and expected: ",
            shown);
    const std::string place = error.substr(path.size(), found - path.size());
    if (place == ":")
    {
        // The file as a whole, where no line has anything or it is no text
        const std::vector<std::string> whole = {"empty file", "no points", "binary", "compressed"};
        const bool isWhole = std::any_of(whole.begin(), whole.end(), [&](const std::string& word) {
            return error.find(word, found) != std::string::npos;
        });
        Require(isWhole, "an error without a line: ", shown);
        return;
    }
    Require(place.size() > 2 && place.back() == ':' &&
                place.find_first_not_of("0123456789", 1) == place.size() - 1,
            "an error without a line: ",
            shown);
    const uint64_t line = std::stoull(place.substr(1));
    Require(line >= 1 && line <= SplitLines(text).size(), "line ", line, " of no line: ", shown);
}

/// @param error of something built of a file that was read @throws Violation
void
RequireOneLine(const std::string& error)
{
    Require(error.find('\n') == std::string::npos && error.find(", expected ") != std::string::npos,
            "an error that is no InputError of one line: ",
            error.substr(0, 300));
}

struct SimulatorEnd
{
    ~SimulatorEnd()
    {
        Simulator::Destroy();
    }
};

void
CheckTopology(const std::string& path)
{
    const TopologySpec topology = ReadTopologyFile(path);
    std::vector<bool> isSwitch(topology.nodes, false);
    Require(topology.nodes >= 2, topology.nodes, " nodes");
    for (uint32_t id : topology.switches)
    {
        Require(id < topology.nodes && !isSwitch[id], "switch ", id);
        isSwitch[id] = true;
    }
    Require(!topology.links.empty(), "no links");
    for (const LinkSpec& link : topology.links)
    {
        Require(link.a < topology.nodes && link.b < topology.nodes && link.a != link.b, "nodes");
        Require(link.rateBps > 0, "rate 0");
        Require(link.delayNs >= 0, "delay ", link.delayNs);
        Require(link.errorRate >= 0 && link.errorRate <= 1, "error rate ", link.errorRate);
    }
    if (topology.nodes > 64)
    {
        return;
    }
    const SimulatorEnd end;
    try
    {
        LosslessFabric fabric;
        FileTopologyHelper(path).Build(fabric);
        fabric.Build();
        for (uint32_t host = 0; host < fabric.GetNHosts(); host++)
        {
            Require(bool(fabric.GetRdma(host)), "host ", host, " without an engine");
        }
    }
    catch (const InputError& error)
    {
        RequireOneLine(error.what()); // such as a host that cannot be reached
    }
}

void
CheckFlows(const std::string& path)
{
    const FlowList list = ReadFlowListFile(path);
    Require(!list.flows.empty() && list.flows.size() == list.lines.size(), "no flows or lines");
    for (std::size_t i = 0; i < list.flows.size(); i++)
    {
        const FlowSpec& flow = list.flows[i];
        Require(flow.id == i, "id ", flow.id, " of flow ", i);
        Require(flow.src != flow.dst && flow.bytes > 0 && flow.priority < 8, "flow ", i);
        Require(flow.startNs >= (i ? list.flows[i - 1].startNs : 0), "start of flow ", i);
    }
    static ScratchFile copy;
    const std::string& written = copy.Write("");
    WriteFlowListFile(written, list.flows);
    const FlowList again = ReadFlowListFile(written);
    Require(again.flows.size() == list.flows.size(), "flows written and read");
    for (std::size_t i = 0; i < list.flows.size(); i++)
    {
        const FlowSpec& a = list.flows[i];
        const FlowSpec& b = again.flows[i];
        Require(a.src == b.src && a.dst == b.dst && a.priority == b.priority && a.port == b.port &&
                    a.bytes == b.bytes && a.startNs == b.startNs,
                "flow ",
                i,
                " written and read");
    }
}

void
CheckCdf(const std::string& path)
{
    const FlowSizeDistribution distribution = FlowSizeDistribution::FromFile(path);
    Require(distribution.Mean() > 0 && std::isfinite(distribution.Mean()),
            "mean ",
            distribution.Mean());
    double before = 0;
    for (double u : {0.0, 1e-9, 0.25, 0.5, 0.75, 1 - 1e-9, 1.0})
    {
        const double bytes = distribution.Quantile(u);
        Require(bytes >= before && std::isfinite(bytes), "quantile ", u, " ", bytes);
        // Of larger sizes a double holds too little behind the point.
        Require(bytes > 1e9 || distribution.Cdf(bytes) >= u - 1e-6, "CDF of quantile ", u);
        before = bytes;
    }
    static const Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    Require(distribution.Sample(uniform) >= 1, "a flow of no bytes");
}

/**
 * Reads a file.
 *
 * @param text its content
 * @param check reads it
 * @returns whether it was accepted
 */
std::string
ReadFile(const std::string& kind, const std::string& text, void (*check)(const std::string&))
{
    static ScratchFile file;
    const std::string& path = file.Write(text);
    try
    {
        check(path);
        return kind + " accepted";
    }
    catch (const InputError& error)
    {
        RequireGoodError(error.what(), path, text);
        return kind + " refused";
    }
}

std::string
ReadQuantity(Random& random)
{
    std::string text = random.Chance(0.5) ? random.Pick(ODD)
                                          : std::to_string(random.Size(1, ~0ULL)) +
                                                (random.Chance(0.3) ? ".5" : "");
    if (random.Chance(0.7))
    {
        text += random.Choose<std::string>("s",
                                           "ms",
                                           "us",
                                           "ns",
                                           "ps",
                                           "b/s",
                                           "Gb/s",
                                           "Tbps",
                                           "GBps",
                                           "KB",
                                           "MB",
                                           "GB",
                                           "B");
    }
    bool read = false;
    int64_t ns = 0;
    int64_t nsAgain = 0;
    if (ParseTime(text, ns))
    {
        read = true;
        Require(ns >= 0 && ns <= 9000000000000000, "time '", text, "' is ", ns);
        Require(ParseTime(TimeText(ns), nsAgain) && ns == nsAgain, "time '", text, "'");
    }
    uint64_t number = 0;
    uint64_t again = 0;
    if (ParseRate(text, number))
    {
        read = true;
        Require(number >= 1, "rate '", text, "'");
        Require(ParseRate(RateText(number), again) && number == again, "rate '", text, "'");
    }
    if (ParseBytes(text, number))
    {
        read = true;
        Require(ParseBytes(std::to_string(number), again) && number == again, "'", text, "'");
    }
    std::string type;
    std::vector<Scheme::Setting> settings;
    if (ReadFactory("ns3::A[x=" + text + "|y=" + random.Pick(ODD) + "]", type, settings))
    {
        ReadFactory(FactoryText(type, settings), type, settings);
    }
    return read ? "quantities accepted" : "quantities refused";
}

std::string
RunCase(Random& random)
{
    static const std::vector<std::string> topologies = Bundled("topologies", ".txt");
    static const std::vector<std::string> flows = Bundled("flows", ".txt");
    static const std::vector<std::string> cdfs = Bundled("workloads", ".cdf");
    const bool grammar = random.Chance(0.5);
    switch (random.Whole(0, 3))
    {
    case 0:
        return ReadFile("topologies",
                        Mutate(random, grammar ? MakeTopology(random) : random.Pick(topologies)),
                        &CheckTopology);
    case 1:
        return ReadFile("flow lists",
                        Mutate(random, grammar ? MakeFlows(random) : random.Pick(flows)),
                        &CheckFlows);
    case 2:
        return ReadFile("CDFs",
                        Mutate(random, grammar ? MakeCdf(random) : random.Pick(cdfs)),
                        &CheckCdf);
    default:
        return ReadQuantity(random);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return Fuzzer("lossless-fuzz-parsers",
                  "Reads topologies, flow lists, CDFs and quantities that are nearly right.",
                  RunCase)
        .Main(argc, argv);
}

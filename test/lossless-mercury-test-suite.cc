// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mercury-detector.h"
#include "ns3/mercury-unit-helper.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/**
 * @param threshold of the detector [B]
 * @param controller that keeps the rate, empty for the preset's
 * @returns the preset with them
 */
Scheme
MercuryScheme(const std::string& threshold, const std::string& controller = "")
{
    Scheme scheme = FindScheme("mercury");
    for (Scheme::Setting& setting : scheme.detectorSettings)
    {
        setting.value = setting.attribute == "Threshold" ? threshold : setting.value;
    }
    for (Scheme::Setting& setting : scheme.controllerSettings)
    {
        if (setting.attribute == "Controller" && !controller.empty())
        {
            setting.value = controller;
        }
    }
    return scheme;
}

/// Follows one sender: what it has in flight and the CNPs that reach it.
class SenderWatch
{
  public:
    /// A CNP that arrived.
    struct ToldWindow
    {
        int64_t ns;      //!< when [ns]
        uint32_t window; //!< that it tells [B]
    };

    /// @param port of the host
    explicit SenderWatch(Ptr<LosslessNetDevice> port)
    {
        port->TraceConnectWithoutContext("Transmit", MakeCallback(&SenderWatch::Sent, this));
        port->TraceConnectWithoutContext("FrameReceived", MakeCallback(&SenderWatch::Came, this));
    }

    SenderWatch(const SenderWatch&) = delete;
    SenderWatch& operator=(const SenderWatch&) = delete;

    /**
     * @param fromNs begin
     * @param toNs end
     * @returns most that was in flight when a frame was sent, without that frame [B]
     */
    uint64_t MaxInFlight(int64_t fromNs, int64_t toNs) const
    {
        uint64_t most = 0;
        for (const auto& entry : inFlight)
        {
            most =
                entry.first >= fromNs && entry.first < toNs ? std::max(most, entry.second) : most;
        }
        return most;
    }

    std::vector<ToldWindow> cnps;                       //!< in order
    std::vector<std::pair<int64_t, uint64_t>> inFlight; //!< by frame sent: when, before it [B]

  private:
    void Sent(const Frame& frame)
    {
        if (frame.kind == FrameKind::DATA)
        {
            inFlight.emplace_back(Simulator::Now().GetNanoSeconds(),
                                  1000 * static_cast<uint64_t>(frame.psn - m_acked));
        }
    }

    void Came(const Frame& frame)
    {
        if (frame.kind == FrameKind::ACK)
        {
            m_acked = frame.psn + 1;
        }
        else if (frame.kind == FrameKind::NOTIFICATION)
        {
            cnps.push_back(
                {Simulator::Now().GetNanoSeconds(), std::get<Cnp>(frame.notification).windowBytes});
        }
    }

    uint32_t m_acked{0}; //!< frames
};

/// Follows a switch's port: its queue when CNPs are sent because of it, and its states.
class CongestedPortWatch
{
  public:
    /// @param port of a switch
    explicit CongestedPortWatch(Ptr<LosslessNetDevice> port)
        : m_port(port)
    {
        port->TraceConnectWithoutContext("Gate", MakeCallback(&CongestedPortWatch::Gate, this));
        port->TraceConnectWithoutContext("Enqueue",
                                         MakeCallback(&CongestedPortWatch::Enqueued, this));
        port->GetDetector(3)->TraceConnectWithoutContext(
            "State",
            MakeCallback(&CongestedPortWatch::Changed, this));
    }

    CongestedPortWatch(const CongestedPortWatch&) = delete;
    CongestedPortWatch& operator=(const CongestedPortWatch&) = delete;

    std::map<CongestionDetector::PortState, uint32_t> states; //!< times that each was taken
    uint32_t pauses{0};                                       //!< times that the port went OFF
    uint64_t maxQueue{0};                                     //!< [B]

  private:
    void Gate(uint8_t, bool off)
    {
        pauses += off;
    }

    void Enqueued(const Frame&)
    {
        maxQueue = std::max(maxQueue, m_port->GetQueueState(3).bytes);
    }

    void Changed(Time, CongestionDetector::PortState, CongestionDetector::PortState state)
    {
        states[state]++;
    }

    Ptr<LosslessNetDevice> m_port; //!< the port
};

/// LosslessFabric::GetLargestBaseRtt() against all pairs of hosts.
class LargestBaseRttTest : public LosslessTestCase
{
  public:
    LargestBaseRttTest()
        : LosslessTestCase("the largest base RTT is that of the farthest pair of hosts")
    {
    }

  private:
    /**
     * @param fabric built
     * @returns the largest over all pairs, each with several hashes
     */
    static Time FromPairs(const LosslessFabric& fabric)
    {
        Time largest;
        for (uint32_t a = 0; a < fabric.GetNHosts(); a++)
        {
            for (uint32_t b = 0; b < fabric.GetNHosts(); b++)
            {
                for (uint32_t id = 0; a != b && id < 16; id++)
                {
                    largest = std::max(largest, fabric.GetBaseRtt(MakeFlow(id, a, b, 1)));
                }
            }
        }
        return largest;
    }

    /**
     * @param fabric built by hand
     * @param expected result, 0 for that of all pairs [ns]
     */
    void Check(LosslessFabric& fabric, const std::string& name, int64_t expected = 0)
    {
        fabric.SetScheme(FindScheme("mercury"));
        fabric.Build();
        const Time pairs = FromPairs(fabric);
        NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetLargestBaseRtt()), Number(pairs), name);
        if (expected > 0)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(pairs), expected, name);
        }
        const Time told = fabric.GetSwitches().back()->GetTraffic().baseRtt;
        NS_TEST_EXPECT_MSG_EQ(Number(told), Number(pairs), name << ": switches know it");
    }

    void DoRun() override
    {
        {
            // Two frames of 1082 B and two ACKs of 86 B at 5 B/ns, and 16 us: 16467.2 ns
            LosslessFabric fabric;
            AddStar(fabric, 3, "40Gb/s", MicroSeconds(4));
            Check(fabric, "star", 16468);
        }
        {
            // The host with the long link is alone there: the pair is not itself with itself.
            LosslessFabric fabric;
            const uint32_t hub = fabric.AddSwitch("hub");
            for (const int us : {1, 1, 20, 3})
            {
                fabric.AddLink(fabric.AddHost("h" + std::to_string(fabric.GetNHosts())),
                               hub,
                               DataRate("100Gb/s"),
                               MicroSeconds(us));
            }
            // 2 x (20 + 3) us, two frames and two ACKs at 12.5 B/ns: 46186.88 ns
            Check(fabric, "uneven star", 46187);
        }
        {
            // Two paths of as many links; the longer one counts.
            LosslessFabric fabric;
            const uint32_t left = fabric.AddSwitch("left");
            const uint32_t right = fabric.AddSwitch("right");
            const uint32_t near = fabric.AddSwitch("near");
            const uint32_t far = fabric.AddSwitch("far");
            const DataRate rate("100Gb/s");
            for (const uint32_t end : {left, right})
            {
                fabric.AddLink(fabric.AddHost("h" + std::to_string(end)),
                               end,
                               DataRate("40Gb/s"),
                               MicroSeconds(1));
                fabric.AddLink(end, near, rate, MicroSeconds(1));
                fabric.AddLink(end, far, rate, MicroSeconds(5));
            }
            Check(fabric, "two paths");
        }
        {
            LosslessFabric fabric;
            FatTreeHelper tree;
            tree.SetArity(4);
            tree.Build(fabric);
            Check(fabric, "fat-tree");
        }
    }
};

/// Notes what it may know of its port.
class ContextProbe : public CongestionDetector
{
  public:
    using CongestionDetector::Context;
};

/// What a switch tells its detectors beside the far end's thresholds.
class DetectorContextTest : public LosslessTestCase
{
  public:
    DetectorContextTest()
        : LosslessTestCase("a detector knows its switch's Xoff, preamble and gap, and base RTT")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 2, "100Gb/s", MicroSeconds(4));
        fabric.SetSwitchAttribute("Threshold", StringValue("Static"));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(620000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(618000));
        fabric.SetScheme(FindScheme("mercury"));
        fabric.Build();
        Ptr<LosslessNetDevice> port = fabric.GetSwitches()[0]->GetPort(1);
        Ptr<MercuryDetector> detector = DynamicCast<MercuryDetector>(port->GetDetector(3));
        Ptr<ContextProbe> probe = CreateObject<ContextProbe>();
        port->SetDetector(4, probe);
        Simulator::Stop(NanoSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(probe->Context().ownXoffBytes, 620000, "Xoff");
        NS_TEST_EXPECT_MSG_EQ(probe->Context().xoffBytes, 0, "the far end is a host");
        NS_TEST_EXPECT_MSG_EQ(probe->Context().overheadBytes, 20, "preamble and gap");
        const Time baseRtt = fabric.GetBaseRtt(MakeFlow(0, 0, 1, 1000));
        NS_TEST_EXPECT_MSG_EQ(Number(probe->Context().baseRtt), Number(baseRtt), "base RTT");
        // 200 KB x 100/40 is above Xoff / 2.
        NS_TEST_EXPECT_MSG_EQ(detector->GetThreshold(), 310000, "Mercury's threshold");
    }
};

/// Figure 2 of the paper. F1 from H1 to R1 passes P1 and P2, F2 from H2 to R2 P3 too.
class UnitShapeTest : public LosslessTestCase
{
  public:
    UnitShapeTest()
        : LosslessTestCase("shape of the unit")
    {
    }

  private:
    void DoRun() override
    {
        MercuryUnitHelper unit;
        unit.SetSenderRate(DataRate("20Gb/s"));
        LosslessFabric fabric;
        unit.Build(fabric);
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), 2 + 2 + 8, "hosts");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitches().size(), 3, "switches");
        const std::pair<const char*, uint32_t> numbers[] =
            {{"H1", 0}, {"H2", 1}, {"R1", 2}, {"R2", 3}, {"B1", 4}, {"B8", 11}};
        for (const auto& host : numbers)
        {
            NS_TEST_EXPECT_MSG_EQ(MercuryUnitHelper::GetHost(fabric, host.first),
                                  host.second,
                                  "number of " << host.first);
        }
        const auto victim = fabric.GetPath(MakeFlow(0, 0, 2, 1000));
        const auto congested = fabric.GetPath(MakeFlow(1, 1, 3, 1000));
        LOSSLESS_TEST_REQUIRE((victim.size() == 4 && congested.size() == 4), true, "hops");
        const std::vector<UnitTopologyHelper::Port> ports = MercuryUnitHelper::GetPorts();
        LOSSLESS_TEST_REQUIRE(ports.size(), 3, "P1, P2 and P3");
        for (uint32_t i = 0; i < 3; i++)
        {
            const UnitTopologyHelper::Port& port = ports[i];
            const auto devices =
                fabric.GetPortsBetween(fabric.GetIndex(port.node), fabric.GetIndex(port.peer));
            LOSSLESS_TEST_REQUIRE(devices.size(), 1, "links of " << port.name);
            const auto device = devices[0];
            NS_TEST_EXPECT_MSG_EQ(port.name, "P" + std::to_string(i + 1), "name of a port");
            NS_TEST_EXPECT_MSG_EQ((congested[i + 1] == device), true, "F2 passes " << port.name);
            NS_TEST_EXPECT_MSG_EQ((victim[i + 1] == device), (i < 2), "F1 at " << port.name);
        }
        const auto burst = fabric.GetPath(MakeFlow(2, 11, 3, 1000));
        NS_TEST_EXPECT_MSG_EQ((burst.size() == 2 && burst[1] == congested[3]), true, "of B8");
        const auto rates = fabric.GetHostRatesBps();
        for (uint32_t host = 0; host < rates.size(); host++)
        {
            NS_TEST_EXPECT_MSG_EQ(rates[host],
                                  (host < 2 ? 20000000000 : 40000000000),
                                  "rate of host " << host);
        }
    }
};

/**
 * Two senders and one receiver at a switch of 40 Gb/s and 4 us, base RTT 16468 ns, C baseRTT
 * 82340 B. The senders keep line rate, so that nothing but their windows limits them: together they
 * have up to 164680 B in flight, of which 82340 B have to wait, and Threshold is 50 KB.
 */
class TwoIntoOneTest : public LosslessTestCase
{
  public:
    TwoIntoOneTest()
        : LosslessTestCase("2 into 1: the switch's CNPs close the windows to their share")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t RTT_NS = 16468;
        constexpr uint64_t WHOLE = 82340;
        constexpr int64_t RESTORE_NS = 55000;
        constexpr uint64_t PATH_FRAMES = 76; // WHOLE / 1082 B
        LosslessFabric fabric;
        AddStar(fabric, 3, "40Gb/s", MicroSeconds(4));
        fabric.SetScheme(MercuryScheme("50000", "ns3::RateController"));
        fabric.Build();
        CongestedPortWatch port(fabric.GetSwitches()[0]->GetPort(2));
        std::vector<std::unique_ptr<SenderWatch>> senders;
        for (uint32_t host : {0, 1})
        {
            senders.push_back(std::make_unique<SenderWatch>(fabric.GetRdma(host)->GetDevice()));
        }
        fabric.InstallFlows({MakeFlow(0, 0, 2, 2000000), MakeFlow(1, 1, 2, 2000000)});
        CompletionRecorder completions(fabric);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();

        for (const auto& sender : senders)
        {
            const auto& cnps = sender->cnps;
            LOSSLESS_TEST_REQUIRE((cnps.size() > 1), true, "CNPs reach the sender");
            // 50 KB gather in 10 us from 4.2 us on; half the share is 41170 B, and a queue of 47
            // frames and more in turns gives neither more than two frames' advantage.
            NS_TEST_EXPECT_MSG_EQ_TOL(cnps[0].ns / 1e3, 4.2 + 10 + 4, 1.0, "first CNP");
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cnps[0].window),
                                      WHOLE / 2.0,
                                      WHOLE / 47.0,
                                      "half of the path");
            // A frame is sent while less than the window is in flight.
            const uint64_t before = sender->MaxInFlight(0, cnps[0].ns);
            NS_TEST_EXPECT_MSG_LT(before, WHOLE, "the whole path before the first CNP");
            NS_TEST_EXPECT_MSG_GT(before, 1000 * PATH_FRAMES, "and something waits");
            // Both close at once, which ends the congestion: one CNP until the windows open again.
            const int64_t opensNs = cnps[0].ns + RESTORE_NS;
            LOSSLESS_TEST_REQUIRE((cnps[1].ns > opensNs), true, "the congestion ends");
            const uint64_t held = sender->MaxInFlight(cnps[0].ns, opensNs);
            NS_TEST_EXPECT_MSG_LT(held, cnps[0].window, "the window holds for RestoreInterval");
            NS_TEST_EXPECT_MSG_GT(held + 1001, cnps[0].window, "and is used");
            const uint64_t after = sender->MaxInFlight(opensNs, cnps[1].ns);
            NS_TEST_EXPECT_MSG_GT(after, cnps[0].window + 1000, "then it opens");
            NS_TEST_EXPECT_MSG_LT(after, WHOLE, "to what it was at first");
        }
        NS_TEST_EXPECT_MSG_EQ(port.pauses, 0, "nothing pauses this port");
        NS_TEST_EXPECT_MSG_EQ(port.states[CongestionDetector::UNDETERMINED], 0, "determined");
        NS_TEST_EXPECT_MSG_GT(port.states[CongestionDetector::CONGESTION], 1, "congested at times");
        // 83 frames of 1000 user bytes are the first above C baseRTT.
        NS_TEST_EXPECT_MSG_LT(port.maxQueue,
                              (2 * 83 - PATH_FRAMES) * 1062 + 1,
                              "what is in flight beyond the path has to wait");
        NS_TEST_EXPECT_MSG_EQ(completions.completions.size(), 2, "both complete");
        // 4000 frames of 1082 B at 5 B/ns take 865.6 us. Each window is the smallest of several
        // shares, of which the sum is less than the path: some of the line rate is lost.
        const int64_t last = std::max(completions.Fct(0), completions.Fct(1));
        NS_TEST_EXPECT_MSG_LT(last, 1.05 * (865600 + RTT_NS), "most of the line rate is used");
        NS_TEST_EXPECT_MSG_EQ(completions.completions[0].cnpCe, senders[0]->cnps.size(), "counted");
    }
};

/**
 * Like figure 2 of the paper: F1 (host 0 to host 2) and F2 (host 1 to host 3) enter at S1, and
 * bursts of eight hosts at S2 congest F2's last link of 40 Gb/s. PFC spreads to S1, where F1 and F2
 * share a port that is undetermined, not congested. So that this can be seen in the detector alone,
 *   - the senders keep line rate without a window: with one of C baseRTT there is no PFC at all;
 *   - F1 and F2 have 18 Gb/s, not 20: what comes to the shared port is less than it can send, so
 *     that its queue decreases when it is released, and does not just stay;
 *   - there is no switch between: to it, what S1 has kept back comes at line rate.
 */
class VictimTest : public LosslessTestCase
{
  public:
    VictimTest()
        : LosslessTestCase("a victim behind paused ports gets no CNP, its neighbour does")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t BURST_HOSTS = 8;
        LosslessFabric fabric;
        std::vector<uint32_t> switches;
        for (const char* name : {"S1", "S2"})
        {
            switches.push_back(fabric.AddSwitch(name));
        }
        const DataRate rate("40Gb/s");
        const Time delay = MicroSeconds(4);
        fabric.AddLink(switches[0], switches[1], rate, delay);
        fabric.AddLink(fabric.AddHost("H1"), switches[0], DataRate("18Gb/s"), delay);
        fabric.AddLink(fabric.AddHost("H2"), switches[0], DataRate("18Gb/s"), delay);
        fabric.AddLink(fabric.AddHost("R1"), switches[1], rate, delay);
        fabric.AddLink(fabric.AddHost("R2"), switches[1], rate, delay);
        for (uint32_t b = 0; b < BURST_HOSTS; b++)
        {
            fabric.AddLink(fabric.AddHost("B" + std::to_string(b)), switches[1], rate, delay);
        }
        fabric.SetSwitchAttribute("Threshold", StringValue("Static"));
        fabric.SetSwitchAttribute("Xoff", UintegerValue(320000));
        fabric.SetSwitchAttribute("Xon", UintegerValue(318000));
        Scheme scheme = MercuryScheme("200000");
        scheme.controller = "ns3::RateController";
        scheme.controllerSettings = {};
        fabric.SetScheme(scheme);
        fabric.Build();
        CongestedPortWatch p1(fabric.GetSwitches()[0]->GetPort(0));
        CongestedPortWatch p3(
            fabric.GetPortsBetween(fabric.GetIndex("S2"), fabric.GetIndex("R2"))[0]);
        SenderWatch victim(fabric.GetRdma(0)->GetDevice());
        SenderWatch congested(fabric.GetRdma(1)->GetDevice());
        std::vector<FlowSpec> flows = {MakeFlow(0, 0, 2, 20000000), MakeFlow(1, 1, 3, 20000000)};
        const uint32_t firstBurst = 4;
        // Six rounds, one every 80 us, last about the 500 us of the paper (8 x 50 KB each).
        for (uint32_t round = 0; round < 6; round++)
        {
            for (uint32_t b = 0; b < BURST_HOSTS; b++)
            {
                flows.push_back(MakeFlow(flows.size(),
                                         firstBurst + b,
                                         3,
                                         50000,
                                         1000000 + 80000 * static_cast<int64_t>(round)));
            }
        }
        fabric.InstallFlows(flows);
        Simulator::Stop(MilliSeconds(3));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(p1.pauses, 0, "PFC spreads");
        NS_TEST_EXPECT_MSG_GT(p1.maxQueue, 200000, "and the queue behind it exceeds the threshold");
        NS_TEST_EXPECT_MSG_GT(p1.states[CongestionDetector::UNDETERMINED], 0, "undetermined");
        NS_TEST_EXPECT_MSG_EQ(p1.states[CongestionDetector::CONGESTION], 0, "and not congested");
        NS_TEST_EXPECT_MSG_GT(p3.states[CongestionDetector::CONGESTION], 0, "congested");
        NS_TEST_EXPECT_MSG_EQ(p3.states[CongestionDetector::UNDETERMINED], 0, "determined");
        NS_TEST_EXPECT_MSG_EQ(victim.cnps.size(), 0, "no CNP to the victim");
        NS_TEST_EXPECT_MSG_GT(congested.cnps.size(), 0, "CNPs to the one that causes it");
    }
};

/// All tests of Mercury.
class LosslessMercuryTestSuite : public TestSuite
{
  public:
    LosslessMercuryTestSuite()
        : TestSuite("lossless-mercury", Type::UNIT)
    {
        AddTestCase(new LargestBaseRttTest);
        AddTestCase(new DetectorContextTest);
        AddTestCase(new UnitShapeTest);
        AddTestCase(new TwoIntoOneTest);
        AddTestCase(new VictimTest);
    }
};

static LosslessMercuryTestSuite g_losslessMercuryTestSuite; //!< registers the suite

} // namespace

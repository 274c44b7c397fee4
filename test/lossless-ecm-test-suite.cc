// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// ECM and QCN at work: congestion points in a switch, rate limiters in the hosts' ports. What they
// keep, the scheme `none` does not: a short queue, and no pauses. The share of two senders is fair
// with `none` too, as PFC lets a switch's ports take turns.

#include "lossless-test-harness.h"

#include "ns3/application.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/object-factory.h"
#include "ns3/qcn-reaction-point.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

constexpr uint8_t PRIORITY = 3;
constexpr uint32_t RECEIVER = 2;   // host, and port of the switch
constexpr double LINE_BPS = 10e9;  // of all links
constexpr int64_t STEP_NS = 10000; // between two looks at the queue

/// What happens in a star of two senders and a receiver at 10 Gb/s.
class Star
{
  public:
    /// @param scheme by name @param stackPriority of packets of ns-3's stack
    explicit Star(const std::string& scheme, uint8_t stackPriority = 0)
    {
        RngSeedManager::SetSeed(1);
        AddStar(fabric, 3, "10Gb/s", MicroSeconds(1));
        fabric.SetScheme(FindScheme(scheme));
        fabric.SetDeviceAttribute("StackPriority", UintegerValue(stackPriority));
        fabric.Build();
        fabric.AssignStreams(1);
        links = std::make_unique<LinkCounter>(fabric);
        egress = EthernetSwitchOf(fabric, 0)->GetPort(RECEIVER);
        for (uint32_t host = 0; host < 3; host++)
        {
            fabric.GetRdma(host)->GetDevice()->TraceConnectWithoutContext(
                "FrameReceived",
                MakeCallback(&Star::Received, this));
        }
    }

    Star(const Star&) = delete;
    Star& operator=(const Star&) = delete;

    /// Runs, and counts from one time to another. @param from begin @param until end
    void Run(Time from, Time until)
    {
        bytes.fill(0);
        sum = 0;
        looks = 0;
        largestQueue = 0;
        CallAt(from - Simulator::Now(), [this, until]() {
            sentBefore = egress->GetSentBytes();
            framesBefore = egress->GetSentFrames();
            bytes.fill(0);
            Look(until);
        });
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
        const uint64_t wire =
            egress->GetSentBytes() - sentBefore +
            egress->GetInterFrameOverhead() * (egress->GetSentFrames() - framesBefore);
        utilisation = wire * 8.0 / (LINE_BPS * (until - from).GetSeconds());
        shareOfFirst = static_cast<double>(bytes[0]) / (bytes[0] + bytes[1]);
        meanQueue = sum / looks;
    }

    LosslessFabric fabric;              //!< the network
    std::unique_ptr<LinkCounter> links; //!< all of it
    Ptr<LosslessNetDevice> egress;      //!< the switch's port to the receiver
    uint64_t messages{0};               //!< of congestion points, that arrived
    uint64_t stops{0};                  //!< ECM(0,0) among them
    double utilisation{0};              //!< of the link to the receiver
    double shareOfFirst{0};             //!< of the bytes that arrived
    double meanQueue{0};                //!< waiting for that link [B]
    uint64_t largestQueue{0};           //!< the same [B]

  private:
    /// Looks at the queue, again and again.
    void Look(Time until)
    {
        const uint64_t queue = egress->GetQueueState(PRIORITY).bytes;
        sum += static_cast<double>(queue);
        looks++;
        largestQueue = std::max(largestQueue, queue);
        if (Simulator::Now() < until)
        {
            CallAt(NanoSeconds(STEP_NS), [this, until]() { Look(until); });
        }
    }

    void Received(const Frame& frame)
    {
        if (frame.kind == FrameKind::NOTIFICATION)
        {
            messages++;
            const auto* ecm = std::get_if<EcmMessage>(&frame.notification);
            stops += ecm && ecm->offset == 0 && ecm->delta == 0;
        }
        else if (frame.priority == PRIORITY)
        {
            bytes.at(frame.addresses.sourceMac[5] - 1) += frame.bytes; // host + 1
        }
    }

    std::array<uint64_t, 3> bytes{}; //!< that arrived, by sender
    uint64_t sentBefore{0};          //!< by egress
    uint64_t framesBefore{0};        //!< by egress
    double sum{0};                   //!< of queues
    double looks{0};                 //!< how many
};

/// What a scheme is to keep.
struct Expected
{
    std::string scheme;    //!< which
    double leastQueue{0};  //!< mean [B]
    double mostQueue{0};   //!< mean [B]
    double utilisation{0}; //!< at least
    Time from;             //!< when the steady state begins
    Time until;            //!< end of the run
};

/// Two connections send for ever into one port.
class TwoSendersTestCase : public LosslessTestCase
{
  public:
    explicit TwoSendersTestCase(const Expected& expected)
        : LosslessTestCase("two senders, " + expected.scheme),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        const Expected& e = m_expected;
        Star star(e.scheme);
        star.fabric.InstallFlows(
            {MakeFlow(0, 0, RECEIVER, 4000000000), MakeFlow(1, 1, RECEIVER, 4000000000)});
        star.Run(e.from, e.until);
        NS_TEST_EXPECT_MSG_GT(star.meanQueue, e.leastQueue, "mean queue");
        NS_TEST_EXPECT_MSG_LT(star.meanQueue, e.mostQueue, "mean queue");
        NS_TEST_EXPECT_MSG_GT(star.utilisation, e.utilisation, "utilisation");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.shareOfFirst, 0.5, 0.05, "share of the first sender");
        NS_TEST_EXPECT_MSG_GT(star.messages, 0, "messages");
        NS_TEST_EXPECT_MSG_EQ(star.stops, 0, "ECM(0,0), for queues above Qsc");
        NS_TEST_EXPECT_MSG_EQ(star.links->Sum(&LinkCounter::Count::pauses), 0, "PFC frames");
        NS_TEST_EXPECT_MSG_EQ(star.links->Sum(&LinkCounter::Count::drops), 0, "frames lost");
    }

    Expected m_expected; //!< of the scheme
};

/// What `none` makes of the same.
class NoneTestCase : public LosslessTestCase
{
  public:
    NoneTestCase()
        : LosslessTestCase("two senders, none")
    {
    }

  private:
    void DoRun() override
    {
        Star star("none");
        star.fabric.InstallFlows(
            {MakeFlow(0, 0, RECEIVER, 4000000000), MakeFlow(1, 1, RECEIVER, 4000000000)});
        star.Run(MilliSeconds(5), MilliSeconds(20));
        // Both ingresses are full up to Xoff, 320 KB each.
        NS_TEST_EXPECT_MSG_GT(star.meanQueue, 600000, "mean queue");
        NS_TEST_EXPECT_MSG_EQ(star.messages, 0, "messages");
        NS_TEST_EXPECT_MSG_GT(star.links->Sum(&LinkCounter::Count::pauses), 100, "PFC frames");
        star.egress->SetAttribute("DataRate", StringValue("500Mb/s"));
        star.Run(MilliSeconds(60), MilliSeconds(100));
        NS_TEST_EXPECT_MSG_GT(star.meanQueue, 600000, "mean queue at 0.5 Gb/s");
    }
};

/// QCN after steps of the bandwidth that one connection has.
class StepTestCase : public LosslessTestCase
{
  public:
    StepTestCase()
        : LosslessTestCase("steps of bandwidth, qcn")
    {
    }

  private:
    void DoRun() override
    {
        Star star("qcn");
        star.fabric.InstallFlows({MakeFlow(0, 0, RECEIVER, 4000000000)});
        star.Run(MilliSeconds(5), MilliSeconds(10));
        NS_TEST_EXPECT_MSG_GT(star.utilisation, 0.99, "alone");
        NS_TEST_EXPECT_MSG_EQ(star.messages, 0, "messages without congestion");
        star.egress->SetAttribute("DataRate", StringValue("500Mb/s"));
        star.Run(MilliSeconds(10), MilliSeconds(40));
        // Two messages, 150 KB and then some 20 KB apart, halve the rate each; so on.
        NS_TEST_EXPECT_MSG_LT(star.largestQueue, 250000, "queue after the step");
        star.Run(MilliSeconds(40), MilliSeconds(100));
        NS_TEST_EXPECT_MSG_EQ_TOL(star.utilisation, 0.05, 0.001, "at 0.5 Gb/s");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.meanQueue, 26000, 13000, "queue at 0.5 Gb/s");
        star.egress->SetAttribute("DataRate", StringValue("10Gb/s"));
        // The byte counter alone gives 5 Mb/s for each 75 KB, 1.2 ms at that rate. After five
        // cycles of the timer, 75 ms, the steps are multiples of 50 Mb/s.
        star.Run(MilliSeconds(170), MilliSeconds(175));
        NS_TEST_EXPECT_MSG_LT(star.utilisation, 0.12, "active increase");
        star.Run(MilliSeconds(205), MilliSeconds(215));
        NS_TEST_EXPECT_MSG_GT(star.utilisation, 0.99, "hyper-active increase");
        NS_TEST_EXPECT_MSG_EQ(star.links->Sum(&LinkCounter::Count::pauses), 0, "PFC frames");
        NS_TEST_EXPECT_MSG_EQ(star.fabric.GetRdma(0)->GetReactionPoint()->GetLimitersInUse(),
                              0,
                              "reclaimed");
    }
};

/// ECM(0,0): held queue pairs stand timeouts and lose nothing.
class SevereTestCase : public LosslessTestCase
{
  public:
    SevereTestCase()
        : LosslessTestCase("severe congestion, ecm")
    {
    }

  private:
    void DoRun() override
    {
        const std::size_t tagsBefore = CongestionTagsInUse();
        Scheme scheme = FindScheme("ecm");
        for (Scheme::Setting& setting : scheme.detectorSettings)
        {
            setting.value = setting.attribute == "Qsc" ? "48000" : setting.value;
        }
        for (Scheme::Setting& setting : scheme.reactionPointSettings)
        {
            setting.value = setting.attribute == "MaxTimeout" ? "1ms" : setting.value;
        }
        LosslessFabric fabric;
        AddStar(fabric, 5, "10Gb/s", MicroSeconds(1));
        fabric.SetScheme(scheme);
        fabric.SetRdmaAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(200)));
        fabric.Build();
        fabric.AssignStreams(1);
        std::vector<FlowSpec> flows;
        for (uint32_t id = 0; id < 8; id++)
        {
            flows.push_back(MakeFlow(id, id % 4, 4, 500000));
        }
        fabric.InstallFlows(flows);
        CompletionRecorder messages(fabric);
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        uint32_t again = 0;
        for (const auto& [flow, completion] : messages.completions)
        {
            again += completion.retransmitted;
        }
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.size()), 8, "messages sent");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.receptions.size()), 8, "messages received");
        NS_TEST_EXPECT_MSG_EQ(messages.repeatedCompletions, 0, "completed twice");
        NS_TEST_EXPECT_MSG_GT(again, 0, "frames sent again");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitches().front()->GetUsedBytes(), 0, "switch is empty");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(Number(CongestionTagsInUse()), Number(tagsBefore), "tags given back");
    }
};

/// Two UDP senders of ns-3's stack, which know nothing of it, at 8 Gb/s each.
class UdpTestCase : public LosslessTestCase
{
  public:
    UdpTestCase(const std::string& scheme, bool limited)
        : LosslessTestCase("two UDP senders, " + scheme),
          m_scheme(scheme),
          m_limited(limited)
    {
    }

  private:
    void DoRun() override
    {
        Star star(m_scheme, PRIORITY);
        star.fabric.InstallInternetStack();
        for (uint32_t host = 0; host < 2; host++)
        {
            ObjectFactory factory("ns3::OnOffApplication");
            const InetSocketAddress to(star.fabric.GetRdma(RECEIVER)->GetAddress(), 9);
            factory.Set("Protocol", TypeIdValue(UdpSocketFactory::GetTypeId()));
            factory.Set("Remote", AddressValue(to));
            factory.Set("PacketSize", UintegerValue(1400));
            factory.Set("DataRate", DataRateValue(DataRate("8Gb/s")));
            factory.Set("OnTime", StringValue("ns3::ConstantRandomVariable[Constant=1]"));
            factory.Set("OffTime", StringValue("ns3::ConstantRandomVariable[Constant=0]"));
            star.fabric.GetNodes()
                .Get(star.fabric.GetHostIndex(host))
                ->AddApplication(factory.Create<Application>());
        }
        star.Run(MilliSeconds(40), MilliSeconds(100));
        const int64_t pauses = star.links->Sum(&LinkCounter::Count::pauses);
        NS_TEST_EXPECT_MSG_GT(star.utilisation, 0.99, "utilisation");
        if (!m_limited)
        {
            NS_TEST_EXPECT_MSG_GT(star.meanQueue, 600000, "mean queue");
            NS_TEST_EXPECT_MSG_GT(pauses, 1000, "PFC frames");
            return;
        }
        // What the hosts do not send they lose, as their limiters' queues are full.
        NS_TEST_EXPECT_MSG_GT(star.meanQueue, 12000, "mean queue");
        NS_TEST_EXPECT_MSG_LT(star.meanQueue, 39000, "mean queue");
        NS_TEST_EXPECT_MSG_EQ(pauses, 0, "PFC frames");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.shareOfFirst, 0.5, 0.1, "share of the first, in 60 ms");
        for (uint32_t host = 0; host < 2; host++)
        {
            Ptr<ReactionPoint> point = star.fabric.GetRdma(host)->GetReactionPoint();
            NS_TEST_EXPECT_MSG_EQ(point->GetLimitersInUse(), 1, "limiters of host " << host);
        }
    }

    std::string m_scheme; //!< by name
    bool m_limited;       //!< whether the scheme slows senders
};

/// What the user sets of a reaction point comes before the preset; where there can be none.
class SettingsTestCase : public LosslessTestCase
{
  public:
    SettingsTestCase()
        : LosslessTestCase("settings of reaction points")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::QcnReactionPoint::AiRate", StringValue("7Mb/s"));
        LosslessFabric fabric;
        AddStar(fabric, 2, "10Gb/s", MicroSeconds(1));
        fabric.SetScheme(FindScheme("qcn"));
        fabric.Build();
        Config::Reset();
        for (uint32_t host = 0; host < 2; host++)
        {
            Ptr<QcnReactionPoint> point =
                DynamicCast<QcnReactionPoint>(fabric.GetRdma(host)->GetReactionPoint());
            LOSSLESS_TEST_REQUIRE((point != nullptr), true, "reaction point of host " << host);
            NS_TEST_EXPECT_MSG_EQ(point->GetParameters().increaseBps, 7e6, "AiRate");
        }
        NS_TEST_EXPECT_MSG_EQ(
            (fabric.GetRdma(0)->GetReactionPoint() != fabric.GetRdma(1)->GetReactionPoint()),
            true,
            "each port has its own");
        const std::vector<TypeId> classes = fabric.GetClasses();
        NS_TEST_EXPECT_MSG_EQ(
            std::count(classes.begin(), classes.end(), QcnReactionPoint::GetTypeId()),
            1,
            "class in use");
        Simulator::Destroy();

        // The largest frame counts with its tag: 16 B of ECM, 4 of QCN.
        const auto headroom = [](const std::string& scheme) {
            LosslessFabric one;
            AddStar(one, 2, "10Gb/s", MicroSeconds(1));
            one.SetScheme(FindScheme(scheme));
            one.Build();
            const uint64_t bytes = EthernetSwitchOf(one, 0)->GetBuffer().GetHeadroomBytes(0, 3);
            Simulator::Destroy();
            return Number(bytes);
        };
        const int64_t none = headroom("none");
        NS_TEST_EXPECT_MSG_EQ((headroom("ecm") - none) % 16, 0, "headroom");
        NS_TEST_EXPECT_MSG_GT(headroom("ecm"), none, "headroom");
        NS_TEST_EXPECT_MSG_EQ(headroom("ecm") - none, 4 * (headroom("qcn") - none), "headroom");

        const std::string error = ErrorOf([]() {
            LosslessFabric infiniband;
            infiniband.SetLink(FindLinkTechnology("infiniband"));
            AddStar(infiniband, 2, "10Gb/s", MicroSeconds(1));
            infiniband.SetScheme(FindScheme("ecm"));
            infiniband.Build();
        });
        NS_TEST_EXPECT_MSG_EQ(error,
                              "scheme 'ecm': found links of infiniband, expected ethernet, whose "
                              "frames its reaction point limits",
                              "InfiniBand");
    }
};

/// The suite `lossless-ecm`.
class LosslessEcmTestSuite : public TestSuite
{
  public:
    LosslessEcmTestSuite()
        : TestSuite("lossless-ecm", Type::SYSTEM)
    {
        // The rates of two senders come nearer to each other over tens of cuts, so that shares are
        // those of 100 ms with ECM, of 1 s with QCN, whose rates swing more.
        AddTestCase(new TwoSendersTestCase(
            {"ecm", 12000, 36000, 0.99, MilliSeconds(50), MilliSeconds(150)}));
        AddTestCase(new TwoSendersTestCase(
            {"qcn", 13000, 39000, 0.99, MilliSeconds(100), MilliSeconds(1100)}));
        AddTestCase(new NoneTestCase);
        AddTestCase(new StepTestCase);
        AddTestCase(new SevereTestCase);
        AddTestCase(new SettingsTestCase);
        AddTestCase(new UdpTestCase("ecm", true));
        AddTestCase(new UdpTestCase("qcn", true));
        AddTestCase(new UdpTestCase("none", false));
    }
};

static LosslessEcmTestSuite g_losslessEcmTestSuite; //!< registers the suite

} // namespace

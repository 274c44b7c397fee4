// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// ECM and QCN at work: congestion points in a switch, rate limiters in the hosts' ports. What they
// keep, the scheme `none` does not.

#include "lossless-test-harness.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <limits>

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
        CallAt(from, [this, until]() {
            sentBefore = egress->GetSentBytes();
            framesBefore = egress->GetSentFrames();
            bytes.fill(0);
            Look(until);
        });
        Simulator::Stop(until);
        Simulator::Run();
        const uint64_t wire = egress->GetSentBytes() - sentBefore +
                              egress->GetInterFrameOverhead() *
                                  (egress->GetSentFrames() - framesBefore);
        utilisation = wire * 8.0 / (LINE_BPS * (until - from).GetSeconds());
        shareOfFirst = static_cast<double>(bytes[0]) / (bytes[0] + bytes[1]);
        meanQueue = sum / looks;
    }

    LosslessFabric fabric;                 //!< the network
    std::unique_ptr<LinkCounter> links;    //!< all of it
    Ptr<LosslessNetDevice> egress;         //!< the switch's port to the receiver
    uint64_t messages{0};                  //!< of congestion points, that arrived
    uint64_t stops{0};                     //!< ECM(0,0) among them
    double utilisation{0};                 //!< of the link to the receiver
    double shareOfFirst{0};                //!< of the bytes that arrived
    double meanQueue{0};                   //!< waiting for that link [B]
    uint64_t largestQueue{0};              //!< the same [B]

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
    std::string scheme;      //!< which
    double leastQueue{0};    //!< mean [B]
    double mostQueue{0};     //!< mean [B]
    double utilisation{0};   //!< at least
    Time from;               //!< when the steady state begins
    Time until;              //!< end of the run
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
        star.fabric.InstallFlows({MakeFlow(0, 0, RECEIVER, 1000000000),
                                  MakeFlow(1, 1, RECEIVER, 1000000000)});
        star.Run(e.from, e.until);
        std::cout << e.scheme << " q " << star.meanQueue << " max " << star.largestQueue << " util "
                  << star.utilisation << " share " << star.shareOfFirst << " msgs " << star.messages
                  << " stops " << star.stops << " pauses " << star.links->Sum(&LinkCounter::Count::pauses) << std::endl;
        NS_TEST_EXPECT_MSG_GT(star.meanQueue, e.leastQueue, "mean queue");
        NS_TEST_EXPECT_MSG_LT(star.meanQueue, e.mostQueue, "mean queue");
        NS_TEST_EXPECT_MSG_GT(star.utilisation, e.utilisation, "utilisation");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.shareOfFirst, 0.5, 0.05, "share of the first sender");
        NS_TEST_EXPECT_MSG_GT(star.messages, 0, "messages");
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
        star.fabric.InstallFlows({MakeFlow(0, 0, RECEIVER, 1000000000),
                                  MakeFlow(1, 1, RECEIVER, 1000000000)});
        star.Run(MilliSeconds(5), MilliSeconds(20));
        // Both ingresses are full up to Xoff, 320 KB each.
        NS_TEST_EXPECT_MSG_GT(star.meanQueue, 600000, "mean queue");
        NS_TEST_EXPECT_MSG_EQ(star.messages, 0, "messages");
        NS_TEST_EXPECT_MSG_GT(star.links->Sum(&LinkCounter::Count::pauses), 100, "PFC frames");
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
        std::cout << m_scheme << " UDP q " << star.meanQueue << " max " << star.largestQueue << " util "
                  << star.utilisation << " share " << star.shareOfFirst << " msgs " << star.messages
                  << " stops " << star.stops << " pauses " << star.links->Sum(&LinkCounter::Count::pauses) << std::endl;
    }

    std::string m_scheme; //!< by name
    bool m_limited;       //!< whether the scheme slows senders
};

/// The suite `lossless-ecm`.
class LosslessEcmTestSuite : public TestSuite
{
  public:
    LosslessEcmTestSuite()
        : TestSuite("lossless-ecm", Type::SYSTEM)
    {
        AddTestCase(new TwoSendersTestCase(
            {"ecm", 12000, 36000, 0.99, MilliSeconds(50), MilliSeconds(250)}));
        AddTestCase(new TwoSendersTestCase(
            {"qcn", 13000, 39000, 0.99, MilliSeconds(100), MilliSeconds(400)}));
        AddTestCase(new NoneTestCase);
        AddTestCase(new UdpTestCase("ecm", true));
        AddTestCase(new UdpTestCase("qcn", true));
        AddTestCase(new UdpTestCase("none", false));
    }
};

static LosslessEcmTestSuite g_losslessEcmTestSuite; //!< registers the suite

} // namespace

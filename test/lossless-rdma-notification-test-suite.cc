// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// CNPs: for which marks, how often, and the receive rates that PCN has them tell.

#include "lossless-rdma-two-hosts.h"
#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/pcn.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// The notification point: at most one CNP for each CnpInterval and kind of mark.
class CnpTestCase : public LosslessTestCase
{
  public:
    /// What is marked.
    enum Marks
    {
        ALL_CE,
        CE_AND_UE,
        NOT_CAPABLE,
        NO_CNP,
    };

    /**
     * @param name of the case
     * @param marks what is marked
     */
    CnpTestCase(const std::string& name, Marks marks)
        : LosslessTestCase("CNPs: " + name),
          m_marks(marks)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        fabric.SetScheme(SchemeOf(fabric, CreateObject<RateController>()));
        fabric.SetRdmaAttribute("CnpInterval", TimeValue(MicroSeconds(20)));
        fabric.SetRdmaAttribute("CnpPriority", UintegerValue(5));
        fabric.SetRdmaAttribute("VlanTag", BooleanValue(m_marks == CE_AND_UE));
        fabric.SetRdmaAttribute("EcnCapable", BooleanValue(m_marks != NOT_CAPABLE));
        fabric.SetRdmaAttribute("SendCnp", BooleanValue(m_marks != NO_CNP));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        const bool both = m_marks == CE_AND_UE;
        detector->mark = [both](const Frame& frame) {
            return both && frame.psn % 2 == 0 ? CodePoint::UNDETERMINED : CodePoint::CONGESTION;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder sender(fabric.GetRdma(0)->GetDevice());
        PortRecorder receiver(fabric.GetRdma(1)->GetDevice());
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(messages.completions.size()), 1, "complete");

        // Marked frames arrive every 86.56 ns from 2173.12 to 88646.56 ns, so CNPs leave at 2174
        // and then at the first frame 20 us or more after the last one: five times.
        const int64_t ce = m_marks == ALL_CE || both ? 5 : 0;
        const int64_t ue = both ? 5 : 0;
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpCe), ce, "CNPs that said CE");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpUe), ue, "CNPs that said UE");
        const auto& reception = messages.receptions.at(0);
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsCe),
                              (both                     ? 500
                               : m_marks == NOT_CAPABLE ? 0
                                                        : 1000),
                              "marked CE");
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsUe), (both ? 500 : 0), "marked UE");
        const auto cnps = receiver.Of(PortRecorder::TRANSMIT, FrameKind::NOTIFICATION);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), ce + ue, "CNPs");
        std::map<CodePoint, int64_t> last;
        for (const auto& cnp : cnps)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(cnp.priority), 5, "CnpPriority");
            // 14 + 20 + 8 + 12 + 16 + 4 + 4, and a tag of 4
            NS_TEST_EXPECT_MSG_EQ(Number(cnp.bytes), (both ? 82 : 78), "size");
            if (last.count(cnp.feedback))
            {
                const int64_t gap = cnp.ns - last[cnp.feedback];
                NS_TEST_EXPECT_MSG_GT(gap, 20000 - 1, "CnpInterval");
                // At most two frames later (every other one has the same mark), and the wait for an
                // ACK on the line.
                NS_TEST_EXPECT_MSG_LT(gap, 20000 + 2 * 88 + 8, "and no longer than needed");
            }
            last[cnp.feedback] = cnp.ns;
        }
    }

    Marks m_marks;
};

/// A fixed rate that keeps the notifications it gets.
class NotedController : public RateController
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::losslesstest::NotedController")
                                .SetParent<RateController>()
                                .SetGroupName("Lossless")
                                .HideFromDocumentation()
                                .AddConstructor<NotedController>();
        return tid;
    }

    Ptr<RateController> Fork() const override
    {
        return CopyObject<NotedController>(Ptr<const NotedController>(this));
    }

    void OnCnp(const Cnp& cnp, Time) override
    {
        notes->push_back(cnp);
    }

    double rateBps{0}; //!< 0 for line rate
    std::shared_ptr<std::vector<Cnp>> notes{
        std::make_shared<std::vector<Cnp>>()}; //!< of all forks, in order

  protected:
    void DoStart(Time) override
    {
        m_rateBps = rateBps > 0 ? rateBps : m_rateBps;
    }
};

/// @param fabric whose receivers tell the rate of arrival
void
TellReceiveRate(LosslessFabric& fabric)
{
    fabric.SetRdmaAttribute("CnpRule", EnumValue(RdmaHw::RECEIVE_RATE));
}

/// The notification point of PCN: periods of known frames.
class ReceiveRateTestCase : public LosslessTestCase
{
  public:
    /**
     * @param share MarkedShare
     * @param least marks of 232 frames that it takes
     */
    ReceiveRateTestCase(double share, uint32_t least)
        : LosslessTestCase("CNPs: the receive rate and " + std::to_string(least) + " marks of 232"),
          m_share(share),
          m_least(least)
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        Ptr<NotedController> controller = CreateObject<NotedController>();
        fabric.SetScheme(SchemeOf(fabric, controller));
        TellReceiveRate(fabric);
        fabric.SetRdmaAttribute("CnpInterval", TimeValue(MicroSeconds(20)));
        fabric.SetRdmaAttribute("MarkedShare", DoubleValue(m_share));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000000)});
        // Frames arrive every 86.56 ns from 2173.12 ns on. 20 us after that one it is frame 232,
        // 20081.92 ns later; the next periods have 232 frames, too.
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        const uint32_t least = m_least;
        detector->mark = [least](const Frame& frame) {
            const uint32_t psn = frame.psn;
            const bool ce = (psn > 232 - least && psn <= 232) || // just enough of 1..232
                            (psn > 465 - least && psn <= 464) || // one less of 233..464
                            psn > 696;                           // all, the message ends with 999
            return ce           ? CodePoint::CONGESTION
                   : psn >= 465 ? CodePoint::UNDETERMINED // all of 465..696
                                : CodePoint::NOT_CAPABLE;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder receiver(fabric.GetRdma(1)->GetDevice());
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(messages.completions.size()), 1, "complete");

        const auto cnps = receiver.Of(PortRecorder::TRANSMIT, FrameKind::NOTIFICATION);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), 4, "999 / 232 periods");
        LOSSLESS_TEST_REQUIRE(Number(controller->notes->size()), 4, "all reach the sender");
        const CodePoint codes[] = {CodePoint::CONGESTION,
                                   CodePoint::CAPABLE,
                                   CodePoint::CAPABLE, // UE is not CE
                                   CodePoint::CONGESTION};
        for (std::size_t i = 0; i < 4; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(cnps[i].ns,
                                  Ceil(2173120 + (i + 1) * 20081920),
                                  "when period " << i << " ends");
            const auto& note = controller->notes->at(i);
            // 232 x 1082 B, preamble and gap included, in 20081.92 ns: the line's rate.
            NS_TEST_EXPECT_MSG_EQ(Number(note.fairRate), 10000, "10 Mb/s, period " << i);
            NS_TEST_EXPECT_MSG_EQ(Number(note.code), Number(codes[i]), "mark, period " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpCe), 2, "01 is not CE");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpUe), 0, "nor UE");
        const auto& reception = messages.receptions.at(0);
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsCe), 2 * m_least - 1 + 303, "marked CE");
        NS_TEST_EXPECT_MSG_EQ(Number(reception.packetsUe), 232, "marked UE");
    }

    double m_share;
    uint32_t m_least;
};

/// A flow whose frames are further apart than CnpInterval: each gap is a period.
class SlowReceiveRateTestCase : public LosslessTestCase
{
  public:
    /**
     * @param rateMbps of the sender
     * @param expected rate in each CNP, 0 with SendCnp off [10 Mb/s]
     */
    SlowReceiveRateTestCase(uint32_t rateMbps, int64_t expected)
        : LosslessTestCase("CNPs: a receive rate of " + std::to_string(rateMbps) +
                           " Mb per second"),
          m_rateMbps(rateMbps),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<NotedController> controller = CreateObject<NotedController>();
        controller->rateBps = m_rateMbps * 1e6;
        TwoHosts net({MakeFlow(0, 0, 1, 5000)}, controller, [this](LosslessFabric& fabric) {
            TellReceiveRate(fabric);
            fabric.SetRdmaAttribute("SendCnp", BooleanValue(m_expected > 0));
        });
        Simulator::Run();
        // 1082 B at 100 Mb/s are 86.56 us, more than the 50 us of CnpInterval.
        LOSSLESS_TEST_REQUIRE(Number(controller->notes->size()),
                              (m_expected > 0 ? 4 : 0),
                              "one for each gap");
        for (const auto& note : *controller->notes)
        {
            NS_TEST_EXPECT_MSG_EQ(Number(note.fairRate), m_expected, "10 Mb/s");
            NS_TEST_EXPECT_MSG_EQ(Number(note.code), Number(CodePoint::CAPABLE), "no mark");
        }
    }

    uint32_t m_rateMbps;
    int64_t m_expected;
};

/// Two flows meet at a port of half their sum: each is told its own rate and marks.
class SharedReceiveRateTestCase : public LosslessTestCase
{
  public:
    SharedReceiveRateTestCase()
        : LosslessTestCase("CNPs: the receive rates of two flows")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        Ptr<NotedController> controller = CreateObject<NotedController>();
        controller->rateBps = 60e9;
        fabric.SetScheme(SchemeOf(fabric, controller));
        TellReceiveRate(fabric);
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 2, 1500000), MakeFlow(1, 1, 2, 1500000)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.flow == 0 || frame.psn % 10 > 0 ? CodePoint::CONGESTION
                                                         : CodePoint::NOT_CAPABLE;
        };
        fabric.GetSwitches()[0]->GetPort(2)->SetDetector(3, detector);
        CompletionRecorder messages(fabric);
        PortRecorder receiver(fabric.GetRdma(2)->GetDevice());
        Simulator::Run();
        LOSSLESS_TEST_REQUIRE(Number(messages.completions.size()), 2, "complete");

        // 3000 frames in 259.68 us, which are five periods for each flow.
        const auto cnps = receiver.Of(PortRecorder::TRANSMIT, FrameKind::NOTIFICATION);
        LOSSLESS_TEST_REQUIRE(Number(cnps.size()), 10, "CNPs");
        LOSSLESS_TEST_REQUIRE(Number(controller->notes->size()), 10, "notifications");
        std::map<uint32_t, int64_t> last;
        for (std::size_t i = 0; i < cnps.size(); i++)
        {
            const uint32_t flow = cnps[i].flow;
            // The flows take turns on the line, so 289 x 2 x 86.56 = 50031.68 ns, on the grid, and
            // the wait for an ACK of 6.88 ns.
            if (last.count(flow))
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(cnps[i].ns - last[flow],
                                          int64_t(50032),
                                          int64_t(8),
                                          "flow " << flow);
            }
            last[flow] = cnps[i].ns;
            // 289 x 1082 B in that time. All of flow 0 and 90 % of flow 1 are marked.
            const CodePoint code = flow == 0 ? CodePoint::CONGESTION : CodePoint::CAPABLE;
            NS_TEST_EXPECT_MSG_EQ(Number(cnps[i].feedback), Number(code), "flow " << flow);
            NS_TEST_EXPECT_MSG_EQ(Number(controller->notes->at(i).fairRate), 5000, "half");
        }
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(0).cnpCe), 5, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(Number(messages.completions.at(1).cnpCe), 0, "flow 1");
    }
};

/// Pcn's two ends together: one CNP brings the senders just below what they get.
class PcnTestCase : public LosslessTestCase
{
  public:
    PcnTestCase()
        : LosslessTestCase("PCN: two flows share a port")
    {
    }

  private:
    void Rate(uint32_t flow, double rateBps)
    {
        m_rates[flow].emplace_back(Simulator::Now().GetNanoSeconds(), rateBps);
    }

    void DoRun() override
    {
        LosslessFabric fabric;
        AddStar(fabric, 3, "100Gbps", MicroSeconds(1));
        fabric.SetScheme(SchemeOf(fabric, CreateObject<Pcn>()));
        TellReceiveRate(fabric);
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 2, 3000000), MakeFlow(1, 1, 2, 3000000)});
        // All are marked, as while the queue of the first 50 us lasts.
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame&) { return CodePoint::CONGESTION; };
        fabric.GetSwitches()[0]->GetPort(2)->SetDetector(3, detector);
        for (uint32_t h = 0; h < 2; h++)
        {
            fabric.GetRdma(h)->TraceConnectWithoutContext("Rate",
                                                          MakeCallback(&PcnTestCase::Rate, this));
        }
        Simulator::Stop(MicroSeconds(400));
        Simulator::Run();
        for (uint32_t flow = 0; flow < 2; flow++)
        {
            const auto& rates = m_rates[flow];
            // The receive rate stays half of the line while the queue lasts, and the rate is below
            // it: nothing more to change.
            LOSSLESS_TEST_REQUIRE(Number(rates.size()), 1, "changes, flow " << flow);
            // The first frame is at the receiver after 2.2 us, the second flow's 0.1 us later. Then
            // a period of 50.03 us, and 2.01 us for the CNP.
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0].first, int64_t(54230), int64_t(100), "when");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0].second / 1e9,
                                      50.0 * 127 / 128,
                                      1e-9,
                                      "half, less w_min, in Gb/s");
        }
    }

    std::map<uint32_t, std::vector<std::pair<int64_t, double>>> m_rates; //!< [ns], [bit/s]
};

/// The suite `lossless-rdma-notification`.
class LosslessRdmaNotificationTestSuite : public TestSuite
{
  public:
    LosslessRdmaNotificationTestSuite()
        : TestSuite("lossless-rdma-notification", Type::SYSTEM)
    {
        AddTestCase(new CnpTestCase("all frames CE", CnpTestCase::ALL_CE));
        AddTestCase(new CnpTestCase("CE and UE apart", CnpTestCase::CE_AND_UE));
        AddTestCase(new CnpTestCase("none for 00", CnpTestCase::NOT_CAPABLE));
        AddTestCase(new CnpTestCase("switched off", CnpTestCase::NO_CNP));
        AddTestCase(new ReceiveRateTestCase(0.95, 221)); // 220.4 are too few
        AddTestCase(new ReceiveRateTestCase(0.5, 116));  // exactly half
        AddTestCase(new SlowReceiveRateTestCase(100, 10));
        AddTestCase(new SlowReceiveRateTestCase(96, 10));
        AddTestCase(new SlowReceiveRateTestCase(94, 9));
        AddTestCase(new SlowReceiveRateTestCase(4, 1)); // the least that a CNP can say
        AddTestCase(new SlowReceiveRateTestCase(100, 0));
        AddTestCase(new SharedReceiveRateTestCase);
        AddTestCase(new PcnTestCase);
    }
};

LosslessRdmaNotificationTestSuite g_losslessRdmaNotificationTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Acknowledgements: how often, of what priority, what they echo, and whose turn they take.

#include "lossless-rdma-two-hosts.h"
#include "lossless-test-harness.h"

#include "ns3/integer.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// One ACK for each AckInterval frames and for the last; it costs no time.
class AckIntervalTestCase : public LosslessTestCase
{
  public:
    /**
     * @param interval of ACKs
     * @param acks expected for 1000 frames
     */
    AckIntervalTestCase(uint32_t interval, int64_t acks)
        : LosslessTestCase("an ACK for each " + std::to_string(interval) + " frames"),
          m_interval(interval),
          m_acks(acks)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        TwoHosts net({MakeFlow(0, 0, 1, 999500)}, controller, [this](LosslessFabric& fabric) {
            fabric.SetRdmaAttribute("AckInterval", UintegerValue(m_interval));
        });
        Simulator::Run();
        const auto acks = net.port[0]->Of(PortRecorder::RECEIVED, FrameKind::ACK);
        NS_TEST_EXPECT_MSG_EQ(Number(acks.size()), m_acks, "ACKs");
        NS_TEST_EXPECT_MSG_EQ(Number(acks.at(0).psn),
                              m_interval - 1,
                              "the first covers an interval");
        NS_TEST_EXPECT_MSG_EQ(Number(acks.back().psn), 999, "the last is for the last frame");
        // The last frame has 500 B, 582 on the wire: 999 x 86.56 + 46.56 + 2006.88 = 88526.88
        NS_TEST_EXPECT_MSG_EQ(net.messages->Fct(0), 88527, "completion time");
        // The controller hears of all but the last one, which ends the message.
        LOSSLESS_TEST_REQUIRE(Number(controller->acknowledgements->size()), m_acks - 1, "OnAck()");
        const auto& first = controller->acknowledgements->front();
        NS_TEST_EXPECT_MSG_EQ(first.ackedBytes, uint64_t(1000) * m_interval, "newly acknowledged");
        NS_TEST_EXPECT_MSG_EQ(first.nack, false, "no NACK");
        // From the start of the newest frame it covers: 2093.44 ns, seen on the grid.
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(first.rtt), int64_t(2093), int64_t(1), "RTT");
        uint64_t total = 0;
        for (const auto& ack : *controller->acknowledgements)
        {
            total += ack.ackedBytes;
            NS_TEST_EXPECT_MSG_EQ(ack.ackedTotal, total, "the sum of all");
        }
    }

    uint32_t m_interval;
    int64_t m_acks;
};

/// The priority of acknowledgements.
class AckPriorityTestCase : public LosslessTestCase
{
  public:
    /**
     * @param configured AckPriority
     * @param expected priority for data of priority 4
     */
    AckPriorityTestCase(int configured, int64_t expected)
        : LosslessTestCase("AckPriority " + std::to_string(configured)),
          m_configured(configured),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 10000, 0, 4)}, nullptr, [this](LosslessFabric& fabric) {
            fabric.SetLosslessPriorities(1 << 4);
            fabric.SetRdmaAttribute("AckPriority", IntegerValue(m_configured));
        });
        net.Lose(1, {5}, true);
        Simulator::Run();
        for (FrameKind kind : {FrameKind::ACK, FrameKind::NACK})
        {
            const auto replies = net.port[0]->Of(PortRecorder::RECEIVED, kind);
            LOSSLESS_TEST_REQUIRE(replies.empty(), false, "replies");
            NS_TEST_EXPECT_MSG_EQ(Number(replies.at(0).priority), m_expected, "priority");
        }
    }

    int m_configured;
    int64_t m_expected;
};

/// An ACK echoes the highest mark of the data it covers, and only of that.
class EchoTestCase : public LosslessTestCase
{
  public:
    EchoTestCase()
        : LosslessTestCase("marks echoed in ACKs")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps"}, MicroSeconds(1));
        Ptr<ScriptedController> controller = CreateObject<ScriptedController>();
        fabric.SetScheme(SchemeOf(fabric, controller));
        fabric.SetRdmaAttribute("AckInterval", UintegerValue(4));
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 40000)});
        Ptr<ScriptedDetector> detector = CreateObject<ScriptedDetector>();
        detector->mark = [](const Frame& frame) {
            return frame.psn == 9                       ? CodePoint::CONGESTION
                   : frame.psn == 10 || frame.psn == 21 ? CodePoint::UNDETERMINED
                                                        : CodePoint::NOT_CAPABLE;
        };
        fabric.GetSwitches()[0]->GetPort(1)->SetDetector(3, detector);
        Simulator::Run();
        std::vector<int64_t> echoes;
        for (const auto& ack : *controller->acknowledgements)
        {
            echoes.push_back(Number(ack.echo));
        }
        // Nine ACKs of four frames; the tenth ends the message. Frames 8 to 11 had UE and CE, 20 to
        // 23 UE.
        const std::vector<int64_t> expected = {1, 1, 3, 1, 1, 2, 1, 1, 1};
        NS_TEST_EXPECT_MSG_EQ((echoes == expected), true, "echoes");
    }
};

/// ACKs in the priority of the data take turns with it: neither starves.
class AckTurnTestCase : public LosslessTestCase
{
  public:
    AckTurnTestCase()
        : LosslessTestCase("data and ACKs of one priority take turns")
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 1000000), MakeFlow(1, 1, 0, 1000000)},
                     nullptr,
                     [](LosslessFabric& fabric) {
                         fabric.SetRdmaAttribute("AckPriority", IntegerValue(-1));
                     });
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        for (const auto& port : net.port)
        {
            // From 1086.56 ns on both wait at each end of a frame: 93.44 ns for one of each, 523 by
            // 50 us, after 12 or 13 frames of data alone. What arrives is 1 us behind: some 11.
            const auto data = port->Of(PortRecorder::RECEIVED, FrameKind::DATA);
            const auto acks = port->Of(PortRecorder::RECEIVED, FrameKind::ACK);
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(data.size()),
                                      int64_t(523 + 12 - 11),
                                      int64_t(2),
                                      "data");
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(acks.size()), int64_t(523 - 11), int64_t(2), "ACKs");
        }
    }
};

/// Packets of the protocol stack in the priority of the data take turns with it.
class StackTurnTestCase : public LosslessTestCase
{
  public:
    StackTurnTestCase()
        : LosslessTestCase("data and packets of one priority take turns")
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts net({MakeFlow(0, 0, 1, 100000)}, nullptr, [](LosslessFabric& fabric) {
            fabric.SetDeviceAttribute("StackPriority", UintegerValue(3));
        });
        Ptr<LosslessNetDevice> device = net.fabric.GetRdma(0)->GetDevice();
        CallAt(NanoSeconds(1000), [device]() {
            for (int i = 0; i < 20; i++)
            {
                device->Send(Create<Packet>(1000), device->GetBroadcast(), 0x88b5);
            }
        });
        Simulator::Run();
        // Frames 0 to 11 begin before 1000 ns; the rest alternate until the packets have left.
        const auto sent = net.port[0]->Of(PortRecorder::TRANSMIT);
        LOSSLESS_TEST_REQUIRE(Number(sent.size()), 120, "frames");
        for (std::size_t i = 12; i < 12 + 40; i += 2)
        {
            NS_TEST_EXPECT_MSG_EQ((sent[i].kind != sent[i + 1].kind), true, "places " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((sent[52].kind == FrameKind::DATA), true, "data alone again");
    }
};

/// The suite `lossless-rdma-acknowledgement`.
class LosslessRdmaAcknowledgementTestSuite : public TestSuite
{
  public:
    LosslessRdmaAcknowledgementTestSuite()
        : TestSuite("lossless-rdma-acknowledgement", Type::SYSTEM)
    {
        AddTestCase(new AckIntervalTestCase(1, 1000));
        AddTestCase(new AckIntervalTestCase(4, 250));
        AddTestCase(new AckIntervalTestCase(16, 63)); // 62 x 16 and the last
        AddTestCase(new AckPriorityTestCase(6, 6));
        AddTestCase(new AckPriorityTestCase(-1, 4));
        AddTestCase(new EchoTestCase);
        AddTestCase(new AckTurnTestCase);
        AddTestCase(new StackTurnTestCase);
    }
};

LosslessRdmaAcknowledgementTestSuite g_losslessRdmaAcknowledgementTestSuite; //!< registers itself

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// HPCC: in-band telemetry along a path and back, and what the controller makes of it.

#include "lossless-test-harness.h"

#include "ns3/hpcc.h"
#include "ns3/pointer.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

// A full data frame with its INT block has 1104 B, 1124 B on the wire, and an ACK 128 B there: at
// 100 Gb/s 89.92 ns and 10.24 ns.
constexpr int64_t FRAME_PS = 89920;

/// A frame with an INT block that arrived somewhere.
struct Told
{
    int64_t psn;             //!< of the frame
    int64_t bytes;           //!< of the frame
    std::vector<IntHop> hop; //!< of its block
};

/// Keeps the blocks of one kind of frame that arrive at a port.
class BlockRecorder
{
  public:
    /**
     * @param device port
     * @param kind of frame
     */
    BlockRecorder(Ptr<LosslessNetDevice> device, FrameKind kind)
        : m_kind(kind)
    {
        device->TraceConnectWithoutContext("FrameReceived",
                                           MakeCallback(&BlockRecorder::Received, this));
    }

    BlockRecorder(const BlockRecorder&) = delete;
    BlockRecorder& operator=(const BlockRecorder&) = delete;

    std::vector<Told> told; //!< in order

  private:
    void Received(const Frame& frame)
    {
        if (frame.kind == m_kind && frame.telemetry)
        {
            const IntBlock& block = *frame.telemetry;
            told.push_back({frame.psn, frame.bytes, {block.hop, block.hop + block.hops}});
        }
    }

    FrameKind m_kind; //!< which
};

/// @returns scheme `hpcc` with line rate for its controller
Scheme
TelemetryAlone()
{
    Scheme scheme = FindScheme("hpcc");
    scheme.controller = "ns3::RateController";
    scheme.controllerSettings.clear();
    return scheme;
}

/// Each switch port of a path tells its state, and the sender gets to know it.
class TwoHopTestCase : public LosslessTestCase
{
  public:
    TwoHopTestCase()
        : LosslessTestCase("telemetry of a path with two switches")
    {
    }

  private:
    void DoRun() override
    {
        // Ideal times are those without telemetry: frames of 86.56 ns at 100 Gb/s, 216.4 ns at
        // 40 Gb/s, ACKs of 6.88 and 17.2 ns: 2 x 86.56 + 4 x 216.4 + 2 x 6.88 + 17.2 + 6000.
        for (const Scheme& scheme : {FindScheme("none"), TelemetryAlone()})
        {
            LosslessFabric fabric;
            AddChain(fabric, {"100Gbps", "100Gbps", "40Gbps"}, MicroSeconds(1));
            fabric.SetScheme(scheme);
            fabric.Build();
            NS_TEST_EXPECT_MSG_EQ(Number(fabric.GetIdealFct(MakeFlow(0, 0, 1, 4000))),
                                  7070,
                                  scheme.name);
            Simulator::Destroy();
        }

        const std::size_t blocksBefore = IntBlocksInUse();
        LosslessFabric fabric;
        AddChain(fabric, {"100Gbps", "100Gbps", "40Gbps"}, MicroSeconds(1));
        fabric.SetScheme(TelemetryAlone());
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 4000)});
        CompletionRecorder messages(fabric);
        BlockRecorder data(fabric.GetRdma(1)->GetDevice(), FrameKind::DATA);
        BlockRecorder acks(fabric.GetRdma(0)->GetDevice(), FrameKind::ACK);
        Simulator::Run();

        // Frame n is at the first switch after (n + 1) x 89.92 + 1000 ns and goes on at once. At
        // the second, 1089.92 ns later, it takes 224.8 ns and more than the next needs to come:
        // those after the first leave at 2179.84 + n x 224.8 ns. While the second leaves the
        // third waits (2359.68 ns), while the third leaves the fourth (2449.6 ns).
        const struct
        {
            int64_t firstNs;
            int64_t secondNs;
            int64_t waiting;
        } expected[] = {{1090, 2180, 0}, {1180, 2405, 1104}, {1270, 2630, 1104}, {1360, 2855, 0}};

        for (const BlockRecorder* recorder : {&data, &acks})
        {
            LOSSLESS_TEST_REQUIRE(Number(recorder->told.size()), 4, "frames");
            for (int64_t n = 0; n < 4; n++)
            {
                const Told& told = recorder->told[n];
                NS_TEST_EXPECT_MSG_EQ(told.psn, n, "PSN");
                NS_TEST_EXPECT_MSG_EQ(told.bytes, (recorder == &data ? 1104 : 108), "size");
                LOSSLESS_TEST_REQUIRE(Number(told.hop.size()), 2, "hops of frame " << n);
                const IntHop& first = told.hop[0];
                const IntHop& second = told.hop[1];
                NS_TEST_EXPECT_MSG_EQ(Number(first.rateBps), 100000000000, "rate");
                NS_TEST_EXPECT_MSG_EQ(first.timeNs, expected[n].firstNs, "time of frame " << n);
                NS_TEST_EXPECT_MSG_EQ(Number(first.txBytes), 1124 * n, "sent before " << n);
                NS_TEST_EXPECT_MSG_EQ(Number(first.queueBytes), 0, "queue behind " << n);
                NS_TEST_EXPECT_MSG_EQ(Number(second.rateBps), 40000000000, "rate");
                NS_TEST_EXPECT_MSG_EQ(second.timeNs, expected[n].secondNs, "time of frame " << n);
                NS_TEST_EXPECT_MSG_EQ(Number(second.txBytes), 1124 * n, "sent before " << n);
                NS_TEST_EXPECT_MSG_EQ(Number(second.queueBytes),
                                      expected[n].waiting,
                                      "queue behind " << n);
            }
        }
        // 2179.84 + 4 x 224.8 + 1000 for the data; 25.6 + 2 x 10.24 + 3000 for the ACK.
        NS_TEST_EXPECT_MSG_EQ(messages.Fct(0), 7126, "completion with 42 B more for each frame");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(IntBlocksInUse(), blocksBefore, "blocks given back");
    }
};

/// Hosts around a switch, flows of HPCC, and the queue of the last host's port.
class HpccStar
{
  public:
    HpccStar(uint32_t hosts, const std::vector<FlowSpec>& flows, const Scheme& scheme)
    {
        AddStar(fabric, hosts, "100Gbps", MicroSeconds(1));
        fabric.SetScheme(scheme);
        fabric.Build();
        fabric.InstallFlows(flows);
        messages = std::make_unique<CompletionRecorder>(fabric);
        m_egress = fabric.GetRdma(hosts - 1)->GetDevice()->GetPeer();
        fabric.GetRdma(hosts - 1)->GetDevice()->TraceConnectWithoutContext(
            "FrameReceived",
            MakeCallback(&HpccStar::Received, this));
        m_egress->TraceConnectWithoutContext("Enqueue", MakeCallback(&HpccStar::Enqueued, this));
    }

    HpccStar(const HpccStar&) = delete;
    HpccStar& operator=(const HpccStar&) = delete;

    LosslessFabric fabric;
    std::unique_ptr<CompletionRecorder> messages;
    int64_t countFromNs{0};             //!< since when
    int64_t countToNs{0};               //!< and until when
    std::map<uint32_t, int64_t> frames; //!< data frames received then, by flow
    int64_t longestQueue{0};            //!< then [B]

  private:
    bool Counts() const
    {
        const int64_t ns = Simulator::Now().GetNanoSeconds();
        return ns >= countFromNs && ns < countToNs;
    }

    void Received(const Frame& frame)
    {
        frames[frame.flow] += Counts() && frame.kind == FrameKind::DATA;
    }

    void Enqueued(const Frame&)
    {
        if (Counts())
        {
            longestQueue = std::max(longestQueue, Number(m_egress->GetQueueState(3).bytes));
        }
    }

    Ptr<LosslessNetDevice> m_egress; //!< to the last host
};

/// A flow alone takes eta of its line.
class AloneTestCase : public LosslessTestCase
{
  public:
    AloneTestCase(const std::string& scheme, double factor)
        : LosslessTestCase("a flow alone under " + scheme),
          m_scheme(scheme),
          m_factor(factor)
    {
    }

  private:
    void DoRun() override
    {
        const std::size_t blocksBefore = IntBlocksInUse();
        HpccStar net(2, {MakeFlow(0, 0, 1, 4000000)}, FindScheme(m_scheme));
        net.countFromNs = 100000;
        net.countToNs = 300000;
        Simulator::Run();
        // U is then W over the line's window, so that W = eta (line) + W_AI, W_AI being
        // 0.05 / 100 of it: the share is 0.9505. In 200 us that are 0.9505 x 200000 / 89.92 frames.
        const double expected = m_factor * 200e6 / FRAME_PS;
        NS_TEST_EXPECT_MSG_EQ_TOL(net.frames[0], expected, expected * 0.002, "frames in 200 us");
        NS_TEST_EXPECT_MSG_EQ(net.longestQueue, 0, "queue");
        NS_TEST_EXPECT_MSG_EQ(net.messages->completions.size(), 1, "completed");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(IntBlocksInUse(), blocksBefore, "blocks given back");
    }

    std::string m_scheme; //!< name
    double m_factor;      //!< share of the line
};

/// Two flows into one host come to equal shares, with next to no queue.
class TwoIntoOneTestCase : public LosslessTestCase
{
  public:
    TwoIntoOneTestCase()
        : LosslessTestCase("two flows into one host")
    {
    }

  private:
    void DoRun() override
    {
        // W_AI for five flows is 0.05 / 5 of the line's window, and two flows together have
        // W = eta + 2 x 0.01 of it. Each RTT takes 0.95 of the present window over 0.97 and adds
        // the same to both: a difference shrinks by 0.02/0.97 each RTT of 4.2 us, that is to 1/e
        // in 204 us. Where U swings about eta only some RTTs are multiplicative: with a third of
        // them 3 ms leave 1 % of the difference.
        Scheme scheme = FindScheme("hpcc");
        for (Scheme::Setting& setting : scheme.controllerSettings)
        {
            setting.value = setting.attribute == "Flows" ? "5" : setting.value;
        }
        HpccStar net(3, {MakeFlow(0, 0, 2, 25000000), MakeFlow(1, 1, 2, 25000000, 100000)}, scheme);
        net.countFromNs = 3100000;
        net.countToNs = 3400000;
        Simulator::Run();
        const double expected = 0.97 / 2 * 300e6 / FRAME_PS;
        for (uint32_t flow : {0u, 1u})
        {
            // W = W_AI / (1 - eta/U), and U swings by 0.005 in an RTT: two flows whose RTTs end at
            // different times read values that differ by 0.001, a twentieth of the 0.02 left here.
            NS_TEST_EXPECT_MSG_EQ_TOL(net.frames[flow],
                                      expected,
                                      expected * 0.04,
                                      "frames of flow " << flow);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(net.frames[0] + net.frames[1],
                                  2 * expected,
                                  2 * expected * 0.005,
                                  "frames of both");
        // Two paced flows meet: a frame may find one that waits.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(net.longestQueue, 1104, "queue");
    }
};

/// Lost data and lost acknowledgements: messages complete, nothing is left behind.
class LossTestCase : public LosslessTestCase
{
  public:
    LossTestCase()
        : LosslessTestCase("losses under HPCC")
    {
    }

  private:
    void DoRun() override
    {
        const std::size_t blocksBefore = IntBlocksInUse();
        {
            HpccStar net(2, {MakeFlow(0, 0, 1, 1000000)}, FindScheme("hpcc"));
            // Of the data at the receiver; of the ACKs at the sender, where no NACK is among them:
            // that would be for the timeout.
            const std::set<uint32_t> places[] = {{40, 41, 400}, {10, 11, 200, 555}};
            for (uint32_t host : {0u, 1u})
            {
                Ptr<ListedFrameErrorModel> errors = CreateObject<ListedFrameErrorModel>();
                errors->places = places[host];
                net.fabric.GetRdma(host)->GetDevice()->SetAttribute("ReceiveErrorModel",
                                                                    PointerValue(errors));
            }
            Simulator::Run();
            LOSSLESS_TEST_REQUIRE(Number(net.messages->completions.size()), 1, "completed");
            // Three times what was in flight: 4.2 us at 94.6 ns for each frame.
            const uint32_t again = net.messages->completions[0].retransmitted;
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(again), 3 * 44.4, 10, "sent again");
            // All frames at 0.9505 of the line, and the RTT of the last.
            const double expected = (1000 + again) * FRAME_PS / 0.9505e3 + 4200;
            NS_TEST_EXPECT_MSG_EQ_TOL(net.messages->Fct(0),
                                      expected,
                                      expected * 0.05,
                                      "completion, without a timeout");
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(IntBlocksInUse(), blocksBefore, "blocks given back");
    }
};

/// The suite `lossless-hpcc`.
class LosslessHpccTestSuite : public TestSuite
{
  public:
    LosslessHpccTestSuite()
        : TestSuite("lossless-hpcc", Type::UNIT)
    {
        AddTestCase(new TwoHopTestCase);
        AddTestCase(new AloneTestCase("hpcc", 0.9505));
        AddTestCase(new AloneTestCase("hpcc:simulator", 0.9505));
        AddTestCase(new TwoIntoOneTestCase);
        AddTestCase(new LossTestCase);
    }
};

static LosslessHpccTestSuite g_losslessHpccTestSuite; //!< registers the suite

} // namespace

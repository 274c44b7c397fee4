// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/constant-rate.h"
#include "ns3/data-rate.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/qbb-net-device.h"
#include "ns3/scheme-presets.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// Hosts 0 and 1 send to host 2, over links of 40 Gb/s and 1 us; flow h is that of host h.
class Bottleneck
{
  public:
    /// One step of the controller at the port to host 2.
    struct Step
    {
        int64_t ns;     //!< when [ns]
        double output;  //!< p or fair rate
        uint64_t bytes; //!< that wait [B]
    };

    /**
     * @param scheme preset
     * @param output trace source of its detector
     */
    Bottleneck(const std::string& scheme, const std::string& output)
    {
        AddStar(m_fabric, 3, "40Gb/s", MicroSeconds(1));
        m_fabric.SetScheme(FindScheme(scheme));
        m_fabric.Build();
        m_fabric.AssignStreams(1);
        for (uint32_t port = 0; port < 3; port++)
        {
            m_fabric.GetSwitches().at(0)->GetPort(port)->TraceConnectWithoutContext(
                "Transmit",
                MakeCallback(&Bottleneck::Sent, this));
        }
        m_fabric.GetSwitches().at(0)->GetPort(2)->GetDetector(3)->TraceConnectWithoutContext(
            output,
            MakeCallback(&Bottleneck::Stepped, this));
    }

    Bottleneck(const Bottleneck&) = delete;
    Bottleneck& operator=(const Bottleneck&) = delete;

    /**
     * Host 1 sends at a fixed rate.
     *
     * @param rate which
     */
    void FixRate(DataRate rate)
    {
        Ptr<RateController> controller =
            CreateObjectWithAttributes<ConstantRate>("Rate", DataRateValue(rate));
        m_fabric.GetRdma(1)->SetAttribute("RateController", PointerValue(controller));
    }

    /**
     * @param bytes of flow 1; flow 0 does not end
     * @param ms until when [ms]
     */
    void Run(uint64_t bytes, int64_t ms)
    {
        m_fabric.InstallFlows({MakeFlow(0, 0, 2, 1000000000), MakeFlow(1, 1, 2, bytes)});
        Simulator::Stop(MilliSeconds(ms));
        Simulator::Run();
        Simulator::Destroy();
    }

    /**
     * @param flow number
     * @param from [ms]
     * @param to [ms]
     * @returns what the switch sent [Gb/s]
     */
    double Gbps(uint32_t flow, int64_t from, int64_t to) const
    {
        return Sum(m_bytes, flow, from, to) * 8e-6 / (to - from);
    }

    /**
     * @param flow number
     * @param from [ms]
     * @param to [ms]
     * @returns CNPs to its source
     */
    uint64_t Cnps(uint32_t flow, int64_t from, int64_t to) const
    {
        return Sum(m_cnps, flow, from, to);
    }

    /**
     * @param from [ms]
     * @param to [ms]
     * @returns the steps in between
     */
    std::vector<Step> Steps(int64_t from, int64_t to) const
    {
        std::vector<Step> found;
        for (const Step& step : steps)
        {
            if (step.ns >= from * 1000000 && step.ns < to * 1000000)
            {
                found.push_back(step);
            }
        }
        return found;
    }

    /// @returns all steps and counts as text
    std::string Log() const
    {
        std::ostringstream log;
        log.precision(17);
        for (const Step& step : steps)
        {
            log << step.ns << ' ' << step.output << ' ' << step.bytes << '\n';
        }
        for (const auto& entry : m_cnps)
        {
            log << entry.first.first << ' ' << entry.first.second << ' ' << entry.second << '\n';
        }
        return log.str();
    }

    std::vector<Step> steps; //!< all

  private:
    /// By flow and millisecond.
    using Counts = std::map<std::pair<uint32_t, int64_t>, uint64_t>;

    static uint64_t Sum(const Counts& counts, uint32_t flow, int64_t from, int64_t to)
    {
        uint64_t sum = 0;
        for (int64_t ms = from; ms < to; ms++)
        {
            const auto found = counts.find({flow, ms});
            sum += found == counts.end() ? 0 : found->second;
        }
        return sum;
    }

    void Sent(const Frame& frame)
    {
        const int64_t ms = Simulator::Now().GetNanoSeconds() / 1000000;
        if (frame.kind == FrameKind::DATA)
        {
            m_bytes[{frame.flow, ms}] += frame.bytes + 20;
        }
        else if (frame.kind == FrameKind::NOTIFICATION)
        {
            m_cnps[{frame.flow, ms}]++;
        }
    }

    void Stepped(Time now, double output, uint64_t bytes)
    {
        steps.push_back({now.GetNanoSeconds(), output, bytes});
    }

    LosslessFabric m_fabric; //!< the network
    Counts m_bytes;          //!< on the wire
    Counts m_cnps;           //!< to the sources
};

} // namespace

/// Two flows under RoCC: steady state, and what the other one gets when one ends.
class RoccTestCase : public LosslessTestCase
{
  public:
    RoccTestCase()
        : LosslessTestCase("RoCC, two flows into one port")
    {
    }

  private:
    void DoRun() override
    {
        Bottleneck net("rocc", "FairRate");
        // Flow 1: 20 MB of user data, which end between 12 and 14 ms.
        net.Run(20000000, 17);
        // Both begin at 40 Gb/s, so the queue grows by 40 Gb/s x 40 us = 200 KB in each interval:
        // it passes Qmax = 360 KB at the latest at the third step, and F falls to MinRate.
        LOSSLESS_TEST_REQUIRE(net.steps.size(), 424, "17 ms of 40 us, the last step not run");
        NS_TEST_EXPECT_MSG_EQ(net.steps[0].ns, 40000, "first step");
        NS_TEST_EXPECT_MSG_LT(net.steps[0].output, 40e9, "first step");
        NS_TEST_EXPECT_MSG_EQ_TOL(net.steps[2].output, 100e6, 1, "third step");

        // Steady state: half of the line and Qref. F moves by 3 Mb/s for each 600 B that the queue
        // is off, and feedback is 40 us old: frames of 1062 B make F vary by some 0.1 %.
        for (const Bottleneck::Step& step : net.Steps(8, 12))
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(step.output, 20e9, 0.2e9, "fair rate at " << step.ns);
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(step.bytes), 150000, 7500, "queue at " << step.ns);
        }
        for (uint32_t flow = 0; flow < 2; flow++)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(net.Gbps(flow, 8, 12), 20, 0.1, "flow " << flow);
            // one in each 40 us
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(net.Cnps(flow, 8, 12)), 100, 1, "flow " << flow);
        }

        // Alone, flow 0 gets the line: F returns to Fmax, and the CNPs end.
        NS_TEST_EXPECT_MSG_EQ(net.Gbps(1, 16, 17), 0, "flow 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(net.Gbps(0, 16, 17), 40, 0.02, "flow 0");
        NS_TEST_EXPECT_MSG_EQ(net.Cnps(0, 16, 17), 0, "flow 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(net.steps.back().output, 40e9, 1, "fair rate");
    }
};

/// Two equal flows under PACC.
class PaccEqualTestCase : public LosslessTestCase
{
  public:
    PaccEqualTestCase()
        : LosslessTestCase("PACC, two equal flows into one port")
    {
    }

  private:
    void DoRun() override
    {
        Bottleneck net("pacc", "Probability");
        net.Run(1000000000, 10);
        NS_TEST_EXPECT_MSG_EQ(net.steps.at(0).ns, 80000, "first step");
        // 80 Gb/s into 40 Gb/s: after 80 us p = 0.125 (4 - 1) + 1.25 x 4, bounded.
        NS_TEST_EXPECT_MSG_EQ(net.steps.at(0).output, 1, "first step");
        // 1.6 CNPs to each of two flows of the same share. DCQCN then halves twice, and p is 0
        // while the queue drains.
        const uint64_t first = net.Cnps(0, 0, 10);
        NS_TEST_EXPECT_MSG_GT(first, 10, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(net.Cnps(1, 0, 10), first, "equal flows are told the same");
        for (uint32_t flow = 0; flow < 2; flow++)
        {
            // DCQCN's cuts cost a little of the line.
            NS_TEST_EXPECT_MSG_EQ_TOL(net.Gbps(flow, 2, 10), 19.5, 0.5, "flow " << flow);
        }
        for (const Bottleneck::Step& step : net.Steps(2, 10))
        {
            NS_TEST_EXPECT_MSG_LT(step.bytes, 100000, "queue at " << step.ns);
        }

        Bottleneck again("pacc", "Probability");
        again.Run(1000000000, 10);
        const bool same = again.Log() == net.Log();
        NS_TEST_EXPECT_MSG_EQ(same, true, "same run, same numbers");
    }
};

/// A heavy flow and one that takes a tenth of the line.
class PaccUnequalTestCase : public LosslessTestCase
{
  public:
    PaccUnequalTestCase()
        : LosslessTestCase("PACC, a heavy and a light flow into one port")
    {
    }

  private:
    void DoRun() override
    {
        Bottleneck net("pacc", "Probability");
        net.FixRate(DataRate("4Gb/s"));
        net.Run(1000000000, 10);
        // 4 Gb/s are less than half of the average share, which is 1/4 of all, as long as the heavy
        // flow has more than 12 Gb/s.
        NS_TEST_EXPECT_MSG_GT(net.Cnps(0, 0, 10), 10, "heavy");
        NS_TEST_EXPECT_MSG_EQ(net.Cnps(1, 0, 10), 0, "light");
        NS_TEST_EXPECT_MSG_EQ_TOL(net.Gbps(0, 2, 10), 35, 1, "heavy");
        NS_TEST_EXPECT_MSG_EQ_TOL(net.Gbps(1, 0, 10), 4, 0.02, "light");
    }
};

/// The suite `lossless-pi`: controllers in switches that tick.
class LosslessPiTestSuite : public TestSuite
{
  public:
    LosslessPiTestSuite()
        : TestSuite("lossless-pi", Type::UNIT)
    {
        AddTestCase(new RoccTestCase);
        AddTestCase(new PaccEqualTestCase);
        AddTestCase(new PaccUnequalTestCase);
    }
};

static LosslessPiTestSuite g_losslessPiTestSuite; //!< registers the suite

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "send-frame.h"

#include "ns3/dcqcn.h"
#include "ns3/input-error.h"
#include "ns3/mercury-window.h"
#include "ns3/scheme-presets.h"
#include "ns3/string.h"
#include "ns3/timely.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{

/// Notes what it is told; rate and window are the test's.
class MercuryWindowProbe : public RateController
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::MercuryWindowProbe")
                                .SetParent<RateController>()
                                .AddConstructor<MercuryWindowProbe>();
        return tid;
    }

    Ptr<RateController> Fork() const override
    {
        forks++;
        return CopyObject<MercuryWindowProbe>(Ptr<const MercuryWindowProbe>(this));
    }

    void OnAck(const Acknowledgement& ack, Time now) override
    {
        Note("ack " + std::to_string(ack.ackedBytes), now);
    }

    void OnCnp(const Cnp& cnp, Time now) override
    {
        Note("cnp " + std::to_string(cnp.windowBytes), now);
    }

    void OnSend(Frame&, uint32_t wireBytes, Time now) override
    {
        Note("sent " + std::to_string(wireBytes), now);
    }

    Time NextTimer() const override
    {
        return next;
    }

    void OnTimer(Time now) override
    {
        Note("timer", now);
    }

    void Set(double rateBps, uint64_t window = NO_WINDOW)
    {
        nextRateBps = rateBps;
        nextWindow = window;
    }

    std::vector<std::string> calls;
    Time next{Time::Max()};
    double nextRateBps{40e9};
    uint64_t nextWindow{NO_WINDOW};
    mutable int forks{0};

  protected:
    void DoStart(Time now) override
    {
        Note("start " + std::to_string(m_lineRateBps) + " " +
                 std::to_string(m_baseRtt.GetNanoSeconds()) + " " + std::to_string(m_frameBytes),
             now);
    }

  private:
    void Note(const std::string& call, Time now)
    {
        calls.push_back(call + " at " + std::to_string(now.GetNanoSeconds()));
        m_rateBps = nextRateBps;
        m_windowBytes = nextWindow;
    }
};

NS_OBJECT_ENSURE_REGISTERED(MercuryWindowProbe);

} // namespace ns3

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 40000000000;
constexpr uint64_t WHOLE = 120000; // 40 Gb/s x 24 us [B]

Cnp
MakeCnp(uint32_t window, CodePoint code = CodePoint::CONGESTION)
{
    Cnp cnp;
    cnp.windowBytes = window;
    cnp.code = code;
    return cnp;
}

/// A sender at 40 Gb/s, base RTT 24 us, over a probe or another controller.
class MercuryWindowTest : public ::testing::Test
{
  protected:
    MercuryWindowTest()
    {
        Make("ns3::MercuryWindowProbe");
    }

    void Make(const std::string& controller, Time baseRtt = MicroSeconds(24))
    {
        window = CreateObject<MercuryWindow>();
        window->SetAttribute("Controller", StringValue(controller));
        window->Start(LINE, baseRtt, 1082, Time(0));
        probe = ConstCast<MercuryWindowProbe>(
            DynamicCast<const MercuryWindowProbe>(window->GetController()));
    }

    void Ack(int64_t us)
    {
        window->OnAck(RateController::Acknowledgement(), MicroSeconds(us));
    }

    Ptr<MercuryWindow> window;
    Ptr<MercuryWindowProbe> probe;
};

} // namespace

TEST_F(MercuryWindowTest, StartsWithTheWholePath)
{
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 40e9);
    // 100 Gb/s x 12.345 us = 154312.5 B, rounded up so that it holds the line rate
    window->Start(100000000000, NanoSeconds(12345), 1082, Time(0));
    EXPECT_EQ(window->GetWindowBytes(), 154313U);
}

TEST_F(MercuryWindowTest, BaseRttAsSetComesFirst)
{
    window->SetAttribute("BaseRtt", StringValue("12us"));
    window->Start(LINE, MicroSeconds(24), 1082, Time(0));
    EXPECT_EQ(window->GetWindowBytes(), WHOLE / 2);
    EXPECT_EQ(probe->calls.back(), "start 40000000000 24000 1082 at 0");
}

TEST_F(MercuryWindowTest, WithoutABaseRttOnlyCnpsSetAWindow)
{
    Make("ns3::MercuryWindowProbe", Time(0));
    EXPECT_EQ(window->GetWindowBytes(), RateController::NO_WINDOW);
    probe->Set(20e9);
    window->OnCnp(MakeCnp(30000), MicroSeconds(1));
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    probe->Set(21e9);
    Ack(60);
    EXPECT_EQ(window->GetWindowBytes(), RateController::NO_WINDOW);
}

TEST_F(MercuryWindowTest, ForwardsEveryInputAndTakesTheRate)
{
    RateController::Acknowledgement ack;
    ack.ackedBytes = 4000;
    probe->Set(1e9);
    window->OnAck(ack, NanoSeconds(10));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 1e9);
    probe->Set(2e9);
    window->OnCnp(MakeCnp(5000), NanoSeconds(20));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 2e9);
    probe->Set(3e9);
    Send(*window, 1082, NanoSeconds(30));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 3e9);
    probe->Set(4e9);
    probe->next = NanoSeconds(40);
    EXPECT_EQ(window->NextTimer(), NanoSeconds(40));
    window->OnTimer(NanoSeconds(40));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 4e9);
    const std::vector<std::string> calls = {"start 40000000000 24000 1082 at 0",
                                            "ack 4000 at 10",
                                            "cnp 5000 at 20",
                                            "sent 1082 at 30",
                                            "timer at 40"};
    EXPECT_EQ(probe->calls, calls);
}

TEST_F(MercuryWindowTest, TheSmallestWindowHolds)
{
    probe->Set(20e9);
    window->OnCnp(MakeCnp(30000), MicroSeconds(1));
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    window->OnCnp(MakeCnp(50000), MicroSeconds(2));
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    window->OnCnp(MakeCnp(0), MicroSeconds(3)); // a CNP without a window
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    window->OnCnp(MakeCnp(2000), MicroSeconds(4));
    EXPECT_EQ(window->GetWindowBytes(), 2000U);
}

TEST_F(MercuryWindowTest, TheControllersOwnWindowHoldsToo)
{
    probe->Set(40e9, 70000);
    Send(*window, 1082, MicroSeconds(1));
    EXPECT_EQ(window->GetWindowBytes(), 70000U);
    window->OnCnp(MakeCnp(60000), MicroSeconds(2));
    EXPECT_EQ(window->GetWindowBytes(), 60000U);
    probe->Set(30e9, 50000);
    Send(*window, 1082, MicroSeconds(3));
    EXPECT_EQ(window->GetWindowBytes(), 50000U);
    window->Start(LINE, MicroSeconds(24), 1082, Time(0));
    EXPECT_EQ(window->GetWindowBytes(), 50000U);
}

TEST_F(MercuryWindowTest, OpensAtTheFirstIncreaseWithoutACnpForTheInterval)
{
    probe->Set(20e9);
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    probe->Set(21e9);
    window->OnTimer(NanoSeconds(154999)); // an increase, but too early
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    Send(*window, 1082, MicroSeconds(155)); // late enough, but no increase
    Ack(156);
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    probe->Set(20e9);
    window->OnTimer(MicroSeconds(157)); // a decrease
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    probe->Set(20.1e9);
    window->OnTimer(MicroSeconds(158));
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, OpensExactlyAtTheIntervalsEnd)
{
    probe->Set(20e9);
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    probe->Set(30e9);
    window->OnTimer(MicroSeconds(155));
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, EveryCnpStartsTheIntervalAnew)
{
    probe->Set(20e9);
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    window->OnCnp(MakeCnp(0, CodePoint::UNDETERMINED), MicroSeconds(150)); // also without a window
    window->OnCnp(MakeCnp(5, CodePoint::CAPABLE), MicroSeconds(190));      // "no congestion"
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    probe->Set(21e9);
    window->OnTimer(MicroSeconds(204));
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    probe->Set(22e9);
    window->OnTimer(MicroSeconds(205));
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, IncreasesByAckOrBytesOpenToo)
{
    for (const bool byAck : {true, false})
    {
        window->OnCnp(MakeCnp(30000), MicroSeconds(100));
        probe->Set(21e9);
        Ack(101);
        probe->Set(22e9);
        byAck ? Ack(155) : Send(*window, 1082, MicroSeconds(155));
        EXPECT_EQ(window->GetWindowBytes(), WHOLE);
    }
}

TEST_F(MercuryWindowTest, AControllerAtLineRateHasNothingToIncrease)
{
    window->OnCnp(MakeCnp(30000), MicroSeconds(100)); // TIMELY does not react to it
    Ack(154);
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    Ack(155);
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, ATimerAtTheLowestRateIsAnIncrease)
{
    probe->Set(1e8);
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    Send(*window, 1082, MicroSeconds(155));
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    window->OnTimer(MicroSeconds(155));
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, RestoreIntervalAsSet)
{
    window->SetAttribute("RestoreInterval", StringValue("300us"));
    probe->Set(20e9);
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    probe->Set(21e9);
    window->OnTimer(MicroSeconds(399));
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    probe->Set(22e9);
    window->OnTimer(MicroSeconds(400));
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, EachForkHasItsOwnController)
{
    Ptr<RateController> a = window->Fork();
    Ptr<RateController> b = window->Fork();
    EXPECT_EQ(probe->forks, 2);
    for (const Ptr<RateController>& fork : {a, b})
    {
        fork->Start(LINE, MicroSeconds(24), 1082, Time(0));
    }
    a->OnCnp(MakeCnp(30000), MicroSeconds(1));
    EXPECT_EQ(a->GetWindowBytes(), 30000U);
    EXPECT_EQ(b->GetWindowBytes(), WHOLE);
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
    EXPECT_EQ(probe->calls.size(), 1U); // nothing but its own start
}

TEST_F(MercuryWindowTest, DcqcnCutsAndItsFirstIncreaseOpens)
{
    Make("ns3::Dcqcn");
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 20e9); // alpha 1
    EXPECT_EQ(window->GetWindowBytes(), 30000U);
    EXPECT_EQ(window->NextTimer(), MicroSeconds(155));
    window->OnTimer(MicroSeconds(155));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 30e9); // fast recovery
    EXPECT_EQ(window->GetWindowBytes(), WHOLE);
}

TEST_F(MercuryWindowTest, TakesTheControllersAttributes)
{
    Make("ns3::Dcqcn[InitialAlpha=0.5|IncreaseTimer=70us]");
    window->OnCnp(MakeCnp(30000), MicroSeconds(100));
    EXPECT_DOUBLE_EQ(window->GetRateBps(), 30e9);
    EXPECT_EQ(window->NextTimer(), MicroSeconds(170));
}

TEST_F(MercuryWindowTest, RefusesWhatIsNoController)
{
    try
    {
        Make("ns3::EcnDetector");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "ns3::MercuryWindow::Controller: found 'ns3::EcnDetector', expected a class "
                  "derived from ns3::RateController");
    }
}

TEST(MercuryPresets, AreMercuryOverAnotherSchemesController)
{
    const std::pair<const char*, const char*> cases[] = {{"mercury", "dcqcn:sigcomm15"},
                                                         {"mercury+timely", "timely"},
                                                         {"mercury+hpcc", "hpcc"}};
    for (const auto& [name, over] : cases)
    {
        const Scheme& scheme = FindScheme(name);
        const Scheme& inner = FindScheme(over);
        EXPECT_EQ(scheme.detector, "ns3::MercuryDetector");
        EXPECT_EQ(scheme.controller, "ns3::MercuryWindow");
        ASSERT_EQ(scheme.rdmaSettings.size(), inner.rdmaSettings.size());
        for (std::size_t i = 0; i < inner.rdmaSettings.size(); i++)
        {
            const Scheme::Setting& setting = scheme.rdmaSettings[i];
            EXPECT_EQ(setting.attribute, inner.rdmaSettings[i].attribute);
            EXPECT_EQ(setting.value,
                      setting.attribute == "SendCnp" ? "false" : inner.rdmaSettings[i].value);
        }
        std::string type;
        std::vector<Scheme::Setting> settings;
        ASSERT_TRUE(ReadFactory(scheme.controllerSettings[0].value, type, settings));
        EXPECT_EQ(type, inner.controller);
        ASSERT_EQ(settings.size(), inner.controllerSettings.size());
        for (std::size_t i = 0; i < settings.size(); i++)
        {
            EXPECT_EQ(settings[i].attribute, inner.controllerSettings[i].attribute);
            EXPECT_EQ(settings[i].value, inner.controllerSettings[i].value);
        }
        // What is made has them.
        Ptr<MercuryWindow> window = CreateObject<MercuryWindow>();
        window->SetAttribute("Controller", StringValue(scheme.controllerSettings[0].value));
        for (const Scheme::Setting& setting : inner.controllerSettings)
        {
            StringValue value;
            window->GetController()->GetAttribute(setting.attribute, value);
            StringValue expected;
            Ptr<Object> direct = ObjectFactory(inner.controller).Create<Object>();
            direct->SetAttribute(setting.attribute, StringValue(setting.value));
            direct->GetAttribute(setting.attribute, expected);
            EXPECT_EQ(value.Get(), expected.Get()) << setting.attribute;
        }
    }
}

TEST(MercuryPresets, FactoriesAsText)
{
    EXPECT_EQ(FactoryText("ns3::Dcqcn", {}), "ns3::Dcqcn[]");
    EXPECT_EQ(FactoryText("ns3::Dcqcn", {{"A", "1"}, {"B", "2us"}}), "ns3::Dcqcn[A=1|B=2us]");
    std::string type = "before";
    std::vector<Scheme::Setting> settings;
    EXPECT_FALSE(ReadFactory("40Gb/s", type, settings));
    EXPECT_FALSE(ReadFactory("", type, settings));
    EXPECT_FALSE(ReadFactory("ns3::Dcqcn[A=1", type, settings));
    EXPECT_EQ(type, "before");
    EXPECT_TRUE(ReadFactory("ns3::Dcqcn[]", type, settings));
    EXPECT_EQ(type, "ns3::Dcqcn");
    EXPECT_TRUE(settings.empty());
    EXPECT_TRUE(ReadFactory("ns3::Timely[A=1|B=2us]", type, settings));
    EXPECT_EQ(type, "ns3::Timely");
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_EQ(settings[0].attribute, "A");
    EXPECT_EQ(settings[0].value, "1");
    EXPECT_EQ(settings[1].attribute, "B");
    EXPECT_EQ(settings[1].value, "2us");
}

TEST_F(MercuryWindowTest, ARoundTripOfYearsHasNoWindow)
{
    Make("ns3::MercuryWindowProbe", Time::Max());
    EXPECT_EQ(window->GetWindowBytes(), RateController::NO_WINDOW);
}

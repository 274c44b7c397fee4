// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "send-frame.h"

#include "ns3/congestion-detector.h"
#include "ns3/dcqcn.h"
#include "ns3/ecn-detector.h"
#include "ns3/input-error.h"
#include "ns3/object-factory.h"
#include "ns3/pacc-detector.h"
#include "ns3/rate-controller.h"
#include "ns3/reaction-point.h"
#include "ns3/rocc-detector.h"
#include "ns3/scheme-presets.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 100000000000;

template <typename T>
Ptr<T>
Make(const std::string& type, const std::vector<Scheme::Setting>& settings)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    for (const Scheme::Setting& setting : settings)
    {
        // An unknown attribute or a value it does not take ends the program here.
        factory.Set(setting.attribute, StringValue(setting.value));
    }
    return factory.Create<T>();
}

Ptr<RateController>
MakeController(const std::string& scheme)
{
    const Scheme& s = FindScheme(scheme);
    return Make<RateController>(s.controller, s.controllerSettings);
}

bool
Marks(Ptr<CongestionDetector> detector, uint64_t bytes)
{
    Frame frame;
    frame.codePoint = CodePoint::CAPABLE;
    QueueState queue;
    queue.bytes = bytes;
    detector->OnDequeue(frame, queue, Time(0));
    return frame.codePoint == CodePoint::CONGESTION;
}

/// Expects the queue at which marks may begin and that at which all are marked.
void
ExpectThresholds(const std::string& scheme, uint64_t gbps, uint64_t kmin, uint64_t kmax)
{
    const Scheme& s = FindScheme(scheme);
    Ptr<CongestionDetector> detector = Make<CongestionDetector>(s.detector, s.detectorSettings);
    detector->AssignStreams(1);
    DetectorContext context;
    context.rateBps = gbps * 1000000000;
    detector->Attach(context);
    bool any = false;
    int below = 0;
    for (int i = 0; i < 10000; ++i)
    {
        EXPECT_FALSE(Marks(detector, kmin));
        any = any || Marks(detector, kmin + (kmax - kmin) / 2);
        below += Marks(detector, kmax - 1);
        EXPECT_TRUE(Marks(detector, kmax));
    }
    EXPECT_TRUE(any);
    EXPECT_LT(below, 10000);
}

void
RunTimers(Ptr<RateController> controller, Time until)
{
    while (controller->NextTimer() <= until)
    {
        controller->OnTimer(controller->NextTimer());
    }
}

std::map<std::string, std::string>
RdmaSettings(const std::string& scheme)
{
    std::map<std::string, std::string> settings;
    for (const Scheme::Setting& setting : FindScheme(scheme).rdmaSettings)
    {
        settings[setting.attribute] = setting.value;
    }
    return settings;
}

} // namespace

TEST(SchemePresets, AllCanBeMade)
{
    std::vector<std::string> names;
    for (const Scheme& scheme : Schemes())
    {
        names.push_back(scheme.name);
        EXPECT_FALSE(scheme.description.empty()) << scheme.name;
        EXPECT_TRUE(Make<RateController>(scheme.controller, scheme.controllerSettings));
        if (!scheme.detector.empty())
        {
            EXPECT_TRUE(Make<CongestionDetector>(scheme.detector, scheme.detectorSettings));
        }
        if (!scheme.reactionPoint.empty())
        {
            Ptr<ReactionPoint> point =
                Make<ReactionPoint>(scheme.reactionPoint, scheme.reactionPointSettings);
            ASSERT_TRUE(point);
            point->Start(10000000000, 20); // accepts its settings
            EXPECT_GT(point->GetTagBytes(), 0u);
            point->Dispose();
        }
    }
    // Each name once; the manual's tables have the same names, see test/scheme_list_test.py.
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(SchemePresets, AnAliasIsTheSame)
{
    int aliases = 0;
    for (const Scheme& scheme : Schemes())
    {
        if (scheme.aliasOf.empty())
        {
            continue;
        }
        aliases++;
        const Scheme& other = FindScheme(scheme.aliasOf);
        EXPECT_EQ(other.aliasOf, "") << scheme.name;
        const auto text = [](const Scheme& of) {
            return FactoryText(of.detector, of.detectorSettings) +
                   FactoryText(of.controller, of.controllerSettings) +
                   FactoryText("ns3::RdmaHw", of.rdmaSettings);
        };
        EXPECT_EQ(text(scheme), text(other)) << scheme.name;
    }
    EXPECT_EQ(aliases, 1);
    EXPECT_EQ(FindScheme("dcqcn:sigcomm15").aliasOf, "dcqcn");
}

TEST(SchemePresets, UnknownNameTellsTheNearest)
{
    std::string all;
    for (const Scheme& scheme : Schemes())
    {
        all += (all.empty() ? "" : ", ") + scheme.name;
    }
    try
    {
        FindScheme("dcqn");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.what(),
                  "scheme: found 'dcqn', expected one of " + all + " (did you mean 'dcqcn'?)");
    }
    try
    {
        FindScheme("xxxxxxxxxxxx");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.what(), "scheme: found 'xxxxxxxxxxxx', expected one of " + all);
    }
}

TEST(SchemePresets, NoneIsTheFixedRateWithoutMarks)
{
    EXPECT_TRUE(FindScheme("none").detector.empty());
    EXPECT_EQ(RdmaSettings("none").at("SendCnp"), "false");
    Ptr<RateController> controller = MakeController("none");
    controller->Start(LINE, Time(0), 1082, Time(0));
    controller->OnCnp(Cnp(), MicroSeconds(1));
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 100e9);
}

TEST(SchemePresets, DcqcnIsSigcomm15)
{
    for (const std::string name : {"dcqcn", "dcqcn:sigcomm15"})
    {
        // 5 KB and 200 KB at every rate
        ExpectThresholds(name, 40, 5000, 200000);
        ExpectThresholds(name, 100, 5000, 200000);
        EXPECT_EQ(RdmaSettings(name).at("SendCnp"), "true");
        EXPECT_EQ(RdmaSettings(name).at("CnpInterval"), "50us");

        Ptr<RateController> controller = MakeController(name);
        Ptr<Dcqcn> dcqcn = DynamicCast<Dcqcn>(controller);
        ASSERT_TRUE(dcqcn);
        controller->Start(LINE, Time(0), 1082, Time(0));
        controller->OnCnp(Cnp(), Time(0));
        EXPECT_DOUBLE_EQ(controller->GetRateBps(), 50e9); // alpha 1
        controller->OnCnp(Cnp(), Time(0));
        EXPECT_DOUBLE_EQ(controller->GetRateBps(), 25e9);
        EXPECT_EQ(controller->NextTimer(), MicroSeconds(55));
        // g 1/256 after K = 55 us
        EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(54999)), 1);
        EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(MicroSeconds(55)), 255.0 / 256);
        // F = 5: the fifth expiry is the first additive one; R_AI 40 Mb/s at every rate
        RunTimers(controller, MicroSeconds(55 * 4));
        EXPECT_DOUBLE_EQ(dcqcn->GetTargetBps(), 50e9);
        RunTimers(controller, MicroSeconds(55 * 5));
        EXPECT_DOUBLE_EQ(dcqcn->GetTargetBps(), 50.04e9);
        // B = 10 MB: with six expiries of each, hyper increase by R_HAI 200 Mb/s
        RunTimers(controller, MicroSeconds(55 * 6));
        EXPECT_DOUBLE_EQ(dcqcn->GetTargetBps(), 50.08e9);
        for (int i = 0; i < 5; ++i)
        {
            Send(*controller, 10000000, MicroSeconds(331));
        }
        EXPECT_DOUBLE_EQ(dcqcn->GetTargetBps(), 50.28e9);
        Send(*controller, 9999999, MicroSeconds(331));
        EXPECT_DOUBLE_EQ(dcqcn->GetTargetBps(), 50.28e9);
        Send(*controller, 1, MicroSeconds(331));
        EXPECT_DOUBLE_EQ(dcqcn->GetTargetBps(), 50.48e9);
        // lowest rate 100 Mb/s
        for (int i = 0; i < 20; ++i)
        {
            controller->OnCnp(Cnp(), MicroSeconds(332));
        }
        EXPECT_DOUBLE_EQ(controller->GetRateBps(), 100e6);
    }
}

TEST(SchemePresets, TcdChangesTheInitialAlpha)
{
    // Cuts back to back from 40 Gb/s, each after alpha = (255 alpha + 1) / 256, in Gb/s: with 0.5
    // at first 40 (1 - 0.50195 / 2), with 1.2 at first 40 (1 - 1.19922 / 2).
    const std::pair<const char*, std::vector<double>> cases[] = {
        {"dcqcn:tcd21", {29.96, 22.41, 16.74, 12.49}},
        {"dcqcn+tcd", {16.02, 6.42, 2.575, 1.034}},
    };
    for (const auto& [name, rates] : cases)
    {
        Ptr<RateController> controller = MakeController(name);
        controller->Start(40000000000, Time(0), 1082, Time(0));
        Cnp cnp;
        cnp.code = CodePoint::CONGESTION;
        for (double rate : rates)
        {
            controller->OnCnp(cnp, Time(0));
            EXPECT_NEAR(controller->GetRateBps(), rate * 1e9, 0.006e9) << name;
        }
    }
}

TEST(SchemePresets, TcdHoldsTheRateOnUe)
{
    Cnp ue;
    ue.code = CodePoint::UNDETERMINED;
    Ptr<RateController> dcqcn = MakeController("dcqcn+tcd");
    dcqcn->Start(LINE, Time(0), 1082, Time(0));
    dcqcn->OnCnp(ue, Time(0));
    EXPECT_DOUBLE_EQ(dcqcn->GetRateBps(), 100e9);

    // RTTs that rise from 100 to 200 us cut TIMELY's rate, but not when UE is echoed.
    for (const std::string name : {"timely", "timely+tcd"})
    {
        Ptr<RateController> timely = MakeController(name);
        timely->Start(LINE, Time(0), 1082, Time(0));
        for (int i = 0; i < 3; ++i)
        {
            RateController::Acknowledgement ack;
            ack.ackedBytes = 16000;
            ack.rtt = MicroSeconds(100 + 50 * i);
            ack.echo = name == "timely" ? CodePoint::CAPABLE : CodePoint::UNDETERMINED;
            timely->OnAck(ack, MicroSeconds(100 * i));
        }
        EXPECT_EQ(timely->GetRateBps() == 100e9, name == "timely+tcd") << name;
        EXPECT_EQ(RdmaSettings(name).at("SendCnp"), "false");
    }
}

TEST(SchemePresets, HpccScalesWithTheLineRate)
{
    ExpectThresholds("dcqcn:hpcc", 40, 160000, 640000);
    ExpectThresholds("dcqcn:hpcc", 100, 400000, 1600000);
    ExpectThresholds("dcqcn:hpcc", 400, 1600000, 6400000);

    const struct
    {
        uint64_t gbps;
        double additive;
        double hyper;
    } cases[] = {{25, 5e6, 50e6}, {100, 20e6, 200e6}, {400, 80e6, 800e6}};

    for (const auto& c : cases)
    {
        Ptr<RateController> controller = MakeController("dcqcn:hpcc");
        Ptr<Dcqcn> dcqcn = DynamicCast<Dcqcn>(controller);
        ASSERT_TRUE(dcqcn);
        const double line = c.gbps * 1e9;
        controller->Start(c.gbps * 1000000000, Time(0), 1082, Time(0));
        controller->OnCnp(Cnp(), Time(0));
        // looked at every 4 us; alpha was 1 and has decayed four times by then, 1 us each
        EXPECT_EQ(controller->NextTimer(), MicroSeconds(4));
        RunTimers(controller, MicroSeconds(4));
        const double a4 = 255.0 / 256 * 255 / 256 * 255 / 256 * 255 / 256;
        const double cut = line * (1 - a4 / 2);
        EXPECT_NEAR(controller->GetRateBps(), cut, line * 1e-12);
        EXPECT_EQ(controller->NextTimer(), MicroSeconds(304));
        RunTimers(controller, MicroSeconds(304)); // fast recovery
        const double recovered = (cut + line) / 2;
        EXPECT_NEAR(controller->GetRateBps(), recovered, line * 1e-12);
        // a second cut, after an increase, takes the rate as its target
        controller->OnCnp(Cnp(), MicroSeconds(305));
        RunTimers(controller, MicroSeconds(308));
        EXPECT_NEAR(dcqcn->GetTargetBps(), recovered, line * 1e-12);
        // F = 1: fast recovery once, additive once, then hyper
        RunTimers(controller, MicroSeconds(608));
        EXPECT_NEAR(dcqcn->GetTargetBps(), recovered, line * 1e-12);
        RunTimers(controller, MicroSeconds(908));
        EXPECT_NEAR(dcqcn->GetTargetBps(), recovered + c.additive, line * 1e-12);
        RunTimers(controller, MicroSeconds(1208));
        EXPECT_NEAR(dcqcn->GetTargetBps(), recovered + c.additive + c.hyper, line * 1e-12);
        // lowest rate 1000 Mb/s at every line rate
        for (int i = 0; i < 100; ++i)
        {
            const Time now = MicroSeconds(1209 + 4 * i);
            RunTimers(controller, now);
            controller->OnCnp(Cnp(), now);
        }
        RunTimers(controller, MicroSeconds(1620));
        EXPECT_DOUBLE_EQ(controller->GetRateBps(), 1000e6);
    }
}

TEST(SchemePresets, HpccKeepsAlphaUpUnderSteadyMarks)
{
    // HPCC's receiver reflects every mark, so each of alpha's periods of 1 us sees a CNP and alpha
    // stays at 1. With a CNP every 4 us it would fall: of four periods one raises it by g and all
    // four take their share, so it settles at g / (4 g) = 1/4 and every cut is a quarter as deep.
    EXPECT_EQ(RdmaSettings("dcqcn:hpcc").at("CnpInterval"), "500ns");
    double alpha[2];
    const int interval[2] = {1, 4};
    for (int k = 0; k < 2; ++k)
    {
        Ptr<RateController> controller = MakeController("dcqcn:hpcc");
        controller->Start(LINE, Time(0), 1082, Time(0));
        int us = 0;
        for (; us <= 8000; us += interval[k])
        {
            RunTimers(controller, MicroSeconds(us));
            controller->OnCnp(Cnp(), MicroSeconds(us));
        }
        alpha[k] = DynamicCast<Dcqcn>(controller)->GetAlpha(MicroSeconds(us));
    }
    // The first CNP does not count: 1 - g after its period.
    EXPECT_NEAR(alpha[0], 1, 1.0 / 256);
    // Of the first 3/4 a part of (1-g)^8000 is left; the cycle spans 3 g / 4 = 0.003.
    EXPECT_NEAR(alpha[1], 0.25, 0.003);
}

TEST(SchemePresets, PaccStepsAControllerAndLeavesTheRestToDcqcn)
{
    const Scheme& s = FindScheme("pacc");
    Ptr<CongestionDetector> detector = Make<CongestionDetector>(s.detector, s.detectorSettings);
    DetectorContext context;
    context.rateBps = LINE;
    detector->Attach(context);
    EXPECT_EQ(detector->GetTickInterval(), MicroSeconds(80));
    // qref 250 KB at 100 Gb/s: 0.125 (0.2 - 1) + 1.25 x 0.2
    detector->OnTick({50000, 50}, MicroSeconds(80));
    EXPECT_DOUBLE_EQ(DynamicCast<PaccDetector>(detector)->GetProbability(), 0.15);
    EXPECT_EQ(RdmaSettings("pacc").at("SendCnp"), "false");
    Ptr<RateController> controller = MakeController("pacc");
    controller->Start(LINE, Time(0), 1082, Time(0));
    controller->OnCnp(Cnp(), Time(0));
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 50e9);
    EXPECT_EQ(controller->NextTimer(), MicroSeconds(55));
}

TEST(SchemePresets, RoccTakesItsThresholdsFromTheLineRate)
{
    const Scheme& s = FindScheme("rocc");
    Ptr<CongestionDetector> detector = Make<CongestionDetector>(s.detector, s.detectorSettings);
    Ptr<RoccDetector> rocc = DynamicCast<RoccDetector>(detector);
    DetectorContext context;
    context.rateBps = LINE;
    detector->Attach(context);
    EXPECT_EQ(detector->GetTickInterval(), MicroSeconds(40));
    EXPECT_EQ(rocc->GetReference(), 300000u);
    EXPECT_EQ(rocc->GetMidThreshold(), 600000u);
    EXPECT_EQ(rocc->GetMaxThreshold(), 660000u);
    // in units of 10 Mb/s and 600 B: 10000 - 0.3 (100 - 500) - 1.5 x 100
    detector->OnTick({60000, 60}, MicroSeconds(40));
    EXPECT_DOUBLE_EQ(rocc->GetFairRateBps(), 99.7e9);
    detector->OnTick({660000, 660}, MicroSeconds(80));
    EXPECT_DOUBLE_EQ(rocc->GetFairRateBps(), 100e6);
    EXPECT_EQ(RdmaSettings("rocc").at("SendCnp"), "false");
    Ptr<RateController> controller = MakeController("rocc");
    controller->Start(LINE, Time(0), 1082, Time(0));
    Cnp cnp;
    cnp.code = CodePoint::CONGESTION;
    cnp.fairRate = 500;
    controller->OnCnp(cnp, Time(0));
    EXPECT_DOUBLE_EQ(controller->GetRateBps(), 5e9);
    EXPECT_EQ(controller->NextTimer(), MicroSeconds(100));
}

TEST(SchemePresets, IbCcTakesBecnFromAcknowledgements)
{
    for (const std::string name : {"ibcc", "ibcc+tcd"})
    {
        EXPECT_EQ(RdmaSettings(name).at("SendCnp"), "false");
        EXPECT_EQ(RdmaSettings(name).at("AckInterval"), "1");
        Ptr<RateController> controller = MakeController(name);
        controller->Start(LINE, Time(0), 1026, Time(0));
        RateController::Acknowledgement ack;
        ack.echo = CodePoint::CONGESTION;
        controller->OnAck(ack, MicroSeconds(1));
        // line / (1 + CCTI): the linear table
        EXPECT_DOUBLE_EQ(controller->GetRateBps(), name == "ibcc" ? LINE / 2. : LINE / 3.);
        ack.echo = CodePoint::UNDETERMINED;
        controller->OnAck(ack, MicroSeconds(2));
        // FECN marks no UE: to IB CC any mark is one. With TCD it holds, and the timer with it.
        EXPECT_DOUBLE_EQ(controller->GetRateBps(), LINE / 3.);
        EXPECT_EQ(controller->NextTimer(),
                  MicroSeconds(1) + NanoSeconds(153600) * (name == "ibcc" ? 1 : 2));
    }
}

TEST(SchemePresets, HpccHasThePapersValues)
{
    for (const std::string name : {"hpcc", "hpcc:simulator"})
    {
        EXPECT_EQ(FindScheme(name).detector, "ns3::IntTelemetry");
        EXPECT_EQ(RdmaSettings(name).at("Telemetry"), "true");
        EXPECT_EQ(RdmaSettings(name).at("AckPriority"), "-1");
        EXPECT_EQ(RdmaSettings(name).at("SendCnp"), "false");

        Ptr<RateController> controller = MakeController(name);
        controller->Start(LINE, MicroSeconds(13), 1124, Time(0));
        EXPECT_EQ(controller->GetWindowBytes(), 162500u); // T is the path's
        // A block each T, so that U is the load: twice the line, then half of it.
        IntBlock block;
        block.Push({LINE, 0, 0, 0});
        RateController::Acknowledgement ack;
        ack.telemetry = &block;
        const double loads[] = {2, 0.5};
        // 162500 x 0.95/2 + 81.25, then + 81.25 or x 0.95/0.5 + 81.25
        const double windows[2][2] = {{77268.75, 77350}, {77268.75, 146891.875}};
        controller->OnAck(ack, Time(0));
        for (int i = 0; i < 2; i++)
        {
            block.hop[0].timeNs += 13000;
            block.hop[0].txBytes += static_cast<uint64_t>(162500 * loads[i]);
            ack.ackedTotal++;
            controller->OnAck(ack, Time(0));
            EXPECT_NEAR(controller->GetRateBps() * 13e-6 / 8,
                        windows[name == "hpcc:simulator"][i],
                        1e-6)
                << name;
        }
    }
}

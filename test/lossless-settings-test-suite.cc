// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "lossless-test-harness.h"

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/congestion-detector.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/frame-format.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mercury-window.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/scheme-presets.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::losslesstest;

namespace
{

/// @returns an attribute as text
std::string
ValueOf(const Ptr<const Object>& object, const std::string& name)
{
    StringValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

/// @returns an attribute that is a time; ns-3 releases write it in different ways
Time
TimeOf(const Ptr<const Object>& object, const std::string& name)
{
    TimeValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

/// @returns the controller that a host's queue pairs are made from
Ptr<Object>
Controller(const LosslessFabric& fabric, uint32_t host)
{
    PointerValue controller;
    fabric.GetRdma(host)->GetAttribute("RateController", controller);
    return controller.GetObject();
}

/// @returns the value of a setting, "none" if it is not there
std::string
Setting(const std::vector<Scheme::Setting>& settings, const std::string& name)
{
    for (const auto& setting : settings)
    {
        if (setting.attribute == name)
        {
            return setting.value;
        }
    }
    return "none";
}

/// Three hosts around a switch, with a scheme; not built.
void
Describe(LosslessFabric& fabric, const std::string& scheme)
{
    AddStar(fabric, 3, "100Gb/s", MicroSeconds(1));
    fabric.SetScheme(FindScheme(scheme));
}

} // namespace

/// Base of the cases below: defaults and simulator are as new after each.
class SettingsTestCase : public TestCase
{
  public:
    explicit SettingsTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    void DoTeardown() override
    {
        Config::Reset();
        Simulator::Destroy();
    }

    /// The next fabric begins with the classes' own defaults.
    static void Renew()
    {
        Config::Reset();
        Simulator::Destroy();
    }
};

/// What the user sets as a default comes before a preset, wherever it is set.
class UserDefaultsTestCase : public SettingsTestCase
{
  public:
    UserDefaultsTestCase()
        : SettingsTestCase("user defaults before presets")
    {
    }

  private:
    void DoRun() override
    {
        {
            LosslessFabric fabric;
            Describe(fabric, "dcqcn");
            fabric.Build();
            NS_TEST_EXPECT_MSG_EQ(ValueOf(Controller(fabric, 0), "MinRate"),
                                  "100000000bps",
                                  "the preset's own");
        }
        Renew();
        {
            Config::SetDefault("ns3::Dcqcn::MinRate", StringValue("1Gb/s"));
            Config::SetDefault("ns3::Dcqcn::DecreaseInterval", StringValue("3us")); // not preset
            Config::SetDefault("ns3::RdmaHw::CnpInterval", TimeValue(MicroSeconds(7)));
            Config::SetDefault("ns3::EcnDetector::Kmin", UintegerValue(7000));
            LosslessFabric fabric;
            Describe(fabric, "dcqcn");
            fabric.Build();
            for (uint32_t host = 0; host < 3; host++)
            {
                Ptr<Object> controller = Controller(fabric, host);
                NS_TEST_EXPECT_MSG_EQ(ValueOf(controller, "MinRate"), "1000000000bps", "set");
                NS_TEST_EXPECT_MSG_EQ(TimeOf(controller, "DecreaseInterval"),
                                      NanoSeconds(3000),
                                      "set, though the preset does not");
                NS_TEST_EXPECT_MSG_EQ(TimeOf(controller, "IncreaseTimer"),
                                      NanoSeconds(55000),
                                      "the preset's, which nobody set");
                NS_TEST_EXPECT_MSG_EQ(TimeOf(fabric.GetRdma(host), "CnpInterval"),
                                      NanoSeconds(7000),
                                      "of the host");
            }
            const Ptr<CongestionDetector> detector =
                fabric.GetSwitches().front()->GetPort(0)->GetDetector(3);
            NS_TEST_EXPECT_MSG_EQ(ValueOf(detector, "Kmin"), "7000", "of the detector");
            NS_TEST_EXPECT_MSG_EQ(ValueOf(detector, "Kmax"), "200000", "the preset's");
            const Scheme& scheme = fabric.GetScheme();
            NS_TEST_EXPECT_MSG_EQ(scheme.name, "dcqcn", "name");
            NS_TEST_EXPECT_MSG_EQ(Setting(scheme.controllerSettings, "MinRate"), "1Gb/s", "shown");
            NS_TEST_EXPECT_MSG_EQ(Setting(scheme.detectorSettings, "Kmin"), "7000", "shown");
            NS_TEST_EXPECT_MSG_EQ(Setting(scheme.rdmaSettings, "CnpInterval"), "7us", "shown");
            NS_TEST_EXPECT_MSG_EQ(Setting(scheme.rdmaSettings, "SendCnp"), "true", "the preset's");
        }
        Renew();
        RunParentClass();
        Renew();
        RunController();
        Renew();
        RunRates();
        Renew();
        RunCommandLine();
        Renew();
        RunSetRdmaAttribute();
        Renew();
        RunSwitch();
    }

    /// An attribute that a parent of the preset's class declares.
    void RunParentClass()
    {
        Config::SetDefault("ns3::EcnDetector::Kmax", UintegerValue(123456));
        LosslessFabric fabric;
        Describe(fabric, "dcqcn+tcd");
        fabric.Build();
        const auto detector = fabric.GetSwitches().front()->GetPort(1)->GetDetector(3);
        NS_TEST_EXPECT_MSG_EQ(detector->GetInstanceTypeId().GetName(), "ns3::TcdDetector", "class");
        NS_TEST_EXPECT_MSG_EQ(ValueOf(detector, "Kmax"), "123456", "of the parent");
    }

    /// Attributes of a controller within a controller, to the last digit.
    void RunController()
    {
        const double gain = 0.123456789012345;
        Config::SetDefault("ns3::Dcqcn::Gain", DoubleValue(gain));
        LosslessFabric fabric;
        Describe(fabric, "mercury");
        fabric.Build();
        const auto window = DynamicCast<MercuryWindow>(Controller(fabric, 2));
        DoubleValue value;
        window->GetController()->GetAttribute("Gain", value);
        NS_TEST_EXPECT_MSG_EQ(value.Get(), gain, "of the controller within");
        NS_TEST_EXPECT_MSG_EQ(TimeOf(window->GetController(), "AlphaTimer"),
                              NanoSeconds(55000),
                              "the preset's");
        NS_TEST_EXPECT_MSG_NE(Setting(fabric.GetScheme().controllerSettings, "Controller")
                                  .find("Gain=0.123456789012345|"),
                              std::string::npos,
                              "shown");
        Renew();

        // The whole of it, too.
        Config::SetDefault("ns3::MercuryWindow::Controller",
                           StringValue("ns3::Timely[Beta=0.123456789]"));
        LosslessFabric other;
        Describe(other, "mercury");
        other.Build();
        const auto timely = DynamicCast<MercuryWindow>(Controller(other, 0))->GetController();
        NS_TEST_EXPECT_MSG_EQ(timely->GetInstanceTypeId().GetName(), "ns3::Timely", "class");
        timely->GetAttribute("Beta", value);
        NS_TEST_EXPECT_MSG_EQ(value.Get(), 0.123456789, "its attribute");
        Renew();

        Config::SetDefault("ns3::RdmaHw::RateController", StringValue("ns3::Timely[Beta=0.5]"));
        LosslessFabric third;
        Describe(third, "dcqcn");
        third.Build();
        NS_TEST_EXPECT_MSG_EQ(Controller(third, 0)->GetInstanceTypeId().GetName(),
                              "ns3::Timely",
                              "the user's controller");
        NS_TEST_EXPECT_MSG_EQ(third.GetScheme().controller, "ns3::Timely", "shown");
    }

    /// Rates that ns-3's own text has no unit for.
    void RunRates()
    {
        for (const uint64_t bps : {uint64_t(0), uint64_t(2000000000000), uint64_t(1234567)})
        {
            Renew();
            Config::SetDefault("ns3::Dcqcn::ReferenceRate", DataRateValue(DataRate(bps)));
            LosslessFabric fabric;
            Describe(fabric, "dcqcn:hpcc");
            fabric.Build();
            DataRateValue rate;
            Controller(fabric, 0)->GetAttribute("ReferenceRate", rate);
            NS_TEST_EXPECT_MSG_EQ(rate.Get().GetBitRate(), bps, "rate");
        }
    }

    /// A program's own command line.
    void RunCommandLine()
    {
        CommandLine command;
        command.Parse({"program", "--ns3::Timely::Beta=0.7", "--ns3::RdmaHw::SendCnp=true"});
        LosslessFabric fabric;
        Describe(fabric, "timely");
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(ValueOf(Controller(fabric, 1), "Beta"), "0.7", "controller");
        NS_TEST_EXPECT_MSG_EQ(ValueOf(fabric.GetRdma(1), "SendCnp"), "true", "host");
        NS_TEST_EXPECT_MSG_EQ(Setting(fabric.GetScheme().controllerSettings, "Beta"),
                              "0.7",
                              "shown");
    }

    /// What one fabric is told comes before all.
    void RunSetRdmaAttribute()
    {
        Config::SetDefault("ns3::RdmaHw::CnpInterval", TimeValue(MicroSeconds(7)));
        LosslessFabric fabric;
        Describe(fabric, "dcqcn");
        fabric.SetRdmaAttribute("CnpInterval", TimeValue(MicroSeconds(9)));
        fabric.SetRdmaAttribute("SendCnp", BooleanValue(false));
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(TimeOf(fabric.GetRdma(0), "CnpInterval"), NanoSeconds(9000), "told");
        NS_TEST_EXPECT_MSG_EQ(ValueOf(fabric.GetRdma(0), "SendCnp"), "false", "told");
        NS_TEST_EXPECT_MSG_EQ(Setting(fabric.GetScheme().rdmaSettings, "CnpInterval"),
                              "9us",
                              "shown");
        Renew();

        LosslessFabric other;
        Describe(other, "dcqcn");
        other.SetRdmaAttribute("RateController", PointerValue(CreateObject<MercuryWindow>()));
        other.Build();
        NS_TEST_EXPECT_MSG_EQ(Controller(other, 0)->GetInstanceTypeId().GetName(),
                              "ns3::MercuryWindow",
                              "told");
        NS_TEST_EXPECT_MSG_EQ(other.GetScheme().controller, "ns3::MercuryWindow", "shown");
    }

    /// A link that loses frames turns the end of the run off, unless the user says otherwise.
    void RunSwitch()
    {
        for (const char* how : {"not", "by default", "by attribute"})
        {
            Renew();
            LosslessFabric fabric;
            const uint32_t a = fabric.AddHost("a");
            const uint32_t s = fabric.AddSwitch("s");
            fabric.AddLink(a, s, DataRate("100Gb/s"), MicroSeconds(1), 0.01);
            if (how == std::string("by default"))
            {
                Config::SetDefault("ns3::EthernetSwitch::EndOnLosslessDrop", BooleanValue(true));
            }
            if (how == std::string("by attribute"))
            {
                fabric.SetSwitchAttribute("EndOnLosslessDrop", BooleanValue(true));
            }
            fabric.Build();
            NS_TEST_EXPECT_MSG_EQ(ValueOf(fabric.GetSwitches().front(), "EndOnLosslessDrop"),
                                  (how == std::string("not") ? "false" : "true"),
                                  "set " << how);
        }
    }
};

/// What comes too late, or where something else decides, is an error.
class LateTestCase : public SettingsTestCase
{
  public:
    LateTestCase()
        : SettingsTestCase("settings too late and too early")
    {
    }

  private:
    void DoRun() override
    {
        {
            LosslessFabric fabric;
            Describe(fabric, "dcqcn");
            fabric.Build();
            ExpectTooLate("SetScheme()", [&] { fabric.SetScheme(FindScheme("timely")); });
            ExpectTooLate("SetLosslessPriorities()", [&] { fabric.SetLosslessPriorities(1); });
            ExpectTooLate("SetLossyPriorities()", [&] { fabric.SetLossyPriorities(1); });
            ExpectTooLate("SetSwitchAttribute(Xoff)",
                          [&] { fabric.SetSwitchAttribute("Xoff", UintegerValue(1)); });
            ExpectTooLate("SetRdmaAttribute(Mtu)",
                          [&] { fabric.SetRdmaAttribute("Mtu", UintegerValue(1)); });
            ExpectTooLate("SetDeviceAttribute(PauseTime)",
                          [&] { fabric.SetDeviceAttribute("PauseTime", UintegerValue(1)); });
            ExpectTooLate("AddHost()", [&] { fabric.AddHost("late"); });
            ExpectTooLate("AddSwitch()", [&] { fabric.AddSwitch("late"); });
            ExpectTooLate("AddLink()", [&] { fabric.AddLink(0, 1, DataRate("1Gb/s"), Time(0)); });
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.Build(); }),
                                  "Build(): found a second call, expected one for each fabric",
                                  "twice");
            fabric.InstallFlows({MakeFlow(0, 0, 1, 1000)});
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(0)->GetActiveMessages(), 0, "it still works");
        }
        Renew();
        RunDefaultBeforeFlows();
        Renew();
        RunDefaultBeforeRun();
        Renew();
        RunTooEarly();
        Renew();
        RunDecided();
    }

    void ExpectTooLate(const std::string& call, const std::function<void()>& make)
    {
        NS_TEST_EXPECT_MSG_EQ(ErrorOf(make),
                              call + ": found it after Build(), where it changes nothing, expected "
                                     "it before Build()",
                              call);
    }

    void RunDefaultBeforeFlows()
    {
        LosslessFabric fabric;
        Describe(fabric, "mercury");
        fabric.Build();
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1000)); // not in use
        Config::SetDefault("ns3::Timely::Beta", DoubleValue(0.1));              // nor this
        Config::SetDefault("ns3::Dcqcn::Gain", StringValue("0.00390625"));      // as it is
        const std::vector<FlowSpec> flows = {MakeFlow(0, 0, 1, 1000)};
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallFlows({MakeFlow(9, 0, 1, 1000)}); }),
                              "",
                              "no class in use");
        Config::SetDefault("ns3::Dcqcn::MinRate", StringValue("3Gb/s"));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallFlows(flows); }),
                              "ns3::Dcqcn::MinRate: found its default set to 3Gb/s after Build(), "
                              "which made its objects, expected it before Build()",
                              "the controller within");
        Config::Reset();
        Config::SetDefault("ns3::QbbNetDevice::PauseTime", UintegerValue(77));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallFlows(flows); }),
                              "ns3::QbbNetDevice::PauseTime: found its default set to 77 after "
                              "Build(), which made its objects, expected it before Build()",
                              "ports");
    }

    void RunDefaultBeforeRun()
    {
        LosslessFabric fabric;
        Describe(fabric, "dcqcn");
        fabric.Build();
        fabric.InstallFlows({MakeFlow(0, 0, 1, 1000)});
        Config::SetDefault("ns3::EcnDetector::Kmin", UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([] { Simulator::Run(); }),
                              "ns3::EcnDetector::Kmin: found its default set to 1 after Build(), "
                              "which made its objects, expected it before Build()",
                              "at the start");
    }

    void RunTooEarly()
    {
        LosslessFabric fabric;
        Describe(fabric, "none");
        const FlowSpec flow = MakeFlow(0, 0, 1, 1000);
        const std::string early = ": found it before Build(), expected it after Build()";
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallFlows({flow}); }),
                              "InstallFlows()" + early,
                              "flows");
        for (const std::function<void()>& call :
             std::vector<std::function<void()>>{[&] { fabric.GetRdma(0); },
                                                [&] { fabric.GetPath(flow); },
                                                [&] { fabric.GetIdealFct(flow); },
                                                [&] { fabric.GetBaseRtt(flow); }})
        {
            NS_TEST_EXPECT_MSG_EQ(ErrorOf(call), "GetRdma()" + early, "a host's engine");
        }
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.GetLargestBaseRtt(); }),
                              "GetLargestBaseRtt()" + early,
                              "times");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.GetPortsBetween(0, 1); }),
                              "GetPortsBetween()" + early,
                              "ports");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallInternetStack(); }),
                              "InstallInternetStack()" + early,
                              "stack");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.AssignStreams(1); }),
                              "AssignStreams()" + early,
                              "streams");
    }

    /// Defaults of what the fabric sets for each object.
    void RunDecided()
    {
        const std::vector<std::array<std::string, 3>> decided = {
            {"ns3::QbbNetDevice::DataRate", "10Gb/s", "a rate for each link by AddLink()"},
            {"ns3::LosslessChannel::Delay", "2us", "a delay for each link by AddLink()"},
            {"ns3::EthernetSwitch::LosslessPriorities", "1", "SetLosslessPriorities()"}};
        for (const auto& [name, value, instead] : decided)
        {
            Renew();
            Config::SetDefault(name, StringValue(value));
            LosslessFabric fabric;
            Describe(fabric, "none");
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.Build(); }),
                                  name + ": found a default of it, expected " + instead,
                                  name);
        }
        Renew();
        // ConfigStore sets all to what they are.
        Config::SetDefault("ns3::QbbNetDevice::DataRate", StringValue("100Gbps"));
        LosslessFabric fabric;
        Describe(fabric, "none");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.Build(); }), "", "no other value");
    }
};

/// Classes and attributes that are not what they should be.
class WrongSchemeTestCase : public SettingsTestCase
{
  public:
    WrongSchemeTestCase()
        : SettingsTestCase("wrong classes and attributes")
    {
    }

  private:
    void DoRun() override
    {
        const Scheme dcqcn = FindScheme("dcqcn");
        Expect(dcqcn, "");
        Scheme scheme = dcqcn;
        scheme.controller = "ns3::EcnDetector";
        Expect(
            scheme,
            "scheme 'dcqcn', controller: found 'ns3::EcnDetector', expected a class derived from "
            "ns3::RateController");
        scheme.controller = "ns3::Dcqn";
        Expect(scheme,
               "scheme 'dcqcn', controller: found 'ns3::Dcqn', expected a class derived from "
               "ns3::RateController, did you mean ns3::Dcqcn?");
        scheme = dcqcn;
        scheme.detector = "ns3::Dcqcn";
        Expect(scheme,
               "scheme 'dcqcn', detector: found 'ns3::Dcqcn', expected a class derived from "
               "ns3::CongestionDetector");
        scheme.detector = "ns3::EcnDetectr";
        Expect(scheme,
               "scheme 'dcqcn', detector: found 'ns3::EcnDetectr', expected a class derived from "
               "ns3::CongestionDetector, did you mean ns3::EcnDetector?");
        scheme = dcqcn;
        scheme.controllerSettings = {{"MinRat", "1Gb/s"}};
        Expect(scheme,
               "scheme 'dcqcn': found attribute 'MinRat', expected one of ns3::Dcqcn, did you mean "
               "MinRate?");
        scheme.controllerSettings = {{"MinRate", "fast"}};
        Expect(scheme,
               "scheme 'dcqcn', ns3::Dcqcn::MinRate: found 'fast', expected a rate with its unit, "
               "such as 100Gb/s");
        scheme = dcqcn;
        scheme.detectorSettings = {{"Kmin", "-1"}};
        Expect(scheme,
               "scheme 'dcqcn', ns3::EcnDetector::Kmin: found '-1', expected a value of uint64_t "
               "0:18446744073709551615");
        scheme = dcqcn;
        scheme.rdmaSettings = {{"CnpRule", "Mark"}};
        Expect(scheme,
               "scheme 'dcqcn', ns3::RdmaHw::CnpRule: found 'Mark', expected a value of "
               "Marks|ReceiveRate");
        scheme = FindScheme("mercury");
        const std::string place = "scheme 'mercury', ns3::MercuryWindow::Controller";
        const std::string form = "a class as ns3::Class or ns3::Class[Name=value|Name=value]";
        const std::string kind = "a class derived from ns3::RateController";
        const std::vector<std::array<std::string, 3>> inner = {
            {"ns3::Dcqcn[", ": found 'ns3::Dcqcn['", form},
            {"ns3::Dcqcn]", ": found 'ns3::Dcqcn]'", form},
            {"", ": found ''", form},
            {"ns3::Dcqcn[MinRate=1Gb/s", ": found 'ns3::Dcqcn[MinRate=1Gb/s'", form},
            {"ns3::Dcqcn[MinRate]", ": found 'ns3::Dcqcn[MinRate]'", form},
            {"ns3::Dcqcn[[]", ": found 'ns3::Dcqcn[[]'", form},
            {"ns3::Dcqcn[MinRate=]",
             ", MinRate: found ''",
             "a rate with its unit, such as 100Gb/s"},
            {"ns3::Node", ": found 'ns3::Node'", kind},
            {"ns3::Foo", ": found 'ns3::Foo'", kind},
            {"ns3::MercuryWindow",
             ": found 'ns3::MercuryWindow'",
             kind + ", other than ns3::MercuryWindow itself"},
            {"ns3::Pcn[Foo=1]",
             ": found attribute 'Foo'",
             "one of ns3::Pcn, which has WMin, WMax, MinRate"},
            {"ns3::Timely[HaiThreshold=-1]",
             ", HaiThreshold: found '-1'",
             "a value of uint32_t 1:4294967295"}};
        for (const auto& [value, found, expected] : inner)
        {
            scheme.controllerSettings = {{"Controller", value}};
            Expect(scheme, place + found + ", expected " + expected);
            // A default and an attribute of an object say the same.
            const std::string name = "ns3::MercuryWindow::Controller";
            const std::string message = name + found + ", expected " + expected;
            const StringValue text(value);
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { Config::SetDefault(name, text); }),
                                  message,
                                  "default");
            NS_TEST_EXPECT_MSG_EQ(
                ErrorOf([&] { CreateObject<MercuryWindow>()->SetAttribute("Controller", text); }),
                message,
                "attribute");
        }
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([] {
                Config::SetDefault("ns3::QbbNetDevice::Scheduler",
                                   StringValue("ns3::DeficitRoundRobin[Quantum=0]"));
            }),
            "ns3::QbbNetDevice::Scheduler, Quantum: found '0', expected a value of uint32_t "
            "1:4294967295",
            "a range within");
        RunSetters();
    }

    void Expect(const Scheme& scheme, const std::string& message)
    {
        LosslessFabric fabric;
        AddStar(fabric, 2, "100Gb/s", MicroSeconds(1));
        fabric.SetScheme(scheme);
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.Build(); }), message, "error");
        Simulator::Destroy();
    }

    void RunSetters()
    {
        LosslessFabric fabric;
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.SetSwitchAttribute("Xof", UintegerValue(1)); }),
                              "SetSwitchAttribute: found attribute 'Xof', expected one of "
                              "ns3::EthernetSwitch, did you "
                              "mean Xoff?",
                              "name");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { fabric.SetSwitchAttribute("Xoff", UintegerValue(UINT64_MAX)); }),
            "SetSwitchAttribute, ns3::EthernetSwitch::Xoff: found 18446744073709551615, expected a "
            "value of uint64_t 0:1000000000000",
            "bound");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.SetRdmaAttribute("Mtu", StringValue("1k")); }),
                              "SetRdmaAttribute, ns3::RdmaHw::Mtu: found '1k', expected a value of "
                              "uint32_t 1:" +
                                  std::to_string(MAXIMUM_PAYLOAD_BYTES),
                              "text");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { fabric.SetDeviceAttribute("PauseTime", StringValue("0")); }),
            "SetDeviceAttribute, ns3::QbbNetDevice::PauseTime: found '0', expected a value of "
            "uint16_t 1:65535",
            "range");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { fabric.SetSwitchAttribute("LosslessPriorities", UintegerValue(1)); }),
            "SetSwitchAttribute: found LosslessPriorities, expected SetLosslessPriorities()",
            "decided elsewhere");
    }
};

/// Flows, links and hosts that cannot be.
class WrongFlowsTestCase : public SettingsTestCase
{
  public:
    WrongFlowsTestCase()
        : SettingsTestCase("flows and links that cannot be")
    {
    }

  private:
    void DoRun() override
    {
        LosslessFabric fabric;
        Describe(fabric, "none");
        fabric.SetLossyPriorities(1 << 5);
        fabric.Build();
        const auto expect = [&](const std::vector<FlowSpec>& flows, const std::string& message) {
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.InstallFlows(flows); }), message, "flows");
        };
        expect({MakeFlow(3, 3, 0, 1000)}, "flow 3: found source host 3, expected 0 to 2");
        expect({MakeFlow(3, 0, 77, 1000)}, "flow 3: found destination host 77, expected 0 to 2");
        expect({MakeFlow(3, 1, 1, 1000)},
               "flow 3: found host 1 as source and destination, expected two different hosts");
        expect({MakeFlow(3, 0, 1, 0)}, "flow 3: found 0 bytes, expected at least 1");
        expect({MakeFlow(3, 0, 1, 1, 0, 8)}, "flow 3: found priority 8, expected 0 to 7");
        expect({MakeFlow(3, 0, 1, 1, 0, 4)},
               "flow 3: found priority 4, which may lose frames, expected one of the lossless "
               "priorities (3, see SetLosslessPriorities()), or SetLossyPriorities() for it");
        expect({MakeFlow(3, 0, 1, 1, -1)},
               "flow 3: found a start at -1 ns, expected 0 to 1000000s");
        expect({MakeFlow(3, 0, 1, 1, 1000000000000001)},
               "flow 3: found a start at 1000000000000001 ns, expected 0 to 1000000s");
        expect({MakeFlow(3, 0, 1, 1), MakeFlow(3, 0, 2, 1)},
               "flow 3: found a second flow of that number, expected each number once");
        // Nothing of a wrong list is sent; a second list goes on with the numbers.
        expect({MakeFlow(0, 0, 1, 1000), MakeFlow(1, 1, 2, 1000, 0, 5)}, "");
        expect({MakeFlow(1, 0, 1, 1)},
               "flow 1: found a second flow of that number, expected each number once");
        CompletionRecorder recorder(fabric);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.completions.size(), 2, "the two that can be");

        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.GetRdma(3); }),
                              "host: found 3, expected less than 3, their number",
                              "host");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { fabric.GetName(9); }),
                              "node: found 9, expected less than 4, their number",
                              "node");
        Renew();
        RunWrite();
        Renew();
        RunLinks();
        Renew();
        RunTriangle();
    }

    void RunWrite()
    {
        LosslessFabric fabric;
        Describe(fabric, "none");
        fabric.SetRdmaAttribute("RdmaWrite", BooleanValue(true));
        fabric.Build();
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { fabric.InstallFlows({MakeFlow(0, 0, 1, 5000000000)}); }),
            "flow 0: found an RDMA WRITE of 5000000000 bytes, expected less than "
            "4 GiB, the limit of its header",
            "write");
    }

    void RunLinks()
    {
        LosslessFabric fabric;
        fabric.AddHost("a");
        fabric.AddHost("b");
        const auto error = [&](uint64_t bps, Time delay) {
            return ErrorOf([&] { fabric.AddLink(0, 1, DataRate(bps), delay); });
        };
        NS_TEST_EXPECT_MSG_EQ(error(999, Time(0)),
                              "link a - b: found a rate of 999b/s, expected 1kb/s to 1000Tb/s",
                              "slow");
        NS_TEST_EXPECT_MSG_EQ(error(0, Time(0)),
                              "link a - b: found a rate of 0b/s, expected 1kb/s to 1000Tb/s",
                              "none");
        NS_TEST_EXPECT_MSG_EQ(error(2000000000000000, Time(0)),
                              "link a - b: found a rate of 2000Tb/s, expected 1kb/s to 1000Tb/s",
                              "fast");
        NS_TEST_EXPECT_MSG_EQ(error(1000, Seconds(9000000)),
                              "link a - b: found a delay of 9000000s, expected at most 1000000s",
                              "long");
        // The bounds themselves are fit for use.
        for (const auto& [bps, delay] :
             std::vector<std::pair<uint64_t, Time>>{{1000, Seconds(100000)},
                                                    {1000000000000000, Time(0)}})
        {
            LosslessFabric two;
            two.AddHost("a");
            two.AddHost("b");
            two.AddLink(0, 1, DataRate(bps), delay);
            two.SetRdmaAttribute("RetransmissionTimeout", TimeValue(Seconds(5000000)));
            two.Build();
            CompletionRecorder recorder(two);
            const FlowSpec flow = MakeFlow(0, 0, 1, 1000);
            two.InstallFlows({flow});
            Simulator::Run();
            LOSSLESS_TEST_REQUIRE(recorder.completions.size(), std::size_t(1), "completed");
            NS_TEST_EXPECT_MSG_EQ(recorder.completions.at(0).end, two.GetIdealFct(flow), "time");
            Simulator::Destroy();
        }
        LosslessFabric far;
        const uint32_t host = far.AddHost("a");
        far.AddLink(host, far.AddSwitch("s"), DataRate("100Gb/s"), Seconds(1000000));
        NS_TEST_EXPECT_MSG_NE(ErrorOf([&] { far.Build(); })
                                  .find("found a link of 100Gb/s and 1000000s, expected one whose "
                                        "headroom is at most 1000000000000 B"),
                              std::string::npos,
                              "headroom");
    }

    void RunTriangle()
    {
        LosslessFabric fabric;
        for (const char* name : {"h0", "h1", "h2"})
        {
            fabric.AddHost(name);
        }
        for (uint32_t i = 0; i < 3; i++)
        {
            fabric.AddLink(i, (i + 1) % 3, DataRate("100Gb/s"), MicroSeconds(1));
        }
        NS_TEST_EXPECT_MSG_EQ(
            ErrorOf([&] { fabric.Build(); }),
            "topology: found port 1 of host 'h0' unreachable from port 0 of host "
            "'h0', expected links and switches that join all ports of hosts, which "
            "do not forward",
            "a triangle");
    }
};

/// The suite `lossless-settings`.
class LosslessSettingsTestSuite : public TestSuite
{
  public:
    LosslessSettingsTestSuite()
        : TestSuite("lossless-settings", Type::UNIT)
    {
        AddTestCase(new UserDefaultsTestCase);
        AddTestCase(new LateTestCase);
        AddTestCase(new WrongSchemeTestCase);
        AddTestCase(new WrongFlowsTestCase);
    }
};

static LosslessSettingsTestSuite g_losslessSettingsTestSuite; //!< registers the suite

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/study-options.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// One option of each kind.
struct Program
{
    Program()
    {
        options.AddText("text", "A text", text);
        options.AddChoice("choice", "A choice", choice, {"a", "b"});
        options.AddCount("count", "A count", count, 1, 9);
        options.AddBytes("bytes", "Bytes", bytes, 1);
        options.AddBytes("size", "Bytes with a bound", size, 1, 1000);
        options.AddFraction("fraction", "A fraction", fraction);
        options.AddTime("time", "A time", time);
        options.AddRate("rate", "A rate", rate);
    }

    void Parse(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "program");
        std::vector<char*> argv;
        for (std::string& argument : arguments)
        {
            argv.push_back(&argument[0]);
        }
        options.Parse(static_cast<int>(argv.size()), argv.data());
    }

    std::string text{"x"};
    std::string choice{"a"};
    uint32_t count{4};
    uint64_t bytes{1000};
    uint64_t size{10};
    double fraction{0.5};
    Time time{MicroSeconds(1)};
    DataRate rate{"100Gb/s"};
    StudyOptions options{"program", "For a test."};
};

/// @returns the error of an argument, or "no error"
std::string
ErrorOf(const std::string& argument)
{
    try
    {
        Program().Parse({argument});
    }
    catch (const std::runtime_error& error)
    {
        return error.what();
    }
    return "no error";
}

} // namespace

TEST(StudyOptions, ReadsEachKind)
{
    Program program;
    program.Parse({"--text=hello",
                   "--choice=b",
                   "--count=9",
                   "--bytes=2MB",
                   "--fraction=1",
                   "--time=10ms",
                   "--rate=40Gb/s",
                   "--ns3::RdmaHw::AckInterval=1"});
    EXPECT_EQ(program.text, "hello");
    EXPECT_EQ(program.choice, "b");
    EXPECT_EQ(program.count, 9u);
    EXPECT_EQ(program.bytes, 2000000u);
    EXPECT_EQ(program.fraction, 1);
    EXPECT_EQ(program.time, MilliSeconds(10));
    EXPECT_EQ(program.rate, DataRate("40Gb/s"));
    EXPECT_TRUE(program.options.IsGiven("text"));
    EXPECT_TRUE(program.options.IsAttributeGiven("ns3::RdmaHw", "AckInterval"));
    EXPECT_FALSE(program.options.IsAttributeGiven("ns3::RdmaHw", "Mtu"));
}

TEST(StudyOptions, RecordsValues)
{
    Program program;
    program.Parse({"--bytes=2MB"});
    EXPECT_FALSE(program.options.IsGiven("count"));
    const std::vector<RunSummary::Parameter> expected = {{"text", "x"},
                                                         {"choice", "a"},
                                                         {"count", "4"},
                                                         {"bytes", "2000000"},
                                                         {"size", "10"},
                                                         {"fraction", "0.5"},
                                                         {"time", "1us"},
                                                         {"rate", "100Gb/s"}};
    EXPECT_EQ(program.options.GetParameters(), expected);
}

TEST(StudyOptions, PrintsAndEnds)
{
    Program program;
    program.options.AddPrinting("list", "A list", [](std::ostream&) { std::exit(7); });
    const auto before = program.options.GetParameters();
    EXPECT_EXIT(program.Parse({"--count=wrong", "--list"}), testing::ExitedWithCode(7), "");
    program.options.AddPrinting("nothing", "Nothing", [](std::ostream&) {});
    EXPECT_EXIT(program.Parse({"--nothing"}), testing::ExitedWithCode(0), "");
    EXPECT_THROW(program.Parse({"--list=1"}), OptionError);
    program.Parse({"--count=9"});
    EXPECT_EQ(program.options.GetParameters().size(), before.size()); // nothing for the record
}

TEST(StudyOptions, NamesWhatIsUnknown)
{
    EXPECT_EQ(ErrorOf("--cuont=3"), "unknown option --cuont, did you mean --count?");
    EXPECT_EQ(ErrorOf("--zzzzzz=3"), "unknown option --zzzzzz; program --help lists all");
    EXPECT_EQ(ErrorOf("count=3"), "unknown argument 'count=3', options are --name=value");
    EXPECT_EQ(ErrorOf("--count"), "option --count needs a value: --count=VALUE");
    EXPECT_EQ(ErrorOf("--ns3::RdmaHv::Mtu=1000"),
              "unknown class ns3::RdmaHv in --ns3::RdmaHv::Mtu, did you mean ns3::RdmaHw?");
    EXPECT_EQ(ErrorOf("--ns3::RdmaHw::Mtuu=1000"),
              "unknown attribute Mtuu of ns3::RdmaHw, did you mean Mtu?");
    EXPECT_EQ(ErrorOf("--ns3::Rocc::Machine=1"),
              "unknown attribute Machine of ns3::Rocc, which has RecoveryTimer");
    EXPECT_EQ(ErrorOf("--RngRum=2"), "unknown option --RngRum, did you mean --RngRun?");
}

TEST(StudyOptions, RefusesBadValues)
{
    EXPECT_EQ(ErrorOf("--count=0"), "--count: found '0', expected a whole number, 1 to 9");
    EXPECT_EQ(ErrorOf("--count=-1"), "--count: found '-1', expected a whole number, 1 to 9");
    EXPECT_EQ(ErrorOf("--count=4.5"), "--count: found '4.5', expected a whole number, 1 to 9");
    EXPECT_EQ(ErrorOf("--count=99999999999999999999"),
              "--count: found '99999999999999999999', expected a whole number, 1 to 9");
    EXPECT_EQ(ErrorOf("--choice=c"), "--choice: found 'c', expected one of a, b");
    EXPECT_EQ(ErrorOf("--fraction=1.01"),
              "--fraction: found '1.01', expected a number above 0 and at most 1");
    EXPECT_EQ(ErrorOf("--fraction=0"),
              "--fraction: found '0', expected a number above 0 and at most 1");
    EXPECT_EQ(
        ErrorOf("--time=0s"),
        "--time: found '0s', expected a time above 0 in whole ns with its unit, such as 10us");
    EXPECT_EQ(ErrorOf("--time=5"),
              "--time: found '5', expected a time above 0 in whole ns with its unit, such as 10us");
    EXPECT_EQ(ErrorOf("--rate=100"),
              "--rate: found '100', expected a rate above zero with its unit, such as 100Gb/s");
    EXPECT_EQ(ErrorOf("--bytes=0"),
              "--bytes: found '0', expected bytes, 1 or more, such as 2000000 or 2MB");
    EXPECT_EQ(ErrorOf("--text="), "--text: found '', expected a text");
}

TEST(StudyOptions, RefusesWhatIsBeyondItsBounds)
{
    for (const char* time : {"1000001s", "9000000s", "1e12s", "1e18us", "99999999999999999999ps"})
    {
        EXPECT_EQ(ErrorOf(std::string("--time=") + time),
                  std::string("--time: found '") + time + "', expected at most 1000000s");
    }
    EXPECT_EQ(ErrorOf("--time=1000000s"), "no error");
    for (const char* rate : {"999b/s", "0.9kb/s", "1001Tb/s", "1e30Gb/s"})
    {
        EXPECT_EQ(ErrorOf(std::string("--rate=") + rate),
                  std::string("--rate: found '") + rate + "', expected 1kb/s to 1000Tb/s");
    }
    EXPECT_EQ(ErrorOf("--rate=1kb/s"), "no error");
    EXPECT_EQ(ErrorOf("--rate=1000Tb/s"), "no error");
    EXPECT_EQ(ErrorOf("--size=1001"),
              "--size: found '1001', expected bytes, 1 to 1000, such as 2000000 or 2MB");
    EXPECT_EQ(ErrorOf("--size=1000"), "no error");
}

TEST(StudyOptions, TakesTextsThatNs3DoesNot)
{
    Program program;
    program.Parse({"--text= my folder "});
    EXPECT_EQ(program.text, " my folder ");
    for (const char* blank : {"", " ", "  "})
    {
        EXPECT_EQ(ErrorOf(std::string("--text=") + blank),
                  std::string("--text: found '") + blank + "', expected a text");
    }
}

TEST(StudyOptions, ChecksGlobalValues)
{
    EXPECT_EQ(ErrorOf("--RngSeed=0"), "--RngSeed: found '0', expected 1 to 4294944442");
    EXPECT_EQ(ErrorOf("--RngSeed=4294944443"),
              "--RngSeed: found '4294944443', expected 1 to 4294944442");
    EXPECT_EQ(ErrorOf("--SimulatorImplementationType=x"),
              "--SimulatorImplementationType: found 'x', expected a class derived from "
              "ns3::SimulatorImpl");
    EXPECT_EQ(ErrorOf("--SimulatorImplementationType=ns3::DefaultSimulatorImp"),
              "--SimulatorImplementationType: found 'ns3::DefaultSimulatorImp', expected a class "
              "derived from ns3::SimulatorImpl, did you mean ns3::DefaultSimulatorImpl?");
    EXPECT_EQ(ErrorOf("--SchedulerType=ns3::Node"),
              "--SchedulerType: found 'ns3::Node', expected a class derived from ns3::Scheduler");
}

TEST(StudyOptions, ReadsNs3sEnvironment)
{
    /// A variable for one test.
    struct Variable
    {
        Variable(const char* name, const char* value)
            : m_name(name)
        {
            setenv(name, value, 1);
        }

        ~Variable()
        {
            unsetenv(m_name);
        }

        const char* m_name; //!< of the variable
    };

    const std::vector<std::array<const char*, 3>> cases = {
        {"NS_LOG", "foo", "NS_LOG: found 'foo', expected a log component, or * for all"},
        {"NS_LOG",
         "MercuryWindo",
         "NS_LOG: found 'MercuryWindo', expected a log component, or * "
         "for all, did you mean MercuryWindow?"},
        {"NS_LOG",
         "MercuryWindow=level_al",
         "NS_LOG: found level 'level_al', expected one such as error, debug, info or level_all, "
         "did "
         "you mean level_all?"},
        {"NS_LOG", "MercuryWindow=level_all|prefix_time:*=error", "no error"},
        {"NS_ATTRIBUTE_DEFAULT",
         "ns3::Dcqn::MinRate=1Gb/s",
         "NS_ATTRIBUTE_DEFAULT: found 'ns3::Dcqn::MinRate', expected ns3::Class::Attribute=value "
         "of "
         "a class that exists, did you mean ns3::Dcqcn?"},
        {"NS_ATTRIBUTE_DEFAULT",
         "ns3::RdmaHw::Mtu=500;ns3::Dcqcn::MinRat=1Gb/s",
         "NS_ATTRIBUTE_DEFAULT: found attribute 'MinRat', expected one of ns3::Dcqcn, did you mean "
         "MinRate?"},
        {"NS_ATTRIBUTE_DEFAULT",
         "ns3::TcdDetector::Kmin=1",
         "NS_ATTRIBUTE_DEFAULT: found 'ns3::TcdDetector::Kmin', expected the class that declares "
         "it, ns3::EcnDetector"},
        {"NS_ATTRIBUTE_DEFAULT",
         "ns3::RdmaHw::AckInterval=foo",
         "NS_ATTRIBUTE_DEFAULT, ns3::RdmaHw::AckInterval: found 'foo', expected a value of "
         "uint32_t "
         "1:4294967295"},
        {"NS_ATTRIBUTE_DEFAULT", "ns3::RdmaHw::AckInterval=4;", "no error"},
        {"NS_GLOBAL_VALUE",
         "RngRum=2",
         "NS_GLOBAL_VALUE: found 'RngRum=2', expected Name=value of a global value, did you mean "
         "RngRun?"},
        {"NS_GLOBAL_VALUE",
         "SchedulerType=foo",
         "NS_GLOBAL_VALUE, SchedulerType: found 'foo', expected a class derived from "
         "ns3::Scheduler"},
        {"NS_GLOBAL_VALUE", "RngRun=2;", "no error"}};
    for (const auto& [name, value, error] : cases)
    {
        const Variable variable(name, value);
        EXPECT_EQ(ErrorOf("--count=2"), error) << name << "=" << value;
    }
    const Variable variable("NS_ATTRIBUTE_DEFAULT", "ns3::RdmaHw::AckInterval=4");
    EXPECT_EQ(ErrorOf("--ns3::RdmaHw::AckInterval=5"),
              "--ns3::RdmaHw::AckInterval: found '5' and '4' in NS_ATTRIBUTE_DEFAULT, which ns-3 "
              "prefers, expected one of the two");
    EXPECT_EQ(ErrorOf("--ns3::RdmaHw::AckInterval=4"), "no error");
}

// ns-3 itself would abort on most of these.
TEST(StudyOptions, RefusesBadValuesOfAttributes)
{
    for (const char* bad : {"--ns3::RdmaHw::Mtu=abc",
                            "--ns3::RdmaHw::Mtu=10x",
                            "--ns3::RdmaHw::Mtu=0",
                            "--ns3::RdmaHw::CnpInterval=10parsec",
                            "--ns3::RdmaHw::CnpInterval=-5us",
                            "--ns3::RdmaHw::SendCnp=maybe",
                            "--ns3::RdmaHw::RateController=ns3::Dcqnc",
                            "--ns3::Dcqcn::MinRate=fast",
                            "--ns3::Dcqcn::Variant=Perpetual",
                            "--ns3::EcnDetector::Pmax=1.5.2",
                            "--RngRun=x",
                            "--SchedulerType=ns3::NoScheduler"})
    {
        const std::string error = ErrorOf(bad);
        const std::string text(bad);
        const std::string start = text.substr(0, text.find('=')) + ": found '" +
                                  text.substr(text.find('=') + 1) + "', expected a";
        EXPECT_EQ(error.substr(0, start.size()), start);
    }
}

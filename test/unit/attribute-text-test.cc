// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/attribute-text.h"
#include "ns3/boolean.h"
#include "ns3/egress-scheduler.h"
#include "ns3/input-error.h"
#include "ns3/object.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @returns the error of a value for an attribute, empty if it takes it
std::string
ErrorOf(const std::string& type, const std::string& attribute, const std::string& text)
{
    try
    {
        const auto found = FindAttribute("P", TypeId::LookupByName(type), attribute);
        CheckAttributeText("P", found.info.checker, text);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/// @returns whether each of some texts is taken
std::vector<bool>
Takes(const std::string& type, const std::string& attribute, const std::vector<std::string>& texts)
{
    std::vector<bool> takes;
    for (const std::string& text : texts)
    {
        takes.push_back(ErrorOf(type, attribute, text).empty());
    }
    return takes;
}

const std::vector<bool> ALL(20, true);
const std::vector<bool> NONE(20, false);

/// @returns as many equal answers as there are texts
std::vector<bool>
Like(const std::vector<bool>& answers, std::size_t count)
{
    return {answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(count)};
}

} // namespace

TEST(AttributeText, ReadsClassesWithTheirAttributes)
{
    std::string type = "old";
    std::vector<NamedText> attributes;
    EXPECT_TRUE(ReadClassText("ns3::Dcqcn", type, attributes));
    EXPECT_EQ(type, "ns3::Dcqcn");
    EXPECT_TRUE(attributes.empty());
    EXPECT_TRUE(ReadClassText("ns3::Dcqcn[]", type, attributes));
    EXPECT_TRUE(attributes.empty());
    // ns-3 writes a bar behind the last as well.
    for (const char* text : {"X[A=1|B=a b]", "X[A=1|B=a b|]"})
    {
        EXPECT_TRUE(ReadClassText(text, type, attributes)) << text;
        EXPECT_EQ(type, "X");
        EXPECT_EQ(attributes, (std::vector<NamedText>{{"A", "1"}, {"B", "a b"}}));
    }
    for (const char* text : {"",
                             "[",
                             "]",
                             "X[",
                             "X]",
                             "X[A=1",
                             "X[A=1]]",
                             "X[[A=1]",
                             "X[A=1]Y",
                             "X[A]",
                             "X[=1]",
                             "X|Y",
                             "X=1",
                             "X[A=Y[B=1]]"})
    {
        EXPECT_FALSE(ReadClassText(text, type, attributes)) << text;
    }
    EXPECT_EQ(type, "X") << "changed by a wrong text";
}

TEST(AttributeText, WholeNumbers)
{
    // ns-3 reads -1 as the largest.
    const std::vector<std::string> bad = {"-1",
                                          "",
                                          " ",
                                          "x",
                                          "1x",
                                          "1.0",
                                          "1e3",
                                          "0x10",
                                          "nan",
                                          "inf",
                                          "1e308",
                                          "99999999999999999999"};
    EXPECT_EQ(Takes("ns3::EcnDetector", "Kmin", bad), Like(NONE, bad.size()));
    const std::vector<std::string> good = {"0", "1", "18446744073709551615"};
    EXPECT_EQ(Takes("ns3::EcnDetector", "Kmin", good), Like(ALL, good.size()));
    EXPECT_EQ(ErrorOf("ns3::EcnDetector", "Kmin", "-1"),
              "P: found '-1', expected a value of uint64_t 0:18446744073709551615");
    EXPECT_EQ(Takes("ns3::RdmaHw", "AckPriority", {"-1", "-2", "7", "8"}),
              (std::vector<bool>{true, false, true, false}));
    EXPECT_EQ(ErrorOf("ns3::EthernetSwitch", "Xoff", "18446744073709551615"),
              "P: found '18446744073709551615', expected a value of uint64_t 0:1000000000000");
}

TEST(AttributeText, Times)
{
    // What ns-3 would cut to whole nanoseconds or let overflow is refused.
    const std::vector<std::string> bad = {"",
                                          "x",
                                          "us",
                                          "10parsec",
                                          "10 us",
                                          "0.5ns",
                                          "1ps",
                                          "1fs",
                                          "nan",
                                          "1e308s",
                                          "1e11s",
                                          "300y",
                                          "99999999999999999999fs",
                                          "-1us"};
    EXPECT_EQ(Takes("ns3::RdmaHw", "CnpInterval", bad), Like(NONE, bad.size()));
    const std::vector<std::string> good = {"0s",
                                           "10us",
                                           "10000000s",
                                           "9223372036s",
                                           "100y",
                                           "1d",
                                           "2h",
                                           "3min",
                                           "0.25us",
                                           "1000ps",
                                           "1e3us",
                                           "5"};
    EXPECT_EQ(Takes("ns3::RdmaHw", "CnpInterval", good), Like(ALL, good.size()));
    EXPECT_EQ(ErrorOf("ns3::RdmaHw", "CnpInterval", "0.5ns"),
              "P: found '0.5ns', expected a time with its unit, such as 10us");
}

TEST(AttributeText, RatesRealsEnumerations)
{
    const std::vector<std::string> rates =
        {"", "1", "-1Gb/s", "fast", "1e3Gb/s", "nanGb/s", "1e30b/s", "1 Gb/s"};
    EXPECT_EQ(Takes("ns3::Dcqcn", "MinRate", rates), Like(NONE, rates.size()));
    EXPECT_EQ(Takes("ns3::Dcqcn", "MinRate", {"0b/s", "1b/s", "0.5Mb/s", "100Gbps"}), Like(ALL, 4));
    const std::vector<std::string> reals = {"", "x", "nan", "inf", "-inf", "1e999", "1,5", "1x"};
    EXPECT_EQ(Takes("ns3::Dcqcn", "Gain", reals), Like(NONE, reals.size()));
    EXPECT_EQ(Takes("ns3::Dcqcn", "Gain", {"0", "1e-3", "0.5", "-0.0"}), Like(ALL, 4));
    const std::vector<std::string> enumerations =
        {"", "marks", "Marks|ReceiveRate", "|", "Mark", "Marks "};
    EXPECT_EQ(Takes("ns3::RdmaHw", "CnpRule", enumerations), Like(NONE, enumerations.size()));
    EXPECT_EQ(Takes("ns3::RdmaHw", "CnpRule", {"Marks", "ReceiveRate"}), Like(ALL, 2));
    EXPECT_EQ(Takes("ns3::RdmaHw", "SendCnp", {"true", "0", "yes", ""}),
              (std::vector<bool>{true, true, false, false}));
}

TEST(AttributeText, Classes)
{
    // An attribute that takes an object of ns-3's own kind is looked into just as well.
    EXPECT_EQ(Takes("ns3::RdmaHw", "RateController", {"ns3::Timely[Beta=0.5]", "ns3::Hpcc"}),
              Like(ALL, 2));
    const std::vector<std::string> bad = {"",
                                          "ns3::Timely[",
                                          "ns3::Timely[Beta=x]",
                                          "ns3::Timely[Bet=1]",
                                          "ns3::EcnDetector",
                                          "Foo"};
    EXPECT_EQ(Takes("ns3::RdmaHw", "RateController", bad), Like(NONE, bad.size()));
    EXPECT_EQ(ErrorOf("ns3::RdmaHw", "RateController", "ns3::Timly"),
              "P: found 'ns3::Timly', expected a class derived from ns3::RateController, did you "
              "mean ns3::Timely?");
    EXPECT_EQ(ErrorOf("ns3::RdmaHw", "RateController", "ns3::Timely[Bet=1]"),
              "P: found attribute 'Bet', expected one of ns3::Timely, did you mean Beta?");
    // No name is near.
    EXPECT_EQ(ErrorOf("ns3::RdmaHw", "RateController", "ns3::Pcn[Foo=1]"),
              "P: found attribute 'Foo', expected one of ns3::Pcn, which has WMin, WMax, MinRate");
    EXPECT_EQ(ErrorOf("ns3::QbbNetDevice", "Scheduler", "ns3::DeficitRoundRobin[Quantum=0]"),
              "P, Quantum: found '0', expected a value of uint32_t 1:4294967295");
    EXPECT_EQ(ErrorOf("ns3::QbbNetDevice", "Scheduler", "ns3::DeficitRoundRobin[Quantum=9]"), "");
}

TEST(AttributeText, FindsTheClassThatDeclares)
{
    const TypeId tcd = TypeId::LookupByName("ns3::TcdDetector");
    EXPECT_EQ(FindAttribute("P", tcd, "Kmin").declares.GetName(), "ns3::EcnDetector");
    EXPECT_EQ(FindAttribute("P", tcd, "Epsilon").declares, tcd);
}

TEST(ClassChecker, TakesFactoriesOfItsKindAlone)
{
    const auto checker = MakeClassChecker<EgressScheduler>("ns3::X::Y");
    ObjectFactory factory;
    factory.SetTypeId("ns3::DeficitRoundRobin");
    EXPECT_TRUE(checker->Check(ObjectFactoryValue(factory)));
    EXPECT_FALSE(checker->Check(BooleanValue(true)));
    factory.SetTypeId("ns3::Dcqcn");
    EXPECT_THROW(checker->Check(ObjectFactoryValue(factory)), InputError);
    // What is read is written as it was, but for ns-3's own.
    const auto value = checker->CreateValidValue(StringValue("ns3::DeficitRoundRobin[Quantum=7]"));
    ASSERT_TRUE(value);
    EXPECT_EQ(value->SerializeToString(checker), "ns3::DeficitRoundRobin[Quantum=7]");
    EXPECT_EQ(value->Copy()->SerializeToString(checker), "ns3::DeficitRoundRobin[Quantum=7]");
}

TEST(AttributeText, EndsNoProgramOverASecondWord)
{
    const std::vector<std::string> good = {"100p", "1MB"};
    EXPECT_EQ(Takes("ns3::LosslessQueueDisc", "MaxSize", good), Like(ALL, good.size()));
    const std::vector<std::string> bad = {"100 p", "100p 1", "100\tp", "p 100", " "};
    EXPECT_EQ(Takes("ns3::LosslessQueueDisc", "MaxSize", bad), Like(NONE, bad.size()));
    // A rate of nothing has a unit, too.
    const std::vector<std::string> zero = {"0b/s", "0Gbps", "0"};
    EXPECT_EQ(Takes("ns3::Timely", "InitialRate", zero), Like(ALL, zero.size()));
    const std::vector<std::string> none = {"0bp s", "0x", "0 b/s 1", "0s"};
    EXPECT_EQ(Takes("ns3::Timely", "InitialRate", none), Like(NONE, none.size()));
}

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/json-writer.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

using namespace ns3;

TEST(JsonWriter, NestsObjectsAndArrays)
{
    std::ostringstream out;
    JsonWriter json(out);
    json.BeginObject();
    json.Member("name", "x");
    json.Member("n", uint64_t(18446744073709551615ULL));
    json.Member("neg", -3);
    json.Member("on", true);
    json.Key("list");
    json.BeginArray();
    json.Value(0.5);
    json.BeginObject();
    json.EndObject();
    json.Null();
    json.EndArray();
    json.EndObject();
    EXPECT_EQ(out.str(),
              "{\n"
              "  \"name\": \"x\",\n"
              "  \"n\": 18446744073709551615,\n"
              "  \"neg\": -3,\n"
              "  \"on\": true,\n"
              "  \"list\": [\n"
              "    0.5,\n"
              "    {},\n"
              "    null\n"
              "  ]\n"
              "}\n");
}

TEST(JsonWriter, EscapesStrings)
{
    std::ostringstream out;
    JsonWriter(out).Value("a\"b\\c\nd\x01 é");
    EXPECT_EQ(out.str(), "\"a\\\"b\\\\c\\u000ad\\u0001 é\"\n");
}

TEST(JsonWriter, NumbersReadBackToTheSameValue)
{
    EXPECT_EQ(JsonWriter::Number(0), "0");
    EXPECT_EQ(JsonWriter::Number(0.1), "0.1");
    EXPECT_EQ(JsonWriter::Number(-2.5), "-2.5");
    EXPECT_EQ(JsonWriter::Number(0.01), "0.01");
    for (double value : {1.0 / 3.0,
                         2.0 / 3.0,
                         0.1 + 0.2,
                         std::nextafter(1.0, 2.0),
                         5680261.065281783,
                         1e300,
                         std::numeric_limits<double>::denorm_min(),
                         std::numeric_limits<double>::max()})
    {
        EXPECT_EQ(std::strtod(JsonWriter::Number(value).c_str(), nullptr), value) << value;
    }
}

TEST(JsonWriter, NumbersThatAreNotFiniteAreNull)
{
    EXPECT_EQ(JsonWriter::Number(std::nan("")), "null");
    EXPECT_EQ(JsonWriter::Number(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, TextThatReadsAsNumberOrBoolIsOne)
{
    const auto written = [](const std::string& text) {
        std::ostringstream out;
        JsonWriter(out).ValueFromText(text);
        return out.str();
    };
    EXPECT_EQ(written("12"), "12\n");
    EXPECT_EQ(written("-0.5e-3"), "-0.5e-3\n");
    EXPECT_EQ(written("true"), "true\n");
    EXPECT_EQ(written("10ms"), "\"10ms\"\n");
    // Not JSON's grammar for numbers.
    EXPECT_EQ(written("007"), "\"007\"\n");
    EXPECT_EQ(written(".5"), "\".5\"\n");
    EXPECT_EQ(written("5."), "\"5.\"\n");
    EXPECT_EQ(written("5e"), "\"5e\"\n");
    EXPECT_EQ(written("-"), "\"-\"\n");
    EXPECT_EQ(written("5GB"), "\"5GB\"\n");
    EXPECT_EQ(written("nan"), "\"nan\"\n");
    EXPECT_EQ(written(""), "\"\"\n");
}

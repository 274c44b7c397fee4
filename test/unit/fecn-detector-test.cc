// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/fecn-detector.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/// A port with its detector; packets are 2074 B unless said.
class Port
{
  public:
    Port()
        : m_detector(CreateObject<FecnDetector>())
    {
        m_context.port = 3;
        m_context.bufferBytes = 160000;
    }

    template <typename V>
    Port& Set(const std::string& name, const V& value)
    {
        m_detector->SetAttribute(name, value);
        return *this;
    }

    Port& SetBuffer(uint64_t bytes)
    {
        m_context.bufferBytes = bytes;
        return *this;
    }

    FecnDetector& Attach()
    {
        m_detector->Attach(m_context);
        return *m_detector;
    }

  private:
    DetectorContext m_context;
    Ptr<FecnDetector> m_detector;
};

/// @returns whether a packet that came and left at these times was marked
bool
Marks(FecnDetector& detector,
      uint64_t queueBytes,
      int64_t arrivalUs,
      int64_t departureUs,
      uint32_t bytes = 2074,
      CodePoint before = CodePoint::CAPABLE)
{
    Frame frame;
    frame.bytes = bytes;
    frame.codePoint = before;
    frame.readyPs = arrivalUs * 1000000;
    detector.OnDequeue(frame, {queueBytes, 1}, MicroSeconds(departureUs));
    return frame.codePoint == CodePoint::CONGESTION && before != CodePoint::CONGESTION;
}

} // namespace

TEST(FecnDetector, RootMarksAboveThreshold)
{
    Port port;
    FecnDetector& detector = port.Attach();
    EXPECT_EQ(detector.GetThreshold(), 50000u);
    EXPECT_FALSE(Marks(detector, 50000, 0, 1));
    EXPECT_EQ(detector.GetState(), CongestionDetector::NON_CONGESTION);
    EXPECT_TRUE(Marks(detector, 50001, 1, 2));
    EXPECT_EQ(detector.GetState(), CongestionDetector::CONGESTION);
    EXPECT_FALSE(Marks(detector, 90000, 1, 3, 2074, CodePoint::NOT_CAPABLE));
    EXPECT_TRUE(Marks(detector, 90000, 1, 3, 2074, CodePoint::UNDETERMINED)) << "CE is more";
    EXPECT_FALSE(Marks(detector, 0, 3, 4));
    EXPECT_EQ(detector.GetState(), CongestionDetector::NON_CONGESTION);
}

TEST(FecnDetector, PacketsThatWaitedForCreditsAreAVictims)
{
    Port port;
    FecnDetector& detector = port.Attach();
    detector.OnOff(MicroSeconds(10));
    detector.OnOn(MicroSeconds(50));
    EXPECT_FALSE(Marks(detector, 90000, 5, 50)) << "came before the OFF";
    EXPECT_FALSE(Marks(detector, 90000, 30, 51)) << "came while OFF";
    EXPECT_EQ(detector.GetState(), CongestionDetector::NON_CONGESTION);
    // What TCD calls improper: it came after the credits, behind packets that had none.
    EXPECT_TRUE(Marks(detector, 90000, 50, 60));
    EXPECT_TRUE(Marks(detector, 90000, 55, 61));
    EXPECT_FALSE(Marks(detector, 90000, 49, 62)) << "whatever the order";
    detector.OnOff(MicroSeconds(70));
    detector.OnOn(MicroSeconds(90));
    EXPECT_FALSE(Marks(detector, 90000, 65, 91)) << "the next OFF delayed it";
}

TEST(FecnDetector, OnlyTheFirstAfterAnOffIsDelayedByAnotherReading)
{
    Port port;
    FecnDetector& detector = port.Set("Delay", StringValue("Head")).Attach();
    EXPECT_TRUE(Marks(detector, 90000, 0, 1)) << "never OFF";
    detector.OnOff(MicroSeconds(10));
    detector.OnOn(MicroSeconds(50));
    EXPECT_FALSE(Marks(detector, 90000, 5, 50));
    EXPECT_TRUE(Marks(detector, 90000, 5, 51));
    EXPECT_TRUE(Marks(detector, 90000, 55, 60));
}

TEST(FecnDetector, NoPacketIsDelayedByAThirdReading)
{
    Port port;
    FecnDetector& detector = port.Set("Delay", StringValue("None")).Attach();
    detector.OnOff(MicroSeconds(10));
    detector.OnOn(MicroSeconds(50));
    EXPECT_TRUE(Marks(detector, 90000, 5, 50));
}

TEST(FecnDetector, VictimMaskMakesAVictimMark)
{
    Port masked;
    FecnDetector& detector = masked.Set("VictimMask", UintegerValue(1 << 3)).Attach();
    detector.OnOff(MicroSeconds(10));
    detector.OnOn(MicroSeconds(50));
    EXPECT_TRUE(Marks(detector, 90000, 5, 50));
    Port other;
    FecnDetector& unmasked = other.Set("VictimMask", UintegerValue(1 << 2)).Attach();
    unmasked.OnOff(MicroSeconds(10));
    unmasked.OnOn(MicroSeconds(50));
    EXPECT_FALSE(Marks(unmasked, 90000, 5, 50));
}

TEST(FecnDetector, MarkingRateLeavesPacketsOut)
{
    Port port;
    FecnDetector& detector = port.Set("MarkingRate", UintegerValue(3)).Attach();
    std::string marks;
    for (int i = 0; i < 9; i++)
    {
        marks += Marks(detector, 90000, i, i) ? 'x' : '.';
        Marks(detector, 0, i, i);                                   // below the threshold
        Marks(detector, 90000, i, i, 2074, CodePoint::NOT_CAPABLE); // not eligible either
    }
    EXPECT_EQ(marks, "...x...x.");
}

TEST(FecnDetector, SmallPacketsAreNotMarked)
{
    Port port;
    FecnDetector& detector = port.Set("PacketSize", UintegerValue(8)).Attach();
    EXPECT_FALSE(Marks(detector, 90000, 0, 1, 511));
    EXPECT_TRUE(Marks(detector, 90000, 0, 1, 512));
}

TEST(FecnDetector, WeightIsAPartOfTheBuffer)
{
    const auto threshold = [](int weight) {
        return Port().Set("Weight", IntegerValue(weight)).Attach().GetThreshold();
    };
    EXPECT_EQ(threshold(15), 10000u); // of 160 000 B
    EXPECT_EQ(threshold(8), 80000u);
    EXPECT_EQ(threshold(1), 150000u);
    EXPECT_EQ(threshold(-1), 50000u);
    EXPECT_EQ(Port()
                  .Set("Weight", IntegerValue(15))
                  .Set("Buffer", UintegerValue(280000))
                  .Attach()
                  .GetThreshold(),
              17500u);
    Port never;
    EXPECT_FALSE(Marks(never.Set("Weight", IntegerValue(0)).Attach(), 1u << 30, 0, 1));
    Port unknown;
    unknown.SetBuffer(0).Set("Weight", IntegerValue(15));
    EXPECT_THROW(unknown.Attach(), InputError);
}

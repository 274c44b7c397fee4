// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/double.h"
#include "ns3/ecn-detector.h"
#include "ns3/input-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

Ptr<EcnDetector>
MakeDetector(uint64_t kmin, uint64_t kmax, double pmax)
{
    Ptr<EcnDetector> detector = CreateObject<EcnDetector>();
    detector->SetAttribute("Kmin", UintegerValue(kmin));
    detector->SetAttribute("Kmax", UintegerValue(kmax));
    detector->SetAttribute("Pmax", DoubleValue(pmax));
    detector->AssignStreams(7);
    return detector;
}

DetectorContext
Port(uint64_t rateBps)
{
    DetectorContext context;
    context.node = 3;
    context.port = 2;
    context.rateBps = rateBps;
    return context;
}

/// @returns the code point of a frame after it left a queue of that many bytes
CodePoint
Dequeue(Ptr<EcnDetector> detector, uint64_t bytes, CodePoint before = CodePoint::CAPABLE)
{
    Frame frame;
    frame.bytes = 1082;
    frame.codePoint = before;
    QueueState queue;
    queue.bytes = bytes;
    detector->OnDequeue(frame, queue, MicroSeconds(1));
    return frame.codePoint;
}

bool
Marks(Ptr<EcnDetector> detector, uint64_t bytes)
{
    return Dequeue(detector, bytes) == CodePoint::CONGESTION;
}

/// Expects a fraction of marks at one queue length.
void
ExpectProbability(Ptr<EcnDetector> detector, uint64_t bytes, double probability)
{
    const int n = 100000;
    int marked = 0;
    for (int i = 0; i < n; ++i)
    {
        marked += Marks(detector, bytes);
    }
    // Five standard deviations of the binomial distribution: 1 in 1.7 million by chance, and the
    // random stream is fixed.
    const double sigma = std::sqrt(probability * (1 - probability) / n);
    EXPECT_NEAR(static_cast<double>(marked) / n, probability, 5 * sigma) << bytes << " B";
}

} // namespace

TEST(CongestionDetector, MarksByNumericMaximum)
{
    const struct
    {
        CodePoint before;
        CodePoint mark;
        CodePoint after;
    } cases[] = {
        {CodePoint::NOT_CAPABLE, CodePoint::UNDETERMINED, CodePoint::NOT_CAPABLE},
        {CodePoint::NOT_CAPABLE, CodePoint::CONGESTION, CodePoint::NOT_CAPABLE},
        {CodePoint::CAPABLE, CodePoint::UNDETERMINED, CodePoint::UNDETERMINED},
        {CodePoint::CAPABLE, CodePoint::CONGESTION, CodePoint::CONGESTION},
        {CodePoint::UNDETERMINED, CodePoint::UNDETERMINED, CodePoint::UNDETERMINED},
        {CodePoint::UNDETERMINED, CodePoint::CONGESTION, CodePoint::CONGESTION},
        {CodePoint::CONGESTION, CodePoint::UNDETERMINED, CodePoint::CONGESTION},
        {CodePoint::CONGESTION, CodePoint::CONGESTION, CodePoint::CONGESTION},
    };

    for (const auto& c : cases)
    {
        Frame frame;
        frame.codePoint = c.before;
        EXPECT_EQ(CongestionDetector::Mark(frame, c.mark), c.before != c.after);
        EXPECT_EQ(frame.codePoint, c.after);
    }
}

TEST(EcnDetector, MarksNothingAtKminAndEverythingAtKmax)
{
    // Pmax 0: what is marked is marked by Kmax alone.
    Ptr<EcnDetector> never = MakeDetector(5000, 200000, 0);
    never->Attach(Port(40000000000));
    // Pmax 1 and a width of one byte: what is not marked is spared by Kmin alone.
    Ptr<EcnDetector> step = MakeDetector(5000, 5001, 1);
    step->Attach(Port(40000000000));
    for (int i = 0; i < 1000; ++i)
    {
        EXPECT_FALSE(Marks(never, 0));
        EXPECT_FALSE(Marks(never, 5000));
        EXPECT_FALSE(Marks(never, 100000));
        EXPECT_FALSE(Marks(never, 199999));
        EXPECT_TRUE(Marks(never, 200000));
        EXPECT_TRUE(Marks(never, 10000000));
        EXPECT_FALSE(Marks(step, 5000));
        EXPECT_TRUE(Marks(step, 5001));
    }
}

TEST(EcnDetector, EqualThresholdsAreAStep)
{
    Ptr<EcnDetector> detector = MakeDetector(50000, 50000, 0.5);
    detector->Attach(Port(40000000000));
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_FALSE(Marks(detector, 50000));
        EXPECT_TRUE(Marks(detector, 50001));
    }
}

TEST(EcnDetector, MarksWithTheProbabilityOfRed)
{
    Ptr<EcnDetector> hpcc = MakeDetector(100000, 400000, 0.2);
    hpcc->Attach(Port(25000000000));
    ExpectProbability(hpcc, 101000, 0.2 / 300);
    ExpectProbability(hpcc, 175000, 0.05);
    ExpectProbability(hpcc, 250000, 0.1);
    ExpectProbability(hpcc, 399999, 0.2);

    // With the attributes' defaults, those of SIGCOMM 2015: 0.01 (q - 5 KB) / 195 KB.
    Ptr<EcnDetector> paper = CreateObject<EcnDetector>();
    paper->AssignStreams(8);
    paper->Attach(Port(40000000000));
    ExpectProbability(paper, 102500, 0.005);
    EXPECT_FALSE(Marks(paper, 5000));
    EXPECT_TRUE(Marks(paper, 200000));
}

TEST(EcnDetector, NeverMarksWhatIsNotCapableAndKeepsCe)
{
    Ptr<EcnDetector> detector = MakeDetector(5000, 200000, 1);
    detector->Attach(Port(40000000000));
    EXPECT_EQ(Dequeue(detector, 300000, CodePoint::NOT_CAPABLE), CodePoint::NOT_CAPABLE);
    EXPECT_EQ(Dequeue(detector, 300000, CodePoint::UNDETERMINED), CodePoint::CONGESTION);
    EXPECT_EQ(Dequeue(detector, 300000, CodePoint::CONGESTION), CodePoint::CONGESTION);
    EXPECT_EQ(Dequeue(detector, 5000, CodePoint::UNDETERMINED), CodePoint::UNDETERMINED);
}

TEST(EcnDetector, ScalesThresholdsWithTheLineRate)
{
    // HPCC's script: 100/400 KB at 25 Gb/s become 160/640, 400/1600 and 1600/6400 KB.
    const struct
    {
        uint64_t gbps;
        uint64_t kmin;
        uint64_t kmax;
    } cases[] = {{25, 100000, 400000},
                 {40, 160000, 640000},
                 {100, 400000, 1600000},
                 {400, 1600000, 6400000}};

    for (const auto& c : cases)
    {
        Ptr<EcnDetector> low = MakeDetector(100000, 400000, 0);
        low->SetAttribute("ReferenceRate", StringValue("25Gb/s"));
        low->Attach(Port(c.gbps * 1000000000));
        EXPECT_FALSE(Marks(low, c.kmax - 1)) << c.gbps;
        EXPECT_TRUE(Marks(low, c.kmax)) << c.gbps;

        Ptr<EcnDetector> middle = MakeDetector(100000, 400000, 0.2);
        middle->SetAttribute("ReferenceRate", StringValue("25Gb/s"));
        middle->Attach(Port(c.gbps * 1000000000));
        EXPECT_FALSE(Marks(middle, c.kmin)) << c.gbps;
        ExpectProbability(middle, (c.kmin + c.kmax) / 2, 0.1);
    }
    Ptr<EcnDetector> fixed = MakeDetector(100000, 400000, 0);
    fixed->Attach(Port(100000000000));
    EXPECT_FALSE(Marks(fixed, 399999));
    EXPECT_TRUE(Marks(fixed, 400000));
}

TEST(EcnDetector, DrawsOnlyBetweenTheThresholds)
{
    const int n = 1000;
    std::vector<bool> marks[3];
    for (int disturbed = 0; disturbed < 3; ++disturbed)
    {
        Ptr<EcnDetector> detector = MakeDetector(5000, 200000, 0.5);
        EXPECT_EQ(detector->AssignStreams(disturbed == 2 ? 12 : 11), 1);
        detector->Attach(Port(40000000000));
        for (int i = 0; i < n; ++i)
        {
            if (disturbed == 1)
            {
                Marks(detector, 0);
                Marks(detector, 5000);
                Marks(detector, 200000);
                Marks(detector, 250000);
                Dequeue(detector, 100000, CodePoint::NOT_CAPABLE);
                Dequeue(detector, 100000, CodePoint::CONGESTION);
            }
            marks[disturbed].push_back(Marks(detector, 100000));
        }
    }
    EXPECT_EQ(marks[0], marks[1]);
    EXPECT_NE(marks[0], marks[2]); // another stream, other marks
}

TEST(EcnDetector, RefusesImpossibleAttributesWithTheirNumbers)
{
    EXPECT_THROW(MakeDetector(300000, 200000, 0.1)->Attach(Port(40000000000)), InputError);
    EXPECT_THROW(MakeDetector(5000, 200000, 1.5)->Attach(Port(40000000000)), InputError);
    EXPECT_THROW(MakeDetector(5000, 200000, -0.1)->Attach(Port(40000000000)), InputError);
    try
    {
        MakeDetector(300000, 200000, 0.1)->Attach(Port(40000000000));
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "ns3::EcnDetector::Kmin: found 300000 B, expected at most Kmax, 200000 B");
    }
}

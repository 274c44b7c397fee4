// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "ns3/input-marking-detector.h"
#include "ns3/naive-marking-detector.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/// The virtual output queue of one port with its detector; its packets differ by their input.
template <typename Detector>
class Output
{
  public:
    Output()
        : detector(CreateObject<Detector>())
    {
        detector->Attach(DetectorContext());
    }

    void Arrive(uint32_t input, CodePoint code = CodePoint::CAPABLE)
    {
        FramePtr frame = MakeFrame();
        frame->bytes = 2068;
        frame->ingressPort = input;
        frame->codePoint = code;
        detector->OnEnqueue(*frame,
                            {m_queue.Bytes() + frame->bytes, m_queue.Frames() + 1},
                            Time(0));
        m_queue.Push(std::move(frame));
    }

    void InputFull(uint32_t input)
    {
        detector->OnInputFull(input, m_queue, Time(0));
    }

    /// The oldest packet leaves, or the one behind `bypassed` others. @returns whether marked
    bool Leaves(uint32_t bypassed = 0)
    {
        Frame* previous = nullptr;
        for (uint32_t i = 0; i < bypassed; i++)
        {
            previous = previous ? previous->next : m_queue.Head();
        }
        FramePtr frame = m_queue.Remove(previous);
        detector->OnDequeue(*frame, {m_queue.Bytes(), m_queue.Frames()}, Time(0));
        return frame->codePoint == CodePoint::CONGESTION;
    }

    bool IsCongested() const
    {
        return detector->GetState() == CongestionDetector::CONGESTION;
    }

    Ptr<Detector> detector;

  private:
    FrameQueue m_queue;
};

} // namespace

TEST(NaiveMarkingDetector, MarksTheFullInputsPacketsAlone)
{
    Output<NaiveMarkingDetector> output;
    EXPECT_TRUE(output.detector->SeesInputs());
    for (uint32_t input : {7, 2, 7, 3, 7})
    {
        output.Arrive(input);
    }
    output.InputFull(7);
    EXPECT_EQ(output.detector->GetToMark(7), 3u);
    EXPECT_TRUE(output.IsCongested());
    output.Arrive(7); // room again, and it came after the event
    EXPECT_TRUE(output.Leaves());
    EXPECT_FALSE(output.Leaves()) << "of input 2";
    EXPECT_TRUE(output.Leaves());
    EXPECT_FALSE(output.Leaves()) << "of input 3";
    EXPECT_TRUE(output.IsCongested());
    EXPECT_TRUE(output.Leaves());
    EXPECT_FALSE(output.IsCongested());
    EXPECT_FALSE(output.Leaves()) << "came later";
}

TEST(NaiveMarkingDetector, ASecondEventMarksThoseThatCameSinceToo)
{
    Output<NaiveMarkingDetector> output;
    output.Arrive(1);
    output.Arrive(1);
    output.InputFull(1);
    EXPECT_TRUE(output.Leaves());
    output.Arrive(1);
    output.InputFull(1);
    EXPECT_EQ(output.detector->GetToMark(1), 2u) << "not three: one has left";
    EXPECT_TRUE(output.Leaves());
    EXPECT_TRUE(output.Leaves());
    output.Arrive(1);
    EXPECT_FALSE(output.Leaves());
}

TEST(NaiveMarkingDetector, InputsAreApart)
{
    Output<NaiveMarkingDetector> output;
    output.Arrive(0);
    output.Arrive(9);
    output.InputFull(9);
    output.InputFull(0);
    output.Arrive(9);
    EXPECT_EQ(output.detector->GetToMark(0), 1u);
    EXPECT_EQ(output.detector->GetToMark(9), 1u);
    EXPECT_TRUE(output.Leaves(1)) << "that of input 9 before that of input 0";
    EXPECT_FALSE(output.Leaves(1)) << "came later";
    EXPECT_TRUE(output.Leaves());
    EXPECT_FALSE(output.IsCongested());
}

TEST(NaiveMarkingDetector, PacketsOfTheSwitchItselfHaveNoInput)
{
    Output<NaiveMarkingDetector> output;
    output.Arrive(NO_INGRESS);
    output.Arrive(0);
    output.InputFull(0);
    EXPECT_FALSE(output.Leaves());
    EXPECT_TRUE(output.Leaves());
}

TEST(InputMarkingDetector, MarksAllThatWaitForTheOutput)
{
    Output<InputMarkingDetector> output;
    EXPECT_TRUE(output.detector->SeesInputs());
    for (uint32_t input : {7, 2, 3})
    {
        output.Arrive(input);
    }
    EXPECT_FALSE(output.Leaves()) << "before the event";
    output.Arrive(7);
    output.InputFull(7);
    EXPECT_EQ(output.detector->GetToMark(), 3u) << "cnt2 = cnt1: inputs 2, 3 and 7";
    EXPECT_TRUE(output.IsCongested());
    EXPECT_TRUE(output.Leaves());
    EXPECT_EQ(output.detector->GetToMark(), 2u);
    EXPECT_TRUE(output.Leaves());
    EXPECT_TRUE(output.Leaves());
    EXPECT_EQ(output.detector->GetToMark(), 0u);
    EXPECT_FALSE(output.IsCongested());
    output.Arrive(7);
    EXPECT_FALSE(output.Leaves());
    EXPECT_EQ(output.detector->GetToMark(), 0u) << "it does not go below 0";
}

TEST(InputMarkingDetector, MarksTheNextToLeave)
{
    Output<InputMarkingDetector> output;
    output.Arrive(1);
    output.Arrive(1);
    output.InputFull(1);
    output.Arrive(2);
    EXPECT_TRUE(output.Leaves(2)) << "was not there, but leaves first";
    EXPECT_TRUE(output.Leaves());
    EXPECT_FALSE(output.Leaves()) << "was there, but cnt2 is used up";
}

TEST(InputMarkingDetector, ASecondEventOverwritesTheCounter)
{
    Output<InputMarkingDetector> output;
    for (int i = 0; i < 4; i++)
    {
        output.Arrive(1);
    }
    output.InputFull(1);
    EXPECT_TRUE(output.Leaves());
    output.Arrive(1);
    output.Arrive(5);
    output.InputFull(5);
    EXPECT_EQ(output.detector->GetToMark(), 5u) << "cnt1, not 3 + 5";
    for (int i = 0; i < 5; i++)
    {
        EXPECT_TRUE(output.Leaves());
    }
    EXPECT_FALSE(output.IsCongested());
}

TEST(InputMarkingDetector, PacketsThatCannotBeMarkedCountAsOthersDo)
{
    Output<InputMarkingDetector> output;
    output.Arrive(1, CodePoint::NOT_CAPABLE);
    output.Arrive(1);
    output.InputFull(1);
    output.Arrive(1);
    EXPECT_FALSE(output.Leaves());
    EXPECT_EQ(output.detector->GetToMark(), 1u);
    EXPECT_TRUE(output.Leaves());
    EXPECT_FALSE(output.Leaves());
}

TEST(InputMarkingDetector, HasNoOutputThreshold)
{
    Output<InputMarkingDetector> output;
    for (int i = 0; i < 100; i++)
    {
        output.Arrive(i);
    }
    EXPECT_EQ(output.detector->GetToMark(), 0u);
}

TEST(InputOutputMarkingDetector, AnArrivalThatExceedsTheThresholdMarks)
{
    Output<InputOutputMarkingDetector> output;
    output.detector->SetAttribute("OutputThreshold", UintegerValue(2));
    output.Arrive(1);
    output.Arrive(2);
    EXPECT_EQ(output.detector->GetToMark(), 0u) << "2 do not exceed 2";
    output.Arrive(3);
    EXPECT_EQ(output.detector->GetToMark(), 3u);
    EXPECT_TRUE(output.IsCongested());
    EXPECT_TRUE(output.Leaves());
    EXPECT_EQ(output.detector->GetToMark(), 2u);
    output.Arrive(4);
    EXPECT_EQ(output.detector->GetToMark(), 3u) << "a second event, over 2 left of the first";
    for (int i = 0; i < 3; i++)
    {
        EXPECT_TRUE(output.Leaves());
    }
    EXPECT_FALSE(output.IsCongested());
}

TEST(InputOutputMarkingDetector, AFullInputMarksBelowTheThreshold)
{
    Output<InputOutputMarkingDetector> output;
    EXPECT_TRUE(output.detector->SeesInputs());
    output.Arrive(1);
    output.Arrive(2);
    output.InputFull(2);
    EXPECT_EQ(output.detector->GetToMark(), 2u);
    EXPECT_TRUE(output.Leaves());
    EXPECT_TRUE(output.Leaves());
}

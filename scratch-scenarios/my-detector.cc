// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// A congestion detector of one's own in one file, compared with ECN (RED) on the same incast.
//
// SojournDetector marks a frame when the queue behind it would take longer to send than Target:
// the same delay at every line rate, where ECN's Kmin and Kmax are bytes. Under PFC the estimate is
// of the queue at line rate, whether or not the port is paused.
// In an ns-3 tree that has the module: copy to scratch/, then ./ns3 run scratch/my-detector

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace ns3;

/// Marks CE where the bytes that wait, over the line rate, exceed a target delay.
class SojournDetector : public CongestionDetector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SojournDetector")
                                .SetParent<CongestionDetector>()
                                .AddConstructor<SojournDetector>()
                                .AddAttribute("Target",
                                              "Delay in the queue above which frames are marked",
                                              TimeValue(MicroSeconds(8)),
                                              MakeTimeAccessor(&SojournDetector::m_target),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void OnDequeue(Frame& frame, const QueueState& queue, Time) override
    {
        const double delay = queue.bytes * 8.0 / Context().rateBps; // [s]
        if (delay > m_target.GetSeconds())
        {
            Mark(frame, CodePoint::CONGESTION);
        }
    }

  private:
    Time m_target; //!< see Target
};

NS_OBJECT_ENSURE_REGISTERED(SojournDetector); // lets a Scheme name it

/// What one run has shown.
struct Result
{
    uint64_t maxQueue{0}; //!< largest queue of the switch to the receiver [B]
    uint32_t pauses{0};   //!< times that a sender was paused
    uint32_t marks{0};    //!< frames marked
    uint32_t flows{0};    //!< completed
    double slowdowns{0};  //!< sum of FCT over ideal FCT

    void Queued(Ptr<QbbNetDevice> port, const Frame& frame)
    {
        maxQueue = std::max(maxQueue, port->GetQueueState(frame.priority).bytes + frame.bytes);
    }

    void Marked(const Frame&)
    {
        marks++;
    }

    void Gate(uint8_t, bool off)
    {
        pauses += off;
    }
};

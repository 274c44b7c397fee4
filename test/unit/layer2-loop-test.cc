// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

// Congestion point and reaction points of ECM and QCN in a closed loop without a simulator: greedy
// sources, one queue that the line empties steadily, and a delay for the messages.

#include "ns3/ecm-detector.h"
#include "ns3/ecm-reaction-point.h"
#include "ns3/far-time.h"
#include "ns3/frame-size.h"
#include "ns3/qcn-detector.h"
#include "ns3/qcn-reaction-point.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr double C = 1e10; // of each line [bit/s]
constexpr uint32_t OVERHEAD = 20;
constexpr int64_t US = 1000000;       // [ps]
constexpr int64_t DELAY_PS = 10 * US; // from a sample to its effect at the source
const uint8_t SWITCH[6] = {2, 0, 0, 0, 9, 1};

/// A host that always has a frame to send.
struct Host
{
    Ptr<ReactionPoint> point;
    uint8_t number{0};
    int64_t freePs{0};     // when its line is free
    FramePtr passing;      // a frame that no limiter holds
    bool waiting{false};   // a frame is in the reaction point
    uint64_t sentBytes{0}; // while it is measured
};

class Loop
{
  public:
    Loop(Ptr<CongestionDetector> detector, const std::vector<Ptr<ReactionPoint>>& points)
        : m_detector(detector)
    {
        for (const auto& point : points)
        {
            point->AssignStreams(100 + static_cast<int64_t>(m_hosts.size()));
            point->Start(static_cast<uint64_t>(C), OVERHEAD);
            m_hosts.emplace_back();
            m_hosts.back().point = point;
            m_hosts.back().number = static_cast<uint8_t>(m_hosts.size());
        }
        DetectorContext context;
        context.queueCapacityBytes = 300000;
        detector->AssignStreams(1);
        detector->SetNotify(MakeCallback(&Loop::Notified, this));
        detector->Attach(context);
    }

    ~Loop()
    {
        m_detector->SetNotify(CongestionDetector::Notify());
        for (Host& host : m_hosts)
        {
            host.point->Dispose();
        }
    }

    /// Runs and measures from a time on.
    void Run(int64_t fromPs, int64_t endPs)
    {
        m_queueSum = 0;
        m_idlePs = 0;
        highest = 0;
        for (Host& host : m_hosts)
        {
            host.sentBytes = 0;
        }
        while (m_nowPs < endPs)
        {
            Host* next = nullptr;
            int64_t nextPs = NEVER_PS;
            for (Host& host : m_hosts)
            {
                const int64_t ps = Prepare(host);
                if (ps < nextPs)
                {
                    nextPs = ps;
                    next = &host;
                }
            }
            if (!m_messages.empty() && m_messages.front().ps <= nextPs)
            {
                m_nowPs = m_messages.front().ps;
                const FramePtr message = std::move(m_messages.front().frame);
                m_messages.pop_front();
                m_hosts[message->addresses.destinationMac[5] - 1].point->OnNotification(*message,
                                                                                        m_nowPs);
                continue;
            }
            m_nowPs = nextPs;
            Send(*next, fromPs);
        }
        m_measuredPs = m_nowPs - fromPs;
    }

    /// @returns over time [B]
    double MeanQueue() const
    {
        return m_queueSum / m_measuredPs;
    }

    /// @returns share of the time in which the line was busy
    double Utilisation() const
    {
        return 1 - static_cast<double>(m_idlePs) / m_measuredPs;
    }

    /// @returns of a host [bit/s]
    double RateBps(int host) const
    {
        return m_hosts[host].sentBytes * 8e12 / m_measuredPs;
    }

    uint64_t messages{0}; //!< from the beginning
    uint64_t stops{0};    //!< of these ECM(0,0)
    double highest{0};    //!< queue while it is measured [B]

  private:
    struct Message
    {
        int64_t ps;
        FramePtr frame;
    };

    void Notified(const Frame& frame, const Notification& notification)
    {
        messages++;
        const auto* ecm = std::get_if<EcmMessage>(&notification);
        stops += ecm && ecm->offset == 0 && ecm->delta == 0;
        m_messages.push_back(
            {m_nowPs + DELAY_PS, MakeCongestionMessage(frame, notification, SWITCH)});
    }

    /// @returns when the host's next frame may leave [ps]
    int64_t Prepare(Host& host)
    {
        if (!host.passing && !host.waiting)
        {
            FramePtr frame = MakeFrame();
            frame->priority = 3;
            frame->payload = 1000;
            frame->addresses.sourceMac[5] = host.number;
            frame->addresses.destinationMac[5] = 99;
            frame->bytes = FrameBytes(*frame);
            host.waiting = host.point->Offer(frame, false, m_nowPs) == ReactionPoint::WAITS;
            host.passing = std::move(frame);
        }
        const int64_t readyPs = host.passing ? 0 : host.point->GetNextReadyPs(0xFF);
        return std::max({readyPs, host.freePs, m_nowPs});
    }

    void Send(Host& host, int64_t fromPs)
    {
        FramePtr frame = std::move(host.passing);
        if (!frame)
        {
            if (!host.point->GetReady(m_nowPs))
            {
                return; // a timer
            }
            frame = host.point->Pull(3, m_nowPs, m_nowPs);
            host.waiting = false;
        }
        const uint32_t wireBytes = frame->bytes + OVERHEAD;
        host.freePs = m_nowPs + static_cast<int64_t>(wireBytes * 8e12 / C);
        const bool measured = m_nowPs >= fromPs;
        host.sentBytes += measured ? wireBytes : 0;

        // The line takes its bytes since the last arrival.
        const int64_t passedPs = m_nowPs - m_arrivalPs;
        const double before = m_queue;
        m_queue = std::max(0.0, m_queue - passedPs * C / 8e12);
        if (measured)
        {
            const double busyPs = std::min(before * 8e12 / C, static_cast<double>(passedPs));
            m_queueSum += (before + m_queue) / 2 * busyPs;
            m_idlePs += passedPs - static_cast<int64_t>(busyPs);
            highest = std::max(highest, m_queue);
        }
        m_arrivalPs = m_nowPs;
        m_queue += wireBytes;
        const auto bytes = static_cast<uint64_t>(m_queue - wireBytes) + frame->bytes;
        m_detector->OnEnqueue(*frame, {bytes, 1}, NanoSeconds(m_nowPs / 1000));
    }

    Ptr<CongestionDetector> m_detector;
    std::vector<Host> m_hosts;
    std::deque<Message> m_messages;
    int64_t m_nowPs{0};
    int64_t m_arrivalPs{0};
    double m_queue{0};
    double m_queueSum{0};
    int64_t m_idlePs{0};
    int64_t m_measuredPs{1};
};

template <class POINT>
std::vector<Ptr<ReactionPoint>>
MakePoints(int n)
{
    std::vector<Ptr<ReactionPoint>> points;
    for (int i = 0; i < n; i++)
    {
        points.push_back(CreateObject<POINT>());
    }
    return points;
}

} // namespace

TEST(Layer2Loop, EcmKeepsTheQueueNearItsEquilibrium)
{
    for (int n : {2, 8})
    {
        Loop loop(CreateObject<EcmDetector>(), MakePoints<EcmReactionPoint>(n));
        loop.Run(100000 * US, 300000 * US);
        // Qeq 24 KB. The more senders, the more self-increases (Rd) are to be taken back.
        EXPECT_NEAR(loop.MeanQueue(), 24000, 2400) << n;
        EXPECT_LT(loop.highest, 48000) << n << ": never mildly congested";
        EXPECT_GT(loop.Utilisation(), 0.999) << n;
        EXPECT_EQ(loop.stops, n == 2 ? 0u : loop.stops) << "two senders are never stopped";
        for (int i = 0; i < n; i++)
        {
            // Fairness takes seconds; nobody starves meanwhile.
            EXPECT_GT(loop.RateBps(i), 0.4 * C / n) << n << " " << i;
        }
        // One in 132.5 KB on average, for what goes to tagged frames, is a message; each sample of
        // a settled queue but those that find it unchanged.
        EXPECT_NEAR(loop.messages * 132500.0 * 8 / C, 0.3, 0.1) << n;
    }
}

TEST(Layer2Loop, EcmStopsTheSendersOfAnIncastOnlyAtItsStart)
{
    Loop start(CreateObject<EcmDetector>(), MakePoints<EcmReactionPoint>(32));
    start.Run(0, 2000 * US);
    EXPECT_GT(start.stops, 0u);
    const uint64_t stops = start.stops;
    start.Run(100000 * US, 200000 * US);
    EXPECT_GT(start.Utilisation(), 0.99);
    EXPECT_NEAR(start.MeanQueue(), 28000, 8000); // above Qeq with many senders
    EXPECT_EQ(start.stops, stops);
}

TEST(Layer2Loop, QcnKeepsTheQueueNearItsSetPoint)
{
    for (int n : {2, 8})
    {
        Loop loop(CreateObject<QcnDetector>(), MakePoints<QcnReactionPoint>(n));
        loop.Run(100000 * US, 300000 * US);
        // Feedback below 1/63 of the largest is none: up to 2063 B above Qeq, 26 KB.
        EXPECT_NEAR(loop.MeanQueue(), 26000 + 1000, 2600) << n;
        EXPECT_LT(loop.highest, 52000) << n;
        EXPECT_GT(loop.Utilisation(), 0.999) << n;
        for (int i = 0; i < n; i++)
        {
            EXPECT_GT(loop.RateBps(i), 0.25 * C / n) << n << " " << i;
        }
    }
}

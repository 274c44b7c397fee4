// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TEST_HARNESS_H
#define LOSSLESS_TEST_HARNESS_H

#include "ns3/congestion-detector.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-switch.h"
#include "ns3/flow-spec.h"
#include "ns3/frame-sink.h"
#include "ns3/frame.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-fabric.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rate-controller.h"
#include "ns3/rdma-hw.h"
#include "ns3/scheme-presets.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * What the ns-3 suites of this module share: small networks, and recorders of what happens in them.
 *
 * Arithmetic used throughout, with the defaults (Mtu 1000, 20 B of preamble and gap): a full data
 * frame is 1062 B, 1082 B on the wire; an ACK is 66 B, 86 B on the wire; a PFC frame 64 B, 84 B on
 * the wire. At 100 Gb/s a byte takes 80 ps, so these take 86.56 ns, 6.88 ns and 6.72 ns.
 */

/// As NS_TEST_ASSERT_MSG_EQ, but always leaves the test: what follows could not be looked at.
#define LOSSLESS_TEST_REQUIRE(actual, limit, message)                                              \
    do                                                                                             \
    {                                                                                              \
        NS_TEST_ASSERT_MSG_EQ(actual, limit, message);                                             \
        if (!((actual) == (limit)))                                                                \
        {                                                                                          \
            return;                                                                                \
        }                                                                                          \
    } while (false)

namespace ns3
{
namespace losslesstest
{

/**
 * Calls a function later, as Simulator::Schedule() of ns-3.35 takes no function object.
 *
 * @param delay from now
 * @param what is called
 * @param context node id
 */
void CallAt(Time delay, std::function<void()> what, uint32_t context = 0);

/**
 * @param x any integer or enumeration
 * @returns it as a signed number that NS_TEST macros compare and print
 */
template <class T>
int64_t
Number(T x)
{
    return static_cast<int64_t>(x);
}

/**
 * @param t a time
 * @returns nanoseconds
 */
int64_t Number(Time t);

/// A test case that leaves no simulation behind.
class LosslessTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/**
 * @param id flow number
 * @param src host
 * @param dst host
 * @param bytes size [B]
 * @param startNs start [ns]
 * @param priority 802.1p
 * @returns the flow
 */
FlowSpec MakeFlow(uint32_t id,
                  uint32_t src,
                  uint32_t dst,
                  uint64_t bytes,
                  int64_t startNs = 0,
                  uint8_t priority = 3);

/**
 * @param call a function
 * @returns the message of the InputError that it throws, empty if it throws none
 */
std::string ErrorOf(const std::function<void()>& call);

/**
 * Host 0 and host 1 joined by one link for each rate, with a switch between two links.
 *
 * @param fabric to add to, still empty
 * @param rates of the links
 * @param delay of each link
 */
void AddChain(LosslessFabric& fabric, const std::vector<std::string>& rates, Time delay);

/**
 * Hosts around one switch; the link of host h is port h of the switch.
 *
 * @param fabric to add to, still empty
 * @param hosts how many
 * @param rate of the links
 * @param delay of each link
 */
void AddStar(LosslessFabric& fabric, uint32_t hosts, const std::string& rate, Time delay);

/**
 * @param fabric built, of Ethernet
 * @param index of one of its switches
 * @returns the switch
 */
Ptr<EthernetSwitch> EthernetSwitchOf(const LosslessFabric& fabric, uint32_t index);

/**
 * Pauses or resumes the far end of a port, as the switch that the port belongs to would.
 * @param port of Ethernet
 * @param priority 0..7
 * @param pause whether it is to pause
 */
void SendPause(Ptr<LosslessNetDevice> port, uint8_t priority, bool pause);

/// Records the ends of all messages of a fabric.
class CompletionRecorder
{
  public:
    /// @param fabric after Build()
    explicit CompletionRecorder(const LosslessFabric& fabric);

    CompletionRecorder(const CompletionRecorder&) = delete;
    CompletionRecorder& operator=(const CompletionRecorder&) = delete;

    /**
     * @param flow number
     * @returns its completion time, -1 if it has not completed [ns]
     */
    int64_t Fct(uint32_t flow) const;

    std::map<uint32_t, RdmaCompletion> completions; //!< by flow
    std::map<uint32_t, RdmaReception> receptions;   //!< by flow
    std::vector<uint32_t> order;                    //!< flows by time of completion
    uint32_t repeatedCompletions{0};                //!< of a flow that had completed before
    uint32_t repeatedReceptions{0};                 //!< of a flow that had been received before

  private:
    void Completed(const RdmaCompletion& completion);

    void Received(const RdmaReception& reception);
};

/// Records what the trace sources of one port say, in order.
class PortRecorder
{
  public:
    /// Which trace source.
    enum Source
    {
        ENQUEUE,
        DEQUEUE,
        MARK,
        TRANSMIT,
        RECEIVED,
        DROP,
        GATE,
    };

    /// One call of a trace source.
    struct Entry
    {
        Source source{ENQUEUE};                     //!< which
        int64_t ns{0};                              //!< when [ns]
        FrameKind kind{FrameKind::DATA};            //!< of the frame
        uint8_t priority{0};                        //!< of the frame or gate
        uint32_t flow{0};                           //!< of the frame
        uint32_t psn{0};                            //!< of the frame
        uint32_t bytes{0};                          //!< of the frame
        CodePoint code{CodePoint::NOT_CAPABLE};     //!< of the frame
        CodePoint feedback{CodePoint::NOT_CAPABLE}; //!< of a CNP
        int64_t readyPs{0}; //!< of the frame; RECEIVED: its exact arrival [ps]
        Frame::Pause pause; //!< of a PFC frame
        int reason{0};      //!< of a drop
        bool off{false};    //!< of the gate
    };

    /// @param device whose traces are recorded
    explicit PortRecorder(Ptr<LosslessNetDevice> device);

    PortRecorder(const PortRecorder&) = delete;
    PortRecorder& operator=(const PortRecorder&) = delete;

    /**
     * @param source which
     * @returns its entries
     */
    std::vector<Entry> Of(Source source) const;

    /**
     * @param source which
     * @param kind of frame
     * @returns its entries
     */
    std::vector<Entry> Of(Source source, FrameKind kind) const;

    std::vector<Entry> entries; //!< all, in order

  private:
    /// One trace source's way to the recorder.
    struct Listener
    {
        PortRecorder* recorder; //!< where to
        Source source;          //!< which

        void Seen(const Frame& frame)
        {
            recorder->Add(source, frame);
        }
    };

    Entry& Add(Source source, const Frame& frame);

    void Dropped(const Frame& frame, LosslessNetDevice::DropReason reason);

    void Gate(uint8_t priority, bool off);

    std::vector<std::unique_ptr<Listener>> m_listeners; //!< owned
};

/// Counts frames by kind at both ends of every link.
class LinkCounter
{
  public:
    /// @param fabric after Build()
    explicit LinkCounter(const LosslessFabric& fabric);

    /// What one port saw.
    struct Count
    {
        Ptr<LosslessNetDevice> port; //!< which
        int64_t sent{0};             //!< frames, PFC included
        int64_t pauses{0};           //!< PFC frames sent
        int64_t received{0};         //!< frames, PFC included
        int64_t drops{0};            //!< frames

        void Sent(const Frame& frame)
        {
            sent++;
            pauses += frame.kind == FrameKind::PFC;
        }

        void Received(const Frame&)
        {
            received++;
        }

        void Dropped(const Frame&, LosslessNetDevice::DropReason)
        {
            drops++;
        }
    };

    /// @returns for each port what it sent less what its far end received
    std::vector<int64_t> InFlight() const;

    /**
     * @param member of Count
     * @returns its sum over all ports
     */
    int64_t Sum(int64_t Count::*member) const;

  private:
    static uint64_t Place(Ptr<LosslessNetDevice> port);

    std::vector<std::unique_ptr<Count>> m_counts; //!< by port
};

/// Keeps the frames that arrive at a port; stands in for a switch or an RDMA engine.
class FrameCollector : public FrameSink
{
  public:
    void FrameArrived(uint32_t, FramePtr frame) override;

    void FrameDeparted(uint32_t, const Frame&, int64_t) override
    {
        departed++;
    }

    std::vector<FramePtr> frames;   //!< in order of arrival
    std::vector<int64_t> exactPs;   //!< exact time of arrival [ps]
    std::vector<int64_t> arrivedNs; //!< time of the event [ns]
    uint32_t departed{0};           //!< frames whose transmission began
};

/// Two ports with a link and nothing else; what arrives at either is collected.
class PortPair
{
  public:
    /// @param helper with the attributes wanted
    explicit PortPair(QbbHelper helper = QbbHelper());

    /**
     * @param priority 0..7
     * @param bytes with FCS
     * @param psn tells frames apart
     * @returns a data frame that was there now
     */
    static FramePtr MakeData(uint8_t priority, uint32_t bytes, uint32_t psn = 0);

    /**
     * Port 0 sends a data frame.
     *
     * @param priority 0..7
     * @param bytes with FCS
     * @param psn tells frames apart
     */
    void Send(uint8_t priority, uint32_t bytes, uint32_t psn = 0);

    FrameCollector sink[2];         //!< of the ports
    Ptr<LosslessNetDevice> port[2]; //!< the ends
};

/// A controller with a given rate and window, which can follow a timetable and says what it was
/// told.
class ScriptedController : public RateController
{
  public:
    /// What was called.
    struct Call
    {
        std::string what; //!< "timer", "sent" or "ack"
        int64_t ns{0};    //!< the time it was given [ns]
        int64_t value{0}; //!< bytes
    };

    /// @returns the TypeId
    static TypeId GetTypeId();

    Ptr<RateController> Fork() const override;

    Time NextTimer() const override;

    void OnTimer(Time now) override;

    void OnSend(Frame& frame, uint32_t wireBytes, Time now) override;

    void OnAck(const Acknowledgement& ack, Time now) override;

    double rateBps{0};                     //!< at first, 0 for line rate
    uint64_t window{NO_WINDOW};            //!< at first [B]
    uint64_t windowAfterChange{NO_WINDOW}; //!< from the first timer on [B]
    std::vector<std::pair<Time, double>>
        changes; //!< when the timer comes and the rate from then on
    std::shared_ptr<std::vector<Call>> calls{
        std::make_shared<std::vector<Call>>()}; //!< of all forks
    std::shared_ptr<std::vector<Acknowledgement>> acknowledgements{
        std::make_shared<std::vector<Acknowledgement>>()}; //!< of all forks

  protected:
    void DoStart(Time) override;

  private:
    void Note(const char* what, Time now, int64_t value) const;

    std::size_t m_next{0}; //!< in changes
};

/// A detector that marks frames as a function of their number says.
class ScriptedDetector : public CongestionDetector
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    void OnEnqueue(const Frame&, const QueueState& queue, Time) override
    {
        enqueued.push_back(queue);
    }

    void OnDequeue(Frame& frame, const QueueState& queue, Time) override;

    void OnOff(Time now) override
    {
        gate.emplace_back(now.GetNanoSeconds(), true);
    }

    void OnOn(Time now) override
    {
        gate.emplace_back(now.GetNanoSeconds(), false);
    }

    void OnUpstreamPause(Time now) override
    {
        upstream.emplace_back(now.GetNanoSeconds(), true);
    }

    void OnUpstreamResume(Time now) override
    {
        upstream.emplace_back(now.GetNanoSeconds(), false);
    }

    Time GetTickInterval() const override
    {
        return tick;
    }

    void OnTick(const QueueState&, Time now) override
    {
        ticks.push_back(now.GetNanoSeconds());
    }

    std::function<CodePoint(const Frame&)> mark; //!< what to mark a frame with, if anything
    /// Whether to notify the source of a departing frame, and of what.
    std::function<bool(const Frame&, Notification&)> tell;
    std::vector<QueueState> enqueued;           //!< as told by OnEnqueue()
    std::vector<QueueState> dequeued;           //!< as told by OnDequeue()
    std::vector<std::pair<int64_t, bool>> gate; //!< OFF (true) and ON, with times [ns]
    /// Pauses (true) and resumes of upstream ports, with times [ns].
    std::vector<std::pair<int64_t, bool>> upstream;
    Time tick;                  //!< interval of ticks
    std::vector<int64_t> ticks; //!< times [ns]
};

/// Drops the frames of one kind whose place among those received is listed, from 0.
class ListedFrameErrorModel : public ErrorModel
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    std::set<uint32_t> places; //!< which frames are lost
    uint32_t minimumBytes{
        0}; //!< frames shorter than that are neither counted nor lost, without FCS
    uint32_t maximumBytes{0xffffffff}; //!< nor are longer ones
    uint32_t seen{0};                  //!< frames counted

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;

    void DoReset() override
    {
        seen = 0;
    }
};

/**
 * @param fabric whose queue pairs get the controller
 * @param controller of all queue pairs
 * @returns scheme `none` with it and with CNPs
 */
Scheme SchemeOf(LosslessFabric& fabric, Ptr<RateController> controller);

} // namespace losslesstest
} // namespace ns3

#endif // LOSSLESS_TEST_HARNESS_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef INFINIBAND_SWITCH_H
#define INFINIBAND_SWITCH_H

#include "ns3/frame-sink.h"
#include "ns3/ib-net-device.h"
#include "ns3/lossless-switch.h"
#include "ns3/nstime.h"
#include "ns3/reusable-event.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * An InfiniBand switch: buffers at its inputs, virtual output queues, virtual cut-through.
 *
 * A frame is given to the switch when its header has arrived, and may leave ForwardingDelay later,
 * but so that a faster output does not overtake its tail. Until it has left it occupies the buffer
 * of its input port and lane, of which the credits tell the far end. For each output and lane it
 * waits in a virtual output queue, which is the queue of the output's port and watched by the
 * detector there. An input can be read by InputSpeedup outputs at once; Arbitration says which of
 * the frames that wait for an output comes next.
 *
 * A frame that finds its output idle has the line from then on, although it begins ForwardingDelay
 * later.
 * @ingroup lossless
 */
class InfinibandSwitch : public LosslessSwitch, public FramePicker
{
  public:
    /// Which of the frames that wait for an output leaves next, of those whose input can be read.
    enum Arbitration
    {
        FIFO,        //!< the oldest; each lets at most MaxBypass younger ones go before it
        ROUND_ROBIN, //!< the oldest of each input in turn
    };

    /// When the buffer of an input lane is full, for detectors: no further largest frame has room
    /// beside those that count.
    enum FullTest
    {
        WAITING,  //!< those that wait when the one that has come had its chance to leave
        OCCUPIED, //!< then too, all that have not left
        ARRIVED,  //!< all that have not left when its header has come
    };

    /// @returns the TypeId
    static TypeId GetTypeId();

    InfinibandSwitch();
    ~InfinibandSwitch() override;

    // inherited from LosslessSwitch
    uint32_t GetCutThroughBytes() const override;
    Time GetForwardingDelay() const override;
    uint64_t GetUsedBytes() const override;
    std::vector<std::pair<std::string, std::string>> GetSettings() const override;

    // inherited from FrameSink
    void FrameDeparted(uint32_t port, const Frame& frame, int64_t endPs) override;

    // inherited from FramePicker
    Place Pick(uint32_t port, uint8_t lane, FrameQueue& queue) override;
    void Picked(uint32_t port, uint8_t lane, FrameQueue& queue, const Place& place) override;

  protected:
    // inherited from LosslessSwitch
    void Forward(uint32_t port, uint32_t out, FramePtr frame) override;
    void DoConfigure() override;
    void DescribePort(uint32_t port, DetectorContext& context) const override;
    uint8_t GetNotificationLane() const override;
    void Drop(uint32_t port, FramePtr frame, LosslessNetDevice::DropReason reason) override;

    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A frame that an output is sending.
    struct Departure
    {
        int64_t endPs{0};  //!< when its tail leaves [ps]
        uint32_t input{0}; //!< port it came in by
        uint32_t bytes{0}; //!< its size [B]
        uint8_t lane{0};   //!< its lane
    };

    /// What an output is sending.
    class Output
    {
      public:
        Output(InfinibandSwitch& owner, uint32_t node);

        /// @param departure begins @param nowPs present time [ps]
        void Begin(const Departure& departure, int64_t nowPs);

        /// Tails have left. @param nowPs present time [ps]
        void End(int64_t nowPs);

        std::vector<uint32_t> lastInput; //!< ROUND_ROBIN: by lane, the one served last

      private:
        InfinibandSwitch& m_owner;                      //!< whose output it is
        boost::circular_buffer<Departure> m_departures; //!< oldest first
        ReusableEvent<Output, &Output::End> m_endEvent; //!< of the oldest
    };

    /// A frame that must wait for its tail before it reaches its queue.
    struct Late
    {
        int64_t readyPs; //!< until when [ps]
        uint64_t number; //!< in the order of arrival
        uint32_t out;    //!< output
        Frame* frame;    //!< owned
    };

    /// @returns whether an input can be read by one more output
    bool IsReadable(const Frame& frame) const
    {
        return frame.ingressPort == NO_INGRESS || m_speedup == 0 ||
               m_reading[frame.ingressPort] < m_speedup;
    }

    /// What is held of one input and lane.
    struct Input
    {
        uint64_t waitingBytes{0};    //!< in frames that no output reads [B]
        uint32_t blockedFor{NOBODY}; //!< output of the frame that left no room for another
    };

    /// No output.
    static constexpr uint32_t NOBODY = UINT32_MAX;

    /**
     * @param port input
     * @param lane of it
     * @returns what is held
     */
    Input& InputOf(uint32_t port, uint8_t lane)
    {
        return m_inputs[port * LANES + lane];
    }

    /**
     * @param port input
     * @param lane of it
     * @param bytes that count [B]
     * @returns whether a largest frame has no room beside them
     */
    bool IsFull(uint32_t port, uint8_t lane, uint64_t bytes) const;

    /**
     * The buffer of an input lane may have become full: tells the detectors that want to know.
     * @param port input
     * @param lane of it
     * @param bytes that count [B]
     * @param nowPs present time [ps]
     */
    void CheckFull(uint32_t port, uint8_t lane, uint64_t bytes, int64_t nowPs);

    /// A frame's tail has left. @param departure of it @param nowPs present time [ps]
    void Release(const Departure& departure, int64_t nowPs);

    /// Frames have waited long enough for their tails. @param nowPs present time [ps]
    void LetLateFramesGo(int64_t nowPs);

    /// @returns flow control of a port
    CreditFlowControl& Credits(uint32_t port) const;

    std::vector<Input> m_inputs;                    //!< by port * LANES + lane
    bool m_seesInputs{false};                       //!< a detector wants to know of full buffers
    std::vector<uint32_t> m_reading;                //!< by input: outputs that read it now
    std::vector<std::vector<bool>> m_blocked;       //!< by input and output: who waits to read it
    std::vector<uint32_t> m_nBlocked;               //!< by input: how many wait to read it
    std::vector<uint32_t> m_nextOutput;             //!< by input: who is asked first
    std::vector<std::unique_ptr<Output>> m_outputs; //!< by port
    std::vector<Late> m_late;                       //!< heap, the earliest first
    uint64_t m_nLate{0};                            //!< frames that were late
    ReusableEvent<InfinibandSwitch, &InfinibandSwitch::LetLateFramesGo> m_lateEvent; //!< earliest

    Time m_forwardingDelay;          //!< "ForwardingDelay"
    uint32_t m_headerBytes{0};       //!< "HeaderSize"
    Arbitration m_arbitration{FIFO}; //!< "Arbitration"
    FullTest m_fullTest{WAITING};    //!< "FullTest"
    uint32_t m_maxBypass{0};         //!< "MaxBypass"
    uint32_t m_speedup{0};           //!< "InputSpeedup"
    uint8_t m_controlLane{0};        //!< "ControlLane"
};

} // namespace ns3

#endif // INFINIBAND_SWITCH_H

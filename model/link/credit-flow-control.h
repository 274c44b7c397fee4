// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CREDIT_FLOW_CONTROL_H
#define LOSSLESS_CREDIT_FLOW_CONTROL_H

#include "ns3/credit-account.h"
#include "ns3/flow-control.h"
#include "ns3/nstime.h"
#include "ns3/reusable-event.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * InfiniBand's credit-based flow control (InfiniBand Architecture, volume 1, section 7.9): each
 * data virtual lane may send what the far end has told to have room for, in blocks of 64 bytes.
 * VL15 is not under it.
 *
 * Both ends tell each other of each lane that has carried anything, once each UpdatePeriod, as the
 * paper on TCD has it (section 4.4, Tc), and with `Opportunistic` also when room was freed and the
 * line has nothing else to send. What a lane may send first it knows from the link's
 * initialisation, which takes no time here.
 * @ingroup lossless
 */
class CreditFlowControl : public FlowControl
{
  public:
    /// VL15, management: never held back.
    static constexpr uint8_t MANAGEMENT_LANE = 15;

    static constexpr uint32_t SYMBOL_TIMES = 65536; //!< longest between two updates
    static constexpr uint32_t SYMBOL_BITS = 32;     //!< of data in a symbol time on four lanes

    CreditFlowControl();
    ~CreditFlowControl() override;

    /**
     * How it works; before the link is attached.
     * @param bits width of the counters
     * @param period between two updates of a lane; zero for the longest that the specification
     * allows, 65 536 symbol times, on a link of four lanes with 8b/10b encoding
     * @param opportunistic whether room that was freed is told earlier if the line is idle
     */
    void Configure(uint32_t bits, Time period, bool opportunistic);

    /// Room of each data lane for arriving frames; before the far end sends. @param bytes [B]
    void SetBufferBytes(uint64_t bytes);

    /// @returns room of each data lane [B]
    uint64_t GetBufferBytes() const;

    /// Frames stay in the buffer until Free(): those of a switch. Else they leave at once.
    void KeepFrames();

    /**
     * A frame has left the buffer.
     * @param lane by which it came
     * @param bytes of it [B]
     * @param nowPs present time [ps]
     */
    void Free(uint8_t lane, uint32_t bytes, int64_t nowPs);

    /**
     * @param lane which
     * @returns bytes in the buffer, whole blocks [B]
     */
    uint64_t GetUsedBytes(uint8_t lane) const;

    /// @returns between two updates of a lane
    Time GetPeriod() const;

    // inherited from FlowControl
    void LinkUp(uint32_t node) override;
    void Dispose() override;
    void ControlArrived(const Frame& frame) override;
    FramePtr MakeControl(int64_t nowPs) override;
    void FrameArrived(uint8_t lane, uint32_t bytes) override;

  private:
    /// All data lanes.
    static constexpr LaneSet DATA_LANES = 0x7fff;

    /// The far end is to be told of all lanes that have carried anything.
    void Update(int64_t nowPs);

    /// A lane carries something: updates begin. @param nowPs present time [ps]
    void Activate(uint8_t lane, int64_t nowPs);

    /// The far end tells what its buffers hold. @param peer its flow control
    void Initialise(const CreditFlowControl& peer);

    CreditCounter m_counter;                       //!< width
    std::array<CreditReceiver, LANES> m_receivers; //!< this end's buffers
    uint32_t m_blocks{0};                          //!< of each of them
    uint64_t m_bufferBytes{0};                     //!< SetBufferBytes()
    int64_t m_periodPs{0};                         //!< between two updates [ps]
    Time m_period;                                 //!< the same
    LaneSet m_active{0};                           //!< lanes that have carried anything
    LaneSet m_due{0};                              //!< lanes of which the far end is to be told
    bool m_opportunistic{false};                   //!< Configure()
    bool m_keepFrames{false};                      //!< KeepFrames()
    ReusableEvent<CreditFlowControl, &CreditFlowControl::Update> m_updateEvent; //!< periodic
};

} // namespace ns3

#endif // LOSSLESS_CREDIT_FLOW_CONTROL_H

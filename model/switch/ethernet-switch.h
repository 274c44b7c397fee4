// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ETHERNET_SWITCH_H
#define ETHERNET_SWITCH_H

#include "ns3/ingress-buffer.h"
#include "ns3/lossless-switch.h"
#include "ns3/nstime.h"
#include "ns3/pause-watchdog.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * A store-and-forward Ethernet switch with a shared buffer and PFC.
 *
 * A frame whose way is known is admitted into the IngressBuffer and joins the egress queue of its
 * priority. Its buffer is free when its transmission begins. Zero forwarding delay.
 *
 * In a lossless priority a frame without room is a defect of the configuration: by default a
 * std::runtime_error with the numbers ends the simulation. What a PauseWatchdog drops, here or at
 * the next switch, is none: the user asked for it.
 * @ingroup lossless
 */
class EthernetSwitch : public LosslessSwitch
{
  public:
    /// How Xoff is found.
    enum ThresholdMode
    {
        STATIC,  //!< the attributes Xoff and Xon
        DYNAMIC, //!< Alpha x free shared bytes
    };

    /// Signature of the watchdog trace: (port, priority, whether the watchdog begins to act).
    typedef void (*WatchdogTracedCallback)(uint32_t port, uint8_t priority, bool acts);

    /// @returns the TypeId
    static TypeId GetTypeId();

    EthernetSwitch();
    ~EthernetSwitch() override;

    /**
     * @param switches of any kind
     * @returns those of this kind
     */
    static std::vector<Ptr<EthernetSwitch>> Among(const std::vector<Ptr<LosslessSwitch>>& switches);

    /// @returns the buffer and its accounts
    const IngressBuffer& GetBuffer() const;

    // inherited from LosslessSwitch; drops with those of the watchdogs
    uint64_t GetDrops() const override;
    uint64_t GetUsedBytes() const override;
    std::vector<std::pair<std::string, std::string>> GetSettings() const override;

    /// @returns for how long a priority is OFF before a port's watchdog acts, zero without
    /// watchdogs
    Time GetWatchdogDetection() const;

    /// @returns how often the ports' watchdogs have begun to act
    uint64_t GetWatchdogDetections() const;

    /// @returns static Xoff, 0 with a dynamic threshold [B]
    uint64_t GetXoff() const;

    /// @returns static Xon, 0 with a dynamic threshold [B]
    uint64_t GetXon() const;

    // inherited from FrameSink
    void FrameDeparted(uint32_t port, const Frame& frame, int64_t endPs) override;

  protected:
    // inherited from LosslessSwitch
    void Forward(uint32_t port, uint32_t out, FramePtr frame) override;
    void DoConfigure() override;
    void DescribePort(uint32_t port, DetectorContext& context) const override;
    uint8_t GetNotificationLane() const override;

    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @returns bytes that a lossless priority of a port needs as headroom. @throws InputError if
    /// "Headroom" is less, or the link too long
    uint64_t GetHeadroom(uint32_t port) const;

    /// @returns largest frame of any priority but the protocol stack's [B]
    uint32_t GetLargestFrame() const;

    /**
     * @param frame has no room
     * @param port it came in by
     */
    void Refuse(uint32_t port, FramePtr frame);

    /// Makes the ports' watchdogs, if they are wanted.
    void StartWatchdogs();

    IngressBuffer m_buffer;                                  //!< MMU
    std::vector<std::unique_ptr<PauseWatchdog>> m_watchdogs; //!< by port, or none

    uint64_t m_bufferSize{0};                                    //!< "BufferSize"
    uint8_t m_lossless{0};                                       //!< "LosslessPriorities"
    ThresholdMode m_mode{STATIC};                                //!< "Threshold"
    uint64_t m_xoff{0};                                          //!< "Xoff"
    uint64_t m_xon{0};                                           //!< "Xon"
    double m_alpha{0};                                           //!< "Alpha"
    uint64_t m_xonOffset{0};                                     //!< "XonOffset"
    uint64_t m_headroom{0};                                      //!< "Headroom"
    uint32_t m_maxFrame{0};                                      //!< "MaxFrameSize"
    uint8_t m_controlPriority{0};                                //!< "ControlPriority"
    bool m_endOnLoss{true};                                      //!< "EndOnLosslessDrop"
    Time m_watchdogDetection;                                    //!< "WatchdogDetection"
    Time m_watchdogRestoration;                                  //!< "WatchdogRestoration"
    PauseWatchdog::Action m_watchdogAction{PauseWatchdog::DROP}; //!< "WatchdogAction"

    TracedCallback<uint32_t, uint8_t, bool> m_watchdogTrace; //!< "Watchdog"
};

} // namespace ns3

#endif // ETHERNET_SWITCH_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_ENCAPSULATION_H
#define LOSSLESS_ENCAPSULATION_H

#include "ns3/frame.h"
#include "ns3/notification.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

/**
 * How frames look on the wire of one link technology: their sizes, which count on every link, and
 * their bytes, for who wants to see them. A port has one; it has no state.
 * @ingroup lossless
 */
class Encapsulation
{
  public:
    virtual ~Encapsulation() = default;

    /**
     * @param payload bytes of user data
     * @param withReth first frame of an RDMA WRITE
     * @param tagged with an 802.1Q tag, where there are any
     * @param telemetry with an INT block
     * @returns size of a DATA frame [B]
     */
    virtual uint32_t GetDataBytes(uint32_t payload,
                                  bool withReth,
                                  bool tagged,
                                  bool telemetry) const = 0;

    /**
     * @param tagged with an 802.1Q tag, where there are any
     * @param telemetry with an INT block
     * @returns size of an ACK or NACK [B]
     */
    virtual uint32_t GetAckBytes(bool tagged, bool telemetry) const = 0;

    /**
     * @param notification what is told
     * @param tagged with an 802.1Q tag, where there are any
     * @returns size of the frame that tells it [B]
     */
    virtual uint32_t GetNotificationBytes(const Notification& notification, bool tagged) const = 0;

    /**
     * @param frame any
     * @returns its bytes, without link-level check sequence
     */
    virtual Ptr<Packet> Write(const Frame& frame) const = 0;

    /// @returns link type of capture files
    virtual uint32_t GetCaptureType() const = 0;

    /**
     * Adds a frame to a capture file.
     * @param file of the type GetCaptureType()
     * @param now present time
     * @param packet what Write() made
     */
    virtual void Capture(Ptr<PcapFileWrapper> file, Time now, Ptr<const Packet> packet) const = 0;
};

} // namespace ns3

#endif // LOSSLESS_ENCAPSULATION_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_CHANNEL_H
#define LOSSLESS_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/reusable-event.h"

#include <algorithm>
#include <array>
#include <boost/circular_buffer.hpp>
#include <memory>
#include <utility>

namespace ns3
{

class LosslessNetDevice;

/**
 * A full-duplex point-to-point link.
 *
 * Frames of one direction arrive in the order sent, so each direction has one pending event, that
 * of its oldest frame, however many are in flight.
 * @ingroup lossless
 */
class LosslessChannel : public Channel
{
  public:
    /// @returns the TypeId
    static TypeId GetTypeId();

    LosslessChannel();
    ~LosslessChannel() override;

    /**
     * @param device one end; a channel has two
     * @returns the end's number, 0 or 1
     */
    uint32_t Attach(Ptr<LosslessNetDevice> device);

    /**
     * A frame enters the link.
     * @param end the sending end
     * @param frame the frame
     * @param startPs when its first bit is sent [ps]
     * @param sentPs when its last bit has been sent [ps]
     * @param nowPs present time [ps]
     */
    void Send(uint32_t end, FramePtr frame, int64_t startPs, int64_t sentPs, int64_t nowPs)
    {
        Direction& direction = m_directions[end];
        int64_t arrivalPs = sentPs + m_delayPs;
        if (direction.m_headPs != 0)
        {
            frame->tailPs = arrivalPs;
            arrivalPs = std::min(arrivalPs, startPs + direction.m_headPs + m_delayPs);
        }
        direction.Send(std::move(frame), arrivalPs, nowPs);
    }

    /**
     * Frames are handed over when their header has arrived.
     * @param end the receiving end
     * @param headPs time of the header on the line [ps]; 0 for whole frames
     */
    void SetCutThrough(uint32_t end, int64_t headPs);

    /// @returns propagation delay, one way
    Time GetDelay() const;

    // inherited from Channel
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /// A frame on the link. The time stands beside it, so that looking at the next arrival does not
    /// touch the frame.
    struct InFlight
    {
        FramePtr frame;       //!< the frame
        int64_t arrivalPs{0}; //!< when its last bit arrives [ps]
    };

    /// Frames in flight towards one end.
    class Direction
    {
      public:
        Direction()
            : m_inFlight(INITIAL_CAPACITY),
              m_arrival(this)
        {
        }

        Direction(const Direction&) = delete;
        Direction& operator=(const Direction&) = delete;

        /**
         * @param frame enters the link
         * @param arrivalPs when its last bit arrives
         * @param nowPs present time [ps]
         */
        void Send(FramePtr frame, int64_t arrivalPs, int64_t nowPs)
        {
            if (m_inFlight.empty())
            {
                m_arrival.Arm(arrivalPs, nowPs);
            }
            else if (m_inFlight.full())
            {
                m_inFlight.set_capacity(2 * m_inFlight.capacity());
            }
            frame->readyPs = arrivalPs;
            m_inFlight.push_back({std::move(frame), arrivalPs});
        }

        /// The oldest frame's last bit has arrived. @param nowPs present time [ps]
        void Arrive(int64_t nowPs);

        static constexpr std::size_t INITIAL_CAPACITY = 16; //!< doubled as needed

        int64_t m_headPs{0};                                    //!< SetCutThrough()
        LosslessNetDevice* m_receiver{nullptr};                 //!< the end it leads to
        boost::circular_buffer<InFlight> m_inFlight;            //!< oldest first
        ReusableEvent<Direction, &Direction::Arrive> m_arrival; //!< of the oldest frame
    };

    /// @param delay one way
    void SetDelay(Time delay);

    Time m_delay;                                    //!< one way
    int64_t m_delayPs{0};                            //!< the same [ps]
    std::array<Ptr<LosslessNetDevice>, 2> m_devices; //!< the ends
    std::array<Direction, 2> m_directions;           //!< by the sending end
    std::size_t m_attached{0};                       //!< number of ends
};

} // namespace ns3

#endif // LOSSLESS_CHANNEL_H

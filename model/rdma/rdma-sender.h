// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RDMA_SENDER_H
#define RDMA_SENDER_H

#include "ns3/lossless-net-device.h"
#include "ns3/nstime.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/reaction-source.h"
#include "ns3/reusable-event.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{

class RdmaHw;

/// What a sender knows of a message when its last byte has been acknowledged. @ingroup lossless
struct RdmaCompletion
{
    uint32_t flow{0};          //!< flow number
    uint64_t bytes{0};         //!< size of the message [B]
    Time start;                //!< when it was posted
    Time end;                  //!< when its last acknowledgement arrived
    uint32_t packets{0};       //!< data frames of the message
    uint32_t retransmitted{0}; //!< data frames sent again
    uint32_t cnpCe{0};         //!< CNPs received that said CE
    uint32_t cnpUe{0};         //!< and UE
};

/**
 * The sending halves of the connections of an RdmaHw, from which its port pulls frames.
 *
 * Each queue pair is paced at the rate of its own RateController, preamble and gap counted, and
 * limited by its window; those that may send take turns (round robin within a priority).
 * Cumulative acknowledgement; go-back-N on a NACK or after RetransmissionTimeout. A frame asks for
 * an acknowledgement if it is the last of AckInterval or fills the window. Should the window shrink
 * later, so that it is full of frames that did not ask, one more is sent, which asks: nothing else
 * would open it again.
 *
 * Below it there may be a reaction point, which holds a queue pair while its last frame waits for a
 * rate limiter (ReactionSource).
 * @ingroup lossless
 */
class RdmaSender : public ConnectionSource
{
  public:
    /// @param hw whose part it is, and whose attributes it follows
    explicit RdmaSender(const RdmaHw& hw);
    ~RdmaSender() override;

    RdmaSender(const RdmaSender&) = delete;
    RdmaSender& operator=(const RdmaSender&) = delete;

    /// Learns of the port of its RdmaHw, whose source it is to be.
    void Install();

    /// Forgets all queue pairs.
    void Dispose();

    /// @returns the number of a new sending half
    uint32_t AddQueuePair();

    /**
     * A queue pair without a message gets one.
     * @param number from AddQueuePair()
     * @param queuePair with its addresses, message and controller, which has started
     */
    void Start(uint32_t number, std::unique_ptr<RdmaQueuePair> queuePair);

    /**
     * @param number from AddQueuePair()
     * @returns whether its message is being sent
     */
    bool IsActive(uint32_t number) const;

    /// @returns messages being sent
    uint32_t GetActiveMessages() const;

    /// An ACK or a NACK has come. @param frame which
    void ReceiveAck(const Frame& frame);

    /// A notification has come. @param frame which
    void ReceiveNotification(const Frame& frame);

    // inherited from FrameSource
    LaneSet GetReady(int64_t nowPs) override;
    int64_t GetNextReadyPs(LaneSet on) const override;
    FrameHead GetHead(uint8_t lane) const override;
    FramePtr Pull(uint8_t lane, int64_t startPs, int64_t nowPs) override;

    // inherited from ConnectionSource
    ReactionPoint::Flow GetHeadFlow(uint8_t lane) const override;
    void Hold(uint32_t connection) override;
    void Release(uint32_t connection, int64_t nowPs) override;

  private:
    using Paced =
        boost::intrusive::set<RdmaQueuePair,
                              boost::intrusive::member_hook<RdmaQueuePair,
                                                            boost::intrusive::set_member_hook<>,
                                                            &RdmaQueuePair::pacedHook>>;
    using Round =
        boost::intrusive::list<RdmaQueuePair,
                               boost::intrusive::member_hook<RdmaQueuePair,
                                                             boost::intrusive::list_member_hook<>,
                                                             &RdmaQueuePair::readyHook>>;
    using Outstanding =
        boost::intrusive::list<RdmaQueuePair,
                               boost::intrusive::member_hook<RdmaQueuePair,
                                                             boost::intrusive::list_member_hook<>,
                                                             &RdmaQueuePair::outstandingHook>>;

    /**
     * @param frame to this host
     * @returns the queue pair that it is for, nullptr if its message is complete
     */
    RdmaQueuePair* Find(const Frame& frame) const;

    /// Calls the controller for each of its deadlines up to now.
    static void RunTimers(RdmaQueuePair& qp, int64_t nowPs);

    /// Takes a queue pair out of the container of its state.
    void Unpark(RdmaQueuePair& qp);

    /// A queue pair goes back to its first unacknowledged frame; Update() is to follow.
    void Restart(RdmaQueuePair& qp);

    /// Puts a queue pair, which is in no container, where it belongs. @returns when it may send,
    /// NEVER_PS if that is not known
    int64_t Park(RdmaQueuePair& qp);

    /// @returns time from the start of the last frame to that of the next at the present rate [ps]
    static int64_t GapPs(const RdmaQueuePair& qp);

    /// Takes over the controller's rate. @returns whether it changed
    bool NoteRate(RdmaQueuePair& qp) const;

    /// The controller or the acknowledgements may have changed what a queue pair may do.
    void Update(RdmaQueuePair& qp, int64_t nowPs);

    /// @returns whether the window has room for one more frame
    bool IsWindowOpen(const RdmaQueuePair& qp) const;

    /// @returns whether the window, or the lack of an acknowledgement to come, allows one more
    /// frame
    bool MaySend(const RdmaQueuePair& qp) const;

    /// @returns user bytes of the next frame of a queue pair [B]
    uint32_t GetNextPayload(const RdmaQueuePair& qp) const;

    /// @returns size of the next frame of a queue pair [B]
    uint32_t GetNextBytes(const RdmaQueuePair& qp) const;

    /// @returns the next frame of a queue pair, without what depends on time
    FramePtr MakeData(const RdmaQueuePair& qp) const;

    /// @returns user bytes of the message before a frame [B]
    uint64_t GetOffset(const RdmaQueuePair& qp, uint32_t psn) const;

    /// Takes over a cumulative acknowledgement. @returns user bytes newly acknowledged [B]
    uint64_t Advance(RdmaQueuePair& qp, uint32_t acked, int64_t nowPs);

    /// All from the first unacknowledged frame on is sent again.
    static void GoBack(RdmaQueuePair& qp);

    /// Sends again what was not acknowledged in time.
    void CheckTimeouts(int64_t nowPs);

    /// A message is acknowledged to its end.
    void Complete(RdmaQueuePair& qp);

    const RdmaHw& m_hw;                            //!< whose part it is
    LosslessNetDevice* m_device{nullptr};          //!< the NIC
    const Encapsulation* m_encapsulation{nullptr}; //!< of the NIC's link
    uint32_t m_overhead{0};                        //!< preamble and gap [B]
    LaneSet m_ready{0};                //!< priorities with a queue pair whose turn it may be
    Paced m_paced;                     //!< by time
    std::array<Round, LANES> m_rounds; //!< by turn
    Outstanding m_outstanding;         //!< frames in flight, oldest progress first
    std::vector<std::unique_ptr<RdmaQueuePair>> m_queuePairs; //!< by number
    uint32_t m_active{0};                                     //!< messages being sent
    ReusableEvent<RdmaSender, &RdmaSender::CheckTimeouts>
        m_timeoutEvent; //!< of the oldest in m_outstanding
};

} // namespace ns3

#endif // RDMA_SENDER_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef REACTION_POINT_H
#define REACTION_POINT_H

#include "ns3/frame.h"
#include "ns3/lane.h"
#include "ns3/object.h"
#include "ns3/rate-limiter.h"
#include "ns3/traced-callback.h"

#include <array>
#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * The rate limiters of a host's port, with the queues before them: what congestion management on
 * layer 2 puts between the sources of frames and the line (Bergamasco, "Ethernet Congestion
 * Manager", 2007, section 3.3 and figure 7; the same serves QCN).
 *
 * A flow is the frames of one flow identifier, a hash of the fields that attributes choose. It has
 * no limiter until a message about it comes. Offer() takes a frame whose flow has one and keeps it
 * until its turn; other frames pass, and nothing of them is kept here. A limiter is reclaimed when
 * its queue is empty and its rate that of the line, so that no frame overtakes another of its flow.
 *
 * There are as many limiters as "Limiters" says. A message that would need another one starts the
 * coarse limiter of the sampled frame's priority: from then on it takes all frames and messages of
 * that priority, while the fine limiters of the priority run at line rate until they are empty and
 * are released. It does not send before they have, which keeps the order. It is reclaimed as the
 * others are, and then flows can have limiters of their own again.
 *
 * It knows neither simulator nor port. Its calls are those of a source of frames: who owns it asks
 * for them in the order of time. What follows from a message is told by GetNextReadyPs().
 * @ingroup lossless
 */
class ReactionPoint : public Object
{
  public:
    /// What became of an offered frame.
    enum Verdict
    {
        PASSES, //!< its flow is not limited: the frame is still the caller's
        WAITS,  //!< it waits for its limiter
        FULL,   //!< its limiter's queue is full: the frame is still the caller's
    };

    /// What there is to know of a flow's frames without having one.
    struct Flow
    {
        const FrameAddresses& addresses; //!< of its frames
        uint32_t hash{0};                //!< Frame::hash
        uint8_t priority{0};             //!< 802.1p
    };

    /// The frame that is sent next.
    struct Head
    {
        uint32_t bytes{0};  //!< size with tag and FCS [B]
        int64_t readyPs{0}; //!< when its limiter lets it go [ps]
    };

    /// Signature of "Rate": (time, number of the limiter, its rate [bit/s]).
    typedef void (*RateTracedCallback)(Time now, uint32_t limiter, double rateBps);

    /// @returns the TypeId
    static TypeId GetTypeId();

    ReactionPoint();
    ~ReactionPoint() override;

    /**
     * Makes the limiters.
     * @param lineRateBps the port's rate [bit/s]
     * @param overheadBytes preamble and gap of each frame [B]
     * @throws InputError if attributes are impossible
     */
    void Start(uint64_t lineRateBps, uint32_t overheadBytes);

    /**
     * @param stream first number of the random streams to use
     * @returns how many were used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @returns what its limiters' tags add to a frame [B]
    virtual uint32_t GetTagBytes() const = 0;

    /// @returns whether any flow is limited; if not, every frame passes
    bool IsInUse() const
    {
        return m_inUse > 0;
    }

    /// @returns limiters in use, coarse ones included
    uint32_t GetLimitersInUse() const
    {
        return m_inUse;
    }

    /**
     * @param priority 802.1p
     * @returns whether its coarse limiter is in use
     */
    bool IsCoarse(uint8_t priority) const;

    /**
     * @param flow any
     * @param nowPs present time [ps]
     * @returns its limiter, nullptr if it is not limited
     */
    const RateLimiter* Find(const Flow& flow, int64_t nowPs);

    /**
     * A frame wants to be sent.
     * @param frame taken if it waits
     * @param bounded whether "QueueSize" holds: it does not for a source that offers no second
     * frame of a connection before the first has been sent
     * @param nowPs present time [ps]
     * @returns what becomes of it
     */
    Verdict Offer(FramePtr& frame, bool bounded, int64_t nowPs);

    /**
     * @param nowPs present time [ps]
     * @returns lanes, which are priorities, with a frame that may be sent now
     */
    LaneSet GetReady(int64_t nowPs);

    /**
     * @param priority one of those that GetReady() just named
     * @returns its next frame
     */
    Head GetHead(uint8_t priority) const;

    /**
     * @param on lanes that may send
     * @returns when to ask GetReady() again [ps]: 0 if a frame of those lanes is ready,
     * NEVER_PS if none is in sight
     */
    int64_t GetNextReadyPs(LaneSet on) const;

    /**
     * @param priority one of those that GetReady() just named
     * @param startPs when its transmission begins [ps]
     * @param nowPs present time [ps]
     * @returns the frame to send
     */
    FramePtr Pull(uint8_t priority, int64_t startPs, int64_t nowPs);

    /**
     * A notification has come.
     * @param message frame of kind NOTIFICATION
     * @param nowPs present time [ps]
     * @returns whether it is of a kind for this reaction point
     */
    bool OnNotification(const Frame& message, int64_t nowPs);

  protected:
    void DoDispose() override;

    /**
     * Settles what the limiters have in common.
     * @param lineRateBps the port's rate [bit/s]
     */
    virtual void DoStart(double lineRateBps) = 0;

    /**
     * @param number of it
     * @returns a new limiter
     */
    virtual std::unique_ptr<RateLimiter> MakeLimiter(uint32_t number) const = 0;

    /**
     * @param message any
     * @returns whether its kind is the limiters'
     */
    virtual bool Understands(const Notification& message) const = 0;

  private:
    /// What a limiter waits for.
    enum class State : uint8_t
    {
        IDLE,    //!< a frame
        PACED,   //!< its time, or a timer: in the set ordered by wakePs
        READY,   //!< its turn: in the round of its priority
        BLOCKED, //!< coarse: fine limiters of its priority that have frames
    };

    /// A limiter with its queue.
    struct Slot
    {
        uint32_t number{0};                   //!< coarse ones come after the others
        bool coarse{false};                   //!< of a priority
        bool inUse{false};                    //!< has a flow
        State state{State::IDLE};             //!< see there
        uint8_t priority{0};                  //!< fine: of the frame that it was made for
        uint32_t flowId{0};                   //!< fine
        std::unique_ptr<RateLimiter> limiter; //!< its arithmetic
        FrameQueue frames;                    //!< that wait
        int64_t lastStartPs{0};               //!< when the last frame's transmission began [ps]
        uint32_t lastWireBytes{0};            //!< its size with preamble and gap [B]
        int64_t nextSendPs{0};                //!< when the rate allows the next frame [ps]
        int64_t wakePs{0}; //!< PACED: the earlier of nextSendPs and the limiter's timer [ps]
        double rateBps{0}; //!< the limiter's rate as last looked at [bit/s]

        boost::intrusive::set_member_hook<> pacedHook;  //!< in m_paced
        boost::intrusive::list_member_hook<> readyHook; //!< in one of m_rounds

        /// Order of the paced set: time, then number.
        bool operator<(const Slot& other) const
        {
            return wakePs != other.wakePs ? wakePs < other.wakePs : number < other.number;
        }
    };

    using Paced = boost::intrusive::set<
        Slot,
        boost::intrusive::member_hook<Slot, boost::intrusive::set_member_hook<>, &Slot::pacedHook>>;
    using Round =
        boost::intrusive::list<Slot,
                               boost::intrusive::member_hook<Slot,
                                                             boost::intrusive::list_member_hook<>,
                                                             &Slot::readyHook>>;

    /// @returns the flow identifier of a flow
    uint32_t GetFlowId(const Flow& flow) const;

    /// @returns the fine limiter of a flow identifier, nullptr if it has none
    Slot* Lookup(uint32_t flowId);

    /// Enters all fine limiters in use into the hash table.
    void Rehash();

    /// Reclaims a limiter without frames whose rate is that of the line. @returns whether
    bool Reclaim(Slot& slot, int64_t nowPs);

    /// @returns the limiter of a flow, nullptr if it has none
    Slot* FindSlot(uint32_t flowId, uint8_t priority, int64_t nowPs);

    /// @returns a fine limiter that is not in use, nullptr if there is none
    Slot* FindFree(int64_t nowPs);

    /// A limiter gets its first message. @returns whether it is in use now
    bool Instantiate(Slot& slot, const Notification& message, int64_t nowPs);

    /// A coarse limiter is in use: its priority's fine ones are emptied.
    void OpenFine(uint8_t priority, int64_t nowPs);

    /// A limiter in use has no frames left to wait.
    void Free(Slot& slot);

    /// The last frame of a limiter has been sent.
    void Emptied(Slot& slot, int64_t nowPs);

    /// Calls the limiter for each of its deadlines up to now.
    static void RunTimers(Slot& slot, int64_t nowPs);

    /// Takes over the limiter's rate. @returns whether it changed
    bool NoteRate(Slot& slot, int64_t nowPs);

    /// Takes a limiter out of the container of its state.
    void Unpark(Slot& slot);

    /// Puts a limiter, which is in no container, where it belongs.
    void Park(Slot& slot);

    /// Time and rate may have changed what a limiter may do.
    void Update(Slot& slot, int64_t nowPs);

    /// Refuses messages that quote too little of the frame to tell its connection.
    void CheckQuote(const Frame& message) const;

    // Attributes
    uint32_t m_limiters{0};        //!< "Limiters"
    bool m_matchDestination{true}; //!< "MatchDestination"
    bool m_matchSource{true};      //!< "MatchSource"
    bool m_matchPriority{true};    //!< "MatchPriority"
    bool m_matchConnection{false}; //!< "MatchConnection"
    uint32_t m_flowIds{0};         //!< "FlowIds"
    uint64_t m_queueSize{0};       //!< "QueueSize" [B]

    uint32_t m_overheadBytes{0};                   //!< preamble and gap [B]
    uint32_t m_inUse{0};                           //!< limiters in use
    std::vector<Slot> m_slots;                     //!< fine ones, then the coarse ones by priority
    std::vector<uint32_t> m_table;                 //!< 1 + number of a fine one by flow
                                                   //!< identifier; linear probing
    std::array<uint32_t, PRIORITIES> m_backlogs{}; //!< fine ones with frames, by priority
    LaneSet m_ready{0};                            //!< priorities with a round
    Paced m_paced;                                 //!< by time
    std::array<Round, PRIORITIES> m_rounds;        //!< by turn

    TracedCallback<Time, uint32_t, double> m_rateTrace; //!< "Rate"
};

} // namespace ns3

#endif // REACTION_POINT_H

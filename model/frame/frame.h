// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_H
#define LOSSLESS_FRAME_H

#include "ns3/code-point.h"
#include "ns3/credit-update.h"
#include "ns3/far-time.h"
#include "ns3/notification.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace ns3
{

/**
 * @defgroup lossless Lossless Ethernet and InfiniBand
 *
 * PFC Ethernet, RDMA queue pairs, congestion detectors and rate controllers.
 */

/// What a Frame is. @ingroup lossless
enum class FrameKind : uint8_t
{
    DATA,         //!< RoCEv2 SEND or RDMA WRITE
    ACK,          //!< RoCEv2 acknowledge, AETH syndrome ACK
    NACK,         //!< RoCEv2 acknowledge, AETH syndrome NAK "PSN sequence error"
    NOTIFICATION, //!< to the source of congestion, as a RoCEv2 congestion notification packet (CNP)
    PFC,          //!< IEEE 802.1Qbb priority flow control
    CREDITS,      //!< InfiniBand's link flow control
    PACKET,       //!< an ns3::Packet of ns-3's own protocol stack (IP, ARP, ...)
};

/// Endpoint number of a frame whose destination only the switch's address table knows.
constexpr uint32_t UNKNOWN_ENDPOINT = std::numeric_limits<uint32_t>::max();
/// Endpoint number of a broadcast or multicast frame.
constexpr uint32_t BROADCAST_ENDPOINT = std::numeric_limits<uint32_t>::max() - 1;

/// Frame::ingressPort of a frame that came in by no port: the node itself sends it.
constexpr uint32_t NO_INGRESS = std::numeric_limits<uint32_t>::max();

/**
 * Addresses of a RoCEv2 frame, copied from the queue pair into each of its frames.
 * @ingroup lossless
 */
struct FrameAddresses
{
    uint32_t sourceIp{0};        //!< IPv4 source, host byte order
    uint32_t destinationIp{0};   //!< IPv4 destination, host byte order
    uint8_t sourceMac[6]{};      //!< Ethernet source
    uint8_t destinationMac[6]{}; //!< Ethernet destination
    uint16_t udpSource{0};       //!< UDP source port: the flow's entropy for ECMP
};

/**
 * What one switch port tells of itself in a frame that leaves it: in-band network telemetry (INT)
 * as HPCC asks for it (Li et al., SIGCOMM 2019, section 3.1).
 * @ingroup lossless
 */
struct IntHop
{
    uint64_t rateBps{0};    //!< line rate [bit/s]
    int64_t timeNs{0};      //!< when the frame left the queue [ns]
    uint64_t txBytes{0};    //!< sent before it, preamble and gap included [B]
    uint64_t queueBytes{0}; //!< waiting behind it [B]
};

/**
 * The INT block of a frame: what each switch port on its path told, first hop first.
 *
 * Comes from a pool of its own, so that frames without one carry only a null pointer. In the
 * simulator the values are exact; TelemetryHeader says how they are rounded on the wire.
 * @ingroup lossless
 */
struct IntBlock
{
    /// As many as HPCC's block has; a fat-tree's longest path passes five switches.
    static constexpr uint32_t MAX_HOPS = 5;

    IntBlock* next{nullptr}; //!< link of the pool
    uint32_t hops{0};        //!< how many of hop[] are set
    IntHop hop[MAX_HOPS];    //!< in the order of the path

    /**
     * @param port what it tells
     * @returns whether there was room
     */
    bool Push(const IntHop& port)
    {
        if (hops == MAX_HOPS)
        {
            return false;
        }
        hop[hops++] = port;
        return true;
    }

    /// Gives a block back to the pool.
    struct Recycler
    {
        void operator()(IntBlock* block) const;
    };
};

/**
 * The owner of a pooled object, or of none. Moving it hands the object over; copying it copies the
 * object.
 * @tparam T has an overload of CopyPooled()
 * @tparam R gives it back to its pool
 * @ingroup lossless
 */
template <class T, class R>
class PooledPtr : public std::unique_ptr<T, R>
{
  public:
    using std::unique_ptr<T, R>::unique_ptr;
    PooledPtr() = default;
    PooledPtr(PooledPtr&&) = default;
    PooledPtr& operator=(PooledPtr&&) = default;

    /// @param other whose object is copied
    PooledPtr(const PooledPtr& other)
        : std::unique_ptr<T, R>(other ? CopyPooled(*other).release() : nullptr)
    {
    }

    /**
     * @param other whose object is copied
     * @returns this
     */
    PooledPtr& operator=(const PooledPtr& other)
    {
        if (this != &other)
        {
            this->reset(other ? CopyPooled(*other).release() : nullptr);
        }
        return *this;
    }

    ~PooledPtr() = default;
};

/// The owner of an INT block, or of none. @ingroup lossless
using IntBlockPtr = PooledPtr<IntBlock, IntBlock::Recycler>;

/// The owner of a congestion tag, or of none. @ingroup lossless
using CongestionTagPtr = PooledPtr<CongestionTag, CongestionTag::Recycler>;

/// @returns an INT block without hops, from the calling thread's pool
IntBlockPtr MakeIntBlock();

/**
 * @param block any
 * @returns a copy
 */
IntBlockPtr CopyPooled(const IntBlock& block);

/// @returns INT blocks of the calling thread that are not in its pool, for tests
std::size_t IntBlocksInUse();

/// @returns a CM-Tag of zeros, from the calling thread's pool
CongestionTagPtr MakeCongestionTag();

/**
 * @param tag any
 * @returns a copy
 */
CongestionTagPtr CopyPooled(const CongestionTag& tag);

/// @returns congestion tags of the calling thread that are not in its pool, for tests
std::size_t CongestionTagsInUse();

struct Frame;

/// Gives a frame back to the pool. @ingroup lossless
struct FrameRecycler
{
    void operator()(Frame* frame) const;
};

/// A frame that another one quotes, or none. @ingroup lossless
using QuotedFramePtr = PooledPtr<Frame, FrameRecycler>;

/**
 * One Ethernet frame on its way through the simulated network: the parsed header fields, no bytes.
 *
 * Between ports only a Frame travels; ToPacket() (frame-format.h) makes the byte-exact ns3::Packet
 * for pcap, trace sinks and the IP stack. Frames come from a pool and have one owner at a time
 * (FramePtr). Fields that every hop reads come first, in one cache line.
 * @ingroup lossless
 */
struct alignas(64) Frame
{
    Frame()
    {
    }

    Frame* next{nullptr}; //!< link of the queue, the channel or the pool that holds the frame
    int64_t readyPs{0};   //!< exact time at which the frame had arrived at this node [ps]
    uint32_t bytes{0};    //!< size with Ethernet header and FCS, without preamble and gap
    uint32_t destination{UNKNOWN_ENDPOINT}; //!< endpoint number of the receiving NIC
    uint32_t hash{0};                       //!< flow hash for ECMP, salted by each switch
    uint32_t ingressPort{0};                //!< port by which the frame entered the present switch
    FrameKind kind{FrameKind::DATA};        //!< what the frame is
    uint8_t priority{0};                    //!< 802.1p priority, 0..7
    CodePoint codePoint{CodePoint::NOT_CAPABLE}; //!< ECN bits
    CodePoint echo{CodePoint::NOT_CAPABLE};      //!< ACK: highest mark of the data it covers
    bool ackRequest{false};                      //!< BTH A bit
    uint8_t bypassed{0};                         //!< times that a younger frame went before it
    bool tagged{false};                          //!< carries an 802.1Q tag with the priority
    bool write{false};                           //!< DATA: RDMA WRITE instead of SEND
    bool firstOfMessage{false};                  //!< first frame of its message
    bool lastOfMessage{false};                   //!< last frame of its message
    uint16_t etherType{0};                       //!< PACKET only
    uint32_t flow{0};                            //!< flow number for traces; not on the wire
    uint32_t queuePair{0};                       //!< BTH destination queue pair, 24 bits
    uint32_t psn{0}; //!< packet sequence number; its low 24 bits are on the wire

    uint32_t source{UNKNOWN_ENDPOINT}; //!< endpoint number of the sending NIC
    uint32_t sourceQueuePair{
        0}; //!< DATA: the sender's queue pair, for switches that notify it; not on the wire
    uint32_t payload{0};      //!< bytes of user data, without padding
    int64_t timestampPs{0};   //!< DATA: when it was sent; ACK: that of the newest data covered [ps]
    uint32_t messageBytes{0}; //!< RETH DMA length of an RDMA WRITE's first frame, 0 for SEND
    uint32_t messageNumber{0}; //!< AETH MSN, 24 bits
    FrameAddresses addresses;  //!< Ethernet, IPv4 and UDP addresses

    /// Class-enable vector and quanta of a PFC frame.
    struct Pause
    {
        uint8_t classes{0};   //!< bit n: quanta[n] is meant
        uint16_t quanta[8]{}; //!< pause time in units of 512 bit times, 0 resumes
    };

    /// What the frame says, by its kind.
    union {
        Notification notification{}; //!< NOTIFICATION
        Pause pause;                 //!< PFC
        CreditUpdate credits;        //!< CREDITS
    };

    int64_t tailPs{0};     //!< handed over at its header: when its last bit arrives [ps]
    Ptr<Packet> packet;    //!< PACKET only: without Ethernet header
    IntBlockPtr telemetry; //!< DATA: filled by the path; ACK and NACK: that of the data; or none
    CongestionTagPtr tag;  //!< CM-Tag or CN-TAG, or none; never on PFC
    QuotedFramePtr quoted; //!< NOTIFICATION of ECM or QCN: the frame that was sampled

    using Recycler = FrameRecycler; //!< gives a frame back to the pool
};

static_assert(sizeof(Frame) == 192, "a frame has three cache lines");

/// The one owner of a frame. @ingroup lossless
using FramePtr = std::unique_ptr<Frame, Frame::Recycler>;

/// @returns a frame with all fields at their defaults, from the calling thread's pool.
FramePtr MakeFrame();

/// @returns a copy of a frame, for flooding or quoting; what it carries is copied too.
FramePtr CopyFrame(const Frame& frame);

/**
 * @param frame any
 * @returns a copy
 */
inline QuotedFramePtr
CopyPooled(const Frame& frame)
{
    return QuotedFramePtr(CopyFrame(frame).release());
}

/**
 * Makes the frame in which a congestion point of layer 2 tells the source of a frame.
 * @param sampled whose source it goes to, and which it quotes
 * @param message EcmMessage or QcnMessage
 * @param address of the congestion point's switch
 * @returns the message, all but readyPs and ingressPort
 */
FramePtr MakeCongestionMessage(const Frame& sampled,
                               const Notification& message,
                               const uint8_t (&address)[6]);

/**
 * FIFO of frames, linked through the frames themselves: no allocation.
 * @ingroup lossless
 */
class FrameQueue
{
  public:
    FrameQueue() = default;
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

    ~FrameQueue()
    {
        Clear();
    }

    /// @param frame appended
    void Push(FramePtr frame)
    {
        Frame* f = frame.release();
        f->next = nullptr;
        (m_tail ? m_tail->next : m_head) = f;
        m_tail = f;
        m_bytes += f->bytes;
        m_frames++;
    }

    /// @returns the oldest frame; the queue must not be empty
    FramePtr Pop()
    {
        Frame* f = m_head;
        m_head = f->next;
        if (!m_head)
        {
            m_tail = nullptr;
        }
        m_bytes -= f->bytes;
        m_frames--;
        return FramePtr(f);
    }

    /**
     * Takes a frame out of the middle.
     * @param previous the frame before it, nullptr for the oldest
     * @returns it
     */
    FramePtr Remove(Frame* previous)
    {
        if (!previous)
        {
            return Pop();
        }
        Frame* f = previous->next;
        previous->next = f->next;
        if (m_tail == f)
        {
            m_tail = previous;
        }
        m_bytes -= f->bytes;
        m_frames--;
        return FramePtr(f);
    }

    /// Gives all frames back to the pool.
    void Clear()
    {
        while (m_head)
        {
            Pop();
        }
    }

    /// @returns the oldest frame or nullptr
    Frame* Head()
    {
        return m_head;
    }

    /// @returns the oldest frame or nullptr
    const Frame* Head() const
    {
        return m_head;
    }

    /// @returns sum of the frames' sizes [B]
    uint64_t Bytes() const
    {
        return m_bytes;
    }

    /// @returns number of frames
    uint32_t Frames() const
    {
        return m_frames;
    }

  private:
    Frame* m_head{nullptr}; //!< oldest
    Frame* m_tail{nullptr}; //!< newest
    uint64_t m_bytes{0};    //!< sum of sizes
    uint32_t m_frames{0};   //!< count
};

} // namespace ns3

#endif // LOSSLESS_FRAME_H

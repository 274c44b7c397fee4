// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "ns3/frame.h"
#include "ns3/nstime.h"
#include "ns3/rate-controller.h"

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <cstdint>

namespace ns3
{

/**
 * Sending half of a reliable connection that carries one message. RdmaSender owns and drives it.
 *
 * Frames are numbered from 0; the number is the PSN. It is in exactly one state at a time, and
 * linked into the matching container of RdmaSender without allocation.
 * @ingroup lossless
 */
struct RdmaQueuePair
{
    /// Numbers 0 and 1 are those of InfiniBand's management queue pairs.
    static constexpr uint32_t FIRST_NUMBER = 2;

    /// What it waits for.
    enum class State : uint8_t
    {
        PACED,   //!< its time, or its controller's timer: in RdmaSender's set ordered by wakePs
        READY,   //!< its turn: in RdmaSender's round of its priority
        BLOCKED, //!< the window
        SENT,    //!< acknowledgements of what has all been sent
        HELD,    //!< its last frame, which waits for a rate limiter of the port
    };

    uint32_t number{0};       //!< its own queue pair number
    uint32_t remoteNumber{0}; //!< the receiving half's
    uint32_t flow{0};         //!< for traces
    uint32_t destination{0};  //!< endpoint
    uint32_t hash{0};         //!< for ECMP
    uint8_t priority{0};      //!< 802.1p
    State state{State::SENT}; //!< see there
    FrameAddresses addresses; //!< of its frames

    uint64_t bytes{0};         //!< of the message
    uint32_t packets{0};       //!< in which it is sent
    uint32_t next{0};          //!< PSN to send next
    uint32_t acked{0};         //!< PSNs below are acknowledged
    uint32_t asked{0};         //!< 1 + PSN of the last frame that asked for an acknowledgement
    uint32_t highest{0};       //!< PSNs below have been sent at least once
    uint32_t retransmitted{0}; //!< frames sent again

    int64_t lastStartPs{0};    //!< when the last frame's transmission began [ps]
    uint32_t lastWireBytes{0}; //!< its size with preamble and gap [B]
    int64_t nextSendPs{0};     //!< when the rate allows the next frame [ps]
    int64_t wakePs{0};         //!< PACED: the earlier of nextSendPs and the controller's timer [ps]
    int64_t progressPs{0};     //!< when acknowledgements last made progress [ps]

    Ptr<RateController> controller; //!< its own
    double rateBps{0};              //!< the controller's rate as last looked at [bit/s]
    Time start;                     //!< when the message was posted
    uint32_t cnpCe{0};              //!< notifications received that said CE
    uint32_t cnpUe{0};              //!< and UE

    boost::intrusive::set_member_hook<> pacedHook;        //!< in RdmaSender's paced set
    boost::intrusive::list_member_hook<> readyHook;       //!< in RdmaSender's round
    boost::intrusive::list_member_hook<> outstandingHook; //!< in RdmaSender's timeout list

    /// Order of the paced set: time, then number, so that it never depends on addresses.
    bool operator<(const RdmaQueuePair& other) const
    {
        return wakePs != other.wakePs ? wakePs < other.wakePs : number < other.number;
    }
};

} // namespace ns3

#endif // RDMA_QUEUE_PAIR_H

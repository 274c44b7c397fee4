// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "reaction-point.h"

#include "ns3/boolean.h"
#include "ns3/far-time.h"
#include "ns3/flow-hash.h"
#include "ns3/frame-size.h"
#include "ns3/input-error.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReactionPoint);

namespace
{

/// Time that a frame takes at a rate; a rate of 0 waits for its next change [ps].
int64_t
GapPs(uint32_t wireBytes, double rateBps)
{
    const double gapPs = rateBps > 0 ? wireBytes * 8e12 / rateBps : FAR_PS;
    return gapPs < FAR_PS ? std::llround(gapPs) : FAR_PS;
}

/// @returns six bytes as a number
uint64_t
ToNumber(const uint8_t* mac)
{
    uint64_t number = 0;
    for (int i = 0; i < 6; i++)
    {
        number = number << 8 | mac[i];
    }
    return number;
}

} // namespace

TypeId
ReactionPoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReactionPoint")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddAttribute("Limiters",
                          "Rate limiters for flows; there is one more for each priority",
                          UintegerValue(64),
                          MakeUintegerAccessor(&ReactionPoint::m_limiters),
                          MakeUintegerChecker<uint32_t>(0, 65000))
            .AddAttribute("MatchDestination",
                          "Flows differ by destination MAC address",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ReactionPoint::m_matchDestination),
                          MakeBooleanChecker())
            .AddAttribute("MatchSource",
                          "Flows differ by source MAC address",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ReactionPoint::m_matchSource),
                          MakeBooleanChecker())
            .AddAttribute("MatchPriority",
                          "Flows differ by priority",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ReactionPoint::m_matchPriority),
                          MakeBooleanChecker())
            .AddAttribute("MatchConnection",
                          "Flows differ by IP addresses and UDP source port, or what the flow "
                          "hash is made of; messages must quote them",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ReactionPoint::m_matchConnection),
                          MakeBooleanChecker())
            .AddAttribute("FlowIds",
                          "Different flow identifiers, which flows share by chance; 0: 2^32",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReactionPoint::m_flowIds),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("QueueSize",
                          "Frames of the protocol stack that may wait for a limiter [B]",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&ReactionPoint::m_queueSize),
                          MakeUintegerChecker<uint64_t>())
            .AddTraceSource("Rate",
                            "A limiter's rate changed: (time, its number, bit/s), when it is next "
                            "looked at",
                            MakeTraceSourceAccessor(&ReactionPoint::m_rateTrace),
                            "ns3::ReactionPoint::RateTracedCallback");
    return tid;
}

ReactionPoint::ReactionPoint() = default;

ReactionPoint::~ReactionPoint()
{
    m_paced.clear();
    for (Round& round : m_rounds)
    {
        round.clear();
    }
}

void
ReactionPoint::DoDispose()
{
    m_paced.clear();
    for (Round& round : m_rounds)
    {
        round.clear();
    }
    m_slots.clear();
    m_table.clear();
    m_backlogs.fill(0);
    m_ready = 0;
    m_inUse = 0;
    Object::DoDispose();
}

void
ReactionPoint::Start(uint64_t lineRateBps, uint32_t overheadBytes)
{
    m_overheadBytes = overheadBytes;
    DoStart(static_cast<double>(lineRateBps));
    m_slots = std::vector<Slot>(m_limiters + PRIORITIES);
    for (uint32_t i = 0; i < m_slots.size(); i++)
    {
        m_slots[i].number = i;
        m_slots[i].coarse = i >= m_limiters;
        m_slots[i].priority = m_slots[i].coarse ? i - m_limiters : 0;
        m_slots[i].limiter = MakeLimiter(i);
        m_slots[i].rateBps = m_slots[i].limiter->GetRateBps();
    }
    std::size_t places = 4; // at most half of them are taken, so that a free one is near
    while (places < 2 * static_cast<std::size_t>(m_limiters))
    {
        places *= 2;
    }
    m_table.assign(places, 0);
}

int64_t
ReactionPoint::AssignStreams(int64_t)
{
    return 0;
}

uint32_t
ReactionPoint::GetFlowId(const Flow& flow) const
{
    uint64_t id = 0;
    if (m_matchDestination)
    {
        id = MixBits(id + ToNumber(flow.addresses.destinationMac) + 1);
    }
    if (m_matchSource)
    {
        id = MixBits(id + ToNumber(flow.addresses.sourceMac) + 1);
    }
    if (m_matchConnection)
    {
        id = MixBits(id + flow.hash + 1);
    }
    if (m_matchPriority)
    {
        id = MixBits(id + flow.priority + 1);
    }
    const auto hash = static_cast<uint32_t>(id);
    return m_flowIds > 0 ? ChooseByHash(hash, 0, m_flowIds) : hash;
}

ReactionPoint::Slot*
ReactionPoint::Lookup(uint32_t flowId)
{
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t place = MixBits(flowId) & mask; m_table[place] > 0; place = (place + 1) & mask)
    {
        Slot& slot = m_slots[m_table[place] - 1];
        if (slot.flowId == flowId)
        {
            return &slot;
        }
    }
    return nullptr;
}

void
ReactionPoint::Rehash()
{
    const std::size_t mask = m_table.size() - 1;
    std::fill(m_table.begin(), m_table.end(), 0);
    for (uint32_t i = 0; i < m_limiters; i++)
    {
        if (m_slots[i].inUse)
        {
            std::size_t place = MixBits(m_slots[i].flowId) & mask;
            while (m_table[place] > 0)
            {
                place = (place + 1) & mask;
            }
            m_table[place] = i + 1;
        }
    }
}

bool
ReactionPoint::Reclaim(Slot& slot, int64_t nowPs)
{
    if (slot.frames.Frames() > 0)
    {
        return false;
    }
    RunTimers(slot, nowPs);
    if (!slot.limiter->IsAtLineRate())
    {
        return false;
    }
    Free(slot);
    return true;
}

ReactionPoint::Slot*
ReactionPoint::FindSlot(uint32_t flowId, uint8_t priority, int64_t nowPs)
{
    if (m_inUse == 0)
    {
        return nullptr;
    }
    Slot* fine = Lookup(flowId);
    Slot& coarse = m_slots[m_limiters + (fine ? fine->priority : priority)];
    if (coarse.inUse && !Reclaim(coarse, nowPs))
    {
        return &coarse;
    }
    return fine && !Reclaim(*fine, nowPs) ? fine : nullptr;
}

ReactionPoint::Slot*
ReactionPoint::FindFree(int64_t nowPs)
{
    Slot* found = nullptr;
    for (uint32_t i = 0; i < m_limiters && !found; i++)
    {
        Slot& slot = m_slots[i];
        if (!slot.inUse || Reclaim(slot, nowPs))
        {
            found = &slot;
        }
    }
    return found;
}

bool
ReactionPoint::IsCoarse(uint8_t priority) const
{
    return m_slots[m_limiters + priority].inUse;
}

const RateLimiter*
ReactionPoint::Find(const Flow& flow, int64_t nowPs)
{
    const Slot* slot = IsInUse() ? FindSlot(GetFlowId(flow), flow.priority, nowPs) : nullptr;
    return slot ? slot->limiter.get() : nullptr;
}

ReactionPoint::Verdict
ReactionPoint::Offer(FramePtr& frame, bool bounded, int64_t nowPs)
{
    if (!IsInUse())
    {
        return PASSES;
    }
    const uint8_t priority = frame->priority;
    Slot* slot = FindSlot(GetFlowId({frame->addresses, frame->hash, priority}), priority, nowPs);
    if (!slot)
    {
        return PASSES;
    }
    const uint32_t before = slot->frames.Frames();
    if (bounded && before > 0 && slot->frames.Bytes() + frame->bytes > m_queueSize)
    {
        return FULL;
    }
    slot->limiter->AddTag(*frame);
    slot->frames.Push(std::move(frame));
    if (before == 0)
    {
        m_backlogs[slot->priority] += !slot->coarse;
        RunTimers(*slot, nowPs);
        Update(*slot, nowPs);
    }
    return WAITS;
}

LaneSet
ReactionPoint::GetReady(int64_t nowPs)
{
    while (!m_paced.empty() && m_paced.begin()->wakePs <= nowPs)
    {
        Slot& slot = *m_paced.begin();
        RunTimers(slot, nowPs);
        if (NoteRate(slot, nowPs))
        {
            slot.nextSendPs = slot.lastStartPs + GapPs(slot.lastWireBytes, slot.rateBps);
        }
        Unpark(slot);
        if (slot.nextSendPs > nowPs)
        {
            Park(slot);
            continue;
        }
        const uint8_t priority = slot.frames.Head()->priority;
        slot.state = State::READY;
        m_rounds[priority].push_back(slot);
        m_ready |= 1 << priority;
    }
    return m_ready;
}

ReactionPoint::Head
ReactionPoint::GetHead(uint8_t priority) const
{
    const Slot& slot = m_rounds[priority].front();
    const Frame& frame = *slot.frames.Head();
    return {frame.bytes, std::max(slot.nextSendPs, frame.readyPs)};
}

int64_t
ReactionPoint::GetNextReadyPs(LaneSet on) const
{
    if (m_ready & on)
    {
        return 0;
    }
    return m_paced.empty() ? NEVER_PS : m_paced.begin()->wakePs;
}

FramePtr
ReactionPoint::Pull(uint8_t priority, int64_t startPs, int64_t nowPs)
{
    Slot& slot = m_rounds[priority].front();
    Unpark(slot);
    RunTimers(slot, nowPs);
    FramePtr frame = slot.frames.Pop();
    frame->readyPs = std::max(slot.nextSendPs, frame->readyPs);
    slot.limiter->OnSend(*frame, NanoSeconds(nowPs / 1000));
    slot.lastStartPs = startPs;
    slot.lastWireBytes = frame->bytes + m_overheadBytes;
    NoteRate(slot, nowPs);
    slot.nextSendPs = startPs + GapPs(slot.lastWireBytes, slot.rateBps);
    if (slot.frames.Frames() == 0)
    {
        Emptied(slot, nowPs);
    }
    else
    {
        Park(slot);
    }
    return frame;
}

void
ReactionPoint::Emptied(Slot& slot, int64_t nowPs)
{
    slot.state = State::IDLE;
    Slot& coarse = m_slots[m_limiters + slot.priority];
    if (!slot.coarse)
    {
        m_backlogs[slot.priority]--;
        if (coarse.inUse)
        {
            Free(slot);
            if (m_backlogs[slot.priority] == 0 && coarse.state == State::BLOCKED)
            {
                Park(coarse);
            }
            return;
        }
    }
    Reclaim(slot, nowPs);
}

bool
ReactionPoint::OnNotification(const Frame& message, int64_t nowPs)
{
    if (!Understands(message.notification))
    {
        return false;
    }
    if (!message.quoted)
    {
        return true; // of whose frames it speaks is not known
    }
    CheckQuote(message);
    const Frame& sampled = *message.quoted;
    const uint32_t flowId = GetFlowId({sampled.addresses, sampled.hash, sampled.priority});
    Slot* slot = FindSlot(flowId, sampled.priority, nowPs);
    if (slot)
    {
        RunTimers(*slot, nowPs);
        slot->limiter->OnMessage(message.notification, NanoSeconds(nowPs / 1000));
        Update(*slot, nowPs);
    }
    else if ((slot = FindFree(nowPs)))
    {
        slot->flowId = flowId;
        slot->priority = sampled.priority;
        if (Instantiate(*slot, message.notification, nowPs))
        {
            Rehash();
        }
    }
    else if (Instantiate(m_slots[m_limiters + sampled.priority], message.notification, nowPs))
    {
        OpenFine(sampled.priority, nowPs);
    }
    return true;
}

bool
ReactionPoint::Instantiate(Slot& slot, const Notification& message, int64_t nowPs)
{
    slot.limiter->OnMessage(message, NanoSeconds(nowPs / 1000));
    if (!slot.limiter->IsActive())
    {
        return false;
    }
    slot.inUse = true;
    m_inUse++;
    slot.lastStartPs = nowPs;
    slot.lastWireBytes = 0;
    Update(slot, nowPs);
    return true;
}

void
ReactionPoint::OpenFine(uint8_t priority, int64_t nowPs)
{
    for (uint32_t i = 0; i < m_limiters; i++)
    {
        Slot& slot = m_slots[i];
        if (!slot.inUse || slot.priority != priority)
        {
            continue;
        }
        RunTimers(slot, nowPs);
        slot.limiter->OpenUp();
        if (slot.frames.Frames() == 0)
        {
            Free(slot);
        }
        else
        {
            Update(slot, nowPs);
        }
    }
}

void
ReactionPoint::Free(Slot& slot)
{
    slot.limiter->Release();
    slot.rateBps = slot.limiter->GetRateBps();
    slot.inUse = false;
    m_inUse--;
    if (!slot.coarse)
    {
        Rehash();
    }
}

void
ReactionPoint::RunTimers(Slot& slot, int64_t nowPs)
{
    const Time now = NanoSeconds(nowPs / 1000);
    for (Time due = slot.limiter->NextTimer(); due <= now; due = slot.limiter->NextTimer())
    {
        slot.limiter->OnTimer(due);
    }
}

bool
ReactionPoint::NoteRate(Slot& slot, int64_t nowPs)
{
    const double rateBps = slot.limiter->GetRateBps();
    if (rateBps == slot.rateBps)
    {
        return false;
    }
    slot.rateBps = rateBps;
    m_rateTrace(NanoSeconds(nowPs / 1000), slot.number, rateBps);
    return true;
}

void
ReactionPoint::Unpark(Slot& slot)
{
    if (slot.state == State::PACED)
    {
        m_paced.erase(m_paced.iterator_to(slot));
    }
    else if (slot.state == State::READY)
    {
        const uint8_t priority = slot.frames.Head()->priority;
        Round& round = m_rounds[priority];
        round.erase(round.iterator_to(slot));
        if (round.empty())
        {
            m_ready &= ~(1 << priority);
        }
    }
    slot.state = State::IDLE;
}

void
ReactionPoint::Park(Slot& slot)
{
    if (slot.frames.Frames() == 0)
    {
        return;
    }
    if (slot.coarse && m_backlogs[slot.priority] > 0)
    {
        slot.state = State::BLOCKED;
        return;
    }
    const Time timer = slot.limiter->NextTimer();
    slot.wakePs = std::min(slot.nextSendPs, timer == Time::Max() ? NEVER_PS : ToPs(timer));
    slot.state = State::PACED;
    m_paced.insert(slot);
}

void
ReactionPoint::Update(Slot& slot, int64_t nowPs)
{
    NoteRate(slot, nowPs);
    Unpark(slot);
    // The whole gap is counted again at the new rate, so that a large cut does not lag by a frame.
    slot.nextSendPs = slot.lastStartPs + GapPs(slot.lastWireBytes, slot.rateBps);
    Park(slot);
}

void
ReactionPoint::CheckQuote(const Frame& message) const
{
    if (!m_matchConnection)
    {
        return;
    }
    // Up to the UDP source port
    uint32_t needed = 2 + IPV4_HEADER_BYTES + 2;
    if (std::holds_alternative<EcmMessage>(message.notification))
    {
        needed += ETHERNET_HEADER_BYTES - 2 + (message.quoted->tagged ? VLAN_TAG_BYTES : 0) +
                  CongestionTagBytes(*message.quoted);
    }
    if (QuotedBytes(message) < needed)
    {
        throw InputError("ns3::ReactionPoint::MatchConnection",
                         "messages that quote " + std::to_string(QuotedBytes(message)) +
                             " bytes of a frame",
                         "at least " + std::to_string(needed) +
                             ": see QuotedBytes of ns3::EcmDetector, HeaderOctets of "
                             "ns3::QcnDetector");
    }
}

} // namespace ns3

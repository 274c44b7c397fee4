// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame.h"

#include "ns3/frame-size.h"

#include <algorithm>
#include <new>
#include <utility>

namespace ns3
{

namespace
{

/// Free objects of one thread, linked through themselves. What it holds never shows in a result:
/// each is made anew when it is taken. It has neither constructor nor destructor to run, so that
/// access costs nothing and objects may come back late, after a program's end without
/// Simulator::Destroy().
template <typename T>
class Pool
{
  public:
    T* Take()
    {
        if (!m_free)
        {
            Grow();
        }
        T* object = m_free;
        m_free = object->next;
        return new (object) T(); // Give() was handed one with nothing to destroy
    }

    void Give(T* object)
    {
        object->next = m_free;
        m_free = object;
    }

    /// Gives the memory back, if no object is still in use.
    void Release()
    {
        std::size_t missing = 0;
        for (const Chunk* chunk = m_chunks; chunk; chunk = chunk->next)
        {
            missing += OBJECTS;
        }
        for (const T* object = m_free; object; object = object->next)
        {
            missing--;
        }
        if (missing > 0)
        {
            return;
        }
        m_free = nullptr;
        while (m_chunks)
        {
            Chunk* const rest = m_chunks->next;
            delete m_chunks;
            m_chunks = rest;
        }
    }

  private:
    static constexpr std::size_t OBJECTS = 256;

    /// Objects whose memory came at once.
    struct Chunk
    {
        Chunk* next;
        T objects[OBJECTS];
    };

    void Grow();

    T* m_free{nullptr};
    Chunk* m_chunks{nullptr};
};

thread_local Pool<Frame> t_frames;
thread_local Pool<IntBlock> t_blocks;
thread_local Pool<CongestionTag> t_tags;

/// Releases the pools at the end of a thread.
struct PoolKeeper
{
    bool awake{false}; //!< as a thread's object is made, and so destroyed, only if it is used

    ~PoolKeeper()
    {
        t_frames.Release();
        t_blocks.Release();
        t_tags.Release();
    }
};

thread_local PoolKeeper t_keeper;

template <typename T>
void
Pool<T>::Grow()
{
    t_keeper.awake = true;
    m_chunks = new Chunk{m_chunks, {}};
    for (std::size_t i = OBJECTS; i-- > 0;)
    {
        Give(&m_chunks->objects[i]);
    }
}

thread_local std::size_t t_blocksInUse = 0;
thread_local std::size_t t_tagsInUse = 0;

} // namespace

void
IntBlock::Recycler::operator()(IntBlock* block) const
{
    t_blocksInUse--;
    t_blocks.Give(block);
}

IntBlockPtr
CopyPooled(const IntBlock& block)
{
    IntBlockPtr copy = MakeIntBlock();
    *copy = block;
    copy->next = nullptr;
    return copy;
}

IntBlockPtr
MakeIntBlock()
{
    t_blocksInUse++;
    return IntBlockPtr(t_blocks.Take());
}

std::size_t
IntBlocksInUse()
{
    return t_blocksInUse;
}

void
CongestionTag::Recycler::operator()(CongestionTag* tag) const
{
    t_tagsInUse--;
    t_tags.Give(tag);
}

CongestionTagPtr
MakeCongestionTag()
{
    t_tagsInUse++;
    return CongestionTagPtr(t_tags.Take());
}

CongestionTagPtr
CopyPooled(const CongestionTag& tag)
{
    CongestionTagPtr copy = MakeCongestionTag();
    copy->tag = tag.tag;
    return copy;
}

std::size_t
CongestionTagsInUse()
{
    return t_tagsInUse;
}

void
FrameRecycler::operator()(Frame* frame) const
{
    if (frame->packet)
    {
        frame->packet = nullptr;
    }
    if (frame->telemetry)
    {
        frame->telemetry.reset();
    }
    if (frame->tag)
    {
        frame->tag.reset();
    }
    if (frame->quoted)
    {
        frame->quoted.reset();
    }
    t_frames.Give(frame);
}

FramePtr
MakeFrame()
{
    return FramePtr(t_frames.Take());
}

FramePtr
CopyFrame(const Frame& frame)
{
    FramePtr copy = MakeFrame();
    *copy = frame;
    copy->next = nullptr;
    if (frame.packet)
    {
        copy->packet = frame.packet->Copy();
    }
    return copy;
}

FramePtr
MakeCongestionMessage(const Frame& sampled,
                      const Notification& message,
                      const uint8_t (&address)[6])
{
    FramePtr frame = MakeFrame();
    frame->kind = FrameKind::NOTIFICATION;
    frame->notification = message;
    const auto* ecm = std::get_if<EcmMessage>(&message);
    frame->priority = ecm ? ecm->priority : std::get<QcnMessage>(message).priority;
    frame->tagged = sampled.tagged;
    frame->flow = sampled.flow;
    frame->hash = sampled.hash;
    frame->destination = sampled.source;
    frame->queuePair = sampled.sourceQueuePair;
    std::copy(address, address + 6, frame->addresses.sourceMac);
    std::copy(sampled.addresses.sourceMac,
              sampled.addresses.sourceMac + 6,
              frame->addresses.destinationMac);
    frame->quoted = CopyPooled(sampled);
    if (sampled.tag && std::holds_alternative<CnTag>(sampled.tag->tag) && !ecm)
    {
        frame->tag = CopyPooled(*sampled.tag); // QCN: its source knows the flow by it
    }
    frame->bytes = FrameBytes(*frame);
    return frame;
}

} // namespace ns3

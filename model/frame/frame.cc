// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "frame.h"

#include <new>
#include <vector>

namespace ns3
{

namespace
{

/// Free frames of one thread. What it holds never shows in a result: MakeFrame() clears each frame.
class FramePool
{
  public:
    Frame* Take()
    {
        if (!m_free)
        {
            Grow();
        }
        Frame* frame = m_free;
        m_free = frame->next;
        return new (frame) Frame(); // Give() left nothing to destroy
    }

    void Give(Frame* frame)
    {
        if (frame->packet)
        {
            frame->packet = nullptr;
        }
        frame->next = m_free;
        m_free = frame;
    }

  private:
    void Grow()
    {
        constexpr std::size_t FRAMES = 256;
        m_chunks.push_back(std::make_unique<Frame[]>(FRAMES));
        for (std::size_t i = FRAMES; i-- > 0;)
        {
            Frame* frame = &m_chunks.back()[i];
            frame->next = m_free;
            m_free = frame;
        }
    }

    Frame* m_free{nullptr};
    std::vector<std::unique_ptr<Frame[]>> m_chunks;
};

thread_local FramePool t_pool;

} // namespace

void
Frame::Recycler::operator()(Frame* frame) const
{
    t_pool.Give(frame);
}

FramePtr
MakeFrame()
{
    return FramePtr(t_pool.Take());
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

} // namespace ns3

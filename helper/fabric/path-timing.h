// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef PATH_TIMING_H
#define PATH_TIMING_H

#include "ns3/lossless-net-device.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// The sending port of each link of a path, the source's first. @ingroup lossless
using PortPath = std::vector<Ptr<LosslessNetDevice>>;

/**
 * @param port sends
 * @param bytes size of a frame with FCS [B]
 * @returns from the first bit sent until the last one has arrived at the far end; of a cut-through
 * switch, which has the frame as fast as it sends it, from the arrival of the last bit [ps]
 * @ingroup lossless
 */
int64_t CrossingPs(const LosslessNetDevice& port, uint32_t bytes);

/**
 * When frames arrive that follow each other over the links of a path, with nothing else in the
 * network. Exact, in a time that does not grow with their number: all but the
 * first and the last are alike, and what holds the last of those up is, at each link, either the
 * one before it or the whole queue behind the first.
 * @ingroup lossless
 */
class FrameTrain
{
  public:
    /// Sizes with FCS [B].
    struct Sizes
    {
        uint32_t first{0};  //!< of the first frame, also if it is the only one but the last
        uint32_t middle{0}; //!< of each between the first and the last
        uint32_t last{0};   //!< of the last frame, also if it is the only one
    };

    /// When frames are there [ps].
    struct Arrivals
    {
        int64_t firstPs{0};  //!< the first
        int64_t beforePs{0}; //!< the last but one
        int64_t lastPs{0};   //!< the last
    };

    /**
     * @param frames how many, at least one
     * @param ready when they are there; gaps between them do not shrink
     */
    FrameTrain(uint32_t frames, const Arrivals& ready);

    /**
     * All frames cross the links of a path.
     * @param path the links
     * @param sizes of the frames
     */
    void Cross(const PortPath& path, const Sizes& sizes);

    /// @returns when the last frame is there, at most a little above FAR_PS [ps]
    int64_t GetLastPs() const;

  private:
    uint32_t m_frames;   //!< how many
    Arrivals m_arrivals; //!< where they are now
};

/**
 * @param path of the data
 * @param ackPath of the acknowledgements
 * @param packets data frames, at least one
 * @param data their sizes
 * @param ackInterval data frames for each acknowledgement; the last is always acknowledged
 * @param ackBytes size of an acknowledgement with FCS [B]
 * @returns from the first bit of the first frame until the last acknowledgement has arrived [ps]
 * @ingroup lossless
 */
int64_t MessageTimePs(const PortPath& path,
                      const PortPath& ackPath,
                      uint32_t packets,
                      const FrameTrain::Sizes& data,
                      uint32_t ackInterval,
                      uint32_t ackBytes);

} // namespace ns3

#endif // PATH_TIMING_H

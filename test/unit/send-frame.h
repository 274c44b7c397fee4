// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_TEST_SEND_FRAME_H
#define LOSSLESS_TEST_SEND_FRAME_H

#include "ns3/rate-controller.h"

namespace ns3
{

/**
 * A controller's queue pair sends a frame of which it only looks at the size.
 * @param controller is told
 * @param wireBytes size with preamble and gap [B]
 * @param now present time
 */
inline void
Send(RateController& controller, uint32_t wireBytes, Time now)
{
    FramePtr frame = MakeFrame();
    controller.OnSend(*frame, wireBytes, now);
}

} // namespace ns3

#endif // LOSSLESS_TEST_SEND_FRAME_H

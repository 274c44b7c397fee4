// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_FORMAT_H
#define LOSSLESS_FRAME_FORMAT_H

#include "ns3/frame-reader.h"
#include "ns3/frame-size.h"
#include "ns3/frame-writer.h"

/**
 * @file
 * @ingroup lossless
 * What a Frame looks like on the wire: its size, and its bytes both ways.
 *
 * Layers, outermost first (IEEE 802.3, 802.1Q and 802.1Qbb; InfiniBand Architecture 1.3 with annex
 * A17, RoCEv2; ECM 2007, IEEE 802.1Qau):
 * @verbatim
 * Ethernet 14 | 802.1Q 4 if tagged | CM-Tag 16 or CN-TAG 4 if any |
 *     IPv4 20 | UDP 8, port 4791 | BTH 12 | RETH 16 or AETH 4 | INT 42 if any | payload |
 *     pad 0..3 | ICRC 4 | zeros up to 60 | FCS 4
 * messages of layer 2 after the tags: ECM 18 | 24 or more bytes of the sampled frame, or
 *     CNM 24 | 0 to 64 bytes of its content
 * @endverbatim
 * The INT block (TelemetryHeader, our own choice as RoCEv2 has none) comes after what standard
 * readers expect after the BTH.
 */

#endif // LOSSLESS_FRAME_FORMAT_H

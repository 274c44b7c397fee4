// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FRAME_REFUSAL_H
#define LOSSLESS_FRAME_REFUSAL_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <sstream>
#include <string>

namespace ns3
{

/// Why bytes are not a frame; thrown and caught inside the functions that read one.
/// @ingroup lossless
struct FrameRefusal
{
    std::string why; //!< for the caller
};

/// @param parts what to say, printed one after the other
template <typename... Parts>
[[noreturn]] void
RefuseFrame(const Parts&... parts)
{
    std::ostringstream text;
    (text << ... << parts);
    throw FrameRefusal{text.str()};
}

/**
 * @param value any
 * @returns it in hexadecimal, for RefuseFrame()
 */
inline std::string
HexText(uint32_t value)
{
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

/**
 * Takes a header off, if its bytes are there.
 * @param packet from it
 * @param header read
 * @param name for the refusal
 */
template <typename H>
void
TakeHeader(Ptr<Packet> packet, H& header, const char* name)
{
    if (packet->GetSize() < header.GetSerializedSize())
    {
        RefuseFrame("truncated: ",
                    packet->GetSize(),
                    " bytes left for ",
                    name,
                    ", which has ",
                    header.GetSerializedSize());
    }
    packet->RemoveHeader(header);
}

} // namespace ns3

#endif // LOSSLESS_FRAME_REFUSAL_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_LINK_TECHNOLOGY_H
#define LOSSLESS_LINK_TECHNOLOGY_H

#include "ns3/scheme-presets.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * What a fabric's links and switches are made of, as data: a name for --link, and the classes that
 * go with it.
 * @ingroup lossless
 */
struct LinkTechnology
{
    std::string name;        //!< of --link, such as "ethernet"
    std::string description; //!< one line
    std::string deviceType;  //!< class of the ports, a LosslessNetDevice
    std::string switchType;  //!< class of the switches, a LosslessSwitch
    std::string bufferType;  //!< class whose attribute BufferSize is the size of buffers [B]
    bool inputBuffers;       //!< switches have buffers at their inputs that can be full
};

/// @returns all of them, the default first. @ingroup lossless
const std::vector<LinkTechnology>& LinkTechnologies();

/**
 * @param name of one
 * @returns it
 * @throws InputError with the names that there are
 * @ingroup lossless
 */
const LinkTechnology& FindLinkTechnology(const std::string& name);

/**
 * @param scheme to be run
 * @param link over it
 * @throws InputError if the scheme's detector would hear nothing of what it marks by
 * @ingroup lossless
 */
void CheckLink(const Scheme& scheme, const LinkTechnology& link);

} // namespace ns3

#endif // LOSSLESS_LINK_TECHNOLOGY_H

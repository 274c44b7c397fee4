// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_FLOW_LIST_FILE_H
#define LOSSLESS_FLOW_LIST_FILE_H

#include "ns3/flow-spec.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * What a flow-list file holds, sorted by start (flows of one start in the order of the file).
 */
struct FlowList
{
    /// The flows. `src` and `dst` are node ids of the topology, which the caller turns into host
    /// indices.
    std::vector<FlowSpec> flows;
    std::vector<std::size_t> lines; ///< the line each flow came from, for the caller's errors
};

/**
 * @ingroup lossless
 * Reads a flow list in the format of the HPCC simulator: the number of flows on the first line,
 * then one line for each flow, `src dst priority port bytes start_s`. `#` starts a comment.
 * @param path the file
 * @return the flows, with ids 0.. in the order of start
 * @throws InputError naming file and line
 */
FlowList ReadFlowListFile(const std::string& path);

/**
 * @ingroup lossless
 * Writes a flow list; ReadFlowListFile() reads it back without loss.
 * @param path the file
 * @param flows the flows; `src` and `dst` are written as they are
 * @throws InputError if the file cannot be written
 */
void WriteFlowListFile(const std::string& path, const std::vector<FlowSpec>& flows);

} // namespace ns3

#endif // LOSSLESS_FLOW_LIST_FILE_H

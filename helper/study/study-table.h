// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef STUDY_TABLE_H
#define STUDY_TABLE_H

#include "ns3/run-summary.h"

#include <ostream>

namespace ns3
{

/**
 * Prints what a run measured: slowdown by flow size, then totals.
 * @param out where to @param summary of the run
 * @ingroup lossless
 */
void PrintTable(std::ostream& out, const RunSummary& summary);

} // namespace ns3

#endif // STUDY_TABLE_H

// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef STANDARD_OUTPUT_H
#define STANDARD_OUTPUT_H

namespace ns3
{

/**
 * For the start of a program's main(): what it prints arrives, or the program says that it does not
 * and ends with exit code 1. A reader that goes away, as head does, is no error: the program goes
 * on to write its files, and ends quietly with 128 + SIGPIPE.
 * @throws std::runtime_error if standard output is closed
 * @ingroup lossless
 */
void GuardStandardOutput();

} // namespace ns3

#endif // STANDARD_OUTPUT_H

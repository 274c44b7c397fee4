// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#include "standard-output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace ns3
{

namespace
{

/// @returns whether the reader of standard output has gone away
bool
IsReaderGone()
{
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP));
}

/// At the program's end, whoever ends it: ns-3's CommandLine does after --help.
void
CheckOutput()
{
    std::cout.flush();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout)
    {
        return;
    }
    // The reason is that of the first attempt, long ago; another one meets it again.
    const int error = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
    if (IsReaderGone())
    {
        _exit(128 + SIGPIPE);
    }
    std::cerr << "error: standard output cannot be written ("
              << (error != 0 ? std::strerror(error) : "write error") << ")" << std::endl;
    _exit(1);
}

} // namespace

void
GuardStandardOutput()
{
    const bool isClosed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
    // A file of the results must not get the number of a standard stream that is closed.
    int file = open("/dev/null", O_RDWR);
    while (file >= 0 && file <= STDERR_FILENO)
    {
        file = open("/dev/null", O_RDWR);
    }
    close(file);
    if (isClosed)
    {
        throw std::runtime_error("standard output is closed");
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::atexit(&CheckOutput);
}

} // namespace ns3

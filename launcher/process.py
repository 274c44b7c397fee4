# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Programs that the launcher calls, and what they say."""

import re
import subprocess

from console import Failure, call

PYTHON = "/usr/bin/python3"


def _unseen(command, **options):
    """call() of a command that reads nothing, with its output and errors as one text."""
    return call(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        **options,
    )


def succeed(command, **options):
    """Runs a command without showing its output, unless it fails."""
    result = _unseen(command, **options)
    if result.returncode:
        raise Failure(f"{' '.join(str(c) for c in command)} failed:\n{tail(result.stdout)}")
    return result.stdout


def tail(text, lines=60):
    """The last lines of a text."""
    kept = text.rstrip().splitlines()
    return "\n".join((["..."] if len(kept) > lines else []) + kept[-lines:])


def captured(command, **options):
    """A command's exit code and output."""
    result = _unseen(command, **options)
    ended = f"\nended by signal {-result.returncode}" if result.returncode < 0 else ""
    return result.returncode, re.sub(r"\x1b\[[\d;]*m", "", result.stdout) + ended

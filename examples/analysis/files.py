# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Writing of files and folders that others may read or write at the same time."""

import contextlib
import fcntl
import os

# Locked by whoever uses a folder; helper/study/run-folder.h tells what a run writes into it.
LOCK = ".lossless-run"


@contextlib.contextmanager
def written_whole(path):
    """Yields where to write a file that is there in full or not at all.

    @throws OSError that names the file
    """
    partial = path.with_name(path.name + ".part")
    try:
        yield partial
        os.replace(partial, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def write_atomically(path, content):
    """Writes text or bytes as written_whole() does."""
    content = content.encode() if isinstance(content, str) else content
    with written_whole(path) as partial:
        partial.write_bytes(content)


@contextlib.contextmanager
def held(folder, make=False):
    """Keeps other runs and plots out of a folder of results.

    @param make whether it is locked although no run has ever been in it
    @throws BlockingIOError if another one uses it
    """
    try:
        file = open(folder / LOCK, "ab" if make else "rb")
    except (FileNotFoundError, NotADirectoryError):
        if make:
            raise
        yield  # written by hand, or a copy
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found = "in use by another run or plot"
            raise BlockingIOError(None, found, str(folder)) from None
        except OSError:
            pass  # a file system without locks
        yield

# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The folder of everything built, and its locks."""

import contextlib
import fcntl
import os
import pwd
from pathlib import Path

from console import Failure, say


def cache_path():
    """The folder of everything built, which may not exist yet."""
    default = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = os.environ.get("LOSSLESS_CACHE") or os.path.join(default, "lossless")
    if path.startswith("~"):
        raise Failure("no home folder for the cache; set LOSSLESS_CACHE to a folder of your own")
    return Path(path).absolute()


def cache(inner=""):
    """The folder of everything built: the module alone, the two ns-3 trees, ccache's files.

    @param inner a folder in it @returns it, made and found writable
    """
    folder = cache_path() / inner
    instead = "set LOSSLESS_CACHE to a folder that can be written"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the cache folder {folder} ({error.strerror}); {instead}"
                      ) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Failure(f"cannot write to the cache folder {folder} of {owner(folder)}; {instead}")
    return folder


def owner(path):
    """The name of the user to whom a file belongs."""
    number = path.stat().st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


@contextlib.contextmanager
def locked(name):
    """One process at a time; another one waits."""
    path = cache(os.path.dirname(name)) / f"{os.path.basename(name)}.lock"
    try:
        file = open(path, "w")
    except PermissionError:
        raise Failure(f"cannot write {path} of {owner(path)} in the cache folder; set "
                      "LOSSLESS_CACHE to a folder of your own") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another lossless that uses {cache() / name}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def set_environment():
    """Sets what called programs keep in the cache."""
    # ccache's cache and settings, and matplotlib's, stay out of the user's own.
    os.environ.setdefault("CCACHE_DIR", str(cache() / "ccache"))
    os.environ.setdefault("MPLCONFIGDIR", str(cache() / "matplotlib"))

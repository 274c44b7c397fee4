# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The schemes that the programs have, as one of them tells them: there is no list of them here."""

import functools
import json
import subprocess

from console import Failure

PROGRAM = "fat-tree"  # that is asked; all know the same
_path = None


def use(path):
    """@param path of the program, which may not be there unless a target asks for schemes"""
    global _path
    _path = path


def names():
    """All schemes of Ethernet but those that are another one's second name. @throws Failure"""
    if _path is None:
        raise Failure(f"no program for {PROGRAM}, which tells the schemes")
    return tuple(
        scheme["name"]
        for scheme in listed(_path)
        if not scheme["alias_of"] and not scheme["input_buffers"]
    )


@functools.lru_cache(maxsize=None)
def listed(path):
    """What a program tells of each scheme. @throws Failure"""
    try:
        told = subprocess.run([path, "--list-schemes"], capture_output=True, check=True)
        return json.loads(told.stdout)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise Failure(f"{path} --list-schemes tells no schemes: {error}") from None

# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Debian's packages: what is needed is installed, and ns-3's source is fetched."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from console import Failure, call, say

from launcher.process import PYTHON, succeed, tail


def has_program(*names):
    """Tells whether one of these programs is found."""
    return lambda: any(shutil.which(name) for name in names)


def has_file(*paths):
    """Tells whether one of these files exists."""
    return lambda: any(os.path.exists(path) for path in paths)


def has_matplotlib():
    """Whether the system's Python has matplotlib, found without loading it."""
    code = "import importlib.util as u, sys; sys.exit(u.find_spec('matplotlib') is None)"
    return call([PYTHON, "-c", code]).returncode == 0


# What each Debian package is needed for, and how its presence is seen.
PACKAGES = {
    "g++": has_program("g++"),
    "cmake": has_program("cmake"),
    "ninja-build": has_program("ninja", "make"),
    "libns3-dev": has_file("/usr/include/ns3/core-module.h"),
    "libboost-dev": has_file("/usr/include/boost/version.hpp"),
    "libgtest-dev": has_file("/usr/include/gtest/gtest.h"),
    "python3-matplotlib": has_matplotlib,
    "tshark": has_program("tshark"),
}
COMPILING = ["g++", "cmake", "ninja-build", "libboost-dev"]
ALONE = COMPILING + ["libns3-dev"]


def need(*packages):
    """Installs the missing ones of these packages, or says how."""
    missing = [name for name in packages if not PACKAGES[name]()]
    if not missing:
        return
    names = " ".join(missing)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Failure(
            f"missing: {names}; install with\n"
            f"    sudo apt-get install --no-install-recommends {names}"
        )
    say(f"installing with apt-get: {names}")
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    succeed(["apt-get", "update"], env=env)
    # One that is stopped leaves the system's packages half installed.
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    succeed(install, patient=True, env=env)
    still = [name for name in missing if not PACKAGES[name]()]
    if still:
        raise Failure(f"apt-get installed {' '.join(still)}, but they are still not found")


def download_source(folder):
    """Fetches ns-3's source archive from the system's own mirrors; apt's settings stay."""
    parts = folder / "parts"
    parts.mkdir()
    lines, stanzas = [], []
    etc = Path("/etc/apt")
    for file in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if not file.is_file():
            continue
        if file.suffix == ".list":
            lines += re.findall(r"^\s*deb\s+(.*)", file.read_text(), re.M)
        elif file.suffix == ".sources":
            stanzas += [
                re.sub(r"^Types:.*", "Types: deb-src", stanza, flags=re.M | re.I)
                for stanza in re.split(r"\n\s*\n", file.read_text())
                if re.search(r"^Types:", stanza, re.M | re.I)
                and not re.search(r"^Enabled:\s*no", stanza, re.M | re.I)
            ]
    if not lines and not stanzas:
        raise Failure("ns-3's source is needed, but /etc/apt names no package source")
    (folder / "sources.list").write_text("".join(f"deb-src {line}\n" for line in lines))
    (parts / "system.sources").write_text("\n\n".join(stanzas) + "\n")
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "cache/archives/partial").mkdir(parents=True)
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": parts,
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": subprocess.getoutput("id -un"),
        "Debug::NoLocking": "1",
    }
    apt = ["apt-get"] + [w for name, value in settings.items() for w in ("-o", f"{name}={value}")]
    # A source that has no deb-src makes update fail; what counts is whether ns3 is found.
    update = call(
        [*apt, "update"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        succeed([*apt, "source", "--download-only", "ns3"], cwd=folder)
    except Failure as failure:
        last = str(failure).splitlines()[-1]
        raise Failure("cannot fetch ns-3's source package; is there a network?\n"
                      f"{tail(update.stdout, 10)}\n{last}") from None
    archives = sorted(folder.glob("ns3_*.orig.tar.*"))
    if not archives:
        raise Failure("apt-get source ns3 brought no ns3_*.orig.tar archive")
    return archives[-1]

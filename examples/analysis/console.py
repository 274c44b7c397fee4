# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the programs for users have in common: every way in which one can end gives one message at
most and an exit code, and no program that it called goes on without it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

CLOSED_PIPE = 128 + signal.SIGPIPE  # the exit code when the reader of standard output has gone
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
GRACE_S = 10  # for a called program to end by itself

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback before start() either

# The signals that came while a process was being started, None when none is.
_late = None


class Failure(Exception):
    """Ends the program with one message and exit code 1."""


class Ended(BaseException):
    """A signal that ends the program."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


def say(*words, end="\n"):
    """Prints at once. @throws Failure if it cannot be written, BrokenPipeError if nobody reads"""
    with printing():
        print(*words, end=end)
        sys.stdout.flush()


@contextlib.contextmanager
def printing():
    """For what prints by itself. @throws as say()"""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"standard output cannot be written ({error.strerror})") from None


def call(command, patient=False, **options):
    """subprocess.run() of a program that ends when this one does.

    @param patient whether it is not stopped but waited for @throws Ended, OSError
    """
    global _late
    command = [str(word) for word in command]
    _late = []
    try:
        process = subprocess.Popen(command, **options)
    finally:
        late, _late = _late, None
    with process:
        try:
            if late:
                raise Ended(late[0])
            output, _ = process.communicate()
        except BaseException:
            if patient:
                process.wait()
            else:
                _end(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output)


def _end(process):
    """Ends a program, which may first end what it called, and then what is left of that."""
    family = [process.pid]
    for pid in family:
        for file in Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                family += map(int, file.read_text().split())
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    left = _signal(family[1:], signal.SIGTERM)
    until = time.monotonic() + GRACE_S
    while left and time.monotonic() < until:
        time.sleep(0.02)
        left = _signal(left, 0)
    _signal(left, signal.SIGKILL)


def _signal(pids, number):
    """Sends a signal. @returns those that could get it"""
    alive = []
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
            alive.append(pid)
    return alive


def _on_signal(number, _):
    if _late is not None:
        _late.append(number)
        return
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)  # once is enough
    raise Ended(number)


@contextlib.contextmanager
def _signals():
    """Turns signals into Ended; those that are ignored, as by nohup, stay so."""
    known = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        for number, handler in known.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, _on_signal)
        yield
    finally:
        for number, handler in known.items():
            signal.signal(number, handler)


def _drop_output():
    """What is still to be printed goes nowhere, or Python would try again at its end."""
    if sys.stdout is sys.__stdout__ and sys.stdout:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def start(main, interrupted="interrupted"):
    """Runs main() and returns the exit code of the program.

    @param interrupted is said when a signal has ended it
    """
    # A file must not get the number of a standard stream that is closed.
    null = os.open(os.devnull, os.O_RDWR)
    while null <= 2:
        os.set_inheritable(null, True)
        null = os.open(os.devnull, os.O_RDWR)
    os.close(null)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files are any bytes
    error = None
    try:
        with _signals():
            try:
                if sys.stdout is None:
                    raise Failure("standard output is closed")
                code = main()
            except SystemExit as ended:  # of argparse
                code = ended.code or 0
            with printing():
                sys.stdout.flush()
            return code
    except BrokenPipeError:
        code = CLOSED_PIPE
    except Ended as ended:
        code, error = 128 + ended.number, interrupted
    except Failure as failure:
        code, error = 1, f"error: {failure}"
    except OSError as failure:
        names = [str(name) for name in (failure.filename, failure.filename2) if name is not None]
        code, error = 1, "error: " + ": ".join(names + [failure.strerror or str(failure)])
    except Exception as defect:  # noqa: BLE001: no traceback is for users
        last = traceback.extract_tb(defect.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        code, error = 1, f"error: {type(defect).__name__}: {defect} ({place}), a defect of lossless"
    _drop_output()
    if error and sys.stderr:
        with contextlib.suppress(OSError):
            print(error, file=sys.stderr, flush=True)
    return code

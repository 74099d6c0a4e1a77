"""Python programs of their own process."""

import signal
import subprocess
import sys


def start(program, *arguments):
    """Start a Python program."""
    return subprocess.Popen([sys.executable, "-c", program, *arguments],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(program, *arguments):
    """Return the exit code, the output and the errors of a Python program."""
    process = start(program, *arguments)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def expect_interrupt(process):
    """Wait for a program that Ctrl-C ends, and return its output."""
    out, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT, err
    assert err.rstrip().endswith("KeyboardInterrupt"), err
    return out

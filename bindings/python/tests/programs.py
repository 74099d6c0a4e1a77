"""Python programs of their own process."""

import signal
import subprocess
import sys

# Seconds that a test waits for what must happen. They only matter when something is broken.
PATIENCE = 300


def start(program, *arguments):
    """Start a Python program."""
    return subprocess.Popen([sys.executable, "-c", program, *arguments],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait(process):
    """Return the output and the errors of a program. One that hangs is killed."""
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def run(program, *arguments):
    """Return the exit code, the output and the errors of a Python program."""
    process = start(program, *arguments)
    out, err = wait(process)
    return process.returncode, out, err


def expect_interrupt(process):
    """Wait for a program that Ctrl-C ends, and return its output."""
    out, err = wait(process)
    # Python ends itself by the signal. If all threads block it, the exit code says the same.
    assert process.returncode in (-signal.SIGINT, 128 + signal.SIGINT), err
    assert err.rstrip().endswith("KeyboardInterrupt"), err
    return out

"""Starts the loopback interface of this network namespace, then becomes a command: COMMAND..."""

import fcntl
import os
import socket
import struct
import sys

SIOCSIFFLAGS, IFF_UP = 0x8914, 1

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
    fcntl.ioctl(made, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
os.execvp(sys.argv[1], sys.argv[1:])

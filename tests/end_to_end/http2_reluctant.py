"""A server that chooses HTTP/2 and then wants every request over HTTP/1.1.

    http2_reluctant.py PORT CERTIFICATE KEY [malformed]

It answers with the number of handshakes so far. Over HTTP/2 it resets streams with
HTTP_1_1_REQUIRED; or it sends a field that only HTTP/1.1 allows.
"""

import socketserver
import ssl
import struct
import sys

HEADERS, RST_STREAM, SETTINGS = 1, 3, 4
HTTP_1_1_REQUIRED = 13
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

END_STREAM_AND_HEADERS = 5
# ":status: 200" and "connection: keep-alive".
MALFORMED = b"\x88\x00\x0aconnection\x0akeep-alive"

handshakes = 0
is_malformed = len(sys.argv) > 4


def frame(kind, stream, payload, flags=0):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def refuse(connection):
    connection.sendall(frame(SETTINGS, 0, b""))
    received = connection.makefile("rb")
    received.read(len(PREFACE))
    while head := received.read(9):
        size = int.from_bytes(head[:3], "big")
        stream = int.from_bytes(head[5:], "big")
        received.read(size)
        if head[3] != HEADERS:
            continue
        if is_malformed:
            connection.sendall(frame(HEADERS, stream, MALFORMED, END_STREAM_AND_HEADERS))
        else:
            code = struct.pack(">I", HTTP_1_1_REQUIRED)
            connection.sendall(frame(RST_STREAM, stream, code))


def answer(connection):
    received = connection.makefile("rb")
    while line := received.readline():
        if line == b"\r\n":
            body = b"handshakes: %d" % handshakes
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class Peer(socketserver.BaseRequestHandler):
    def handle(self):
        global handshakes
        try:
            connection = context.wrap_socket(self.request, server_side=True)
            handshakes += 1
            if connection.selected_alpn_protocol() == "h2":
                refuse(connection)
            else:
                answer(connection)
        except OSError:
            pass


if __name__ == "__main__":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    context.set_alpn_protocols(["h2", "http/1.1"])
    Server(("127.0.0.1", int(sys.argv[1])), Peer).serve_forever()

"""A server of HTTP/2 over TLS, on Debian's python3-h2.

    http2_python.py PORT CERTIFICATE KEY FOLDER [CALM]

It serves the files of a folder. The first CALM requests get RST_STREAM with ENHANCE_YOUR_CALM.
"""

import mimetypes
import os
import socketserver
import ssl
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

folder = sys.argv[4]
calm_left = int(sys.argv[5]) if len(sys.argv) > 5 else 0


def file_of(path):
    """The content of a file in the folder; None if there is none."""
    name = os.path.normpath(os.path.join(folder, path.partition("?")[0].lstrip("/")))
    if os.path.isdir(name):
        name = os.path.join(name, "index.html")
    if not name.startswith(folder + os.sep) or not os.path.isfile(name):
        return None, None
    with open(name, "rb") as file:
        return mimetypes.guess_type(name)[0] or "application/octet-stream", file.read()


class Exchanges:
    """The exchanges of one connection."""

    def __init__(self, socket):
        self.socket = socket
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.connection = h2.connection.H2Connection(config)
        self.connection.initiate_connection()
        self.unsent = {}  # by stream: a view of the rest of the body

    def run(self):
        self.flush()
        while received := self.socket.recv(65536):
            for event in self.connection.receive_data(received):
                self.take(event)
            self.send_bodies()
            self.flush()

    def flush(self):
        if output := self.connection.data_to_send():
            self.socket.sendall(output)

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.answer(event.stream_id, dict(event.headers))
        elif isinstance(event, h2.events.DataReceived):
            self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.unsent.pop(event.stream_id, None)

    def answer(self, stream, fields):
        global calm_left
        if calm_left > 0:
            calm_left -= 1
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.ENHANCE_YOUR_CALM)
            return
        kind, content = file_of(fields[":path"])
        status = "404" if content is None else "200"
        content = b"not found" if content is None else content
        is_head = fields[":method"] == "HEAD"
        self.connection.send_headers(
            stream,
            [
                (":status", status),
                ("content-type", kind or "text/plain"),
                ("content-length", str(len(content))),
            ],
            end_stream=is_head,
        )
        if not is_head:
            self.unsent[stream] = memoryview(content)

    def send_bodies(self):
        """Sends a frame of each body in turn, as long as the windows allow."""
        has_sent = True
        while has_sent:
            has_sent = False
            for stream, rest in list(self.unsent.items()):
                room = self.connection.local_flow_control_window(stream)
                size = min(room, len(rest), self.connection.max_outbound_frame_size)
                if size <= 0 and len(rest) > 0:
                    continue
                has_sent = True
                is_last = size == len(rest)
                self.connection.send_data(stream, bytes(rest[:size]), end_stream=is_last)
                self.unsent[stream] = rest[size:]
                if is_last:
                    del self.unsent[stream]
            self.flush()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class Peer(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            with context.wrap_socket(self.request, server_side=True) as connection:
                if connection.selected_alpn_protocol() == "h2":
                    Exchanges(connection).run()
        except (OSError, h2.exceptions.ProtocolError):
            pass


if __name__ == "__main__":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    context.set_alpn_protocols(["h2"])
    Server(("127.0.0.1", int(sys.argv[1])), Peer).serve_forever()

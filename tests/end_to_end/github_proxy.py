"""A proxy that answers for every host: github_proxy.py LOG PORT CERT TOKEN.

For https it uses the certificate and key of CERT. Like GitHub, it refuses requests to github.com
and api.github.com without the token as too many. Every request but those of robots.txt is a line of
LOG: URL, and the token or "-".
"""

import socketserver
import ssl
import sys

LOG, PORT, CERT, TOKEN = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
ANSWERS = {
    "https://github.com/o/moved": "301 Moved\r\nLocation: https://elsewhere.example/",
    "https://api.github.com/repos/o/gone": "404 Not Found",
}
CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
CONTEXT.load_cert_chain(CERT)


def read_head(stream):
    lines = []
    while (line := stream.readline().decode("latin-1").strip()) != "":
        lines.append(line)
    fields = dict(line.split(": ", 1) for line in lines[1:])
    return lines[0].split(" ") if lines else None, {k.lower(): v for k, v in fields.items()}


class Proxy(socketserver.StreamRequestHandler):
    def handle(self):
        request, _ = read_head(self.rfile)
        if request is None:
            return
        if request[0] != "CONNECT":
            self.connection.sendall(b"HTTP/1.1 502 Only tunnels\r\nContent-Length: 0\r\n\r\n")
            return
        self.connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        host = request[1].removesuffix(":443")
        with CONTEXT.wrap_socket(self.connection, server_side=True) as tls:
            stream = tls.makefile("rb")
            while True:
                request, fields = read_head(stream)
                if request is None:
                    return
                tls.sendall(self.answer("https://" + host + request[1], fields))

    def answer(self, url, fields):
        token = fields.get("authorization", "-")
        if url.endswith("/robots.txt"):
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        with open(LOG, "a", encoding="utf-8") as log:
            log.write(url + " " + token + "\n")
        is_github = url.split("/")[2] in ("github.com", "api.github.com")
        status = ANSWERS.get(url, "200 OK")
        if is_github and token != "Bearer " + TOKEN:
            status = "429 Too Many Requests"
        return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", PORT), Proxy).serve_forever()

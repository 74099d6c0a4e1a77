#!/usr/bin/env python3
"""The API of `gossamer serve` with made-up answers, for tests of its pages.

made_up_api.py PAGES [--hostile TEXT] [--no-index] [--no-crawl] [--short-streams]

Prints the address of the dashboard. With --hostile, every text of a page is TEXT. The server reads
the pages from the folder and sends the headers that docs/serve.md promises.
"""

import argparse
import http.server
import json
import mimetypes
import pathlib
import threading
import time
import urllib.parse

TOKEN = "0123456789abcdef0123456789abcdef"
REPLAY_TOKEN = "fedcba9876543210fedcba9876543210"
SITE = "museum.example"
TOPICS = ["Stone Age", "Bronze Age", "Iron Age", "Roman glass", "Medieval maps", "Clocks"]


class World:
    """Everything that the answers are made of."""

    def __init__(self, options):
        self.options = options
        self.views = {}
        self.changes = []
        self.state = "running"
        self.started = time.monotonic()
        self.dashboard = self.replay = ""

    def text(self, plain):
        return self.options.hostile or plain

    def url(self, path):
        return f"https://{SITE}/{path}" + (self.options.hostile or "")

    def archives(self, _):
        crawl = None if self.options.no_crawl else 0
        return {
            "version": "0.1.0", "replay": self.replay, "scripts": False,
            "archives": [
                {"archive": 0, "name": self.text("museum"), "kind": "job", "state": "running",
                 "captures": 5210, "urls": 5100, "pages": 3000, "bytes": 81234567,
                 "first": "20260131115500", "last": "20260131120000",
                 "roots": [f"https://{SITE}/"], "damage": 0,
                 "searchable": not self.options.no_index, "crawl": crawl},
                {"archive": 1, "name": self.text("old.warc.gz"), "kind": "warc", "state": None,
                 "captures": 310, "urls": 300, "pages": 120, "bytes": 9134567,
                 "first": "20190302080000", "last": "20240817120000", "roots": [], "damage": 2,
                 "searchable": False, "crawl": None},
            ],
        }

    def search(self, query):
        if self.options.no_index:
            return 409, {"error": "no archive has a search index"}
        q = query.get("q", "")
        if q.startswith("before:x"):
            return 400, {"error": "before: needs a date such as 2026-01, not 'x'"}
        total = 0 if "nothing" in q else 53
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 20))
        hits = [self.hit(i, q) for i in range(offset, min(total, offset + limit))]
        suggestion = "stone" if q == "stoen" else None
        return {"query": q, "total": total, "complete": min(total, 2), "ms": 4.2,
                "suggestion": suggestion, "hits": hits}

    def hit(self, i, q):
        topic = TOPICS[i % len(TOPICS)]
        return {
            "url": self.url(f"{topic.split()[0].lower()}/{i}"), "site": SITE,
            "title": [{"text": self.text("The "), "mark": False},
                      {"text": self.text(topic), "mark": True},
                      {"text": f" in room {i}", "mark": False}],
            "snippet": [{"text": "The collection shows how people lived. Visitors can see the ",
                         "mark": False}, {"text": self.text(q), "mark": True},
                        {"text": " and its tools, which were found near the river in 1911 and "
                         "given to the museum by the family of the finder.", "mark": False}],
            "type": "application/pdf" if i % 5 == 4 else self.text("text/html"),
            "lang": self.text("en"), "captured": f"202601{10 + i % 20}120000", "archive": 0,
            "folded": 3 if i == 1 else 0,
            "anchor": "tools" if i == 2 else None,
            "heading": self.text("Tools") if i == 2 else None,
            "missing": [self.text("age")] if i > 1 else [], "score": 12.5 - i / 10, "explain": None,
        }

    def facets(self, _):
        def counted(*values):
            return [{"value": value, "count": 120 // (i + 1)} for i, value in enumerate(values)]

        return {"site": counted(SITE, "shop." + SITE, self.text("blog." + SITE), "a.example",
                                "b.example", "c.example", "d.example", "e.example"),
                "type": counted("html", "pdf"), "year": counted("2026", "2025", "2024"),
                "lang": counted("en", "de")}

    def captures(self, query):
        days = ["20250102", "20250614", "20250614", "20250614", "20251120", "20260110", "20260131"]
        stamps = [f"{day}{10 + i}0000" for i, day in enumerate(days)]
        if "absent" in query["url"]:
            stamps = []
        wanted = query.get("at") or (stamps[-1] if stamps else "")
        nearest = min(stamps, key=lambda stamp: abs(int(stamp) - int(wanted)), default=None)
        at = stamps.index(nearest) if stamps else 0
        rows = [{"captured": stamp, "status": 200, "type": "text/html", "bytes": 5120, "archive": 0,
                 "url": query["url"], "revisit": i == 3} for i, stamp in enumerate(stamps)]
        return {"url": query["url"], "captures": rows, "total": len(rows), "nearest": nearest,
                "seconds_off": 0, "previous": stamps[at - 1] if at > 0 else None,
                "next": stamps[at + 1] if at + 1 < len(stamps) else None}

    def pages(self, query):
        if query.get("contains") == "absent":
            return {"pages": [], "next": None}
        start = int(query.get("after", 0))
        rows = [{"url": self.url(f"page/{i}"), "title": self.text(f"Page {i}"),
                 "status": 404 if i % 9 == 8 else 200, "type": "text/html", "bytes": 512 * (i + 1),
                 "depth": i % 5, "captured": "20260131120000", "captures": 1 + i % 3, "archive": 0,
                 "error": None} for i in range(start, min(130, start + int(query["limit"])))]
        rows.append({"url": self.url("slow"), "title": None, "status": None, "type": None,
                     "bytes": None, "depth": 2, "captured": None, "captures": 0, "archive": 0,
                     "error": "timed_out"})
        return {"pages": rows, "next": None if start else "100"}

    def report(self, _):
        row = {"url": self.url("gone"), "title": self.text("Gone"), "status": 404, "error": None,
               "mime": "text/html", "bytes": 512, "ms": 120.5, "depth": 3, "links": 4,
               "found_on": [self.url("")], "copies": 3, "examples": [self.url("copy")]}
        return {
            "schema": 1, "version": "0.1.0", "roots": [f"https://{SITE}/"],
            "started": "2026-01-31T11:55:00Z", "ms": 300000, "end": "finished",
            "totals": {"pages": 5100, "answered": 5050, "redirects": 120, "failed": 35,
                       "retries": 4, "duplicates": 12, "bytes": 81234567, "wire_bytes": 41234567,
                       "links_found": 91234, "links_new": 5100, "by_error": {"timed_out": 15},
                       "by_status": {"200": 4900, "301": 120, "404": 60, "500": 5},
                       "by_type": {self.text("text/html"): 3000, "image/png": 1900,
                                   "text/css": 150}},
            "times_ms": {"count": 5050, "mean": 80, "p50": 62, "p90": 140, "p99": 900, "max": 3100,
                         "buckets": [{"from": 0, "to": 50, "count": 1800},
                                     {"from": 50, "to": 100, "count": 2500},
                                     {"from": 100, "to": 1000, "count": 700}]},
            "over_time": {"step_ms": 10000, "pages": [20, 160, 190, 200, 180, 210, 190, 90],
                          "broken": [0, 2, 1, 0, 5, 3, 0, 1]},
            "depths": [1, 24, 310, 1800, 2400, 565],
            "hosts": {"total": 1, "rows": [{"host": self.text(SITE), "pages": 5100, "broken": 35,
                                            "bytes": 81234567, "mean_ms": 80}]},
            "errors": [{"cause": "timed_out", "count": 15, "example": self.url("slow"),
                        "detail": None}],
            "broken": {"total": 60, "rows": [row] * 12},
            "redirect_chains": {"total": 1, "rows": [
                {"urls": [self.url("a"), self.url("b")], "urls_left_out": 0, "circle": False,
                 "status": 200, "links": 1, "found_on": [self.url("")]}]},
            "duplicates": {"total": 1, "rows": [row]}, "similar": {"total": 0, "rows": []},
            "slowest": [row], "largest": [row], "deepest": [row],
            "orphans": {"total": 0, "rows": []},
            "skipped": [{"skip_reason": "robots", "count": 12, "examples": [
                {"url": self.url("private"), "via": None, "detail": "Disallow: /private"}]}],
            "audit": None, "languages": [{"language": self.text("en"), "pages": 2900}],
        }

    def sitemap(self, query):
        path = query.get("path", "")
        children = []
        names = ["collection", "images", "events", "shop", "about", "blog", "press", "api"]
        for i, name in enumerate(names if path else [SITE, "shop." + SITE]):
            child = f"{path}{name}/"
            children.append({
                "path": child, "name": self.text(name), "pages": 900 // (i + 1),
                "bytes": 30_000_000 // (i + 1) ** 2, "errors": [9, 0, 3, 40, 0, 0, 1, 0][i],
                "depth": i + 1, "captured": "20260131120000", "left_out": 0, "children": [
                    {"path": f"{child}{k}", "name": f"{k}.html", "pages": 1, "bytes": 90_000 // k,
                     "errors": k % 2, "depth": 2, "children": [], "left_out": 0}
                    for k in range(1, 7)]})
        return {"path": path, "name": path.rstrip("/").rpartition("/")[2], "pages": 5100,
                "bytes": 81234567, "errors": 60, "depth": 6, "captured": "20260131120000",
                "children": children, "left_out": 14 if path else 0}

    def missing(self, query):
        return {"url": query["url"], "captured": "20260131120000", "parts": 14, "missing": [
            {"url": self.url("x.png"), "kind": self.text("image"), "from": query["url"]}]}

    def view(self, query):
        return self.views.get(query.get("id"), (404, {"error": "unknown view"}))

    def live(self, _):
        crawls = [] if self.options.no_crawl else [
            {"crawl": 0, "name": self.text("/tmp/crawl"), "kind": "control", "archive": 0,
             "state": self.state},
            {"crawl": 1, "name": self.text("redis://r.example/m"), "kind": "cluster",
             "archive": None, "state": self.state}]
        return {"new": not self.options.no_crawl, "crawls": crawls}

    def live_form(self, _):
        def setting(name, kind, **others):
            return {"name": name, "help": self.text(f"the {name}"), "group": self.text("Limits"),
                    "kind": kind, "placeholder": "N", "default": "", "choices": [], "many": False,
                    "suggested": False, "suggestion": "", **others}

        return [setting("depth", "count", suggested=True), setting("assets", "flag"),
                setting("scope", "choice", choices=[self.text("host"), "site"], default="host"),
                setting("exclude", "text", many=True)]

    def live_state(self):
        t = time.monotonic() - self.started + 60
        history = [{"t": k, "done": 17 * k, "found": int(2400 * (1 - 0.98 ** k)) + 17 * k,
                    "bytes": 8000 * k, "errors": k // 9} for k in range(0, int(t))]
        stack = ["#0 http/client.cc:183 in Task<Result<Response>> Client::send(RequestSource &)",
                 "#1 engine/engine.cc:233 in Task<void> Engine::work()"]
        fetches = [{"url": self.url(f"in/flight/{i}"), "host": SITE, "age": 12.3 / (i + 1),
                    "stage": ["waiting", "reading", "connecting"][i % 3], "bytes": 14200 * (i % 3),
                    "tries": 1 + i // 4, "loop": 0, "stack": [self.text(line) for line in stack]}
                   for i in range(6)]
        status = {"ok": True, "state": self.state, "version": "0.1.0", "pid": 4711, "elapsed": t,
                  "pages": history[-1]["done"], "pages_in_all": None, "wire_bytes": 14200000,
                  "in_flight": 6, "waiting": 2311, "hosts": 12, "concurrency": 64, "threads": 1,
                  "gap": None, "delay": None,
                  "errors": {"timed_out": int(t) // 9, self.text("dns_failed"): 2},
                  "pauses": [{"host": self.text("slow.example"), "reason": "silent", "left": 21.5}],
                  "failures": [{"url": self.url("gone"), "error": self.text("404"),
                                "detail": self.text("no"), "via": self.url(""), "age": 2.5}]}
        return {"crawl": 0, "status": status, "fetches": {"total": 6, "fetches": fetches},
                "history": history, "changes": self.changes,
                "reason": self.text("2,311 URLs wait; slow.example does not answer.")}

    def cluster_state(self):
        reports = [{"pages": 120, "bytes": 814000, "errors": 2, "queued": 70, "in_flight": 4,
                    "hosts": 3, "pages_per_second": 12.5}, None]
        nodes = [{"name": self.text(f"node{i}"), "unseen_ms": 300 + i, "report": report}
                 for i, report in enumerate(reports)]
        cluster = {"crawl": "m", "state": self.state, "control": "run", "end": "",
                   "pages_left": 900, "replicas": 0, "orders": 0, "found": 2400, "ended": 1200,
                   "open": 1200, "hosts": 30, "hosts_due": 12, "leased": 3, "frozen": [],
                   "is_frozen": False, "lost": [], "misplaced": [], "nodes": nodes}
        history = [{"t": k, "done": 10 * k, "found": 20 * k, "bytes": 0, "errors": 0}
                   for k in range(120)]
        return {"crawl": 1, "state": self.state, "cluster": cluster, "problem": self.text("slow"),
                "history": history, "changes": self.changes,
                "reason": self.text("1,200 URLs are open on 12 hosts.")}

    def act(self, request):
        self.state = {"pause": "paused", "resume": "running", "stop": "stopping"}.get(
            request["do"], self.state)
        if request["do"] == "block" and request["host"] == "bad host":
            return 409, {"error": "'bad host' is not a host"}
        done = " ".join(str(value) for name, value in request.items() if name != "crawl")
        self.changes.append({"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                             "do": done, "ok": True, "answer": done})
        return {"ok": True, "done": done}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world = None
    is_replay = False

    def log_message(self, *_):
        pass

    def reply(self, status, kind, body, policy):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def reply_json(self, answer):
        status, value = answer if isinstance(answer, tuple) else (200, answer)
        body = json.dumps(value).replace("<", "\\u003c").encode()
        self.reply(status, "application/json; charset=utf-8", body, self.policy())

    def policy(self):
        origin = self.world.replay.partition("/r/")[0]
        return ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                f"img-src 'self'; frame-src {origin}; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'")

    def do_GET(self):
        if self.is_replay:
            return self.do_replay()
        path, _, query = self.path.partition("?")
        if not path.startswith("/api/v1/"):
            return self.do_static(path)
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.reply_json((401, {"error": "the token is wrong"}))
        name = path.removeprefix("/api/v1/")
        if name == "live/events":
            return self.do_events("crawl=1" in query)
        parameters = dict(urllib.parse.parse_qsl(query))
        return self.reply_json(getattr(self.world, name.replace("/", "_"))(parameters))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.reply_json(self.world.act(json.loads(body)))

    def do_static(self, path):
        file = pathlib.Path(self.world.options.pages, path.strip("/") or "index.html")
        if not file.is_file():
            return self.reply(404, "text/plain", b"not found", self.policy())
        kind = mimetypes.guess_type(file.name)[0]
        return self.reply(200, f"{kind}; charset=utf-8", file.read_bytes(), self.policy())

    def do_events(self, is_cluster):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for number in range(2 if self.world.options.short_streams else 1000):
            world = self.world
            data = json.dumps(world.cluster_state() if is_cluster else world.live_state())
            try:
                self.wfile.write(f"id: {number}\nevent: state\ndata: {data}\n\n".encode())
            except OSError:
                return
            time.sleep(0.5)

    def do_replay(self):
        _, _, token, stamp, url = self.path.split("/", 4)
        view = token.partition(".")[2]
        is_archived = "absent" not in url
        stamp = "20260131160000" if stamp == "latest" else stamp.removesuffix("id_")
        self.world.views[view] = {
            "url": url, "captured": stamp if is_archived else None, "status": 200,
            "archived": is_archived, "requested": "20260131000000", "seconds_off": 57600,
            "archive": 0, "misses": [self.world.url("x.png")], "first": stamp, "last": stamp}
        attack = self.world.text("")
        body = (f"<!doctype html><title>Page</title><body style='font:18px serif;margin:3rem'>"
                f"<h1>The Stone Age</h1><p>Tools from {stamp}.</p><a id=next "
                f"href='{self.world.replay}.{view}/{stamp}/https://{SITE}/other'>Next</a> <a "
                f"href='{self.world.replay}.{view}/{stamp}/https://{SITE}/absent'>Gone</a>"
                f"{attack}<script>top.location='about:blank'</script>").encode()
        self.reply(200 if is_archived else 404, "text/html; charset=utf-8", body,
                   "sandbox; default-src 'none'; style-src 'unsafe-inline'; script-src 'none'; "
                   f"frame-ancestors {self.world.dashboard}")


def serve(world, is_replay):
    handler = type("H", (Handler,), {"world": world, "is_replay": is_replay})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages")
    parser.add_argument("--hostile", default="")
    parser.add_argument("--no-index", action="store_true")
    parser.add_argument("--no-crawl", action="store_true")
    parser.add_argument("--short-streams", action="store_true", help="end a stream after 2 states")
    world = World(parser.parse_args())
    world.dashboard = serve(world, False)
    world.replay = f"{serve(world, True)}/r/{REPLAY_TOKEN}"
    print(f"{world.dashboard}/#token={TOKEN}", flush=True)
    threading.Event().wait()


main()

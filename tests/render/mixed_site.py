"""A site of pages that need a browser and pages that do not.

    mixed_site.py PORT PAGES

It has PAGES pages, at least 100, in chains: each page has a link to the next one of its section. Of
the sections, manual and product need nothing; app has nothing without its script; album has little
text, and its script adds nothing; search says that it requires JavaScript; overview shows enough,
but its script adds one more link.
"""

import http.server
import sys

PORT, PAGES = int(sys.argv[1]), int(sys.argv[2])
PHOTOS = 12
ALBUMS, SEARCHES, OVERVIEWS = max(1, PAGES // 250), max(2, PAGES // 62), max(1, PAGES // 125)
MANUALS, PRODUCTS = PAGES * 4 // 10, PAGES // 5
APPS = PAGES - 1 - MANUALS - PRODUCTS - ALBUMS * PHOTOS - SEARCHES * 2 - OVERVIEWS * 3

COUNTS = {"manual": MANUALS, "product": PRODUCTS, "app": APPS, "search": SEARCHES,
          "result": SEARCHES, "overview": OVERVIEWS, "part": OVERVIEWS, "more": OVERVIEWS}
COUNTS |= {f"album-{i}": PHOTOS for i in range(1, ALBUMS + 1)}

BUNDLE = """
const [section, number] = location.pathname.split('/').slice(1);
const add = (href) => document.body.insertAdjacentHTML('beforeend', `<a href=${href}>more</a>`);
if (section === 'app') {
  document.body.insertAdjacentHTML('beforeend', `<h1>Page ${number}</h1>` + '<p>text '.repeat(99));
  if (+number < APPS) add(`/app/${+number + 1}`);
}
if (section === 'search') add(`/result/${number}`);
if (section === 'overview') add(`/more/${number}`);
"""


def words(seed):
    return "<p>" + "".join(f"word{(seed * 7919 + i * 104729) % 5000} " for i in range(300)) + "</p>"


def page(section, number):
    following = number + 1 if number < COUNTS[section] else None
    following = f"<a href=/{section}/{following}>next</a>\n" if following else ""
    bundle = "<script src=/bundle.js></script>"
    if section == "manual":
        return words(number) + following + "<script>const visitors = 1</script>"
    if section == "product":
        return words(number) + following + bundle
    if section == "app":
        return "<div id=root></div>" + bundle
    if section == "search":
        return "<p>You need to enable JavaScript to see the results.</p>" + following + bundle
    if section == "overview":
        return words(number) + f"<a href=/part/{number}>part</a>" + bundle
    if section.startswith("album"):
        return "<img alt=photo>" + following + bundle
    return words(number)


def root():
    first = [name for name in COUNTS if name not in ("result", "overview", "part", "more")]
    links = [f"/{name}/1" for name in first]
    links += [f"/overview/{i}" for i in range(1, OVERVIEWS + 1)]
    return "<h1>A mixed site</h1>" + words(0) + "".join(f"<a href={link}>x</a>" for link in links)


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/":
            return self.answer(200, "text/html", root())
        if self.path == "/bundle.js":
            return self.answer(200, "text/javascript", BUNDLE.replace("APPS", str(APPS)))
        section, _, number = self.path[1:].partition("/")
        if not number.isdigit() or not 1 <= int(number) <= COUNTS.get(section, 0):
            return self.answer(404, "text/plain", "not here")
        return self.answer(200, "text/html", page(section, int(number)))

    def answer(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("0.0.0.0", PORT), Site).serve_forever()

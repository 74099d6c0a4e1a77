"""What a page says."""

import pickle

import pytest

import gossamer


@pytest.fixture(scope="module")
def page(small_site):
    return gossamer.get(small_site + "/a")


def test_the_facts(page, small_site):
    assert (page.url, page.status, page.type) == (small_site + "/a", 200, "text/html")
    assert page.title == "Caf\u00e9"
    assert page.charset == "windows-1252"  # what iso-8859-1 means on the web
    assert page.ok
    assert (page.error, page.error_detail, page.found_on, page.redirects_to) == (None,) * 4
    assert page.depth == 0
    assert repr(page) == f"<Page 200 {page.url}>"


def test_the_record(page):
    assert page.record["url"] == page.url
    assert page.record is page.record
    assert page.timings["total"] > 0


def test_extracted_fields(page, small_site):
    assert page.extracted == {}
    with_fields = gossamer.get(small_site + "/a", extract="top=h1; all[]=h1@class")
    assert with_fields.extracted == {"top": "Webs", "all": ["big one"]}


def test_the_headers(page):
    assert page.headers["content-TYPE"] == "text/html; charset=iso-8859-1"
    assert page.headers.get_all("x-two") == ["1", "2"]
    assert page.headers["missing"] is None
    assert page.head.startswith(b"HTTP/1.1 200")


def test_the_body_is_a_view_that_keeps_the_page(small_site):
    body = gossamer.get(small_site + "/data").body
    assert body.readonly
    assert bytes(body) == bytes(range(256))
    assert body[3] == 3


def test_content_and_text(page):
    assert b"Caf\xe9" in page.content
    assert "<title>Caf\u00e9</title>" in page.text
    assert page.content == bytes(page.body)


def test_the_main_text(page):
    assert "spiders, webs" in page.main_text
    assert "home" not in page.main_text
    assert page.markdown.startswith("# Webs\n")


def test_many_and_long_header_fields(small_site):
    headers = gossamer.get(small_site + "/fields").headers
    assert headers["x-299"] == "x" * 700
    assert len(headers["X-Long"]) == 70_000
    assert headers.get_all("X-Two") == ["1", "2"]


def test_links(small_site):
    page = gossamer.get(small_site + "/")
    assert page.links == [small_site + "/a", small_site + "/b#x"]
    assert gossamer.get(small_site + "/data").links == []


def test_what_the_page_says_about_its_links(small_site):
    first = gossamer.get(small_site + "/").links[0]
    assert (first, first.kind, first.rel) == (small_site + "/a", "page", "")
    assert pickle.loads(pickle.dumps(first)).kind == "page"
    page = gossamer.get(small_site + "/a")
    assert {link.kind for link in page.all_links} >= {"page"}
    assert [link.text for link in page.all_links if link == small_site + "/"] == ["home"]


def test_fields_of_the_record(page):
    assert page.bytes == len(page.content) == page.record["bytes"]
    assert page.mime == page.type
    assert page.via is None
    assert page.truncated is False
    assert page.timings == pytest.approx(page.record["timings"], abs=0.001)
    assert page.metadata == {}


def test_select(page):
    heading, = page.select("h1.big")
    assert (heading.name, heading.text, heading["id"]) == ("h1", "Webs", "top")
    assert heading.attributes == {"class": "big one", "id": "top"}
    assert heading.get("lang", "en") == "en"
    assert "class" in heading and "lang" not in heading
    with pytest.raises(TypeError):
        list(heading)
    assert page.select_one("nav a")["href"] == "/"
    assert page.select_one("video") is None
    with pytest.raises(ValueError):
        page.select("a[")
    with pytest.raises(TypeError):
        page.select(7)


def test_select_by_xpath(page):
    assert page.select_one("xpath://nav//a[@href]")["href"] == "/"
    for wrong in ("xpath://h1[", "xpath:count(//h1)", "xpath://h1/@class"):
        with pytest.raises(ValueError):
            page.select(wrong)


def test_elements_have_parents_and_elements(page):
    heading = page.select_one("h1")
    around = heading.parent
    assert heading in around.select("*")
    assert around.select_one("h1") == heading != around
    assert around.select_one(":scope > h1") == heading
    assert heading.select("h1") == []
    assert heading.select_one("video") is None
    assert hash(around.select_one("h1")) == hash(heading)
    top = heading
    while top.parent is not None:
        top = top.parent
    assert top.name == "html"


def test_elements_as_html_and_markdown(page):
    heading = page.select_one("h1")
    assert heading.html == '<h1 class="big one" id="top">Webs</h1>'
    assert heading.markdown == "# Webs\n"
    link = page.select_one("nav a")
    assert link.markdown == f"[{link.text}]({page.url[:-1]})\n"
    assert repr(heading) == "<Element h1 'Webs'>"


def test_elements_keep_their_page(small_site):
    heading = gossamer.get(small_site + "/a").select_one("h1")
    assert heading.parent.select_one("h1").text == "Webs"


def test_elements_cannot_be_made():
    with pytest.raises(TypeError, match="elements come from"):
        gossamer.Element()


def test_items_are_rows(page, small_site):
    assert page.items == []
    rows = gossamer.get(small_site + "/a", items="a", extract="text=:scope; to=:scope@href")
    assert rows.extracted == {}
    assert rows.items[0]["to"] == small_site + "/"
    assert len(rows.items) == len(rows.select("a"))


def test_without_bodies_the_message_says_what_to_do(small_site):
    page = next(gossamer.crawl(small_site, bodies=False))
    assert page.title == "Home"
    for use in ("body", "content", "text", "main_text", "markdown", "links"):
        with pytest.raises(ValueError, match="bodies=True"):
            getattr(page, use)
    with pytest.raises(ValueError, match="bodies=True"):
        page.select("a")
    with pytest.raises(ValueError, match="bodies=True"):
        memoryview(page)


def test_pages_cannot_be_made():
    with pytest.raises(TypeError, match="pages come from"):
        gossamer.Page()


def test_get_follows_redirects(small_site):
    page = gossamer.get(small_site + "/from")
    assert (page.url, page.title) == (small_site + "/b", "B")
    assert page.found_on == small_site + "/to"


def test_get_reports_failures_as_values(small_site, nobody):
    assert gossamer.get(small_site + "/missing").status == 404
    refused = gossamer.get(nobody)
    assert (refused.status, refused.error) == (0, "refused")
    assert not refused.ok
    slow = gossamer.get(small_site + "/slow", timeout="200ms")
    assert slow.error == "timed_out"


def test_a_crawl_has_redirects_as_pages(small_site):
    first, *_ = gossamer.crawl(small_site + "/from")
    assert (first.status, first.redirects_to) == (302, small_site + "/to")

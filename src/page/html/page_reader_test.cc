#include "html/page_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "base/random.h"
#include "html/link_list.h"

namespace gossamer::html {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void feed(PageReader& reader, std::string_view page, std::size_t piece_bytes) {
  while (!page.empty()) {
    const std::string piece(page.substr(0, piece_bytes));
    reader.feed(piece);
    page.remove_prefix(piece.size());
  }
  reader.finish();
}

// "kind tag.attribute url"
std::vector<std::string> links(std::string_view page, const LinkOptions& options = {}) {
  std::vector<std::string> lines;
  for (const std::size_t piece_bytes : {page.size() + 1, std::size_t{1}}) {
    LinkList list;
    PageReader reader({.link_options = options}, list);
    feed(reader, page, piece_bytes);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Link link = list[i].link;
      found.push_back(std::string(name(link.kind)) + " " + (link.is_foreign ? "svg " : "") +
                      std::string(name(link.tag)) + "." + std::string(name(link.attribute)) + " " +
                      std::string(link.url));
    }
    if (piece_bytes > 1) lines = found;
    EXPECT_EQ(found, lines) << "byte by byte";
  }
  return lines;
}

TEST(Links, HaveTheKindOfTheirElement) {
  EXPECT_THAT(
      links("<body background=bg><a href=1><area href=2><img src=3 srcset='4 1x, 5 2x'>"
            "<script src=6></script><iframe src=7></iframe><video src=8 poster=9></video>"
            "<form action=10><input type=IMAGE src=11><input src=no><object data=12></object>"
            "<blockquote cite=13><embed src=14><audio src=15></audio><track src=16>"
            "<source src=17 srcset=18>"),
      ElementsAre("image body.background bg", "page a.href 1", "page area.href 2",
                  "image img.src 3", "image img.srcset 4", "image img.srcset 5",
                  "script script.src 6", "frame iframe.src 7", "media video.src 8",
                  "image video.poster 9", "form form.action 10", "image input.src 11",
                  "media object.data 12", "other blockquote.cite 13", "media embed.src 14",
                  "media audio.src 15", "media track.src 16", "media source.src 17",
                  "image source.srcset 18"));
}

// https://html.spec.whatwg.org/#parsing-main-inbody: "change the token's tag name to img".
TEST(Links, AnImageElementIsAnImg) {
  EXPECT_THAT(links("<image src=1 srcset='2 1x'>"),
              ElementsAre("image img.src 1", "image img.srcset 2"));
}

TEST(Links, AreFoundWhereScriptsLoadThemLate) {
  EXPECT_THAT(
      links("<img src=0 data-src=1 data-srcset='2 1x, 3 2x' data-original=4 data-lazy-src=5>"
            "<picture><source data-srcset=6 data-lazy-srcset=7></picture>"
            "<iframe data-src=8></iframe><video data-src=9 data-poster=10></video>"
            "<div data-bg=11.png><p data-background='url(12)'><i "
            "data-background-image=\"url('13')\">"),
      ElementsAre("image img.src 0", "image img.data-src 1", "image img.data-lazy-src 5",
                  "image img.data-original 4", "image img.data-srcset 2", "image img.data-srcset 3",
                  "image source.data-srcset 6", "image source.data-lazy-srcset 7",
                  "frame iframe.data-src 8", "media video.data-src 9", "image video.data-poster 10",
                  "image div.data-bg 11.png", "asset p.data-background 12",
                  "asset i.data-background-image 13"));
  EXPECT_THAT(links("<img data-src='{{ url }}' data-source=1 data-srcx=2><div data-src=3 data-bg>"),
              IsEmpty());
  EXPECT_THAT(links("<p data-bg=dark><p data-background=true><p data-background-image=none>"
                    "<p data-bg='linear-gradient(red, rgba(0,0,0,.5))'>"),
              IsEmpty())
      << "not a URL";
}

TEST(Links, AreFoundInPagesInsideAttributes) {
  EXPECT_THAT(links("<iframe src=0 srcdoc=\"<a href='1'>x</a><img src=2><iframe srcdoc='<a "
                    "href=no>'></iframe>\"></iframe><a href=3>"),
              ElementsAre("frame iframe.src 0", "page iframe.srcdoc 1", "image iframe.srcdoc 2",
                          "page a.href 3"));
  EXPECT_THAT(links("<iframe srcdoc='<base href=/other/><a href=1>'></iframe>"), IsEmpty())
      << "its links are relative to another URL";
}

TEST(Links, DependOnRelForLinkElements) {
  EXPECT_THAT(links("<link rel=stylesheet href=1><link rel='alternate stylesheet' href=2>"
                    "<link rel=canonical href=3><link rel=NEXT href=4><link rel=prev href=5>"
                    "<link rel='shortcut icon' href=6><link rel=alternate hreflang=de href=7>"
                    "<link rel=preload imagesrcset='8, 9 2x' href=10><link rel=author href=11>"
                    "<link rel=manifest href=12><link href=13>"),
              ElementsAre("style link.href 1", "style link.href 2", "canonical link.href 3",
                          "next link.href 4", "prev link.href 5", "image link.href 6",
                          "alternate link.href 7", "preload link.href 10",
                          "image link.imagesrcset 8", "image link.imagesrcset 9",
                          "page link.href 11", "asset link.href 12", "page link.href 13"));
}

TEST(Links, AreFoundAfterCommentsOfAnyForm) {
  for (const std::string_view comment :
       {"<!---->", "<!-->", "<!--->", "<!--a-->", "<!-- > - -> <a href=no> -->", "<!--a--!>",
        "<!----!>", "<!--a--!--><!-- --!- -->", "<!--<!-->", "<!--<!--a-->", "<!--a--->", "<!a>"}) {
    const std::string page =
        "<p>before" + std::string(comment) + "<a href=1>after it</a> and some more text";
    EXPECT_THAT(links(page), ElementsAre("page a.href 1")) << comment;
  }
  EXPECT_THAT(links("<p>some text<!-- -> --!! - > <a href=no>and some more text</a>"), IsEmpty());
}

TEST(Links, AreNotFoundInTheTextOfScriptsAndTheLike) {
  for (const std::string_view element :
       {"<script><a href=no></script>", "<script></scripts><a href=no></SCRIPT>",
        "<script></script </script>", "<script>a</script a='>'>",
        "<script><!--<script></script><a href=no>--></script>",
        "<script>a < b</ script><a href=no>"
        "</script>",
        "<style></<a href=no></style>", "<title>&amp;<a href=no></title>",
        "<textarea><a href=no>\r</textarea>", "<iframe><a href=no></iframe>"}) {
    const std::string page = std::string(element) + "<a href=1>after it</a> and some more text";
    EXPECT_THAT(links(page), ElementsAre("page a.href 1")) << element;
  }
  EXPECT_THAT(links("<script>a < b <a href=no>and some more text</a>"), IsEmpty());
}

TEST(Links, AreFoundInMetaRefreshAndOpenGraph) {
  EXPECT_THAT(links("<meta http-equiv=Refresh content='5; url=next'>"
                    "<meta http-equiv=refresh content=5><meta property=og:image content=i.png>"
                    "<meta name=description content=http://no>"),
              ElementsAre("refresh meta.content next", "image meta.content i.png"));
}

TEST(Links, AreFoundInStyleSheetsOfThePage) {
  EXPECT_THAT(
      links("<style>@import 'a'; b{c:url(d)}</style><p style='x:url(&quot;e&quot;)'>"
            "<p style='color:red'><b STYLE=y:url(f)>"),
      ElementsAre("style style. a", "asset style. d", "asset p.style e", "asset b.style f"));
  EXPECT_THAT(links("<style>@import 'a'</style><p style=x:url(b)>", {.css = false}), IsEmpty());
}

TEST(Links, AreFoundInTheDataOfPages) {
  const std::string data = R"({"url":"/a","image":"/b"})";
  const auto found = ElementsAre("data script. /a");
  EXPECT_THAT(links("<script type=application/json>" + data + "</script>"), found);
  EXPECT_THAT(links("<script id=__NEXT_DATA__ type='Application/JSON'>" + data + "</script>"),
              found);
  EXPECT_THAT(links("<script>window.__NUXT__ = " + data + "</script>"), found);
  EXPECT_THAT(links(R"(<script>self.__next_f.push([1,"{\"url\":\"/a\"}"])</script>)"), found);
  const std::string space(100, ' ');
  for (const std::string& other :
       {"<script>var x = " + data + "</script>", "<script type=importmap>" + data + "</script>",
        "<script type=application/ld+json>" + data + "</script>",
        "<template><script type=application/json>" + data + "</script></template>",
        "<script>var a;" + space + "window.__NUXT__ = " + data + "</script>"}) {
    EXPECT_THAT(links(other), IsEmpty()) << other;
  }
  EXPECT_THAT(links("<script type=application/json src=/x>" + data + "</script>"),
              ElementsAre("script script.src /x"));
  EXPECT_THAT(links("<script type=application/json>" + data + "</script>", {.data = false}),
              IsEmpty());
}

TEST(Links, AreFoundInShadowRoots) {
  EXPECT_THAT(links("<x-a><template shadowrootmode=open><a href=/a>a</a></template></x-a>"
                    "<x-b><template shadowrootmode=Closed><a href=/b>b</a></template></x-b>"),
              ElementsAre("page a.href /a", "page a.href /b"));
  EXPECT_THAT(links("<template><a href=/a></a><template shadowrootmode=open><a href=/b></a>"
                    "</template><a href=/c></a></template><a href=/d></a>"),
              ElementsAre("page a.href /d"));
  EXPECT_THAT(links("<x-a><template shadowrootmode=open><template><a href=/a></a></template>"
                    "<a href=/b></a></template></x-a><template shadowrootmode=x><a href=/c></a>"),
              ElementsAre("page a.href /b"));
}

TEST(Links, AreFoundInScriptsOnlyIfEnabled) {
  const std::string_view page = "<script>var a = 'https://a.example/b', c = \"x y\";</script>";
  EXPECT_THAT(links(page), IsEmpty());
  EXPECT_THAT(links(page, {.scripts = true}), ElementsAre("other script. https://a.example/b"));
}

TEST(Links, AreNotFoundInCommentsScriptsAndTextareas) {
  EXPECT_THAT(links("<!-- <a href=1> --><script>'<a href=2>'</script><textarea><a href=3>"
                    "</textarea><title><a href=4></title><xmp><a href=5></xmp>"
                    "<noframes><a href=6></noframes><noscript><a href=7></noscript>"
                    "<plaintext><a href=8>"),
              ElementsAre("page a.href 7"));
}

TEST(Links, AreNotFoundInTemplates) {
  EXPECT_THAT(links("<template><a href=1><template></template><a href=2></template><a href=3>"),
              ElementsAre("page a.href 3"));
}

TEST(Links, AreMarkedInSvg) {
  EXPECT_THAT(links("<svg><a xlink:href=1><title><a href=2></a></title></svg><a href=3>"),
              ElementsAre("page svg a.xlink:href 1", "page a.href 2", "page a.href 3"));
}

TEST(Links, AScriptInSvgIsReadAsMarkup) {
  EXPECT_THAT(links("<svg><script><a href=1></script></svg><script><a href=2></script>"),
              ElementsAre("page svg a.href 1"));
}

TEST(Links, AnHtmlElementEndsSvg) {
  EXPECT_THAT(links("<svg><g><p><a href=1></p><svg/><a href=2>"),
              ElementsAre("page a.href 1", "page a.href 2"));
}

TEST(Links, CdataIsTextInSvgAndACommentInHtml) {
  EXPECT_THAT(links("<svg><![CDATA[<a href=1>]]></svg><![CDATA[<a href=2>]]><a href=3>"),
              ElementsAre("page a.href 3"));
}

TEST(Links, AnEndTagFromOutsideEndsSvg) {
  EXPECT_THAT(links("<div><svg><path></div><a href=1>"), ElementsAre("page a.href 1"));
}

// Tags without a link are skipped by their names alone; text that only looks like a tag must not
// hide or reveal a link.
TEST(Links, AreFoundBesideTagsThatAreReadOver) {
  const std::string enough(64, '.');  // the end of a page is read byte by byte
  const auto found = [&](const std::string& page) {
    return links(page + enough, {.anchor_text = false});
  };
  EXPECT_THAT(found("<p></p><br><b class=\"c\">x</b><a href=1>y</a></>< ><>"),
              ElementsAre("page a.href 1"));
  EXPECT_THAT(found("<b class=\"<a href=1>\"></b title=\"<a href=2>\"><a href=3>"),
              ElementsAre("page a.href 3"));
  EXPECT_THAT(found("<_ class=\"<a href=1>\"><\xC3\xA9 class=\"<a href=2>\">"),
              ElementsAre("page a.href 1", "page a.href 2"));
  EXPECT_THAT(found("<<a href=1><b<a href=2><?b><!b></!b></3><a href=3>"),
              ElementsAre("page a.href 1", "page a.href 3"));
  EXPECT_THAT(found("</script><style></style><script><a href=1></script><TITLE><a href=2></TITLE>"),
              IsEmpty());
  EXPECT_THAT(found("<template><a href=1></template></template><a href=2>"),
              ElementsAre("page a.href 2"));
}

// Links and facts, as one text.
std::string all_of(std::string_view page, std::size_t piece_bytes, bool anchor_text) {
  LinkList list;
  PageReader reader({.facts = true, .link_options = {.anchor_text = anchor_text}}, list);
  feed(reader, page, piece_bytes);
  std::string all = reader.facts().title;
  for (const std::string& heading : reader.facts().headings) all.append("|h1 ").append(heading);
  for (std::size_t i = 0; i < list.size(); ++i) {
    all.append("|").append(list[i].link.url).append(" ").append(list[i].text);
  }
  return all;
}

// As a whole, tags are judged many at a time; byte by byte, the state machine reads them all.
TEST(Links, AreTheSameHoweverAnySoupIsDivided) {
  // clang-format off
  const std::string_view parts[] = {
      "<p>", "</p>", "<div class=\"x\">", "<div class=\"", "<a href=\"1\">", "<a href='2'>",
      "<a class=\"c\" href=3>", "</a>", "\"", "'", ">", "<", "<td colspan=\"2\">",
      "<span title=\"<a href=4>\">", "</p class=\"<a href=5>\">", "</ <a href=6>", "<!--", "-->",
      "<h1>", "</h1>", "<title>", "</title>", "<svg>", "</svg>", "<template>", "</template>",
      "<style>", "</style>", " = ", "/", " text & text ", "<SPAN CLASS=\"Y\">", "<x-y>", "<b\n>",
      "<p class=\"a\"b>", "<p class=\"a\" >", "<p class=\"<b>\">", "<i class=\"1\"><a href=\"7\">",
      "<longernamethanthat class=\"x\">", "                                                   "};
  // clang-format on
  base::Random random(1);
  for (int round = 0; round < 1500; ++round) {
    std::string page;
    const std::uint64_t count = random.below(round % 10 == 0 ? 900 : 30);
    for (std::uint64_t i = 0; i < count; ++i) page.append(parts[random.below(std::size(parts))]);
    const bool anchor_text = round % 3 == 0;
    const std::string whole = all_of(page, page.size() + 1, anchor_text);
    ASSERT_EQ(all_of(page, 1, anchor_text), whole) << page;
    ASSERT_EQ(all_of(page, 1 + random.below(700), anchor_text), whole) << page;
  }
}

TEST(Links, HaveTheTextOfTheirAnchor) {
  LinkList list;
  PageReader reader({}, list);
  reader.feed("<a href=1> two\n <b>words</b>&amp;<img alt=x></a>no<a href=2>x<a href=3>y");
  reader.finish();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].text, "two words&");
  EXPECT_EQ(list[1].text, "x");
  EXPECT_EQ(list[2].text, "y");
}

TEST(Links, TheTextOfAnAnchorIsCutBetweenCharactersHoweverThePageIsCut) {
  const std::string_view page = "<a href=1>ab\xC3\xA9\xC3\xA9xyz</a>";
  for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{5}, page.size()}) {
    LinkList list;
    PageReader reader({.link_options = {.anchor_text_bytes_max = 5}}, list);
    feed(reader, page, piece_bytes);
    EXPECT_EQ(list[0].text, "ab\xC3\xA9") << piece_bytes;
  }
}

TEST(Links, HaveTheirRel) {
  LinkList list;
  PageReader reader({}, list);
  reader.feed("<a href=1 rel='NoFollow  ugc'>");
  reader.finish();
  EXPECT_TRUE(list[0].link.rel.has(Rel::nofollow));
  EXPECT_TRUE(list[0].link.rel.has(Rel::ugc));
  EXPECT_FALSE(list[0].link.rel.has(Rel::sponsored));
  EXPECT_EQ(list[0].link.rel_text, "NoFollow  ugc");
}

TEST(Links, AreResolvedAgainstTheFirstBaseOfTheDocument) {
  LinkList list;
  PageReader reader({}, list);
  reader.feed("<a href=x><base href=/dir/><base href=/other/>");
  reader.finish();
  const auto document = url::Url::parse("http://a.example/b");
  EXPECT_EQ(document_base(*document, list.base()).href(), "http://a.example/dir/");
  EXPECT_EQ(document_base(*document, "javascript:1").href(), "http://a.example/b");
  EXPECT_EQ(document_base(*document, std::nullopt).href(), "http://a.example/b");
}

TEST(Links, LongerThanTheLimitAreLeftOut) {
  EXPECT_THAT(links("<a href=12345><a href=1234>", {.url_bytes_max = 4}),
              ElementsAre("page a.href 1234"));
}

class TextCollector final : public PageConsumer {
 public:
  void text(std::string_view piece) override { all += piece; }
  std::string all;
};

std::string text(std::string_view page) {
  std::string whole;
  for (const std::size_t piece_bytes : {page.size() + 1, std::size_t{1}}) {
    TextCollector collector;
    PageReader reader({.links = false, .text = true}, collector);
    feed(reader, page, piece_bytes);
    if (piece_bytes > 1) whole = collector.all;
    EXPECT_EQ(collector.all, whole) << "byte by byte";
  }
  return whole;
}

TEST(Text, HasALinePerBlockAndATabBetweenCells) {
  EXPECT_EQ(text("<h1>A</h1><p>b  <i>c</i>\n d</p><ul><li>e<li>f</ul>g<br>h"
                 "<table><tr><td>i<td>j<tr><th>k</table>"),
            "A\nb c d\ne\nf\ng\nh\ni\tj\nk");
}

TEST(Text, LeavesOutWhatNobodySees) {
  EXPECT_EQ(text("<title>t</title><style>s</style>a<script>b</script><!--c--><template>d</template>"
                 "<svg><title>e</title><text>f</text><style>g</style></svg><iframe>h</iframe>"),
            "af");
}

TEST(Text, KeepsThePreformatted) {
  EXPECT_EQ(text("a<pre>\n  b\n c  d\n</pre>e"), "a\n  b\n c  d\n\ne");
}

TEST(Text, ReplacesReferences) { EXPECT_EQ(text("a &lt;b&gt; &amp; c"), "a <b> & c"); }

PageFacts facts(std::string_view page) {
  PageConsumer nobody;
  PageReader reader({.links = false, .facts = true}, nobody);
  feed(reader, page, 7);
  return reader.facts();
}

TEST(Facts, AreGatheredFromHeadAndBody) {
  const PageFacts found = facts(
      "<html lang=en><title> A  &amp; b </title><title>no</title>"
      "<meta name=Description content=' d '><link rel=canonical href=/c><link rel=canonical "
      "href=/n>"
      "<meta name=robots content=noindex><meta name=googlebot content=none>"
      "<link rel=alternate hreflang=de href=/de><meta property=og:title content=T>"
      "<meta name=twitter:card content=s><script type=application/ld+json>{\"a\":1}</script>"
      "<h1>One <b>two</b></h1>");
  EXPECT_EQ(found.title, "A & b");
  EXPECT_EQ(found.description, "d");
  EXPECT_EQ(found.canonical, "/c");
  EXPECT_EQ(found.language, "en");
  ASSERT_EQ(found.robots.size(), 2U);
  EXPECT_EQ(found.robots[0].agent, "robots");
  EXPECT_EQ(found.robots[1].agent, "googlebot");
  EXPECT_EQ(found.robots[1].content, "none");
  ASSERT_EQ(found.translations.size(), 1U);
  EXPECT_EQ(found.translations[0].language, "de");
  ASSERT_EQ(found.properties.size(), 2U);
  EXPECT_EQ(found.properties[1].name, "twitter:card");
  EXPECT_THAT(found.json_ld, ElementsAre("{\"a\":1}"));
  EXPECT_THAT(found.headings, ElementsAre("One two"));
}

TEST(Facts, DoNotComeFromSvgAndTemplates) {
  const PageFacts found =
      facts("<svg><title>s</title></svg><template><title>t</title><h1>u</h1></template>");
  EXPECT_FALSE(found.has_title);
  EXPECT_THAT(found.headings, IsEmpty());
}

// https://html.spec.whatwg.org/#parsing-main-inforeign: an end tag without a start tag is ignored.
TEST(Links, AreFoundInForeignContentAfterAStrayEndTag) {
  EXPECT_THAT(links("<svg></span><a xlink:href=1></a><image href=2></image><use xlink:href=3></svg>"
                    "<a xlink:href=no href=4>"),
              ElementsAre("page svg a.xlink:href 1", "image svg image.href 2",
                          "image svg .xlink:href 3", "page a.href 4"));
  EXPECT_THAT(links("<math></b><mrow><mi xlink:href=1></math>"),
              ElementsAre("image svg mi.xlink:href 1"));
  EXPECT_THAT(links("<svg></button></a><g><script src=no href=1></script></g></svg>"),
              ElementsAre("script svg script.href 1"));
}

// The end tag of the surrounding element ends an <svg> without an end tag.
TEST(Links, AreFoundAfterAnUnclosedSvg) {
  EXPECT_THAT(links("<section><svg><path></section><script src=1>'<a href=no>'</script>"
                    "<iframe src=2></iframe><a href=3>"),
              ElementsAre("script script.src 1", "frame iframe.src 2", "page a.href 3"));
  EXPECT_THAT(links("<a href=1><svg></a><a href=2></a><link href=3>"),
              ElementsAre("page a.href 1", "page a.href 2", "page link.href 3"));
}

// https://html.spec.whatwg.org/#parsing-main-inframeset
TEST(Links, AreTheFramesOfAFrameset) {
  EXPECT_THAT(
      links("<html><head><title>t</title></head><frameset><iframe><frame src=1><base href=no>"
            "<a href=no><script><frame src=2></script><frameset><frame src=3></frameset>"
            "<noframes><a href=no></noframes><frame src=4></frameset><frame src=no>"),
      ElementsAre("frame frame.src 1", "frame frame.src 2", "frame frame.src 3",
                  "frame frame.src 4"));
  EXPECT_THAT(links("<body><p>text<frameset><a href=1><iframe src=2></iframe><frame src=3>"),
              ElementsAre("page a.href 1", "frame iframe.src 2", "frame frame.src 3"));
  EXPECT_THAT(links("<a href=1>text</a><frameset><a href=2>"),
              ElementsAre("page a.href 1", "page a.href 2"));
  EXPECT_THAT(links("<p>x<frameset><a href=/y>"), ElementsAre("page a.href /y"));
  EXPECT_THAT(links("<title>t</title>\n<p>\n<frameset><a href=no>"), ElementsAre());
}

TEST(Base, InsideAFramesetDoesNotCount) {
  LinkList list;
  PageReader reader({}, list);
  feed(reader, "<frameset><base href=http://a.example/><frame src=f>", 100);
  EXPECT_EQ(list.base(), std::nullopt);
}

}  // namespace
}  // namespace gossamer::html

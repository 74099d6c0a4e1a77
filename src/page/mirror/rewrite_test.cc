#include "mirror/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mirror/relinker.h"

namespace gossamer::mirror {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

url::Url parsed(std::string_view text) { return *url::Url::parse(text); }

class RewriteTest : public testing::Test {
 protected:
  RewriteTest() {
    pages_.add_copy(parsed("https://a.example/"), "a.example/index.html");
    pages_.add_copy(parsed("https://a.example/b/c"), "a.example/b/c.html");
    pages_.add_copy(parsed("https://a.example/pic.png"), "a.example/pic.png");
    pages_.add_copy(parsed("https://a.example/100%25"), "a.example/100%25.html");
    pages_.add_copy(parsed("https://o.example/s.css"), "o.example/s.css");
    pages_.add_redirect(parsed("https://a.example/old"), parsed("https://a.example/older"));
    pages_.add_redirect(parsed("https://a.example/older"), parsed("https://a.example/b/c"));
    pages_.add_redirect(parsed("https://a.example/round"), parsed("https://a.example/round"));
  }

  std::string html(std::string_view text, std::string_view encoding = "utf-8") {
    return rewrite_html(text,
                        {.url = document_,
                         .name = "a.example/b/c.html",
                         .encoding = html::encoding_from_label(encoding)},
                        pages_);
  }
  std::string css(std::string_view text) {
    return rewrite_css(text, {.url = document_, .name = "a.example/b/c.html"}, pages_);
  }

  Pages pages_;
  url::Url document_ = parsed("https://a.example/b/c");
};

TEST(RelativeLink, LeadsFromOneFileToAnother) {
  EXPECT_EQ(relative_link("h/a/b.html", "h/a/c.html"), "c.html");
  EXPECT_EQ(relative_link("h/a/b.html", "h/x.html"), "../x.html");
  EXPECT_EQ(relative_link("h/a/b.html", "o/x.html"), "../../o/x.html");
  EXPECT_EQ(relative_link("h/b.html", "h/b.html"), "b.html");
  EXPECT_EQ(relative_link("h/b.html", "h/b%2Fc.html"), "b%252Fc.html");
  EXPECT_EQ(relative_link("h/ab/x.html", "h/abc/x.html"), "../abc/x.html");
}

TEST_F(RewriteTest, LinksLeadToCopiesOrToTheWeb) {
  EXPECT_EQ(html("<a href=\"/\">x</a>"), "<a href=\"../index.html\">x</a>");
  EXPECT_EQ(html("<a href=/#top class=x>"), "<a href=\"../index.html#top\" class=x>");
  EXPECT_EQ(html("<a href='other?a=1&amp;b=2'>"),
            "<a href=\"https://a.example/b/other?a=1&amp;b=2\">");
  EXPECT_EQ(html("<A HREF = '//o.example/s.css'>"), "<A href=\"../../o.example/s.css\">");
  EXPECT_EQ(html("<a href=/100%25>"), "<a href=\"../100%2525.html\">");
  EXPECT_EQ(html("<img src=/pic.png alt='>'>"), "<img src=\"../pic.png\" alt='>'>");
}

TEST_F(RewriteTest, ManifestsLeadToCopiesOrToTheWeb) {
  const Document document = {.url = document_, .name = "a.example/b/c.json"};
  EXPECT_EQ(
      rewrite_manifest(R"({"name": "/pic.png", "start_url": "/", "icons": )"
                       R"([{"src": "\/pic.png"}, {"src": "no.png", "type": "image/png"}]})",
                       document, pages_),
      R"({"name": "/pic.png", "start_url": "../index.html", "icons": )"
      R"([{"src": "../pic.png"}, {"src": "https://a.example/b/no.png", "type": "image/png"}]})");
  constexpr std::string_view kData = R"({"start_url": "/", "src": "/pic.png"} )";
  EXPECT_EQ(rewrite_manifest(kData, document, pages_), kData);
}

TEST_F(RewriteTest, RedirectsAreFollowed) {
  EXPECT_EQ(html("<a href=/old#x>"), "<a href=\"c.html#x\">");
  EXPECT_EQ(html("<a href=/round>"), "<a href=\"https://a.example/round\">");
}

// Text begins the body, so a later frameset is nothing and scripts stay text.
TEST_F(RewriteTest, ScriptsBehindAnIgnoredFramesetStayAsTheyAre) {
  const std::string_view script = "<script>'<a href=/b/c>'</script>";
  const std::string page = "x<frameset>" + std::string(script) + "<a href=/b/c>y</a>";
  const std::string copy = html(page);
  EXPECT_THAT(copy, HasSubstr(script));
  EXPECT_THAT(copy, Not(HasSubstr("href=/b/c>y")));
}

TEST_F(RewriteTest, KeepsUrlsThatAreNotOfTheWeb) {
  for (const std::string text :
       {"<a href=#top>", "<a href=''>", "<a href=mailto:x@y>", "<a href='javascript:x()'>",
        "<img src='data:image/png;base64,AAAA'>", "<a href='https://[bad'>", "<p title=/>",
        "<!-- <a href=/> -->", "<script>'<a href=/>'</script>", "<textarea><a href=/></textarea>",
        "<template><a href=/></template>", "<a href=/", "a < b <a", "<a href='/>",
        "<!doctype x>"}) {
    EXPECT_EQ(html(text), text);
  }
}

TEST_F(RewriteTest, SetsOfImagesAndRefreshesAreReadAsWhatTheyAre) {
  EXPECT_EQ(html("<img srcset='/pic.png 1x, /none.png 2x'>"),
            "<img srcset=\"../pic.png 1x, https://a.example/none.png 2x\">");
  EXPECT_EQ(html("<meta http-equiv=refresh content='5; url=/old'>"),
            "<meta http-equiv=refresh content=\"5; url=c.html\">");
}

TEST_F(RewriteTest, ImagesThatScriptsLoadLateAreCopiesToo) {
  EXPECT_EQ(html("<img data-src=/pic.png data-srcset='/pic.png 2x'>"),
            "<img data-src=\"../pic.png\" data-srcset=\"../pic.png 2x\">");
  EXPECT_EQ(html("<p data-bg=/pic.png><p data-bg='url(/pic.png)'>"),
            "<p data-bg=\"../pic.png\"><p data-bg=\"url(&quot;../pic.png&quot;)\">");
  EXPECT_EQ(css("a{b:image-set('/pic.png' 1x)}"), "a{b:image-set(\"../pic.png\" 1x)}");
}

TEST_F(RewriteTest, RewritesPagesInsideAttributes) {
  EXPECT_EQ(html("<iframe srcdoc='<a href=/>x</a>'></iframe>"),
            "<iframe srcdoc=\"<a href=&quot;../index.html&quot;>x</a>\"></iframe>");
}

TEST_F(RewriteTest, RewritesStylesEverywhere) {
  EXPECT_EQ(css("@import '//o.example/s.css'; a{b:url( /pic.png )} c{d:url(#e)}"),
            "@import \"../../o.example/s.css\"; a{b:url(\"../pic.png\")} c{d:url(#e)}");
  EXPECT_EQ(html("<p style='a:url(/pic.png)'>"), "<p style=\"a:url(&quot;../pic.png&quot;)\">");
  EXPECT_EQ(html("<style>a > b{c:url(/pic.png)}</style><a href=/>"),
            "<style>a > b{c:url(\"../pic.png\")}</style><a href=\"../index.html\">");
}

TEST_F(RewriteTest, TheBaseCountsAndLosesItsEffect) {
  EXPECT_EQ(html("<a href=c><base href='/b/' target=x><a href=#y>"),
            "<a href=\"c.html\"><base href=\"\" target=x><a href=\"https://a.example/b/#y\">");
}

TEST_F(RewriteTest, RemovesAttributesThatWouldRejectTheCopy) {
  EXPECT_EQ(html("<link rel=stylesheet href=//o.example/s.css integrity=sha256-x crossorigin>"),
            "<link rel=stylesheet href=\"../../o.example/s.css\"  >");
  EXPECT_THAT(html("<script src=https://cdn.example/x.js integrity=sha256-x></script>"),
              HasSubstr("integrity=sha256-x"));
}

TEST_F(RewriteTest, KeepsTheCanonicalUrl) {
  EXPECT_EQ(html("<link rel=canonical href=/>"),
            "<link rel=canonical href=\"https://a.example/\">");
}

TEST_F(RewriteTest, IgnoresTagsInCdataSections) {
  EXPECT_EQ(html("<svg><![CDATA[ <a href=/> ]]><a href=/></a></svg>"),
            "<svg><![CDATA[ <a href=/> ]]><a href=\"../index.html\"></a></svg>");
  // Nor the beginning of a tag that would end with the next one.
  EXPECT_EQ(html("<svg><![CDATA[<a href=\"y>]]><a f=/x\" href=/>"),
            "<svg><![CDATA[<a href=\"y>]]><a f=/x\" href=\"../index.html\">");
}

// All links lead to /in/.
class StrictTargets final : public LinkTargets {
 public:
  NewLink link_to(const url::Url& url, bool) const override {
    return {.text = "/in/" + std::string(url.hostname()), .is_local = true};
  }
  bool is_strict() const override { return true; }
};

class StrictRewriteTest : public testing::Test {
 protected:
  std::string html(std::string_view text) {
    return rewrite_html(text, {.url = document_, .encoding = html::encoding_from_label("utf-8")},
                        StrictTargets());
  }
  const url::Url document_ = parsed("https://a.example/b/c");
};

TEST_F(StrictRewriteTest, EveryBaseLosesItsEffect) {
  EXPECT_EQ(html("<template><base href=/x></template><base href=https://live.example/>"),
            "<template><base href=\"\"></template><base href=\"\">");
  EXPECT_EQ(html("<svg></b><title><base href=https://live.example/>"),
            "<svg></b><title>&lt;base href=https://live.example/>");
}

TEST_F(StrictRewriteTest, LinksThatOnlyOpenConnectionsAreDropped) {
  EXPECT_EQ(html("<link rel='canonical preconnect' href=https://live.example/>x"), "<link>x");
  EXPECT_EQ(html("<link rel=next href=https://live.example/>x"), "<link>x");
  EXPECT_EQ(html("<link rel=stylesheet href=https://live.example/>"),
            "<link rel=stylesheet href=\"/in/live.example\">");
}

TEST_F(StrictRewriteTest, TagsWithTooManyAttributesLoseThem) {
  std::string many;
  for (int i = 0; i < 1024; ++i) many += " a" + std::to_string(i);
  for (const std::string tag : {"a", "base", "link rel=icon"}) {
    const std::string name = tag.substr(0, tag.find(' '));
    EXPECT_EQ(html("x<" + tag + many + " href=https://live.example/>y"), "x<" + name + ">y");
  }
  const std::string large(3 * 1024 * 1024, 'b');
  EXPECT_EQ(html("x<a title=" + large + " href=https://live.example/>y"), "x<a>y");
  // The text of a style must not become markup.
  EXPECT_EQ(html("<style" + many + " b><a href=//live.example></style>").substr(0, 7), "<style>");
}

TEST_F(StrictRewriteTest, TagsThatCannotBeFoundLoseTheirAttributes) {
  std::string section = "<svg><![CDATA[";
  for (int i = 0; i < 33; ++i) section += " <b";
  EXPECT_THAT(html(section + "]]><meta http-equiv=refresh content='0;url=https://live.example/'>"),
              Not(HasSubstr("live.example")));
  EXPECT_THAT(html(section + "]]><a href='https://live.example/'>"),
              Not(HasSubstr("live.example")));
}

TEST_F(StrictRewriteTest, PagesInAttributesAreRewrittenOrDropped) {
  const std::string with_base =
      html("<iframe srcdoc='<base href=x><link rel=preconnect href=https://live.example/>'>");
  EXPECT_EQ(with_base, "<iframe srcdoc=\"<base href=&quot;&quot;><link>\">");
  EXPECT_THAT(html("<iframe srcdoc=\"<iframe srcdoc='<img src=//live.example>'>\">"),
              Not(HasSubstr("live.example")));
}

TEST_F(StrictRewriteTest, UnreadableUrlsAndOrdersToTheBrowserAreDropped) {
  EXPECT_EQ(html("<a href='https://[live.example/'>"), "<a href=\"#\">");
  EXPECT_EQ(html("<a href='mailto:x@a.example'>"), "<a href='mailto:x@a.example'>");
  EXPECT_THAT(html("<meta http-equiv=x-dns-prefetch-control content=on>"),
              Not(HasSubstr("http-equiv")));
  EXPECT_THAT(html("<svg><use href=#a xlink:href=https://live.example/>"),
              HasSubstr("xlink:href=\"/in/live.example\""));
}

TEST_F(RewriteTest, OtherEncodingsBecomeUtf8ThatIsTakenForIt) {
  EXPECT_EQ(html("\xE4", "windows-1252"), "\xEF\xBB\xBF\xC3\xA4");
  EXPECT_EQ(html("<meta charset=utf-8>\xC3\xA4"), "<meta charset=utf-8>\xC3\xA4");
  EXPECT_EQ(html("plain"), "plain");
  // Queries are escaped in the encoding of the page.
  EXPECT_THAT(html("<a href='?q=\xE4'>", "windows-1252"), HasSubstr("?q=%E4"));
  EXPECT_THAT(css("@charset \"windows-1252\"; a{b:'\xE4'}"), StartsWith("\xEF\xBB\xBF"));
}

TEST_F(RewriteTest, EveryPrefixOfAPageEnds) {
  const std::string page =
      "<!doctype html><base href='/b/'><style>@import 'c';</style><svg><![CDATA[<a href=c>]]></svg>"
      "<img srcset='/pic.png 2x' style=\"a:url('/pic.png')\" integrity><a href=\"c\">x</a>";
  for (std::size_t size = 0; size <= page.size(); ++size) {
    const std::string cut = html(page.substr(0, size));
    EXPECT_THAT(cut, Not(HasSubstr("href=\"c\">")));
  }
}

}  // namespace
}  // namespace gossamer::mirror

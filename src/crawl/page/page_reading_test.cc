#include "crawl/page/page_reading.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> links_of(const PageReading& reading) {
  std::vector<std::string> urls;
  for (std::size_t i = 0; i < reading.links().size(); ++i) {
    urls.emplace_back(reading.links()[i].link.url);
  }
  return urls;
}

void read(PageReading& reading, BodyKind kind, std::string_view body, std::string_view charset = "",
          std::size_t piece = std::string_view::npos) {
  reading.begin(kind, charset, "gossamer");
  while (!body.empty()) {
    const std::string_view next = body.substr(0, piece);
    reading.feed(as_bytes(next));
    body.remove_prefix(next.size());
  }
  reading.finish();
}

constexpr std::string_view kPage =
    "<!doctype html><title>A &amp; B</title><meta name=robots content=nofollow>"
    "<base href=/dir/><a href=x>x</a><img src=i.png>";

struct KindRow {
  std::string_view type;
  BodyKind kind;
  BodyKind kind_with_css;
};

TEST(PageReading, LooksForLinksByWhatTheServerSaysThatItIs) {
  using enum BodyKind;
  for (const KindRow& row : {
           KindRow{"text/html", html, html},
           KindRow{"TEXT/HTML; charset=x", html, html},
           KindRow{"application/xhtml+xml", html, html},
           KindRow{"text/xml", xml, xml},
           KindRow{"application/rss+xml", xml, xml},
           KindRow{"application/atom+xml", xml, xml},
           KindRow{"image/svg+xml", opaque, xml},
           KindRow{"text/css", opaque, css},
           KindRow{"text/plain", opaque, opaque},
           KindRow{"application/json", opaque, opaque},
           KindRow{"image/png", opaque, opaque},
           KindRow{"application/octet-stream", opaque, opaque},
       }) {
    const auto type = wire::MimeType::parse(row.type);
    ASSERT_TRUE(type) << row.type;
    EXPECT_EQ(body_kind(type, {}), row.kind) << row.type;
    EXPECT_EQ(body_kind(type, {.css = true}), row.kind_with_css) << row.type;
  }
  EXPECT_EQ(body_kind(std::nullopt, {}), unknown);
}

TEST(PageReading, ReadsScriptsIfTheyAreMined) {
  for (const char* const text :
       {"text/javascript", "application/javascript; charset=utf-8", "application/x-javascript",
        "application/json", "application/ld+json"}) {
    const auto type = wire::MimeType::parse(text);
    EXPECT_EQ(body_kind(type, {.scripts = true}), BodyKind::script) << text;
    EXPECT_EQ(body_kind(type, {.css = true}), BodyKind::opaque) << text;
  }
}

TEST(PageReading, FindsLinksTitleBaseAndRulesOfAPage) {
  PageReading reading;
  read(reading, BodyKind::html, kPage);
  EXPECT_THAT(links_of(reading), ElementsAre("x", "i.png"));
  EXPECT_EQ(reading.links().base(), "/dir/");
  EXPECT_EQ(reading.title(), "A & B");
  EXPECT_TRUE(reading.rules().no_follow);
  EXPECT_FALSE(reading.rules().no_index);
  EXPECT_EQ(reading.bytes(), kPage.size());
}

TEST(PageReading, IsTheSameHoweverTheBodyIsCut) {
  PageReading whole;
  read(whole, BodyKind::html, kPage, "utf-8");
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 50U}) {
    PageReading cut;
    read(cut, BodyKind::html, kPage, "utf-8", piece);
    EXPECT_EQ(links_of(cut), links_of(whole));
    EXPECT_EQ(cut.title(), whole.title());
    EXPECT_EQ(cut.digest(), whole.digest());
    EXPECT_EQ(cut.bytes(), whole.bytes());
    EXPECT_EQ(cut.charset(), whole.charset());
    EXPECT_EQ(cut.rules(), whole.rules());
  }
}

TEST(PageReading, TakesABodyWithoutTypeForAPageIfItBeginsLikeOne) {
  PageReading reading;
  read(reading, BodyKind::unknown, " \n <a href=x>");
  EXPECT_EQ(reading.kind(), BodyKind::html);
  EXPECT_THAT(links_of(reading), ElementsAre("x"));
  read(reading, BodyKind::unknown, "\xEF\xBB\xBF<a href=y>");
  EXPECT_THAT(links_of(reading), ElementsAre("y"));
  read(reading, BodyKind::unknown, "PNG <a href=x>");
  EXPECT_EQ(reading.kind(), BodyKind::opaque);
  EXPECT_THAT(links_of(reading), IsEmpty());
  read(reading, BodyKind::unknown, "");
  EXPECT_EQ(reading.kind(), BodyKind::opaque);
}

TEST(PageReading, TakesABodyWithoutTypeForAPageHoweverItIsCut) {
  PageReading reading;
  read(reading, BodyKind::unknown, " \n\n\n <a href=x>", "", 1);
  EXPECT_THAT(links_of(reading), ElementsAre("x"));
  read(reading, BodyKind::unknown, "\xEF\xBB\xBF<a href=y>", "", 1);
  EXPECT_THAT(links_of(reading), ElementsAre("y"));
  read(reading, BodyKind::unknown, "   no markup", "", 1);
  EXPECT_EQ(reading.kind(), BodyKind::opaque);
}

TEST(PageReading, DigestsWhatItDoesNotRead) {
  PageReading one;
  PageReading two;
  read(one, BodyKind::opaque, "same bytes");
  read(two, BodyKind::html, "same bytes");
  EXPECT_EQ(one.digest(), two.digest());
  EXPECT_EQ(one.bytes(), 10u);
  EXPECT_EQ(one.charset(), "");
  EXPECT_EQ(one.encoding(), std::nullopt);
  read(two, BodyKind::html, "same byteS");
  EXPECT_NE(one.digest(), two.digest());
}

TEST(PageReading, ForgetsThePageBefore) {
  PageReading reading;
  read(reading, BodyKind::html, kPage, "koi8-r");
  read(reading, BodyKind::html, "<p>nothing");
  EXPECT_THAT(links_of(reading), IsEmpty());
  EXPECT_EQ(reading.title(), "");
  EXPECT_EQ(reading.links().base(), std::nullopt);
  EXPECT_EQ(reading.rules(), robots::PageRules());
  EXPECT_EQ(reading.charset(), "windows-1252");
  EXPECT_EQ(reading.bytes(), 10u);
  read(reading, BodyKind::opaque, "x");
  EXPECT_EQ(reading.charset(), "");
}

TEST(PageReading, ReadsAPageInTheEncodingThatItIsIn) {
  PageReading reading;
  read(reading, BodyKind::html, "<title>\xC1</title>", "koi8-r");
  EXPECT_EQ(reading.title(), "\xD0\xB0");
  EXPECT_EQ(reading.charset(), "KOI8-R");
  read(reading, BodyKind::html, "<meta charset=koi8-r><title>\xC1</title>");
  EXPECT_EQ(reading.title(), "\xD0\xB0");
  read(reading, BodyKind::html, "\xEF\xBB\xBF<meta charset=koi8-r><title>\xD0\xB0</title>",
       "latin1");
  EXPECT_EQ(reading.title(), "\xD0\xB0") << "the mark at the beginning wins";
  EXPECT_EQ(reading.charset(), "UTF-8");
  read(reading, BodyKind::html, "<title>x</title>", "no-such-charset");
  EXPECT_EQ(reading.title(), "x");
}

TEST(PageReading, FindsTheLinksOfXmlStylesAndSitemaps) {
  PageReading reading;
  read(reading, BodyKind::xml,
       "<rss><channel><item><link>http://a.example/1</link></item></channel></rss>");
  EXPECT_THAT(links_of(reading), ElementsAre("http://a.example/1"));
  read(reading, BodyKind::css, "@import 'a.css'; b { background: url(c.png) }");
  EXPECT_THAT(links_of(reading), ElementsAre("a.css", "c.png"));
  read(reading, BodyKind::sitemap, "<urlset><url><loc>http://a.example/2</loc></url></urlset>");
  EXPECT_THAT(links_of(reading), ElementsAre("http://a.example/2"));
  EXPECT_FALSE(reading.is_sitemap_index());
  read(reading, BodyKind::sitemap,
       "<sitemapindex><sitemap><loc>http://a.example/s.xml</loc></sitemap></sitemapindex>");
  EXPECT_TRUE(reading.is_sitemap_index());
}

TEST(PageReading, ObeysWhatIsMeantForIt) {
  PageReading reading;
  read(reading, BodyKind::html, "<meta name=gossamer content=nofollow>");
  EXPECT_TRUE(reading.rules().no_follow);
  read(reading, BodyKind::html, "<meta name=otherbot content=nofollow>");
  EXPECT_FALSE(reading.rules().no_follow);
}

TEST(PageReading, HasADigestOfTheVisibleText) {
  PageReading reading;
  const auto digest = [&reading](BodyKind kind, std::string_view body) {
    reading.begin(kind, {}, "bot");
    reading.feed(as_bytes(body));
    reading.finish();
    return reading.text_digest();
  };
  EXPECT_EQ(digest(BodyKind::html, "<p>a"), std::nullopt) << "nobody wants it";
  reading.keep_text_digest();
  const auto first = digest(BodyKind::html, "<p data-ad=1>a <b>b</b><script>x=1</script>");
  EXPECT_TRUE(first.has_value());
  EXPECT_EQ(digest(BodyKind::html, "<p data-ad=2>a <b>b</b><script>x=2</script>"), first);
  EXPECT_NE(digest(BodyKind::html, "<p data-ad=1>a <b>c</b>"), first);
  EXPECT_EQ(digest(BodyKind::css, "a{}"), std::nullopt);
}

}  // namespace
}  // namespace gossamer::crawler

#include "engine/page/page_reading.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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
           KindRow{"application/json", opaque, manifest},
           KindRow{"application/manifest+json", opaque, manifest},
           KindRow{"application/ld+json", opaque, opaque},
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
    EXPECT_NE(body_kind(type, {.css = true}), BodyKind::script) << text;
  }
}

TEST(PageReading, FindsTheImagesOfAManifest) {
  PageReading reading;
  read(reading, BodyKind::manifest,
       R"({"name": "x", "start_url": "/a", "icons": [{"src": "/b.png"}, {"src": "c.png"}]})");
  EXPECT_THAT(links_of(reading), ElementsAre("/b.png", "c.png"));
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

TEST(PageReading, LooksForMarkupInTheFirstKilobyte) {
  PageReading reading;
  const std::string blanks(1023, ' ');
  for (const std::size_t piece : {std::size_t{1}, std::string_view::npos}) {
    read(reading, BodyKind::unknown, blanks + "<a href=x>", "", piece);
    EXPECT_THAT(links_of(reading), ElementsAre("x")) << piece;
  }
  read(reading, BodyKind::unknown, blanks + " <a href=x>", "", 1);
  EXPECT_EQ(reading.kind(), BodyKind::opaque);
  read(reading, BodyKind::unknown, blanks + blanks + "<a href=x>");
  EXPECT_THAT(links_of(reading), ElementsAre("x")) << "it came in one piece";
}

// Everything about a body that a reading tells.
std::string told_of(PageReading& reading) {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {}\n", static_cast<int>(reading.kind()), reading.bytes(),
                  reading.digest(), reading.series(), reading.content_digest(), reading.charset(),
                  reading.title(), reading.is_sitemap_index(), reading.rules().no_follow);
  text += fmt::format("{} {} {}", reading.text_digest().value_or(0), reading.links_left_out(),
                      reading.links().base().value_or("no base"));
  for (const std::string& link : links_of(reading)) text.append("\n").append(link);
  const bool is_cut = reading.is_page_cut();
  return text + fmt::format("\n{} {}", is_cut, reading.take_page());
}

constexpr BodyKind kKinds[] = {BodyKind::opaque, BodyKind::unknown, BodyKind::html,   BodyKind::xml,
                               BodyKind::css,    BodyKind::script,  BodyKind::sitemap};
constexpr std::string_view kOfAllKinds =
    "<sitemapindex><sitemap><loc>http://a.example/s</loc></sitemap><title>T</title>"
    "<base href=/b/><meta name=robots content=nofollow><a href=1>one</a><a href=2>two</a>"
    "<a href=3>three</a><rss><channel><item><link>http://a.example/i</link></item></channel></rss>"
    "<p>@import 'a.css'; b { background: url(c.png) } load('/guess.html')";

TEST(PageReading, TellsNothingOfTheBodyBefore) {
  const auto make = [] {
    auto reading = std::make_unique<PageReading>(2);
    reading->keep_text_digest();
    reading->keep_page(100);
    return reading;
  };
  for (const BodyKind before : kKinds) {
    for (const BodyKind kind : kKinds) {
      for (const std::string_view body : {kOfAllKinds, std::string_view("<p>short")}) {
        const auto fresh = make();
        read(*fresh, kind, body);
        const auto used = make();
        used->begin(before, "koi8-r", "gossamer");
        used->begin_series(7);
        used->feed(as_bytes(kOfAllKinds));
        used->finish();
        read(*used, kind, body);
        EXPECT_EQ(told_of(*used), told_of(*fresh))
            << static_cast<int>(before) << " before " << static_cast<int>(kind);
      }
    }
  }
}

TEST(PageReading, ReadsABodyOnceHoweverOftenItIsFinished) {
  for (const BodyKind kind : kKinds) {
    PageReading once;
    read(once, kind, kOfAllKinds);
    PageReading twice;
    read(twice, kind, kOfAllKinds);
    twice.finish();
    EXPECT_EQ(told_of(twice), told_of(once)) << static_cast<int>(kind);
  }
}

TEST(PageReading, ReadsALargeStyleSheetInSteps) {
  PageReading reading;
  std::string body;
  while (body.size() < 3 * PageReading::kStepBytes) body += "b { background: url(c.png) }\n";
  reading.begin(BodyKind::css, "", "gossamer");
  reading.feed(as_bytes(body));
  std::size_t steps = 1;
  while (!reading.finish_some()) ++steps;
  EXPECT_GE(steps, 3u);
  EXPECT_EQ(reading.links().size() * 29, body.size());
}

TEST(PageReading, HasAContentDigestOnlyInASeries) {
  PageReading reading;
  read(reading, BodyKind::html, "page 1");
  EXPECT_EQ(reading.content_digest(), 0u);
  std::vector<std::uint64_t> digests;
  for (const std::string_view body : {"page 1", "page 2", "other"}) {
    reading.begin(BodyKind::html, "", "gossamer");
    reading.begin_series(1);
    reading.feed(as_bytes(body));
    reading.finish();
    digests.push_back(reading.content_digest());
  }
  EXPECT_NE(digests[0], 0u);
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_NE(digests[0], digests[2]);
}

TEST(PageReading, CopiesPagesUpToTheirBound) {
  PageReading reading;
  const auto copy = [&reading](BodyKind kind, std::size_t bytes_max) {
    reading.keep_page(bytes_max);
    read(reading, kind, "<p>caf\xC3\xA9", "utf-8", 4);
    return reading.take_page();
  };
  EXPECT_EQ(copy(BodyKind::html, 100), "<p>caf\xC3\xA9");
  EXPECT_FALSE(reading.is_page_cut());
  EXPECT_EQ(reading.take_page(), "") << "it was taken";
  EXPECT_EQ(copy(BodyKind::html, 8), "<p>caf\xC3\xA9");
  EXPECT_FALSE(reading.is_page_cut());
  EXPECT_EQ(copy(BodyKind::html, 7), "<p>caf") << "not half a character";
  EXPECT_TRUE(reading.is_page_cut());
  EXPECT_EQ(copy(BodyKind::html, 1), "<");
  EXPECT_EQ(copy(BodyKind::html, 0), "");
  EXPECT_FALSE(reading.is_page_cut()) << "nothing is copied";
  EXPECT_EQ(copy(BodyKind::css, 100), "");
}

TEST(PageReading, ReadsTheLastLineOfATextSitemap) {
  PageReading reading;
  read(reading, BodyKind::sitemap, "http://a.example/1\nhttp://a.example/2");
  EXPECT_THAT(links_of(reading), ElementsAre("http://a.example/1", "http://a.example/2"));
}

TEST(PageReading, OmitsLinksThatAreTooLong) {
  PageReading reading;
  const std::string longest(PageReading::kLinkBytesMax, 'x');
  read(reading, BodyKind::html, "<a href=" + longest + "><a href=" + longest + "x><a href=y>");
  EXPECT_THAT(links_of(reading), ElementsAre(longest, "y"));
  EXPECT_EQ(reading.links_left_out(), 0u);
}

}  // namespace
}  // namespace gossamer::crawler

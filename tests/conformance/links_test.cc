// Links: srcset, meta refresh, CSS, and whole pages as a browser's DOM has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "html/encoding/encoder.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "html/links/css_urls.h"
#include "html/links/refresh.h"
#include "html/links/srcset.h"
#include "html/page_reader.h"
#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"
#include "url/url.h"

namespace gossamer::conformance {
namespace {

TEST(LinkSuite, SrcsetCandidatesAgree) {
  NEEDS_TESTDATA("links/srcset.json");
  Score score("links/srcset");
  for (const Json& test : read_json("links/srcset.json")) {
    const ExactBlock srcset(test["srcset"].get<std::string>());
    Json expected = Json::array();
    for (const Json& candidate : test["candidates"]) expected.push_back(candidate["url"]);
    Json found = Json::array();
    for (const auto& candidate : html::parse_srcset(srcset.view())) found.push_back(candidate.url);
    score.count(found == expected, [&] {
      return fmt::format("{}: {}, not {}", test["srcset"].dump(), found.dump(), expected.dump());
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

// Parsing a URL strips tabs and newlines.
std::string without_tab_and_newline(std::string_view text) {
  std::string stripped(text);
  std::erase_if(stripped, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return stripped;
}

TEST(LinkSuite, MetaRefreshAgrees) {
  NEEDS_TESTDATA("links/meta-refresh.json");
  Score score("links/meta-refresh");
  for (const Json& test : read_json("links/meta-refresh.json")) {
    const ExactBlock content(test["content"].get<std::string>());
    const auto refresh = html::parse_refresh(content.view());
    Json found = nullptr;
    if (refresh) {
      found = {{"seconds", refresh->seconds}, {"url", nullptr}};
      if (refresh->url) found["url"] = without_tab_and_newline(*refresh->url);
    }
    Json expected = test["expected"];
    if (!expected.is_null() && expected["url"].is_string()) {
      expected["url"] = without_tab_and_newline(expected["url"].get<std::string>());
    }
    score.count(found == expected, [&] {
      return fmt::format("{}: {}, not {}", test["content"].dump(), found.dump(), expected.dump());
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(LinkSuite, CssUrlsAgree) {
  NEEDS_TESTDATA("links/css-urls.json");
  Score score("links/css-urls");
  for (const Json& test : read_json("links/css-urls.json")) {
    const ExactBlock css(test["css"].get<std::string>());
    Json found = Json::array();
    html::CssUrls urls(css.view());
    while (urls.next()) found.push_back(urls.url());
    score.count(found == test["urls"], [&] {
      return fmt::format("{}: {}, not {}", test["css"].dump().substr(0, 200), found.dump(),
                         test["urls"].dump());
    });
  }
  EXPECT_TRUE(score.reaches(0.98));
}

// A page as a crawler reads it: decoded, its links resolved.
struct ReadPage {
  html::LinkList links;
  html::PageFacts facts;
  html::Encoding encoding = html::Encoding::utf_8;
};

// The charset is the one that the DOM of the vectors was made with; finding it has suites of its
// own.
void read_page(std::string_view bytes, std::string_view charset, std::size_t piece_bytes,
               ReadPage& page) {
  html::PageReader reader({.links = true, .facts = true}, page.links);
  html::DecodingStream decoder(
      {.kind = html::DocumentKind::html, .transport = html::encoding_from_label(charset)});
  std::string scratch;
  while (!bytes.empty()) {
    const ExactBlock piece(bytes.substr(0, piece_bytes));
    const ExactBlock text(decoder.decode(piece.view(), scratch));
    reader.feed(text.view());
    bytes.remove_prefix(piece.view().size());
  }
  reader.feed(decoder.finish(scratch));
  reader.finish();
  page.facts = reader.facts();
  if (decoder.sniffed()) page.encoding = decoder.sniffed()->encoding;
}

// "element.attribute" as the vectors name it; empty for what they do not cover.
std::string vector_name(const html::Link& link) {
  if (link.is_foreign) return {};
  const std::string name =
      std::string(html::name(link.tag)) + "." + std::string(html::name(link.attribute));
  static const std::set<std::string_view> kCovered = {
      "a.href",     "area.href",       "link.href",     "img.src",         "script.src",
      "iframe.src", "frame.src",       "embed.src",     "object.data",     "source.src",
      "video.src",  "video.poster",    "audio.src",     "track.src",       "form.action",
      "input.src",  "body.background", "q.cite",        "del.cite",        "ins.cite",
      "img.srcset", "blockquote.cite", "source.srcset", "link.imagesrcset"};
  return kCovered.contains(name) ? name : std::string();
}

using LinkCount = std::map<std::pair<std::string, std::string>, long>;

struct Tally {
  long found = 0;
  long expected = 0;
  long common = 0;

  void add(const LinkCount& ours, const LinkCount& theirs) {
    for (const auto& [link, count] : ours) {
      found += count;
      const auto other = theirs.find(link);
      if (other != theirs.end()) common += std::min(count, other->second);
    }
    for (const auto& [link, count] : theirs) expected += count;
  }
  double precision() const { return static_cast<double>(common) / static_cast<double>(found); }
  double recall() const { return static_cast<double>(common) / static_cast<double>(expected); }
};

std::set<std::string> hyperlinks(const LinkCount& links) {
  std::set<std::string> urls;
  for (const auto& [link, count] : links) {
    const bool is_anchor = link.first == "a.href" || link.first == "area.href";
    if (is_anchor && link.second.starts_with("http")) urls.insert(link.second);
  }
  return urls;
}

// With `in_utf_8` the queries are written in UTF-8 whatever the encoding of the page.
LinkCount links_of(const ReadPage& page, const std::string& address, bool in_utf_8 = false) {
  LinkCount links;
  const auto document = url::Url::parse(address);
  if (!document) return links;
  const url::Url base = html::document_base(*document, page.links.base());
  html::Encoder encoder(in_utf_8 ? html::Encoding::utf_8 : page.encoding);
  for (std::size_t i = 0; i < page.links.size(); ++i) {
    const html::Link link = page.links[i].link;
    const std::string name = vector_name(link);
    const auto resolved = url::Url::parse(link.url, &base, &encoder);
    if (!name.empty() && resolved) ++links[{name, resolved->href()}];
  }
  return links;
}

LinkCount links_of(const Json& vector) {
  LinkCount links;
  for (const Json& link : vector["links"]) {
    if (link[1].is_string()) ++links[{link[0].get<std::string>(), link[1].get<std::string>()}];
  }
  return links;
}

std::string difference(const LinkCount& ours, const LinkCount& theirs) {
  std::string text;
  const auto add = [&text](std::string_view who, const LinkCount& a, const LinkCount& b) {
    int shown = 0;
    for (const auto& [link, count] : a) {
      const auto other = b.find(link);
      if ((other == b.end() || other->second < count) && ++shown <= 4) {
        text += fmt::format("\n      {} {} {}", who, link.first, link.second.substr(0, 150));
      }
    }
  };
  add("only ours:  ", ours, theirs);
  add("only theirs:", theirs, ours);
  return text;
}

struct Scores {
  Score pages;
  Score titles;
  Score canonicals;
  Score robots;
  Tally tally;
};

// Besides the links, the facts that the vectors have.
void run_page(const Json& vector, std::string_view bytes, Scores& scores) {
  ReadPage page;
  const std::string charset = string_at(vector, "charset");
  read_page(bytes, charset, bytes.size(), page);
  const std::string address = string_at(vector, "url");
  const LinkCount theirs = links_of(vector);
  // The standard writes queries in the encoding of the page; the DOM that made the vectors does
  // not always (three pages here).
  LinkCount ours = links_of(page, address);
  if (hyperlinks(ours) != hyperlinks(theirs)) ours = links_of(page, address, /*in_utf_8=*/true);
  scores.tally.add(ours, theirs);
  scores.pages.count(hyperlinks(ours) == hyperlinks(theirs),
                     [&] { return string_at(vector, "id") + difference(ours, theirs); });
  const auto document = url::Url::parse(address);
  const url::Url base = html::document_base(*document, page.links.base());
  const auto canonical = url::Url::parse(page.facts.canonical, &base);
  const bool has_canonical = !page.facts.canonical.empty() && canonical.has_value();
  scores.canonicals.count(
      (has_canonical ? canonical->href() : "") == string_at(vector, "canonical"), [&] {
        return fmt::format("{}: {} not {}", string_at(vector, "id"), page.facts.canonical,
                           string_at(vector, "canonical"));
      });
  std::string robots;
  for (const auto& rule : page.facts.robots) {
    if (rule.agent == "robots" && robots.empty()) robots = rule.content;
  }
  scores.robots.count(robots == string_at(vector, "meta_robots"), [&] {
    return fmt::format("{}: {} not {}", string_at(vector, "id"), robots,
                       string_at(vector, "meta_robots"));
  });
  scores.titles.count(page.facts.title == string_at(vector, "title"), [&] {
    return fmt::format("{}: {} not {}", string_at(vector, "id"), page.facts.title,
                       string_at(vector, "title"));
  });

  ReadPage in_pieces;
  read_page(bytes, charset, 997, in_pieces);
  EXPECT_EQ(links_of(in_pieces, address), links_of(page, address)) << string_at(vector, "id");
  EXPECT_EQ(in_pieces.facts.title, page.facts.title) << string_at(vector, "id");
}

void check(Scores& scores, std::string_view suite) {
  std::printf("%s: %ld links, precision %.4f, recall %.4f\n", std::string(suite).c_str(),
              scores.tally.expected, scores.tally.precision(), scores.tally.recall());
  EXPECT_GE(scores.tally.recall(), 0.98);
  EXPECT_GE(scores.tally.precision(), 0.99);
  EXPECT_TRUE(scores.pages.reaches(0.95));
  EXPECT_TRUE(scores.titles.reaches(0.99));
  EXPECT_TRUE(scores.canonicals.reaches(0.99));
  EXPECT_TRUE(scores.robots.reaches(0.99));
}

TEST(LinkSuite, PagesAgreeWithTheDom) {
  NEEDS_TESTDATA("links/pages.jsonl");
  Scores scores{.pages = Score("links/pages, exact"),
                .titles = Score("links/pages, titles"),
                .canonicals = Score("links/pages, canonicals"),
                .robots = Score("links/pages, meta robots")};
  for_each_json_line("links/pages.jsonl", [&](const Json& vector) {
    run_page(vector, read_testdata("links/pages/" + string_at(vector, "id")), scores);
  });
  check(scores, "links/pages");
}

// What Scrapy says about one of its pages: addresses and texts, each once.
TEST(LinkSuite, AnchorTextsAgreeWithScrapy) {
  NEEDS_TESTDATA("links/scrapy-expect.json");
  const Json expected = read_json("links/scrapy-expect.json");
  ReadPage page;
  const std::string bytes = read_testdata("links/pages/" + string_at(expected, "page"));
  read_page(bytes, "utf-8", bytes.size(), page);
  const auto base = url::Url::parse(string_at(expected, "base"));
  Json found = Json::array();
  std::set<std::string> seen;
  for (std::size_t i = 0; i < page.links.size(); ++i) {
    const auto [link, text] = page.links[i];
    const auto resolved = url::Url::parse(link.url, &*base);
    const bool is_anchor = link.tag == html::TagId::a || link.tag == html::TagId::area;
    if (is_anchor && resolved && seen.insert(resolved->href()).second) {
      found.push_back({resolved->href(), text});
    }
  }
  EXPECT_EQ(found, expected["links"]);
}

TEST(LinkSuite, RealPagesAgreeWithTheDom) {
  NEEDS_TESTDATA("links/real");
  Scores scores{.pages = Score("links/real, exact"),
                .titles = Score("links/real, titles"),
                .canonicals = Score("links/real, canonicals"),
                .robots = Score("links/real, meta robots")};
  for (const std::string suite : {"article-extraction", "trafilatura"}) {
    for_each_json_line("links/real/" + suite + ".jsonl", [&](const Json& vector) {
      const std::string file = "content/" + suite + "/html/" + string_at(vector, "id") + ".html.gz";
      run_page(vector, gunzip(read_testdata(file)), scores);
    });
  }
  check(scores, "links/real");
}

}  // namespace
}  // namespace gossamer::conformance

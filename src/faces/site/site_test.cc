#include "site/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "html/encoding/encoding.h"
#include "html/encoding/stream.h"
#include "html/page_reader.h"
#include "robots/gunzip.h"
#include "robots/robots.h"
#include "robots/sitemap.h"
#include "site/links.h"
#include "tests/site_server/test_sites.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::site {
namespace {

using testing::HasSubstr;

std::string field_of(const Answer& answer, std::string_view name) {
  for (const auto& [each, value] : answer.fields) {
    if (each == name) return value;
  }
  return {};
}

std::string unpacked(std::string_view packed) {
  robots::Gunzip gunzip;
  gunzip.give(packed);
  std::string out;
  std::string_view piece;
  while (gunzip.next(piece) == robots::Gunzip::Outcome::piece) out += piece;
  return out;
}

// A crawler that knows nothing about the site: it fetches, reads the pages and follows links.
class Visitor final : private html::PageConsumer {
 public:
  Visitor(const Site& site, const TruthOptions& options) : site_(site), options_(options) {}

  struct Visit {
    int status = 0;
    std::string next_url;
    std::uint32_t depth = 0;
    std::string body;
  };

  std::map<std::string, Visit> run() {
    for (const std::uint32_t host : options_.roots) {
      scope_.insert(site_.options().hosts[host]);
      add(site_.root(host), 0);
      if (options_.uses_sitemaps) add_sitemap(site_.root(host) + "sitemap.xml");
    }
    if (options_.crosses_hosts) {
      scope_.insert(site_.options().hosts.begin(), site_.options().hosts.end());
    }
    while (!queue_.empty()) {
      const std::string url = queue_.front();
      queue_.pop_front();
      if (done_.insert(url).second) visit(url);
    }
    return std::move(visits_);
  }

 private:
  void add(std::string_view text, std::uint32_t depth, bool is_requisite = false,
           bool is_next = false) {
    const auto url = url::Url::parse(text);
    if (!url || !url->is_http_or_https()) return;
    if (!is_requisite && !scope_.contains(std::string(url->host()))) return;
    if (!options_.with_documents && url->pathname().ends_with(".pdf")) return;
    if (options_.obeys_robots && !robots_of(*url).allows(url->request_target())) return;
    const std::string key(identity_.normal_form(*url));
    const auto [found, is_new] = visits_.try_emplace(key, Visit{.depth = depth});
    if (!is_new && found->second.depth <= depth) return;
    found->second.depth = depth;
    spellings_.try_emplace(key, url->href());
    is_next ? queue_.push_front(key) : queue_.push_back(key);
  }

  const robots::Robots& robots_of(const url::Url& url) {
    const auto [found, is_new] = robots_.try_emplace(std::string(url.host()));
    if (is_new) {
      const Answer answer = site_.answer({.host = url.host(), .target = "/robots.txt"});
      if (answer.status == 200) found->second = robots::Robots::parse(answer.body, "gossamer");
    }
    return found->second;
  }

  void add_sitemap(const std::string& location) {
    const auto url = url::Url::parse(location);
    const Answer answer = site_.answer({.host = url->host(), .target = url->request_target()});
    if (answer.status != 200) return;
    const robots::Sitemap sitemap = robots::read_sitemap(answer.body, {.location = location});
    EXPECT_FALSE(sitemap.trouble);
    for (const robots::SitemapEntry& entry : sitemap.entries) {
      if (sitemap.kind == robots::SitemapKind::index) {
        add_sitemap(entry.loc);
      } else {
        add(entry.loc, 0);
      }
    }
  }

  void visit(const std::string& key) {
    Visit& visit = visits_.at(key);
    const auto url = url::Url::parse(spellings_.at(key));
    Answer answer;
    for (std::uint32_t attempt = 0; attempt < 4; ++attempt) {
      answer = site_.answer({.host = url->host(),
                             .target = url->request_target(),
                             .attempt = attempt,
                             .accepts_gzip = true});
      if (!answer.pace.is_cut() && answer.status != 429 && answer.status != 503) break;
    }
    if (answer.pace.is_cut()) return;
    visit.status = answer.status;
    visit.body = answer.body;
    if (const std::string location = field_of(answer, "Location"); !location.empty()) {
      visit.next_url = url->resolve(location)->href();
      return add(visit.next_url, visit.depth, false, true);
    }
    if (field_of(answer, "Content-Type").starts_with("text/html")) {
      if (field_of(answer, "Content-Encoding") == "gzip") answer.body = unpacked(answer.body);
      follow(*url, answer, visit.depth);
    }
  }

  void follow(const url::Url& url, const Answer& answer, std::uint32_t depth) {
    html::SniffOptions sniff;
    const std::string type = field_of(answer, "Content-Type");
    if (const std::size_t at = type.find("charset="); at != std::string::npos) {
      sniff.transport = html::encoding_from_label(type.substr(at + 8));
    }
    html::DecodingStream stream(sniff);
    std::string scratch;
    links_.clear();
    base_ = url;
    html::PageReader reader({.links = true, .facts = true}, *this);
    reader.feed(stream.decode(answer.body, scratch));
    reader.feed(stream.finish(scratch));
    reader.finish();
    EXPECT_EQ(stream.errors(), 0u) << url.href();
    const bool is_nofollow =
        !options_.follows_nofollow &&
        (field_of(answer, "X-Robots-Tag") == "nofollow" || !reader.facts().robots.empty());
    const bool is_deepest = options_.depth_max && depth >= *options_.depth_max;
    for (const auto& [text, kind, rel] : links_) {
      const auto target = url::Url::parse(text, &base_);
      if (!target) continue;
      if (kind == html::LinkKind::image || kind == html::LinkKind::style) {
        if (options_.with_assets) add(target->href(), depth + 1, true);
      } else if (kind == html::LinkKind::page && !is_nofollow && !is_deepest) {
        if (rel.has(html::Rel::nofollow) && !options_.follows_nofollow) continue;
        add(target->href(), depth + 1);
      }
    }
  }

  void link(const html::Link& link) override {
    links_.emplace_back(std::string(link.url), link.kind, link.rel);
  }
  void base(std::string_view href) override { base_ = *base_.resolve(href); }

  const Site& site_;
  const TruthOptions options_;
  url::CrawlIdentity identity_;
  std::set<std::string> scope_;
  std::map<std::string, robots::Robots> robots_;
  std::map<std::string, Visit> visits_;
  std::map<std::string, std::string> spellings_;
  std::set<std::string> done_;
  std::deque<std::string> queue_;
  std::vector<std::tuple<std::string, html::LinkKind, html::RelSet>> links_;
  url::Url base_;
};

// Returns the number of URLs.
std::size_t expect_truth(const Site& site, const TruthOptions& options) {
  std::map<std::string, TruthEntry> expected;
  for (TruthEntry& entry : site.truth(options).entries) {
    if (entry.must_fetch) expected.emplace(entry.url, std::move(entry));
  }
  const auto visits = Visitor(site, options).run();
  for (const auto& [url, visit] : visits) {
    EXPECT_TRUE(expected.contains(url)) << url << " was found and should not be";
    if (!expected.contains(url)) continue;
    EXPECT_EQ(visit.status, expected.at(url).status) << url;
    EXPECT_EQ(visit.next_url, expected.at(url).next_url) << url;
    EXPECT_EQ(visit.depth, expected.at(url).depth) << url;
  }
  for (const auto& [url, entry] : expected) EXPECT_TRUE(visits.contains(url)) << url;
  return visits.size();
}

TruthOptions drawn_truth(std::uint64_t seed, std::size_t hosts) {
  base::Random random(seed);
  TruthOptions options;
  if (random.chance(0.3)) options.roots.clear();
  for (std::uint32_t host = 0; options.roots.empty() && host < hosts; ++host) {
    options.roots.push_back(host);
  }
  options.crosses_hosts = random.chance(0.3);
  options.obeys_robots = random.chance(0.7);
  options.follows_nofollow = random.chance(0.3);
  options.uses_sitemaps = random.chance(0.3);
  options.with_assets = random.chance(0.5);
  options.with_documents = random.chance(0.7);
  if (random.chance(0.3)) options.depth_max = static_cast<std::uint32_t>(random.below(5));
  return options;
}

TEST(SiteTest, IsWhatItsTruthSays) {
  std::size_t urls = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SiteOptions options = drawn_site(seed);
    if (seed % 3 == 0) options.hosts = {"a.example", "b.example:8080", "c.example"};
    if (seed % 5 == 1) set_faults(options, FaultLevel::many);
    options.has_soft_404 = seed % 7 == 2;
    const Site site(options);
    SCOPED_TRACE("seed " + std::to_string(seed));
    urls += expect_truth(site, drawn_truth(seed, options.hosts.size()));
    if (HasFailure()) return;
  }
  EXPECT_GT(urls, 5'000u);
}

TEST(SiteTest, MatchesItsTruthInTheDemo) {
  const Site site(SiteOptions::demo(7));
  EXPECT_GT(expect_truth(site, {}), 400u);
  EXPECT_GT(expect_truth(site, {.obeys_robots = false,
                                .follows_nofollow = true,
                                .uses_sitemaps = true,
                                .with_assets = true}),
            550u);
}

TEST(SiteTest, IsTheSameForTheSameSeedOnly) {
  const Site one(SiteOptions::demo(7));
  const Site same(SiteOptions::demo(7));
  const Site other(SiteOptions::demo(8));
  const Question root = {.host = "site.example", .target = "/"};
  EXPECT_EQ(one.answer(root).body, same.answer(root).body);
  EXPECT_NE(one.answer(root).body, other.answer(root).body);
  EXPECT_EQ(one.truth().must_fetch(), same.truth().must_fetch());
}

TEST(SiteTest, NeedsNoMemoryForItsPages) {
  SiteOptions options;
  options.pages = 100'000'000;
  const Site site(options);
  const Resource last = {0, Kind::page, options.pages - 1};
  const std::string target = site.layout().target(last);
  EXPECT_EQ(site.answer({.host = "site.example", .target = target}).status, 200);
  EXPECT_EQ(site.layout().find(0, target), last);
}

TEST(SiteTest, ReachesEveryPageOfAPlainSite) {
  SiteOptions options;
  options.pages = 500;
  options.links_min = options.links_max = 0;  // the tree alone
  const Site site(options);
  EXPECT_EQ(site.truth().must_fetch().size(), 500u);
}

TEST(SiteTest, HasPagesOfAboutTheConfiguredSizeAndLinks) {
  const SiteOptions options;
  const Site site(options);
  std::uint64_t bytes = 0;
  std::uint64_t links = 0;
  for (std::uint64_t i = 0; i < options.pages; ++i) {
    const Resource page = {0, Kind::page, i};
    bytes += site.answer({.host = "", .target = site.layout().target(page)}).body.size();
    links += links_of(site.layout(), page).size();
  }
  EXPECT_NEAR(static_cast<double>(bytes) / 1000, 10'000, 500);
  EXPECT_NEAR(static_cast<double>(links) / 1000, 36, 2);
}

TEST(SiteTest, GivesACopyTheVeryBodyOfItsPage) {
  SiteOptions options;
  options.duplicates = 1;
  const Site site(options);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::string page = site.layout().target({0, Kind::page, i});
    const std::string copy = site.layout().target({0, Kind::copy, i});
    EXPECT_NE(page, copy);
    EXPECT_EQ(site.answer({.host = "", .target = page}).body,
              site.answer({.host = "", .target = copy}).body);
  }
}

TEST(SiteTest, GetsWellAfterAFewTries) {
  SiteOptions options;
  options.errors = 1;
  const Site site(options);
  std::set<int> seen;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Resource resource = {0, Kind::error, i};
    const Outcome outcome = site.layout().outcome(resource);
    const std::string target = site.layout().target(resource);
    const Answer first = site.answer({.host = "", .target = target});
    const Answer later = site.answer({.host = "", .target = target, .attempt = outcome.failures});
    EXPECT_EQ(later.status, outcome.status);
    EXPECT_EQ(first.is_steady, outcome.failures == 0);
    if (outcome.failures > 0) {
      EXPECT_EQ(first.status, outcome.failing_status);
      EXPECT_EQ(field_of(first, "Retry-After"), "1");
    }
    seen.insert(first.status);
  }
  EXPECT_THAT(seen, testing::ElementsAre(403, 410, 429, 500, 503));
}

TEST(SiteTest, AnswersFriendlyToWhatIsNotThereIfItIsSoft) {
  SiteOptions options;
  const Question question = {.host = "site.example", .target = "/no/such/thing"};
  EXPECT_EQ(Site(options).answer(question).status, 404);
  options.has_soft_404 = true;
  EXPECT_EQ(Site(options).answer(question).status, 200);
}

TEST(SiteTest, HasEndlessTrapsOnlyIfEnabled) {
  SiteOptions options;
  const Question maze = {.host = "", .target = "/maze/left/right/"};
  EXPECT_EQ(Site(options).answer(maze).status, 404);
  options.has_traps = true;
  const Site site(options);
  EXPECT_THAT(site.answer(maze).body, HasSubstr("href=\"left/\""));
  EXPECT_THAT(site.answer({.host = "", .target = "/calendar/2024/12/"}).body,
              HasSubstr("href=\"/calendar/2025/01/\""));
  EXPECT_NE(site.answer({.host = "", .target = "/shop/?item=1"}).body,
            site.answer({.host = "", .target = "/shop/?item=2"}).body);
}

TEST(SiteTest, AnswersOnlyToItsNamesIfItHasSeveral) {
  SiteOptions options;
  EXPECT_EQ(Site(options).answer({.host = "anything", .target = "/"}).status, 200);
  options.hosts = {"a.example", "b.example:80"};
  const Site site(options);
  EXPECT_EQ(site.answer({.host = "B.EXAMPLE", .target = "/"}).status, 200);
  EXPECT_EQ(site.answer({.host = "c.example", .target = "/"}).status, 421);
}

}  // namespace
}  // namespace gossamer::site

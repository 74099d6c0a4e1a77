// Similar pages of several sites, found by several loops and by several processes.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/job_story.h>
#include <tests/support/test_web.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "record/page_row.h"
#include "settings/crawl_settings.h"
#include "store/tables.h"

namespace gossamer::run {
namespace {

constexpr int kSites = 5;
constexpr int kTexts = 3;

// A text of 80 words. Copies of other sites differ in one of them.
std::string page_with_text(int text, int site) {
  std::string page = "<nav><a href=/>Home</a></nav><article><p>";
  for (int i = 0; i < 80; ++i) page += fmt::format("word{}of{}, ", i, text);
  return page + fmt::format("and site{}.</p></article>", site);
}

CrawlSettings begin_similar(crawler::TestWeb& web) {
  CrawlSettings settings("http://s0.test/");
  settings.roots.clear();
  for (int site = 0; site < kSites; ++site) {
    const std::string host = fmt::format("http://s{}.test/", site);
    settings.roots.push_back(host);
    web.page(host, {"/0", "/1", "/2"});
    for (int text = 0; text < kTexts; ++text) {
      web.at(fmt::format("{}{}", host, text), crawler::Reply{.body = page_with_text(text, site)});
    }
  }
  settings.finds_similar = true;
  return settings;
}

// Each text has one first page, and all other pages name it.
void expect_groups(const store::Tables& tables) {
  std::map<std::string, std::set<std::string>> similar;  // by text
  EXPECT_TRUE(tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
    const auto page = store::unpack_page(row);
    if (!page->url.ends_with(".test/")) similar[page->url.substr(15)].insert(page->similar_to);
    return true;
  }));
  EXPECT_EQ(similar.size(), static_cast<std::size_t>(kTexts));
  for (const auto& [text, firsts] : similar) {
    EXPECT_EQ(firsts.size(), 2U) << "of text " << text;
    EXPECT_TRUE(firsts.contains("")) << "of text " << text;
    EXPECT_TRUE(firsts.rbegin()->ends_with("/" + text)) << *firsts.rbegin();
  }
}

constexpr sim::JobStory kSimilar = {.begin = begin_similar, .expect = expect_groups};

TEST(JobSimilar, FindsSimilarPagesOnAllLoops) { sim::expect_on_every_number_of_loops(kSimilar); }

TEST(JobSimilar, KnowsThePagesOfAProcessThatWasKilled) { sim::expect_after_kills(kSimilar, 2, 5); }

}  // namespace
}  // namespace gossamer::run

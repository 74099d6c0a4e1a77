// Similar pages of several sites, found by several loops and by several processes.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/sim/job_process.h>
#include <tests/sim/seeds.h>
#include <tests/support/test_web.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/log.h"
#include "base/random.h"
#include "run/crawl_settings.h"
#include "store/page_row.h"
#include "tests/simulated/disk.h"

namespace gossamer::sim {
namespace {

constexpr int kSites = 5;
constexpr int kTexts = 3;

// A text of 80 words. Copies of other sites differ in one of them.
std::string page_with_text(int text, int site) {
  std::string page = "<nav><a href=/>Home</a></nav><article><p>";
  for (int i = 0; i < 80; ++i) page += fmt::format("word{}of{}, ", i, text);
  return page + fmt::format("and site{}.</p></article>", site);
}

class SimilarJob {
 public:
  explicit SimilarJob(std::uint32_t loops)
      : loops_(loops), storage_(std::make_shared<Disk>(DiskOptions{}, 1)) {}

  // One process. Returns whether it has finished.
  bool live(const Life& life) {
    ++options_.seed;
    crawler::TestWeb web(options_);
    web.disk = storage_.disk;
    run::CrawlSettings settings("http://s0.test/");
    settings.roots.clear();
    for (int site = 0; site < kSites; ++site) {
      const std::string host = fmt::format("http://s{}.test/", site);
      settings.roots.push_back(host);
      web.page(host, {"/0", "/1", "/2"});
      for (int text = 0; text < kTexts; ++text) {
        web.at(fmt::format("{}{}", host, text), crawler::Reply{.body = page_with_text(text, site)});
      }
    }
    settings.threads = loops_;
    settings.finds_similar = true;
    JobProcess process(std::move(settings), life, storage_, options_.seed);
    const auto crawled = web.visit([&process](crawler::World& world) {
      return process.run(*world.resolver, world.wall_start);
    });
    for (const std::string& each : crawled.problems) ADD_FAILURE() << each;
    operations_ = process.operations();
    if (!process.has_finished()) storage_.reopen();
    return process.has_finished();
  }

  // Each text has one first page, and all other pages name it.
  void expect_groups() {
    std::map<std::string, std::set<std::string>> similar;  // by text
    EXPECT_TRUE(storage_.tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
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
  std::uint64_t operations() const { return operations_; }

 private:
  SimOptions options_ = calm_options(1);
  const std::uint32_t loops_;
  support::SimulatedStorage storage_;
  std::uint64_t operations_ = 0;
};

TEST(JobSimilar, FindsSimilarPagesOnAllLoops) {
  base::set_log_level(base::LogLevel::error);
  for (const std::uint32_t loops : {1, 3}) {
    SimilarJob job(loops);
    EXPECT_TRUE(job.live({}));
    job.expect_groups();
  }
}

TEST(JobSimilar, KnowsThePagesOfAProcessThatWasKilled) {
  base::set_log_level(base::LogLevel::error);
  SimilarJob whole(2);
  ASSERT_TRUE(whole.live({}));
  for (std::uint64_t last = 5; last < whole.operations(); last += 5) {
    SCOPED_TRACE(fmt::format("killed before operation {}", last));
    SimilarJob job(2);
    EXPECT_FALSE(job.live({.death = Death::killed, .operations = last}));
    for (int tries = 0; tries < 5 && !job.live({}); ++tries) {
    }
    job.expect_groups();
  }
}

}  // namespace
}  // namespace gossamer::sim

// URLs of scripts that pages link to later, in one process and over several.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/sim/job_process.h>
#include <tests/support/test_web.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/log.h"
#include "run/crawl_settings.h"
#include "store/page_row.h"
#include "tests/simulated/disk.h"

namespace gossamer::sim {
namespace {

constexpr int kPages = 6;

class GuessJob {
 public:
  explicit GuessJob(std::uint32_t loops)
      : loops_(loops), storage_(std::make_shared<Disk>(DiskOptions{}, 1)) {}

  // One process. Returns whether it has finished.
  bool live(const Life& life) {
    ++options_.seed;
    crawler::TestWeb web(options_);
    web.disk = storage_.disk;
    run::CrawlSettings settings("http://a.test/");
    settings.roots.push_back("http://b.test/");
    web.at("http://a.test/", crawler::Reply{.body = "<a href=/1>1</a><script>f('/gone.html');"
                                                    "f('/only.html')</script>"});
    // The last page of this path links to the guess, long after it was fetched.
    for (int i = 1; i < kPages; ++i) {
      web.page(fmt::format("http://a.test/{}", i), {fmt::format("/{}", i + 1)});
    }
    web.page(fmt::format("http://a.test/{}", kPages), {"/gone.html", "/slow.html"});
    web.page("http://a.test/only.html", {"/only.html"});
    // A guess that is linked before it is fetched.
    web.at("http://b.test/", crawler::Reply{.body = "<a href=/1>1</a><script>f('/slow.html')"
                                                    "</script>"});
    web.page("http://b.test/1", {"/slow.html"});
    web.page("http://b.test/slow.html", {});
    settings.threads = loops_;
    settings.mines_scripts = true;
    JobProcess process(std::move(settings), life, storage_, options_.seed);
    const auto crawled = web.visit([&process](crawler::World& world) {
      return process.run(*world.resolver, world.wall_start);
    });
    for (const std::string& each : crawled.problems) ADD_FAILURE() << each;
    operations_ = process.operations();
    if (!process.has_finished()) storage_.reopen();
    return process.has_finished();
  }

  void expect_guesses() {
    std::map<std::string, bool> guesses;
    EXPECT_TRUE(storage_.tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
      const auto page = store::unpack_page(row);
      if (page->url.ends_with(".html")) guesses[page->url] = page->is_guess;
      return true;
    }));
    EXPECT_EQ(guesses, (std::map<std::string, bool>{{"http://a.test/gone.html", false},
                                                    {"http://a.test/only.html", true},
                                                    {"http://a.test/slow.html", false},
                                                    {"http://b.test/slow.html", false}}));
  }
  std::uint64_t operations() const { return operations_; }

 private:
  SimOptions options_ = calm_options(1);
  const std::uint32_t loops_;
  support::SimulatedStorage storage_;
  std::uint64_t operations_ = 0;
};

TEST(JobGuess, ALinkThatIsFoundLaterCounts) {
  base::set_log_level(base::LogLevel::error);
  for (const std::uint32_t loops : {1, 3}) {
    GuessJob job(loops);
    EXPECT_TRUE(job.live({}));
    job.expect_guesses();
  }
}

TEST(JobGuess, ALinkThatALaterProcessFindsCounts) {
  base::set_log_level(base::LogLevel::error);
  GuessJob whole(1);
  ASSERT_TRUE(whole.live({}));
  for (std::uint64_t last = 5; last < whole.operations(); last += 3) {
    SCOPED_TRACE(fmt::format("killed before operation {}", last));
    GuessJob job(1);
    EXPECT_FALSE(job.live({.death = Death::killed, .operations = last}));
    for (int tries = 0; tries < 5 && !job.live({}); ++tries) {
    }
    job.expect_guesses();
  }
}

}  // namespace
}  // namespace gossamer::sim

#include "tests/support/job_story.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/job_process.h>

#include <memory>
#include <string>

#include "base/log.h"
#include "tests/simulated/disk.h"

namespace gossamer::sim {
namespace {

// The crawl directory of a story, and its processes.
class StoryJob {
 public:
  StoryJob(const JobStory& story, std::uint32_t loops)
      : story_(story), loops_(loops), storage_(std::make_shared<Disk>(DiskOptions{}, 1)) {
    base::set_log_level(base::LogLevel::error);
  }

  // One process. Returns whether it has finished.
  bool live(const Life& life) {
    ++options_.seed;
    crawler::TestWeb web(options_);
    web.disk = storage_.disk;
    run::CrawlSettings settings = story_.begin(web);
    settings.threads = loops_;
    JobProcess process(std::move(settings), life, storage_, options_.seed);
    const auto crawled = web.visit([&process](crawler::World& world) {
      return process.run(*world.resolver, world.wall_start);
    });
    for (const std::string& each : crawled.problems) ADD_FAILURE() << each;
    operations_ = process.operations();
    if (!process.has_finished()) storage_.reopen();
    return process.has_finished();
  }

  void expect() const { story_.expect(storage_.tables); }
  std::uint64_t operations() const { return operations_; }

 private:
  const JobStory story_;
  SimOptions options_ = calm_options(1);
  const std::uint32_t loops_;
  support::SimulatedStorage storage_;
  std::uint64_t operations_ = 0;
};

}  // namespace

void expect_on_every_number_of_loops(const JobStory& story) {
  for (const std::uint32_t loops : {1, 3}) {
    StoryJob job(story, loops);
    EXPECT_TRUE(job.live({}));
    job.expect();
  }
}

void expect_after_kills(const JobStory& story, std::uint32_t loops, std::uint64_t step) {
  StoryJob whole(story, loops);
  ASSERT_TRUE(whole.live({}));
  for (std::uint64_t last = 5; last < whole.operations(); last += step) {
    SCOPED_TRACE(fmt::format("killed before operation {}", last));
    StoryJob job(story, loops);
    EXPECT_FALSE(job.live({.death = Death::killed, .operations = last}));
    for (int tries = 0; tries < 5 && !job.live({}); ++tries) {
    }
    job.expect();
  }
}

}  // namespace gossamer::sim

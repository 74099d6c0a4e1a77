#include "bench/store/archive_contestant.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "bench/crawl/loopback_world.h"
#include "bench/support/cpu.h"
#include "store/archive.h"
#include "store/archive_files.h"
#include "store/archiving_sink.h"

namespace gossamer::bench {
namespace {

// The child was bound to a core. Compression needs another one, and a real crawl is not bound.
void use_any_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) CPU_SET(i, &cores);
  sched_setaffinity(0, sizeof(cores), &cores);
}

std::vector<std::string> threads() {
  std::vector<std::string> ids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    ids.push_back(entry.path().filename());
  }
  return ids;
}

// "nanoseconds-on-a-cpu nanoseconds-waiting turns"
double cpu_us_of(const std::string& thread) {
  std::ifstream file("/proc/self/task/" + thread + "/schedstat");
  double ns = 0;
  file >> ns;
  return ns / 1000;
}

// One process that crawls, with as many compression threads as the program.
class Crawling {
 public:
  Crawling(const PageLoad& load, std::string folder)
      : load_(load),
        folder_(std::move(folder)),
        pool_(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4)),
        packing_threads_(threads()) {
    std::erase(packing_threads_, std::to_string(gettid()));
  }

  // The first crawl, with cold caches, is not counted. BORROWS: this and the cost.
  async::Task<Result<void>> run(ArchivingCost& cost) {
    if (auto done = co_await crawl(0); !done) co_return done;
    cost = now();
    for (std::uint64_t i = 1; i <= load_.rounds; ++i) {
      if (auto done = co_await crawl(i); !done) co_return done;
    }
    const ArchivingCost end = now();
    cost = {.pages = static_cast<double>(load_.answers()),
            .wall_us = end.wall_us - cost.wall_us,
            .loop_us = end.loop_us - cost.loop_us,
            .packing_us = end.packing_us - cost.packing_us,
            .process_us = end.process_us - cost.process_us,
            .archive_bytes = archive_bytes_};
    co_return {};
  }

 private:
  ArchivingCost now() const {
    ArchivingCost cost = {.wall_us = wall_ns() / 1000,
                          .loop_us = cpu_us_of(std::to_string(gettid())),
                          .process_us = process_cpu_ns() / 1000};
    for (const std::string& thread : packing_threads_) cost.packing_us += cpu_us_of(thread);
    return cost;
  }

  // BORROWS: this.
  async::Task<Result<void>> crawl(std::uint64_t number) {
    CountingSink sink;
    run::CrawlSettings settings(load_.site() + load_.root);
    settings.concurrency = PageLoad::kAtOnce;
    settings.web.client.keep_request = true;
    Result<void> done;
    if (folder_.empty()) {
      done = co_await crawl_once(std::move(settings), sink);
    } else {
      settings.keeps_captures = true;
      done = co_await crawl_into_archive(std::move(settings), sink, number);
    }
    if (!done) co_return done;
    CHECK(sink.pages() == load_.pages.size(), "{} pages instead of {}", sink.pages(),
          load_.pages.size());
    co_return {};
  }

  // With an archive of our own, whose threads are measured. BORROWS: this and the sink.
  async::Task<Result<void>> crawl_into_archive(run::CrawlSettings settings, CountingSink& sink,
                                               std::uint64_t number) {
    auto files = store::FolderFiles::open(folder_);
    if (!files) co_return fail(std::move(files).error());
    store::ArchiveOptions archiving;
    archiving.name = fmt::format("crawl-{}", number);
    archiving.seed = number;
    archiving.now = [] { return WallTime{.seconds = 1'700'000'000}; };
    auto archive = co_await store::Archive::open(*files, pool_, std::move(archiving));
    if (!archive) co_return fail(std::move(archive).error());
    store::ArchivingSink archiving_sink(**archive, sink);
    auto done = co_await crawl_once(std::move(settings), archiving_sink);
    if (!done) co_return done;
    if (auto closed = co_await (*archive)->close(); !closed) co_return closed;
    for (const std::string& name : (*archive)->closed_files()) {
      if (number == 0 || !name.starts_with(fmt::format("crawl-{}-", number))) continue;
      archive_bytes_ += static_cast<double>((*archive)->whole_length(name).value_or(0));
    }
    co_return {};
  }

  const PageLoad& load_;
  const std::string folder_;
  async::ThreadPool pool_;
  std::vector<std::string> packing_threads_;
  double archive_bytes_ = 0;
};

}  // namespace

ArchivingCost crawl_and_archive(const PageLoad& load, const std::string& folder) {
  use_any_core();
  ArchivingCost cost;
  Crawling crawling(load, folder);
  run_on(async::DriverKind::io_uring, crawling.run(cost));
  return cost;
}

}  // namespace gossamer::bench

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

// Keeps the pages of a crawl.
class KeepingSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    pages_.push_back(std::move(page));
    co_return {};
  }

  std::vector<crawler::Page> copies() const {
    std::vector<crawler::Page> copies;
    for (const crawler::Page& page : pages_) {
      crawler::Page& copy = copies.emplace_back();
      copy.record = page.record;
      if (page.capture) copy.capture = std::make_unique<crawler::Capture>(*page.capture);
    }
    return copies;
  }

 private:
  std::vector<crawler::Page> pages_;
};

// Several of these share the pages. BORROWS: both.
async::Task<Result<void>> put_all(crawler::PageSink& sink, std::vector<crawler::Page>& pages) {
  while (!pages.empty()) {
    crawler::Page page = std::move(pages.back());
    pages.pop_back();
    if (auto done = co_await sink.put(std::move(page)); !done) co_return done;
  }
  co_return {};
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

  // Stores the pages of one crawl. BORROWS: this and the cost.
  async::Task<Result<void>> store(ArchivingCost& cost) {
    KeepingSink kept;
    run::CrawlSettings settings = settings_of_crawl();
    settings.keeps_captures = true;
    if (auto done = co_await crawl_once(std::move(settings), kept); !done) co_return done;
    auto files = store::FolderFiles::open(folder_);
    if (!files) co_return fail(std::move(files).error());
    for (std::uint64_t i = 0; i <= load_.rounds; ++i) {
      std::vector<crawler::Page> pages = kept.copies();
      const auto count = static_cast<double>(pages.size());
      auto archive = co_await store::Archive::open(*files, pool_, options_of_archive(i));
      if (!archive) co_return fail(std::move(archive).error());
      CountingSink counting;
      store::ArchivingSink sink(**archive, counting);
      const double begin = now().loop_us;
      async::Scope workers;
      for (std::size_t k = 0; k < PageLoad::kAtOnce; ++k) workers.spawn(put_all(sink, pages));
      if (auto done = co_await workers.join(); !done) co_return done;
      if (auto closed = co_await (*archive)->close(); !closed) co_return closed;
      if (i == 0) continue;
      cost.loop_us += now().loop_us - begin;
      cost.pages += count;
    }
    co_return {};
  }

 private:
  run::CrawlSettings settings_of_crawl() const {
    run::CrawlSettings settings(load_.site() + load_.root);
    settings.concurrency = PageLoad::kAtOnce;
    settings.web.client.keep_request = true;
    return settings;
  }

  static store::ArchiveOptions options_of_archive(std::uint64_t number) {
    store::ArchiveOptions options;
    options.name = fmt::format("crawl-{}", number);
    options.seed = number;
    options.now = [] { return WallTime{.seconds = 1'700'000'000}; };
    return options;
  }

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
    run::CrawlSettings settings = settings_of_crawl();
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
    auto archive = co_await store::Archive::open(*files, pool_, options_of_archive(number));
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

ArchivingCost archive_alone(const PageLoad& load, const std::string& folder) {
  use_any_core();
  ArchivingCost cost;
  Crawling crawling(load, folder);
  run_on(async::DriverKind::io_uring, crawling.store(cost));
  return cost;
}

}  // namespace gossamer::bench

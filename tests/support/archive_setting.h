// For tests: an archive in a simulated world, and exchanges for it.
#pragma once

#include <tests/support/archive_contents.h>
#include <tests/support/simulated_archive_files.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/thread_pool.h"
#include "store/archive.h"
#include "tests/simulated/world.h"

namespace gossamer::support {

inline crawler::Exchange exchange_of(const std::string& path, const std::string& payload,
                                     const std::string& fields = "") {
  crawler::Exchange exchange;
  exchange.url = "http://a.example" + path;
  exchange.ts = {.seconds = 1'700'000'000};
  exchange.facts.protocol = "HTTP/1.1";
  exchange.capture.request_head = "GET " + path + " HTTP/1.1\r\nHost: a.example\r\n\r\n";
  exchange.capture.response_head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + "\r\n";
  exchange.capture.payload = payload;
  return exchange;
}

inline store::ArchiveOptions options_for(const std::string& name = "crawl") {
  store::ArchiveOptions options;
  options.name = name;
  options.now = [] { return WallTime{.seconds = 1'700'000'000}; };
  options.about.append("software", "gossamer");
  return options;
}

// A simulated world with a disk and everything an archive needs.
struct ArchiveSetting {
  explicit ArchiveSetting(sim::SimOptions given = sim::calm_options(),
                          std::shared_ptr<sim::Disk> disk = nullptr)
      : world(given, std::move(disk)), files(world.driver().disk()) {}

  sim::Disk& disk() { return *world.driver().disk(); }
  ArchiveContents contents(const std::string& name) {
    return read_archive(disk().content(name).value_or(""));
  }

  sim::World world;
  SimulatedArchiveFiles files;
  async::ThreadPool pool{0};
};

// Puts the exchanges one after the other and closes. BORROWS: all.
inline async::Task<Result<std::vector<store::ArchivePlace>>> archive_all(
    ArchiveSetting& setting, store::ArchiveOptions options,
    const std::vector<crawler::Exchange>& exchanges) {
  auto archive = co_await store::Archive::open(setting.files, setting.pool, std::move(options));
  if (!archive) co_return fail(std::move(archive).error());
  std::vector<store::ArchivePlace> places;
  for (const crawler::Exchange& exchange : exchanges) {
    auto place = co_await (*archive)->put(exchange);
    if (!place) co_return fail(std::move(place).error());
    places.push_back(std::move(*place));
  }
  auto closed = co_await (*archive)->close();
  if (!closed) co_return fail(std::move(closed).error());
  co_return places;
}

}  // namespace gossamer::support

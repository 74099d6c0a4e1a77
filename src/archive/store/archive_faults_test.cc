// Tests an archive on disks that fail, are full, or lose and tear unsynced data, and in a process
// that dies at any moment. Synced records always survive, and there are no partial records.

#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/seeds.h>
#include <tests/support/simulated_archive_files.h>

#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "base/random.h"
#include "store/archive.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"
#include "warc/verifier.h"

namespace gossamer::store {
namespace {

using support::SimulatedArchiveFiles;

crawler::Exchange exchange_of(int number, std::size_t payload_bytes) {
  base::Random random(static_cast<std::uint64_t>(number));
  crawler::Exchange exchange;
  exchange.url = "http://a.example/" + std::to_string(number);
  exchange.facts.protocol = "HTTP/1.1";
  exchange.capture.request_head = "GET / HTTP/1.1\r\n\r\n";
  exchange.capture.response_head = "HTTP/1.1 200 OK\r\n\r\n";
  for (std::size_t i = 0; i < payload_bytes; ++i) {
    exchange.capture.payload.push_back(static_cast<char>(random.next()));
  }
  return exchange;
}

ArchiveOptions small_files(std::uint64_t seed) {
  ArchiveOptions options;
  options.file_bytes_max = 5000;
  options.pending_bytes_max = 2000;
  options.seed = seed;
  options.now = [] { return WallTime{}; };
  return options;
}

// The results that the writer received.
struct Told {
  std::set<std::string> put;      // URLs whose put() succeeded
  std::set<std::string> durable;  // those followed by a successful sync()
};

// Puts one page after the other, and retries a few times if the disk is full.
async::Task<Result<void>> put_some(Archive& archive, int first, int count, Told& told) {
  for (int i = first; i < first + count; ++i) {
    const crawler::Exchange exchange = exchange_of(i, 100 + static_cast<std::size_t>(i) * 37 % 900);
    for (int tries = 0; tries < 3; ++tries) {
      auto place = co_await archive.put(exchange);
      if (place) {
        told.put.insert(exchange.url);
        break;
      }
      if (place.error() != Errc::no_space) co_return fail(std::move(place).error());
    }
    if (i % 3 != 0) continue;
    const std::set<std::string> before = told.put;
    if (auto synced = co_await archive.sync(); !synced) co_return synced;
    told.durable.insert(before.begin(), before.end());
  }
  co_return {};
}

// Three concurrent writers. BORROWS: all.
async::Task<Result<void>> write_archive(ArchiveFiles& files, async::ThreadPool& pool,
                                        std::uint64_t seed, Told& told) {
  auto archive = co_await Archive::open(files, pool, small_files(seed));
  if (!archive) co_return fail(std::move(archive).error());
  async::Scope writers(async::OnFailure::keep_going);
  for (int i = 0; i < 3; ++i) writers.spawn(put_some(**archive, i * 100, 8, told));
  static_cast<void>(co_await writers.join());
  auto closed = co_await (*archive)->close();
  if (closed) told.durable = told.put;
  co_return closed;
}

// BORROWS: both.
async::Task<Result<void>> only_open(ArchiveFiles& files, async::ThreadPool& pool) {
  auto archive = co_await Archive::open(files, pool, small_files(1));
  if (!archive) co_return fail(std::move(archive).error());
  co_return {};
}

// Returns the URLs of all responses in closed files, and checks that every record is complete.
std::set<std::string> check_archive(const sim::Disk& disk) {
  std::set<std::string> urls;
  for (const std::string& name : disk.names()) {
    EXPECT_FALSE(name.ends_with(".open")) << name;
    const auto contents = support::read_archive(*disk.content(name));
    EXPECT_TRUE(contents.faults.empty()) << name;
    for (const support::ArchivedRecord& record : contents.records) {
      warc::Verifier verifier(record.head);
      verifier.feed(as_bytes(record.block));
      verifier.finish(record.extent.is_whole);
      EXPECT_TRUE(record.extent.is_whole && verifier.is_good()) << record.head.raw;
      if (record.head.type != warc::RecordType::response) continue;
      EXPECT_TRUE(urls.insert(record.head.target_uri()).second) << "twice: " << record.head.raw;
    }
  }
  return urls;
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::ranges::includes(all, some);
}

// Runs the task for this many steps; then the machine dies.
void die_after(std::uint64_t steps, sim::World& world, async::Task<Result<void>> task) {
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  auto running_task = root.spawn(std::move(task));
  for (std::uint64_t i = 0; i < steps && !running_task.done(); ++i) world.loop().step();
  world.driver().disk()->unplug();
  world.driver().disk()->crash();
  while (!running_task.done()) world.loop().step();
  world.driver().disk()->plug_in();
}

sim::SimOptions draw_world(std::uint64_t seed) {
  sim::SimOptions options = sim::calm_options(seed);
  base::Random random = base::Random(seed).fork("disk");
  options.disk = sim::DiskOptions::stormy(random);
  if (random.chance(0.3)) options.disk.bytes_max = 3000 + random.below(12000);
  return options;
}

TEST(ArchiveFaults, KeepSyncedRecordsAndNoPartialOnes) {
  const sim::Seeds seeds = sim::seeds_to_run(400);
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    SCOPED_TRACE("GOSSAMER_SEED=" + std::to_string(seed));
    const sim::SimOptions options = draw_world(seed);
    base::Random random = base::Random(seed).fork("deaths");
    async::ThreadPool pool(0);
    auto disk = std::make_shared<sim::Disk>(options.disk, seed);
    Told told;
    {
      sim::World world(options, disk);
      SimulatedArchiveFiles files(disk);
      Told at_death;
      die_after(random.below(400), world, write_archive(files, pool, seed, at_death));
      // Results after the death do not count.
      told = std::move(at_death);
    }
    // The machine may also die during the repair, and its disk may fail.
    for (int tries = 0;; ++tries) {
      ASSERT_LT(tries, 50);
      sim::World world(options, disk);
      SimulatedArchiveFiles files(disk);
      if (tries == 0) {
        die_after(random.below(60), world, only_open(files, pool));
      } else if (world.run(only_open(files, pool))) {
        break;
      }
    }
    EXPECT_TRUE(includes(check_archive(*disk), told.durable));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ArchiveFaults, AreReportedAtEveryOperation) {
  for (const int error : {EIO, ENOSPC}) {
    for (std::uint64_t n = 1;; ++n) {
      SCOPED_TRACE("operation " + std::to_string(n) + " fails with " + std::to_string(error));
      sim::World world = sim::World::calm();
      const auto disk = world.driver().disk();
      SimulatedArchiveFiles files(disk);
      async::ThreadPool pool(0);
      Told told;
      disk->fail_operation(n, error);
      const bool is_closed = world.run(write_archive(files, pool, n, told)).has_value();
      const bool is_over = is_closed && told.put.size() == 24 && n > 80;
      ASSERT_TRUE(world.run(only_open(files, pool)));
      const std::set<std::string> there = check_archive(*disk);
      EXPECT_TRUE(
          includes(there, told.put));  // the machine survived, so unsynced records are there, too
      if (error == ENOSPC && is_closed) EXPECT_EQ(there.size(), 24U);
      if (testing::Test::HasFailure()) return;
      if (is_over) break;
    }
  }
}

// Reports every record that is in the file at the end.
async::Task<Result<void>> put_and_look() {
  auto& driver = static_cast<sim::SimDriver&>(async::Loop::current().driver());
  SimulatedArchiveFiles files(driver.disk());
  async::ThreadPool pool(0);
  Told told;
  auto done = co_await write_archive(files, pool, 1, told);
  for (const std::string& name : driver.disk()->names()) {
    const auto contents = support::read_archive(*driver.disk()->content(name));
    EXPECT_TRUE(contents.faults.empty()) << name;
  }
  co_return done;
}

TEST(ArchiveFaults, DoNotComeFromCancellation) {
  const auto steps = sim::for_every_cancellation_point([] { return put_and_look(); });
  EXPECT_GT(steps, 50U);
}

}  // namespace
}  // namespace gossamer::store

// A thousand worlds in which a crawl dies again and again, and goes on: nothing is lost, nothing is
// asked for twice but what was in flight or lost with the power, and the archive, on a disk that
// loses and tears what was not synced, has every page.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/crawl_worlds.h>
#include <tests/sim/job_process.h>
#include <tests/sim/seeds.h>
#include <tests/support/archive_contents.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "sim/world.h"
#include "store/page_row.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;
constexpr std::size_t kLivesMax = 6;  // later ones live for ever, if the disk lets them
// Faults of the disk that earlier lives did not meet are still to come.
constexpr std::size_t kSparesMax = 10;

constexpr std::uint64_t kHostBytes = 1600;  // of memory, for one host

// Some have more hosts than others.
Plan draw_job_plan(std::uint64_t seed) {
  Plan plan = draw_plan(seed);
  if (seed % 4 != 0) return plan;
  plan.site.pages = std::min<std::uint64_t>(plan.site.pages, 25);
  for (auto i = static_cast<std::uint32_t>(plan.site.hosts.size()); i < 8; ++i) {
    plan.site.hosts.push_back(fmt::format("host-{}.example", i));
    plan.truth.roots.push_back(i);
  }
  return plan;
}

// All lives of one crawl.
class Lives {
 public:
  Lives(const Plan& plan, std::uint64_t seed)
      : plan_(plan), seed_(seed), random_(base::Random(seed).fork("lives")) {
    storage_.disk = std::make_shared<Disk>(draw_disk(), seed);
  }

  Outcome live() {
    for (std::size_t life = 0; life < kLivesMax + kSparesMax && !has_finished_; ++life) {
      live_once(life, draw_life(life));
    }
    if (!has_finished_) problem("it never came to its end");
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    EXPECT_TRUE(tables_.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
      outcome_.records.push_back(store::unpack_page(row).value());
      return true;
    }));
    EXPECT_TRUE(tables_.scan(store::Table::waiting, {}, [&](auto, auto) {
      problem("something still waits");
      return true;
    }));
    judge_archive();
    return std::move(outcome_);
  }

  std::size_t deaths = 0;
  std::size_t repeats = 0;     // pages that were in flight at a death
  std::size_t lost = 0;        // pages that a power cut took from the archive
  std::size_t revisits = 0;    // payloads that others refer to
  std::size_t incomplete = 0;  // processes that gave up a host
  std::size_t away = 0;        // processes with hosts on disk alone at their end

 private:
  Life draw_life(std::size_t index) {
    Life life;
    life.is_first = index == 0;
    if (index <= kLivesMax) {
      life.outages = draw_outages(plan_, OutageLength::for_ever, random_);
    }
    if (random_.chance(0.5)) life.head_max = 1 + random_.below(4);
    life.shards = static_cast<std::uint32_t>(1 + random_.below(3));
    if (random_.chance(0.2)) life.file_bytes_max = 5000;
    if (random_.chance(0.6)) life.host_bytes_max = kHostBytes * (1 + random_.below(3));
    if (index + 1 >= kLivesMax) return life;
    life.death = static_cast<Death>(1 + random_.below(4));
    life.length = draw({10ms, plan_.is_stranger ? Duration(60s) : Duration(3s)}, random_);
    return life;
  }

  DiskOptions draw_disk() {
    DiskOptions options;
    options.delay = {10us, 2ms};
    options.short_transfer = random_.chance(0.3) ? 0.2 : 0;
    options.unsynced_survives = random_.chance(0.7) ? 0.5 : 0;
    return options;
  }

  void draw_faults(const Life& life) {
    if (life.death == Death::none) return;
    if (life.death == Death::failed_sync && random_.chance(0.5)) {
      tables_.fail_sync(1 + random_.below(3));
    } else if (life.death == Death::failed_sync) {
      storage_.disk->fail_operation(1 + random_.below(40), EIO);
    }
    if (random_.chance(0.3)) tables_.fail_write(1 + random_.below(40), Errc::no_space);
    if (random_.chance(0.3)) storage_.disk->fail_operation(1 + random_.below(40), ENOSPC);
  }

  void live_once(std::size_t index, const Life& life) {
    draw_faults(life);
    SimOptions options = plan_.world;
    options.seed = seed_ * 31 + index;
    World world(options, storage_.disk);
    JobProcess process(plan_, life, storage_, options.seed, wall_);
    world.run(process.run());
    EXPECT_EQ(world.loop().live_tasks(), 0u);
    has_finished_ = process.has_finished();
    judge_requests(process, life);
    lost += process.lost();
    incomplete += process.is_incomplete() ? 1 : 0;
    away += process.hosts_away() > 0 ? 1 : 0;
    wall_ = wall_ + (process.died() - process.begun());
    if (has_finished_) return;
    ++deaths;
    if (life.death == Death::power_cut || life.death == Death::failed_sync) {
      storage_.disk->crash();
      tables_.cut_power(random_.below(tables_.unsynced() + 1));
    }
    tables_.reopen();
  }

  void judge_requests(const JobProcess& process, const Life& life) {
    const std::set<std::string> now = pages_in(tables_);
    std::set<std::string> asked;
    std::set<std::string> in_flight;
    for (site::LogEntry entry : process.log()) {
      const std::string url = "http://" + entry.host + entry.target;
      const bool is_page = entry.target != "/robots.txt";
      if (is_page && process.done().contains(url)) problem("asked for again: " + url);
      if (is_page && !asked.insert(url).second && plan_.is_calm) problem("asked for twice: " + url);
      if (is_page && !now.contains(url)) in_flight.insert(url);
      entry.begun = Instant(entry.begun - process.begun() + wall_of_start());
      outcome_.log.push_back(std::move(entry));
    }
    repeats += in_flight.size();
    const std::size_t at_once = 64 * plan_.site.hosts.size();
    if (life.death == Death::killed && in_flight.size() > at_once) {
      problem(fmt::format("{} are lost at once", in_flight.size()));
    }
  }

  // Every file is whole, every page that has an answer is where its row says, and what stands for
  // another record has that.
  void judge_archive() {
    std::map<std::pair<std::string, std::uint64_t>, std::string> archived;  // URLs by places
    std::set<std::string, std::less<>> ids;
    std::set<std::string, std::less<>> originals;
    for (const std::string& name : storage_.disk->names()) {
      if (name.starts_with("nowhere/")) continue;  // of a process that was dead
      if (name.ends_with(".open")) problem(name + " is not closed");
      const auto contents = support::read_archive(*storage_.disk->content(name));
      if (!contents.faults.empty()) problem(name + " is damaged");
      for (const auto& [head, extent, block] : contents.records) {
        ids.emplace(head.record_id());
        if (const auto id = head.fields.find("WARC-Refers-To")) originals.emplace(*id);
        const bool is_revisit = head.type == warc::RecordType::revisit;
        if (!is_revisit && head.type != warc::RecordType::response) continue;
        archived[{name, extent.member_offset}] = head.target_uri();
      }
    }
    revisits += originals.size();
    for (const std::string& id : originals) {
      if (!ids.contains(id)) problem("not in the archive, and referred to: " + id);
    }
    for (const crawler::FetchRecord& record : outcome_.records) {
      if (!record.status) continue;
      if (!record.archive) {
        problem("not archived: " + record.url);
      } else if (archived[{record.archive->file, record.archive->offset}] != record.url) {
        problem("not in the archive where it is said to be: " + record.url);
      }
    }
  }

  Duration wall_of_start() const {
    return std::chrono::seconds(wall_.seconds - 1'700'000'000) + Duration(wall_.nanoseconds);
  }

  void problem(std::string text) { outcome_.problems.push_back(std::move(text)); }

  const Plan& plan_;
  const std::uint64_t seed_;
  base::Random random_;
  Storage storage_;
  store::SimulatedTables& tables_ = storage_.tables;
  WallTime wall_ = {.seconds = 1'700'000'000};
  bool has_finished_ = false;
  Outcome outcome_;
};

TEST(JobWorlds, WhateverKillsItTheCrawlGoesOnAndLosesNothing) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::size_t pages = 0;
  std::size_t deaths = 0;
  std::size_t repeats = 0;
  std::size_t lost = 0;
  std::size_t revisits = 0;
  std::size_t incomplete = 0;
  std::size_t away = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_job_plan(seed);
    Lives lives(plan, seed);
    const Outcome outcome = lives.live();
    Judge judge(plan, outcome);
    judge.check_records();
    judge.check_pauses();
    const std::vector<std::string> problems = judge.take_problems();
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
    pages += outcome.records.size();
    deaths += lives.deaths;
    repeats += lives.repeats;
    lost += lives.lost;
    revisits += lives.revisits;
    incomplete += lives.incomplete;
    away += lives.away;
  }
  fmt::print(
      "{} worlds: {} pages, {} deaths, {} in flight then, {} lost to power cuts, {} revisits, "
      "{} ends with unreachable hosts, {} with hosts on disk alone\n",
      count, pages, deaths, repeats, lost, revisits, incomplete, away);
  if (count < kSeeds) return;
  EXPECT_GT(deaths, count) << "these lives are too long to show anything";
  EXPECT_GT(repeats, count) << "nothing was in flight";
  EXPECT_GT(lost, count / 4) << "the archive always had what the tables said";
  EXPECT_GT(revisits, count / 4) << "no payload came twice";
  EXPECT_GT(incomplete, count / 20) << "no host was down for long";
  EXPECT_GT(away, count / 2) << "all hosts had room";
}

}  // namespace
}  // namespace gossamer::sim

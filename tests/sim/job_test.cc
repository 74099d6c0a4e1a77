// A crawl dies and resumes repeatedly in a thousand worlds. Nothing is lost, only requests in
// flight and pages lost in a power cut are fetched twice, and the archive has every page, on a disk
// that loses and tears unsynced data.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/crawl_worlds.h>
#include <tests/support/job_process.h>
#include <tests/support/seeds.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "record/page_row.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;
constexpr std::size_t kLivesMax = 6;  // later ones live for ever, if the disk lets them
// Faults of the disk that earlier lives did not meet are still to come.
constexpr std::size_t kSparesMax = 10;

constexpr std::uint64_t kHostBytes = 1600;   // of memory, for one host
constexpr std::uint64_t kTargetBytes = 640;  // of memory, for one URL that waits

// What a world has besides.
struct Extras {
  bool is_refreshed = false;  // when all is fetched, it is fetched again
  bool has_index = false;
  bool has_package = false;
  bool is_strict = false;  // synced after every page
};

// Some have more hosts than others, and some begin elsewhere.
Plan draw_job_plan(std::uint64_t seed) {
  Plan plan = draw_plan(seed);
  // What is found at a host that is not of the crawl yet has no depth, and its sitemap is unread.
  plan.has_front = seed % 3 == 0 && !plan.truth.depth_max && !plan.truth.uses_sitemaps;
  if (seed % 4 != 0) return plan;
  plan.site.pages = std::min<std::uint64_t>(plan.site.pages, 25);
  for (auto i = static_cast<std::uint32_t>(plan.site.hosts.size()); i < 8; ++i) {
    plan.site.hosts.push_back(fmt::format("host-{}.example", i));
    plan.truth.roots.push_back(i);
  }
  return plan;
}

DiskOptions draw_disk(base::Random& random) {
  DiskOptions options;
  options.delay = {10us, 2ms};
  options.short_transfer = random.chance(0.3) ? 0.2 : 0;
  options.unsynced_survives = random.chance(0.7) ? 0.5 : 0;
  return options;
}

// What all worlds together have shown.
struct Tally {
  std::size_t pages = 0;
  std::size_t deaths = 0;
  std::size_t at_operations = 0;  // of these, in the middle of something
  std::size_t repeats = 0;        // pages that were in flight at a death
  std::size_t lost = 0;           // pages that a power cut took from the archive
  std::size_t revisits = 0;       // payloads that others refer to
  std::size_t incomplete = 0;     // processes that gave up a host
  std::size_t away = 0;           // processes with hosts on disk alone
  std::size_t waits = 0;          // processes that waited for room
  std::size_t refreshed = 0;      // pages that were fetched again
  std::size_t fronts = 0;         // crawls whose root redirects
};

// All lives of one crawl.
class Lives {
 public:
  Lives(const Plan& plan, std::uint64_t seed, Tally& tally)
      : plan_(plan),
        site_(plan.site),
        seed_(seed),
        random_(base::Random(seed).fork("lives")),
        storage_(std::make_shared<Disk>(draw_disk(random_), seed)),
        tally_(tally) {
    extras_.is_refreshed = random_.chance(0.25);
    extras_.has_index = random_.chance(0.5);
    extras_.is_strict = random_.chance(0.15);
    extras_.has_package = random_.chance(0.3);
  }

  Outcome live() {
    live_until_all_is_there(false);
    if (extras_.is_refreshed && has_finished_) {
      const WallTime begun = wall_;
      live_until_all_is_there(true);
      judge_refresh(begun);
    }
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    outcome_.records = records();
    if (has_waiting(tables_)) problem("something still waits");
    judge_archive();
    tally_.pages += outcome_.records.size();
    tally_.fronts += plan_.has_front ? 1 : 0;
    return std::move(outcome_);
  }
  // Of all that happened.
  std::uint64_t trace() const { return trace_; }

 private:
  void live_until_all_is_there(bool refreshes) {
    live_until_finished(refreshes);
    if (has_finished_ && has_given_up_too_early()) live_until_finished(false);
  }

  void live_until_finished(bool refreshes) {
    has_finished_ = false;
    for (std::size_t life = 0; life < kLivesMax + kSparesMax && !has_finished_; ++life) {
      live_once(draw_life(life), refreshes);
    }
    if (!has_finished_) problem("it never came to its end: " + failure_);
  }

  Life draw_life(std::size_t index) {
    Life life;
    // Of some hosts, only pages that always fail are left. To give up the host is right then, but
    // the last processes try these pages as often as they may.
    is_patient_ = index > kLivesMax;
    outages_ = {};
    if (index <= kLivesMax) outages_ = draw_outages(plan_, OutageLength::for_ever, random_);
    if (random_.chance(0.5)) life.memory_bytes = kTargetBytes * (1 + random_.below(4));
    if (random_.chance(0.6)) life.host_bytes_max = kHostBytes * (1 + random_.below(3));
    if (index + 1 >= kLivesMax) return life;
    const Duration longest = plan_.is_stranger ? Duration(60s) : Duration(3s);
    life.death = static_cast<Death>(1 + random_.below(4));
    life.length = draw({10ms, longest}, random_);
    const bool is_sudden = life.death == Death::killed || life.death == Death::power_cut;
    if (is_sudden && random_.chance(0.5)) {
      life.length = Duration::max();
      life.operations = 1 + random_.below(random_.chance(0.3) ? 20 : 300);
    }
    if (random_.chance(0.3)) {
      life.full_from = draw({Duration::zero(), longest / 2}, random_);
      life.full_for = draw({Duration(100ms), 20s}, random_);
      life.room_when_full = random_.chance(0.3) ? 1'500'000 : 0;
    }
    return life;
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

  run::CrawlSettings draw_settings(bool refreshes) {
    run::CrawlSettings settings = crawl_settings(plan_, site_);
    settings.grace = 1s;
    settings.threads = static_cast<std::uint32_t>(1 + random_.below(3));
    settings.archive.max_size = random_.chance(0.2) ? 5000 : 30'000;
    settings.archive.drops_copies = true;
    settings.archive.has_index = extras_.has_index;
    settings.archive.has_package = extras_.has_package;
    settings.cookies.jar = "cookies.txt";
    if (is_patient_) settings.politeness.outage_max = 1000h;
    if (extras_.is_strict) settings.job.durability = store::Durability::strict;
    settings.job.refreshes = refreshes;
    return settings;
  }

  void live_once(const Life& life, bool refreshes) {
    draw_faults(life);
    SimOptions options = plan_.world;
    options.seed = seed_ * 31 + lives_++;
    Fate fate = {.seed = options.seed,
                 .random = base::Random(options.seed).fork("process"),
                 .wall_start = wall_,
                 .outages = outages_};
    const bool is_first = !storage_.configuration;
    World world(options, storage_.disk);
    JobProcess process(draw_settings(refreshes), life, storage_, options.seed);
    auto log = world.run(live_beside(plan_, site_, fate, [&](net::Resolver& names) {
      return process.run(names, fate.wall_start);
    }));
    EXPECT_EQ(world.loop().live_tasks(), 0u);
    trace_ = trace_ * 31 + world.driver().trace_hash();
    std::erase_if(log, [&](const site::LogEntry& entry) { return entry.begun > process.died(); });
    judge_requests(process, life, std::move(log), refreshes);
    if (process.start() && process.start()->is_resumed == is_first) {
      problem("it does not know whether it is the first");
    }
    has_finished_ = process.has_finished();
    failure_ = process.failure();
    tally_.lost += process.lost();
    tally_.incomplete += process.is_incomplete() ? 1 : 0;
    tally_.away += process.hosts_away() ? 1 : 0;
    tally_.waits += process.said().contains("waiting for free space") ? 1 : 0;
    wall_ = wall_ + (process.died() - process.begun());
    if (!has_finished_) end_life(life);
    storage_.reopen();
  }

  void end_life(const Life& life) {
    ++tally_.deaths;
    if (life.operations > 0) ++tally_.at_operations;
    const bool is_cut = life.death == Death::power_cut || life.death == Death::failed_sync;
    if (is_cut) storage_.cut_power(random_);
  }

  void judge_requests(const JobProcess& process, const Life& life, std::vector<site::LogEntry> log,
                      bool refreshes) {
    // A process that dies during the retries leaves the rest to the next one.
    retries_ = retries_ || (process.start() && process.start()->retried > 0);
    const std::set<std::string> now = pages_in(tables_);
    std::set<std::string> asked;
    std::set<std::string> in_flight;
    for (site::LogEntry& entry : log) {
      const std::string url = "http://" + entry.host + entry.target;
      const bool is_page = entry.target != "/robots.txt";
      const bool is_retried = retries_ && process.failed().contains(url);
      const bool is_done = process.done().contains(url) && !refreshes && !is_retried;
      if (is_page && is_done) problem("fetched again: " + url);
      const bool is_again = is_page && !asked.insert(url).second;
      if (is_again && plan_.is_calm && !redirects_to_itself(url)) problem("fetched twice: " + url);
      if (is_page && !now.contains(url)) in_flight.insert(url);
      entry.begun = Instant(entry.begun - process.begun() + wall_of_start());
      outcome_.log.push_back(std::move(entry));
    }
    tally_.repeats += in_flight.size();
    // Requests that have no response, and as many responses that wait for the disk.
    const std::size_t at_once = 2 * 64 * plan_.site.hosts.size();
    if (life.death == Death::killed && in_flight.size() > at_once) {
      problem(fmt::format("{} requests in flight are lost", in_flight.size()));
    }
  }

  // The server of each life answers a page that is unwell with 503 anew, but a job counts the
  // attempts of all lives. What failed for that reason is left to the next process.
  bool has_given_up_too_early() const {
    std::map<std::string, int> statuses;
    for (const site::TruthEntry& entry : site_.truth(plan_.truth).entries) {
      statuses.emplace(entry.url, entry.status);
    }
    return std::ranges::any_of(records(), [&](const crawler::FetchRecord& record) {
      const auto found = statuses.find(record.url);
      return record.status == 503 && found != statuses.end() && found->second != 503;
    });
  }

  // Such a page is fetched once more for each spelling of its URL, to see whether a cookie helps.
  bool redirects_to_itself(const std::string& url) const {
    const auto is_it = [&url](const site::TruthEntry& entry) {
      return entry.url == url && entry.next_url == url;
    };
    return std::ranges::any_of(site_.truth(plan_.truth).entries, is_it);
  }

  std::vector<crawler::FetchRecord> records() const {
    std::vector<crawler::FetchRecord> all;
    EXPECT_TRUE(tables_.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
      all.push_back(store::unpack_page(row).value());
      return true;
    }));
    return all;
  }

  // Every page was fetched once more.
  void judge_refresh(WallTime begun) {
    for (const crawler::FetchRecord& record : records()) {
      ++tally_.refreshed;
      if (record.confirmed.value_or(record.ts) < begun) problem("not refreshed: " + record.url);
    }
  }

  // Every file is whole, every page that has an answer is where its row says, and what stands for
  // another record has that.
  void judge_archive() {
    std::map<std::pair<std::string, std::uint64_t>, std::string> archived;  // URLs by places
    std::set<std::string, std::less<>> ids;
    std::set<std::string, std::less<>> originals;
    for (const std::string& name : storage_.disk->names()) {
      if (name.ends_with(".open")) problem(name + " is not closed");
      if (!name.ends_with(".warc.gz")) continue;
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
    tally_.revisits += originals.size();
    for (const std::string& id : originals) {
      if (!ids.contains(id)) problem("not in the archive, and referred to: " + id);
    }
    const std::string index = storage_.disk->content("crawl.cdxj").value_or("");
    const std::string package = storage_.disk->content("crawl.wacz").value_or("");
    if (extras_.has_package && has_finished_) judge_package(package);
    for (const crawler::FetchRecord& record : outcome_.records) {
      if (!record.status) continue;
      if (!record.archive) {
        problem("not archived: " + record.url);
      } else if (archived[{record.archive->file, record.archive->offset}] != record.url) {
        problem("not in the archive where it is said to be: " + record.url);
      } else if (extras_.has_index && !index.contains(place_in_index(*record.archive))) {
        problem("not in the index: " + record.url);
      }
    }
  }

  // Every archive is in it as it is on the disk.
  void judge_package(const std::string& package) {
    for (const std::string& name : storage_.disk->names()) {
      if (!name.ends_with(".warc.gz")) continue;
      const bool is_there = package.contains("archive/" + name + *storage_.disk->content(name));
      if (!is_there) problem("not in the package: " + name);
    }
  }

  static std::string place_in_index(const crawler::ArchivePlace& place) {
    return fmt::format(R"("offset": "{}", "filename": "{}")", place.offset, place.file);
  }

  Duration wall_of_start() const {
    return std::chrono::seconds(wall_.seconds - 1'700'000'000) + Duration(wall_.nanoseconds);
  }

  void problem(std::string text) { outcome_.problems.push_back(std::move(text)); }

  const Plan& plan_;
  const site::Site site_;
  const std::uint64_t seed_;
  base::Random random_;
  Extras extras_;
  support::SimulatedStorage storage_;
  store::SimulatedTables& tables_ = storage_.tables;
  Tally& tally_;
  std::vector<std::optional<Outage>> outages_;
  std::uint64_t lives_ = 0;
  std::uint64_t trace_ = 0;
  WallTime wall_ = {.seconds = 1'700'000'000};
  bool has_finished_ = false;
  bool is_patient_ = false;
  bool retries_ = false;  // a process has come to its end and left failures
  std::string failure_;   // of the last process
  Outcome outcome_;
};

TEST(JobWorlds, OneSeedIsOneRun) {
  base::set_log_level(base::LogLevel::error);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Plan plan = draw_job_plan(seed);
    Tally tally;
    Lives one(plan, seed, tally);
    Lives other(plan, seed, tally);
    EXPECT_EQ(one.live().problems, other.live().problems) << "seed " << seed;
    EXPECT_EQ(one.trace(), other.trace()) << "seed " << seed;
  }
}

TEST(JobWorlds, WhateverKillsItTheCrawlGoesOnAndLosesNothing) {
  base::set_log_level(base::LogLevel::error);
  const auto [first, count] = seeds_to_run(kSeeds);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_job_plan(seed);
    const Outcome outcome = Lives(plan, seed, tally).live();
    Judge judge(plan, outcome);
    judge.check_records();
    judge.check_pauses();
    const std::vector<std::string> problems = judge.take_problems();
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
  }
  fmt::print(
      "{} worlds: {} pages, {} deaths, {} of them at an operation of the disk, {} in flight then, "
      "{} lost to power cuts, {} revisits, {} ends with unreachable hosts, {} with hosts on disk "
      "alone, {} waits for room, {} pages refreshed, {} roots that redirect\n",
      count, tally.pages, tally.deaths, tally.at_operations, tally.repeats, tally.lost,
      tally.revisits, tally.incomplete, tally.away, tally.waits, tally.refreshed, tally.fronts);
  if (count < kSeeds) return;
  EXPECT_GT(tally.deaths, count) << "these lives are too long to show anything";
  EXPECT_GT(tally.at_operations, count / 4) << "no process died in the middle of something";
  EXPECT_GT(tally.repeats, count) << "nothing was in flight";
  EXPECT_GT(tally.lost, count / 4) << "the archive always had what the tables said";
  EXPECT_GT(tally.revisits, count / 4) << "no payload came twice";
  EXPECT_GT(tally.incomplete, count / 20) << "no host was down for long";
  EXPECT_GT(tally.away, count / 2) << "all hosts had room";
  EXPECT_GT(tally.waits, count / 4) << "no disk was full";
  EXPECT_GT(tally.refreshed, 2 * count) << "little was fetched again";
  EXPECT_GT(tally.fronts, count / 10) << "few roots redirect";
}

}  // namespace
}  // namespace gossamer::sim

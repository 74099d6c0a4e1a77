#include "run/job/job_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/packing.h"
#include "settings/crawl_arguments.h"
#include "store/job_repair.h"
#include "store/page_table.h"

namespace gossamer::run {
namespace {

// With less free space nothing is written, whatever the user sets: the tables need the rest.
constexpr std::uint64_t kRoomMin = 2 * 1024 * 1024;

// Lists the differences and what the user can do.
Error refusal(const JobSettings& settings, const std::vector<SettingChange>& changes) {
  std::vector<std::string_view> texts;
  for (const SettingChange& change : changes) texts.push_back(change.text);
  std::string advice = settings.advice;
  if (advice.empty()) {
    advice = fmt::format(
        "Use `gossamer resume {}` to continue with the old settings, or `change-settings` to use "
        "the new ones",
        settings.folder);
  }
  return {Errc::invalid_argument, fmt::format("{} was started with other settings: {}. {}",
                                              settings.folder, fmt::join(texts, "; "), advice)};
}

Result<void> compare_settings(JobHome& home, const JobSettings& settings) {
  if (home.is_new()) {
    if (settings.is_provisional) return {};
    return home.write_configuration(settings.configuration);
  }
  const auto kept = home.read_configuration();
  if (!kept) return fail(kept.error().copy());
  const auto changes = differences(settings.folder + "/job.toml", *kept, settings.configuration,
                                   settings::crawl_table());
  if (!changes) return fail(changes.error().copy());
  if (changes->empty()) {
    // The user accepted these settings, or gave them again.
    if (settings.is_provisional || !home.lacks_signature()) return {};
    return home.write_configuration(settings.configuration);
  }
  if (!settings.changes_settings) return fail(refusal(settings, *changes));
  // The stored queue is sorted by this order.
  const bool is_other_order =
      std::ranges::any_of(*changes, [](const SettingChange& each) { return each.key == "order"; });
  if (is_other_order) {
    return fail(Errc::invalid_argument, "the order of a crawl directory cannot be changed");
  }
  return home.write_configuration(settings.configuration);
}

}  // namespace

Result<std::unique_ptr<JobStore>> JobStore::open(const JobSettings& settings, Machine& machine) {
  auto home = machine.open_job(settings.folder);
  if (!home) return fail(std::move(home).error());
  const bool is_continued = !(*home)->is_new();
  const bool is_written = is_continued && !(settings.is_provisional && (*home)->lacks_signature());
  if (auto compared = compare_settings(**home, settings); !compared) {
    return fail(std::move(compared).error());
  }
  auto tables = (*home)->open_tables(run::memory_share(settings));
  if (!tables) return fail(std::move(tables).error());
  std::unique_ptr<JobStore> job(
      new JobStore(machine, std::move(*home), std::move(*tables), settings));
  job->is_continued_ = is_continued;
  if (settings.is_provisional && !is_written) job->provisional_ = settings.configuration;
  if (auto read = job->read_state(); !read) return fail(std::move(read).error());
  if (auto begun = job->begin_refresh(settings); !begun) return fail(std::move(begun).error());
  if (job->provisional_.empty()) {
    if (auto noted = job->note_configuration(); !noted) return fail(std::move(noted).error());
  }
  return job;
}

JobStore::JobStore(Machine& machine, std::unique_ptr<JobHome> home,
                   std::unique_ptr<store::Tables> tables, const JobSettings& settings)
    : machine_(machine),
      home_(std::move(home)),
      tables_(std::move(tables)),
      journal_(*tables_, settings.durability),
      memory_share_(run::memory_share(settings)),
      disk_reserve_(settings.disk_reserve) {}

JobStore::~JobStore() {
  if (!is_closed_ && !journal_.trouble()) static_cast<void>(close());
}

Result<void> JobStore::close() {
  is_closed_ = true;
  if (auto closed = tables_->close(); !closed) return closed;
  return home_->seal();
}

Result<void> JobStore::keep_configuration() {
  const std::string configuration = std::exchange(provisional_, {});
  if (configuration.empty()) return {};
  if (auto written = home_->write_configuration(configuration); !written) return written;
  return note_configuration();
}

// A repair restores it from there. It is written with the next commit.
Result<void> JobStore::note_configuration() {
  auto text = home_->read_configuration();
  if (!text) return fail(std::move(text).error());
  auto kept = tables_->get(store::Table::meta, store::kConfigurationKey);
  if (!kept) return fail(std::move(kept).error());
  if (*kept == *text) return {};
  const store::Journal::Lock lock = journal_.lock();
  journal_.pending().put(store::Table::meta, std::string(store::kConfigurationKey),
                         *std::move(text));
  return {};
}

Result<void> JobStore::read_state() {
  auto statistics = store::stored_statistics(*tables_);
  if (!statistics) return fail(std::move(statistics).error());
  before_ = std::move(*statistics);
  const auto state = tables_->get(store::Table::meta, kStateKey);
  if (!state) return fail(state.error().copy());
  had_ended_ = *state == "finished" || *state == "incomplete";
  if (!is_continued_ && *state) {
    return fail(Errc::malformed, fmt::format("{} is damaged: job.toml is missing", path()));
  }
  return {};
}

Result<void> JobStore::begin_refresh(const JobSettings& settings) {
  auto kept = tables_->get(store::Table::meta, kRefreshKey);
  if (!kept) return fail(std::move(kept).error());
  if (!*kept) {
    if (settings.refreshes && is_continued_) {
      refresh_ = {.start = machine_.now(), .older_than = settings.older_than, .from = {}};
    }
    return {};
  }
  store::Unpacker row(**kept);
  Refresh refresh;
  refresh.start = {.seconds = static_cast<std::int64_t>(row.number()),
                   .nanoseconds = static_cast<std::uint32_t>(row.number())};
  refresh.older_than = Duration(static_cast<Duration::rep>(row.number()));
  refresh.from = row.text();
  if (!row.is_good())
    return fail(Errc::malformed, "the tables contain an invalid start of a refresh");
  refresh.is_queued = refresh.from.empty();
  refresh_ = std::move(refresh);
  return {};
}

Result<std::vector<std::string>> JobStore::orders() const {
  std::vector<std::string> orders;
  auto read = tables_->scan(store::Table::meta, kOrderKey, [&](std::string_view key, auto) {
    if (!key.starts_with(kOrderKey)) return false;
    orders.emplace_back(key.substr(kOrderKey.size()));
    return true;
  });
  if (!read) return fail(std::move(read).error());
  return orders;
}

Result<void> JobStore::change_order(const std::string& order, bool is_wanted) {
  const std::string key = std::string(kOrderKey) + order;
  const auto note = [&](bool is_there) {
    if (is_there) {
      journal_.pending().put(store::Table::meta, key, "");
    } else {
      journal_.pending().remove(store::Table::meta, key);
    }
  };
  const store::Journal::Lock lock = journal_.lock();
  const auto before = tables_->get(store::Table::meta, key);
  if (!before) return fail(before.error().copy());
  note(is_wanted);
  journal_.commit();
  auto trouble = journal_.trouble();
  if (!trouble) return {};
  // What is pending is written when there is room. The user is told that nothing has changed.
  note(before->has_value());
  return fail(std::move(*trouble));
}

bool JobStore::has_room() const {
  const auto bytes = home_->free_bytes();
  return !bytes || *bytes >= std::max(disk_reserve_, kRoomMin);
}

bool fit_to_job(CrawlSettings& settings, const JobStore& job) {
  if (settings.cluster.is_shared()) return true;  // the limits are those of all nodes
  if (job.refresh()) {
    const auto threads = std::exchange(settings.threads, 1);
    settings.concurrency *= threads;
    settings.body_memory_max *= threads;
    settings.host_bytes_max *= threads;
    settings.pages_max.reset();  // refetched pages were counted already
  }
  if (!settings.pages_max) return true;
  *settings.pages_max -= std::min(*settings.pages_max, job.before().pages);
  return *settings.pages_max > 0;
}

}  // namespace gossamer::run

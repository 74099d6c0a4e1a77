#include "cli/crawl_job.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/log.h"
#include "cli/cookie_file.h"
#include "cli/wall_clock.h"
#include "crawl/record.h"
#include "crawl/site_number.h"
#include "store/kept_payloads.h"
#include "store/kill_point.h"
#include "store/lost_pages.h"
#include "store/packing.h"
#include "store/page_row.h"

namespace gossamer::cli {
namespace {

// A power cut costs what was fetched since the last sync, which is fetched again.
constexpr Duration kSyncEvery = 1s;
constexpr Duration kLookEvery = 500ms;
constexpr std::string_view kStateKey = "state";
// The refresh that is under way.
constexpr std::string_view kRefreshKey = "refresh";
// Where the roots led when their pages were lost.
constexpr std::string_view kRootPlacesKey = "root-places";
constexpr std::string_view kCookieFileKey = "cookie-file ";  // and its name
// Pages that are queued together; if the process dies, those of them that were done already are
// asked for once more.
constexpr std::size_t kRefreshAtOnce = 8;

// With less than this nothing is written, whatever the user says: the tables need the rest.
constexpr std::uint64_t kRoomMin = 2 * 1024 * 1024;

// Of a target in memory. A quarter of the budget is for these, one for RocksDB, one for hosts and
// one for the URLs that were seen.
constexpr std::uint64_t kTargetBytes = 80;

std::string_view state_after(crawl::EndReason end) {
  switch (end) {
    case crawl::EndReason::finished: return "finished";
    case crawl::EndReason::incomplete: return "incomplete";
    default: return "stopped";
  }
}

// Says what is different, and what can be done about it.
Error refusal(const std::string& folder, const std::vector<std::string>& differences) {
  return {Errc::invalid_argument,
          fmt::format("{} was started with other settings: {}. `gossamer resume {}` continues with "
                      "the old settings, --change-settings with the new ones",
                      folder, fmt::join(differences, "; "), folder)};
}

// Whether another try may end differently: the network or the server failed, not the page.
bool is_worth_retrying(std::string_view error, int status) {
  constexpr std::array<std::string_view, 7> kFinal = {"denied",
                                                      "malformed",
                                                      "over_limit",
                                                      crawl::kRedirectLoop,
                                                      crawl::kTooManyRedirects,
                                                      crawl::kBadRedirect,
                                                      crawl::kUnwantedType};
  if (!error.empty()) return std::ranges::find(kFinal, error) == kFinal.end();
  return status == 408 || status == 429 || status >= 500;
}

bool has_failures(const crawl::Statistics& statistics) {
  return std::ranges::any_of(
             statistics.by_error,
             [](const auto& counted) { return is_worth_retrying(counted.first, 0); }) ||
         std::ranges::any_of(statistics.by_status, [](const auto& counted) {
           return is_worth_retrying({}, counted.first);
         });
}

// Nanoseconds since 1970; 0: there is no such file.
std::int64_t changed_at(const std::string& file) {
  struct stat facts = {};
  if (file.empty() || stat(file.c_str(), &facts) != 0) return 0;
  return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
}

Result<void> compare_settings(const store::JobFolder& folder, const JobArguments& arguments,
                              const std::string& asked) {
  if (folder.is_new()) return folder.write_configuration(asked);
  const auto kept = folder.read_configuration();
  if (!kept) return fail(kept.error().copy());
  const std::vector<std::string> changes = differences(*kept, asked);
  if (changes.empty()) return {};
  if (!arguments.changes_settings) return fail(refusal(folder.path(), changes));
  // What waits is kept in that order.
  const bool is_other_order = std::ranges::any_of(
      changes, [](const std::string& change) { return change.starts_with("order "); });
  if (is_other_order) {
    return fail(Errc::invalid_argument, "the order of a crawl directory cannot be changed");
  }
  return folder.write_configuration(asked);
}

}  // namespace

Result<std::unique_ptr<CrawlJob>> CrawlJob::open(const JobArguments& arguments,
                                                 const crawl::Settings& settings, WallTime now) {
  auto folder = store::JobFolder::open(arguments.folder, store::JobFolder::Access::write);
  if (!folder) return fail(std::move(folder).error());
  const bool is_new = folder->is_new();
  auto compared = compare_settings(*folder, arguments, job_text(arguments, settings.roots));
  if (!compared) return fail(std::move(compared).error());
  store::pass_kill_point("job-settings");
  auto tables =
      store::RocksTables::open(folder->tables(), {.memory_bytes = arguments.memory_bytes / 4});
  if (!tables) return fail(std::move(tables).error());
  store::pass_kill_point("job-opened");
  auto statistics = store::kept_statistics(**tables);
  if (!statistics) return fail(std::move(statistics).error());
  std::unique_ptr<CrawlJob> job(new CrawlJob(std::move(*folder), std::move(*tables), arguments));
  job->is_continued_ = !is_new;
  job->before_ = std::move(*statistics);
  const auto state = job->tables_->get(store::Table::meta, kStateKey);
  if (!state) return fail(state.error().copy());
  job->had_ended_ = *state == "finished" || *state == "incomplete";
  if (auto begun = job->begin_refresh(arguments, now); !begun)
    return fail(std::move(begun).error());
  return job;
}

CrawlJob::CrawlJob(store::JobFolder folder, std::unique_ptr<store::RocksTables> tables,
                   const JobArguments& arguments)
    : folder_(std::move(folder)),
      tables_(std::move(tables)),
      ledger_(*tables_, arguments.durability),
      memory_bytes_(arguments.memory_bytes),
      disk_reserve_(arguments.disk_reserve),
      payloads_(std::make_unique<store::KeptPayloads>(ledger_)),
      cookies_(ledger_) {}

CrawlJob::~CrawlJob() = default;

// One that an earlier run has begun is brought to its end first.
Result<void> CrawlJob::begin_refresh(const JobArguments& arguments, WallTime now) {
  auto kept = tables_->get(store::Table::meta, kRefreshKey);
  if (!kept) return fail(std::move(kept).error());
  if (*kept) {
    store::Unpacker row(**kept);
    refresh_start_ = WallTime{.seconds = static_cast<std::int64_t>(row.number()),
                              .nanoseconds = static_cast<std::uint32_t>(row.number())};
    older_than_ = Duration(static_cast<Duration::rep>(row.number()));
    refresh_from_ = row.text();
    if (!row.is_good()) return fail(Errc::malformed, "the tables: no beginning of a refresh");
    begins_refresh_ = !refresh_from_.empty();
  } else if (arguments.refreshes && is_continued_) {
    refresh_start_ = now;
    begins_refresh_ = true;
    older_than_ = arguments.older_than;
  }
  return {};
}

crawl::PageSink& CrawlJob::keep(crawl::PageSink& next, const crawl::Settings& settings) {
  // Until it says otherwise at its end.
  {
    const store::Ledger::Lock lock = ledger_.lock();
    ledger_.pending().put(store::Table::meta, std::string(kStateKey), "interrupted");
  }
  pages_ = std::make_unique<store::PageTable>(ledger_, settings.identity, next);
  if (refresh_start_) pages_->begin_refresh(*refresh_start_);
  if (ledger_.durability() == store::Durability::strict) {
    pages_->before_note([this] { return sync_archive(); });
  }
  return *pages_;
}

crawl::Backlog& CrawlJob::backlog(const crawl::Settings& settings, Times times,
                                  std::uint32_t loops) {
  work_ = std::make_unique<store::KeptWork>(
      ledger_, store::KeptWorkOptions{.order = settings.order,
                                      .wall_start = times.wall_start,
                                      .loop_start = times.loop_start,
                                      .now = [] { return async::Loop::current().now(); },
                                      .heads_max = memory_bytes_ / 4 / kTargetBytes});
  for (std::uint32_t i = 0; i < loops; ++i) {
    auto& share = shares_.emplace_back(
        std::make_unique<store::KeptShare>(*work_, crawl::SiteShare{.index = i, .count = loops}));
    auto& runs = seen_runs_.emplace_back(std::make_unique<store::RunFile>(folder_.path()));
    share->give_seen(memory_bytes_ / 4 / loops, *runs);
  }
  return *shares_.front();
}

// Asks for a page once more.
void CrawlJob::ask_for(crawl::Frontier& frontier, const crawl::FetchRecord& record) {
  const auto url = url::Url::parse(record.url);
  if (!url) return;
  crawl::Target facts;
  facts.depth = static_cast<std::uint16_t>(record.depth);
  facts.is_requisite = record.is_requisite;
  facts.is_leaf = record.is_leaf;
  if (!record.via.empty()) facts.via = crawl::Referrer(record.via);
  facts.is_root = record.via.empty() && record.depth == 0;
  facts.is_sitemap = record.via.ends_with("/robots.txt");
  const crawl::SiteShare first = {.index = 0, .count = static_cast<std::uint32_t>(shares_.size())};
  if (first.has(crawl::site_number(url->hostname()))) {
    return frontier.discover_again(*url, std::move(facts));
  }
  facts.url = url->without_fragment();
  work_->leave_letter(facts);
}

crawl::Hooks CrawlJob::asking_for_changes(crawl::Hooks hooks) {
  hooks.edit_request = [this,
                        edit = std::move(hooks.edit_request)](http::Request& request) mutable {
    if (edit) edit(request);
    const auto known = pages_->find(request.url);
    const bool is_there = known && known->status && *known->status >= 200 && *known->status < 300;
    if (!is_there) return;
    if (!known->etag.empty()) request.fields.push_back({"If-None-Match", known->etag});
    if (!known->last_modified.empty()) {
      request.fields.push_back({"If-Modified-Since", known->last_modified});
    }
  };
  return hooks;
}

// Found in the pages; and kept, for as long as the pages of which that was known are gone.
Result<std::vector<CrawlJob::RootPlace>> CrawlJob::root_places(
    const crawl::Settings& settings) const {
  std::vector<RootPlace> places;
  const std::unordered_set<std::string_view> roots(settings.roots.begin(), settings.roots.end());
  auto kept = tables_->get(store::Table::meta, kRootPlacesKey);
  if (!kept) return fail(std::move(kept).error());
  const std::string texts = kept->value_or("");
  for (store::Unpacker row(texts); !row.is_at_end();) {
    const std::string root(row.text());
    const std::string place(row.text());
    if (!row.is_good()) break;
    if (roots.contains(root)) places.push_back({root, place});
  }
  std::unordered_set<std::string> known;
  for (const RootPlace& place : places) known.insert(place.place);
  for (const std::string& root : settings.roots) {
    auto url = crawl::parse_root(root);
    for (std::uint32_t hops = 0; url && hops <= settings.redirects_max; ++hops) {
      const auto record = pages_->find(*url);
      if (!record || record->next_url.empty()) break;
      if (known.insert(record->next_url).second) places.push_back({root, record->next_url});
      url = url::Url::parse(record->next_url);
    }
  }
  return places;
}

Result<std::vector<std::string>> CrawlJob::where_roots_lead(const crawl::Settings& settings) const {
  auto found = root_places(settings);
  if (!found) return fail(std::move(found).error());
  std::vector<std::string> places;
  for (RootPlace& each : *found) places.push_back(std::move(each.place));
  return places;
}

Result<void> CrawlJob::refresh(crawl::Frontier& frontier) {
  // Without room it waits when it has begun.
  if (ledger_.trouble() && *ledger_.trouble() != Errc::no_space) {
    return fail(ledger_.trouble()->copy());
  }
  if (!begins_refresh_) return {};
  const WallTime oldest = *refresh_start_ + -older_than_;
  std::size_t count = 0;
  const auto queue = [&](std::string_view key, std::string_view row) {
    const auto record = store::unpack_page(row);
    if (!record) return true;
    // What is later than the beginning came before the clock was set back: of any age.
    const WallTime last = record->confirmed.value_or(record->ts);
    if (last > oldest && last <= *refresh_start_) return true;
    ask_for(frontier, *record);
    if (++count % kRefreshAtOnce != 0) return true;
    note_refresh(std::string(key) + '\0');
    ledger_.commit();
    return !ledger_.trouble();
  };
  auto read = tables_->scan(store::Table::pages, refresh_from_, queue);
  if (!read) return read;
  if (!ledger_.trouble()) note_refresh({});
  ledger_.commit();
  if (ledger_.trouble()) return fail(ledger_.trouble()->copy());
  return {};
}

Result<std::size_t> CrawlJob::retry_failures(crawl::Frontier& frontier) {
  if (!had_ended_ || refresh_start_ || !has_failures(pages_->statistics())) return 0;
  std::size_t count = 0;
  auto read = tables_->scan(store::Table::pages, {}, [&](std::string_view, std::string_view row) {
    const auto record = store::unpack_page(row);
    if (!record || !is_worth_retrying(record->error, record->status.value_or(0))) return true;
    ask_for(frontier, *record);
    if (++count % kRefreshAtOnce == 0) ledger_.commit();
    return !ledger_.trouble();
  });
  if (!read) return fail(std::move(read).error());
  ledger_.commit();
  return count;
}

// How far it has come: the first page that is not asked for yet; empty: all are.
void CrawlJob::note_refresh(std::string_view from) {
  store::Packer row;
  row.number(static_cast<std::uint64_t>(refresh_start_->seconds));
  row.number(refresh_start_->nanoseconds);
  row.number(static_cast<std::uint64_t>(older_than_.count()));
  row.text(from);
  const store::Ledger::Lock lock = ledger_.lock();
  ledger_.pending().put(store::Table::meta, std::string(kRefreshKey), std::move(row).take());
}

void CrawlJob::settle(ArchivePlan& plan, const crawl::Settings& settings) {
  plan.before_first_file = [this, &settings](const store::Archive& archive) {
    return put_back_lost(archive, settings);
  };
  plan.stored_before = [this](const crawl::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    const auto known = url ? pages_->find(*url) : std::nullopt;
    if (!known) return std::optional<store::NotModified>();
    return std::optional(store::NotModified{
        .original = {.record_id = {}, .target_uri = known->url, .date = known->ts}, .payload = {}});
  };
  plan.known = payloads_.get();
  plan.has_room = [this] { return has_room(); };
  plan.space_patience = Duration::max();
}

Result<void> CrawlJob::put_back_lost(const store::Archive& archive,
                                     const crawl::Settings& settings) {
  auto found = root_places(settings);
  if (!found) return fail(std::move(found).error());
  store::Packer places;
  for (const RootPlace& each : *found) {
    places.text(each.root);
    places.text(each.place);
  }
  store::Batch beside;
  beside.put(store::Table::meta, std::string(kRootPlacesKey), std::move(places).take());
  const auto length = [&archive](std::string_view file) { return archive.whole_length(file); };
  auto lost = store::put_back_lost_pages(*tables_, settings.order, length, std::move(beside));
  if (!lost) return fail(std::move(lost).error());
  pages_->recall_statistics();
  if (*lost > 0) {
    LOG(warn, "{} pages were not in the archive any more: they are asked for again", *lost);
  }
  return {};
}

// Since it was read for this crawl.
bool CrawlJob::has_changed(const std::string& cookie_file) {
  const store::Ledger::Lock lock = ledger_.lock();
  const auto [known, is_new] = has_changed_.try_emplace(cookie_file, false);
  if (!is_new) return known->second;
  const std::int64_t now = changed_at(cookie_file);
  std::string key = std::string(kCookieFileKey) + cookie_file;
  const auto before = tables_->get(store::Table::meta, key);
  const bool is_known = before && *before && store::Unpacker(**before).signed_number() == now;
  known->second = !is_known;
  store::Packer row;
  row.signed_number(now);
  ledger_.pending().put(store::Table::meta, std::move(key), std::move(row).take());
  return known->second;
}

void CrawlJob::keep_cookies(wire::CookieJar& cookies, std::size_t loop,
                            std::span<const std::string> files) {
  const auto load = [&](bool have_changed) {
    for (const std::string& file : files) {
      if (!file.empty() && has_changed(file) == have_changed) load_cookies(file, cookies);
    }
  };
  load(false);
  cookies_.keep(cookies,
                {.index = static_cast<std::uint32_t>(loop),
                 .count = static_cast<std::uint32_t>(shares_.size())},
                wall_now());
  load(true);
}

void CrawlJob::watch(async::Scope& watchers, store::Archive* archive, Watched watched) {
  archive_ = archive;
  watched_ = std::move(watched);
  // Whichever loop has met it.
  ledger_.on_trouble([this, &loop = async::Loop::current()] {
    loop.post([this] {
      auto trouble = ledger_.trouble();
      if (!watched_.give_up) return;  // it has ended
      if (trouble && *trouble != Errc::no_space) watched_.give_up(std::move(*trouble));
    });
  });
  if (ledger_.durability() == store::Durability::group) watchers.spawn(sync_often());
  watchers.spawn(watch_room());
}

async::Task<Result<void>> CrawlJob::sync_archive() {
  if (archive_ == nullptr) co_return {};
  co_return co_await archive_->sync();
}

async::Task<Result<void>> CrawlJob::sync_often() {
  for (;;) {
    if (auto slept = co_await async::sleep(kSyncEvery); !slept) co_return slept;
    if (!ledger_.is_dirty()) continue;
    auto synced = co_await sync();
    if (synced || synced.error() == Errc::cancelled) continue;
    watched_.give_up(std::move(synced).error());
    co_return {};
  }
}

// The archive first: what the tables say of it is to be there.
async::Task<Result<void>> CrawlJob::sync() {
  store::pass_kill_point("sync-archive");
  if (auto synced = co_await sync_archive(); !synced) co_return synced;
  store::pass_kill_point("sync-tables");
  ledger_.begin_sync();
  auto synced = co_await syncer_.run([this] { return tables_->sync(); });
  if (!synced && synced.error() != Errc::cancelled) ledger_.fail_with(synced.error().copy());
  store::pass_kill_point("synced");
  co_return synced;
}

bool CrawlJob::has_room() {
  const auto bytes = folder_.free_bytes();
  return !bytes || *bytes >= std::max(disk_reserve_, kRoomMin);
}

async::Task<Result<void>> CrawlJob::watch_room() {
  bool is_paused = false;
  for (;;) {
    auto trouble = ledger_.trouble();
    if (trouble && *trouble != Errc::no_space) {
      watched_.give_up(std::move(*trouble));
      co_return {};
    }
    const bool is_full = !has_room() || trouble;
    if (is_full && !is_paused) {
      watched_.say(fmt::format("{}: the disk is nearly full; waiting for room", folder_.path()));
      watched_.pause();
      is_paused = true;
    }
    if (auto slept = co_await async::sleep(kLookEvery); !slept) co_return slept;
    if (!is_paused || !has_room() || !ledger_.try_again()) continue;
    watched_.say(fmt::format("{}: there is room again", folder_.path()));
    watched_.resume();
    is_paused = false;
  }
}

async::Task<Result<void>> CrawlJob::finish(crawl::EndReason end) {
  ledger_.on_trouble({});
  watched_ = {};
  if (ledger_.trouble()) static_cast<void>(ledger_.try_again());
  if (ledger_.trouble()) co_return fail(ledger_.trouble()->copy());
  {
    const store::Ledger::Lock lock = ledger_.lock();
    ledger_.pending().put(store::Table::meta, std::string(kStateKey),
                          std::string(state_after(end)));
    const bool has_finished = end == crawl::EndReason::finished;
    if (has_finished) ledger_.pending().remove(store::Table::meta, std::string(kRefreshKey));
    ledger_.commit();
  }
  if (ledger_.trouble()) co_return fail(ledger_.trouble()->copy());
  co_return co_await sync();
}

}  // namespace gossamer::cli

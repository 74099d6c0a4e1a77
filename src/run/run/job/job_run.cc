#include "run/job/job_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/packing.h"
#include "record/page_row.h"
#include "report/phrases.h"
#include "run/machine/cookie_file.h"
#include "store/work_recall.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

// A power cut loses the pages since the last sync; they are fetched again.
constexpr Duration kSyncEvery = 1s;
constexpr Duration kLookEvery = 500ms;
constexpr std::string_view kCookieFileKey = "cookie-file ";  // followed by its name
// Pages are queued again in batches, each with one commit. If the crawl is interrupted, finished
// pages of an unfinished batch are fetched again.
constexpr std::size_t kQueuedAtOnce = 8;
// The memory of a queued URL. The queue has one share of the budget (memory_share()).
constexpr std::uint64_t kTargetBytes = 80;
constexpr std::size_t kHeadMax = 4096;  // per origin

std::size_t heads_in(std::uint64_t bytes) { return std::max<std::size_t>(1, bytes / kTargetBytes); }

std::string_view state_after(crawler::EndReason end) {
  switch (end) {
    case crawler::EndReason::finished: return "finished";
    case crawler::EndReason::incomplete: return "incomplete";
    default: return "stopped";
  }
}

// True if a retry may succeed: the network or the server failed, not the page.
bool is_worth_retrying(std::string_view error, int status) {
  constexpr std::array<std::string_view, 7> kFinal = {"denied",
                                                      "malformed",
                                                      "over_limit",
                                                      crawler::kRedirectLoop,
                                                      crawler::kTooManyRedirects,
                                                      crawler::kBadRedirect,
                                                      crawler::kUnwantedType};
  if (!error.empty()) return std::ranges::find(kFinal, error) == kFinal.end();
  return status == 408 || status == 429 || status >= 500;
}

bool has_failures(const crawler::Statistics& statistics) {
  const auto is_retried = [](const auto& counted) {
    int status = 0;
    const bool is_status = base::parse_number(counted.first, status);
    return is_worth_retrying(is_status ? std::string_view() : counted.first, status);
  };
  return std::ranges::any_of(statistics.by_error, is_retried) ||
         std::ranges::any_of(statistics.by_unwanted, is_retried);
}

// Returns a text that is the same as long as the same certificates are trusted and presented: a
// resumed session is not checked again.
std::string trust_of(const net::TlsOptions& options, Machine& machine) {
  std::string text = fmt::format("{} {}", options.trust_system, options.tls13_only);
  for (const std::string* file :
       {&options.ca_file, &options.client_certificate_file, &options.client_key_file}) {
    text += fmt::format(" {} {} {}", file->size(), *file,
                        file->empty() ? 0 : machine.changed_at(*file));
  }
  return text;
}

crawler::Purpose purpose_of(const crawler::FetchRecord& record) {
  using crawler::Purpose;
  if (record.via.ends_with("/robots.txt")) {
    return record.is_requisite ? Purpose::guessed_sitemap : Purpose::sitemap;
  }
  if (record.is_requisite) return Purpose::requisite;
  if (record.is_guess) return Purpose::guess;
  return record.via.empty() && record.depth == 0 ? Purpose::root : Purpose::page;
}

}  // namespace

JobRun::JobRun(JobPages& pages, store::Archive* archive, const CrawlSettings& settings,
               store::StoredClock clock)
    : pages_(pages),
      store_(pages.store()),
      journal_(store_.journal()),
      archive_(archive),
      order_(settings.order),
      syncer_(store_.machine().syncing_threads()),
      work_(journal_, {.order = order_,
                       .clock = clock,
                       .head_max = std::min(kHeadMax, heads_in(store_.memory_share())),
                       .heads_max = heads_in(store_.memory_share())}),
      cookies_(journal_),
      tickets_(journal_) {
  const std::uint32_t queues = settings.cluster.is_shared() ? 1 : settings.threads;
  for (std::uint32_t i = 0; i < queues; ++i) {
    auto& share = shares_.emplace_back(std::make_unique<store::StoredShare>(
        work_, crawler::SiteShare{.index = i, .count = queues}));
    auto& runs = seen_runs_.emplace_back(store_.make_run_storage());
    share->give_seen(store_.memory_share() / queues, *runs);
  }
  work_.on_linked([this](std::uint64_t fingerprint) { pages_.table().mark_linked(fingerprint); });
  if (journal_.durability() == store::Durability::strict) {
    pages_.table().before_note([this] { return sync_archive(); });
  }
}

JobRun::~JobRun() = default;

Result<void> JobRun::begin(bool has_queue) {
  Result<void> queued;
  if (has_queue) queued = store_.refresh() ? queue_refresh() : queue_failures();
  if (!queued) return queued;
  // Until all failures are queued, the state says that there are some. The end of the run replaces
  // this one.
  const store::Journal::Lock lock = journal_.lock();
  journal_.pending().put(store::Table::meta, std::string(kStateKey), "interrupted");
  return {};
}

void JobRun::fetch_again(const crawler::FetchRecord& record) {
  const auto url = url::Url::parse(record.url);
  if (!url) return;
  crawler::Target target;
  target.url = url->without_fragment();
  target.depth = static_cast<std::uint16_t>(record.depth);
  target.leaf = record.is_leaf ? crawler::Leaf::yes : crawler::Leaf::no;
  if (!record.via.empty()) target.via = crawler::Referrer(record.via);
  target.purpose = purpose_of(record);
  work_.put_away(crawler::origin_text(*url), std::nullopt, target, crawler::rank_of(target, order_),
                 {});
}

Result<void> JobRun::queue_refresh() {
  const Refresh& refresh = *store_.refresh();
  if (refresh.is_queued) return {};
  const WallTime oldest = refresh.start + -refresh.older_than;
  std::size_t count = 0;
  const auto queue = [&](std::string_view key, std::string_view row) {
    const auto record = store::unpack_page(row);
    if (!record) return true;
    // A time after the start means that the clock was set back; the age is unknown.
    const WallTime last = record->confirmed.value_or(record->ts);
    if (last > oldest && last <= refresh.start) return true;
    fetch_again(*record);
    if (++count % kQueuedAtOnce != 0) return true;
    note_refresh(std::string(key) + '\0');
    journal_.commit();
    return !journal_.trouble();
  };
  auto read = store_.tables().scan(store::Table::pages, refresh.from, queue);
  if (!read) return read;
  if (!journal_.trouble()) note_refresh({});
  return commit_all();
}

Result<void> JobRun::queue_failures() {
  if (!store_.had_ended() || !has_failures(pages_.statistics())) return {};
  std::unordered_set<std::uint64_t> left;  // hashes of their URLs
  const auto visit_failures =
      [this](std::move_only_function<void(const crawler::FetchRecord&)> visit) {
        return store_.tables().scan(
            store::Table::pages, {}, [&](std::string_view, std::string_view row) {
              const auto record = store::unpack_page(row);
              const bool is_failure =
                  record && is_worth_retrying(record->error, record->status.value_or(0));
              if (is_failure) visit(*record);
              return !journal_.trouble();
            });
      };
  auto read = visit_failures([&](const auto& record) { left.insert(base::hash64(record.url)); });
  // Failures of a host that was given up are queued already.
  if (read)
    read = store::visit_queued(store_.tables(),
                               [&](std::string_view url) { left.erase(base::hash64(url)); });
  if (!read) return read;
  read = visit_failures([&](const auto& record) {
    if (!left.contains(base::hash64(record.url))) return;
    fetch_again(record);
    if (++retried_ % kQueuedAtOnce == 0) journal_.commit();
  });
  if (!read) return read;
  return commit_all();
}

Result<void> JobRun::commit_all() {
  journal_.commit();
  if (auto trouble = journal_.trouble()) return fail(std::move(*trouble));
  return {};
}

// Stores the progress: the first page that is not queued yet; empty: all are queued.
void JobRun::note_refresh(std::string_view from) {
  const Refresh& refresh = *store_.refresh();
  store::Packer row;
  row.number(static_cast<std::uint64_t>(refresh.start.seconds));
  row.number(refresh.start.nanoseconds);
  row.number(static_cast<std::uint64_t>(refresh.older_than.count()));
  row.text(from);
  const store::Journal::Lock lock = journal_.lock();
  journal_.pending().put(store::Table::meta, std::string(kRefreshKey), std::move(row).take());
}

// True if the file changed since this crawl read it.
bool JobRun::has_changed(const std::string& cookie_file) {
  const store::Journal::Lock lock = journal_.lock();
  const auto [known, is_new] = has_changed_.try_emplace(cookie_file, false);
  if (!is_new) return known->second;
  const std::int64_t now = store_.machine().changed_at(cookie_file);
  std::string key = std::string(kCookieFileKey) + cookie_file;
  const auto before = store_.tables().get(store::Table::meta, key);
  const bool is_known = before && *before && store::Unpacker(**before).signed_number() == now;
  known->second = !is_known;
  store::Packer row;
  row.signed_number(now);
  journal_.pending().put(store::Table::meta, std::move(key), std::move(row).take());
  return known->second;
}

void JobRun::keep_cookies(wire::CookieJar& cookies, std::size_t loop, const CookieFiles& files) {
  const auto load = [&](bool have_changed) {
    for (const std::string* file : {&files.load, &files.jar}) {
      if (!file->empty() && has_changed(*file) == have_changed)
        load_cookies(store_.machine(), *file, cookies);
    }
  };
  load(false);
  cookies_.keep(cookies, share_of(loop), store_.machine().now());
  load(true);
}

void JobRun::restore_sessions(net::TlsContext& tls, std::size_t loop) {
  Machine& machine = store_.machine();
  const WallTime now = machine.now();
  for (store::StoredTicket& ticket : tickets_.take(share_of(loop), trust_in(tls.options()), now)) {
    tls.remember({.key = std::move(ticket.key),
                  .host = std::move(ticket.host),
                  .expires = ticket.expires,
                  .session = std::move(ticket.session)},
                 now);
  }
}

// Certificates were checked with the files of the start, which may have changed since.
std::string JobRun::trust_in(const net::TlsOptions& options) {
  const store::Journal::Lock lock = journal_.lock();
  if (trust_.empty()) trust_ = trust_of(options, store_.machine());
  return trust_;
}

void JobRun::store_sessions(net::TlsContext& tls) {
  Machine& machine = store_.machine();
  std::vector<store::StoredTicket> tickets;
  for (net::TlsTicket& ticket : tls.take_tickets(machine.now())) {
    tickets.push_back({.key = std::move(ticket.key),
                       .host = std::move(ticket.host),
                       .expires = ticket.expires,
                       .session = std::move(ticket.session)});
  }
  tickets_.put(tickets, trust_in(tls.options()));
}

void JobRun::watch(async::Scope& watchers, Watched watched) {
  watched_ = std::make_shared<Watched>(std::move(watched));
  // Any loop may report it, even after this object is gone.
  journal_.on_trouble([this, &loop = async::Loop::current(), watching = std::weak_ptr(watched_)] {
    loop.post([this, watching] {
      const auto still = watching.lock();
      if (!still) return;
      auto trouble = journal_.trouble();
      if (trouble && *trouble != Errc::no_space) still->give_up(std::move(*trouble));
    });
  });
  if (journal_.durability() == store::Durability::group) watchers.spawn(sync_often());
  watchers.spawn(watch_room());
}

async::Task<Result<void>> JobRun::sync_archive() {
  if (archive_ == nullptr) co_return {};
  co_return co_await archive_->sync();
}

async::Task<Result<void>> JobRun::sync_often() {
  for (;;) {
    if (auto slept = co_await async::sleep(kSyncEvery); !slept) co_return slept;
    if (!journal_.is_dirty()) continue;
    auto synced = co_await sync();
    if (synced || synced.error() == Errc::cancelled) continue;
    watched_->give_up(std::move(synced).error());
    co_return {};
  }
}

// Syncs the archive first, since the tables refer to it.
async::Task<Result<void>> JobRun::sync() {
  if (auto synced = co_await sync_archive(); !synced) co_return synced;
  journal_.begin_sync();
  auto synced = co_await syncer_.run([this] { return store_.tables().sync(); });
  if (!synced && synced.error() != Errc::cancelled) journal_.fail_with(synced.error().copy());
  co_return synced;
}

void JobRun::commit() {
  const store::Journal::Lock lock = journal_.lock();
  journal_.commit();
}

void JobRun::mark_repeated(const std::vector<store::RepeatedPage>& pages) {
  pages_.table().mark_repeated(pages);
  commit();
}

async::Task<Result<void>> JobRun::make_durable() {
  if (auto committed = commit_all(); !committed) co_return committed;
  if (journal_.durability() == store::Durability::none) co_return {};
  co_return co_await sync();
}

async::Task<Result<void>> JobRun::watch_room() {
  bool is_paused = false;
  for (;;) {
    auto trouble = journal_.trouble();
    if (trouble && *trouble != Errc::no_space) {
      watched_->give_up(std::move(*trouble));
      co_return {};
    }
    const bool is_full = !store_.has_room() || trouble;
    if (is_full && !is_paused) {
      watched_->say(
          fmt::format("{}: the disk is almost full; waiting for free space", store_.path()));
      watched_->pause();
      is_paused = true;
    }
    if (auto slept = co_await async::sleep(kLookEvery); !slept) co_return slept;
    if (!is_paused || !store_.has_room() || !journal_.try_again()) continue;
    watched_->say(fmt::format("{}: the disk has free space again; resuming", store_.path()));
    watched_->resume();
    is_paused = false;
  }
}

async::Task<Result<void>> JobRun::finish(crawler::EndReason end) {
  journal_.on_trouble({});
  watched_ = nullptr;
  if (journal_.trouble()) static_cast<void>(journal_.try_again());
  if (journal_.trouble()) co_return fail(journal_.trouble()->copy());
  {
    const store::Journal::Lock lock = journal_.lock();
    journal_.pending().put(store::Table::meta, std::string(kStateKey),
                           std::string(state_after(end)));
    journal_.pending().put(store::Table::meta, std::string(kEndKey),
                           std::string(report::name(end)));
    const bool has_finished = end == crawler::EndReason::finished;
    if (has_finished) journal_.pending().remove(store::Table::meta, std::string(kRefreshKey));
    journal_.commit();
  }
  if (journal_.trouble()) co_return fail(journal_.trouble()->copy());
  if (auto synced = co_await sync(); !synced) co_return synced;
  co_return co_await syncer_.run([this] { return store_.close(); });
}

}  // namespace gossamer::run

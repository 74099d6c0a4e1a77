#include "run/job/job_pages.h"

#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "async/sleep.h"
#include "base/log.h"
#include "base/packing.h"
#include "record/page_row.h"
#include "store/lost_pages.h"
#include "store/stored_work.h"
#include "url/secrets.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

// Earlier versions stored pairs here: a root and its redirect target.
constexpr std::string_view kRootPlacesKey = "root-places";

// Rows of pages are read in steps of about this many bytes, and some for each row: a millisecond.
constexpr std::size_t kRecallStepWork = 256 * 1024;
constexpr std::size_t kRowWork = 1024;

// Returns the URL of a root as records contain it. Empty: it is not a URL.
std::string page_of_root(const std::string& root) {
  const auto url = crawler::parse_root(root);
  return url ? std::string(url::strip_credentials(*url).without_fragment()) : std::string();
}

}  // namespace

JobPages::JobPages(JobStore& store, const crawler::Settings& settings, crawler::PageSink& next)
    : store_(store),
      order_(settings.order),
      payloads_(store.journal()),
      table_(store.journal(), settings.identity, next) {
  if (store_.refresh()) table_.begin_refresh(store_.refresh()->start);
}

crawler::Hooks JobPages::asking_for_changes(crawler::Hooks hooks) {
  if (!store_.refresh()) return hooks;
  hooks.edit_request = [this,
                        edit = std::move(hooks.edit_request)](http::Request& request) mutable {
    if (edit) edit(request);
    const auto known = table_.find(request.url);
    const bool is_there = known && known->status && *known->status >= 200 && *known->status < 300;
    if (!is_there) return;
    if (!known->etag.empty()) request.fields.push_back({"If-None-Match", known->etag});
    if (!known->last_modified.empty()) {
      request.fields.push_back({"If-Modified-Since", known->last_modified});
    }
  };
  return hooks;
}

async::Task<Result<void>> JobPages::for_each_page(UsePage use) {
  std::string from;
  for (bool is_over = false; !is_over;) {
    if (auto turn = co_await async::yield_now(); !turn) co_return turn;
    std::size_t work = 0;
    is_over = true;
    store::Batch changes;
    const auto read = [&](std::string_view key, std::string_view row) {
      if (const auto record = store::unpack_page(row)) use(*record, changes);
      work += kRowWork + row.size();
      if (work < kRecallStepWork) return true;
      from.assign(key).push_back('\0');
      is_over = false;
      return false;
    };
    if (auto scanned = store_.tables().scan(store::Table::pages, from, read); !scanned) {
      store_.journal().fail_with(std::move(scanned).error());
    }
    if (!changes.empty()) static_cast<void>(store_.tables().write(changes));
  }
  co_return {};
}

async::Task<Result<void>> JobPages::recall_texts(crawler::SimilarSink& similar) {
  const auto& refresh = store_.refresh();
  const auto will_be_fetched = [&refresh](const crawler::FetchRecord& record) {
    return refresh && record.confirmed.value_or(record.ts) <= refresh->start + -refresh->older_than;
  };
  const auto find = [this](std::string_view text) {
    const auto url = url::Url::parse(text);
    return url ? table_.find(*url) : std::nullopt;
  };
  if (refresh) {
    similar.on_unchanged([find](std::string_view text) {
      const auto known = find(text);
      return known ? known->sketch : nullptr;
    });
  }
  const auto remember = [&](const crawler::FetchRecord& record, store::Batch&) {
    if (!will_be_fetched(record)) similar.remember(record);
  };
  if (auto done = co_await for_each_page(remember); !done) co_return done;
  if (!refresh || refresh->older_than == Duration::zero()) co_return {};
  // The text of the page that they were similar to may change.
  const auto compare_again = [&](const crawler::FetchRecord& record, store::Batch& changes) {
    if (record.similar_to.empty() || will_be_fetched(record)) return;
    if (const auto first = find(record.similar_to); first && !will_be_fetched(*first)) return;
    crawler::FetchRecord now = record;
    similar.compare(now);
    if (now.similar_to == record.similar_to) return;
    const auto url = url::Url::parse(record.url);
    if (url) changes.put(store::Table::pages, table_.key_of(*url), store::pack_page(now));
  };
  co_return co_await for_each_page(compare_again);
}

Result<std::unique_ptr<JobPages>> JobPages::open(JobStore& store, const crawler::Settings& settings,
                                                 crawler::PageSink& next) {
  std::unique_ptr<JobPages> pages(new JobPages(store, settings, next));
  if (auto found = pages->find_root_places(settings); !found) return fail(std::move(found).error());
  return pages;
}

// Combines the stored pairs with the redirects in the page table.
Result<void> JobPages::find_root_places(const crawler::Settings& settings) {
  std::multimap<std::string, std::string> noted;  // redirect targets by source
  auto read = store_.tables().scan(store::Table::meta, store::kRootPlaceKey,
                                   [&](std::string_view key, std::string_view from) {
                                     if (!key.starts_with(store::kRootPlaceKey)) return false;
                                     noted.emplace(from, key.substr(store::kRootPlaceKey.size()));
                                     return true;
                                   });
  if (!read) return read;
  auto earlier = store_.tables().get(store::Table::meta, kRootPlacesKey);
  if (!earlier) return fail(std::move(earlier).error());
  const std::string texts = earlier->value_or("");
  for (store::Unpacker row(texts); !row.is_at_end();) {
    const std::string root(row.text());
    const std::string place(row.text());
    if (!row.is_good()) break;
    noted.emplace(page_of_root(root), place);
  }
  std::unordered_set<std::string> known;
  std::vector<std::string> left;  // URLs whose targets are still unknown
  const auto follow = [&](const std::string& from, const std::string& place) {
    if (!known.insert(place).second) return;
    root_places_.push_back({from, place});
    left.push_back(place);
  };
  for (const std::string& root : settings.roots) {
    if (std::string page = page_of_root(root); !page.empty()) left.push_back(std::move(page));
  }
  while (!left.empty()) {
    const std::string from = std::move(left.back());
    left.pop_back();
    const auto [first, last] = noted.equal_range(from);
    for (auto each = first; each != last; ++each) follow(from, each->second);
    const auto url = url::Url::parse(from);
    const auto record = url ? table_.find(*url) : std::nullopt;
    if (record && !record->next_url.empty()) follow(from, record->next_url);
  }
  return {};
}

ArchiveSession::Job JobPages::for_archive() {
  ArchiveSession::Job job = {.known = &payloads_};
  job.before_first_file = [this](const store::Archive& archive) { return put_back_lost(archive); };
  job.archiving.stored_before = [this](const crawler::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    const auto known = url ? table_.find(*url) : std::nullopt;
    if (!known) return std::optional<store::NotModified>();
    return std::optional(store::NotModified{
        .original = {.record_id = {}, .target_uri = known->url, .date = known->ts}, .payload = {}});
  };
  job.archiving.has_room = [this] { return store_.has_room(); };
  job.archiving.space_patience = Duration::max();
  return job;
}

Result<void> JobPages::put_back_lost(const store::Archive& archive) {
  store::Batch beside;
  for (const RootPlace& each : root_places_) {
    beside.put(store::Table::meta, std::string(store::kRootPlaceKey) + each.place, each.from);
  }
  const auto length = [&archive](std::string_view file) { return archive.whole_length(file); };
  auto lost = store::put_back_lost_pages(store_.tables(), order_, length, std::move(beside));
  if (!lost) return fail(std::move(lost).error());
  table_.recall_statistics();
  lost_ = *lost;
  if (*lost > 0) {
    LOG(warn, "{} pages are missing in the archive and are queued again", *lost);
  }
  return {};
}

}  // namespace gossamer::run

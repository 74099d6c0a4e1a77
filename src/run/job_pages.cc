#include "run/job_pages.h"

#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/log.h"
#include "store/lost_pages.h"
#include "store/packing.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

// Where the roots led when their pages were lost.
constexpr std::string_view kRootPlacesKey = "root-places";

}  // namespace

JobPages::JobPages(JobStore& store, const crawler::Settings& settings, crawler::PageSink& next)
    : store_(store),
      order_(settings.order),
      payloads_(store.ledger()),
      table_(store.ledger(), settings.identity, next) {
  // Until it says otherwise at its end.
  {
    const store::Ledger::Lock lock = store_.ledger().lock();
    store_.ledger().pending().put(store::Table::meta, std::string(kStateKey), "interrupted");
  }
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

Result<std::unique_ptr<JobPages>> JobPages::open(JobStore& store, const crawler::Settings& settings,
                                                 crawler::PageSink& next) {
  std::unique_ptr<JobPages> pages(new JobPages(store, settings, next));
  if (auto found = pages->find_root_places(settings); !found) return fail(std::move(found).error());
  return pages;
}

// In the pages; and kept, for as long as the pages of which that was known are gone.
Result<void> JobPages::find_root_places(const crawler::Settings& settings) {
  const std::unordered_set<std::string_view> roots(settings.roots.begin(), settings.roots.end());
  auto kept = store_.tables().get(store::Table::meta, kRootPlacesKey);
  if (!kept) return fail(std::move(kept).error());
  const std::string texts = kept->value_or("");
  for (store::Unpacker row(texts); !row.is_at_end();) {
    const std::string root(row.text());
    const std::string place(row.text());
    if (!row.is_good()) break;
    if (roots.contains(root)) root_places_.push_back({root, place});
  }
  std::unordered_set<std::string> known;
  for (const RootPlace& place : root_places_) known.insert(place.place);
  for (const std::string& root : settings.roots) {
    auto url = crawler::parse_root(root);
    for (std::uint32_t hops = 0; url && hops <= settings.redirects_max; ++hops) {
      const auto record = table_.find(*url);
      if (!record || record->next_url.empty()) break;
      if (known.insert(record->next_url).second) root_places_.push_back({root, record->next_url});
      url = url::Url::parse(record->next_url);
    }
  }
  return {};
}

void JobPages::prepare(ArchivePlan& plan) {
  plan.before_first_file = [this](const store::Archive& archive) { return put_back_lost(archive); };
  plan.stored_before = [this](const crawler::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    const auto known = url ? table_.find(*url) : std::nullopt;
    if (!known) return std::optional<store::NotModified>();
    return std::optional(store::NotModified{
        .original = {.record_id = {}, .target_uri = known->url, .date = known->ts}, .payload = {}});
  };
  plan.known = &payloads_;
  plan.has_room = [this] { return store_.has_room(); };
  plan.space_patience = Duration::max();
}

Result<void> JobPages::put_back_lost(const store::Archive& archive) {
  store::Packer places;
  for (const RootPlace& each : root_places_) {
    places.text(each.root);
    places.text(each.place);
  }
  store::Batch beside;
  beside.put(store::Table::meta, std::string(kRootPlacesKey), std::move(places).take());
  const auto length = [&archive](std::string_view file) { return archive.whole_length(file); };
  auto lost = store::put_back_lost_pages(store_.tables(), order_, length, std::move(beside));
  if (!lost) return fail(std::move(lost).error());
  table_.recall_statistics();
  if (*lost > 0) {
    LOG(warn, "{} pages were not in the archive any more: they are asked for again", *lost);
  }
  return {};
}

}  // namespace gossamer::run

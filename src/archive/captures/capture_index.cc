#include "captures/capture_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "warc/cdxj.h"

namespace gossamer::captures {
namespace {

// BOUND: further types have no name.
constexpr std::size_t kTypesMax = 60'000;

std::string_view without_scheme(std::string_view url) {
  const std::size_t colon = url.find("://");
  return colon == std::string_view::npos ? url : url.substr(colon + 3);
}

bool is_robots_txt(std::string_view url) {
  const std::string_view place = without_scheme(url);
  return place.substr(std::min(place.find('/'), place.size())) == "/robots.txt";
}

// Archives may declare the same IDs and digests for different records.
std::uint64_t record_key(std::uint32_t archive, std::uint64_t hash) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  return hash ^ (archive * kOdd);
}

// The record of a rendered page has the URL and the time of its response.
std::uint64_t rendered_key(const Capture& page) {
  base::Hasher64 hasher;
  hasher.update(page.url);
  hasher.update(fmt::format(" {} {}", page.at.seconds, page.at.nanoseconds));
  return record_key(page.archive, hasher.digest());
}

}  // namespace

EntryOf::EntryOf(const UrlEntry& entry, std::optional<std::uint32_t> archive) {
  for (const Capture& capture : entry.captures) {
    if (!archive || capture.archive == *archive) last = &capture;
  }
  if (entry.fetched && (!archive || entry.fetched->archive == *archive)) fetched = &*entry.fetched;
  if (fetched == nullptr && is_robots_txt(entry.url)) last = nullptr;
}

crawler::Outcome EntryOf::outcome() const {
  CHECK(!is_empty(), "the archive does not have this URL");
  return fetched != nullptr ? fetched->outcome : crawler::outcome_of(last->status, {});
}

std::uint16_t CaptureIndex::type_number(std::string_view type) {
  const auto known = type_numbers_.find(std::string(type));
  if (known != type_numbers_.end()) return known->second;
  if (types_.size() >= kTypesMax) return 0;
  const auto number = static_cast<std::uint16_t>(types_.size());
  types_.emplace_back(type);
  type_numbers_.emplace(type, number);
  return number;
}

UrlEntry& CaptureIndex::entry_for(const std::string& url) {
  UrlEntry& entry = entries_[warc::capture_key(url)];
  if (entry.url.empty()) entry.url = url;
  return entry;
}

void CaptureIndex::add(Capture capture, std::uint64_t record, std::uint64_t payload) {
  UrlEntry& entry = entry_for(capture.url);
  if (!capture.is_revisit) {
    const std::uint32_t archive = capture.archive;
    if (record != 0) records_.try_emplace(record_key(archive, record), capture.place);
    if (payload != 0) records_.try_emplace(record_key(archive, payload), capture.place);
  }
  if (!entry.captures.empty() && capture.at < entry.captures.back().at) {
    unsorted_.try_emplace(&entry, entry.captures.size());
  }
  entry.captures.push_back(std::move(capture));
  ++captures_;
}

void CaptureIndex::sort() {
  for (const auto& [entry, sorted] : unsorted_) {
    std::vector<Capture>& all = entry->captures;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(sorted);
    // Captures of the same time stay in the order of their records.
    std::ranges::sort(middle, all.end(), {}, [](const Capture& one) {
      return std::tuple(one.at, one.place.file, one.place.offset, one.place.ordinal);
    });
    std::vector<Capture> merged;
    merged.reserve(all.size());
    std::merge(std::move_iterator(all.begin()), std::move_iterator(middle),
               std::move_iterator(middle), std::move_iterator(all.end()),
               std::back_inserter(merged),
               [](const Capture& a, const Capture& b) { return a.at < b.at; });
    all = std::move(merged);
  }
  unsorted_.clear();
}

void CaptureIndex::add_rendered(const Capture& page) {
  rendered_.insert_or_assign(rendered_key(page), page.place);
}

std::optional<RecordPlace> CaptureIndex::find_rendered(const Capture& page) const {
  const auto found = rendered_.find(rendered_key(page));
  if (found == rendered_.end()) return {};
  return found->second;
}

void CaptureIndex::add_fetched(const std::string& url, UrlEntry::Fetched fetched) {
  entry_for(url).fetched = std::move(fetched);
}

const UrlEntry* CaptureIndex::find(std::string_view url) const {
  const auto found = entries_.find(warc::capture_key(url));
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<const Capture*> CaptureIndex::captures_of(std::string_view url,
                                                      const Keep& keep) const {
  const UrlEntry* const entry = find(url);
  if (entry == nullptr) return {};
  std::vector<const Capture*> exact;
  std::vector<const Capture*> same;
  std::vector<const Capture*> all;
  for (const Capture& capture : entry->captures) {
    if (keep && !keep(capture)) continue;
    all.push_back(&capture);
    if (capture.url == url) exact.push_back(&capture);
    if (without_scheme(capture.url) == without_scheme(url)) same.push_back(&capture);
  }
  // Many sites redirect from one spelling to another, so the exact one comes first.
  if (!exact.empty()) return exact;
  return same.empty() ? all : same;
}

std::optional<RecordPlace> CaptureIndex::find_record(std::uint32_t archive,
                                                     std::uint64_t hash) const {
  const auto found = records_.find(record_key(archive, hash));
  if (found == records_.end()) return {};
  return found->second;
}

std::size_t nearest_capture(const std::vector<const Capture*>& captures, WallTime at) {
  CHECK(!captures.empty(), "no capture is nearest");
  std::size_t best = 0;
  std::int64_t best_distance = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const std::int64_t off = captures[i]->at.seconds - at.seconds;
    const std::int64_t distance = off < 0 ? -off : off;
    if (distance > best_distance) continue;
    // Of two captures in one second, the later one is the outcome of a retry.
    best = i;
    best_distance = distance;
  }
  return best;
}

std::string_view type_group(std::string_view type) noexcept {
  if (type == "text/html" || type == "application/xhtml+xml") return "html";
  if (type == "application/pdf") return "pdf";
  if (type == "text/css") return "style";
  if (type.contains("javascript") || type.contains("ecmascript")) return "script";
  if (type.starts_with("image/")) return "image";
  if (type.starts_with("font/") || type.contains("font")) return "font";
  if (type.starts_with("video/") || type.starts_with("audio/")) return "media";
  return "other";
}

bool is_page(std::string_view type, std::uint16_t status) noexcept {
  const std::string_view group = type_group(type);
  return status == 200 && (group == "html" || group == "pdf");
}

}  // namespace gossamer::captures

#include "record/statistics.h"

#include <algorithm>

#include "record/rendering.h"

namespace gossamer::crawler {
namespace {

void count_name(std::map<std::string, std::uint64_t, std::less<>>& counts, std::string_view what,
                std::uint64_t times = 1) {
  auto found = counts.find(what);
  if (found == counts.end()) {
    const bool is_full = counts.size() >= Statistics::kNamesMax;
    found = counts.try_emplace(is_full ? "other" : std::string(what)).first;
  }
  found->second += times;
}

void uncount(std::map<std::string, std::uint64_t, std::less<>>& counts, std::string_view what) {
  auto found = counts.find(what);
  if (found == counts.end()) found = counts.find("other");
  if (found != counts.end() && --found->second == 0) counts.erase(found);
}

void lower(std::uint64_t& count, std::uint64_t by) { count -= std::min(count, by); }

}  // namespace

void Statistics::remove(const FetchRecord& record) {
  const bool is_wrong = is_wrong_guess(record);
  lower(pages, 1);
  if (record.status) lower(answered, 1);
  if (record.status && !is_wrong) {
    const auto found = by_status.find(*record.status);
    if (found != by_status.end() && --found->second == 0) by_status.erase(found);
  }
  const Outcome outcome = outcome_of(record);
  lower(outcomes[static_cast<std::size_t>(outcome)], 1);
  if (record.is_truncated) lower(truncated, 1);
  if (outcome == Outcome::error) uncount(by_error, cause_of(record));
  if (outcome == Outcome::unwanted && !is_wrong) uncount(by_unwanted, record.error);
  if (!record.mime.empty()) uncount(by_type, record.mime);
  if (!record.duplicate_of.empty()) lower(duplicates, 1);
  lower(bytes, record.bytes);
  lower(links_found, record.links_found);
  lower(links_new, record.links_new);
  if (record.needs_scripts) lower(needs_scripts, 1);
  if (record.rendering) remove_rendering(record);
}

void Statistics::add(const FetchRecord& record) {
  const bool is_wrong = is_wrong_guess(record);
  ++pages;
  if (record.status) ++answered;
  if (record.status && !is_wrong) ++by_status[*record.status];
  const Outcome outcome = outcome_of(record);
  ++outcomes[static_cast<std::size_t>(outcome)];
  if (record.is_truncated) ++truncated;
  if (outcome == Outcome::error) count_name(by_error, cause_of(record));
  if (outcome == Outcome::unwanted && !is_wrong) count_name(by_unwanted, record.error);
  if (!record.mime.empty()) count_name(by_type, record.mime);
  if (!record.duplicate_of.empty()) ++duplicates;
  retries += record.tries - 1;
  bytes += record.bytes;
  wire_bytes += record.wire_bytes;
  links_found += record.links_found;
  links_new += record.links_new;
  if (record.needs_scripts) ++needs_scripts;
  if (record.rendering) add_rendering(record);
}

void Statistics::add_rendering(const FetchRecord& record) {
  const Rendering& rendering = *record.rendering;
  if (!rendering.error.empty()) return count_name(by_rendering_error, rendering.error);
  ++rendered;
  if (rendering.has_gained) ++rendered_gained;
  add_rendered(pattern_of(record.url), {1, rendering.has_gained ? 1U : 0U});
}

void Statistics::remove_rendering(const FetchRecord& record) {
  const Rendering& rendering = *record.rendering;
  if (!rendering.error.empty()) return uncount(by_rendering_error, rendering.error);
  lower(rendered, 1);
  if (rendering.has_gained) lower(rendered_gained, 1);
  auto found = rendered_by_pattern.find(pattern_of(record.url));
  if (found == rendered_by_pattern.end()) found = rendered_by_pattern.find("other");
  if (found == rendered_by_pattern.end()) return;
  if (rendering.has_gained) lower(found->second.gained, 1);
  lower(found->second.pages, 1);
  if (found->second.pages == 0) rendered_by_pattern.erase(found);
}

void Statistics::add_rendered(std::string_view pattern, const Rendered& counts) {
  auto found = rendered_by_pattern.find(pattern);
  if (found == rendered_by_pattern.end()) {
    const bool is_full = rendered_by_pattern.size() >= kNamesMax;
    found = rendered_by_pattern.try_emplace(is_full ? "other" : std::string(pattern)).first;
  }
  found->second.pages += counts.pages;
  found->second.gained += counts.gained;
}

void Statistics::add(const Statistics& other) {
  pages += other.pages;
  answered += other.answered;
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  truncated += other.truncated;
  retries += other.retries;
  duplicates += other.duplicates;
  bytes += other.bytes;
  wire_bytes += other.wire_bytes;
  links_found += other.links_found;
  links_new += other.links_new;
  needs_scripts += other.needs_scripts;
  rendered += other.rendered;
  rendered_gained += other.rendered_gained;
  for (const auto& [pattern, counts] : other.rendered_by_pattern) add_rendered(pattern, counts);
  for (const auto& [error, times] : other.by_rendering_error) {
    count_name(by_rendering_error, error, times);
  }
  for (const auto& [status, times] : other.by_status) by_status[status] += times;
  for (const auto& [type, times] : other.by_type) count_name(by_type, type, times);
  for (const auto& [error, times] : other.by_error) count_name(by_error, error, times);
  for (const auto& [error, times] : other.by_unwanted) count_name(by_unwanted, error, times);
  for (std::size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
  unreached.hosts += other.unreached.hosts;
  unreached.urls_queued += other.unreached.urls_queued;
  unreached.urls_dropped += other.unreached.urls_dropped;
}

}  // namespace gossamer::crawler

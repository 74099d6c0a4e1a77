#include "check/answer_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/number.h"
#include "url/url.h"

namespace gossamer::check {
namespace {

constexpr std::string_view kTitle = "# gossamer check: answers, version 1";
constexpr int kCachedHopsMax = 20;
// An answer from the future was recorded before the clock was set back, so its age is unknown.
constexpr std::int64_t kSecondsAheadMax = 60;

std::string_view take_field(std::string_view& line) {
  const std::size_t end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

bool is_lasting(int status) {
  return status >= 200 && status < 500 && status != 429 && status != 408;
}

bool is_web_url(std::string_view text) {
  const auto url = url::Url::parse(text);
  return url && url->is_http_or_https() && url->href() == text;
}

}  // namespace

AnswerCache AnswerCache::parse(std::string_view text, WallTime now, Duration age_max) {
  AnswerCache cache;
  const std::int64_t age = std::chrono::duration_cast<std::chrono::seconds>(age_max).count();
  const std::int64_t oldest = now.seconds - age;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    // The last line may be truncated.
    const bool is_whole = end < text.size();
    if (!is_whole || !cache.take_line(line, oldest, now.seconds + kSecondsAheadMax)) {
      ++cache.bad_lines_;
    }
  }
  return cache;
}

bool AnswerCache::take_line(std::string_view line, std::int64_t oldest, std::int64_t newest) {
  Entry entry;
  if (!base::parse_number(take_field(line), entry.seconds)) return false;
  if (!base::parse_number(take_field(line), entry.status) || !is_lasting(entry.status))
    return false;
  const std::string_view url = take_field(line);
  entry.next = take_field(line);
  if (!line.empty() || !is_web_url(url)) return false;
  if (!entry.next.empty() && !is_web_url(entry.next)) return false;
  if (entry.seconds <= oldest || entry.seconds > newest) return true;
  if (entries_.size() >= kEntriesMax) return true;
  entries_.insert_or_assign(std::string(url), std::move(entry));
  return true;
}

const AnswerCache::Entry* AnswerCache::find(std::string_view url) const {
  const auto found = entries_.find(std::string(url));
  return found == entries_.end() ? nullptr : &found->second;
}

bool AnswerCache::knows_end_of(std::string_view url) const {
  const Entry* entry = find(url);
  for (int hops = 0; entry != nullptr && hops < kCachedHopsMax; ++hops) {
    if (entry->next.empty()) return true;
    entry = find(entry->next);
  }
  return false;
}

void AnswerCache::put(const crawler::FetchRecord& record) {
  if (!record.status || !is_lasting(*record.status) || !record.error.empty()) return;
  if (entries_.size() >= kEntriesMax && !entries_.contains(record.url)) return;
  entries_.insert_or_assign(
      record.url,
      Entry{.seconds = record.ts.seconds, .status = *record.status, .next = record.next_url});
}

std::string AnswerCache::to_text() const {
  std::vector<const std::pair<const std::string, Entry>*> sorted;
  sorted.reserve(entries_.size());
  for (const auto& one : entries_) sorted.push_back(&one);
  std::ranges::sort(sorted, {}, [](const auto* one) { return std::string_view(one->first); });
  std::string text = std::string(kTitle) + "\n";
  for (const auto* one : sorted) {
    text += fmt::format("{}\t{}\t{}\t{}\n", one->second.seconds, one->second.status, one->first,
                        one->second.next);
  }
  return text;
}

crawler::FetchRecord record_of(std::string_view url, const AnswerCache::Entry& entry) {
  crawler::FetchRecord record;
  record.url = url;
  record.ts.seconds = entry.seconds;
  record.status = entry.status;
  record.next_url = entry.next;
  record.is_leaf = true;
  return record;
}

}  // namespace gossamer::check

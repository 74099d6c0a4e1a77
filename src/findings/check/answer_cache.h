#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/time.h"
#include "check/answer.h"

namespace gossamer::check {

// Responses for links out of the site, stored for the next check. Only real responses are stored:
// network failures, 429 and 5xx may be gone the next time.
//
// One line per URL: time (seconds since 1970), status, URL, and the target of a redirect, separated
// by tabs. BOUND: kEntriesMax; further ones are not stored.
class AnswerCache {
 public:
  static constexpr std::size_t kEntriesMax = 1'000'000;

  struct Entry {
    std::int64_t seconds = 0;
    int status = 0;
    std::string next;
  };

  // Parses the text of a file. Entries older than `age_max` are dropped, and so are invalid lines,
  // which are counted.
  static AnswerCache parse(std::string_view text, WallTime now, Duration age_max);

  std::size_t bad_lines() const noexcept { return bad_lines_; }
  std::size_t size() const noexcept { return entries_.size(); }

  // `url` has no fragment. Returns nullptr if it is unknown.
  const Entry* find(std::string_view url) const;
  // Returns whether the URL and all targets of its redirects are known.
  bool knows_end_of(std::string_view url) const;
  void put(const crawler::FetchRecord& record);

  // Sorted by URL, so that the same answers give the same file.
  std::string to_text() const;

 private:
  bool take_line(std::string_view line, std::int64_t oldest, std::int64_t newest);

  std::unordered_map<std::string, Entry> entries_;
  std::size_t bad_lines_ = 0;
};

// Makes a record as if the server had answered now.
crawler::FetchRecord record_of(std::string_view url, const AnswerCache::Entry& entry);

}  // namespace gossamer::check

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

// What servers answered to links out of the site, kept for the next check. Only what they really
// said is kept: failures on the way, 429 and 5xx may be gone the next time.
//
// A line per URL: time (seconds since 1970), status, URL, and where a redirect leads, a tab between
// them. BOUND: kEntriesMax; further ones are not kept.
class AnswerCache {
 public:
  static constexpr std::size_t kEntriesMax = 1'000'000;

  struct Entry {
    std::int64_t seconds = 0;
    int status = 0;
    std::string next;
  };

  // From the text of a file. What is older than `age_max` is forgotten, and so are lines that
  // cannot be read, which are counted.
  static AnswerCache parse(std::string_view text, WallTime now, Duration age_max);

  std::size_t bad_lines() const noexcept { return bad_lines_; }
  std::size_t size() const noexcept { return entries_.size(); }

  // `url` without its fragment. nullptr: it is not known.
  const Entry* find(std::string_view url) const;
  // Also all to which its redirects lead are known.
  bool knows_end_of(std::string_view url) const;
  void put(const crawler::FetchRecord& record);

  // By URL, so that the same answers make the same file.
  std::string to_text() const;

 private:
  bool take_line(std::string_view line, std::int64_t oldest, std::int64_t newest);

  std::unordered_map<std::string, Entry> entries_;
  std::size_t bad_lines_ = 0;
};

// As if the server had said it now.
crawler::FetchRecord record_of(std::string_view url, const AnswerCache::Entry& entry);

}  // namespace gossamer::check

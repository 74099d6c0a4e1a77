#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/time.h"
#include "record/outcome.h"
#include "record/record.h"
#include "record/skip_reason.h"

namespace gossamer::crawler {

// Why a crawl ended.
enum class EndReason : std::uint8_t {
  finished,      // every URL in scope was fetched or has a reason
  incomplete,    // hosts were unreachable: see Statistics::unreached
  page_limit,    // Options::pages_max
  quota,         // Options::wire_bytes_max
  time_limit,    // Options::time_max
  memory_limit,  // Options::host_bytes_max
  interrupted,   // stop() was called
  aborted,       // the fetches in flight were dropped, too
  sink_failed,   // the sink failed
  failed,        // an internal failure
  // The shared crawl cannot continue: Redis has lost it or rejects our calls.
  cluster_failed,
};

// URLs that were not fetched because hosts were unreachable.
struct Unreached {
  std::uint64_t hosts = 0;
  std::uint64_t urls_queued = 0;   // a later process fetches them
  std::uint64_t urls_dropped = 0;  // they are lost
};

// The counts of a crawl.
struct Statistics {
  void add(const FetchRecord& record);
  // Removes a record that another one has replaced. Its retries and wire_bytes still count.
  void remove(const FetchRecord& record);
  void add(SkipReason reason, std::uint64_t times = 1) {
    skipped[static_cast<std::size_t>(reason)] += times;
  }
  // Adds the counts of another loop of the same crawl.
  void add(const Statistics& other);

  // Whether a browser was used, or tried.
  bool has_rendering() const { return rendered > 0 || !by_rendering_error.empty(); }
  std::uint64_t count(Outcome outcome) const { return outcomes[static_cast<std::size_t>(outcome)]; }

  std::uint64_t pages = 0;  // fetched URLs: the sum of the outcomes
  std::array<std::uint64_t, kOutcomes> outcomes = {};
  std::uint64_t answered = 0;
  std::uint64_t truncated = 0;  // bodies that lack a part: Outcome::truncated, and of errors
  std::uint64_t retries = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t bytes = 0;
  std::uint64_t wire_bytes = 0;  // includes interrupted pages and earlier attempts
  std::uint64_t links_found = 0;
  std::uint64_t links_new = 0;
  std::map<int, std::uint64_t> by_status;  // of all responses, without wrong guesses
  std::map<std::string, std::uint64_t, std::less<>> by_type;  // BOUND: kNamesMax, then "other"
  // Outcome::error by cause_of(), "timed_out" or "404": their sum is the number of errors.
  std::map<std::string, std::uint64_t, std::less<>> by_error;
  // Outcome::unwanted by error, without wrong guesses.
  std::map<std::string, std::uint64_t, std::less<>> by_unwanted;
  std::array<std::uint64_t, kSkipReasons> skipped = {};
  std::uint64_t needs_scripts = 0;    // pages that show little or nothing without scripts
  std::uint64_t rendered = 0;         // pages that a browser has shown
  std::uint64_t rendered_gained = 0;  // of these, that gained links or text
  // The same by pattern_of(). BOUND: kNamesMax, then "other".
  struct Rendered {
    std::uint64_t pages = 0;
    std::uint64_t gained = 0;
  };
  std::map<std::string, Rendered, std::less<>> rendered_by_pattern;
  // Pages that no browser could show, by Rendering::error.
  std::map<std::string, std::uint64_t, std::less<>> by_rendering_error;
  Unreached unreached;  // known at the end of the crawl

  static constexpr std::size_t kNamesMax = 200;

 private:
  void add_rendering(const FetchRecord& record);
  void remove_rendering(const FetchRecord& record);
  void add_rendered(std::string_view pattern, const Rendered& counts);
};

}  // namespace gossamer::crawler

// Detects sites that generate endless URLs, by the URL alone, before it is fetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "record/skip_reason.h"
#include "scope/count_table.h"
#include "scope/stored_count.h"
#include "scope/trap_options.h"
#include "scope/url_parts.h"
#include "url/url.h"

namespace gossamer::crawler {

class Traps {
 public:
  // REQUIRES: validate(options) succeeded.
  explicit Traps(const TrapOptions& options = {}) noexcept : options_(options) {}

  const TrapOptions& options() const noexcept { return options_; }

  // Returns SkipReason::none, or the guard that rejects the URL. `this_year` is the current year:
  // 2026. Call it once per URL, after the seen set: every call counts.
  // Allocates only for URLs with a date or a token in them, and within the bound of the options.
  SkipReason judge_and_count(const url::Url& url, std::int32_t this_year);
  // The same for a URL of a new host.
  SkipReason judge_and_count_host(std::string_view hostname);

  // From now on, appends every changed count to this vector. BORROWS: the vector.
  void tell(std::vector<StoredCount>& changes) noexcept { changes_ = &changes; }
  // Restores counts of an earlier process, within the bound; ignores counts of other guards.
  void recall(const StoredCount& kept);

  std::size_t memory_bytes() const noexcept;

 private:
  SkipReason judge_dates(UrlParts& parts, std::int32_t this_year);
  SkipReason judge_tokens(const UrlParts& parts);
  void mark_tokens(UrlParts& parts);
  bool is_token(std::string_view value, std::uint64_t place);
  CountTable* table_of(Counted what) noexcept;
  bool count(Counted what, std::uint64_t page, std::uint32_t count_max);
  void make_room(CountTable& table);

  TrapOptions options_;
  CountTable dates_;                             // by URL without date and tokens
  CountTable tokens_;                            // by URL without tokens
  CountTable places_;                            // tokens, by their place in the URL
  CountTable hosts_;                             // by their domain
  std::vector<StoredCount>* changes_ = nullptr;  // nullptr: none
};

}  // namespace gossamer::crawler

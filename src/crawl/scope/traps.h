// Detects sites that generate endless URLs, by the URL alone, before it is fetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "record/skip_reason.h"
#include "scope/count_table.h"
#include "scope/link_rule.h"
#include "scope/stored_count.h"
#include "scope/trap_options.h"
#include "scope/url_parts.h"
#include "url/url.h"

namespace gossamer::crawler {

class Traps {
 public:
  // REQUIRES: validate(options) succeeded.
  // `this_year` is the current year: 2026.
  explicit Traps(const TrapOptions& options, std::int32_t this_year) noexcept
      : options_(options), this_year_(this_year) {}

  const TrapOptions& options() const noexcept { return options_; }

  // Returns SkipReason::none, or the guard that rejects the URL. Every call counts.
  // Allocates only for URLs with a date or a token in them, and within the bound of the options.
  SkipReason judge(const url::Url& url, const LinkFacts& facts);
  // The same for a URL of a new host.
  SkipReason judge_host(std::string_view hostname);

  // From now on, appends every changed count to this vector. BORROWS: the vector.
  void tell(std::vector<StoredCount>& changes) noexcept { changes_ = &changes; }
  // Restores counts of an earlier process, within the bound; ignores counts of other guards.
  void recall(const StoredCount& kept);

  std::size_t memory_bytes() const noexcept;

 private:
  SkipReason judge_dates(UrlParts& parts);
  SkipReason judge_tokens(const UrlParts& parts);
  void mark_tokens(UrlParts& parts);
  bool is_token(std::string_view value, std::uint64_t place);
  CountTable* table_of(Counted what) noexcept;
  bool count(Counted what, std::uint64_t page, std::uint32_t count_max);
  void make_room(CountTable& table);

  TrapOptions options_;
  std::int32_t this_year_;
  CountTable dates_;                             // by URL without date and tokens
  CountTable tokens_;                            // by URL without tokens
  CountTable places_;                            // tokens, by their place in the URL
  CountTable hosts_;                             // by their domain
  std::vector<StoredCount>* changes_ = nullptr;  // nullptr: none
};

}  // namespace gossamer::crawler

// Sites that make up URLs without end: recognised by the URL alone, before it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crawl/frontier/count_table.h"
#include "crawl/frontier/stored_count.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/scope/trap_options.h"
#include "crawl/scope/url_parts.h"
#include "url/url.h"

namespace gossamer::crawler {

class Traps {
 public:
  // REQUIRES: validate(options) was content.
  explicit Traps(const TrapOptions& options = {}) noexcept : options_(options) {}

  const TrapOptions& options() const noexcept { return options_; }

  // SkipReason::none, or the guard that refuses the URL. `this_year` is that of today: 2026.
  // To be asked once per URL, after the seen set: every call counts.
  // Allocates only for URLs with a date or a token in them, and within the bound of the options.
  SkipReason judge_and_count(const url::Url& url, std::int32_t this_year);
  // The same for a URL of a host that nobody has met before.
  SkipReason judge_and_count_host(std::string_view hostname);

  // From now on every count that changes is appended there. BORROWS: the vector.
  void tell(std::vector<StoredCount>& changes) noexcept { changes_ = &changes; }
  // What an earlier process had counted, within the bound; counts of others are left alone.
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
  CountTable dates_;   // by URL without date and tokens
  CountTable tokens_;  // by URL without tokens
  CountTable places_;  // tokens met, by the place in the URL where they stand
  CountTable hosts_;   // by their domain
  std::vector<StoredCount>* changes_ = nullptr;  // nullptr: nobody wants to know
};

}  // namespace gossamer::crawler

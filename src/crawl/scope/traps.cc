#include "scope/traps.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "base/ascii.h"
#include "base/error.h"
#include "base/hash.h"
#include "scope/calendar.h"
#include "scope/path_segments.h"
#include "scope/scope_options.h"
#include "scope/token_text.h"
#include "url/public_suffix.h"
#include "url/session_parameters.h"

namespace gossamer::crawler {
namespace {

// After this many tokens at one place, every value there counts as a token.
constexpr std::uint32_t kTokensOfPlace = 20;

enum ByteKind : std::uint8_t { kWord, kDigit, kDelimiter };

constexpr auto kByteKinds = [] {
  std::array<ByteKind, 256> kinds;
  kinds.fill(kDelimiter);
  for (unsigned char c = 'a'; c <= 'z'; ++c) kinds[c] = kWord;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) kinds[c] = kWord;
  for (unsigned char c = '0'; c <= '9'; ++c) kinds[c] = kDigit;
  kinds['-'] = kWord;
  kinds['_'] = kWord;
  return kinds;
}();

// The result of one pass over a text; ordinary URLs need no more work.
struct Glance {
  std::uint32_t slashes = 0;
  bool has_year = false;     // four digits, or eight
  bool has_long = false;     // a part as long as a token
  bool has_session = false;  // a character that is typical of sessions in paths

  void look_at(std::string_view text) noexcept;
};

void Glance::look_at(std::string_view text) noexcept {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const ByteKind kind = kByteKinds[static_cast<unsigned char>(text[i])];
    if (kind == kWord) continue;
    if (kind == kDigit) {
      const std::size_t first = i;
      while (i + 1 < text.size() && kByteKinds[static_cast<unsigned char>(text[i + 1])] == kDigit) {
        ++i;
      }
      const std::size_t digits = i + 1 - first;
      has_year |= digits == 4 || digits == 8;
      continue;
    }
    slashes += text[i] == '/';
    has_session |= text[i] == ';' || text[i] == '(';
    has_long |= i - begin >= kTokenBytesMin;
    begin = i + 1;
  }
  has_long |= text.size() - begin >= kTokenBytesMin;
}

// A file without links cannot lead into a trap.
bool holds_no_links(std::string_view path) noexcept {
  constexpr std::size_t kLeafExtensionBytesMax = 8;
  static_assert(std::ranges::is_sorted(kUsualSkippedExtensions));
  const std::size_t dot = path.find_last_of("./");
  if (dot == std::string_view::npos || path[dot] == '/') return false;
  const std::string_view extension = path.substr(dot + 1);
  if (extension.size() > kLeafExtensionBytesMax) return false;
  std::array<char, kLeafExtensionBytesMax> lower;
  std::ranges::transform(extension, lower.begin(), base::to_lower);
  return std::ranges::binary_search(kUsualSkippedExtensions,
                                    std::string_view(lower.data(), extension.size()));
}

}  // namespace

Result<void> validate(const TrapOptions& options) {
  if (options.cycle_repeats_max == 0 || options.segment_repeats_max == 0 ||
      options.path_segments_max == 0 || options.counted_pages_max == 0 ||
      options.hosts_per_domain_max == 0 || options.alike_pages_max == 0 ||
      options.alike_dates_max == 0 || options.unlinking_pages_max == 0) {
    return std::unexpected(
        Error(Errc::invalid_argument, "the bound of a trap guard must be at least 1"));
  }
  return {};
}

SkipReason Traps::judge(const url::Url& url, const LinkFacts& facts) {
  if (facts.is_unguarded()) return SkipReason::none;
  const std::string_view path = url.pathname();
  const std::size_t file = path.substr(0, path.size() - 1).rfind('/') + 1;
  Glance folders;
  Glance last;
  Glance query;
  folders.look_at(path.substr(0, file));
  last.look_at(path.substr(file));
  query.look_at(url.search());

  const std::uint32_t segments = folders.slashes;
  const std::uint32_t repeats_min =
      std::min(options_.cycle_repeats_max, options_.segment_repeats_max);
  if (options_.repeated_segments && segments > repeats_min) {
    const PathSegments cut(path);
    if (has_cycle(cut, options_.cycle_repeats_max) ||
        has_frequent_segment(cut, options_.segment_repeats_max)) {
      return SkipReason::repeated_segments;
    }
  }
  if (options_.path_depth && segments > options_.path_segments_max) return SkipReason::path_depth;

  const bool may_have_date =
      options_.calendar && (folders.has_year || last.has_year || query.has_year);
  // A token at the end of the path is the number of an item: /items/550e8400-e29b-...
  const bool may_have_token = options_.session_growth && (folders.has_long || query.has_long ||
                                                          folders.has_session || last.has_session);
  if ((!may_have_date && !may_have_token) || holds_no_links(path)) return SkipReason::none;

  UrlParts parts(url);
  if (may_have_token) mark_tokens(parts);
  if (may_have_date) {
    const SkipReason reason = judge_dates(parts);
    if (reason != SkipReason::none) return reason;
  }
  return may_have_token ? judge_tokens(parts) : SkipReason::none;
}

SkipReason Traps::judge_host(std::string_view hostname) {
  if (!options_.domain_hosts) return SkipReason::none;
  const auto& suffixes = url::PublicSuffixList::built_in();
  const std::string_view domain = suffixes.registrable_domain(hostname);
  if (domain.empty() || domain == hostname) return SkipReason::none;
  const bool counted =
      count(Counted::domain_hosts, base::hash64(domain), options_.hosts_per_domain_max);
  return counted ? SkipReason::none : SkipReason::domain_hosts;
}

SkipReason Traps::judge_dates(UrlParts& parts) {
  constexpr std::array kNotOfPage = {PartRole::date, PartRole::token, PartRole::session};
  switch (mark_dates(parts, options_, this_year_)) {
    case DateVerdict::none: return SkipReason::none;
    case DateVerdict::far_away: return SkipReason::calendar;
    case DateVerdict::near: break;
  }
  const bool counted =
      count(Counted::dates, parts.hash_without(kNotOfPage), options_.dates_per_page_max);
  return counted ? SkipReason::none : SkipReason::calendar;
}

SkipReason Traps::judge_tokens(const UrlParts& parts) {
  constexpr std::array kNotOfPage = {PartRole::token, PartRole::session};
  const bool has_session = parts.has(PartRole::session);
  if (!has_session && !parts.has(PartRole::token)) return SkipReason::none;
  const std::uint32_t count_max =
      has_session ? options_.sessions_per_page_max : options_.tokens_per_page_max;
  const bool counted = count(Counted::tokens, parts.hash_without(kNotOfPage), count_max);
  return counted ? SkipReason::none : SkipReason::session_growth;
}

void Traps::mark_tokens(UrlParts& parts) {
  std::uint64_t place = base::hash64(parts.host());
  const std::span<UrlPart> path = parts.path();
  for (UrlPart& part : path) {
    const std::string_view page = url::without_session_suffix(part.value);
    if (page.size() < part.value.size()) {
      part = {.name = page, .value = part.value.substr(page.size()), .role = PartRole::session};
    } else if (url::is_session_segment(part.value)) {
      part.role = PartRole::session;
    } else if (&part != &path.back() && is_token(part.value, place)) {
      part.role = PartRole::token;
    }
    place = base::hash64(part.role == PartRole::literal ? part.value : part.name, place);
  }
  for (UrlPart& part : parts.query()) {
    if (url::is_session_parameter(part.name, part.value)) {
      part.role = PartRole::session;
    } else if (is_token(part.value, base::hash64(part.name, place))) {
      part.role = PartRole::token;
    }
  }
}

// Some tokens do not look like one by chance. Their place reveals them; otherwise a trap could
// continue with these alone.
bool Traps::is_token(std::string_view value, std::uint64_t place) {
  if (!may_be_token(value)) return false;
  if (!looks_like_token(value)) return places_.count(place) >= kTokensOfPlace;
  count(Counted::token_places, place, kTokensOfPlace);
  return true;
}

// Returns false and counts nothing if the limit is reached.
bool Traps::count(Counted what, std::uint64_t page, std::uint32_t count_max) {
  CountTable& table = *table_of(what);
  if (table.count(page) >= count_max) return false;
  make_room(table);
  const std::uint32_t count = ++table[page];
  if (changes_ != nullptr) changes_->push_back({.what = what, .count = count, .key = page});
  return true;
}

void Traps::make_room(CountTable& table) {
  if (table.size() < options_.counted_pages_max) return;
  table.forget_below(std::min(options_.sessions_per_page_max, options_.dates_per_page_max));
  const bool still_full = table.size() >= options_.counted_pages_max / 2;
  if (still_full) table.forget_below(std::numeric_limits<std::uint32_t>::max());
}

CountTable* Traps::table_of(Counted what) noexcept {
  switch (what) {
    case Counted::dates: return &dates_;
    case Counted::tokens: return &tokens_;
    case Counted::token_places: return &places_;
    case Counted::domain_hosts: return &hosts_;
    default: return nullptr;
  }
}

void Traps::recall(const StoredCount& kept) {
  CountTable* const table = table_of(kept.what);
  if (table == nullptr) return;
  make_room(*table);
  (*table)[kept.key] = kept.count;
}

std::size_t Traps::memory_bytes() const noexcept {
  return dates_.memory_bytes() + tokens_.memory_bytes() + places_.memory_bytes() +
         hosts_.memory_bytes();
}

}  // namespace gossamer::crawler

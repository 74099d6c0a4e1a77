#include "scope/endless_series.h"

#include <algorithm>

#include "base/ascii.h"

namespace gossamer::crawler {
namespace {

constexpr std::uint64_t kFactor = 0x9E37'79B9'7F4A'7C15ULL;
// The hash of every word with digits.
constexpr std::uint64_t kNumber = 1;

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * kFactor;
  return hash ^ (hash >> 29);
}

constexpr bool is_digit_byte(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr bool is_word_byte(char c) noexcept {
  return is_digit_byte(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::uint64_t EndlessSeries::key_of(std::string_view url) noexcept {
  const std::size_t scheme_end = std::min(url.find("://"), url.size());
  const std::size_t path =
      std::min(url.find('/', std::min(scheme_end + 3, url.size())), url.size());
  const bool has_number = std::ranges::any_of(url.substr(path), is_digit_byte);
  if (!has_number) return 0;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (i < path || !is_digit_byte(url[i])) {
      hash = mixed(hash, static_cast<unsigned char>(url[i]));
      continue;
    }
    while (i + 1 < url.size() && is_digit_byte(url[i + 1])) ++i;
    hash = mixed(hash, '0');
  }
  return hash == 0 ? 1 : hash;
}

EndlessSeries::Series& EndlessSeries::series_of(std::uint64_t key) {
  if (series_.size() >= kSeriesMax && !series_.contains(key)) series_.clear();
  return series_[key];
}

void EndlessSeries::see(std::uint64_t key, const Seen& page) {
  if (page.has_new_links) {
    // The stored count must be reset, so the series is not forgotten.
    if (const auto found = series_.find(key); found != series_.end()) found->second = {};
    return;
  }
  Series& series = series_of(key);
  ++series.unlinking;
  const bool is_alike = series.content == 0 || series.content == page.content;
  series.alike = (is_alike ? series.alike : 0) + page.added;
  series.content = page.content;
  series.is_date = page.is_date;
}

void EndlessSeries::count_added(std::uint64_t key) {
  if (const auto found = series_.find(key); found != series_.end()) ++found->second.alike;
}

bool EndlessSeries::is_suspect(std::uint64_t key) const {
  const auto found = series_.find(key);
  return found != series_.end() && found->second.unlinking > 0;
}

bool EndlessSeries::is_endless(std::uint64_t key) const {
  const auto found = series_.find(key);
  if (found == series_.end()) return false;
  const Series& series = found->second;
  const std::uint32_t alike_max =
      series.is_date ? options_.alike_dates_max : options_.alike_pages_max;
  return series.alike >= alike_max || series.unlinking >= options_.unlinking_pages_max;
}

SkipReason EndlessSeries::judge(const url::Url& /*url*/, const LinkFacts& facts) const {
  if (facts.series == 0 || facts.is_unguarded() || changes_ == nullptr) return SkipReason::none;
  const auto found = series_.find(facts.series);
  if (found == series_.end()) return SkipReason::none;
  const Series& series = found->second;
  changes_->push_back({.what = Counted::alike_pages, .count = series.alike, .key = facts.series});
  changes_->push_back(
      {.what = Counted::unlinking_pages, .count = series.unlinking, .key = facts.series});
  return SkipReason::none;
}

void EndlessSeries::recall(const StoredCount& kept) {
  if (kept.what == Counted::alike_pages) series_of(kept.key).alike = kept.count;
  if (kept.what == Counted::unlinking_pages) series_of(kept.key).unlinking = kept.count;
}

void ContentDigest::update(std::string_view text) noexcept {
  for (const char c : text) {
    if (is_word_byte(c)) {
      word_ = mixed(word_, static_cast<unsigned char>(c));
      has_digit_ |= is_digit_byte(c);
      continue;
    }
    if (word_ != 0) hash_ = mixed(hash_, has_digit_ ? kNumber : word_);
    word_ = 0;
    has_digit_ = false;
    hash_ = mixed(hash_, static_cast<unsigned char>(c));
  }
}

std::uint64_t ContentDigest::digest() const noexcept {
  return word_ == 0 ? hash_ : mixed(hash_, has_digit_ ? kNumber : word_);
}

}  // namespace gossamer::crawler

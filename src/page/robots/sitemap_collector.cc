#include "robots/sitemap_collector.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gossamer::robots {
namespace {

// U+0085, U+00A0, U+1680, U+180E, U+2000 to U+200F, U+2028 to U+202F, U+205F, U+2060, U+3000,
// U+FEFF
bool is_wide_space(std::string_view character) {
  constexpr std::array<std::string_view, 7> kSpaces = {
      "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE1\xA0\x8E",
      "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
  if (std::ranges::find(kSpaces, character) != kSpaces.end()) return true;
  if (character == "\xE2\x81\xA0") return true;
  if (character.size() != 3 || !character.starts_with("\xE2\x80")) return false;
  const auto last = static_cast<unsigned char>(character[2]);
  return last <= 0x8F || (last >= 0xA8 && last <= 0xAF);
}

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Return how many bytes of white space there are at the start or at the end.
std::size_t space_at_start(std::string_view text) {
  if (text.empty()) return 0;
  if (is_space(text.front())) return 1;
  if (static_cast<signed char>(text.front()) >= 0) return 0;
  for (const std::size_t size : {2U, 3U}) {
    if (text.size() >= size && is_wide_space(text.substr(0, size))) return size;
  }
  return 0;
}

std::size_t space_at_end(std::string_view text) {
  if (text.empty()) return 0;
  if (is_space(text.back())) return 1;
  if (static_cast<signed char>(text.back()) >= 0) return 0;
  for (const std::size_t size : {2U, 3U}) {
    if (text.size() >= size && is_wide_space(text.substr(text.size() - size))) return size;
  }
  return 0;
}

}  // namespace

std::string_view trim_unicode(std::string_view text) noexcept {
  while (const std::size_t size = space_at_start(text)) text.remove_prefix(size);
  while (const std::size_t size = space_at_end(text)) text.remove_suffix(size);
  return text;
}

SitemapCollector::SitemapCollector(const SitemapOptions& options, SitemapSink& sink)
    : sink_(sink), entries_max_(options.entries_max), scheme_("https:") {
  const bool has_location = url_.assign(options.location) == url::UrlFailure::none;
  if (has_location && url_.is_http_or_https()) scheme_ = url_.protocol();
  if (options.scope == SitemapScope::anywhere) return;
  start_ = "no URL starts like this";
  if (!has_location) return;
  start_ = url_.origin() + "/";
  if (options.scope == SitemapScope::below_location) {
    const std::string_view path = url_.pathname();
    start_ = url_.origin() + std::string(path.substr(0, path.rfind('/') + 1));
  }
}

std::optional<std::string_view> SitemapCollector::spell(std::string_view text) {
  text = trim_unicode(text);
  const bool lacks_scheme = text.starts_with("www.");
  const url::UrlFailure failure =
      lacks_scheme ? url_.assign(scheme_ + "//" + std::string(text)) : url_.assign(text);
  if (failure != url::UrlFailure::none || !url_.is_http_or_https()) return std::nullopt;
  return url_.href();
}

void SitemapCollector::put(SitemapEntry entry, bool is_of_index) {
  if (count_ >= entries_max_) {
    is_over_ = true;
    return;
  }
  const auto loc = spell(entry.loc);
  if (!loc || (!is_of_index && !loc->starts_with(start_))) {
    ++rejected_;
    return;
  }
  entry.loc.assign(*loc);
  ++count_;
  sink_.put(std::move(entry));
}

}  // namespace gossamer::robots

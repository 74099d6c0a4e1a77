// What a check of links has found, as a value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "check/document.h"

namespace gossamer::check {

enum class FindingKind : std::uint8_t {
  broken,     // a link that leads nowhere
  fragment,   // the page is there, the place in it is not
  redirect,   // moved for good: the link should be updated
  insecure,   // http on a page that is https
  mixed,      // a part of an https page that is to be had by http: browsers do not load it
  unchecked,  // nobody knows, for a reason
};

// "broken", "fragment", ... Stable: it goes into files.
std::string_view name(FindingKind kind) noexcept;
// It makes the check fail.
constexpr bool is_error(FindingKind kind) noexcept {
  return kind == FindingKind::broken || kind == FindingKind::fragment;
}
constexpr bool is_warning(FindingKind kind) noexcept {
  return !is_error(kind) && kind != FindingKind::unchecked;
}

// Where a link stands.
struct Place {
  std::string page;  // a URL, or the path of a file
  Position at;
  std::string text;
};

// One address, and all about it that is of one kind.
struct Finding {
  FindingKind kind = FindingKind::broken;
  std::string url;    // with the fragment, if that is what is wrong
  std::string cause;  // a short stable word: "404", "timeout", "no_file", "robots"
  std::string detail;
  std::string leads_to;       // of a redirect
  bool is_source = false;     // the user named it
  std::vector<Place> places;  // the first ones
  std::uint64_t links = 0;    // how many links there are to it in all
};

// BOUND: places that are kept of one address.
inline constexpr std::size_t kPlacesMax = 10;

struct Findings {
  std::vector<std::string> sources;     // what was to be checked
  std::uint64_t pages = 0;              // documents that were looked through
  std::uint64_t links = 0;              // that stand in them
  std::uint64_t urls = 0;               // distinct ones
  std::uint64_t from_cache = 0;         // answered from there
  std::uint64_t sources_unchecked = 0;  // of which nothing is known: the check is none
  std::vector<Finding> all;             // by kind, then by where the first stands
  std::map<FindingKind, std::uint64_t> counts;
  std::map<std::string, std::uint64_t> unchecked;  // by reason
  std::string_view ended_early;                    // "interrupted", ...; empty: it did not
  Duration took = Duration::zero();

  std::uint64_t count(FindingKind kind) const {
    const auto found = counts.find(kind);
    return found == counts.end() ? 0 : found->second;
  }
  std::uint64_t errors() const { return count(FindingKind::broken) + count(FindingKind::fragment); }
  std::uint64_t warnings() const {
    return count(FindingKind::redirect) + count(FindingKind::insecure) + count(FindingKind::mixed);
  }
};

}  // namespace gossamer::check

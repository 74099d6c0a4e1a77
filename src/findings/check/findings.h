// The result of a link check, as a value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "check/document.h"

namespace gossamer::check {

enum class FindingKind : std::uint8_t {
  broken,     // a link whose target cannot be fetched
  fragment,   // the page exists, the fragment does not
  text,       // the page exists, the quoted text is not on it
  redirect,   // moved permanently: the link should be updated
  insecure,   // an http link on an https page
  mixed,      // a resource that an https page loads over http: browsers block it
  blocked,    // the server rejects programs: the link may well work in a browser
  unchecked,  // not checked, for a reason
  seo,        // a fault of a page: the cause is the name of the rule
};

// Returns "broken", "fragment", ... The names are stable, because files contain them.
std::string_view name(FindingKind kind) noexcept;
// Returns whether it makes the check fail.
constexpr bool is_error(FindingKind kind) noexcept {
  return kind == FindingKind::broken || kind == FindingKind::fragment || kind == FindingKind::text;
}
// Returns whether it says nothing about the link.
constexpr bool is_undecided(FindingKind kind) noexcept {
  return kind == FindingKind::blocked || kind == FindingKind::unchecked;
}
constexpr bool is_warning(FindingKind kind) noexcept {
  return !is_error(kind) && !is_undecided(kind);
}

// The position of a link.
struct Place {
  std::string page;  // a URL, or the path of a file
  Position at;
  std::string text;
};

// One URL, and everything of one kind about it.
struct Finding {
  FindingKind kind = FindingKind::broken;
  std::string url;    // with the fragment, if that is the fault
  std::string cause;  // a short stable word: "404", "timeout", "no_file", "robots"
  std::string detail;
  std::string leads_to;               // target of a redirect
  std::string copy;                   // the URL of a copy that may exist: see suggest_copies()
  std::optional<WallTime> copied_at;  // there is a copy of that time, and `copy` is its archive
  bool is_source = false;             // the user named it
  bool is_known = false;              // an earlier check had it: see Baseline
  std::vector<Place> places;          // the first ones
  std::uint64_t links = 0;            // the number of all links to it
};

// BOUND: positions stored per URL.
inline constexpr std::size_t kPlacesMax = 10;

struct Findings {
  std::vector<std::string> sources;     // what the user asked to check
  std::uint64_t pages = 0;              // documents that were read
  std::uint64_t links = 0;              // links in them
  std::uint64_t urls = 0;               // distinct ones
  std::uint64_t from_cache = 0;         // answered from the cache
  std::uint64_t sources_unchecked = 0;  // sources without a result: the check failed
  std::vector<Finding> all;             // by kind, then by the first position
  std::map<FindingKind, std::uint64_t> counts;
  std::map<std::string, std::uint64_t> unchecked;  // by reason
  bool has_baseline = false;                       // it was compared with an earlier check
  std::string_view ended_early;                    // "interrupted", ...; empty if it did not
  Duration took = Duration::zero();

  std::uint64_t count(FindingKind kind) const {
    const auto found = counts.find(kind);
    return found == counts.end() ? 0 : found->second;
  }
  std::uint64_t errors() const {
    return count(FindingKind::broken) + count(FindingKind::fragment) + count(FindingKind::text);
  }
  std::uint64_t warnings() const {
    return count(FindingKind::redirect) + count(FindingKind::insecure) + count(FindingKind::mixed) +
           count(FindingKind::seo);
  }
  // The ones that an earlier check did not have.
  std::uint64_t new_errors() const { return count_new(is_error); }
  std::uint64_t new_warnings() const { return count_new(is_warning); }
  std::uint64_t left_open() const {
    return count(FindingKind::blocked) + count(FindingKind::unchecked);
  }

 private:
  std::uint64_t count_new(bool (*matters)(FindingKind)) const;
};

// A copy of a page in an archive on this machine.
struct ArchivedCopy {
  std::string archive;  // its path
  WallTime at;
};
using FindCopy = std::move_only_function<std::optional<ArchivedCopy>(const std::string& url)>;

// Names a copy of each broken link to the web: the one that `find` returns, or else the address in
// the Wayback Machine. No request is sent there, so that may have none. An empty `find` finds
// nothing.
void suggest_copies(Findings& findings, FindCopy find = {});

}  // namespace gossamer::check

// The changes that a refresh found.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "record/record.h"
#include "store/tables.h"

namespace gossamer::store {

// In Table::meta: the start of the last refresh, in the form of the keys of Table::changes.
inline constexpr std::string_view kLastRefreshKey = "last-refresh";

enum class ChangeKind : std::uint8_t {
  added,    // it was unknown or did not exist
  changed,  // another body or another redirect target
  gone,     // it does not exist any longer
  markup,   // another body with the same title and visible text: an ad, a token, a script
};
std::string_view name(ChangeKind kind) noexcept;

struct PageChange {
  ChangeKind kind = ChangeKind::changed;
  std::string url;
  WallTime ts;  // the time of the fetch
  std::optional<int> status_before;
  std::optional<int> status;
};

// Compares two records of a page. Returns nothing if they are the same or if there was no response.
// `before` is nullptr if the page is new.
std::optional<ChangeKind> compare(const crawler::FetchRecord* before,
                                  const crawler::FetchRecord& now);

std::string pack_change(const PageChange& change);
Result<PageChange> unpack_change(std::string_view row);

// Returns whether there was a refresh. Fails as the tables do.
Result<bool> has_refreshed(const Tables& tables);
// Returns the changes of the last refresh, in the order of the fetches. Fails as the tables do.
Result<void> for_each_change(const Tables& tables,
                             std::move_only_function<bool(const PageChange&)> use);

}  // namespace gossamer::store

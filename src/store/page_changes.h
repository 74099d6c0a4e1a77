// What a crawl that asked again found different.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "crawl/page/record.h"
#include "store/tables.h"

namespace gossamer::store {

// In Table::meta: the beginning of the last refresh, as keys of Table::changes begin.
inline constexpr std::string_view kLastRefreshKey = "last-refresh";

enum class ChangeKind : std::uint8_t {
  added,    // it was not there, or not found
  changed,  // another body, or another place that it redirects to
  gone,     // it was there
  markup,   // another body with the same title and visible text: an ad, a token, a script
};
std::string_view name(ChangeKind kind) noexcept;

struct PageChange {
  ChangeKind kind = ChangeKind::changed;
  std::string url;
  WallTime ts;  // when that was seen
  std::optional<int> status_before;
  std::optional<int> status;
};

// What is different between two records of a page; nothing: nothing, or nobody can tell, because
// there was no answer. `before` is nullptr if the page is new.
std::optional<ChangeKind> compare(const crawler::FetchRecord* before,
                                  const crawler::FetchRecord& now);

std::string pack_change(const PageChange& change);
Result<PageChange> unpack_change(std::string_view row);

// Whether there was a refresh. Fails as the tables do.
Result<bool> has_refreshed(const Tables& tables);
// The changes that the last refresh found, in the order in which it did. Fails as the tables do.
Result<void> for_each_change(const Tables& tables,
                             std::move_only_function<bool(const PageChange&)> use);

}  // namespace gossamer::store

#include "index/facets.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gossamer::index {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>()(text);
  }
};

struct FacetView {
  std::string_view value;
  std::uint64_t pages = 0;
};

// How many pages have each value.
class ValueCounts {
 public:
  void add(std::string_view value) {
    // Most pages of a result are like the one before.
    if (last_ == nullptr || last_->first != value) {
      auto found = pages_.find(value);
      if (found == pages_.end()) {
        if (pages_.size() >= kFacetValuesMax) return;
        found = pages_.emplace(value, 0).first;
      }
      last_ = &*found;
    }
    ++last_->second;
  }

  template <class Order>
  std::vector<FacetValue> take(std::size_t most, Order order) {
    std::vector<const Pages::value_type*> all;
    for (const auto& each : pages_) all.push_back(&each);
    const std::size_t count = std::min(most, all.size());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(all.begin(), end, all.end(), [&](const auto* a, const auto* b) {
      return order(FacetView{a->first, a->second}, FacetView{b->first, b->second});
    });
    std::vector<FacetValue> values;
    for (auto at = all.begin(); at != end; ++at) values.push_back({(*at)->first, (*at)->second});
    return values;
  }

 private:
  using Pages = std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>>;
  Pages pages_;  // BOUND: kFacetValuesMax
  Pages::value_type* last_ = nullptr;
};

bool has_more_pages(FacetView a, FacetView b) {
  return std::pair(b.pages, a.value) < std::pair(a.pages, b.value);
}
bool is_later(FacetView a, FacetView b) { return a.value > b.value; }

// Returns "2026" for a time of the index.
std::string year_of(std::int64_t stored) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(stored)};
  const std::chrono::year_month_day day(floor<std::chrono::days>(time));
  std::string year = std::to_string(static_cast<int>(day.year()));
  if (year.size() < 4) year.insert(0, 4 - year.size(), '0');
  return year;
}

}  // namespace

Result<Facets> count_facets(store::Database& database, const SearchWork& work) {
  std::string sql = "SELECT page.site, page.mime, page.lang, ";
  sql.append(time_sql(work.query, work.options.folds_duplicates)).append(" ");
  auto rows = database.prepare(sql + work.selection());
  if (!rows) return fail(std::move(rows).error());
  work.bind(*rows);
  std::array<ValueCounts, 3> counts;
  ValueCounts years;
  while (true) {
    auto row = rows->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) break;
    for (std::size_t at = 0; at < counts.size(); ++at) {
      counts[at].add(rows->text_at(static_cast<int>(at)));
    }
    years.add(year_of(rows->number_at(3)));
  }
  const std::size_t most = work.options.facet_values_max;
  return Facets{.sites = counts[0].take(most, has_more_pages),
                .types = counts[1].take(most, has_more_pages),
                .years = years.take(most, is_later),
                .languages = counts[2].take(most, has_more_pages)};
}

}  // namespace gossamer::index

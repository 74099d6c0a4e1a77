#include "index/candidate.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "index/stored_time.h"

namespace gossamer::index {
namespace {

// Near duplicates are of one site, have about the same length and most of their text in common.
constexpr double kSameOverlapMin = 0.9;
constexpr double kSameLengthMin = 0.9;

// Equal texts have equal sketches and lengths.
std::uint64_t hash_of_text(const Candidate& one) {
  const auto& values = one.sketch->values;
  return base::hash64({reinterpret_cast<const char*>(values.data()), values.size()},
                      one.page.text_bytes);
}

bool are_near_duplicates(const Candidate& a, const Candidate& b) {
  const auto [least, most] = std::minmax(a.page.text_bytes, b.page.text_bytes);
  return static_cast<double>(least) >= kSameLengthMin * static_cast<double>(most) &&
         content::overlap(*a.sketch, *b.sketch) >= kSameOverlapMin;
}

}  // namespace

Candidate read_candidate(store::Statement& row) {
  Candidate one;
  Capture& page = one.page;
  page.id = row.number_at(0);
  page.url = row.text_at(1);
  page.title = row.text_at(2);
  page.site = row.text_at(3);
  page.type = row.text_at(4);
  page.language = row.text_at(5);
  page.captured = from_stored_time(row.number_at(6));
  page.archive = row.text_at(7);
  page.member = row.text_at(8);
  page.offset = static_cast<std::uint64_t>(row.number_at(9));
  page.text_bytes = static_cast<std::uint64_t>(row.number_at(10));
  const std::string_view sketch = row.blob_at(11);
  if (sketch.size() == content::TextSketch::kValues) {
    one.sketch.emplace();
    std::memcpy(one.sketch->values.data(), sketch.data(), sketch.size());
  }
  return one;
}

std::optional<std::size_t> Folding::find(const Candidate& one, std::uint64_t text_hash) const {
  if (!folds_) return std::nullopt;
  if (const auto same = by_url_.find(one.page.url); same != by_url_.end()) return same->second;
  if (!one.sketch) return std::nullopt;
  if (const auto same = by_text_.find(text_hash); same != by_text_.end()) return same->second;
  const auto site = by_site_.find(one.page.site);
  if (site == by_site_.end()) return std::nullopt;
  for (const std::size_t at : site->second) {
    if (are_near_duplicates(one, kept_[at].best)) return at;
  }
  return std::nullopt;
}

void Folding::add(Candidate one, bool can_keep) {
  const std::uint64_t text_hash = one.sketch ? hash_of_text(one) : 0;
  if (const auto same = find(one, text_hash)) {
    kept_[*same].duplicates.push_back(std::move(one.page));
    return;
  }
  if (!can_keep) return;
  const std::size_t place = kept_.size();
  by_url_.emplace(one.page.url, place);
  if (one.sketch) {
    by_text_.emplace(text_hash, place);
    by_site_[one.page.site].push_back(place);
  }
  kept_.push_back({std::move(one), {}});
}

}  // namespace gossamer::index

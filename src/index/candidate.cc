#include "index/candidate.h"

#include <algorithm>
#include <cstring>

#include "index/stored_time.h"

namespace gossamer::index {
namespace {

// Near duplicates are of one site, have about the same length and most of their text in common.
constexpr double kSameOverlapMin = 0.9;
constexpr double kSameLengthMin = 0.9;

}  // namespace

Candidate read_candidate(Statement& row) {
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
  one.digest = static_cast<std::uint64_t>(row.number_at(11));
  const std::string_view sketch = row.blob_at(12);
  if (sketch.size() == content::TextSketch::kValues) {
    one.sketch.emplace();
    std::memcpy(one.sketch->values.data(), sketch.data(), sketch.size());
  }
  return one;
}

bool have_same_text(const Candidate& a, const Candidate& b) {
  if (a.page.url == b.page.url) return true;
  if (a.digest == b.digest && a.page.text_bytes > 0) return true;
  if (!a.sketch || !b.sketch || a.page.site != b.page.site) return false;
  const auto [least, most] = std::minmax(a.page.text_bytes, b.page.text_bytes);
  return static_cast<double>(least) >= kSameLengthMin * static_cast<double>(most) &&
         content::overlap(*a.sketch, *b.sketch) >= kSameOverlapMin;
}

}  // namespace gossamer::index

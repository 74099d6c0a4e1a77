#include "engine/page/similar_pages.h"

#include <span>
#include <utility>

#include "base/hash.h"

namespace gossamer::crawler {
namespace {

// Of a page besides its URL: its entry, and its places in tables that are about two thirds full.
constexpr std::size_t kPageBytes = 400;

std::uint32_t digest_key(const content::TextSketch& sketch) noexcept {
  return static_cast<std::uint32_t>(sketch.digest);
}

}  // namespace

std::uint32_t SimilarPages::band_key(const content::TextSketch& sketch, std::size_t band) noexcept {
  const Bytes values =
      std::as_bytes(std::span(sketch.values)).subspan(band * kBandValues, kBandValues);
  return static_cast<std::uint32_t>(base::hash64(values, band));
}

const SimilarPages::First* SimilarPages::find(const content::TextSketch& sketch) const noexcept {
  const First* best = nullptr;
  if (const auto same = digests_.find(digest_key(sketch))) {
    if (pages_[*same].sketch.digest == sketch.digest) return &pages_[*same];
  }
  for (std::size_t band = 0; band < kBands; ++band) {
    const auto owner = bands_.find(band_key(sketch, band));
    if (!owner || best == &pages_[*owner]) continue;
    const First& first = pages_[*owner];
    if (!content::are_similar(first.sketch, sketch)) continue;
    const bool is_better = best == nullptr || content::overlap(first.sketch, sketch) >
                                                  content::overlap(best->sketch, sketch);
    if (is_better) best = &first;
  }
  return best;
}

std::optional<std::string_view> SimilarPages::put(const content::TextSketch& sketch,
                                                  std::string_view url) {
  if (const First* const first = find(sketch)) {
    // A page that is fetched again is not similar to itself.
    return first->url == url ? std::nullopt : std::optional<std::string_view>(first->url);
  }
  const std::size_t bytes = kPageBytes + url.size();
  if (bytes > bytes_left_) return std::nullopt;
  bytes_left_ -= bytes;
  const auto owner = static_cast<std::uint32_t>(pages_.size());
  pages_.push_back({.sketch = sketch, .url = std::string(url)});
  digests_.put(digest_key(sketch), owner);
  for (std::size_t band = 0; band < kBands; ++band) bands_.put(band_key(sketch, band), owner);
  return std::nullopt;
}

void SimilarSink::remember(const FetchRecord& record) {
  if (record.sketch && record.similar_to.empty()) pages_.put(*record.sketch, record.url);
}

void SimilarSink::compare(FetchRecord& record) {
  if (record.sketch) record.similar_to = pages_.put(*record.sketch, record.url).value_or("");
}

async::Task<Result<void>> SimilarSink::put(Page page) {
  FetchRecord& record = page.record;
  if (record.status == 304 && unchanged_text_) record.sketch = unchanged_text_(record.url);
  compare(record);
  return next_.put(std::move(page));
}

async::Task<Result<void>> SimilarSink::put_other(Exchange exchange) {
  return next_.put_other(std::move(exchange));
}

}  // namespace gossamer::crawler

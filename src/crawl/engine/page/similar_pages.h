#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "content/text_sketch.h"
#include "record/page_sink.h"
#include "scope/first_seen.h"

namespace gossamer::crawler {

// Remembers the first page of each text, and finds pages whose text is nearly the same.
//
// Pages with equal digests are found first. Otherwise, pages that agree in four values of their
// sketches at certain places are compared. Of texts that share 70 % of their sequences, 98.8 % have
// such values; of those that share 90 %, practically all.
//
// BOUND: memory. A page whose text is new takes about 400 bytes and its URL; a similar page takes
// none. When the memory is used up, new texts are not remembered, but known ones are still found.
class SimilarPages {
 public:
  static constexpr std::size_t kMemoryBytes = 256 * 1024 * 1024;

  explicit SimilarPages(std::size_t memory_bytes = kMemoryBytes) noexcept
      : bytes_left_(memory_bytes) {}

  // Returns the URL of the first page with nearly the same text. If there is none, this page
  // becomes the first, and the result is empty. BORROWS: the result, until the object ends.
  std::optional<std::string_view> put(const content::TextSketch& sketch, std::string_view url);

  std::size_t size() const noexcept { return pages_.size(); }

 private:
  struct First {
    content::TextSketch sketch;
    std::string url;
  };

  static constexpr std::size_t kBands = 16;
  static constexpr std::size_t kBandValues = 4;

  static std::uint32_t band_key(const content::TextSketch& sketch, std::size_t band) noexcept;
  const First* find(const content::TextSketch& sketch) const noexcept;

  std::size_t bytes_left_;
  std::deque<First> pages_;
  FirstSeen32 digests_;
  FirstSeen32 bands_{std::size_t{64} * 1024 * 1024};
};

// Adds FetchRecord::similar_to to pages, and passes them on. Pages of all loops of a crawl pass
// here, so the result does not depend on the number of loops.
class SimilarSink final : public PageSink {
 public:
  // BORROWS: the sink.
  SimilarSink(PageSink& next, std::size_t memory_bytes) noexcept
      : next_(next), pages_(memory_bytes) {}

  // Pages of an earlier process.
  void remember(const FetchRecord& record);
  // Sets FetchRecord::similar_to of a page whose text is known.
  void compare(FetchRecord& record);
  // Returns the text of a page that did not change (status 304); nullptr: it is not known.
  using UnchangedText =
      std::move_only_function<std::shared_ptr<const content::TextSketch>(std::string_view url)>;
  void on_unchanged(UnchangedText text) { unchanged_text_ = std::move(text); }

  async::Task<Result<void>> put(Page page) override;
  async::Task<Result<void>> put_other(Exchange exchange) override;
  void skip(const SkippedUrl& skipped) override { next_.skip(skipped); }

 private:
  PageSink& next_;
  SimilarPages pages_;
  UnchangedText unchanged_text_;  // may be empty
};

}  // namespace gossamer::crawler

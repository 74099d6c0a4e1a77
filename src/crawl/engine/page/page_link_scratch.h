#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/page/link_memo.h"
#include "url/url.h"

namespace gossamer::crawler {

// A set of the fingerprints of one page; it is reused for many pages.
class PageSet {
 public:
  // `salt` makes the slots of fingerprints unpredictable.
  explicit PageSet(std::uint64_t salt) noexcept : multiplier_(salt | 1) {}
  void begin(std::size_t items_max);
  // Returns true if it is new. BOUND: `items_max`.
  bool insert(std::uint64_t fingerprint);
  bool contains(std::uint64_t fingerprint) const;

 private:
  std::uint64_t multiplier_;
  std::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
};

// Buffers for reading links; they are reused for many pages.
struct PageLinkScratch {
  explicit PageLinkScratch(std::uint64_t salt) : salt(salt), spare_set(salt), memo(salt) {}

  const std::uint64_t salt;
  PageSet spare_set;  // for the next page
  LinkMemo memo;
  url::Url link;  // the current link
};

}  // namespace gossamer::crawler

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crawl/page/link_memo.h"
#include "url/url.h"

namespace gossamer::crawler {

// A set of the fingerprints of one page, used for one page after another.
class PageSet {
 public:
  // `salt` makes the places of fingerprints unlike those of any other crawl.
  explicit PageSet(std::uint64_t salt) noexcept : multiplier_(salt | 1) {}
  void begin(std::size_t items_max);
  // True if it is new. BOUND: `items_max` of them.
  bool insert(std::uint64_t fingerprint);

 private:
  std::uint64_t multiplier_;
  std::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
};

// What the links of one page after another are read with.
struct PageLinkScratch {
  explicit PageLinkScratch(std::uint64_t salt) : salt(salt), spare_set(salt), memo(salt) {}

  const std::uint64_t salt;
  PageSet spare_set;  // for the next page
  LinkMemo memo;
  url::Url link;  // the one that is being read
};

}  // namespace gossamer::crawler

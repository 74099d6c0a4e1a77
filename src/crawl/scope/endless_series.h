// Detects endless numbered pages without new content: /list?page=1, /list?page=2, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/skip_reason.h"
#include "scope/link_rule.h"
#include "scope/stored_count.h"
#include "scope/trap_options.h"
#include "url/url.h"

namespace gossamer::crawler {

// URLs that differ only in numbers are a series. A page of a series that was found on another page
// of it may add something: links out of the series, or new content. After many pages in a row that
// add nothing, the series is endless, and links from its pages to further ones are skipped. Links
// from outside to a page of the series are not affected.
//
// The pages of weather stations differ only in numbers, too. So such a series may become long,
// except a calendar, which is recognised by its URLs. What counts is how many URLs the pages add: a
// page that leads to thirty others is thirty times as dangerous as one that leads to the next.
//
// BOUND: kSeriesMax, at about 60 bytes each; beyond that, all counts are reset.
class EndlessSeries {
 public:
  static constexpr std::size_t kSeriesMax = 100'000;

  explicit EndlessSeries(const TrapOptions& options) noexcept : options_(options) {}

  // Returns the series of an http or https URL. 0: the URL has no number.
  static std::uint64_t key_of(std::string_view url) noexcept;

  // A page of a series that was found on another one.
  struct Seen {
    bool has_new_links = false;  // out of the series
    bool is_date = false;        // its URL is that of a calendar
    std::uint64_t content = 0;   // the same for pages that differ only in numbers
    std::uint32_t added = 0;     // new URLs of the series on it
  };
  void see(std::uint64_t key, const Seen& page);
  // Counts one more new URL of the series on the last page.
  void count_added(std::uint64_t key);
  // True if the last page added no links, so the series may be endless.
  bool is_suspect(std::uint64_t key) const;
  bool is_endless(std::uint64_t key) const;

  // Rejects nothing: links to pages of an endless series are held back before they become URLs.
  // Tells the counts of the series, to be stored with the URL.
  SkipReason judge(const url::Url& url, const LinkFacts& facts) const;
  // From now on, appends the counts to this vector. BORROWS: the vector.
  void tell(std::vector<StoredCount>& changes) noexcept { changes_ = &changes; }
  // Restores counts of an earlier process; ignores counts of other guards.
  void recall(const StoredCount& kept);

 private:
  struct Series {
    std::uint64_t content = 0;  // of the last page; 0: unknown
    bool is_date = false;       // the last page is of a calendar
    // URLs of the series on consecutive pages without new links and with the same content.
    std::uint32_t alike = 0;
    std::uint32_t unlinking = 0;  // consecutive pages without new links
  };

  Series& series_of(std::uint64_t key);

  TrapOptions options_;
  std::unordered_map<std::uint64_t, Series> series_;  // those with a page without new links
  std::vector<StoredCount>* changes_ = nullptr;       // nullptr: none
};

// A digest of a page that treats all words with digits as equal: page numbers, dates, ids.
//
// PageReading::text_digest() does not work here, because it differs if numbers differ. This digest
// does not work there: a new price is a change, and a new digest would make all pages in existing
// crawl directories look changed.
class ContentDigest {
 public:
  void update(std::string_view text) noexcept;
  std::uint64_t digest() const noexcept;
  void reset() noexcept { *this = {}; }

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t word_ = 0;  // the current word; 0: none
  bool has_digit_ = false;
};

}  // namespace gossamer::crawler

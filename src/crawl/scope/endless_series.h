// Pages that are numbered without end and add nothing new: /list?page=1, /list?page=2, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawl/frontier/stored_count.h"
#include "crawl/scope/trap_options.h"

namespace gossamer::crawler {

// URLs that differ in nothing but numbers are a series. A page of a series that was found on
// another page of it may add something: links to other pages than those of the series, or another
// content. After many pages in a row that add nothing, the series is endless, and its pages lead to
// no further ones. Links from outside to a page of the series are not its business.
//
// BOUND: kSeriesMax of them, some 60 bytes each; when there are more, all counts begin anew.
class EndlessSeries {
 public:
  static constexpr std::size_t kSeriesMax = 100'000;

  explicit EndlessSeries(const TrapOptions& options) noexcept : options_(options) {}

  // Of an http or https URL: the same for all of a series. 0: there is no number in it.
  static std::uint64_t key_of(std::string_view url) noexcept;

  // A page of the series that was found on another one. `content` is the same for pages that are
  // alike but for their numbers.
  void see(std::uint64_t key, bool has_new_links, std::uint64_t content);
  // The last page added no links: the next may be one too many.
  bool is_suspect(std::uint64_t key) const;
  bool is_endless(std::uint64_t key) const;

  // What goes with the next URL of the series, so that it outlives the process.
  void tell(std::uint64_t key, std::vector<StoredCount>& counts) const;
  // What an earlier process had counted; counts of others are left alone.
  void recall(const StoredCount& kept);

 private:
  struct Series {
    std::uint64_t content = 0;    // of the last page; 0: not known
    std::uint32_t alike = 0;      // pages in a row without new links, and like the one before
    std::uint32_t unlinking = 0;  // and without new links
  };

  Series& series_of(std::uint64_t key);

  TrapOptions options_;
  std::unordered_map<std::uint64_t, Series> series_;  // those that had a page without new links
};

// A digest of a page in which words with digits count as one: page numbers, dates, ids.
//
// PageReading::text_digest() cannot serve here: pages of a series differ in their numbers, and so
// does that digest. This one cannot serve there: a changed price is a change, and the digest that
// crawl directories store cannot be replaced without making all their pages look changed.
class ContentDigest {
 public:
  void update(std::string_view text) noexcept;
  std::uint64_t digest() const noexcept;
  void reset() noexcept { *this = {}; }

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t word_ = 0;  // the one that has begun; 0: none has
  bool has_digit_ = false;
};

}  // namespace gossamer::crawler

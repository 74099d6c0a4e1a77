#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/time.h"
#include "crawl/shards/site_number.h"
#include "store/journal.h"
#include "wire/cookie_jar.h"

namespace gossamer::store {

// The cookies of a crawl, kept with its pages. However many processes it takes, it is one session:
// cookies without a date of expiry are kept, too.
class StoredCookies {
 public:
  // BORROWS: the journal.
  explicit StoredCookies(Journal& journal) noexcept : journal_(journal) {}
  StoredCookies(const StoredCookies&) = delete;
  StoredCookies& operator=(const StoredCookies&) = delete;

  // Puts into the jar what earlier processes had of the sites of a loop, and from then on notes
  // what changes in it: that is written with the next commit. Each loop has a jar of its own, and
  // may call this on its thread. The journal hears of failures. BORROWS: this, for the life of the
  // jar.
  void keep(wire::CookieJar& jar, crawler::SiteShare share, WallTime now);

 private:
  void note(const wire::Cookie& cookie, bool is_there);

  Journal& journal_;
  // Guarded by the journal's lock. BOUND: what the jars hold.
  std::unordered_map<std::string, std::uint64_t> numbers_;  // by key: who came first is sent first
  std::uint64_t next_number_ = 0;
};

}  // namespace gossamer::store

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/time.h"
#include "frontier/site_number.h"
#include "store/journal.h"
#include "wire/cookie_jar.h"

namespace gossamer::store {

// Stores the cookies of a crawl with its pages. A crawl is one session even over several processes,
// so session cookies are stored, too.
class StoredCookies {
 public:
  // BORROWS: the journal.
  explicit StoredCookies(Journal& journal) noexcept : journal_(journal) {}
  StoredCookies(const StoredCookies&) = delete;
  StoredCookies& operator=(const StoredCookies&) = delete;

  // Fills the jar with the stored cookies of a loop's sites, and stores later changes with the next
  // commit. Each loop has its own jar and calls this on its thread. The journal reports failures.
  // BORROWS: this, for the life of the jar.
  void keep(wire::CookieJar& jar, crawler::SiteShare share, WallTime now);

 private:
  void note(const wire::Cookie& cookie, bool is_there);

  Journal& journal_;
  // Guarded by the journal's lock. BOUND: the cookies of the jars.
  std::unordered_map<std::string, std::uint64_t> numbers_;  // by key; older cookies are sent first
  std::uint64_t next_number_ = 0;
};

}  // namespace gossamer::store

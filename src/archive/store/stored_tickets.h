#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "frontier/site_number.h"
#include "store/journal.h"

namespace gossamer::store {

// A TLS session that a later run of a crawl can resume.
struct StoredTicket {
  std::string key;   // of its origin
  std::string host;  // decides which loop uses it
  WallTime expires;
  std::string session;

  friend bool operator==(const StoredTicket&, const StoredTicket&) = default;
};

// Stores the TLS sessions of a crawl between its runs. Most can be resumed only once, so the tables
// have them only while no run does: a killed run leaves none.
class StoredTickets {
 public:
  // BORROWS: the journal.
  explicit StoredTickets(Journal& journal) noexcept : journal_(journal) {}

  // Removes the stored sessions of a loop's sites and returns those that are valid: not expired,
  // and made with the same `trust`. Any thread may call it. The journal reports failures.
  std::vector<StoredTicket> take(crawler::SiteShare share, std::string_view trust, WallTime now);
  // Stores sessions with the next commit. Any thread may call it.
  void put(const std::vector<StoredTicket>& tickets, std::string_view trust);

 private:
  Journal& journal_;
};

}  // namespace gossamer::store

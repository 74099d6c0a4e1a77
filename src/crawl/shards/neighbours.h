#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crawl/frontier/target.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/statistics.h"
#include "url/url.h"

namespace gossamer::crawler {

// The other loops of the same crawl, as one engine sees them. Hosts are dealt among the loops; each
// decides about its own, so what is found of a neighbour's hosts is sent there.
class Neighbours {
 public:
  virtual ~Neighbours() = default;

  enum class Sent : std::uint8_t { own, sent, sent_before };

  // A URL that is in scope. `own`: nothing was sent, it is ours.
  virtual Sent send(const url::Url& url, std::uint64_t fingerprint, const Target& facts) = 0;
  // One that is refused: its loop tells of it, so that it is told once.
  virtual Sent send_refused(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
                            const Target& facts, std::string_view detail) = 0;
  virtual bool is_own(const url::Url& url) = 0;
  // The scope follows a root to where it redirects, everywhere.
  virtual void widen(const url::Url& root) = 0;

  // Our roots are in the frontier. REQUIRES: once, before anything can be finished.
  virtual void has_begun() = 0;
  // Nobody finds the end before let_go(). False: it has been found already.
  virtual bool hold_open() = 0;
  virtual void let_go() = 0;
  // All are to stop for this reason.
  virtual void stop(EndReason reason) = 0;
  // Of all, with these.
  virtual std::uint64_t add_wire_bytes(std::uint64_t bytes) = 0;
};

}  // namespace gossamer::crawler

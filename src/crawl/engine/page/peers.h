#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "frontier/target.h"
#include "record/skip_reason.h"
#include "record/statistics.h"
#include "scope/link_rule.h"
#include "url/url.h"

namespace gossamer::crawler {

// The other engines of a crawl: the loops of this process, or the nodes of a shared crawl. This is
// an interface. Every function returns immediately.
class Peers {
 public:
  // Sends a URL in scope to its owner: added, or seen if it was sent before. Empty: it is ours.
  virtual std::optional<Verdict> send(const url::Url& url, std::uint64_t fingerprint,
                                      const Target& facts) = 0;
  // Sends a skipped URL to its owner, which reports it once. Returns false if it is ours.
  virtual bool send_refused(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
                            const Target& facts, std::string_view detail) = 0;
  // True if we add this root.
  virtual bool is_own(const url::Url& url) = 0;
  // Adds the redirect target of a root to the scope of all others.
  virtual void widen(const url::Url& root) = 0;

  // Our roots were added. REQUIRES: called once, before any target can end.
  virtual void has_begun() = 0;
  // Prevents the end until let_go(). Returns false if the crawl has already ended.
  virtual bool hold_open() = 0;
  virtual void let_go() = 0;
  // This engine stops for this reason.
  virtual void stop(EndReason reason) = 0;
  // Adds these bytes and returns the total that the quota limits.
  virtual std::uint64_t add_wire_bytes(std::uint64_t bytes) = 0;

 protected:
  ~Peers() = default;
};

}  // namespace gossamer::crawler

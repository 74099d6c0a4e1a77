#pragma once

#include <cstdint>
#include <string>

#include "crawl/frontier/frontier.h"
#include "crawl/frontier/target.h"
#include "crawl/page/link_intake.h"
#include "crawl/scope/skip_reason.h"

namespace gossamer::crawler {

// What goes from one loop of a crawl to another, in this process or the next.
class ShardMail {
 public:
  // BORROWS: both.
  ShardMail(Frontier& frontier, LinkIntake& intake) : frontier_(frontier), intake_(intake) {}

  // A URL of another loop is on its way: as Frontier::send().
  std::uint64_t keep_sent(const std::string& url, std::uint64_t fingerprint, const Target& facts);

  // What others found for us. A URL of ours, with the ticket that it was sent with.
  void take_link(const std::string& url, const Target& facts);
  // One that was found and rejected.
  void take_refused(const std::string& url, std::uint64_t fingerprint, SkipReason reason,
                    const Target& facts, std::string detail);
  // A root's new place.
  void take_root(const std::string& url);
  // All that earlier processes sent and did not deliver.
  void take_undelivered();

 private:
  Frontier& frontier_;
  LinkIntake& intake_;
};

}  // namespace gossamer::crawler

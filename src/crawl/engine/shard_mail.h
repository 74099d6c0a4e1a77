#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/page/link_intake.h"
#include "frontier/frontier.h"
#include "frontier/target.h"
#include "record/skip_reason.h"
#include "scope/stored_count.h"

namespace gossamer::crawler {

// Messages between the loops of a crawl, in this process or the next.
class ShardMail {
 public:
  // BORROWS: both.
  ShardMail(Frontier& frontier, LinkIntake& intake) : frontier_(frontier), intake_(intake) {}

  // Stores a URL for another loop, like Frontier::send().
  std::uint64_t keep_sent(const std::string& url, std::uint64_t fingerprint, const Target& facts);

  // Receives a URL of ours that another loop found, with its ticket.
  void take_link(const std::string& url, const Target& facts);
  // Receives a URL of a leased host, which another node may have found, with its ticket.
  void take_leased(const std::string& url, const Target& facts);
  // Receives the counts of limits and guards of a leased host.
  void take_counts(std::span<const StoredCount> counts) { intake_.recall(counts); }
  // Receives one that was found and skipped.
  void take_refused(const std::string& url, std::uint64_t fingerprint, SkipReason reason,
                    const Target& facts, std::string detail);
  // Receives the redirect target of a root.
  void take_root(const std::string& url);
  // Receives messages that earlier processes did not deliver.
  void take_undelivered();

 private:
  Frontier& frontier_;
  LinkIntake& intake_;
};

}  // namespace gossamer::crawler

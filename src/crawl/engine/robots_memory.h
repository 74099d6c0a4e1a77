#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "async/event.h"
#include "async/task.h"
#include "base/result.h"
#include "engine/page/body_memory.h"
#include "engine/setup/options.h"
#include "http/client.h"
#include "robots/robots.h"
#include "url/url.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

// The rules of hosts that only parts of pages are fetched from. The frontier has those of the
// others.
class RobotsMemory {
 public:
  // BORROWS: the client.
  RobotsMemory(http::Client& client, const Settings& settings);

  // Fetches the rules of the origin if they are unknown or old. False if they forbid the URL, and
  // if they cannot be fetched. BORROWS: the memory.
  async::Task<bool> allows(url::Url url, WallTime now);

 private:
  struct Entry {
    WallTime fetched;
    async::Event has_come;
    bool is_known = false;
    robots::Robots robots;
  };
  // A host whose robots.txt cannot be fetched is left alone for this long.
  static constexpr Duration kFailureAge = std::chrono::minutes(1);
  // BOUND: origins, and the memory of their rules. Beyond it, all are forgotten.
  static constexpr std::size_t kOriginsMax = 500;
  static constexpr std::size_t kRulesBytesMax = std::size_t{4} * 1024 * 1024;
  static constexpr std::size_t kFetchBytesMax = std::size_t{2} * 1024 * 1024;

  using Entries = std::unordered_map<std::string, std::shared_ptr<Entry>>;
  bool is_fresh(const Entry& entry, WallTime now) const;
  void forget(Entries::const_iterator entry);

  http::Client& client_;
  Settings settings_;
  // Not that of the pages: a page that waits for these rules has a share of it.
  BodyMemory memory_;
  wire::WholeDecoder decoder_;
  Entries entries_;
  std::size_t rules_bytes_ = 0;  // of the entries
};

}  // namespace gossamer::crawler

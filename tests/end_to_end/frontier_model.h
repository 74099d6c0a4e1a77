// For tests: a shared frontier as a few containers, to compare with the functions in Redis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/shared_frontier.h"

namespace gossamer::cluster {

using Ids = std::vector<std::uint64_t>;

// The URLs of a batch are numbers here: the block lists them, and they are their own fingerprints.
FoundUrls found_urls(std::uint32_t partition, const std::string& host, const Ids& ids);
Ids live_ids(const UrlBatch& batch);
UrlBatch batch_of(const Ids& ids);

// A lease as its holder sees it.
struct Holding {
  std::uint32_t partition = 0;
  std::string host;
  std::string token;
  Position begin;            // of the first batch
  std::vector<Ids> batches;  // their live URLs
  std::size_t done = 0;      // URLs since the beginning of the first batch

  explicit Holding(const LeasedHost& leased);
  std::size_t urls() const;
  // Ends the next URLs, at most this many, and returns them.
  Ids advance(std::size_t count);
  Position position() const;
  std::uint64_t held() const { return begin.batches + batches.size(); }
};

class FrontierModel {
 public:
  struct Host {
    std::set<std::uint64_t> seen;
    std::vector<Ids> queue;  // live URLs, from the first batch that has not ended
    Position position;
    std::string token;  // empty: it is not leased
    bool has_expired = false;
    std::uint32_t expired = 0;
    std::string released;  // the token of the last release

    std::size_t waiting() const;
    bool is_due() const { return token.empty() ? waiting() > 0 : has_expired; }
  };

  // Returns the number of new ones.
  std::size_t add(const std::string& host, const Ids& ids);
  // Compares a lease with the model, and applies it. Returns what is wrong; empty: nothing.
  std::string lease(const std::vector<LeasedHost>& leased, const std::set<std::string>& hosts,
                    std::size_t hosts_max, std::size_t urls, bool expires);
  // The same for a completion.
  std::string complete(const Holding& holding, const Completion& sent, const Completed& answer,
                       bool expires);
  bool is_held(const std::string& host, const std::string& token) const;
  void renew(const std::string& host, bool expires);

  std::map<std::string, Host>& hosts() { return hosts_; }
  std::uint64_t found() const { return found_; }
  std::uint64_t ended() const { return ended_; }
  std::uint64_t leased() const;
  std::uint64_t known() const;
  // How often each URL has ended, without those that were to be fetched again.
  const std::map<std::pair<std::string, std::uint64_t>, int>& ends() const { return ends_; }

 private:
  std::string compare(Host& host, const LeasedHost& leased, std::size_t urls);
  // Returns the batches from that one on that have about this many URLs.
  static std::vector<Ids> read(const Host& host, std::size_t first, std::size_t urls);

  std::map<std::string, Host> hosts_;
  std::map<std::pair<std::string, std::uint64_t>, int> ends_;
  std::uint64_t found_ = 0;
  std::uint64_t ended_ = 0;
};

}  // namespace gossamer::cluster

#pragma once

#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "redis/client.h"
#include "url/url.h"

namespace gossamer::node {

// The places that roots lead to by redirects. They widen the scope of all nodes.
class SharedScope {
 public:
  // BORROWS: the client.
  SharedScope(redis::Client& client, std::string crawl)
      : client_(client), crawl_(std::move(crawl)) {}

  // This node has found a place.
  void widen(const url::Url& root);
  // Tells other nodes, and returns the places that they have found. BORROWS: this.
  async::Task<Result<std::vector<std::string>>> exchange();

 private:
  bool add(const std::string& place);

  redis::Client& client_;
  const std::string crawl_;       // its name
  std::set<std::string> places_;  // BOUND: cluster::kRootPlacesMax
  std::vector<std::string> unsent_;
};

}  // namespace gossamer::node

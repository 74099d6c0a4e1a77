#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/engine.h"

namespace gossamer::node {

// The failures of a node's calls to Redis. If Redis is only not ready, the node waits and says so
// once; other failures end it.
class ClusterTrouble {
 public:
  enum class Work : std::uint8_t { exchange, renewal, beat, count };

  explicit ClusterTrouble(std::string crawl) : crawl_(std::move(crawl)) {}

  // REQUIRES: called before all others. BORROWS: the engine.
  void join_in(crawler::Engine& engine,
               std::move_only_function<void(const std::string& text)> say) {
    engine_ = &engine;
    say_ = std::move(say);
  }
  // Returns whether Redis was only not ready.
  static bool may_pass(const Error& error) {
    return error == Errc::unavailable || error == Errc::timed_out || error == Errc::no_space;
  }
  // A part of the work has failed. Returns false if the node cannot continue.
  bool bear(Work work, const Error& error);
  // It has succeeded.
  void recover(Work work);

 private:
  const std::string crawl_;  // its name
  crawler::Engine* engine_ = nullptr;
  std::move_only_function<void(const std::string& text)> say_;
  std::set<Work> failing_;
};

}  // namespace gossamer::node

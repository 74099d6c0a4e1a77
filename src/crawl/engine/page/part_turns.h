#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "async/semaphore.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::crawler {

// Bounds how many parts of pages a host sends at the same time, whatever pages they are for.
class PartTurns {
 public:
  // As many as browsers request. Parts do not wait for the pause between pages: their page has it.
  static constexpr std::size_t kPerHostMax = 6;
  // BOUND: hosts. Beyond it, those without a request are forgotten.
  static constexpr std::size_t kHostsMax = 1000;

 private:
  struct Host {
    async::Semaphore turns{kPerHostMax};
    Instant closed_until = {};
  };

 public:
  class Turn {
   private:
    friend class PartTurns;
    Turn(std::shared_ptr<Host> host, async::Semaphore::Permit permit)
        : host_(std::move(host)), permit_(std::move(permit)) {}

    std::shared_ptr<Host> host_;  // outlives the permit
    async::Semaphore::Permit permit_;
  };

  // Waits for a turn. Fails with Errc::overloaded while the host is closed. BORROWS: this.
  async::Task<Result<Turn>> take(std::string host);
  // The host wants fewer requests.
  void close(const std::string& host, Instant until);

 private:
  std::shared_ptr<Host> find(const std::string& host);

  std::unordered_map<std::string, std::shared_ptr<Host>> hosts_;
};

}  // namespace gossamer::crawler

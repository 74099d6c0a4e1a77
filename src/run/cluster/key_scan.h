// Reads the keys of masters in small steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"

namespace gossamer::cluster {

class KeyScan {
 public:
  // `pattern` is one of SCAN. `patience` is for each step. BORROWS: the client.
  KeyScan(redis::Client& client, std::vector<redis::Node> masters, std::string pattern,
          Duration patience);

  // Returns the keys of the next step, often none; nothing at the end. A key that exists all the
  // time is returned at least once. BORROWS: this.
  async::Task<Result<std::optional<std::vector<std::string>>>> next();

 private:
  redis::Client& client_;
  const std::string pattern_;
  const Duration patience_;
  const std::vector<redis::Node> masters_;
  std::size_t master_ = 0;
  std::string cursor_ = "0";
};

}  // namespace gossamer::cluster

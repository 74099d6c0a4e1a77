// A web server in the simulated world with random behaviour from a seed: it uses every framing, is
// slow, stops in the middle, sends nonsense, or closes at any time. The content of a path follows
// from the path alone, so that wrong results of a client are detected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "async/endpoint.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/random.h"
#include "base/result.h"

namespace gossamer::sim {

// The content of a path.
std::string page_at(std::string_view path);

class FlakyServer {
 public:
  FlakyServer(const base::Random& random, double flakiness)
      : random_(random), flakiness_(flakiness) {}

  // Serves until it is cancelled. BORROWS: the server.
  async::Task<Result<void>> run(async::Endpoint at);

  std::size_t answers() const { return answers_; }

 private:
  async::Task<Result<void>> serve(async::Socket socket, base::Random random);
  // Returns whether the connection stays open. BORROWS: all.
  async::Task<Result<bool>> answer(async::Socket& socket, std::string path, base::Random& random);

  base::Random random_;
  const double flakiness_;
  std::size_t answers_ = 0;
};

}  // namespace gossamer::sim

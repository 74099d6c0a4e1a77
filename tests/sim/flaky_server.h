// A web server of the simulated world whose moods are drawn from a seed: it frames its answers in
// every way there is, is slow, stops in the middle, says nonsense, or closes when it likes. What a
// path really holds can be told from the path alone, so a client can be caught lying.
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

// What is really at a path.
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
  // Gives whether the connection goes on. BORROWS: all.
  async::Task<Result<bool>> answer(async::Socket& socket, std::string path, base::Random& random);

  base::Random random_;
  const double flakiness_;
  std::size_t answers_ = 0;
};

}  // namespace gossamer::sim

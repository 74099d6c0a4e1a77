#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "site/site.h"
#include "site/site_request.h"

namespace gossamer::site {

// Serves a site over HTTP/1.1 on the current loop, to one well-behaved client. Tests have a server
// that counts, logs and limits (tests/site_server/site_server.h).
class DemoServer {
 public:
  // BORROWS: the site.
  explicit DemoServer(const Site& site) : site_(site) {}

  // Serves until it is cancelled; then fails with Errc::cancelled. BORROWS: the server.
  async::Task<Result<void>> run(async::Listener listener);

 private:
  async::Task<Result<void>> serve(async::Socket socket);
  Answer answer(const SiteRequest& request);

  const Site& site_;
  std::unordered_map<std::string, std::uint32_t> attempts_;  // by URL
};

}  // namespace gossamer::site

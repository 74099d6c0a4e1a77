// An answer of the site as bytes on a connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "site/site.h"
#include "site/site_request.h"

namespace gossamer::site {

// A response as sent.
struct WrittenAnswer {
  std::string bytes;           // head and body
  std::size_t head_bytes = 0;  // a HEAD response has no more
  std::uint64_t resource = 0;  // the requested resource, however it was spelled
  int status = 0;
  Pace pace = {};
};

WrittenAnswer write(const Answer& answer, const SiteRequest& request);

// Sends the bytes late or in pieces, as the pace says. BORROWS: the socket and the bytes.
async::Task<Result<void>> send_paced(async::Socket& socket, std::string_view bytes, Pace pace);

}  // namespace gossamer::site
